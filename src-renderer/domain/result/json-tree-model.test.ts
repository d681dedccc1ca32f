/** JSON values become trees whose rows show their content. */

import { describe, expect, it } from 'vitest';
import { treeRows } from '../../ui/tree-model.js';
import { collapsedAtFirst, findNodes, type JsonNode, jsonNodes, nodesAbove } from './json-tree-model.js';

function lines(nodes: readonly JsonNode[], indent = ''): string[] {
  return nodes.flatMap(({ name, text, children }) => [
    `${indent}${name === undefined ? '' : `${name}: `}${text}`,
    ...lines(children, `${indent}  `),
  ]);
}

const ids = (nodes: readonly JsonNode[]): string[] => nodes.flatMap(({ id, children }) => [id, ...ids(children)]);

describe('the tree of a JSON value', () => {
  it('has a row for each member, with the size of objects and lists', () => {
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

  it('has one row for a scalar, null or an empty list', () => {
    expect([lines(jsonNodes('x')), lines(jsonNodes([])), lines(jsonNodes(null))]).toEqual([['"x"'], ['[]'], ['null']]);
  });

  it('gives nodes unique ids, whatever characters the keys contain', () => {
    const all = ids(jsonNodes({ a: { 'b/c': 1, b: { c: 2 } }, 'a/"b': 3 }));
    expect(new Set(all).size).toBe(all.length);
  });

  it('gives the path and the value of each node', () => {
    const [list] = jsonNodes({ rows: [{ code: 'L1', 'a b': 2 }] });
    const [first] = list?.children ?? [];
    expect([list, first, ...(first?.children ?? [])].map((node) => node?.path)).toEqual([
      '$.rows',
      '$.rows[0]',
      '$.rows[0].code',
      '$.rows[0]["a b"]',
    ]);
    expect(first?.value).toEqual({ code: 'L1', 'a b': 2 });
    expect(jsonNodes(7)[0]?.path).toBe('$');
  });

  it('finds nodes by name and value, and the ancestors to expand', () => {
    const nodes = jsonNodes([{ code: 'ELM-12' }, { elm: 3, other: [3] }]);
    const found = findNodes(nodes, 'elm');
    expect(found.map(({ path }) => path)).toEqual(['$[0].code', '$[1].elm']);
    expect(nodesAbove(found[1]?.id ?? '', nodes)).toEqual([nodes[1]?.id]);
    // A size replaces the value and is not searched.
    expect(findNodes(jsonNodes({ a: [1, 2, 3] }), '[3]')).toEqual([]);
  });

  it('starts with three levels expanded, or fewer if those have thousands of rows', () => {
    const row = { $meta: { type: 'a' }, list: [[[[1]]]] };
    expect(collapsedAtFirst(jsonNodes([row]))).toEqual(['/"0"/"$meta"', '/"0"/"list"/"0"/"0"']);
    expect(collapsedAtFirst(jsonNodes(new Array(4_000).fill(row)))).toHaveLength(4_000);
  });

  it('does not read the members of collapsed nodes', () => {
    const unread = {
      list: new Proxy([1], {
        get: (list, key) => (key === 'length' ? list.length : expect.unreachable(`${String(key)} was read`)),
      }),
    };
    const nodes = jsonNodes(new Array(6_000).fill(unread));
    expect(collapsedAtFirst(nodes)).toHaveLength(6_000);
    expect(treeRows(nodes, new Set(collapsedAtFirst(nodes)))).toHaveLength(6_000);
  });
});
