/** What forks are called, in what order they are offered, and how they are found by their names. */

import type { ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';

/** So many are taken in at a glance: of more, closed ones are not shown until they are asked for, and names can be searched. */
export const FEW_FORKS = 12;

/** `main`, then the open ones, then the closed ones; the newest first. */
export function sortedForks(forks: readonly ForkInfo[]): ForkInfo[] {
  const rank = (fork: ForkInfo): number => (fork.parent === null ? 0 : fork.status === 'open' ? 1 : 2);
  return [...forks].sort((a, b) => rank(a) - rank(b) || b.createdAt.localeCompare(a.createdAt));
}

/** `aborted` in the API is *discarded* in the interface. */
export const FORK_STATUS_WORDS: Readonly<Record<ForkInfo['status'], string>> = {
  open: 'open',
  promoted: 'promoted',
  aborted: 'discarded',
};

/** What the fork with this id is called. One that is not known is called by its id. */
export type NameOfFork = (id: string) => string;

/** By their ids, before anything is known of them. */
export const nameById: NameOfFork = (id) => id;

/** By their labels, with the id behind where another is called alike or has that for its id; by their ids where they have none. */
export function namesOf(forks: readonly ForkInfo[]): NameOfFork {
  const known = names.get(forks);
  if (known !== undefined) return known;
  const labels = new Map(forks.map(({ id, label }) => [id, label ?? id]));
  const times = new Map<string, number>();
  for (const name of [...labels].flatMap(([id, label]) => (label === id ? [id] : [id, label]))) {
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  const nameOf: NameOfFork = (id) => {
    const label = labels.get(id) ?? id;
    return label !== id && (times.get(label) ?? 0) > 1 ? `${label} (${id})` : label;
  };
  names.set(forks, nameOf);
  return nameOf;
}

/** Every name on the page is of the same list. */
const names = new WeakMap<readonly ForkInfo[], NameOfFork>();

/** Whether its label or its id has a text in it, in whatever case. */
export function nameHas({ id, label = '' }: ForkInfo, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return id.toLowerCase().includes(wanted) || label.toLowerCase().includes(wanted);
}
