/** `entail build` and `entail deploy`: sources to an artifact, as a file or on a running server. */

import { readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { reasonOf } from '../project/file-failures.js';
import { compileToBytes } from '../server/index.js';
import { rename } from '../storage/rename.js';
import { type ConnectionOptions, withServer } from './connect.js';
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
  const bytes = await compiled(files, terminal);
  if (bytes === undefined) return 1;
  if (output === STDOUT) terminal.out(new TextDecoder().decode(bytes));
  else await writeWhole(resolve(output), bytes);
  return 0;
}

/** Publishes a module to a running server, and so to all that share its database. Prints one line of JSON. */
export async function deployCommand(
  url: string,
  files: readonly string[],
  options: ConnectionOptions,
  terminal: Terminal,
): Promise<number> {
  const bytes = await artifactOf(files, terminal);
  if (bytes === undefined) return 1;
  return withServer(url, options, terminal, async (client) => {
    const { result } = await client.putModule(new TextDecoder().decode(bytes));
    terminal.out(`${JSON.stringify({ event: 'deployed', moduleHash: result.moduleHash })}\n`);
    return 0;
  });
}

/** One artifact as it is, or sources compiled. */
async function artifactOf(files: readonly string[], terminal: Terminal): Promise<Uint8Array | undefined> {
  const [first = ''] = files;
  if (files.length === 1 && first.endsWith(`${EXTENSION}.json`)) {
    return readFile(first).catch((cause: unknown) => {
      throw new CommandFailure(`Cannot read ${first}: ${reasonOf(cause)}`, { cause });
    });
  }
  return compiled(files, terminal);
}

/** Undefined if there are errors, which are printed. */
async function compiled(files: readonly string[], terminal: Terminal): Promise<Uint8Array | undefined> {
  const sources = await readSources(files, terminal);
  const { bytes, diagnostics } = compileToBytes(sources);
  if (diagnostics.length > 0) terminal.error(formatDiagnostics(diagnostics, sources, terminal.colour));
  return bytes;
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
