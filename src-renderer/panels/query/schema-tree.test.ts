import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src-runtime/compiler/index.js';
import { servedSchema } from '../../../src-runtime/world/wire/served-schema.js';
import { closedAtFirst, difference, insertedText, narrowedTree, type SchemaNode, schemaTree } from './schema-tree.js';

const text = readFileSync(new URL('../../../resources/modules/lease.entail', import.meta.url), 'utf8');
const { artifact } = compile([{ file: 'lease.entail', text }]);
if (artifact === undefined) throw new Error('The sample does not compile.');
const tree = schemaTree(servedSchema(artifact));

const words = (nodes: readonly SchemaNode[] = []): string[] =>
  nodes.map(({ name, detail }) => `${name} ${detail}`.trim());

function found(name: string, nodes: readonly SchemaNode[] = tree): SchemaNode {
  const all = (each: SchemaNode): SchemaNode[] => [each, ...each.children.flatMap(all)];
  const node = nodes.flatMap(all).find((each) => each.name === name);
  if (node === undefined) throw new Error(`There is no ${name}.`);
  return node;
}

describe('the tree', () => {
  it('has concepts with own and inherited fields, and relations with columns', () => {
    expect(words(found('Concepts').children)).toEqual(['Lease', 'Party', 'Person is Party', 'Unit']);
    expect(words(found('Person').children)).toEqual([
      'email Text?',
      'born Date?',
      'employer Party?',
      'name Text, from Party',
    ]);
    expect(words(found('paid').children)).toEqual(['lease Lease', 'month Date', 'amount Decimal']);
    expect(words([found('paid')])).toEqual(['paid (lease, month, amount)']);
  });

  it('marks derived relations, and has the path for counts', () => {
    expect(found('Derived relations').children.map(({ glyph }) => glyph)).toContain('derived');
    expect(found('Stored relations').children.map(({ glyph }) => glyph)).not.toContain('derived');
    expect([found('liable').facts, found('Lease').facts]).toEqual(['lease::liable', 'lease::Lease']);
  });

  it('has no empty groups', () => {
    expect(tree.every(({ children }) => children.length > 0)).toBe(true);
    expect(tree.map(({ name }) => name)).toContain('Queries');
  });
});

describe('a filter', () => {
  const narrowed = narrowedTree(tree, ' Month');

  it('keeps nodes whose name or child matches', () => {
    expect(narrowed.map(({ name }) => name)).toEqual(['Stored relations', 'Derived relations']);
    expect(words(found('paid', narrowed).children)).toEqual(['month Date']);
    expect(narrowedTree(tree, 'no such')).toEqual([]);
  });

  it('opens narrowed nodes only', () => {
    for (const name of ['paid', 'due']) expect(closedAtFirst(narrowed, tree).has(found(name).id)).toBe(false);
    expect(closedAtFirst(narrowedTree(tree, 'paid'), tree).has(found('paid').id)).toBe(true);
    expect(closedAtFirst(tree, tree).has(found('paid').id)).toBe(true);
    expect(closedAtFirst(tree, tree).has(found('Concepts').id)).toBe(false);
  });

  it('keeps the nodes that the user opened or closed', () => {
    const closed = closedAtFirst(tree, tree);
    const now = new Set([...closed, 'Concepts']);
    now.delete('lease::paid');
    const turned = difference(now, closed);
    expect([...turned].sort()).toEqual(['Concepts', 'lease::paid']);
    expect(difference(closed, turned)).toEqual(now);
  });
});

describe('the inserted text', () => {
  it.each([
    ['Lease', '', 'Lease(lease)'],
    ['Lease', 'query q(l: ', 'Lease'],
    ['Lease', 'query q() -> [', 'Lease'],
    ['Lease', 'query q() ->', ' Lease'],
    ['liable', 'select l where', ' liable(p, l)'],
    ['liable', 'where active(l),', ' liable(p, l)'],
    ['liable', 'not (', 'liable(p, l)'],
    ['rent', 'l', '.rent'],
    ['rent', 'l.', 'rent'],
    ['signed', 'l.status == ', 'Status::signed'],
    ['month', 'paid(l, ', 'month'],
    ['leaseCount', 'let n =', 'leaseCount()'],
  ])('for %s after %j is %j', (name, before, put) => expect(insertedText(found(name), before)).toBe(put));
});
