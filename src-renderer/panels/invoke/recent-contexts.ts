/** Recent contexts, newest first, for *Act as*. */

import type { HistoryEntry } from '../../server-state/call-history.js';
import { ownValue } from '../../state/own-value.js';

export type RecentContext = Readonly<Record<string, string>>;

const RECENT_MAX = 8;

/** Distinct contexts with a value for at least one declared field. */
export function recentContexts(entries: readonly HistoryEntry[], fields: readonly string[]): readonly RecentContext[] {
  const found = new Map<string, RecentContext>();
  for (const { context } of entries) {
    const recent = only(context, fields);
    const key = JSON.stringify(recent);
    if (Object.keys(recent).length === 0 || found.has(key)) continue;
    found.set(key, recent);
    if (found.size === RECENT_MAX) break;
  }
  return [...found.values()];
}

/** Whether the current context is this one. */
export function isCurrent(recent: RecentContext, fields: readonly string[], current: RecentContext): boolean {
  return JSON.stringify(recent) === JSON.stringify(only(current, fields));
}

/** The context with these fields only. Fields that it lacks become empty. */
export function fullContext(fields: readonly string[], context: RecentContext): Record<string, string> {
  return { ...Object.fromEntries(fields.map((field) => [field, ''])), ...context };
}

/** `nameOf` returns the label of a field's value. */
export function contextText(recent: RecentContext, nameOf: (field: string, value: string) => string): string {
  return Object.entries(recent)
    .map(([field, value]) => `${field.replace(/Id$/, '')} ${nameOf(field, value)}`)
    .join(', ');
}

function only(context: RecentContext, fields: readonly string[]): RecentContext {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = ownValue(context, field);
      return value === undefined || value === '' ? [] : [[field, value]];
    }),
  );
}
