/** What a reader sees of a store: one version, and what follows from it, evaluated when it is asked for. */

import { invariant } from '../base/invariant.js';
import type { Pacer, Soon } from '../base/ports.js';
import type { Inputs, Materialised } from './inputs.js';
import type { Component, EngineProgram } from './program.js';
import { Reader } from './reader.js';
import type { FactStore } from './store.js';
import type { KnownSize, RelationInfo, RelationReader, View } from './types.js';
import type { Interner } from './values/codec.js';

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

  materialise(path: string, pacer: Pacer): Soon<RelationReader> {
    this.assertOpen();
    const info = this.program.relations.get(path);
    invariant(info !== undefined, `${path} is declared`);
    return this.program.isRule(path) ? this.derived(info, pacer) : this.stored(path);
  }

  private async derived(info: RelationInfo, pacer: Pacer): Promise<RelationReader> {
    const state = (await this.inputsFor([info.path], pacer)).derived(info.path);
    const { relation, version, size } = state;
    return new Reader(info, relation, version, { size, state, isCommitted: this.store.isCommitted(version) });
  }

  knownSize(path: string): KnownSize | undefined {
    this.assertOpen();
    if (this.program.isRule(path)) return this.store.knownSize(path, this.version);
    return { size: this.stored(path).size, isCurrent: true };
  }

  /** What is needed to read these relations: rules among them, and those behind them, are evaluated. */
  inputsFor(paths: Iterable<string>, pacer: Pacer): Soon<Inputs> {
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
    const components = this.program.componentsFor(paths);
    return components.length === 0 ? inputs : this.evaluate(components, inputs, derived, pacer);
  }

  private async evaluate(
    components: readonly Component[],
    inputs: Inputs,
    derived: Map<string, Materialised>,
    pacer: Pacer,
  ): Promise<Inputs> {
    for (const component of components) {
      const relations = await this.store.evaluated(component, inputs, pacer);
      for (const [path, materialised] of relations) derived.set(path, materialised);
    }
    return inputs;
  }

  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    this.store.closeView();
  }

  private assertOpen(): void {
    invariant(!this.isReleased, 'a view is not read after its release');
  }
}
