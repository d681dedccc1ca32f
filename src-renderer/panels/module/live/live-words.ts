/** Live results in words. */

import type { LiveCondition, LiveResult } from '../../../../src-runtime/api/schemas/live-schemas.js';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { cellText, type NameOf } from '../../../domain/result/result-order.js';

export type { NameOf };

/** `12`, `100,000+`, or `waits` while a later condition binds its variables. */
export function countText({ bindings, more = false, fault }: LiveCondition): string {
  if (fault !== undefined) return 'fails';
  return bindings === null ? 'waits' : `${bindings.toLocaleString('en')}${more ? '+' : ''}`;
}

/** `l = QUAY-5, t = Ada` */
export function exampleText(example: Readonly<Record<string, JsonValue>>, nameOf: NameOf): string {
  const parts = Object.entries(example).map(([name, value]) => `${name} = ${cellText(value, nameOf)}`);
  return parts.length === 0 ? 'no variables' : parts.join(', ');
}

type Cut = LiveResult['cut'][number];

/** What is missing, and why, as a sentence. */
export function cutWords({ what, reason }: Cut, rows: number): string {
  if (reason === 'deadline')
    return what === 'rows'
      ? 'The rows took too long and were cut.'
      : 'Counting took too long. Some conditions have no count.';
  if (what === 'rows') return `Only ${rows} rows are shown.`;
  return what === 'bindings' ? 'Counts end at 100,000 bindings.' : 'Too many rows to compare with the running module.';
}
