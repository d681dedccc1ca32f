/** The status of tests, and the summary of a test run. */

import { describe, expect, it } from 'vitest';
import {
  durationText,
  NOTHING_RUN,
  type StoredTestResult,
  storedTestResult,
  summaryOf,
  type TestRuns,
  testStatus,
  turnOf,
  verdictOf,
} from './test-runs.js';

const position = { line: 1, column: 1, offset: 0 };
const test = (name: string) => ({ module: 'm', name, span: { file: 'm.entail', start: position, end: position } });
const tests = ['a', 'b', 'c'].map(test);

const runsOf = (results: Record<string, boolean>, more: Partial<TestRuns> = {}): TestRuns => ({
  ...NOTHING_RUN,
  results: Object.fromEntries(
    Object.entries(results).map(([name, passed]): [string, StoredTestResult] => [
      `m/${name}`,
      { module: 'm', name, passed, ms: 1, loadedAt: 'now' },
    ]),
  ),
  ...more,
});

describe('the summary', () => {
  it.each([
    ['is undefined if no test has run', runsOf({}), undefined],
    [
      'reports that all tests pass',
      runsOf({ a: true, b: true, c: true }),
      { tone: 'good', words: '3 of 3 tests pass' },
    ],
    ['reports a failed test', runsOf({ a: true, b: false, c: true }), { tone: 'failed', words: '1 of 3 tests fail' }],
    ['counts tests that have not run', runsOf({ a: true }), { tone: 'pending', words: '1 of 3 tests pass, 2 not run' }],
    [
      'counts the remaining tests during a run',
      runsOf({}, { running: 'm/a', waiting: new Set(['m/b']) }),
      { tone: 'pending', words: 'running tests, 2 left' },
    ],
    [
      'ignores removed tests',
      runsOf({ a: true, b: true, c: true, gone: false }),
      { tone: 'good', words: '3 of 3 tests pass' },
    ],
  ])('%s', (_, runs, summary) => {
    expect(summaryOf(tests, 'now', runs)).toEqual(summary);
  });

  it('mentions a later reload of the module', () => {
    const summary = summaryOf(tests, 'later', runsOf({ a: true, b: true, c: true }));
    expect(summary).toEqual({ tone: 'pending', words: '3 of 3 tests pass, before the last reload' });
  });

  it('uses the singular for one test', () => {
    expect(summaryOf([test('a')], 'now', runsOf({ a: true }))?.words).toBe('1 of 1 test passes');
    expect(summaryOf([test('a')], 'now', runsOf({ a: false }))?.words).toBe('1 of 1 test fails');
  });
});

describe('a changed test result', () => {
  const result = (name: string, passed: boolean) => ({ module: 'm', name, passed, ms: 1 });
  const rerun = (before: TestRuns, ...results: ReturnType<typeof result>[]): TestRuns => ({
    ...before,
    results: { ...before.results, ...Object.fromEntries(results.map((each) => storedTestResult(each, 'now', before))) },
  });

  it('is shown by test and in the summary until the next run', () => {
    const first = rerun(NOTHING_RUN, result('a', true), result('b', false), result('c', false));
    expect(Object.values(first.results).map(turnOf)).toEqual([undefined, undefined, undefined]);
    const second = rerun(first, result('a', false), result('b', true), result('c', false));
    expect(Object.values(second.results).map(turnOf)).toEqual(['newly failed', 'fixed', undefined]);
    expect(summaryOf(tests, 'now', second)?.words).toBe('2 of 3 tests fail, 1 newly, 1 fixed');
    const third = rerun(second, result('a', false), result('b', true));
    expect(summaryOf(tests, 'now', third)?.words).toBe('2 of 3 tests fail');
  });
});

it('shows a test as running or waiting regardless of its last result', () => {
  const runs = runsOf({ a: false, b: true }, { running: 'm/a', waiting: new Set(['m/c']) });
  expect(['a', 'b', 'c', 'd'].map((name) => verdictOf(`m/${name}`, runs))).toEqual([
    'running',
    'passed',
    'waiting',
    'not run',
  ]);
});

describe('the test status in the editor', () => {
  const statusOf = (runs: TestRuns, { loadedAt = 'now', isServed = true } = {}) =>
    testStatus('m/a', runs, { loadedAt, isServed });

  it.each([
    ['before the first run', runsOf({}), 'not run', 'not run yet'],
    ['after the test passed', runsOf({ a: true }), 'passed', 'passed, 1.0 ms'],
    ['after the test failed', runsOf({ a: false }), 'failed', 'failed, 1.0 ms'],
    ['while the test runs', runsOf({ a: false }, { running: 'm/a' }), 'running', 'running'],
    ['while the test waits', runsOf({ a: true }, { waiting: new Set(['m/a']) }), 'waiting', 'waiting to run'],
  ])('shows the verdict %s', (_, runs, verdict, words) => {
    expect(statusOf(runs)).toEqual({ verdict, words, failure: undefined });
  });

  it.each([
    ['an edit', { isServed: false }],
    ['a reload', { loadedAt: 'later' }],
  ])('shows only the previous verdict after %s', (_, current) => {
    const failed = statusOf(runsOf({ a: false }), current);
    expect(failed).toEqual({
      verdict: 'not run',
      words: 'not run since the text changed, failed before',
      failure: undefined,
    });
    expect(statusOf(runsOf({ a: true }), current).words).toBe('not run since the text changed, passed before');
    expect(statusOf(runsOf({ a: true }, { running: 'm/a' }), current).verdict).toBe('running');
  });
});

it.each([
  [0.42, '0.4 ms'],
  [340.4, '340 ms'],
  [4100, '4.1 s'],
])('formats %d ms as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
