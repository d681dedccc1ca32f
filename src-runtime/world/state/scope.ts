/** A scope: the facts of one tenant under one program, with all its forks. */

import type { FactStore, Interner, Program, Projection, Value, View } from '../../engine/index.js';
import { type ForkStatus, MAIN_FORK } from '../../storage/event-store.js';
import type { Writers } from './writers.js';

export interface Scope {
  readonly scopeId: string;
  readonly tenant: string;
  readonly program: Program;
  readonly interner: Interner;
  readonly writers: Writers;
  /** Declared tuples of stored relations, fields and classes, as `factKey`s. */
  readonly declared: ReadonlySet<string>;
  /** Events of its history have no place in the program, and are not shown. */
  hides: boolean;
  /** The version that ground truth is born at. */
  readonly groundVersion: number;
  readonly main: Fork & { readonly branch: Branch };
  /** By id, in order of creation, `main` first. An aborted fork that was created again is only known to those that came of it. */
  readonly forks: Map<string, Fork>;
  /** What was asked last of closed forks, the latest last. */
  readonly closedBranches: Map<Fork, Promise<Branch>>;
  /** Closed forks that still tell what a derive found, the latest last. */
  readonly closedProjections: Set<Fork>;
  /** Of what is committed in all forks: neither individuals nor transactions nor events are numbered twice. */
  nextIndividual: number;
  lastTransaction: number;
  lastSeq: number;
  /** Events up to this one are not in its history: they were set aside, or it is 0. */
  firstSeq: number;
  /** What a reload has put in its place, null where its facts were set aside: nothing may be written to it any more. */
  successor: Scope | null | undefined;
}

/** A fork, `main` too: what is known of it beside its facts. */
export interface Fork {
  readonly id: string;
  /** The number of its creation, 0 for `main`: its own transactions have higher ones. */
  readonly txn: number;
  /** The number at which another took its id. */
  until: number;
  readonly parent: Fork | null;
  readonly baseSeq: number;
  /** What people call it; where it is undefined, by its id. */
  label: string | undefined;
  /** Of `main`, the time of its first transaction; undefined before that. */
  createdAt: string | undefined;
  /** Until then, when it was told of first, so that nobody takes it for another one whenever it is. */
  firstShownAt: string | undefined;
  closedAt: string | undefined;
  /** When its promotion was undone last. */
  undoneAt: string | undefined;
  /** The transaction of its parent to which it went back to begin with. */
  asOf: number | undefined;
  /** The fork whose changes it began with. */
  changesOf: string | undefined;
  /** The own events that its parent had when it was made; known while it is open. */
  parentEvents: number;
  status: ForkStatus;
  /** Its own events. */
  events: number;
  /** The last transaction that it sees. */
  lastTransaction: number;
  projection: CachedProjection | undefined;
  /** Its facts while it is open; those of a closed fork are read from the history when they are asked for. */
  branch: Branch | undefined;
}

/** The facts of a fork in memory. */
export interface Branch {
  readonly facts: FactStore;
  /** What it was created as, less what has been forgotten since; null for `main` and what is closed. */
  readonly base: FactStore | null;
  readonly lineage: Lineage;
}

/** The transactions that made the commits of a fork's store, in order; 0 for one that is no transaction of the history. */
export interface Lineage {
  /** What it goes on from: that many commits of another. */
  readonly below: { readonly lineage: Lineage; readonly length: number } | null;
  readonly own: number[];
}

/** What a derive found, and when. */
export interface CachedProjection {
  /** The last transaction that it saw. */
  readonly transaction: number;
  readonly derivedAt: string;
  readonly projection: Projection;
}

/** A write reached a scope that a reload has replaced meanwhile. */
export class ScopeRetired extends Error {
  override readonly name = 'ScopeRetired';
}

export function isMain(fork: Fork): boolean {
  return fork.id === MAIN_FORK;
}

export function lengthOf({ below, own }: Lineage): number {
  return (below?.length ?? 0) + own.length;
}

/** The transaction that made the commit with this index. */
export function transactionAt(lineage: Lineage, index: number): number | undefined {
  let at = lineage;
  while (at.below !== null && index < at.below.length) at = at.below.lineage;
  return at.own[index - (at.below?.length ?? 0)];
}

export function isStoredKind(kind: string): boolean {
  return kind === 'concept' || kind === 'field' || kind === 'stored';
}

/** Names a fact within one scope. */
export function factKey(path: string, codes: readonly number[]): string {
  return `${path}/${codes.join(',')}`;
}

/** How many there are on `main` of some relations, fields and concepts, without those that the module itself declares. */
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
