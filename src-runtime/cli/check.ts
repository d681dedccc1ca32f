/** `entail check`: every finding in the sources, for people or for tools. */

import { hasErrors } from '../base/diagnostic.js';
import { compileToBytes } from '../server/index.js';
import { readSources } from './files.js';
import { formatDiagnostics } from './print-diagnostics.js';
import type { Terminal } from './terminal.js';

/** Returns 1 if there are errors. Warnings do not change the exit code. */
export async function checkCommand(
  files: readonly string[],
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const sources = await readSources(files, terminal);
  const { diagnostics } = compileToBytes(sources);
  if (options.json === true) terminal.out(`${JSON.stringify({ diagnostics }, null, 2)}\n`);
  else terminal.error(formatDiagnostics(diagnostics, sources, terminal.colour));
  return hasErrors(diagnostics) ? 1 : 0;
}
