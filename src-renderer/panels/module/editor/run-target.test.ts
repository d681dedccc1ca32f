import { expect, it } from 'vitest';
import type { OutlineItem } from '../../../../src-runtime/language/service/index.js';
import { runTargetAt } from './run-target.js';

const SOURCE = `module a::b
pub query all() -> [Person] { select p where Person(p) }
query own() -> Int { value 1 }
pub derive rich(p: Person) when Person(p)
test "all are there" { expect all() == [] }
`;
const item = (kind: OutlineItem['kind'], name: string, line: string, isPublic = false): OutlineItem => {
  const offset = SOURCE.indexOf(line);
  const place = (at: number) => ({ line: 1, column: 1, offset: at });
  const span = { file: 'a.entail', start: place(offset), end: place(SOURCE.indexOf('\n', offset)) };
  return { kind, name, public: isPublic, span, parts: 1 };
};
const outline = [
  item('query', 'all', 'pub query all', true),
  item('query', 'own', 'query own'),
  item('derive', 'rich', 'pub derive rich', true),
  item('test', 'all are there', 'test "all'),
];
const at = (text: string) => runTargetAt(SOURCE, outline, SOURCE.indexOf(text) + 1);

it('leads from a public query to Invoke, and from a test to its result', () => {
  expect(at('select p')).toEqual({ kind: 'call', to: '/invoke?call=a%3A%3Ab%3A%3Aall' });
  expect(at('expect all')?.kind).toBe('test');
  expect(new URL(at('expect all')?.to ?? '', 'http://x').searchParams.get('test')).toMatch(/all are there/);
});

it('is undefined for an item that cannot be called', () => {
  expect(at('value 1')).toBeUndefined();
  expect(at('rich(p: Person)')).toBeUndefined();
  expect(at('module a')).toBeUndefined();
});
