import { describe, expect, it } from 'vitest';
import type { Explanation, ProofNode } from '../../../../src-runtime/api/schemas/explanation-schemas.js';
import type { WireType } from '../../../../src-runtime/api/schemas/schemas.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { changeBetween } from '../explanation-change.js';
import { filterOf, searchesFor, wordsOf } from './fact-search.js';
import { withQuestion } from './recent-facts.js';

const node = (factId: string, ...premises: ProofNode[]): ProofNode => ({
  kind: 'derived',
  factId,
  relation: 'm::r',
  tuple: [factId],
  premises,
});
const holds = (proof: ProofNode): Explanation => ({
  holds: true,
  factId: 'root',
  proof,
  height: 1,
  cut: false,
  minimal: true,
  others: 'none',
});
const whyNot: Explanation = {
  holds: false,
  cut: false,
  whyNot: { id: 'f', relation: 'm::r', tuple: [], message: '', clauses: [] },
};

describe('finding a fact', () => {
  const party: WireType = { kind: 'class', path: 'm::Party' };
  const info = (path: string): RelationInfo => ({
    path,
    kind: 'derived',
    endpoints: [
      { name: 'p', type: party },
      { name: 'q', type: party },
    ],
    doc: undefined,
    span: undefined,
  });
  const index = new Map(['m::owns', 'm::worksFor'].map((path) => [path, info(path)]));
  const find = (text: string) => searchesFor(wordsOf(text), index).map(({ info, words }) => [info.path, ...words]);

  it('searches relations named by a word first, for the remaining words', () => {
    expect(find('acme works ADA')).toEqual([
      ['m::worksFor', 'acme', 'ada'],
      ['m::owns', 'acme', 'works', 'ada'],
    ]);
    expect(find('worksFor owns')).toEqual([
      ['m::owns', 'worksfor'],
      ['m::worksFor', 'owns'],
    ]);
    expect(find(' ')).toEqual([]);
  });

  it('requires each word in some column, up to the limit of the server', () => {
    expect(filterOf(['ada', 'acme'])).toEqual([
      ['*', 'contains', 'ada'],
      ['*', 'contains', 'acme'],
    ]);
    expect(filterOf(Array.from({ length: 30 }, String))).toHaveLength(16);
  });
});

describe('recent facts', () => {
  it('are listed newest first, without duplicates, up to a limit', () => {
    const fact = (name: string) => ({ relation: 'm::r', tuple: [name] });
    let facts = withQuestion([], fact('a'));
    for (const name of ['b', 'a', 'c']) facts = withQuestion(facts, fact(name));
    expect(facts.map(({ tuple }) => tuple[0])).toEqual(['c', 'a', 'b']);
    for (let number = 0; number < 50; number++) facts = withQuestion(facts, fact(String(number)));
    expect(facts).toHaveLength(20);
    expect(withQuestion(facts, fact('49'))).toBe(facts);
  });
});

describe('changes of an explanation', () => {
  it('are reported if the fact became false or true, or has another proof', () => {
    const before = holds(node('root', node('a')));
    const what = (from: Explanation, to: Explanation) =>
      changeBetween({ explanation: from, moduleHash: 'm1' }, { explanation: to, moduleHash: 'm1' })?.what;
    expect(what(before, whyNot)).toBe('nowFalse');
    expect(what(whyNot, before)).toBe('nowTrue');
    expect(what(before, holds(node('root', node('b'))))).toBe('otherProof');
    expect(what(before, holds(node('root', node('a'))))).toBeUndefined();
    expect(what(whyNot, { ...whyNot, cut: true })).toBeUndefined();
  });

  it('say whether the module changed', () => {
    const before = { explanation: whyNot, moduleHash: 'm1' };
    const after = holds(node('root'));
    expect(changeBetween(before, { explanation: after, moduleHash: 'm1' })?.byModule).toBe(false);
    expect(changeBetween(before, { explanation: after, moduleHash: 'm2' })?.byModule).toBe(true);
    expect(changeBetween(before, { ...before, moduleHash: 'm2' })).toBeUndefined();
  });
});
