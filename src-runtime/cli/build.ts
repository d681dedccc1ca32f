/** `entail build`: sources to an artifact file. */

import { rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { reasonOf } from '../project/file-failures.js';
import { compileToBytes } from '../server/index.js';
import { rename } from '../storage/rename.js';
import { EXTENSION, readSources } from './files.js';
import { formatDiagnostics } from './print-diagnostics.js';
import { CommandFailure, type Terminal, WrongUsage } from './terminal.js';

/** Means standard output, as in other shell tools. */
const STDOUT = '-';

/** Writes nothing if there are errors. */
export async function buildCommand(
  files: readonly string[],
  { output }: { readonly output: string },
  terminal: Terminal,
): Promise<number> {
  refuseSourceName(output);
  const sources = await readSources(files, terminal);
  const { bytes, diagnostics } = compileToBytes(sources);
  if (diagnostics.length > 0) terminal.error(formatDiagnostics(diagnostics, sources, terminal.colour));
  if (bytes === undefined) return 1;
  if (output === STDOUT) terminal.out(new TextDecoder().decode(bytes));
  else await writeWhole(resolve(output), bytes);
  return 0;
}

/** An artifact with this name would overwrite a source. */
function refuseSourceName(output: string): void {
  if (!output.endsWith(EXTENSION)) return;
  throw new WrongUsage(`${output} has the extension of module sources. Name the artifact ${output}.json.`);
}

/** Writes to a temporary file and renames it, so an interrupted build leaves the old artifact. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, bytes);
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw new CommandFailure(`Cannot write ${path}: ${writeFailure(cause)}`, { cause });
  }
}

/** The reason, with what to do for the errors that only happen on writing. */
function writeFailure(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EISDIR') return 'it is a folder. Name a file in it, such as module.entail.json.';
  return code === 'ENOENT' ? 'its folder does not exist.' : reasonOf(cause);
}
