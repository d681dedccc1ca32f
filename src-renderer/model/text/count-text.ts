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
