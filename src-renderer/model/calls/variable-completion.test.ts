/** Completion between braces. `|` marks the cursor. */

import { describe, expect, it } from 'vitest';
import { generatedCompletions } from './generated-variables.js';
import { begunReference, completedText, completionsOf } from './variable-completion.js';

function referenceAt(marked: string) {
  const text = marked.replace('|', '');
  return { text, reference: begunReference(text, marked.indexOf('|')) };
}

/** With `lease` selected. */
function completed(marked: string, isJson = false): string {
  const { text, reference } = referenceAt(marked);
  if (reference === undefined) return marked;
  const edit = completedText(text, reference, 'lease', isJson);
  return text.slice(0, edit.from) + edit.text + text.slice(reference.to);
}

describe('an incomplete reference', () => {
  it.each([
    ['{{|', ''],
    ['a {{le|', 'le'],
    ['{{ le|', 'le'],
    ['{{a}} and {{b|}} c', 'b'],
    ['\\\\{{le|', 'le'],
  ])('in %s has the name %j', (marked, typed) => expect(referenceAt(marked).reference?.typed).toBe(typed));

  it.each(['{|', '{{a}}|', '{{a b|', '\\{{le|', '{{\n|', 'le|'])('does not exist in %s', (marked) =>
    expect(referenceAt(marked).reference).toBeUndefined(),
  );

  it.each([
    ['a {{le| b', 'a {{lease}} b'],
    ['{{le|ft}} b', '{{lease}} b'],
    ['\\\\{{|', '\\\\{{lease}}'],
    ['{{|other', '{{lease}}other'],
  ])('in %s is completed to %s', (marked, text) => expect(completed(marked)).toBe(text));

  it.each([
    ['{ "code": "{{|" }', '{ "code": "{{lease}}" }'],
    ['{ "code": {{| }', '{ "code": "{{lease}}" }'],
    ['{ "a\\"": {{| }', '{ "a\\"": "{{lease}}" }'],
  ])('in JSON %s is completed to %s', (marked, text) => expect(completed(marked, true)).toBe(text));
});

describe('completions', () => {
  const variables = { tenant: 'acme', q10: '', q2: '', lease: 'L1', subLease: 'L2' };
  const names = (typed: string) =>
    completionsOf(typed, variables).map(({ kind, name }) => (kind === 'define' ? `define ${name}` : name));

  it('list all names in natural order if nothing is typed', () =>
    expect(names('')).toEqual(['lease', 'q2', 'q10', 'subLease', 'tenant']));
  it('list names by prefix first, then other matches, then a new variable', () =>
    expect(names('LEASE')).toEqual(['lease', 'subLease', 'define LEASE']));
  it('offer no new variable if the name exists or is invalid', () => {
    expect(names('tenant')).toEqual(['tenant']);
    expect(names('1a')).toEqual([]);
  });
  it('include generated variables of the right type, with offsets from today', () => {
    const generated = (typed: string, name: 'Text' | 'Int' | 'Date') =>
      completionsOf(typed, variables, generatedCompletions(typed, { kind: 'scalar', name })).map((each) => each.name);
    expect(generated('', 'Int')).toEqual(['lease', 'q2', 'q10', 'subLease', 'tenant', '$timestamp', '$randomInt']);
    expect(generated('$r', 'Text')).toEqual(['$randomInt', '$randomDecimal', '$randomBool']);
    expect(generated('TODAY', 'Date')).toEqual(['$today', 'TODAY']);
    expect(generated('$today+', 'Date')).toEqual(['$today+1', '$today+7', '$today+30']);
    expect(generated('$today-14', 'Date')).toEqual(['$today-14']);
    expect(generated('$today-14', 'Int')).toEqual([]);
    expect(generated('$foo', 'Text')).toEqual([]);
  });
  it('ignore inherited members of objects', () => expect(names('toString')).toEqual(['define toString']));
});
