/** What a reader sees of a store: one version, and what follows from it, evaluated when it is asked for. */

import { invariant } from '../base/invariant.js';
import type { Pacer } from '../base/ports.js';
import type { Inputs, Materialised } from './inputs.js';
import type { EngineProgram } from './program.js';
import { Reader } from './reader.js';
import type { FactStore } from './store.js';
import type { KnownSize, RelationReader, View } from './types.js';
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

  async materialise(path: string, pacer: Pacer): Promise<RelationReader> {
    this.assertOpen();
    const info = this.program.relations.get(path);
    invariant(info !== undefined, `${path} is declared`);
    if (!this.program.isRule(path)) return this.stored(path);
    const state = (await this.inputsFor([path], pacer)).derived(path);
    const { relation, version, size } = state;
    return new Reader(info, relation, version, { size, state, isCommitted: this.store.isCommitted(version) });
  }

  knownSize(path: string): KnownSize | undefined {
    this.assertOpen();
    if (this.program.isRule(path)) return this.store.knownSize(path, this.version);
    return { size: this.stored(path).size, isCurrent: true };
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
