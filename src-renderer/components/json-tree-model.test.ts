/** JSON values become trees whose rows say what is in them. */

import { describe, expect, it } from 'vitest';
import { type JsonNode, jsonNodes } from './json-tree-model.js';

function lines(nodes: readonly JsonNode[], indent = ''): string[] {
  return nodes.flatMap(({ name, text, children }) => [
    `${indent}${name === undefined ? '' : `${name}: `}${text}`,
    ...lines(children, `${indent}  `),
  ]);
}

const ids = (nodes: readonly JsonNode[]): string[] => nodes.flatMap(({ id, children }) => [id, ...ids(children)]);

describe('the tree of a JSON value', () => {
  it('has a row a member, with the size of what can be opened', () => {
    expect(lines(jsonNodes({ a: [1, 'x', null], b: {}, c: { d: true } }))).toEqual([
      'a: [3]',
      '  0: 1',
      '  1: "x"',
      '  2: null',
      'b: {}',
      'c: {1}',
      '  d: true',
    ]);
  });

  it('of a plain value is that value', () => {
    expect([lines(jsonNodes('x')), lines(jsonNodes([])), lines(jsonNodes(null))]).toEqual([['"x"'], ['[]'], ['null']]);
  });

  it('has no two nodes of one id, however the keys are written', () => {
    const all = ids(jsonNodes({ a: { 'b/c': 1, b: { c: 2 } }, 'a/"b': 3 }));
    expect(new Set(all).size).toBe(all.length);
  });
});
