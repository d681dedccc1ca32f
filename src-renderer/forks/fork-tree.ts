/** The forks of a scope as a tree: each below the one that it was made from, in the order in which they were made. */

import type { ForkInfo } from '../../src-runtime/api/fork-schemas.js';

export interface ForkNode {
  readonly id: string;
  readonly fork: ForkInfo;
  readonly children: readonly ForkNode[];
}

/** `forks` as the server lists them, `main` first. Without `withClosed`, closed ones stay only where an open one came of them. */
export function forkTree(forks: readonly ForkInfo[], withClosed: boolean): ForkNode[] {
  const known = new Map(forks.map((fork) => [fork.id, fork]));
  const childrenOf = new Map<string | undefined, ForkInfo[]>();
  for (const fork of forks) {
    const parent = parentOf(fork, known)?.id;
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), fork]);
  }
  const below = (parent: string | undefined): ForkNode[] =>
    (childrenOf.get(parent) ?? [])
      .map((fork): ForkNode => ({ id: fork.id, fork, children: below(fork.id) }))
      .filter(({ fork, children }) => withClosed || fork.status === 'open' || children.length > 0);
  return below(undefined);
}

/** Undefined also for a fork of an aborted one whose name another has taken since. */
function parentOf(fork: ForkInfo, known: ReadonlyMap<string, ForkInfo>): ForkInfo | undefined {
  const parent = fork.parent === null ? undefined : known.get(fork.parent);
  // Creation times are those of the server's clock, which two forks may share; `main` begins with its first write.
  const isLater = parent !== undefined && parent.parent !== null && parent.createdAt > fork.createdAt;
  return isLater ? undefined : parent;
}

/** Open forks that were made from this one: once it is closed they cannot be promoted any more. */
export function openChildren(forks: readonly ForkInfo[], id: string): ForkInfo[] {
  return forks.filter((fork) => fork.parent === id && fork.status === 'open');
}

/** What was promoted to its parent since an open fork was made that has no changes of its own: the way back to it, the latest first. */
export function promotionsSince(forks: readonly ForkInfo[], fork: ForkInfo): ForkInfo[] {
  if (fork.parent === null || fork.status !== 'open' || fork.events > 0) return [];
  return forks
    .filter(({ status, parent, events }) => status === 'promoted' && parent === fork.parent && events > 0)
    .filter(({ closedAt = '' }) => closedAt >= fork.createdAt)
    .toSorted((left, right) => (right.closedAt ?? '').localeCompare(left.closedAt ?? ''));
}

/** A fork's name as the server takes it; the text says what is wrong with it, undefined where nothing is. */
export function nameProblem(name: string, forks: readonly ForkInfo[]): string | undefined {
  if (name === '') return 'Give the fork a name.';
  if (!/^[\p{L}\p{N}]/u.test(name)) return 'A name begins with a letter or a digit.';
  const strange = /[^\p{L}\p{M}\p{N} ._-]/u.exec(name)?.[0];
  if (strange !== undefined) return `A name has letters, digits, blanks and . _ - in it, but no ${strange}`;
  if (name.endsWith(' ')) return 'A name does not end with a blank.';
  if (name.length > NAME_MAX) return `A name has ${NAME_MAX} characters at most; this one has ${name.length}.`;
  const taken = forks.find((fork) => fork.id === name && fork.status !== 'aborted');
  return taken === undefined ? undefined : `There is a fork "${name}" already (${taken.status}).`;
}

const NAME_MAX = 64;

/** A name like `before-what-if` that is free, with a number behind it where it has to. */
export function freeName(wish: string, forks: readonly ForkInfo[]): string {
  const taken = new Set(forks.map((fork) => fork.id));
  const cut = (text: string, length: number): string => text.slice(0, length).trimEnd();
  const first = cut(wish, NAME_MAX);
  for (let number = 2, name = first; ; number++) {
    if (!taken.has(name)) return name;
    const end = `-${number}`;
    name = `${cut(first, NAME_MAX - end.length)}${end}`;
  }
}
