/** Gaps come first, and the summary claims no more than was measured. */

import { describe, expect, it } from 'vitest';
import type { CoverageRow } from '../../../src-runtime/api/schemas/test-schemas.js';
import { coverageGroups, coverageSummary } from './coverage-groups.js';

const position = { line: 1, column: 1, offset: 0 };
const span = { file: 'm.entail', start: position, end: position };
const test = { module: 'm', name: 't' };
const row = (name: string, more: Partial<CoverageRow> = {}): CoverageRow => ({
  path: `m::${name}`,
  kind: 'rule',
  span,
  tests: [],
  missedBy: null,
  ...more,
});
const rows = [
  row('missed', { tests: [test], missedBy: test }),
  row('unmissed', { tests: [test] }),
  row('called', { kind: 'query', tests: [test] }),
  row('quiet', { kind: 'check' }),
];
const names = (...args: Parameters<typeof coverageGroups>) =>
  coverageGroups(...args).map(({ title, rows: members }) => [title, ...members.map(({ path }) => path.slice(3))]);

it('groups untested rows before those without which no test fails, and shows tested ones on request', () => {
  const lacking = [
    ['Untested', 'quiet'],
    ['Tested, but no test fails without it', 'unmissed'],
  ];
  expect(names(rows, { find: '', show: 'lacking' })).toEqual(lacking);
  expect(names(rows, { find: '', show: 'all' })).toEqual([...lacking, ['Tested', 'missed', 'called']]);
  expect(names(rows, { find: ' Check', show: 'all' })).toEqual([['Untested', 'quiet']]);
});

describe('the coverage summary', () => {
  it.each([
    ['before a run', { rows: [], total: undefined, isRunning: false }, 'not measured yet'],
    ['while tests run', { rows: [], total: undefined, isRunning: true }, 'running the tests…'],
    ['during a measurement', { rows, total: 9, isRunning: true }, '4 of 9 measured'],
    ['after a stopped measurement', { rows, total: 9, isRunning: false }, '2 of 4 tested, 5 not measured'],
    ['after a complete measurement', { rows, total: 4, isRunning: false }, '2 of 4 tested'],
  ])('shows the progress %s', (_, measured, words) => {
    expect(coverageSummary(measured)).toBe(words);
  });
});
