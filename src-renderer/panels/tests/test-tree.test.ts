/** Tests by file; a file has the worst verdict of its tests. */

import { expect, it } from 'vitest';
import { NOTHING_RUN, type TestRuns } from '../../model/facts/test-runs.js';
import { type TestShow, testsOf, testTree } from './test-tree.js';

const position = { line: 1, column: 1, offset: 0 };
const test = (file: string, name: string) => ({ module: file, name, span: { file, start: position, end: position } });
const result = (module: string, name: string, passed: boolean) => ({ module, name, passed, ms: 2, loadedAt: '' });
const tests = [test('a', 'pays'), test('b', 'signs'), test('b', 'ends')];
const runs: TestRuns = {
  ...NOTHING_RUN,
  results: { 'a/pays': result('a', 'pays', true), 'b/signs': result('b', 'signs', false) },
};
const rows = (find = '', show: TestShow = 'all', of = runs) =>
  testTree(tests, of, { find, show }).map(({ name, verdict, ms, children }) => [
    name,
    verdict,
    ms,
    ...children.map((child) => `${child.name} ${child.verdict}`),
  ]);

it('gives a file the worst verdict and the total duration of its tests', () => {
  expect(rows()).toEqual([
    ['a', 'passed', 2, 'pays passed'],
    ['b', 'failed', 2, 'signs failed', 'ends not run'],
  ]);
});

it('shows a file as running while one of its tests runs', () => {
  expect(rows('', 'all', { ...runs, running: 'b/ends' })[1]?.[1]).toBe('running');
});

it('omits files without matching tests', () => {
  expect(rows('SIGN')).toEqual([['b', 'failed', 2, 'signs failed']]);
  expect(rows('', 'failed')).toEqual([['b', 'failed', 2, 'signs failed']]);
});

it('lists the tests of a file', () => {
  const [, file] = testTree(tests, runs, { find: '', show: 'all' });
  expect(file === undefined ? [] : testsOf(file).map(({ name }) => name)).toEqual(['signs', 'ends']);
});
