/** Facts are found by words, questions are remembered, news are told and keys lead along edges. */

import { describe, expect, it } from 'vitest';
import type { Explanation, ProofNode } from '../../src-runtime/api/explanation-schemas.js';
import type { WireType } from '../../src-runtime/api/schemas.js';
import { explanationSteps } from '../components/proof-outline.js';
import type { RelationInfo } from '../data/relation-index.js';
import { matchingFacts, relationsToSearch, wordsOf } from './fact-search.js';
import { graphMove } from './graph-move.js';
import { newsOf } from './news.js';
import { allOpened, proofGraph } from './proof-graph.js';
import { withQuestion } from './recent.js';

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
  const facts = [
    { factId: '1', relation: 'm::owns', tuple: ['#i1', '#i2'] },
    { factId: '2', relation: 'm::worksFor', tuple: ['#i1', '#i2'] },
  ];
  const label = (id: string) => ({ '#i1': 'Ada Lindqvist', '#i2': 'Acme' })[id];
  const find = (text: string) => matchingFacts(facts, wordsOf(text), index, label).map(({ factId }) => factId);

  it('takes words of the sentence in any order, labels and names of relations alike', () => {
    expect(find('acme works ada')).toEqual(['2']);
    expect(find('ADA')).toEqual(['1', '2']);
    expect(find('#i1 owns')).toEqual(['1']);
    expect(find('ada bruno')).toEqual([]);
    expect(find(' ')).toEqual([]);
  });

  it('looks first where the name of the relation is meant', () => {
    expect(relationsToSearch(wordsOf('ada works'), index).map(({ path }) => path)).toEqual(['m::worksFor', 'm::owns']);
    expect(relationsToSearch([], index)).toEqual([]);
  });
});

describe('recent questions', () => {
  it('stand once each, the latest first, and the oldest go', () => {
    const ask = (name: string) => ({ relation: 'm::r', tuple: [name] });
    let questions = withQuestion([], ask('a'));
    for (const name of ['b', 'a', 'c']) questions = withQuestion(questions, ask(name));
    expect(questions.map(({ tuple }) => tuple[0])).toEqual(['c', 'a', 'b']);
    for (let number = 0; number < 50; number++) questions = withQuestion(questions, ask(String(number)));
    expect(questions).toHaveLength(20);
    expect(withQuestion(questions, ask('49'))).toBe(questions);
  });
});

describe('news', () => {
  it('are told of what holds no more, holds now, or holds for other reasons', () => {
    const before = holds(node('root', node('a')));
    expect(newsOf(before, whyNot)).toBe('fell');
    expect(newsOf(whyNot, before)).toBe('rose');
    expect(newsOf(before, holds(node('root', node('b'))))).toBe('moved');
    expect(newsOf(before, holds(node('root', node('a'))))).toBeUndefined();
    expect(newsOf(whyNot, { ...whyNot, cut: true })).toBeUndefined();
  });
});

describe('arrow keys in a graph', () => {
  const roots = explanationSteps(holds(node('root', node('a', node('c')), node('b'))));
  const graph = proofGraph(roots, allOpened(roots));
  // s1 above s2 and s4, s3 below s2.
  const positions = { s1: { x: 50, y: 0 }, s2: { x: 0, y: 100 }, s3: { x: 0, y: 200 }, s4: { x: 100, y: 100 } };
  const move = (from: string, key: string) => graphMove(graph, positions, from, key);

  it('go down and up along edges, and to the neighbour of the same layer', () => {
    expect(move('s2', 'ArrowDown')).toBe('s3');
    expect(move('s3', 'ArrowUp')).toBe('s2');
    expect(move('s2', 'ArrowRight')).toBe('s4');
    expect(move('s4', 'ArrowLeft')).toBe('s2');
    expect(move('s3', 'Home')).toBe('s1');
  });

  it('stay where nothing is', () => {
    expect(move('s1', 'ArrowUp')).toBeUndefined();
    expect(move('s4', 'ArrowDown')).toBeUndefined();
    expect(move('s4', 'ArrowRight')).toBeUndefined();
    expect(move('s1', 'a')).toBeUndefined();
  });
});
