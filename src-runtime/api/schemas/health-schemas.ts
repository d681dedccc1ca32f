/** The server on the wire: health, limits, capabilities, and the registry of errors. */

import { z } from 'zod';

const limitsSchema = z.object({
  bodyBytes: z.number().int(),
  rows: z.number().int(),
  timeoutMs: z.number().int(),
  batchSteps: z.number().int(),
  explainNodes: z.number().int(),
  factsPerRule: z.number().int(),
});
export type Limits = z.infer<typeof limitsSchema>;

export const CAPABILITIES = ['fork', 'forget', 'reload'] as const;
export type Capability = (typeof CAPABILITIES)[number];

export const healthSchema = z
  .object({
    status: z.literal('ok'),
    version: z.string(),
    module: z.object({
      loaded: z.boolean(),
      modules: z.array(z.string()),
      moduleHash: z.string(),
      schemaHash: z.string(),
      loadedAt: z.string().nullable().describe('Null while nothing is loaded; another one after every reload.'),
    }),
    storage: z.string(),
    warnings: z
      .array(z.object({ subject: z.enum(['module', 'storage']), message: z.string() }))
      .describe('What an operator should look at: files that were not loaded, and what the store found on disk.'),
    uptimeMs: z.number(),
    limits: limitsSchema,
    capabilities: z.array(z.enum(CAPABILITIES)).describe('Those that the token of the request carries.'),
    adhoc: z.boolean(),
    logRequests: z.number().int().describe('Requests that the log keeps; 0 where it is off.'),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof healthSchema>;

export const errorRowSchema = z
  .object({ code: z.string(), status: z.number().int(), condition: z.string(), remedy: z.string() })
  .meta({ id: 'ErrorRow' });
export type ErrorRowBody = z.infer<typeof errorRowSchema>;
