/** Is it up, is it ready, what is it: the probes, and `GET /v1/health`. */

import { z } from 'zod';
import { healthSchema } from '../../api/schemas/health-schemas.js';
import { successSchema } from '../../api/schemas/schemas.js';
import { requireOpenScopes, requireWritable } from '../http/readiness.js';
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
