/** `entail build`: sources to an artifact file. */

import { rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { compileToBytes, reasonOf } from '../server/index.js';
import { EXTENSION, readSources } from './files.js';
import { formatDiagnostics } from './print-diagnostics.js';
import { CommandFailure, type Terminal, WrongUsage } from './terminal.js';

/** The name that stands for it, as with other tools of a shell. */
const STDOUT = '-';

/** Writes nothing where there are errors. */
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

/** The artifact would take the place of a source, whose text would be lost. */
function refuseSourceName(output: string): void {
  if (!output.endsWith(EXTENSION)) return;
  throw new WrongUsage(`${output} ends as module sources do; name the artifact ${output}.json.`);
}

/** A build that is stopped half-way leaves the old artifact, never half of a new one. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const aside = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(aside, bytes);
    await rename(aside, path);
  } catch (cause) {
    await rm(aside, { force: true });
    throw new CommandFailure(`Cannot write ${path}: ${whyNot(cause)}`, { cause });
  }
}

/** What has another way out where a file is written than where one is read. */
function whyNot(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EISDIR') return 'it is a folder; name a file in it, such as module.entail.json.';
  return code === 'ENOENT' ? 'its folder does not exist; make it first.' : reasonOf(cause);
}
