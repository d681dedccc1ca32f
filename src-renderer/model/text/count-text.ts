/** Numbers of facts as digits and text. A relation that was never evaluated has no number, which is not zero. */

import type { RelationCount } from '../../../src-runtime/api/schemas/schemas.js';

type Count = Pick<RelationCount, 'facts' | 'isCurrent' | 'declared'>;

export function countText(count: Count | undefined): string {
  if (count === undefined) return '';
  if (count.facts === null) return '?';
  return count.isCurrent ? numberText(count.facts) : `~${numberText(count.facts)}`;
}

export function countTip(count: Count | undefined): string {
  if (count === undefined) return 'not counted yet';
  if (count.facts === null) return 'not evaluated yet';
  const facts = `${numberText(count.facts)} ${count.facts === 1 ? 'fact' : 'facts'}`;
  if (!count.isCurrent) return `${facts} (as of the last evaluation)`;
  return count.declared === 0 ? facts : `${facts}, ${numberText(count.declared)} of them declared`;
}

/** With digit grouping. The formatter is created with the first grouped number, because that is slow. */
export function numberText(number: number): string {
  return Number.isInteger(number) && Math.abs(number) < 1_000 ? String(number) : number.toLocaleString('en');
}

/** `312 B`, `1.2 KiB`, `3.4 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  return bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
