/** Is it up, can it write, what is it: the probes, and `GET /v1/health`. */

import { z } from 'zod';
import { ApiError } from '../../api/errors.js';
import { healthSchema } from '../../api/health-schemas.js';
import { successSchema } from '../../api/schemas.js';
import { StorageError } from '../../storage/event-store.js';
import { type App, frame, type ServerContext } from '../server-context.js';

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
    { schema: { summary: 'Can it read and write', response: { 200: readinessSchema } } },
    async (request) => {
      await probe(context);
      return { result: { status: 'ready' as const }, ...frame(context, request) };
    },
  );

  app.get(
    '/v1/health',
    { schema: { summary: 'State, limits and capabilities', response: { 200: successSchema(healthSchema) } } },
    async (request) => {
      await probe(context);
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

async function probe({ runtime }: ServerContext): Promise<void> {
  try {
    await runtime.probeStorage();
  } catch (cause) {
    if (!(cause instanceof StorageError)) throw cause;
    throw new ApiError(
      'SVC_RUNTIME_STORAGE_UNREACHABLE',
      cause.why === undefined
        ? 'The storage cannot be reached; bring the data directory back and make it writable.'
        : `The storage cannot be written: ${cause.why}.`,
      {},
      { cause },
    );
  }
}
