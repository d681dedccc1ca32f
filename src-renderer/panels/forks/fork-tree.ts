/** The forks of a scope as a tree: each below the one that it was made from, what is worked on first, the newest first. */

import type { ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import { nameHas } from '../../model/facts/fork-names.js';

export interface ForkNode {
  readonly id: string;
  readonly fork: ForkInfo;
  readonly children: readonly ForkNode[];
}

interface ShownForks {
  /** Without, closed ones stay only where an open one came of them. */
  readonly withClosed: boolean;
  /** Stays though it is closed: the one that is looked at. */
  readonly keep?: string;
  /** What the names of those have in them that are wanted; they stay below what they were made from. */
  readonly text?: string;
}

export function forkTree(forks: readonly ForkInfo[], { withClosed, keep, text = '' }: ShownForks): ForkNode[] {
  const known = new Map(forks.map((fork) => [fork.id, fork]));
  const childrenOf = new Map<string | undefined, ForkInfo[]>();
  for (const fork of forks) {
    const parent = parentOf(fork, known)?.id;
    const siblings = childrenOf.get(parent);
    if (siblings === undefined) childrenOf.set(parent, [fork]);
    else siblings.push(fork);
  }
  const isWanted = (fork: ForkInfo): boolean =>
    (withClosed || fork.status === 'open' || fork.id === keep) && nameHas(fork, text);
  const promotedAt = lastPromotions(forks);
  const below = (parent: string | undefined): RankedNode[] =>
    (childrenOf.get(parent) ?? [])
      .map((fork) => rankedNode(fork, below(fork.id), promotedAt))
      .filter(({ fork, children }) => isWanted(fork) || children.length > 0)
      .sort((left, right) => left.rank - right.rank || right.fork.createdAt.localeCompare(left.fork.createdAt));
  return below(undefined);
}

interface RankedNode extends ForkNode {
  /** -1 for `main`, 0 where it or one that came of it is worked on, 1 where it but keeps its parent as it was, 2 where all is closed. */
  readonly rank: number;
}

function rankedNode(
  fork: ForkInfo,
  children: readonly RankedNode[],
  promotedAt: ReadonlyMap<string | null, string>,
): RankedNode {
  const isKept = fork.status === 'open' && fork.events === 0 && fork.createdAt <= (promotedAt.get(fork.parent) ?? '');
  const own = fork.parent === null ? -1 : fork.status !== 'open' ? 2 : isKept ? 1 : 0;
  return { id: fork.id, fork, children, rank: Math.min(own, ...children.map(({ rank }) => rank)) };
}

/** By parent, when something was promoted to it last. */
function lastPromotions(forks: readonly ForkInfo[]): Map<string | null, string> {
  const last = new Map<string | null, string>();
  for (const { status, parent, closedAt = '' } of forks) {
    if (status === 'promoted' && closedAt > (last.get(parent) ?? '')) last.set(parent, closedAt);
  }
  return last;
}

export function closedIn(nodes: readonly ForkNode[]): number {
  return nodes.reduce((sum, { fork, children }) => sum + (fork.status === 'open' ? 0 : 1) + closedIn(children), 0);
}

/** Undefined also for a fork of an aborted one whose name another has taken since. */
export function parentOf(fork: ForkInfo, known: ReadonlyMap<string, ForkInfo>): ForkInfo | undefined {
  const parent = fork.parent === null ? undefined : known.get(fork.parent);
  // Creation times are those of the server's clock, which two forks may share; `main` begins with its first write.
  const isLater = parent !== undefined && parent.parent !== null && parent.createdAt > fork.createdAt;
  return isLater ? undefined : parent;
}

/**
 * What an open fork can be brought up to date with: its parent, where that has written since, or, where that is closed, the nearest
 * open one that it came from. Undefined where there is nothing to bring, or it cannot be told what it came from.
 */
export function updateTarget(fork: ForkInfo, forks: readonly ForkInfo[]): ForkInfo | undefined {
  if (fork.status !== 'open') return undefined;
  const known = new Map(forks.map((each) => [each.id, each]));
  const parent = parentOf(fork, known);
  if (parent?.status === 'open') return fork.behind === undefined ? undefined : parent;
  let ancestor = parent;
  while (ancestor !== undefined && ancestor.status !== 'open') ancestor = parentOf(ancestor, known);
  return ancestor;
}

/** Open forks that were made from this one: once it is closed they have to be brought up to date before they can be promoted. */
export function openChildren(forks: readonly ForkInfo[], id: string): ForkInfo[] {
  const known = new Map(forks.map((fork) => [fork.id, fork]));
  return forks.filter((fork) => fork.status === 'open' && parentOf(fork, known)?.id === id);
}

/** What was promoted to its parent since an open fork was made that has no changes of its own: the way back to it, the latest first. */
export function promotionsSince(forks: readonly ForkInfo[], fork: ForkInfo): ForkInfo[] {
  if (fork.parent === null || fork.status !== 'open' || fork.events > 0) return [];
  return forks
    .filter(({ status, parent, events }) => status === 'promoted' && parent === fork.parent && events > 0)
    .filter(({ closedAt = '' }) => closedAt >= fork.createdAt)
    .toSorted((left, right) => (right.closedAt ?? '').localeCompare(left.closedAt ?? ''));
}

/** The fork that keeps what the parent was before this one was promoted to it: made since the promotion before, and left as it is. */
export function keptBefore(forks: readonly ForkInfo[], promoted: ForkInfo): ForkInfo | undefined {
  const { id, parent, closedAt = '', status } = promoted;
  if (status !== 'promoted' || parent === null) return undefined;
  const earlier = forks.filter((fork) => fork.parent === parent && fork.status === 'promoted' && fork.id !== id);
  const since = earlier.map((fork) => fork.closedAt ?? '').filter((at) => at <= closedAt);
  return forks
    .filter((fork) => fork.parent === parent && fork.status === 'open' && fork.events === 0)
    .filter(({ createdAt }) => createdAt <= closedAt && since.every((at) => at <= createdAt))
    .toSorted((left, right) => right.createdAt.localeCompare(left.createdAt))[0];
}

/** A fork's name as the server takes it; the text says what is wrong with it, undefined where nothing is. */
export function nameProblem(name: string, forks: readonly ForkInfo[]): string | undefined {
  if (name === '') return 'Enter a name.';
  if (!/^[\p{L}\p{N}]/u.test(name)) return 'A name must start with a letter or digit.';
  const strange = /[^\p{L}\p{M}\p{N} ._-]/u.exec(name)?.[0];
  if (strange !== undefined) return `A name can have letters, digits, spaces and . _ -, but not ${strange}`;
  if (name.endsWith(' ')) return 'A name cannot end with a space.';
  if (name.length > NAME_MAX) return `A name can have ${NAME_MAX} characters; this one has ${name.length}.`;
  const taken = forks.find((fork) => fork.id === name && fork.status !== 'aborted');
  return taken === undefined ? undefined : `A fork "${name}" already exists (${taken.status}).`;
}

const NAME_MAX = 64;

/** A name like `before-what-if` that is free, with a number behind it where it has to; the first is 1, which is none. */
export function freeName(wish: string, forks: readonly ForkInfo[], first = 1): string {
  const taken = new Set(forks.map((fork) => fork.id));
  for (let number = first; ; number++) {
    const end = number === 1 ? '' : `-${number}`;
    const name = `${wish.slice(0, NAME_MAX - end.length).trimEnd()}${end}`;
    if (!taken.has(name)) return name;
  }
}

/** What a fork may be called that goes on from this one: `what-if-2` behind `what-if`, `what-if-3` behind that. */
export function nextName(name: string, forks: readonly ForkInfo[]): string {
  const [, stem = name, number = '1'] = /^(.+)-([0-9]+)$/.exec(name) ?? [];
  return freeName(stem, forks, Number(number) + 1);
}
