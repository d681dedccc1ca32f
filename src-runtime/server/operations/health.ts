/** Probes: whether the storage can be written and the scopes are open, and the state of the server. */

import { setTimeout as passed } from 'node:timers/promises';
import { ApiError } from '../../api/errors.js';
import type { Capability, Health } from '../../api/schemas/health-schemas.js';
import { StorageError } from '../../storage/event-store.js';
import type { Runtime } from '../../world/index.js';
import type { ServerSettings } from '../options.js';
import type { ServerContext } from './call.js';

/** Throws STORAGE_UNREACHABLE. */
export async function readiness({ runtime, settings }: ServerContext): Promise<{ status: 'ready' }> {
  const { draining } = settings;
  draining?.noteProbe();
  if (draining?.hasBegun === true) {
    throw unreachable('The server is stopping; send requests to another one.', { reason: 'stopping' });
  }
  await requireWritable(runtime, settings);
  await requireOpenScopes(runtime);
  return { status: 'ready' };
}

/** Throws STORAGE_UNREACHABLE. */
export async function health(context: ServerContext, capabilities: readonly Capability[]): Promise<Health> {
  const { runtime, settings } = context;
  await requireWritable(runtime, settings);
  const { loaded, modules, moduleHash, schemaHash, loadedAt, lastFailure } = runtime.module();
  return {
    status: 'ok',
    version: settings.version,
    module: { loaded, modules: modules.map(({ name }) => name), moduleHash, schemaHash, loadedAt },
    storage: runtime.storageKind,
    warnings: [
      ...(lastFailure === null ? [] : [{ subject: 'module' as const, message: lastFailure.message }]),
      ...runtime.storageWarnings.map((message) => ({ subject: 'storage' as const, message })),
    ],
    uptimeMs: Math.round(performance.now() - context.startedAtMs),
    limits: settings.limits,
    capabilities: [...capabilities],
    adhoc: settings.adhoc,
    logRequests: settings.logRequests,
  };
}

/** How long a probe waits for scopes that are being opened. Short histories open at once, and most probes allow a second. */
const OPENING_WAIT_MS = 500;

type ProbedRuntime = Pick<Runtime, 'probeStorage' | 'openScopes'>;

/** A database that hangs would keep a probe waiting for as long as statements may take. */
const STORAGE_WAIT_MS = 5_000;

/** Throws STORAGE_UNREACHABLE. */
async function requireWritable(
  { probeStorage }: ProbedRuntime,
  { storageWaitMs = STORAGE_WAIT_MS }: Pick<ServerSettings, 'storageWaitMs'>,
): Promise<void> {
  const giveUp = new AbortController();
  try {
    const probed = probeStorage().then(() => true);
    const hasAnswered = await Promise.race([probed, passed(storageWaitMs, false, { signal: giveUp.signal })]);
    if (!hasAnswered) throw new StorageError(`The storage has not answered for ${storageWaitMs} ms`, 'unreachable');
  } catch (cause) {
    if (!(cause instanceof StorageError)) throw cause;
    throw unreachable(
      cause.why === undefined
        ? 'The storage cannot be reached; bring the data directory or the database back, and make it writable.'
        : `The storage cannot be written: ${cause.why}.`,
      {},
      cause,
    );
  } finally {
    giveUp.abort();
  }
}

/** Throws STORAGE_UNREACHABLE while histories are being read, and if no request can be served. */
async function requireOpenScopes(runtime: ProbedRuntime): Promise<void> {
  const giveUp = new AbortController();
  const opened = runtime.openScopes().then(() => true);
  try {
    const isOpen = await Promise.race([opened, passed(OPENING_WAIT_MS, false, { signal: giveUp.signal })]);
    if (isOpen) return;
  } catch (cause) {
    throw refused(cause);
  } finally {
    giveUp.abort();
  }
  throw unreachable('The history of the stored facts is still being read; try again in a moment.', {
    reason: 'opening',
  });
}

function refused(cause: unknown): ApiError {
  if (cause instanceof ApiError) {
    return unreachable(`No request can be served: ${cause.message}`, { reason: 'refused', code: cause.code }, cause);
  }
  return unreachable('The history of the stored facts cannot be read; the log says why.', { reason: 'failed' }, cause);
}

function unreachable(message: string, details: Readonly<Record<string, unknown>>, cause?: unknown): ApiError {
  return new ApiError('SVC_RUNTIME_STORAGE_UNREACHABLE', message, details, { cause });
}
