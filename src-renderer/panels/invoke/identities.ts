/** Recent contexts, newest first, for *Act as*. */

import type { HistoryEntry } from '../../server-state/call-history.js';
import { ownValue } from '../../state/own-value.js';

export type Identity = Readonly<Record<string, string>>;

const IDENTITIES_MAX = 8;

/** Distinct contexts with a value for at least one declared field. */
export function recentIdentities(entries: readonly HistoryEntry[], fields: readonly string[]): readonly Identity[] {
  const found = new Map<string, Identity>();
  for (const { context } of entries) {
    const identity = only(context, fields);
    const key = JSON.stringify(identity);
    if (Object.keys(identity).length === 0 || found.has(key)) continue;
    found.set(key, identity);
    if (found.size === IDENTITIES_MAX) break;
  }
  return [...found.values()];
}

/** Whether the current context is this one. */
export function isWorn(identity: Identity, fields: readonly string[], current: Identity): boolean {
  return JSON.stringify(identity) === JSON.stringify(only(current, fields));
}

/** The context with these fields only. Fields that it lacks become empty. */
export function wholeContext(fields: readonly string[], context: Identity): Record<string, string> {
  return { ...Object.fromEntries(fields.map((field) => [field, ''])), ...context };
}

/** `nameOf` returns the label of a field's value. */
export function identityText(identity: Identity, nameOf: (field: string, value: string) => string): string {
  return Object.entries(identity)
    .map(([field, value]) => `${field.replace(/Id$/, '')} ${nameOf(field, value)}`)
    .join(', ');
}

function only(context: Identity, fields: readonly string[]): Identity {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = ownValue(context, field);
      return value === undefined || value === '' ? [] : [[field, value]];
    }),
  );
}
