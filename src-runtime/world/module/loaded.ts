/** A loaded module with its open scopes. */

import type { ModuleChange, ModuleInfo } from '../../api/schemas/module-schemas.js';
import type { MaybePromise } from '../../base/ports.js';
import type { ModuleTest } from '../../compiler/index.js';
import type { Program } from '../../engine/index.js';
import type { Scope } from '../state/scope.js';
import type { Predecessor } from '../state/session.js';
import type { servedSchema } from '../wire/served-schema.js';

/** A reload replaces all of it. */
export interface Loaded {
  readonly program: Program;
  readonly schema: ReturnType<typeof servedSchema>;
  /** Of a module that several servers serve; 0 for this one alone. */
  readonly deployment: number;
  readonly loadedAt: string;
  readonly origin: ModuleInfo['origin'];
  /** The tests of its sources; undefined if the sources are unknown. */
  readonly tests: readonly ModuleTest[] | undefined;
  readonly sources: ModuleInfo['sources'];
  /** Open scopes by id. */
  readonly scopes: Map<string, MaybePromise<Scope>>;
  /** What the load changed, by scope. Resolves shortly after the load. Absent for the first module. */
  readonly changes?: ReadonlyMap<string, Promise<ModuleChange>>;
  /** What it changed for scopes without stored facts, if more than declarations changed. */
  readonly changeElsewhere?: ModuleChange;
  /** The module before this one. Absent if stored names changed with the load, because the history now has the new names. */
  readonly predecessor?: Predecessor;
}

/** Registers a scope that is being opened, so that others can await it. After a failure it may be opened again. */
export function registerOpening({ scopes }: Loaded, scopeId: string, opening: Promise<Scope>): Promise<Scope> {
  scopes.set(scopeId, opening);
  // The waiting request receives the error.
  opening.then(
    (opened) => scopes.set(scopeId, opened),
    () => scopes.delete(scopeId),
  );
  return opening;
}

/** Becomes the writer of every scope. The returned function releases all of them. */
export async function lockWriters(scopes: readonly Scope[]): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = scopes.map(
    (scope) =>
      new Promise<void>((taken) => {
        void scope.writers.alone(async () => {
          taken();
          await released;
        });
      }),
  );
  await Promise.all(held);
  return release;
}
