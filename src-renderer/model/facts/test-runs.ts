/** Known test results, and their short summary. */

import type { ModuleTestInfo, TestResult } from '../../../src-runtime/api/schemas/test-schemas.js';

/** A result and the module load it belongs to. */
export interface StoredTestResult extends TestResult {
  readonly loadedAt: string;
  /** The result of the previous run, or undefined if none exists. */
  readonly passedBefore?: boolean | undefined;
}

export interface TestRuns {
  /** The key of the running test. */
  readonly running: string | undefined;
  /** The keys of the queued tests. */
  readonly waiting: ReadonlySet<string>;
  readonly results: Readonly<Record<string, StoredTestResult>>;
  /** Why the last run ended early; undefined if it did not. */
  readonly failure: unknown;
}

export const NOTHING_RUN: TestRuns = { running: undefined, waiting: new Set(), results: {}, failure: undefined };

/** Names are unique per module. */
export function testKey({ module, name }: Pick<ModuleTestInfo, 'module' | 'name'>): string {
  return `${module}/${name}`;
}

export type TestVerdict = 'passed' | 'failed' | 'running' | 'waiting' | 'not run';

export function verdictOf(key: string, { running, waiting, results }: TestRuns): TestVerdict {
  if (running === key) return 'running';
  if (waiting.has(key)) return 'waiting';
  const result = results[key];
  if (result === undefined) return 'not run';
  return result.passed ? 'passed' : 'failed';
}

/** The mark next to a test in the source. */
export interface TestStatus {
  readonly verdict: TestVerdict;
  readonly words: string;
  /** The failed line, if the source is unchanged since the run. */
  readonly failure: TestResult['failure'];
}

export const NOT_RUN: TestStatus = { verdict: 'not run', words: 'not run yet', failure: undefined };

/** Whether the source equals the loaded module, and when that was loaded. */
interface TextRead {
  readonly isServed: boolean;
  readonly loadedAt: string | undefined;
}

/** A result is valid only for the source that was run. */
export function testStatus(key: string, runs: TestRuns, { isServed, loadedAt }: TextRead): TestStatus {
  const verdict = verdictOf(key, runs);
  const result = runs.results[key];
  if (verdict === 'running') return { verdict, words: 'running', failure: undefined };
  if (verdict === 'waiting') return { verdict, words: 'waiting to run', failure: undefined };
  if (result === undefined) return NOT_RUN;
  if (!isServed || result.loadedAt !== loadedAt)
    return { verdict: 'not run', words: `not run since the text changed, ${verdict} before`, failure: undefined };
  return { verdict, words: `${verdict}, ${durationText(result.ms)}`, failure: result.failure };
}

/** The result of a run combined with that of the previous run. */
export function storedTestResult(
  result: TestResult,
  loadedAt: string,
  { results }: Pick<TestRuns, 'results'>,
): readonly [string, StoredTestResult] {
  const key = testKey(result);
  return [key, { ...result, loadedAt, passedBefore: results[key]?.passed }];
}

/** Tests that passed before and fail now. */
export function turnOf(result: StoredTestResult | undefined): 'newly failed' | 'fixed' | undefined {
  if (result?.passedBefore === undefined || result.passedBefore === result.passed) return undefined;
  return result.passed ? 'fixed' : 'newly failed';
}

export interface TestSummary {
  readonly tone: 'good' | 'failed' | 'pending';
  readonly words: string;
}

/** Summary of all tests; undefined if none was run. */
export function summaryOf(tests: readonly ModuleTestInfo[], loadedAt: string, runs: TestRuns): TestSummary | undefined {
  const total = tests.length;
  if (runs.running !== undefined) {
    const left = runs.waiting.size + 1;
    return { tone: 'pending', words: left === 1 ? 'running the last test' : `running tests, ${left} left` };
  }
  const results = tests.flatMap((test) => runs.results[testKey(test)] ?? []);
  if (results.length === 0) return undefined;
  const passed = results.filter((result) => result.passed).length;
  const failed = results.length - passed;
  const notRun = total - results.length;
  const stale = results.some((result) => result.loadedAt !== loadedAt) ? ', before the last reload' : '';
  const newly = results.filter((result) => turnOf(result) === 'newly failed').length;
  const fixed = results.filter((result) => turnOf(result) === 'fixed').length;
  const turned = `${newly > 0 ? `, ${newly} newly` : ''}${fixed > 0 ? `, ${fixed} fixed` : ''}`;
  const rest = `${notRun > 0 ? `, ${notRun} not run` : ''}${stale}`;
  if (failed > 0)
    return {
      tone: 'failed',
      words: `${failed} of ${total} ${failed === 1 && total === 1 ? 'test fails' : 'tests fail'}${turned}${rest}`,
    };
  return {
    tone: rest === '' ? 'good' : 'pending',
    words: `${passed} of ${total} ${total === 1 ? 'test passes' : 'tests pass'}${turned}${rest}`,
  };
}

/** `1.2 ms`, `340 ms`, `4.1 s`. */
export function durationText(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return ms >= 100 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}
