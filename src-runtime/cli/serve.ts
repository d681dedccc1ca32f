/** `entail serve`: runs a runtime and the workbench page until it is stopped. */

import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import pino from 'pino';
import { REPRO_EXTENSION } from '../api/repro-bundle.js';
import {
  bufferLines,
  type DataLocation,
  isLoopback,
  ModuleLoadError,
  openReproBundle,
  startRuntime,
} from '../server/index.js';
import { isFolder, resolveServed } from './files.js';
import { formatDiagnostics } from './print-diagnostics.js';
import type { ServeOptions } from './serve-options.js';
import { CommandFailure, type Terminal, WrongUsage } from './terminal.js';

/** The installed program: its version and its built page. */
export interface Installation {
  readonly version: string;
  /** Folder of the built page; undefined if it was not built. */
  readonly page: string | undefined;
}

/** The built page is next to the folder of the running bundle. */
export function findPage(bundleFolder: string): string | undefined {
  const folder = join(bundleFolder, '..', 'renderer');
  return existsSync(join(folder, 'index.html')) ? folder : undefined;
}

export async function serveCommand(
  files: readonly string[],
  options: ServeOptions,
  installation: Installation,
  terminal: Terminal,
): Promise<number> {
  checkHost(options);
  const bundleFile = bundleFileOf(files);
  const data = await dataLocation(files, options, bundleFile);
  try {
    const bundle = bundleFile === undefined ? undefined : await openReproBundle(bundleFile);
    const running = await startRuntime({
      host: options.host,
      port: options.port,
      ...(options.token !== undefined && { token: options.token }),
      grant: options.grant,
      furtherTokens: options.tokenWith,
      data,
      ...(bundle === undefined ? { files: await resolveServed(files) } : { bundle }),
      watch: options.watch ?? false,
      onRefused: ({ diagnostics, sources }) => {
        if (terminal.isAttended) terminal.error(formatDiagnostics(diagnostics, sources, terminal.colour));
      },
      limits: {
        timeoutMs: options.timeoutMs,
        rows: options.rowCap,
        bodyBytes: options.bodyLimit,
        batchSteps: options.batchSteps,
        explainNodes: options.explainNodes,
        factsPerRule: options.factBudget,
      },
      adhoc: options.adhoc,
      scopeIdBits: options.scopeIdBits,
      ...(options.scope !== undefined && { scopeId: options.scope }),
      logRequests: options.logRequests,
      acceptSchemaChange: terminal.environment['SVC_ACCEPT_SCHEMA_CHANGE'] === '1',
      ...(installation.page !== undefined && { page: installation.page }),
      version: installation.version,
      log: pino({ level: options.logLevel, base: null }, bufferLines(terminal.error)),
    });
    const stopped = terminal.stopRequested();
    const { url, token, pid, moduleHash } = running;
    const place = data.kind === 'memory' ? 'memory' : data.path;
    terminal.out(`${JSON.stringify({ event: 'ready', url, token, pid, moduleHash, data: place })}\n`);
    await stopped;
    await running.close();
    return 0;
  } catch (error) {
    if (!(error instanceof ModuleLoadError)) throw error;
    if (error.diagnostics.length === 0) {
      const remedy = 'Name module sources (.entail), or an artifact written by entail build.';
      throw new CommandFailure(`Cannot serve ${files.join(', ')}. ${error.message}. ${remedy}`, { cause: error });
    }
    terminal.error(formatDiagnostics(error.diagnostics, error.sources, terminal.colour));
    return 1;
  }
}

function checkHost({ host, allowRemote, token }: ServeOptions): void {
  if (isLoopback(host)) return;
  if (allowRemote !== true) {
    throw new WrongUsage(
      `${host} can be reached from other machines. Add --allow-remote and --token to allow that, or use --host 127.0.0.1.`,
    );
  }
  if (token === undefined) throw new WrongUsage('--allow-remote needs a token. Add --token.');
}

/** A repro bundle is served alone. */
function bundleFileOf(files: readonly string[]): string | undefined {
  const bundle = files.find((file) => file.endsWith(REPRO_EXTENSION));
  if (bundle === undefined || files.length === 1) return bundle;
  throw new WrongUsage(`${basename(bundle)} is a repro bundle and cannot be combined with other files.`);
}

/** `.entail` next to the first file, in the first folder, or in the current folder. */
async function dataLocation(
  files: readonly string[],
  { data, memory }: ServeOptions,
  bundle: string | undefined,
): Promise<DataLocation> {
  if (bundle !== undefined && data !== undefined) {
    throw new WrongUsage(`${basename(bundle)} is a repro bundle, which is served in memory. Remove --data.`);
  }
  if (memory === true || bundle !== undefined) return { kind: 'memory' };
  const [first = '.'] = files;
  const folder = (await isFolder(first)) ? resolve(first) : dirname(resolve(first));
  return { kind: 'directory', path: data === undefined ? join(folder, '.entail') : resolve(data) };
}
