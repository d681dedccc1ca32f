/**
 * The facts of one scope in memory: versioned stored relations, and derived relations for the states that are still
 * read.
 */

import { invariant } from '../../base/invariant.js';
import { andThen, type Deadline, type MaybePromise } from '../../base/ports.js';
import type { Inputs, Materialised } from '../evaluate/inputs.js';
import type { MaintainedTotals } from '../maintain/maintained-totals.js';
import { type Component, type EngineProgram, engineProgram } from '../program/program.js';
import { Reader, type Writer } from '../relation/reader.js';
import type { Relation } from '../relation/relation.js';
import type { KnownSize, Program, RelationReader, Transaction, View } from '../types.js';
import type { Interner } from '../values/codec.js';
import { ComponentStates, type MaintenancePolicy, type ParentComponent } from './components.js';
import type { QuestionCost } from './questions.js';
import { StoreTransaction } from './store-transaction.js';
import { SnapshotCache, StoreView } from './store-view.js';
import { type Revisions, StoredStates } from './stored-states.js';

interface Limits extends MaintenancePolicy {
  /** Facts that one rule may derive. */
  readonly factsMax: number;
  /** Questions about a rule may visit this many rows, and more with more stored facts, before it is derived whole. */
  readonly questionCostMin: number;
}

export type FactStoreOptions = Partial<Limits>;

const LIMITS: Limits = {
  factsMax: 20_000_000,
  maintenanceCostMin: 20_000,
  searchedRowsMin: 16_384,
  maintainedCountMin: 256,
  denseVisitsMin: 100,
  questionCostMin: 262_144,
};

/** Up to this many states are kept without checking who still sees them. */
const STATES_AT_EASE = 32;

/** The store and state that a fork continues. The view keeps the state until the fork is closed. */
interface ForkedFrom {
  readonly store: FactStore;
  readonly view: StoreView;
}

/** The parts that a store over the same facts under another program does not share. */
export interface OtherProgram {
  readonly program: Program;
  readonly interner: Interner;
  /** Whether the facts of this rule may differ. */
  affected(rule: string): boolean;
  /**
   * The new store only reads, in the state of this view of the other store, which the caller holds meanwhile. It changes
   * nothing there, so others may write there, and what it derives is dropped with it.
   */
  readonly at?: View;
}

/** For versions whose writer is gone. */
const UNDONE: Writer = { hasUndone: () => true };

export class FactStore {
  readonly program: EngineProgram;
  readonly interner: Interner;
  readonly stored: StoredStates;
  private readonly limits: Limits;
  private readonly components = new Map<Component, ComponentStates>();
  /** Of a fork: the facts derived at its creation, as far as they were read. The parent may have dropped them. */
  private readonly derivedBelow = new Map<Component, ReadonlyMap<string, Materialised>>();
  readonly questionCosts = new Map<Component, QuestionCost>();
  /**
   * The last committed version. A transaction takes a new one when it changes facts that something was derived from.
   */
  private version: number;
  /**
   * The highest version ever taken. Versions are never reused, so that facts derived from an undone one cannot be
   * mistaken for another's.
   */
  private versionMax: number;
  /** The last version of each own commit, prepared ones at the end. */
  private commits: number[] = [];
  private readonly from: ForkedFrom | null;
  private writer: StoreTransaction | undefined;
  /** Oldest first. Each continues the one before it, and the writer continues the last. */
  private readonly prepared: StoreTransaction[] = [];
  /** The view that readers of the last committed state share. It keeps that state open. */
  private sharedView: StoreView | undefined;
  /** A number instead of a set, because a set that views enter and leave would delay their collection. */
  private openViews = 0;
  /** Views that forks continue from. */
  private forks = 0;
  /** Open views by the version at which they were opened. */
  private readonly viewsAt = new Map<number, number>();
  private hasPast = false;
  /** Whether something was written or derived since the last vacuum. */
  private hasNews = false;
  private isClosed = false;
  /** Whether it has released the state that it was forked from. */
  private isReleased = false;
  /** Whether it reads rows of another store that it must not move. */
  private isGuest = false;

  constructor(
    program: Program,
    interner: Interner,
    options: FactStoreOptions = {},
    from: ForkedFrom | null = null,
    revisions: Revisions = { last: 0 },
  ) {
    this.program = engineProgram(program);
    this.interner = interner;
    this.limits = { ...LIMITS, ...options };
    this.from = from;
    if (from !== null) from.store.forks += 1;
    const parent = from && { states: from.store.stored, version: from.view.version };
    this.stored = new StoredStates(this.program, parent, revisions);
    this.version = from === null ? 1 : from.view.version;
    this.versionMax = this.version;
  }

  get factsMax(): number {
    return this.limits.factsMax;
  }

  get questionCostMin(): number {
    return this.limits.questionCostMin;
  }

  /**
   * Continues as an overlay from the last committed state, or from the state of an open view. The fork reads from here
   * whatever it has not changed, derived facts too. It has to be closed, because it keeps this store from dropping
   * deleted rows.
   */
  fork(at: StoreView | null = null): FactStore {
    // The state of an open view stays, even if the store is closed meanwhile.
    const view = at === null ? this.openView(this.version) : this.viewOf(at.version);
    return new FactStore(this.program, this.interner, this.limits, { store: this, view }, this.stored.revisions);
  }

  /**
   * A store for the same facts under another program, which declares all stored relations in the same way, with an
   * interner of the same codes. Nothing is copied. Both may read the same rows, but only one may change them from now
   * on. Derived facts are shared except for the rules that are `affected`. `known` maps the parents to their
   * counterparts.
   */
  under(under: OtherProgram, known = new Map<FactStore, FactStore>()): FactStore {
    const made = known.get(this);
    if (made !== undefined) return made;
    const { program, interner, affected } = under;
    const at = under.at as StoreView | undefined;
    const isGuest = at !== undefined;
    const version = at?.version ?? this.version;
    invariant(isGuest || (this.writer === undefined && this.prepared.length === 0), 'nobody writes meanwhile');
    const { limits, from } = this;
    const parent = from?.store.under(isGuest ? { ...under, at: from.view } : under, known);
    const base = parent && from && { store: parent, view: parent.viewOf(from.view.version) };
    // Not before this view exists, or the state that it was forked from would be released.
    if (from?.store.isClosed) parent?.close();
    const revisions = parent?.stored.revisions ?? { last: this.stored.revisions.last };
    const store = new FactStore(program, interner, limits, base, revisions);
    known.set(this, store);
    store.isGuest = isGuest;
    store.version = version;
    store.versionMax = isGuest ? version : this.versionMax;
    store.commits = this.commits.filter((each) => each <= version);
    store.stored.shareWith(this.stored, isGuest);
    const twinOf = ({ paths }: Component): Component | undefined =>
      paths.some(affected) ? undefined : store.program.componentOf(paths[0] ?? '');
    for (const [component, states] of this.components) {
      const twin = twinOf(component);
      if (twin !== undefined) store.statesOf(twin).shareWith(states, isGuest);
    }
    for (const [component, relations] of this.derivedBelow) {
      const twin = twinOf(component);
      if (twin !== undefined) store.derivedBelow.set(twin, relations);
    }
    return store;
  }

  /**
   * Puts rows in place that another store had after so many commits. Nothing has been written here. `earlier` are numbers of commits
   * after which `forkAfter` continues, ascending.
   */
  restore(commits: number, relations: ReadonlyMap<string, Relation>, earlier: readonly number[]): void {
    invariant(this.versionMax === 1 && this.from === null, 'a store is filled before anything is written');
    this.commits = Array.from({ length: commits }, (_, at) => at + 2);
    this.version = commits + 1;
    this.versionMax = this.version;
    const versions = [...earlier, commits].map((count) => count + 1);
    for (const [path, relation] of relations) this.stored.restore(path, relation, versions);
    if (earlier.length > 0) this.notePast();
  }

  /** A fork like that of `fork`, from the state after so many commits of a restored store. */
  forkAfter(commits: number): FactStore {
    const view = this.viewOf(this.commits[commits - 1] ?? 1);
    return new FactStore(this.program, this.interner, this.limits, { store: this, view }, this.stored.revisions);
  }

  /**
   * Releases the state that the store was forked from once all its views and forks are released. No more may be opened.
   */
  close(): void {
    this.isClosed = true;
    this.releaseSharedView();
    this.releaseBase();
  }

  private releaseBase(): void {
    if (!this.isClosed || this.openViews > 0 || this.from === null || this.isReleased) return;
    this.isReleased = true;
    this.from.store.forks -= 1;
    this.from.view.release();
  }

  /** The last committed state. */
  view(): View {
    invariant(!this.isClosed, 'nothing more is read of a closed store');
    this.sharedView ??= this.viewOf(this.version, this.interner, new SnapshotCache());
    return this.viewOf(this.version, this.interner, this.sharedView.cache);
  }

  /** The same for a reader with its own values, which are dropped with the view. No facts are made of them. */
  viewAside(): View {
    return this.openView(this.version, this.interner.passing());
  }

  private releaseSharedView(): void {
    const { sharedView } = this;
    this.sharedView = undefined;
    sharedView?.release();
  }

  /**
   * The state that the next transaction continues: the last committed one and all prepared ones. For its writer only.
   */
  latest(): View {
    return this.openView(this.latestVersion);
  }

  private get latestVersion(): number {
    return this.prepared.at(-1)?.view.version ?? this.version;
  }

  begin(): Transaction {
    invariant(this.writer === undefined, 'one transaction at a time');
    this.writer = new StoreTransaction(this, this.versionMax + 1, this.commitOf(this.latestVersion) + 1);
    return this.writer;
  }

  /** A writer has its own interner, and a reader may have one. */
  openView(version: number, interner = this.interner): StoreView {
    invariant(!this.isClosed, 'nothing more is read of a closed store');
    return this.viewOf(version, interner);
  }

  private viewOf(version: number, interner = this.interner, cache: SnapshotCache | null = null): StoreView {
    const view = new StoreView(this, version, interner, cache);
    this.openViews += 1;
    this.viewsAt.set(version, (this.viewsAt.get(version) ?? 0) + 1);
    return view;
  }

  closeView(openedAt: number): void {
    this.openViews -= 1;
    const others = (this.viewsAt.get(openedAt) ?? 0) - 1;
    if (others === 0) this.viewsAt.delete(openedAt);
    else this.viewsAt.set(openedAt, others);
    this.releaseBase();
    if (this.writer !== undefined || !this.hasPast) return;
    // A shared view must not keep a state without readers. Its own release ends up here too.
    if (this.openViews === 1 && this.sharedView !== undefined) this.releaseSharedView();
    else if (this.openViews === 0) this.dropPast();
    else if (this.hasNews && this.openViews - (this.sharedView === undefined ? 0 : 1) === this.forks) this.vacuum();
  }

  /** Call only while no reader but forks is open. */
  private vacuum(): void {
    for (const states of this.components.values()) if (states.isWorking) return;
    this.hasNews = false;
    this.stored.vacuum([...new Set([...this.viewsAt.keys(), this.version])]);
    for (const [component, states] of this.components) {
      if (!states.needsVacuum) continue;
      states.dropUnseen(this.keysInUse(component), this.version);
      states.vacuum();
    }
  }

  private keysInUse(component: Component): ReadonlySet<string> {
    return new Set([...this.viewsAt.keys()].map((version) => this.keyAt(component, version)));
  }

  private notePast(): void {
    if (this.isGuest) return;
    this.hasPast = true;
    this.hasNews = true;
  }

  private dropPast(): void {
    this.hasPast = false;
    this.hasNews = false;
    this.stored.dropPast(this.version);
    for (const component of this.components.values()) component.dropPast();
  }

  /** An unsettled version may still change. */
  reader(path: string, version: number, isSettled: boolean): RelationReader {
    const info = this.program.relations.get(path);
    invariant(info !== undefined, `${path} is declared`);
    const state = this.stored.at(path, version);
    return new Reader(info, this.stored.of(path).relation, version, {
      size: state.size,
      state,
      writer: this.writerOf(version),
      isSettled: isSettled || version <= this.latestVersion,
      commitOf: (birth) => this.commitOf(birth),
    });
  }

  /** The open transaction that wrote this version, or null if committed. */
  writerOf(version: number): Writer | null {
    if (version <= this.version) return null;
    return this.prepared.find(({ view }) => version <= view.version) ?? this.writer ?? UNDONE;
  }

  /** Ends the writing of this transaction, so that the next can begin. */
  prepare(transaction: StoreTransaction): void {
    invariant(this.writer === transaction, 'the transaction is being written');
    const { version } = transaction.view;
    this.writer = undefined;
    this.prepared.push(transaction);
    this.commits.push(version);
    this.versionMax = Math.max(this.versionMax, version);
  }

  /** Commits the oldest prepared transaction. */
  commit(transaction: StoreTransaction, touched: Iterable<string>): void {
    invariant(this.prepared[0] === transaction, 'transactions are committed in the order of their writing');
    this.prepared.shift();
    const { version } = transaction.view;
    this.version = version;
    this.stored.commit(touched, version);
    this.notePast();
    this.releaseSharedView();
    this.dropUnseen(touched);
  }

  /** Drops states that no open view sees, once they are many. With forks, some views are always open. */
  private dropUnseen(touched: Iterable<string>): void {
    const many = 2 * this.viewsAt.size + STATES_AT_EASE;
    this.stored.dropUnseen(touched, many, [...this.viewsAt.keys(), this.version]);
    for (const [component, states] of this.components) {
      if (states.pointsMax > many) states.dropUnseen(this.keysInUse(component), this.version);
    }
  }

  /** Undoes the writer or, without one, the youngest prepared transaction. */
  rollback(transaction: StoreTransaction, touched: Iterable<string>): void {
    const youngest = this.writer ?? this.prepared.pop();
    invariant(youngest === transaction, 'nothing is undone that another transaction goes on from');
    if (this.writer === undefined) this.commits.pop();
    this.writer = undefined;
    this.versionMax = Math.max(this.versionMax, transaction.view.version);
    this.undoWriter(this.latestVersion, touched);
  }

  /** Undoes what was written to these relations after the version. */
  undoWriter(version: number, touched: Iterable<string>): void {
    for (const component of this.components.values()) component.undoTo(version);
    this.stored.rollback(touched, version);
    this.notePast();
  }

  /**
   * The relations of a component in the state of the inputs. Derives them if needed, or waits for work under way. A
   * fork has its own relations only for components whose inputs have changed.
   */
  evaluated(component: Component, inputs: Inputs, deadline: Deadline): MaybePromise<ReadonlyMap<string, Materialised>> {
    const key = this.keyAt(component, inputs.version);
    const known = this.known(component, key);
    if (known !== undefined) return known;
    if (this.keyBelow(component) === key) return this.deriveBelow(component, deadline);
    this.notePast();
    return this.statesOf(component).at(key, this.settled(component, key, inputs), deadline);
  }

  /** Whether `evaluated` has the relations at once. */
  isDerived(component: Component, version: number): boolean {
    return this.known(component, this.keyAt(component, version)) !== undefined;
  }

  /** Whether the component has been derived in some state, here or in parents, so that changes are maintained. */
  isMaintained(component: Component): boolean {
    return (
      this.components.get(component)?.hasStates === true ||
      this.derivedBelow.has(component) ||
      this.from?.store.isMaintained(component) === true
    );
  }

  /**
   * If a writer has not changed the component's inputs, uses the inputs of the state before, which others read too, and
   * longer.
   */
  private settled(component: Component, key: string, inputs: Inputs): Inputs {
    if (inputs.version <= this.version) return { ...inputs, interner: this.interner };
    const before = [this.version, ...this.prepared.map(({ view }) => view.version)];
    const version = before.find((each) => this.keyAt(component, each) === key);
    return version === undefined ? inputs : { ...inputs, version, interner: this.interner };
  }

  /** The same if already derived: here, or in the parent if no input has changed since. */
  private known(component: Component, key: string): ReadonlyMap<string, Materialised> | undefined {
    const own = this.components.get(component)?.known(key);
    if (own !== undefined || this.from === null || this.keyBelow(component) !== key) return own;
    return this.derivedBelow.get(component) ?? this.keepBelow(component, this.from.store.known(component, key));
  }

  private deriveBelow(component: Component, deadline: Deadline): MaybePromise<ReadonlyMap<string, Materialised>> {
    invariant(this.from !== null, 'only a fork has a store parent');
    return andThen(this.from.view.inputsFor(component.paths, deadline), ({ derived }) =>
      this.keepBelow(component, new Map(component.paths.map((path) => [path, derived(path)]))),
    );
  }

  private keepBelow<R extends ReadonlyMap<string, Materialised> | undefined>(component: Component, relations: R): R {
    if (relations !== undefined) this.derivedBelow.set(component, relations);
    return relations;
  }

  /** In the state at this version if derived, else in the last derived one, here or in parents. */
  knownSize(path: string, version: number): KnownSize | undefined {
    const component = this.program.componentOf(path);
    const current = this.known(component, this.keyAt(component, version))?.get(path);
    if (current !== undefined) return { size: current.size, isCurrent: true };
    const size = this.components.get(component)?.lastSize(path);
    if (size !== undefined) return { size, isCurrent: false };
    const parent = this.from?.store.knownSize(path, this.from.view.version);
    return parent && { size: parent.size, isCurrent: false };
  }

  private statesOf(component: Component): ComponentStates {
    const known = this.components.get(component);
    if (known !== undefined) return known;
    const { from } = this;
    const parent =
      from === null
        ? undefined
        : async (deadline: Deadline): Promise<ParentComponent> => ({
            version: from.view.version,
            key: this.keyBelow(component) as string,
            cost: from.store.costOf(component),
            relations: this.derivedBelow.get(component) ?? (await this.deriveBelow(component, deadline)),
            totals: from.store.totalsAt(component, this.keyBelow(component) as string),
            derived: (path) => this.derivedBelow.get(this.program.componentOf(path))?.get(path),
          });
    const states = new ComponentStates(component, this.limits, parent);
    this.components.set(component, states);
    return states;
  }

  /** Rows that the last evaluation visited, approximately, here or in parents. */
  private costOf(component: Component): number {
    return this.components.get(component)?.cost ?? this.from?.store.costOf(component) ?? 0;
  }

  /** Totals of its aggregates in the state with this key, here or in the parent if this store continues that state. */
  private totalsAt(component: Component, key: string): MaintainedTotals | undefined {
    const own = this.components.get(component)?.totalsAt(key);
    if (own !== undefined || this.from === null || this.keyBelow(component) !== key) return own;
    return this.from.store.totalsAt(component, key);
  }

  /** The key of the state at which a fork began. */
  private keyBelow(component: Component): string | undefined {
    return this.from?.store.keyAt(component, this.from.view.version);
  }

  /** Equal for states with equal inputs of the component. */
  private keyAt(component: Component, version: number): string {
    return this.stored.keyAt(component.storedReads, version);
  }

  /** The number of the commit that made this version. Those of a fork continue its parent's. */
  private commitOf(version: number): number {
    const { from } = this;
    if (from !== null && version <= from.view.version) return from.store.commitOf(version);
    const before = from === null ? 1 : from.store.commitOf(from.view.version);
    if (from === null && version <= 1) return before;
    let [low, high] = [0, this.commits.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.commits[middle] ?? 0) < version) low = middle + 1;
      else high = middle;
    }
    return before + low + 1;
  }
}
