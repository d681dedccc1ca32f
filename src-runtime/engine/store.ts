/** The facts of one scope in memory: stored relations by version, derived ones kept for the states that still read them. */

import { invariant } from '../base/invariant.js';
import { DeadlineExceeded, type Pacer } from '../base/ports.js';
import { SharedWork } from './drive.js';
import { evaluateComponent, type Inputs, type Materialised } from './evaluate.js';
import { type Component, type EngineProgram, engineProgram } from './program.js';
import { matchingRows, Reader } from './reader.js';
import { ALIVE, Relation } from './relation.js';
import type { Program, RelationReader, Transaction, View } from './types.js';
import type { Interner } from './values/codec.js';

export interface FactStoreOptions {
  /** Facts that one rule may derive; 20 million unless given. */
  readonly factsMax?: number;
}

const FACTS_MAX = 20_000_000;

/** States of one component's relations that are kept: the committed one, the writer's, and what a slow reader still needs. */
const EVALUATIONS_KEPT = 3;

type Evaluation = SharedWork<ReadonlyMap<string, Materialised>>;

/** Which version left a relation in which state. Revisions are never used twice, so equal revisions mean equal facts. */
interface StoredState {
  readonly relation: Relation;
  /** Ascending; the first entry is that of the empty relation. */
  history: { readonly version: number; readonly revision: number }[];
  /** The writer's, once it has changed the relation. */
  pending: number | undefined;
}

export class FactStore {
  readonly program: EngineProgram;
  readonly interner: Interner;
  readonly factsMax: number;
  private readonly states = new Map<string, StoredState>();
  private readonly evaluations = new Map<Component, Map<string, Evaluation>>();
  private version = 1;
  private revisions = 0;
  private writer: StoreTransaction | undefined;
  private readonly activeVersions = new Map<StoreView, number>();

  constructor(program: Program, interner: Interner, options: FactStoreOptions = {}) {
    this.program = engineProgram(program);
    this.interner = interner;
    this.factsMax = options.factsMax ?? FACTS_MAX;
    for (const [path, info] of program.relations) {
      if (this.program.isRule(path)) continue;
      const relation = new Relation(info.endpoints.length, true);
      this.states.set(path, { relation, history: [{ version: 0, revision: 0 }], pending: undefined });
    }
  }

  /** The last committed state. */
  view(): View {
    return this.openView(this.version);
  }

  begin(): Transaction {
    invariant(this.writer === undefined, 'one transaction at a time');
    this.writer = new StoreTransaction(this, this.version + 1);
    return this.writer;
  }

  openView(version: number): StoreView {
    const view = new StoreView(this, version);
    this.activeVersions.set(view, version);
    return view;
  }

  closeView(view: StoreView): void {
    this.activeVersions.delete(view);
    if (this.activeVersions.size > 0 || this.writer !== undefined) return;
    for (const state of this.states.values()) {
      state.history = state.history.slice(-1);
      const { relation } = state;
      if (relation.count > 64 && relation.committedSize * 2 < relation.count) relation.compact(this.version);
    }
  }

  state(path: string): StoredState {
    const state = this.states.get(path);
    invariant(state !== undefined, `${path} is a concept, a field or a stored relation`);
    return state;
  }

  touch(path: string): Relation {
    const state = this.state(path);
    const { relation } = state;
    if (state.pending === undefined) {
      relation.writtenAt = this.version + 1;
      relation.writtenSize = relation.committedSize;
    }
    this.revisions += 1;
    state.pending = this.revisions;
    return relation;
  }

  /** Ends the writer; what it wrote becomes the committed state, or is gone. */
  finish(touched: Iterable<string>, isCommit: boolean): void {
    if (isCommit) this.version += 1;
    for (const path of touched) {
      const state = this.state(path);
      const { relation, pending } = state;
      if (isCommit && pending !== undefined) {
        relation.committedSize = relation.writtenSize;
        relation.committedAt = this.version;
        state.history.push({ version: this.version, revision: pending });
      }
      relation.writtenAt = 0;
      state.pending = undefined;
    }
    this.writer = undefined;
  }

  revisionAt(path: string, version: number): number {
    const { history, pending } = this.state(path);
    if (pending !== undefined && version > this.version) return pending;
    for (let index = history.length - 1; index >= 0; index--) {
      const entry = history[index];
      if (entry !== undefined && entry.version <= version) return entry.revision;
    }
    return 0;
  }

  /** The relations of a component in the state that the inputs have, evaluated unless that has been done or is under way. */
  async evaluated(component: Component, inputs: Inputs, pacer: Pacer): Promise<ReadonlyMap<string, Materialised>> {
    const kept = this.evaluations.get(component) ?? new Map<string, Evaluation>();
    this.evaluations.set(component, kept);
    const key = component.storedReads.map((path) => this.revisionAt(path, inputs.version)).join(' ');
    const evaluation = kept.get(key) ?? new SharedWork(evaluateComponent(inputs, component));
    // Moved to the end, so that the first is the one that was not wanted for longest.
    kept.delete(key);
    kept.set(key, evaluation);
    try {
      return await evaluation.result(pacer);
    } catch (error) {
      if (!(error instanceof DeadlineExceeded) || error.rule !== undefined) throw error;
      throw new DeadlineExceeded(error.budgetMs, component.paths[0]);
    } finally {
      if ((evaluation.hasFailed || evaluation.isAbandoned) && kept.get(key) === evaluation) kept.delete(key);
      for (const oldest of kept.keys()) if (kept.size > EVALUATIONS_KEPT) kept.delete(oldest);
    }
  }
}

export class StoreView implements View {
  readonly store: FactStore;
  readonly version: number;
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
    const info = this.program.relations.get(path);
    invariant(info !== undefined, `${path} is declared`);
    return new Reader(info, this.store.state(path).relation, this.version);
  }

  async materialise(path: string, pacer: Pacer): Promise<RelationReader> {
    this.assertOpen();
    const info = this.program.relations.get(path);
    invariant(info !== undefined, `${path} is declared`);
    if (!this.program.isRule(path)) return this.stored(path);
    const inputs = await this.inputsFor([path], pacer);
    return new Reader(info, inputs.derived(path).relation, this.version);
  }

  /** What is needed to read these relations: rules among them, and those behind them, are evaluated. */
  async inputsFor(paths: Iterable<string>, pacer: Pacer): Promise<Inputs> {
    this.assertOpen();
    const { store } = this;
    const derived = new Map<string, Materialised>();
    const inputs: Inputs = {
      program: this.program,
      interner: this.interner,
      version: this.version,
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

/** One change of a row, as it is undone. */
interface Change {
  readonly path: string;
  readonly row: number;
  readonly kind: 'born' | 'died' | 'revived';
}

class StoreTransaction implements Transaction {
  readonly view: StoreView;
  private readonly store: FactStore;
  readonly version: number;
  private readonly changes: Change[] = [];
  private isFinished = false;

  constructor(store: FactStore, version: number) {
    this.store = store;
    this.version = version;
    this.view = store.openView(version);
  }

  insert(path: string, codes: readonly number[]): boolean {
    this.assertOpen();
    const { relation } = this.store.state(path);
    invariant(codes.length === relation.arity, `a fact of ${path} has ${relation.arity} values`);
    if (relation.find(codes, this.version) >= 0) return false;
    this.store.touch(path);
    relation.writtenSize += 1;
    const died = this.rowThatDied(relation, codes);
    if (died >= 0) {
      relation.death[died] = ALIVE;
      this.changes.push({ path, row: died, kind: 'revived' });
      return true;
    }
    const row = relation.append(codes);
    relation.birth[row] = this.version;
    relation.death[row] = ALIVE;
    this.changes.push({ path, row, kind: 'born' });
    return true;
  }

  delete(path: string, codes: readonly number[]): boolean {
    this.assertOpen();
    const row = this.store.state(path).relation.find(codes, this.version);
    if (row < 0) return false;
    this.kill(path, row);
    return true;
  }

  deleteMatching(path: string, pattern: readonly (number | null)[]): number[][] {
    this.assertOpen();
    const { relation } = this.store.state(path);
    const columns = [...pattern.keys()].filter((column) => pattern[column] !== null);
    const key = columns.map((column) => pattern[column] ?? 0);
    return matchingRows(relation, columns, key, this.version).map((row) => {
      this.kill(path, row);
      return relation.rowAt(row);
    });
  }

  commit(): void {
    this.end(true);
  }

  rollback(): void {
    for (const { path, row, kind } of this.changes.reverse()) {
      // A row that was never born in any version is dead in all of them.
      this.store.state(path).relation.death[row] = kind === 'born' ? 0 : kind === 'died' ? ALIVE : this.version;
    }
    this.end(false);
  }

  private end(isCommit: boolean): void {
    this.assertOpen();
    this.isFinished = true;
    this.store.finish(new Set(this.changes.map((change) => change.path)), isCommit);
    this.view.release();
  }

  private kill(path: string, row: number): void {
    const relation = this.store.touch(path);
    relation.writtenSize -= 1;
    relation.death[row] = this.version;
    this.changes.push({ path, row, kind: 'died' });
  }

  /** The row of this tuple that this transaction deleted; it keeps its place when it comes back. */
  private rowThatDied(relation: Relation, codes: readonly number[]): number {
    let row = relation.identity.find(relation.rows, codes);
    while (row >= 0 && relation.death[row] !== this.version) row = relation.identity.next[row] ?? -1;
    return row;
  }

  private assertOpen(): void {
    invariant(!this.isFinished, 'a transaction is over after commit or rollback');
  }
}
