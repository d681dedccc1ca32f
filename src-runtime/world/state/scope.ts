/** A scope: the facts of one tenant under one program, with all its forks. */

import type { FactStore, Interner, Program, Projection, Value, View } from '../../engine/index.js';
import { type ForkStatus, MAIN_FORK, type Position } from '../../storage/event-store.js';
import type { Writers } from './writers.js';

export interface Scope {
  readonly scopeId: string;
  readonly tenant: string;
  readonly program: Program;
  readonly interner: Interner;
  readonly writers: Writers;
  /** Declared tuples of stored relations, fields and classes, as `factKey`s. */
  readonly declared: ReadonlySet<string>;
  /** The history has events that the program cannot represent. */
  hides: boolean;
  /** The version at which declared facts are born. */
  readonly groundVersion: number;
  readonly main: Fork & { readonly branch: Branch };
  /** By id, in order of creation, `main` first. If an aborted fork's id was reused, only forks of the aborted one still refer to it. */
  readonly forks: Map<string, Fork>;
  /** Cached facts of closed forks and past states, least recently used first. */
  readonly replayedBranches: Map<string, ReplayedBranch>;
  /** Closed forks with a cached projection, least recently used first. */
  readonly closedProjections: Set<Fork>;
  /** Over all forks: no individual, transaction or event number is used twice. */
  nextIndividual: number;
  lastTransaction: number;
  lastSeq: number;
  /** What is committed here, as the store counts it. */
  position: Position;
  /** Events up to this one were archived or compacted; otherwise 0. */
  firstSeq: number;
  /** Main's own events that its last saved state has. */
  savedEvents: number;
  /** Settles once its renames are stored or have failed; undefined before the first. */
  renaming: Promise<unknown> | undefined;
  /** The scope that replaced this one in a reload; null if this one was archived. A replaced scope must not be written. */
  successor: Scope | null | undefined;
  /** Not in use, so it is opened again for the next request. A closed scope must not be written. */
  isClosed: boolean;
  /** Counts the requests that entered any scope, up to its last one. */
  lastUse: number;
}

/** A fork, or `main`, apart from its facts. */
export interface Fork {
  readonly id: string;
  /** The number of its creation, 0 for `main`. Its own transactions have higher numbers. */
  readonly txn: number;
  /** It ends with this transaction: the number at which another fork took its id, or the moment of a past state. */
  until: number;
  /** Of a past state: the fork as it is now. */
  readonly present: Fork | undefined;
  readonly parent: Fork | null;
  readonly baseSeq: number;
  /** Its label; undefined if it is shown by its id. */
  label: string | undefined;
  /** For `main`, the time of its first transaction; undefined before that. */
  createdAt: string | undefined;
  /** The creation time that is reported until then. Fixed at the first report, so that clients see the same fork. */
  firstShownAt: string | undefined;
  closedAt: string | undefined;
  /** When its promotion was last reverted. */
  undoneAt: string | undefined;
  /** The transaction of its parent whose state it started from. */
  asOf: number | undefined;
  /** The fork whose changes it started with. */
  changesOf: string | undefined;
  /** The parent's own events at its creation; known while it is open. */
  parentEvents: number;
  status: ForkStatus;
  /** The number of its own events. */
  events: number;
  /** The last transaction that it sees. */
  lastTransaction: number;
  projection: CachedProjection | undefined;
  /** Its facts while it is open. The facts of a closed fork are read from the history on demand. */
  branch: Branch | undefined;
}

/** The facts of a fork in memory. */
export interface Branch {
  readonly facts: FactStore;
  /** Its facts at creation, without individuals that were forgotten since; null for `main` and for a closed fork. */
  readonly base: FactStore | null;
  readonly lineage: Lineage;
}

/** Facts that were replayed from the history. */
export interface ReplayedBranch {
  readonly fork: Fork;
  /** Shares the facts of an earlier moment of the fork, so it costs what has changed since. */
  readonly isOverlay: boolean;
  readonly branch: Promise<Branch>;
}

/** The transaction of each commit of a fork's store, in order; 0 for a commit that is not a transaction. */
export interface Lineage {
  /** The commits that it inherits: the first `length` of another lineage. */
  readonly below: { readonly lineage: Lineage; readonly length: number } | null;
  readonly own: number[];
}

/** The result of a derive. */
export interface CachedProjection {
  /** The last transaction that it includes. */
  readonly transaction: number;
  readonly derivedAt: string;
  readonly projection: Projection;
}

/** What the next write builds on: what is committed, and what is pending. */
export function nextPosition({ position, writers }: Scope): Position {
  return { ...position, version: position.version + writers.pendingCount };
}

/** Counts a write that is stored. */
export function countWrite(scope: Scope, isRewrite = false): void {
  const { version, epoch, deployment } = scope.position;
  scope.position = { version: version + 1, epoch: epoch + Number(isRewrite), deployment };
}

/** A write reached a scope that a reload had replaced, or that was closed. */
export class ScopeRetired extends Error {
  override readonly name = 'ScopeRetired';
}

export function isMain(fork: Fork): boolean {
  return fork.id === MAIN_FORK;
}

export function lengthOf({ below, own }: Lineage): number {
  return (below?.length ?? 0) + own.length;
}

/** The transaction of the commit with this index. */
export function transactionAt(lineage: Lineage, index: number): number | undefined {
  let at = lineage;
  while (at.below !== null && index < at.below.length) at = at.below.lineage;
  return at.own[index - (at.below?.length ?? 0)];
}

export function isStoredKind(kind: string): boolean {
  return kind === 'concept' || kind === 'field' || kind === 'stored';
}

/** Identifies a fact within one scope. */
export function factKey(path: string, codes: readonly number[]): string {
  return `${path}/${codes.join(',')}`;
}

/** How many stored facts `main` has of these relations, fields and concepts, without declared ones. */
export function storedFacts(
  { main, declared, program }: Scope,
  isCounted: (path: string) => boolean = () => true,
): number {
  const view = main.branch.facts.view();
  let count = 0;
  for (const { path, kind } of program.relations.values()) {
    if (isStoredKind(kind) && isCounted(path)) count += view.stored(path).size;
  }
  view.release();
  for (const key of declared) if (isCounted(key.slice(0, key.lastIndexOf('/')))) count -= 1;
  return count;
}

/** The stored value of a field of the individual with this code, or null. */
export function fieldValue(view: View, holder: number, field: string): Value {
  const type = view.program.relations.get(field)?.endpoints[1]?.type;
  if (!type) return null;
  return view.interner.decode(type, view.stored(field).codeOf(holder));
}
