/** How many facts there are, in figures and in words. What was never evaluated has no number, and is not zero. */

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

/** Grouped, as people read long numbers. The first that is grouped waits for a language's rules to be read, which short ones do without. */
export function numberText(number: number): string {
  return Number.isInteger(number) && Math.abs(number) < 1_000 ? String(number) : number.toLocaleString('en');
}
