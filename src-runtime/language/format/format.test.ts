/** The formatter preserves meaning and comments, and formatting twice equals formatting once. */

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasErrors } from '../../base/diagnostic.js';
import { runs } from '../../base/testing/property-runs.js';
import { tokenize } from '../lexer.js';
import { parseModule } from '../parser/module.js';
import { format } from './index.js';
import { EVERYTHING, randomItem, SAMPLES } from './testing/modules.js';

const FILE = 'a.entail';
const DOCUMENTED = /```entail\n(module library[\s\S]*?)```/.exec(
  readFileSync(new URL('../../../docs/language.md', import.meta.url), 'utf8'),
)?.[1];

function formatted(text: string): string {
  const { value, diagnostics } = format(FILE, text);
  expect(diagnostics.filter((each) => each.severity === 'error')).toEqual([]);
  return value;
}

/** The syntax tree without spans, as a text: comparing trees node by node takes most of the time of a property. */
function meaning(text: string): string {
  return JSON.stringify(parseModule(FILE, text).value, (key, value) => (/^span$|Span$/.test(key) ? undefined : value));
}

function tokens(text: string): string[] {
  return tokenize(FILE, text).tokens.map((each) => each.text);
}

function comments(text: string): string[] {
  return tokenize(FILE, text)
    .comments.map((each) => each.text.trimEnd())
    .sort();
}

function expectFaithful(text: string): void {
  const once = formatted(text);
  expect(meaning(once)).toBe(meaning(text));
  expect(tokens(once).join('\n')).toBe(tokens(text).join('\n'));
  expect(comments(once)).toEqual(comments(text));
  expect(formatted(once)).toBe(once);
}

describe('format', () => {
  it.each(SAMPLES)('leaves the sample %s unchanged', (_, text) => expect(formatted(text)).toBe(text));

  it('leaves the first module of the reference unchanged', () => {
    expect(DOCUMENTED).toBeDefined();
    expect(formatted(DOCUMENTED ?? '')).toBe(DOCUMENTED);
  });
});

describe('format preserves meaning and comments', () => {
  it('formats a module with every construct', () => expectFaithful(EVERYTHING));

  it('formats any white space, line ends and comments between tokens', () => {
    const blanks = fc.constantFrom(' ', '\n', '\n\n\n', '\t ', ' // note\n', '\n    // own line\n\n', ' /* inline */ ');
    const longer = fc.constantFrom('\n/* two\n   lines */\n', '\n/// documents\n', ' /* a */ /* b */\n', '\n/* c */ ');
    const between = fc.oneof({ weight: 6, arbitrary: fc.constant(' ') }, blanks, longer);
    const texts = [EVERYTHING, DOCUMENTED ?? ''].map(tokens);
    const cases = fc
      .constantFrom(...texts)
      .chain((parts) =>
        fc
          .array(between, { minLength: parts.length, maxLength: parts.length })
          .map((gaps) => parts.map((token, index) => `${gaps[index]}${token}`).join('')),
      );
    fc.assert(fc.property(cases, expectFaithful), { numRuns: runs(150) });
  });
});

describe('format of random texts', () => {
  it('preserves random modules', () => {
    fc.assert(
      fc.property(fc.array(randomItem, { maxLength: 3 }), (items) => expectFaithful(`module m\n${items.join('\n')}`)),
      { numRuns: runs(300) },
    );
  });

  it('preserves a sample with lines removed, doubled and joined, if it still parses', () => {
    const [, sample] = SAMPLES[1] ?? ['', ''];
    // A third of the sample, since each case parses it five times.
    const lines = sample.split('\n').slice(0, 90);
    let readable = 0;
    const changes = fc.array(fc.tuple(fc.nat({ max: lines.length - 1 }), fc.constantFrom('out', 'double', 'join')), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(changes, (all) => {
        const changed = [...lines];
        for (const [at, change] of all) {
          const line = changed[at] ?? '';
          if (change === 'out') changed[at] = '';
          else if (change === 'double') changed[at] = `${line}\n${line}`;
          else changed.splice(at, 2, `${line} ${changed[at + 1] ?? ''}`);
        }
        const text = changed.join('\n');
        if (hasErrors(parseModule(FILE, text).diagnostics)) return;
        readable += 1;
        expectFaithful(text);
      }),
      { numRuns: 150, seed: 7 },
    );
    expect(readable).toBeGreaterThan(20);
  });

  it('preserves the deepest nesting allowed', () => {
    expectFaithful(`module m\nfn f() -> Int = ${'(1 + '.repeat(200)}1${')'.repeat(200)}`);
  });
});

describe('style', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['puts each field on a line', 'concept A { a: Int, b: Text? }', 'concept A {\n  a: Int,\n  b: Text?\n}'],
    ['keeps at most one blank line', 'enum A { a }\n\n\n\nenum B { b }', 'enum A { a }\n\nenum B { b }'],
    ['puts a rule on one line if it fits', 'derive a(b: B) when\n c(b),\nd(b)', 'derive a(b: B) when c(b), d(b)'],
    [
      'breaks long alternatives before each `or`',
      'derive a(b) when ( someVeryLongCondition(b, first) , another(first, second),third(second) or someVeryLongCondition(b, other),not third(other) ), (c(b))',
      'derive a(b)\n  when (\n    someVeryLongCondition(b, first), another(first, second), third(second)\n      or someVeryLongCondition(b, other), not third(other)\n  ),\n    (c(b))',
    ],
    [
      'keeps a computed head on one line',
      'derive a( b,c:Int=b+1 ,d = "x") when c(b)',
      'derive a(b, c: Int = b + 1, d = "x") when c(b)',
    ],
    ['keeps a line break before `when`', 'derive a(b: B)\n when c(b)', 'derive a(b: B)\n  when c(b)'],
    [
      'puts each clause of a check on a line',
      'check a(b: B) when c(b), d(b) severity warning message "m"',
      'check a(b: B)\n  when c(b), d(b)\n  severity warning\n  message "m"',
    ],
    [
      'keeps a comment with its code',
      'concept A {   // about A\n// about a\na: Int   // behind a\n// last\n}',
      'concept A {   // about A\n  // about a\n  a: Int   // behind a\n  // last\n}',
    ],
    ['normalises spaces around punctuation', 'fn f( a:Int )->Int=- a*( 1+2 )', 'fn f(a: Int) -> Int = -a * (1 + 2)'],
    ['glues an index to its list', 'fn f( a:[Int] )->Int?=a [ 0 ]', 'fn f(a: [Int]) -> Int? = a[0]'],
    ['keeps the kind of line ends', 'enum A {\r\na }\r\n', 'enum A {\r\n  a\r\n}'],
  ];
  it.each(cases)('%s', (_, text, expected) => {
    const lineEnd = text.includes('\r') ? '\r\n' : '\n';
    const head = `module m${lineEnd}`;
    expect(formatted(`${head}${text}`)).toBe(`${head}${expected}${lineEnd}`);
  });

  it('breaks a line before an operator, with the parentheses of its operand', () => {
    const name = 'x'.repeat(60);
    const text = `module m\nfn f() -> Int = (${name}) + ((${name}) - 1)`;
    expect(formatted(text)).toBe(`module m\nfn f() -> Int = (${name})\n  + ((${name}) - 1)\n`);
  });

  it('breaks a long rule before `when`, and a longer one after each condition', () => {
    const literals = (count: number) => Array.from({ length: count }, (_, index) => `linked(b, other${index})`);
    const text = (count: number) => `module m\nderive a(b: B) when ${literals(count).join(', ')}`;
    expect(formatted(text(5))).toBe(`${text(5)}\n`);
    expect(formatted(text(6))).toBe(`module m\nderive a(b: B)\n  when ${literals(6).join(', ')}\n`);
    expect(formatted(text(7))).toBe(`module m\nderive a(b: B)\n  when ${literals(7).join(',\n    ')}\n`);
  });
});

it('returns a text with syntax errors unchanged, with its diagnostics', () => {
  const text = 'module  m\nconcept A {  a Int }\n';
  const { value, diagnostics } = format(FILE, text);
  expect(value).toBe(text);
  expect(diagnostics.map((each) => each.severity)).toContain('error');
});
