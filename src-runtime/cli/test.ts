/** `entail test`: runs the `test` blocks of module sources, and shows for each failure what was expected and why. */

import { hasErrors } from '../base/diagnostic.js';
import { compile } from '../compiler/index.js';
import { createPacer } from '../server/index.js';
import { runModuleTests, type TestFailure } from '../world/index.js';
import { explanationLines } from './explanation-text.js';
import { readSources } from './files.js';
import { excerptOf, formatDiagnostics, painter } from './print-diagnostics.js';
import type { Terminal } from './terminal.js';

const FACTS_PER_RULE = 20_000_000;

/** 1 where a test fails or the sources have errors. */
export async function testCommand(
  files: readonly string[],
  options: { readonly json?: boolean; readonly timeoutMs: number },
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
  const results = await runModuleTests(artifact, tests, {
    clock,
    factsPerRule: FACTS_PER_RULE,
    createPacer: () => createPacer(options.timeoutMs),
  });
  const failed = results.filter(({ passed }) => !passed).length;
  if (options.json === true) {
    terminal.out(`${JSON.stringify({ tests: results }, null, 2)}\n`);
    return failed > 0 ? 1 : 0;
  }
  const paint = painter(terminal.colourOut);
  for (const { module, name, passed, ms, failure } of results) {
    const verdict = passed ? paint('green', 'ok    ') : paint('red', 'failed');
    terminal.out(`${verdict} ${module}: ${name} ${paint('dim', `(${ms.toFixed(1)} ms)`)}\n`);
    if (failure !== undefined) terminal.out(`${formatFailure(failure, sources)}\n`);
  }
  terminal.out(`${results.length - failed} passed, ${failed} failed\n`);
  return failed > 0 ? 1 : 0;
}

function formatFailure(failure: TestFailure, sources: readonly { file: string; text: string }[]): string {
  const { span, message, values = {}, names = {}, facts = [] } = failure;
  const named = Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return [
    `  ${span.file}:${span.start.line}:${span.start.column} ${message}`,
    excerptOf(span, sources),
    ...(named.length > 0 ? [`  where ${named.join(', ')}`] : []),
    ...facts.flatMap((fact) => explanationLines(fact).map((line) => `  ${line}`)),
    ...Object.entries(names).map(([id, name]) => `  ${id} is ${name}`),
  ].join('\n');
}
