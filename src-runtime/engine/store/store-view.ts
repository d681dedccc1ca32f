/** One version of a store as a reader sees it. Derived relations are evaluated when they are read. */

import type { Condition, Expression } from '../../artifact/types.js';
import { invariant } from '../../base/invariant.js';
import { andThen, type Deadline, type MaybePromise } from '../../base/ports.js';
import type { Inputs, Materialised } from '../evaluate/inputs.js';
import type { Component, EngineProgram } from '../program/program.js';
import { Reader } from '../relation/reader.js';
import type { KnownSize, RelationInfo, RelationReader, View } from '../types.js';
import type { Interner } from '../values/codec.js';
import type { Value } from '../values/value.js';
import { materialiseAsked } from './questions.js';
import type { Search } from './search.js';
import type { BoundExpression } from './solve.js';
import type { FactStore } from './store.js';

export class StoreView implements View {
  readonly store: FactStore;
  /** Grows with the changes of a writer. */
  version: number;
  /** The version at opening. Only the writer's view grows. */
  readonly openedAt: number;
  /**
   * True once something was derived from this version or it was marked. Then the writer takes a new version for its
   * next change.
   */
  isSealed = false;
  /** Shared with the other views of the last committed state; null for a separate view. */
  readonly cache: SnapshotCache | null;
  readonly interner: Interner;
  private isReleased = false;
  /** Of a view without a cache, for the version that it sees now. */
  private answers: { readonly version: number; readonly by: Answers } | undefined;

  constructor(store: FactStore, version: number, interner: Interner, cache: SnapshotCache | null) {
    this.store = store;
    this.version = version;
    this.openedAt = version;
    this.interner = interner;
    this.cache = cache;
  }

  get program(): EngineProgram {
    return this.store.program;
  }

  get shared(): object | null {
    return this.cache;
  }

  stored(path: string): RelationReader {
    this.assertOpen();
    const known = this.cache?.readers.get(path);
    if (known !== undefined) return known;
    const reader = this.store.reader(path, this.version, this.isSealed);
    this.cache?.readers.set(path, reader);
    return reader;
  }

  materialise(path: string, deadline: Deadline): MaybePromise<RelationReader> {
    this.assertOpen();
    const info = this.program.relations.get(path);
    invariant(info !== undefined, `${path} is declared`);
    return this.program.isRule(path) ? this.derived(info, deadline) : this.stored(path);
  }

  materialiseLike(path: string, values: readonly Value[], deadline: Deadline): MaybePromise<RelationReader> {
    this.assertOpen();
    return materialiseAsked(this, path, values, deadline);
  }

  private derived(info: RelationInfo, deadline: Deadline): MaybePromise<RelationReader> {
    return andThen(this.inputsFor([info.path], deadline), (inputs) => this.derivedReader(info, inputs));
  }

  private derivedReader(info: RelationInfo, inputs: Inputs): RelationReader {
    const state = inputs.derived(info.path);
    const { relation, version, size } = state;
    const writer = this.store.writerOf(version);
    return new Reader(info, relation, version, { size, state, writer, isSettled: true });
  }

  knownSize(path: string): KnownSize | undefined {
    this.assertOpen();
    if (this.program.isRule(path)) return this.store.knownSize(path, this.version);
    return { size: this.stored(path).size, isCurrent: true };
  }

  /** The inputs for reading these relations. Evaluates the rules among them and those that they read. */
  inputsFor(paths: Iterable<string>, deadline: Deadline): MaybePromise<Inputs> {
    this.assertOpen();
    const { store, version } = this;
    this.isSealed = true;
    const derived = new Map<string, Materialised>();
    const inputs: Inputs = {
      program: this.program,
      interner: this.interner,
      version,
      factsMax: store.factsMax,
      stored: (path) => store.stored.of(path).relation,
      derived: (path) => {
        const materialised = derived.get(path);
        invariant(materialised !== undefined, `${path} has been evaluated`);
        return materialised;
      },
    };
    return this.evaluate(this.program.componentsFor(paths), 0, inputs, derived, deadline);
  }

  /** Evaluates the components from this one on. Returns a promise only if one has to be derived. */
  private evaluate(
    components: readonly Component[],
    from: number,
    inputs: Inputs,
    derived: Map<string, Materialised>,
    deadline: Deadline,
  ): MaybePromise<Inputs> {
    const keep = (relations: ReadonlyMap<string, Materialised>): void => {
      for (const [path, materialised] of relations) derived.set(path, materialised);
    };
    for (let index = from; index < components.length; index++) {
      const relations = this.store.evaluated(components[index] as Component, inputs, deadline);
      if (relations instanceof Promise) {
        return relations.then((came) => {
          keep(came);
          return this.evaluate(components, index + 1, inputs, derived, deadline);
        });
      }
      keep(relations);
    }
    return inputs;
  }

  /** What has been derived for questions with this condition at this state, by their values. */
  answersTo(condition: Condition): Map<string, Inputs> {
    if (this.cache === null && this.answers?.version !== this.version)
      this.answers = { version: this.version, by: new WeakMap() };
    const by = this.cache?.answers ?? (this.answers as { readonly by: Answers }).by;
    const known = by.get(condition) ?? new Map<string, Inputs>();
    by.set(condition, known);
    return known;
  }

  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    this.store.closeView(this.openedAt);
  }

  private assertOpen(): void {
    invariant(!this.isReleased, 'a view is not read after its release');
  }
}

type Answers = WeakMap<Condition, Map<string, Inputs>>;

export class SnapshotCache {
  /** Of stored relations, by path. */
  readonly readers = new Map<string, RelationReader>();
  /** The last search of each condition, which may be under way. Conditions from text are dropped with their request. */
  readonly searches = new WeakMap<Condition, Search>();
  readonly expressions = new WeakMap<Expression, BoundExpression>();
  readonly answers: Answers = new WeakMap();
}
