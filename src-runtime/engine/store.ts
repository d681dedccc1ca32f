/** The facts of one scope in memory: stored relations by version, derived ones kept for the states that still read them. */

import { invariant } from '../base/invariant.js';
import type { Pacer } from '../base/ports.js';
import { type Below, ComponentStates } from './components.js';
import type { Inputs, Materialised } from './inputs.js';
import { type Component, type EngineProgram, engineProgram } from './program.js';
import { Reader } from './reader.js';
import { Relation } from './relation.js';
import type { Program, RelationReader, Transaction, View } from './types.js';
import type { Interner } from './values/codec.js';

export interface FactStoreOptions {
  /** Facts that one rule may derive; 20 million unless given. */
  readonly factsMax?: number;
  /** Rows that maintaining a change may visit before it is weighed against evaluating anew; 5,000 unless given. */
  readonly maintenanceCostMin?: number;
}

const FACTS_MAX = 20_000_000;
const MAINTENANCE_COST_MIN = 5_000;

/** The state that a relation has from a version on. Readers know the state by this very object. */
interface StateEntry {
  readonly version: number;
  readonly revision: number;
  readonly size: number;
}

/** Which version left a relation in which state. Revisions are never used twice, so equal revisions mean equal facts. */
interface StoredState {
  readonly relation: Relation;
  /** Rows that the last committed version sees. */
  committedSize: number;
  /** Rows that the writer sees. */
  writtenSize: number;
  /** Ascending; the first entry is that of the empty relation. */
  history: StateEntry[];
  /** The writer's, by the version since which it sees them; none until it has changed the relation. */
  pending: StateEntry[];
}

/** What a fork goes on from. The view keeps the state until the fork is closed. */
interface ForkedFrom {
  readonly store: FactStore;
  readonly view: StoreView;
}

/** Numbers changes, over a store and all its forks. */
interface Revisions {
  last: number;
}

export class FactStore {
  readonly program: EngineProgram;
  readonly interner: Interner;
  readonly factsMax: number;
  private readonly maintenanceCostMin: number;
  private readonly states = new Map<string, StoredState>();
  private readonly components = new Map<Component, ComponentStates>();
  /** The last committed one. A transaction takes a new one whenever it changes what it has derived from. */
  private version: number;
  /** The last version of each commit of its own. */
  private readonly commits: number[] = [];
  private readonly revisions: Revisions;
  private readonly from: ForkedFrom | null;
  private writer: StoreTransaction | undefined;
  private readonly openViews = new Set<StoreView>();
  private hasPast = false;
  private isClosed = false;

  constructor(
    program: Program,
    interner: Interner,
    options: FactStoreOptions = {},
    from: ForkedFrom | null = null,
    revisions: Revisions = { last: 0 },
  ) {
    this.program = engineProgram(program);
    this.interner = interner;
    this.factsMax = options.factsMax ?? FACTS_MAX;
    this.maintenanceCostMin = options.maintenanceCostMin ?? MAINTENANCE_COST_MIN;
    this.from = from;
    this.revisions = revisions;
    this.version = from === null ? 1 : from.view.version;
  }

  /**
   * A store that begins as the last committed state, or as what an open view of this store sees, and goes on by itself, as
   * an overlay: what it has not changed it reads from here, derived facts too. It has to be closed, as it keeps this store
   * from dropping what has died since.
   */
  fork(at: StoreView | null = null): FactStore {
    // What an open view sees stays, even where the store has been closed meanwhile.
    const view = at === null ? this.openView(this.version) : this.viewOf(at.version);
    const { factsMax, maintenanceCostMin } = this;
    const options = { factsMax, maintenanceCostMin };
    return new FactStore(this.program, this.interner, options, { store: this, view }, this.revisions);
  }

  /** Lets go of what the store was forked from once all views and forks of it are released; no more may be taken. */
  close(): void {
    this.isClosed = true;
    this.releaseBase();
  }

  private releaseBase(): void {
    if (this.isClosed && this.openViews.size === 0) this.from?.view.release();
  }

  /** The last committed state. */
  view(): View {
    return this.openView(this.version);
  }

  begin(): Transaction {
    invariant(this.writer === undefined, 'one transaction at a time');
    this.writer = new StoreTransaction(this, this.version + 1, this.commitOf(this.version) + 1);
    return this.writer;
  }

  openView(version: number): StoreView {
    invariant(!this.isClosed, 'nothing more is read of a closed store');
    return this.viewOf(version);
  }

  private viewOf(version: number): StoreView {
    const view = new StoreView(this, version);
    this.openViews.add(view);
    return view;
  }

  closeView(view: StoreView): void {
    this.openViews.delete(view);
    this.releaseBase();
    if (this.openViews.size > 0 || this.writer !== undefined || !this.hasPast) return;
    this.hasPast = false;
    for (const state of this.states.values()) {
      state.history = state.history.slice(-1);
      const { relation } = state;
      const isSparse = relation.count > 64 && state.committedSize * 2 < relation.count;
      if (isSparse && relation.base === null) relation.compact(this.version);
    }
    for (const component of this.components.values()) component.forgetPast();
  }

  state(path: string): StoredState {
    const state = this.states.get(path) ?? this.newState(path);
    this.states.set(path, state);
    return state;
  }

  private newState(path: string): StoredState {
    const info = this.program.relations.get(path);
    invariant(info !== undefined && !this.program.isRule(path), `${path} is a concept, a field or a stored relation`);
    const common = { writtenSize: 0, pending: [] };
    if (this.from === null) {
      const relation = Relation.stored(info.endpoints.length);
      return { ...common, relation, committedSize: 0, history: [{ version: 0, revision: 0, size: 0 }] };
    }
    const { store } = this.from;
    const { version } = this.from.view;
    const state = store.stateAt(path, version);
    return {
      ...common,
      relation: Relation.overlay({ relation: store.state(path).relation, version }),
      committedSize: state.size,
      history: [state],
    };
  }

  reader(path: string, version: number): RelationReader {
    const info = this.program.relations.get(path);
    invariant(info !== undefined, `${path} is declared`);
    const state = this.stateAt(path, version);
    return new Reader(info, this.state(path).relation, version, {
      size: state.size,
      state,
      isCommitted: this.isCommitted(version),
      commitOf: (birth) => this.commitOf(birth),
    });
  }

  /** Whether the version stays as it is. */
  isCommitted(version: number): boolean {
    return version <= this.version;
  }

  /** Notes that the writer changes the relation at its present version. */
  touch(path: string, version: number): StoredState {
    const state = this.state(path);
    const { pending } = state;
    const last = pending.at(-1);
    if (last === undefined) state.writtenSize = state.committedSize;
    else pending[pending.length - 1] = { ...last, size: state.writtenSize };
    this.revisions.last += 1;
    if (last?.version === version) pending.pop();
    pending.push({ version, revision: this.revisions.last, size: state.writtenSize });
    return state;
  }

  /** Ends the writer, whose last version this is; what it wrote becomes the committed state, or is gone. */
  finish(touched: Iterable<string>, version: number, isCommit: boolean): void {
    if (isCommit) {
      this.version = version;
      this.commits.push(version);
    } else for (const component of this.components.values()) component.undoTo(this.version);
    for (const path of touched) {
      const state = this.state(path);
      const last = state.pending.at(-1);
      if (isCommit && last !== undefined) {
        state.committedSize = state.writtenSize;
        state.history.push({ version, revision: last.revision, size: state.writtenSize });
      } else state.relation.undoTo(this.version);
      state.pending = [];
    }
    this.hasPast = true;
    this.writer = undefined;
  }

  /** The relations of a component in the state that the inputs have, derived unless that has been done or is under way. */
  evaluated(component: Component, inputs: Inputs, pacer: Pacer): Promise<ReadonlyMap<string, Materialised>> {
    this.hasPast = true;
    return this.statesOf(component).at(this.keyAt(component, inputs.version), inputs, pacer);
  }

  private statesOf(component: Component): ComponentStates {
    const known = this.components.get(component);
    if (known !== undefined) return known;
    const { from } = this;
    const below =
      from === null
        ? undefined
        : async (pacer: Pacer): Promise<Below> => {
            const { version } = from.view;
            const { derived } = await from.view.inputsFor(component.paths, pacer);
            return {
              version,
              key: from.store.keyAt(component, version),
              cost: from.store.statesOf(component).cost,
              relations: new Map(component.paths.map((path) => [path, derived(path)])),
            };
          };
    const states = new ComponentStates(component, this.maintenanceCostMin, below);
    this.components.set(component, states);
    return states;
  }

  /** Equal for states that agree in everything the component reads. */
  private keyAt(component: Component, version: number): string {
    return component.storedReads.map((path) => this.revisionAt(path, version)).join(' ');
  }

  private revisionAt(path: string, version: number): number {
    return this.stateAt(path, version).revision;
  }

  private stateAt(path: string, version: number): StateEntry {
    const { history, pending, writtenSize } = this.state(path);
    const isBefore = (entry: StateEntry): boolean => entry.version <= version;
    const written = pending.findLast(isBefore);
    // The writer goes on to change its last state.
    if (written !== undefined) return written === pending.at(-1) ? { ...written, size: writtenSize } : written;
    return history.findLast(isBefore) ?? { version, revision: 0, size: 0 };
  }

  /** The number of the commit that made this version; those of a fork go on from where it began. */
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

export class StoreView implements View {
  readonly store: FactStore;
  /** The writer's grows with its changes. */
  version: number;
  /** True once something has been derived from this version, so that the writer needs another one for its next change. */
  isSealed = false;
  private isReleased = false;

  constructor(store: FactStore, version: number) {
    this.store = store;
    this.version = version;
  }

  get program(): EngineProgram {
    return this.store.program;
  }

  get interner(): Interner {
    return this.store.interner;
  }

  stored(path: string): RelationReader {
    this.assertOpen();
    return this.store.reader(path, this.version);
  }

  async materialise(path: string, pacer: Pacer): Promise<RelationReader> {
    this.assertOpen();
    const info = this.program.relations.get(path);
    invariant(info !== undefined, `${path} is declared`);
    if (!this.program.isRule(path)) return this.stored(path);
    const state = (await this.inputsFor([path], pacer)).derived(path);
    const { relation, version, size } = state;
    return new Reader(info, relation, version, { size, state, isCommitted: this.store.isCommitted(version) });
  }

  /** What is needed to read these relations: rules among them, and those behind them, are evaluated. */
  async inputsFor(paths: Iterable<string>, pacer: Pacer): Promise<Inputs> {
    this.assertOpen();
    const { store, version } = this;
    this.isSealed = true;
    const derived = new Map<string, Materialised>();
    const inputs: Inputs = {
      program: this.program,
      interner: this.interner,
      version,
      factsMax: store.factsMax,
      stored: (path) => store.state(path).relation,
      derived: (path) => {
        const materialised = derived.get(path);
        invariant(materialised !== undefined, `${path} has been evaluated`);
        return materialised;
      },
    };
    for (const component of this.program.componentsFor(paths)) {
      const relations = await store.evaluated(component, inputs, pacer);
      for (const [path, materialised] of relations) derived.set(path, materialised);
    }
    return inputs;
  }

  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    this.store.closeView(this);
  }

  private assertOpen(): void {
    invariant(!this.isReleased, 'a view is not read after its release');
  }
}

class StoreTransaction implements Transaction {
  readonly view: StoreView;
  readonly version: number;
  private readonly store: FactStore;
  private readonly touched = new Set<string>();
  private isFinished = false;

  constructor(store: FactStore, firstVersion: number, commit: number) {
    this.store = store;
    this.version = commit;
    this.view = store.openView(firstVersion);
  }

  insert(path: string, codes: readonly number[]): boolean {
    this.assertOpen();
    const { relation } = this.store.state(path);
    invariant(codes.length === relation.arity, `a fact of ${path} has ${relation.arity} values`);
    if (relation.find(codes, this.view.version) >= 0) return false;
    const state = this.change(path);
    state.writtenSize += 1;
    // A row that died at the present version keeps its place when it comes back.
    const died = relation.findDead(codes, this.view.version);
    if (died >= 0) relation.revive(died);
    else relation.append(codes, this.view.version);
    return true;
  }

  delete(path: string, codes: readonly number[]): boolean {
    this.assertOpen();
    const row = this.store.state(path).relation.find(codes, this.view.version);
    if (row < 0) return false;
    this.kill(path, row);
    return true;
  }

  deleteMatching(path: string, pattern: readonly (number | null)[]): number[][] {
    this.assertOpen();
    const { relation } = this.store.state(path);
    const columns = [...pattern.keys()].filter((column) => pattern[column] !== null);
    const key = columns.map((column) => pattern[column] ?? 0);
    return relation.matching(columns, key, this.view.version).map((row) => {
      this.kill(path, row);
      return relation.rowAt(row);
    });
  }

  mark(): View {
    this.assertOpen();
    this.view.isSealed = true;
    return this.store.openView(this.view.version);
  }

  commit(): void {
    this.end(true);
  }

  rollback(): void {
    this.end(false);
  }

  private end(isCommit: boolean): void {
    this.assertOpen();
    this.isFinished = true;
    this.store.finish(this.touched, this.view.version, isCommit);
    this.view.release();
  }

  private kill(path: string, row: number): void {
    const { relation } = this.change(path);
    this.store.state(path).writtenSize -= 1;
    relation.kill(row, this.view.version);
  }

  /** Before each change: what has been derived keeps the version that it was derived from. */
  private change(path: string): ReturnType<FactStore['touch']> {
    if (this.view.isSealed) {
      this.view.version += 1;
      this.view.isSealed = false;
    }
    this.touched.add(path);
    return this.store.touch(path, this.view.version);
  }

  private assertOpen(): void {
    invariant(!this.isFinished, 'a transaction is over after commit or rollback');
  }
}
