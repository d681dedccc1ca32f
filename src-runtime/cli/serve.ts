/** `entail serve`: runs a runtime and the workbench page until it is stopped. */

import { basename, resolve } from 'node:path';
import pino from 'pino';
import { REPRO_EXTENSION } from '../api/repro-bundle.js';
import {
  bufferLines,
  isLoopback,
  ModuleLoadError,
  type NextProject,
  type ProjectHost,
  projectOptions,
  type RunningRuntime,
  startRuntime,
} from '../server/index.js';
import { formatDiagnostics } from './print-diagnostics.js';
import type { ServeOptions } from './serve-options.js';
import type { StopReason } from './stop-signals.js';
import { CommandFailure, type Installation, type Terminal, WrongUsage } from './terminal.js';

export async function serveCommand(
  files: readonly string[],
  options: ServeOptions,
  installation: Installation,
  terminal: Terminal,
  onReady: Serving['onReady'] = ({ url, token, pid, moduleHash, facts }) => {
    const data = facts ?? (options.store === undefined ? 'memory' : 'postgres');
    terminal.out(`${JSON.stringify({ event: 'ready', url, token, pid, moduleHash, data })}\n`);
  },
): Promise<number> {
  checkHost(options);
  checkBundle(files, options);
  const common = commonOptions(options, installation, terminal);
  try {
    await serveInTurn(firstProject(files, options), {
      start: async (project, projects, address) =>
        startRuntime({
          ...common,
          ...(address === undefined ? { watch: options.watch ?? false } : { ...address, ...FROM_PAGE }),
          ...(await projectOptions(project)),
          ...(options.store === undefined
            ? {
                projects: {
                  ...projects,
                  home: options.projects === undefined ? undefined : resolve(options.projects),
                  opensPaths: options.allowRemote !== true,
                },
              }
            : sharedOptions(options.store, options)),
        }),
      stopped: terminal.stopRequested(),
      drainMs: options.drainSeconds * 1_000,
      onReady,
    });
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

/** Other servers have the database too, so the page cannot close the project and open another. */
function sharedOptions(url: string, { storeConnections, deploy, readConsistency }: ServeOptions) {
  const data = { kind: 'postgres', url, poolSize: storeConnections } as const;
  return { data, readConsistency, ...(deploy !== undefined && { deploy }) };
}

/** The page shows errors in the files of a project that it opens. */
const FROM_PAGE = { watch: true, onLoadFailure: 'serve' } as const;

function commonOptions(options: ServeOptions, installation: Installation, terminal: Terminal) {
  return {
    host: options.host,
    port: options.port,
    ...(options.token !== undefined && { token: options.token }),
    grant: options.grant,
    furtherTokens: options.tokenWith,
    onRefused: ({ diagnostics, sources }: ModuleLoadError) => {
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
    ...(options.memoryLimit !== undefined && { memoryLimit: options.memoryLimit }),
    logRequests: options.logRequests,
    acceptSchemaChange: terminal.environment['SVC_ACCEPT_SCHEMA_CHANGE'] === '1',
    ...(installation.page !== undefined && { page: installation.page }),
    version: installation.version,
    log: pino({ level: options.logLevel, base: null }, bufferLines(terminal.error)),
  };
}

interface Serving {
  start(
    project: NextProject,
    host: Pick<ProjectHost, 'current' | 'failure' | 'open'>,
    /** Undefined for the first project. */
    address: { readonly port: number; readonly token: string } | undefined,
  ): Promise<RunningRuntime>;
  readonly stopped: Promise<StopReason>;
  readonly drainMs: number;
  onReady(running: RunningRuntime): void;
}

/** Serves a project until a stop signal, or until a request opens another one at the same address. */
async function serveInTurn(first: NextProject, { start, stopped, drainMs, onReady }: Serving): Promise<void> {
  let requested: Promise<NextProject | StopReason> = stopped;
  let address: Parameters<Serving['start']>[2];
  const startWith = (project: NextProject, failure?: string): Promise<RunningRuntime> => {
    let open: (next: NextProject) => void = () => undefined;
    requested = Promise.race([
      stopped,
      new Promise<NextProject>((resolve) => {
        open = resolve;
      }),
    ]);
    return start(project, { current: project, failure, open }, address);
  };
  let current = first;
  let running = await startWith(first);
  onReady(running);
  address = { port: Number(new URL(running.url).port), token: running.token };
  for (;;) {
    const next = await requested;
    if (next === 'SIGTERM') return running.drain(drainMs);
    await running.close();
    if (typeof next === 'string') return;
    try {
      running = await startWith(next);
      current = next;
    } catch (error) {
      running = await startWith(current, error instanceof Error ? error.message : String(error));
    }
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

function checkBundle(files: readonly string[], { data }: ServeOptions): void {
  const bundle = files.find((file) => file.endsWith(REPRO_EXTENSION));
  if (bundle === undefined) return;
  if (files.length > 1) {
    throw new WrongUsage(`${basename(bundle)} is a repro bundle and cannot be combined with other files.`);
  }
  if (data === undefined) return;
  throw new WrongUsage(`${basename(bundle)} is a repro bundle, which is served in memory. Remove --data.`);
}

/** Without files and options, facts are in the current folder. */
function firstProject(files: readonly string[], { data, memory, store }: ServeOptions): NextProject {
  if (store !== undefined) return { ...(files.length > 0 && { paths: files }), facts: 'memory' };
  const folder = data ?? (files.length === 0 ? '.entail' : undefined);
  const facts = memory === true ? 'memory' : folder === undefined ? undefined : resolve(folder);
  return { ...(files.length > 0 && { paths: files }), facts };
}
