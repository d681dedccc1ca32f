/** Moments of a scope, as requests name them to read the past. */

import { z } from 'zod';

/** The state after a transaction, or at a time. */
export type Moment =
  | { readonly kind: 'transaction'; readonly txn: number }
  | { readonly kind: 'time'; readonly ms: number };

export const momentSchema = z.string().refine((text) => momentIn(text) !== undefined, {
  error: 'must be the number of a transaction, or an ISO time such as 2026-01-31T09:00:00Z',
});

/** Undefined if the text names no moment. */
export function momentIn(text: string): Moment | undefined {
  if (/^[0-9]{1,15}$/.test(text)) return { kind: 'transaction', txn: Number(text) };
  return timeSchema.safeParse(text).success ? { kind: 'time', ms: Date.parse(text) } : undefined;
}

/** A date is its first instant in UTC. */
export const timeSchema = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);
