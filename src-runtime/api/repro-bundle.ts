/**
 * A repro bundle: one request with its response and everything that it depended on, as one JSON file. The workbench writes and shows it;
 * `entail serve` restores the module and the facts before the request.
 */

import { z } from 'zod';
import { explanationSchema } from './schemas/explanation-schemas.js';
import { requestDetailSchema } from './schemas/request-log.js';
import { eventSchema, type JsonValue, type WireEvent } from './schemas/schemas.js';

export const REPRO_FORMAT = 'entail-repro';
export const REPRO_FORMAT_VERSION = 1;

/** The extension of a bundle's file. */
export const REPRO_EXTENSION = '.repro.json';

/** Validated, because viewers format these times. */
const instantSchema = z.iso.datetime();

const reproBundleSchema = z.object({
  format: z.literal(REPRO_FORMAT),
  formatVersion: z.literal(REPRO_FORMAT_VERSION),
  savedAt: instantSchema,
  /** Of the server that responded. */
  version: z.string(),
  /** The artifact that was loaded when the bundle was saved. The request names the one that it ran under. */
  artifact: z.looseObject({ integrity: z.string(), schemaHash: z.string() }),
  scope: z.object({
    tenant: z.string().nullable().describe('Null if the request named none.'),
    fork: z.object({
      id: z.string(),
      baseSeq: z.number().int(),
      status: z.enum(['open', 'promoted', 'aborted']),
      createdAt: instantSchema,
      closedAt: instantSchema.optional(),
    }),
    /** The events that the fork had before the request, from the first on. */
    events: z.array(eventSchema.extend({ at: instantSchema })),
  }),
  request: requestDetailSchema.extend({ at: instantSchema }),
  /** A proof for the response: of the explanation, or else of its violations. */
  proof: z
    .object({
      asOf: z.enum(['request', 'saving']).describe('With the facts and rules before the request, or with later ones.'),
      explanations: z.array(explanationSchema),
      names: z
        .record(z.string(), z.string())
        .optional()
        .describe('Labels, by id, of individuals that were rolled back.'),
    })
    .optional(),
});
export type ReproBundle = z.infer<typeof reproBundleSchema>;

/** Returns the bundle, or why the text is not one. Never throws. */
export function readReproBundle(text: string): { readonly bundle: ReproBundle } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return { problem: `not JSON: ${error instanceof Error ? error.message : String(error)}.` };
  }
  const header = z.object({ format: z.string(), formatVersion: z.number() }).safeParse(value);
  if (!header.success || header.data.format !== REPRO_FORMAT) return { problem: 'not a repro bundle.' };
  if (header.data.formatVersion !== REPRO_FORMAT_VERSION) {
    return {
      problem: `format version ${header.data.formatVersion}; this Entail reads version ${REPRO_FORMAT_VERSION}.`,
    };
  }
  const parsed = reproBundleSchema.safeParse(value);
  if (parsed.success) return { bundle: parsed.data };
  const issue = parsed.error.issues[0];
  return { problem: `${issue?.path.join('.') || 'the document'}: ${issue?.message ?? 'not valid'}.` };
}

interface AnsweredRequest {
  readonly at: string;
  readonly status: number;
  readonly answer: { readonly text: string; readonly cut: boolean } | null;
}

/**
 * The events before a request. For a write its own events mark the end, otherwise the time does, so a write in the same millisecond counts
 * as earlier.
 */
export function eventsBefore(events: readonly WireEvent[], request: AnsweredRequest): WireEvent[] {
  const own = firstOwnSeq(request);
  if (own !== undefined) return events.filter(({ seq }) => seq < own);
  return events.filter(({ at }) => at <= request.at);
}

/** Whether only the request itself has written since. */
export function isAsItLeft(events: readonly WireEvent[], request: AnsweredRequest): boolean {
  const before = eventsBefore(events, request).length;
  const own = firstOwnSeq(request);
  const after = events.slice(before);
  const ownTxn = after.find(({ seq }) => seq === own)?.txn;
  return after.every(({ txn }) => txn === ownTxn);
}

function firstOwnSeq({ status, answer }: AnsweredRequest): number | undefined {
  if (status >= 400 || answer === null || answer.cut) return undefined;
  const body = parsed(answer.text) as { readonly events?: unknown; readonly result?: unknown } | undefined;
  const lists = [body?.events, ...(Array.isArray(body?.result) ? body.result.map(eventsOf) : [])];
  const seqs = lists.flatMap((list) => (Array.isArray(list) ? list : [])).map(seqOf);
  const known = seqs.filter((seq) => seq !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** A step of a batch has its own events. */
function eventsOf(step: unknown): unknown {
  return typeof step === 'object' && step !== null && 'events' in step ? step.events : undefined;
}

function seqOf(event: unknown): number | undefined {
  const isEvent = typeof event === 'object' && event !== null && 'seq' in event && 'txn' in event;
  return isEvent && typeof event.seq === 'number' ? event.seq : undefined;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
