/** Typing, Enter and paste give each line the indentation of the formatter. */

import { insertNewlineAndIndent } from '@codemirror/commands';
import { EditorSelection, EditorState, type StateCommand } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../src-runtime/base/testing/property-runs.js';
import { format } from '../../src-runtime/language/format/format.js';
import { EVERYTHING, randomItem, SAMPLES } from '../../src-runtime/language/format/testing/modules.js';
import { entailLanguage } from './editor-language.js';

/** A text with `|` at the cursor. */
function stateOf(marked: string): EditorState {
  const at = marked.indexOf('|');
  const selection = EditorSelection.cursor(at);
  return EditorState.create({ doc: marked.replace('|', ''), selection, extensions: entailLanguage });
}

function marked({ doc, selection }: EditorState): string {
  const { head } = selection.main;
  return `${doc.sliceString(0, head)}|${doc.sliceString(head)}`;
}

function run(state: EditorState, command: StateCommand): EditorState {
  let after = state;
  command({ state, dispatch: (transaction) => (after = transaction.state) });
  return after;
}

function insert(state: EditorState, text: string, userEvent: string): EditorState {
  return state.update(state.replaceSelection(text), { userEvent }).state;
}

/** Types a text without the white space at the start of its lines. */
function typed(text: string): string {
  const [first = '', ...lines] = text.split('\n');
  let state = insert(stateOf('|'), first, 'input.type');
  for (const line of lines) {
    state = run(state, insertNewlineAndIndent);
    // Only the first word of a line can change its indentation.
    const [, start = '', rest = ''] = /^\s*(\S*\s?)(.*)$/.exec(line) ?? [];
    for (const part of [...start, rest]) state = insert(state, part, 'input.type');
  }
  return state.doc.toString();
}

describe('Enter', () => {
  it.each(SAMPLES)('gives each line of the sample %s its indentation', (_, text) => {
    expect(typed(text)).toBe(text);
  });

  it('agrees with the formatter on every construct', () => {
    const { value } = format('a', EVERYTHING);
    expect(typed(value)).toBe(value);
  });

  it('agrees with the formatter on random modules', () => {
    const modules = fc.array(randomItem, { maxLength: 3 }).map((items) => format('a', `module m\n${items.join('\n')}`));
    fc.assert(
      fc.property(modules, ({ value }) => {
        expect(typed(value)).toBe(value);
      }),
      { numRuns: runs(100) },
    );
  });

  it.each([
    ['an unclosed concept', 'concept A {|', 'concept A {\n  |'],
    ['an unfinished field', 'concept A {\n  a: Int =|', 'concept A {\n  a: Int =\n    |'],
    ['two brackets with the cursor between', 'mutation m() {|}', 'mutation m() {\n  |\n}'],
    ['a rule without conditions', 'derive a(b: B)|', 'derive a(b: B)\n  |'],
    ['a rule after `when`', 'derive a(b: B)\n  when|', 'derive a(b: B)\n  when\n    |'],
    ['a condition before the next', 'derive a(b: B)\n  when c(b),|', 'derive a(b: B)\n  when c(b),\n    |'],
    ['a finished rule', 'derive a(b: B)\n  when c(b)|', 'derive a(b: B)\n  when c(b)\n|'],
    ['a check without message', 'check a(b: B)\n  when c(b)|', 'check a(b: B)\n  when c(b)\n  |'],
    ['an unfinished head', 'fn f(a: Int) ->|', 'fn f(a: Int) ->\n  |'],
    ['the equals sign of a function', 'fn f(a: Int) -> Int =|', 'fn f(a: Int) -> Int =\n  |'],
    ['an operator', 'fn f(a: Int) -> Int = a +|', 'fn f(a: Int) -> Int = a +\n  |'],
    ['a selection', 'query q() -> [A] {\n  select a|', 'query q() -> [A] {\n  select a\n  |'],
    ['a statement', 'mutation m() {\n  insert A { a: 1 }|', 'mutation m() {\n  insert A { a: 1 }\n  |'],
    ['an unclosed list', 'mutation m() {\n  f([|', 'mutation m() {\n  f([\n    |'],
    [
      'an unclosed item above',
      'concept A {\n\nderive a(b: B)\n  when c(b),|',
      'concept A {\n\nderive a(b: B)\n  when c(b),\n    |',
    ],
    ['the start of a comment', 'concept A {\n      /* a|', 'concept A {\n      /* a\n      |'],
    ['a comment with brackets', 'concept A {\n  // ( [ {|', 'concept A {\n  // ( [ {\n  |'],
  ])('indents after %s', (_, before, after) => {
    expect(marked(run(stateOf(before), insertNewlineAndIndent))).toBe(after);
  });
});

describe('typing', () => {
  it.each([
    ['a closing brace', 'concept A {\n  a: Int\n  |', '}', 'concept A {\n  a: Int\n}|'],
    ['a closing parenthesis', 'relation a(\n  b: B\n  |', ')', 'relation a(\n  b: B\n)|'],
    ['an operator', 'fn f() -> Int = a\n|', '+', 'fn f() -> Int = a\n  +|'],
    ['a new item in an unfinished one', 'derive a(b: B)\n  |', 'pub ', 'derive a(b: B)\npub |'],
  ])('moves the line of %s', (_, before, text, after) => {
    const state = [...text].reduce((current, each) => insert(current, each, 'input.type'), stateOf(before));
    expect(marked(state)).toBe(after);
  });
});

describe('paste', () => {
  it.each([
    [
      'indents lines for their position',
      'mutation m() {\n  |\n}',
      'if a(b) {\n  delete c(b)\n}',
      'mutation m() {\n  if a(b) {\n    delete c(b)\n  }|\n}',
    ],
    [
      'indents lines if the first was copied without its indentation',
      'mutation m() {\n  |\n}',
      'if a(b) {\n        delete c(b)\n      }',
      'mutation m() {\n  if a(b) {\n    delete c(b)\n  }|\n}',
    ],
    [
      'keeps the indentation of lines relative to each other',
      'concept A {\n|}',
      '        a: Int\n            b: Int\n',
      'concept A {\n  a: Int\n      b: Int\n|}',
    ],
    ['counts a tab as spaces', 'concept A {\n  |\n}', '\ta: Int\n\tb: Int', 'concept A {\n  a: Int\n  b: Int|\n}'],
    [
      'keeps the text after the cursor in place',
      'concept A {\n  |c: Int\n}',
      'a: Int\nb: Int\n',
      'concept A {\n  a: Int\n  b: Int\n|  c: Int\n}',
    ],
    [
      'leaves a comment as it is',
      'concept A {\n  |\n}',
      '/* a\n b */\na: Int',
      'concept A {\n  /* a\n b */\n  a: Int|\n}',
    ],
    ['leaves text within a comment as it is', '/* a\n  |\n*/', 'b {\n      c', '/* a\n  b {\n      c|\n*/'],
    ['leaves part of a line as it is', 'fn f() -> Int = |', 'a + b', 'fn f() -> Int = a + b|'],
  ])('%s', (_, before, text, after) => {
    expect(marked(insert(stateOf(before), text, 'input.paste'))).toBe(after);
  });
});
