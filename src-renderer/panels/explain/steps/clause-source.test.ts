import { describe, expect, it } from 'vitest';
import type { Explanation, ProofNode } from '../../../../src-runtime/api/schemas/explanation-schemas.js';
import type { Span } from '../../../../src-runtime/base/span.js';
import { allSteps, explanationSteps } from '../../../domain/proof/proof-outline.js';
import { parentsOf } from '../graph/proof-graph.js';
import { excerptFor, excerptLines } from './clause-source.js';

const SOURCE = `module m
// A comma, in a comment when read.
  pub derive d(p: P)
    when a(p, "x, y"), not b(p, _),
      p.age >= 18, a(p, "z")
pub check c(p: P) when a(p, "k") severity warning message "a, b"
`;
const spanOf = (text: string): Span => {
  const offset = SOURCE.indexOf(text);
  const at = (to: number) => {
    const lines = SOURCE.slice(0, to).split('\n');
    return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, offset: to };
  };
  return { file: 'm.entail', start: at(offset), end: at(offset + text.length) };
};
const DERIVE = spanOf(SOURCE.slice(SOURCE.indexOf('pub derive'), SOURCE.indexOf('\npub check')));
const CHECK = spanOf(SOURCE.slice(SOURCE.indexOf('pub check')).trimEnd());

/** The text marked for the last step of a proof with these premises. */
function markedFor(clause: Span, ...premises: ProofNode[]): string {
  const rule = { path: 'm::d', clause: 0, span: clause };
  const proof: ProofNode = { kind: 'derived', factId: 'f', relation: 'm::d', tuple: ['#i1'], rule, premises };
  const explanation: Explanation = {
    holds: true,
    factId: 'f',
    proof,
    height: 1,
    cut: false,
    minimal: true,
    others: 'none',
  };
  const roots = explanationSteps(explanation);
  const step = allSteps(roots).at(-1);
  const excerpt = step && excerptFor(step, parentsOf(roots), () => SOURCE);
  const lines = excerpt === undefined ? [] : excerptLines(SOURCE, excerpt);
  return lines.flatMap(({ stretches }) => stretches.filter(({ marked }) => marked).map(({ text }) => text)).join('');
}

const a: ProofNode = { kind: 'stored', factId: 'a', relation: 'm::a', tuple: ['#i1', 'x'], premises: [] };
const absent: ProofNode = { kind: 'absent', relation: 'm::b', tuple: ['#i1'], premises: [] };
const age: ProofNode = { kind: 'declared', factId: 'g', relation: 'm::P.age', tuple: ['#i1', 20], premises: [] };
const test: ProofNode = { kind: 'test', text: 'p.age >= 18', premises: [] };

describe('the marked premise', () => {
  it('is the one at the same position', () => {
    expect(markedFor(DERIVE, a)).toBe('a(p, "x, y")');
    expect(markedFor(DERIVE, a, absent)).toBe('not b(p, _)');
    expect(markedFor(DERIVE, a, absent, test)).toBe('p.age >= 18');
    expect(markedFor(DERIVE, a, absent, test, a)).toBe('a(p, "z")');
  });

  it('is the comparison for a field that it reads', () => {
    expect(markedFor(DERIVE, a, absent, { ...test, premises: [age] })).toBe('p.age >= 18');
  });

  it('is found by name if positions differ, unless two have the same name', () => {
    expect(markedFor(DERIVE, absent)).toBe('not b(p, _)');
    expect(markedFor(DERIVE, absent, a)).toBe('');
  });

  it('ends before the severity of a check', () => expect(markedFor(CHECK, a)).toBe('a(p, "k")'));
});

describe('the lines of a clause', () => {
  const lines = (source: string | undefined) =>
    excerptLines(source, { file: 'm.entail', clause: DERIVE, marked: undefined });

  it('lose their common indentation, and keep their numbers', () => {
    const texts = lines(SOURCE).map(
      ({ number, stretches }) => `${number}|${stretches.map(({ text }) => text).join('')}`,
    );
    expect(texts).toEqual([
      '3|pub derive d(p: P)',
      '4|  when a(p, "x, y"), not b(p, _),',
      '5|    p.age >= 18, a(p, "z")',
    ]);
  });

  it('are empty if the file has changed since it was loaded', () => {
    expect(lines(undefined)).toEqual([]);
    expect(lines(SOURCE.replace('module m\n', ''))).toEqual([]);
  });
});
