/** The summary of a test run does not claim more than was run. */

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
    ['of nothing', runsOf({}), undefined],
    ['of all that pass', runsOf({ a: true, b: true, c: true }), { tone: 'good', words: '3 of 3 tests pass' }],
    ['of one that fails', runsOf({ a: true, b: false, c: true }), { tone: 'failed', words: '1 of 3 tests fail' }],
    ['of some', runsOf({ a: true }), { tone: 'pending', words: '1 of 3 tests pass, 2 not run' }],
    [
      'of a run',
      runsOf({}, { running: 'm/a', waiting: new Set(['m/b']) }),
      { tone: 'pending', words: 'running tests, 2 left' },
    ],
    [
      'without tests that are gone',
      runsOf({ a: true, b: true, c: true, gone: false }),
      { tone: 'good', words: '3 of 3 tests pass' },
    ],
  ])('%s', (_, runs, summary) => {
    expect(summaryOf(tests, 'now', runs)).toEqual(summary);
  });

  it('says that the module was loaded again since', () => {
    const summary = summaryOf(tests, 'later', runsOf({ a: true, b: true, c: true }));
    expect(summary).toEqual({ tone: 'pending', words: '3 of 3 tests pass, before the last reload' });
  });

  it('of one test is in the singular', () => {
    expect(summaryOf([test('a')], 'now', runsOf({ a: true }))?.words).toBe('1 of 1 test passes');
    expect(summaryOf([test('a')], 'now', runsOf({ a: false }))?.words).toBe('1 of 1 test fails');
  });
});

describe('what a run has turned', () => {
  const result = (name: string, passed: boolean) => ({ module: 'm', name, passed, ms: 1 });
  const again = (before: TestRuns, ...results: ReturnType<typeof result>[]): TestRuns => ({
    ...before,
    results: { ...before.results, ...Object.fromEntries(results.map((each) => storedTestResult(each, 'now', before))) },
  });

  it('is told of each test and all in all, until it runs once more', () => {
    const first = again(NOTHING_RUN, result('a', true), result('b', false), result('c', false));
    expect(Object.values(first.results).map(turnOf)).toEqual([undefined, undefined, undefined]);
    const second = again(first, result('a', false), result('b', true), result('c', false));
    expect(Object.values(second.results).map(turnOf)).toEqual(['newly failed', 'fixed', undefined]);
    expect(summaryOf(tests, 'now', second)?.words).toBe('2 of 3 tests fail, 1 newly, 1 fixed');
    const third = again(second, result('a', false), result('b', true));
    expect(summaryOf(tests, 'now', third)?.words).toBe('2 of 3 tests fail');
  });
});

it('a test that runs again is running, whatever it came to before', () => {
  const runs = runsOf({ a: false, b: true }, { running: 'm/a', waiting: new Set(['m/c']) });
  expect(['a', 'b', 'c', 'd'].map((name) => verdictOf(`m/${name}`, runs))).toEqual([
    'running',
    'passed',
    'waiting',
    'not run',
  ]);
});

describe('beside a test in its text', () => {
  const tell = (runs: TestRuns, { loadedAt = 'now', isServed = true } = {}) =>
    testStatus('m/a', runs, { loadedAt, isServed });

  it.each([
    ['that has not run', runsOf({}), 'not run', 'not run yet'],
    ['that passed', runsOf({ a: true }), 'passed', 'passed, 1.0 ms'],
    ['that failed', runsOf({ a: false }), 'failed', 'failed, 1.0 ms'],
    ['that runs', runsOf({ a: false }, { running: 'm/a' }), 'running', 'running'],
    ['that is to run', runsOf({ a: true }, { waiting: new Set(['m/a']) }), 'waiting', 'waiting to run'],
  ])('stands how one went %s', (_, runs, verdict, words) => {
    expect(tell(runs)).toEqual({ verdict, words, failure: undefined });
  });

  it.each([
    ['typed since', { isServed: false }],
    ['loaded since', { loadedAt: 'later' }],
  ])('a text that was %s has no verdict but what it was before', (_, current) => {
    const failed = tell(runsOf({ a: false }), current);
    expect(failed).toEqual({
      verdict: 'not run',
      words: 'not run since the text changed, failed before',
      failure: undefined,
    });
    expect(tell(runsOf({ a: true }), current).words).toBe('not run since the text changed, passed before');
    expect(tell(runsOf({ a: true }, { running: 'm/a' }), current).verdict).toBe('running');
  });
});

it.each([
  [0.42, '0.4 ms'],
  [340.4, '340 ms'],
  [4100, '4.1 s'],
])('%d ms is %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
