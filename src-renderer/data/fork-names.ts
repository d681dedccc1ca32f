/** In what order forks are offered, and how they are found by their names. */

import type { ForkInfo } from '../../src-runtime/api/fork-schemas.js';

/** So many are taken in at a glance: of more, closed ones are not shown until they are asked for, and names can be searched. */
export const FEW_FORKS = 12;

/** `main`, then the open ones, then the closed ones; the newest first. */
export function sortedForks(forks: readonly ForkInfo[]): ForkInfo[] {
  const rank = (fork: ForkInfo): number => (fork.parent === null ? 0 : fork.status === 'open' ? 1 : 2);
  return [...forks].sort((a, b) => rank(a) - rank(b) || b.createdAt.localeCompare(a.createdAt));
}

/** Whether its name has a text in it, in whatever case. */
export function nameHas({ id }: ForkInfo, text: string): boolean {
  return id.toLowerCase().includes(text.trim().toLowerCase());
}
