/** Lists the tests of the loaded module, and runs some or all within the time of a request. */

import { ApiError } from '../../api/errors.js';
import type { Limits } from '../../api/schemas/health-schemas.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { ModuleTestInfo, RunTestsRequest, TestResult } from '../../api/schemas/test-schemas.js';
import type { Artifact } from '../../artifact/index.js';
import { didYouMean } from '../../base/nearest.js';
import { compile, type ModuleTest } from '../../compiler/index.js';
import { loadProgram, type Program } from '../../engine/index.js';
import type { Page, Paging } from '../contract/requests.js';
import type { Runtime, TestRun } from '../contract/runtime.js';
import type { Cursors } from '../state/cursor.js';
import { enforceRowCap } from '../wire/pages.js';
import { runModuleTest } from './module-tests.js';
import { Coverage } from './test-coverage.js';

/** The loaded module with the tests of its sources; undefined if the sources are unknown. */
interface TestSite {
  readonly program: Program;
  readonly tests: readonly ModuleTest[] | undefined;
  readonly loadedAt: string;
  readonly cursors: Cursors;
  readonly limits: Pick<Limits, 'rows' | 'factsPerRule'>;
}

/** `site` throws MODULE_NOT_LOADED. */
export function createTestOperations(
  site: () => TestSite,
  { factsPerRule }: Pick<Limits, 'factsPerRule'>,
): Pick<Runtime, 'tests' | 'runTests' | 'tryTests' | 'testCoverage'> {
  return {
    tests: (paging) => listTests(site(), paging),
    runTests: async (tests, paging, run) => runTests(site(), tests, paging, run),
    async tryTests({ artifact, tests }, wanted, run) {
      const chosen = wanted?.map((name) => requireTest(tests, name)) ?? tests;
      const results = await runInTime(loadProgram(artifact), chosen, factsPerRule, run);
      return { tests: results, isCut: results.length < chosen.length };
    },
    testCoverage: async (paging, run) => pageOfCoverage(site(), paging, run),
  };
}

/**
 * The tests in the sources of an artifact. Undefined without sources, or if compiling them gives another artifact: such tests might use
 * declarations that the module lacks.
 */
export function carriedTests({ sources, compiler, integrity }: Artifact): readonly ModuleTest[] | undefined {
  if (sources === undefined) return undefined;
  const { artifact, tests } = compile(sources, { compiler, includeSources: true });
  return artifact?.integrity === integrity ? tests : undefined;
}

/** In the order of the sources. Cursors are valid until the next reload. */
function listTests(site: TestSite, paging: Paging): ReturnType<Runtime['tests']> {
  const { tests = [], cursors, loadedAt } = site;
  const rowsMax = site.limits.rows;
  const request: JsonValue = ['tests', loadedAt];
  enforceRowCap(tests.length, { paging, cursors, request, rowsMax });
  const start = paging.page === undefined ? 0 : Number(cursors.read(request, paging.page));
  const end = start + (paging.limit ?? (paging.page === undefined ? tests.length : rowsMax));
  const result = tests
    .slice(start, end)
    .map(({ module, name, span }) => ({ module, name, span: span as ModuleTestInfo['span'] }));
  const more = end < tests.length && { nextCursor: cursors.issue(request, end) };
  return { result, available: site.tests !== undefined, loadedAt, ...more };
}

/**
 * Runs tests one after another. A page ends early if the time is up, and `nextCursor` continues there. Throws VALIDATION_FAILED for an
 * unknown test.
 */
async function runTests(
  site: TestSite,
  wanted: RunTestsRequest['tests'],
  paging: Paging,
  run: TestRun,
): Promise<Page<TestResult[]>> {
  const { program, cursors, limits, loadedAt } = site;
  const tests = wanted === undefined ? requireTests(site) : wanted.map((name) => requireTest(requireTests(site), name));
  const request: JsonValue = ['tests/run', loadedAt, tests.map(({ module, name }) => [module, name])];
  const start = paging.page === undefined ? 0 : Number(cursors.read(request, paging.page));
  const end = Math.min(tests.length, start + (paging.limit ?? limits.rows));
  const result = await runInTime(program, tests.slice(start, end), limits.factsPerRule, run);
  const next = start + result.length;
  return { result, ...(next < tests.length && { nextCursor: cursors.issue(request, next) }) };
}

/** Runs as many as there is time for, at least one. */
async function runInTime(
  program: Program,
  tests: readonly ModuleTest[],
  factsPerRule: number,
  run: TestRun,
): Promise<TestResult[]> {
  const results: TestResult[] = [];
  for (const test of tests) {
    if (results.length > 0 && !run.mayBegin()) break;
    const deadline = run.createDeadline();
    results.push(
      await runModuleTest(program, test, { clock: run.clock, factsPerRule, createDeadline: () => deadline }),
    );
  }
  return results;
}

/** Keyed by the test list of one load. */
const coverages = new WeakMap<readonly ModuleTest[], Coverage>();

/** A page ends early if the time is up, even before its first row. `nextCursor` continues there. */
async function pageOfCoverage(site: TestSite, paging: Paging, run: TestRun): ReturnType<Runtime['testCoverage']> {
  const { program, cursors, limits, loadedAt } = site;
  const tests = requireTests(site);
  const coverage = coverages.get(tests) ?? new Coverage(program, tests, limits.factsPerRule);
  coverages.set(tests, coverage);
  const request: JsonValue = ['tests/coverage', loadedAt];
  const start = paging.page === undefined ? 0 : Number(cursors.read(request, paging.page));
  const result = await coverage.rows(start, start + (paging.limit ?? limits.rows), run);
  const next = start + result.length;
  const more = next < coverage.total && { nextCursor: cursors.issue(request, next) };
  return { result: [...result], loadedAt, total: coverage.total, ...more };
}

function requireTests({ tests }: TestSite): readonly ModuleTest[] {
  if (tests !== undefined) return tests;
  throw new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    'The loaded module is an artifact without sources, and tests are part of sources; start the server with the .entail files to run them.',
    { path: '$.tests' },
  );
}

function requireTest(
  tests: readonly ModuleTest[],
  wanted: { readonly module: string; readonly name: string },
): ModuleTest {
  const found = tests.find(({ module, name }) => module === wanted.module && name === wanted.name);
  if (found !== undefined) return found;
  const names = tests.filter(({ module }) => module === wanted.module).map(({ name }) => name);
  throw new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    `The module "${wanted.module}" has no test "${wanted.name}"${didYouMean(wanted.name, names) || '; GET /v1/tests lists all tests.'}`,
    { path: '$.tests', ...wanted },
  );
}
