/**
 * Hot reload: another program under the same stored facts. Every scope is rebuilt under the candidate while its writers
 * wait; where live facts lose their place or break a rule of the candidate, the old module stays.
 */

import { ApiError } from '../api/errors.js';
import type { ModuleInfo } from '../api/schemas.js';
import type { Artifact } from '../artifact/types.js';
import type { Pacer } from '../base/ports.js';
import { loadProgram, type Program } from '../engine/index.js';
import { findIncompatibilities, type Incompatibility } from './compatibility.js';
import type { RuntimeOptions } from './create-runtime.js';
import { openScope } from './open-scope.js';
import type { Scope } from './scope.js';
import { servedSchema } from './served-schema.js';

/** What is loaded, with everything that hangs on it. Replaced whole by a reload. */
export interface Loaded {
  readonly program: Program;
  readonly schema: ReturnType<typeof servedSchema>;
  readonly loadedAt: string;
  readonly origin: ModuleInfo['origin'];
  /** Scopes opened so far, by id. */
  readonly scopes: Map<string, Promise<Scope>>;
}

/** The candidate, loaded. Throws MODULE_INCOMPATIBLE with `details.incompatibilities`. */
export async function replaceModule(
  options: RuntimeOptions,
  current: Loaded | undefined,
  artifact: Artifact,
  origin: ModuleInfo['origin'],
): Promise<Loaded> {
  const program = loadProgram(artifact);
  const scopes = new Map<string, Promise<Scope>>();
  const next: Loaded = {
    program,
    schema: servedSchema(artifact),
    loadedAt: new Date(options.clock.now()).toISOString(),
    origin,
    scopes,
  };
  if (!current) return next;
  const pacer = options.createPacer();
  const old = await recordedScopes(options, current, pacer);
  const release = await holdWriters(old);
  try {
    const incompatibilities: Incompatibility[] = [];
    for (const scope of old) {
      const { scope: rebuilt } = await openScope(program, options.store, scope, options.limits, pacer);
      incompatibilities.push(...(await findIncompatibilities(scope, rebuilt, pacer)));
      scopes.set(scope.scopeId, Promise.resolve(rebuilt));
    }
    if (incompatibilities.length > 0) throw refusal(merged(incompatibilities));
    for (const scope of old) {
      await options.store.recordSchema(scope.scopeId, artifact.schemaHash);
      scope.retired = true;
    }
    return next;
  } finally {
    release();
  }
}

/** Every scope of the store that was recorded under the current schema, opened. */
async function recordedScopes(options: RuntimeOptions, current: Loaded, pacer: Pacer): Promise<Scope[]> {
  const { store, limits } = options;
  const scopes: Scope[] = [];
  for (const record of await store.scopes()) {
    if (record.schemaHash !== current.program.artifact.schemaHash) continue;
    let opening = current.scopes.get(record.scopeId);
    if (!opening) {
      opening = openScope(current.program, store, record, limits, pacer).then(({ scope }) => scope);
      current.scopes.set(record.scopeId, opening);
    }
    scopes.push(await opening);
  }
  return scopes;
}

/** Takes the writer's place in every scope; the returned function gives it back. */
async function holdWriters(scopes: readonly Scope[]): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = scopes.map(
    (scope) =>
      new Promise<void>((taken) => {
        void scope.writers.run(async () => {
          taken();
          await released;
        });
      }),
  );
  await Promise.all(held);
  return release;
}

/** One line a declaration, over all scopes. */
function merged(found: readonly Incompatibility[]): Incompatibility[] {
  const byDeclaration = new Map<string, Incompatibility>();
  for (const item of found) {
    const key = `${item.declaration}\n${item.reason}`;
    const known = byDeclaration.get(key);
    byDeclaration.set(key, known ? { ...known, facts: known.facts + item.facts } : item);
  }
  return [...byDeclaration.values()].sort((left, right) => (left.declaration < right.declaration ? -1 : 1));
}

function refusal(incompatibilities: readonly Incompatibility[]): ApiError {
  const [first] = incompatibilities;
  const more = incompatibilities.length > 1 ? ` (and ${incompatibilities.length - 1} more)` : '';
  return new ApiError(
    'SVC_RUNTIME_MODULE_INCOMPATIBLE',
    `The new module does not fit what is stored: ${first?.declaration} ${first?.reason}; ${first?.facts} stored facts use it${more}. The old module keeps serving.`,
    { incompatibilities },
  );
}
