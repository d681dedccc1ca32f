/** The forks of a scope as a tree by parent: active forks first, newest first. */

import type { ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import { nameHas } from '../../model/facts/fork-names.js';

export interface ForkNode {
  readonly id: string;
  readonly fork: ForkInfo;
  readonly children: readonly ForkNode[];
}

interface ShownForks {
  /** If false, closed forks are shown only above open ones. */
  readonly withClosed: boolean;
  /** Filter on names; ancestors of matches stay visible. */
  readonly text?: string;
}

export function forkTree(forks: readonly ForkInfo[], { withClosed, text = '' }: ShownForks): ForkNode[] {
  const known = new Map(forks.map((fork) => [fork.id, fork]));
  const childrenOf = new Map<string | undefined, ForkInfo[]>();
  for (const fork of forks) {
    const parent = parentOf(fork, known)?.id;
    const siblings = childrenOf.get(parent);
    if (siblings === undefined) childrenOf.set(parent, [fork]);
    else siblings.push(fork);
  }
  const isWanted = (fork: ForkInfo): boolean => (withClosed || fork.status === 'open') && nameHas(fork, text);
  const promotedAt = lastPromotions(forks);
  const below = (parent: string | undefined): RankedNode[] =>
    (childrenOf.get(parent) ?? [])
      .map((fork) => rankedNode(fork, below(fork.id), promotedAt))
      .filter(({ fork, children }) => isWanted(fork) || children.length > 0)
      .sort((left, right) => left.rank - right.rank || right.fork.createdAt.localeCompare(left.fork.createdAt));
  return below(undefined);
}

interface RankedNode extends ForkNode {
  /** -1 for `main`, 0 for active forks, 1 for unchanged snapshots of a parent, 2 if all are closed. */
  readonly rank: number;
}

function rankedNode(
  fork: ForkInfo,
  children: readonly RankedNode[],
  promotedAt: ReadonlyMap<string | null, string>,
): RankedNode {
  const own = fork.parent === null ? -1 : fork.status !== 'open' ? 2 : isSnapshot(fork, promotedAt) ? 1 : 0;
  return { id: fork.id, fork, children, rank: Math.min(own, ...children.map(({ rank }) => rank)) };
}

/** Whether an unchanged fork keeps the state that its parent had before a promotion. */
function isSnapshot({ status, events, createdAt, parent }: ForkInfo, promotedAt: ReadonlyMap<string | null, string>) {
  return status === 'open' && events === 0 && createdAt <= (promotedAt.get(parent) ?? '');
}

/** Time of the latest promotion, by parent. */
function lastPromotions(forks: readonly ForkInfo[]): Map<string | null, string> {
  const last = new Map<string | null, string>();
  for (const { status, parent, closedAt = '' } of forks) {
    if (status === 'promoted' && closedAt > (last.get(parent) ?? '')) last.set(parent, closedAt);
  }
  return last;
}

/** The closed forks that the tree of open ones does not have, the last closed first. */
export function closedForks(forks: readonly ForkInfo[], open: readonly ForkNode[], text = ''): ForkNode[] {
  const listed = new Set(idsIn(open));
  return forks
    .filter((fork) => fork.status !== 'open' && !listed.has(fork.id) && nameHas(fork, text))
    .toSorted((left, right) => (right.closedAt ?? '').localeCompare(left.closedAt ?? ''))
    .map((fork) => ({ id: fork.id, fork, children: [] }));
}

function idsIn(nodes: readonly ForkNode[]): string[] {
  return nodes.flatMap(({ id, children }) => [id, ...idsIn(children)]);
}

/** The fork to show first: the newest open one, before snapshots of a parent. Undefined if only `main` is open. */
export function newestOpenFork(forks: readonly ForkInfo[]): ForkInfo | undefined {
  const promotedAt = lastPromotions(forks);
  return forks
    .filter(({ status, parent }) => status === 'open' && parent !== null)
    .toSorted(
      (left, right) =>
        Number(isSnapshot(left, promotedAt)) - Number(isSnapshot(right, promotedAt)) ||
        right.createdAt.localeCompare(left.createdAt),
    )[0];
}

/** Undefined if the parent was discarded and its name reused. */
export function parentOf(fork: ForkInfo, known: ReadonlyMap<string, ForkInfo>): ForkInfo | undefined {
  const parent = fork.parent === null ? undefined : known.get(fork.parent);
  // Two forks may be created in the same millisecond; `main` is created by its first write.
  const isLater = parent !== undefined && parent.parent !== null && parent.createdAt > fork.createdAt;
  return isLater ? undefined : parent;
}

/**
 * The fork to rebase onto: the parent if it has new changes, or, if it is closed, the nearest open ancestor. Undefined if there
 * is nothing to rebase onto, or the ancestor is unknown.
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

/** Open child forks: once the parent is closed, they must be rebased before they can be promoted. */
export function openChildren(forks: readonly ForkInfo[], id: string): ForkInfo[] {
  const known = new Map(forks.map((fork) => [fork.id, fork]));
  return forks.filter((fork) => fork.status === 'open' && parentOf(fork, known)?.id === id);
}

/** Promotions to the parent since an unchanged fork was created, latest first: reverting them restores that state. */
export function promotionsSince(forks: readonly ForkInfo[], fork: ForkInfo): ForkInfo[] {
  if (fork.parent === null || fork.status !== 'open' || fork.events > 0) return [];
  return forks
    .filter(({ status, parent, events }) => status === 'promoted' && parent === fork.parent && events > 0)
    .filter(({ closedAt = '' }) => closedAt >= fork.createdAt)
    .toSorted((left, right) => (right.closedAt ?? '').localeCompare(left.closedAt ?? ''));
}

/** The fork that saved the parent's state before this promotion: unchanged, and created since the previous promotion. */
export function forkBeforePromotion(forks: readonly ForkInfo[], promoted: ForkInfo): ForkInfo | undefined {
  const { id, parent, closedAt = '', status } = promoted;
  if (status !== 'promoted' || parent === null) return undefined;
  const earlier = forks.filter((fork) => fork.parent === parent && fork.status === 'promoted' && fork.id !== id);
  const since = earlier.map((fork) => fork.closedAt ?? '').filter((at) => at <= closedAt);
  return forks
    .filter((fork) => fork.parent === parent && fork.status === 'open' && fork.events === 0)
    .filter(({ createdAt }) => createdAt <= closedAt && since.every((at) => at <= createdAt))
    .toSorted((left, right) => right.createdAt.localeCompare(left.createdAt))[0];
}

/** Why a fork name is invalid, by the rules of the server; undefined if valid. */
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

/** A free name, numbered if necessary: `before-what-if`, `before-what-if-2`. */
export function freeName(preferred: string, forks: readonly ForkInfo[], first = 1): string {
  const taken = new Set(forks.map((fork) => fork.id));
  for (let number = first; ; number++) {
    const end = number === 1 ? '' : `-${number}`;
    const name = `${preferred.slice(0, NAME_MAX - end.length).trimEnd()}${end}`;
    if (!taken.has(name)) return name;
  }
}

/** The next name in a numbered series: `what-if-2` after `what-if`. */
export function nextName(name: string, forks: readonly ForkInfo[]): string {
  const [, stem = name, number = '1'] = /^(.+)-([0-9]+)$/.exec(name) ?? [];
  return freeName(stem, forks, Number(number) + 1);
}
