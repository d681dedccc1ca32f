/** The server on the wire: health, limits, capabilities, and the registry of errors. */

import { z } from 'zod';
import { CAPABILITIES } from '../capabilities.js';

export const limitsSchema = z.object({
  bodyBytes: z.number().int(),
  rows: z.number().int(),
  timeoutMs: z.number().int(),
  batchSteps: z.number().int(),
  explainNodes: z.number().int(),
  factsPerRule: z.number().int(),
});
export type Limits = z.infer<typeof limitsSchema>;

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
      loadedAt: z.string().nullable().describe('Null without a module; changes with every reload.'),
    }),
    storage: z.string(),
    warnings: z
      .array(z.object({ subject: z.enum(['module', 'storage']), message: z.string() }))
      .describe('Warnings for an operator: files that were not loaded, and what the store found on disk.'),
    uptimeMs: z.number(),
    limits: limitsSchema,
    capabilities: z.array(z.enum(CAPABILITIES)).describe("The capabilities of the request's token."),
    adhoc: z.boolean(),
    logRequests: z.number().int().describe('How many requests the log keeps; 0 if it is off.'),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof healthSchema>;

export const errorRowSchema = z
  .object({ code: z.string(), status: z.number().int(), condition: z.string(), remedy: z.string() })
  .meta({ id: 'ErrorRow' });
export type ErrorRowBody = z.infer<typeof errorRowSchema>;
