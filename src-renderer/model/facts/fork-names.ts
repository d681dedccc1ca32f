/** Names of forks, their order in lists, and search by name. */

import type { ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';

/** With more forks than this, closed ones are hidden until requested, and a search field is shown. */
export const FEW_FORKS = 12;

/** `main`, then open ones, then closed ones; each newest first. */
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

/** The name of the fork with this id; the id if it is unknown. */
export type NameOfFork = (id: string) => string;

/** Ids as names, before the forks are loaded. */
export const nameById: NameOfFork = (id) => id;

/** Labels, followed by the id if another fork has the same label or has it as its id; ids if there is no label. */
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

/** All names on the page come from the same list. */
const names = new WeakMap<readonly ForkInfo[], NameOfFork>();

/** Whether its label or id contains the text, ignoring case. */
export function nameHas({ id, label = '' }: ForkInfo, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return id.toLowerCase().includes(wanted) || label.toLowerCase().includes(wanted);
}
