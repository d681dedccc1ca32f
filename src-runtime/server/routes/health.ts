/** Is it up, is it ready, what is it: the probes, and `GET /v1/health`. */

import { setTimeout as passed } from 'node:timers/promises';
import { z } from 'zod';
import { ApiError } from '../../api/errors.js';
import { healthSchema } from '../../api/schemas/health-schemas.js';
import { successSchema } from '../../api/schemas/schemas.js';
import { StorageError } from '../../storage/event-store.js';
import type { Runtime } from '../../world/contract/runtime.js';
import { type App, frame, type ServerContext } from './server-context.js';

const livenessSchema = successSchema(z.object({ status: z.literal('ok') }));
const readinessSchema = successSchema(z.object({ status: z.literal('ready') }));

export function registerHealth(app: App, context: ServerContext): void {
  const { runtime, settings } = context;

  app.get(
    '/healthz',
    { schema: { summary: 'Is the process up', response: { 200: livenessSchema } } },
    async (request) => ({ result: { status: 'ok' as const }, ...frame(context, request) }),
  );

  app.get(
    '/readyz',
    {
      schema: {
        summary: 'Is the next request served, and the next write kept',
        description:
          'Writes, syncs and renames a file in the data directory, and waits half a second for scopes whose history is being read. Those are up to 16 scopes with the longest histories; the scope of another tenant is opened by its first request. Without a module, ready means that the storage is.',
        response: { 200: readinessSchema },
      },
    },
    async (request) => {
      await requireWritable(runtime);
      await requireOpenScopes(runtime);
      return { result: { status: 'ready' as const }, ...frame(context, request) };
    },
  );

  app.get(
    '/v1/health',
    { schema: { summary: 'State, limits and capabilities', response: { 200: successSchema(healthSchema) } } },
    async (request) => {
      await requireWritable(runtime);
      const { loaded, modules, moduleHash, schemaHash, loadedAt, lastFailure } = runtime.module();
      return {
        result: {
          status: 'ok' as const,
          version: settings.version,
          module: { loaded, modules: modules.map(({ name }) => name), moduleHash, schemaHash, loadedAt },
          storage: runtime.storageKind,
          warnings: [
            ...(lastFailure === null ? [] : [{ subject: 'module' as const, message: lastFailure.message }]),
            ...runtime.storageWarnings.map((message) => ({ subject: 'storage' as const, message })),
          ],
          uptimeMs: Math.round(performance.now() - context.startedAtMs),
          limits: settings.limits,
          capabilities: [...request.carried],
          adhoc: settings.adhoc,
          logRequests: settings.logRequests,
        },
        ...frame(context, request),
      };
    },
  );
}

/**
 * How long a probe waits for scopes that are being opened. Scopes with short histories open in a moment, and most probes allow
 * about a second.
 */
const OPENING_WAIT_MS = 500;

type ProbedRuntime = Pick<Runtime, 'probeStorage' | 'openScopes'>;

/** Throws STORAGE_UNREACHABLE. */
async function requireWritable({ probeStorage }: ProbedRuntime): Promise<void> {
  try {
    await probeStorage();
  } catch (cause) {
    if (!(cause instanceof StorageError)) throw cause;
    throw unreachable(
      cause.why === undefined
        ? 'The storage cannot be reached; bring the data directory back and make it writable.'
        : `The storage cannot be written: ${cause.why}.`,
      {},
      cause,
    );
  }
}

/** Throws STORAGE_UNREACHABLE while histories are being read, and where no request can be served. */
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
  throw unreachable('The history of the stored facts is still being read; ask again in a moment.', {
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
