/** `entail test`: runs the `test` blocks of module sources, and explains each failure. */

import { untestedWords } from '../api/coverage-words.js';
import type { CoverageRow } from '../api/schemas/test-schemas.js';
import { hasErrors } from '../base/diagnostic.js';
import { compile } from '../compiler/index.js';
import { createDeadline } from '../server/index.js';
import { runModuleTests, type TestFailure, wholeCoverage } from '../world/index.js';
import { explanationLines } from './explanation-text.js';
import { readSources, type ShownSource } from './files.js';
import { excerptOf, formatDiagnostics, painter, placeOf } from './print-diagnostics.js';
import type { Terminal } from './terminal.js';

const FACTS_PER_RULE = 20_000_000;

/** Returns 1 if a test fails or the sources have errors. */
export async function testCommand(
  files: readonly string[],
  options: { readonly json?: boolean; readonly coverage?: boolean; readonly timeoutMs: number },
  terminal: Terminal,
): Promise<number> {
  const sources = await readSources(files, terminal);
  const { artifact, tests, diagnostics } = compile(sources);
  if (artifact === undefined || hasErrors(diagnostics)) {
    if (options.json === true) terminal.out(`${JSON.stringify({ diagnostics }, null, 2)}\n`);
    else terminal.error(formatDiagnostics(diagnostics, sources, terminal.colour));
    return 1;
  }
  const clock = { now: () => performance.now() };
  const runOptions = { clock, factsPerRule: FACTS_PER_RULE, createDeadline: () => createDeadline(options.timeoutMs) };
  const results = await runModuleTests(artifact, tests, runOptions);
  const failed = results.filter(({ passed }) => !passed).length;
  const coverage = options.coverage === true ? await wholeCoverage(artifact, tests, runOptions) : undefined;
  if (options.json === true) {
    terminal.out(`${JSON.stringify({ tests: results, ...(coverage && { coverage }) }, null, 2)}\n`);
    return failed > 0 ? 1 : 0;
  }
  const paint = painter(terminal.colourOut);
  for (const { module, name, passed, ms, failure } of results) {
    const verdict = passed ? paint('green', 'ok    ') : paint('red', 'failed');
    terminal.out(`${verdict} ${module}: ${name} ${paint('dim', `(${ms.toFixed(1)} ms)`)}\n`);
    if (failure !== undefined) terminal.out(`${formatFailure(failure, sources)}\n`);
  }
  terminal.out(`${results.length - failed} passed, ${failed} failed\n`);
  if (coverage !== undefined) terminal.out(coverageLines(coverage, sources).join(''));
  return failed > 0 ? 1 : 0;
}

/** The tested share, then each untested clause or callable. */
function coverageLines(rows: readonly CoverageRow[], sources: readonly ShownSource[]): string[] {
  const untested = rows.flatMap((row) => {
    const gap = untestedWords(row);
    return gap === undefined ? [] : [{ row, gap }];
  });
  return [
    `${rows.length - untested.length} of ${rows.length} clauses and callables are tested\n`,
    ...untested.map(({ row: { path, kind, clause, span }, gap }) => {
      const which = clause === undefined ? path : `${path}, clause ${clause + 1}`;
      return `  ${placeOf(span, sources)} ${kind} ${which}: ${gap}\n`;
    }),
  ];
}

function formatFailure(failure: TestFailure, sources: readonly ShownSource[]): string {
  const { span, message, values = {}, names = {}, facts = [] } = failure;
  const named = Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return [
    `  ${placeOf(span, sources)} ${message}`,
    excerptOf(span, sources),
    ...(named.length > 0 ? [`  where ${named.join(', ')}`] : []),
    ...facts.flatMap((fact) => explanationLines(fact).map((line) => `  ${line}`)),
    ...Object.entries(names).map(([id, name]) => `  ${id} is ${name}`),
  ].join('\n');
}
