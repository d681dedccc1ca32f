/** A world for tests: a module from source text over a store in memory, with a clock that is stopped by default. */

import { CAPABILITIES } from '../../api/capabilities.js';
import { ApiError } from '../../api/errors.js';
import type { Capability, Limits } from '../../api/schemas/health-schemas.js';
import type { ModuleChange, Rename } from '../../api/schemas/module-schemas.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import { encodeArtifact } from '../../artifact/index.js';
import { type Clock, noDeadline } from '../../base/ports.js';
import { compile } from '../../compiler/index.js';
import type { EventStore } from '../../storage/event-store.js';
import { openMemoryStore } from '../../storage/index.js';
import type { LoadOptions } from '../contract/runtime.js';
import { createRuntime, type Paging, type RequestFrame, type Runtime } from '../index.js';
import { methodsOf, type TestSession } from './session-methods.js';

const LIMITS: Limits = {
  bodyBytes: 4 * 1024 * 1024,
  rows: 10_000,
  timeoutMs: 10_000,
  batchSteps: 1_000,
  explainNodes: 10_000,
  factsPerRule: 20_000_000,
};

export const FRAME: RequestFrame = { headerContext: {}, bodyContext: {}, forks: [] };
export const ALL: Paging = { limit: undefined, page: undefined };

export interface TestWorld {
  readonly runtime: TestRuntime;
  readonly store: EventStore;
  /** With `setAside`, returns the ids of the archives. */
  load(source: string, options?: LoadOptions): Promise<readonly string[]>;
  preview(source: string, renames?: readonly Rename[]): Promise<ModuleChange>;
  query(path: string, args?: Record<string, JsonValue>, paging?: Paging): Promise<JsonValue>;
  mutate(path: string, args?: Record<string, JsonValue>, dryRun?: boolean): ReturnType<MutateAnswer>;
}
type MutateAnswer = TestSession['mutate'];

/** A runtime whose sessions have methods. */
export interface TestRuntime extends Omit<Runtime, 'enter'> {
  enter(frame: RequestFrame): Promise<TestSession>;
}

export async function startWorld(
  source: string | readonly string[],
  options: {
    readonly store?: EventStore;
    readonly limits?: Partial<Limits>;
    readonly accept?: boolean;
    readonly adhoc?: boolean;
    readonly scopeId?: string;
    readonly granted?: readonly Capability[];
    readonly clock?: Clock;
  } = {},
): Promise<TestWorld> {
  const store = options.store ?? (await openMemoryStore());
  let readings = 0;
  const runtime = withMethods(
    createRuntime({
      store,
      clock: options.clock ?? { now: () => Date.parse('2026-01-31T10:00:00.000Z') },
      // Each reading is a quarter of a millisecond after the last one.
      stopwatch: { now: () => 0.25 * readings++ },
      createDeadline: () => noDeadline,
      log: { warn: () => {} },
      limits: { ...LIMITS, ...options.limits },
      scopeIdBits: 128,
      ...(options.scopeId !== undefined && { scopeId: options.scopeId }),
      acceptSchemaChange: options.accept ?? false,
      adhoc: options.adhoc ?? true,
      cursorKey: new Uint8Array(32).fill(1),
    }),
  );
  const load = (text: string | readonly string[], options?: LoadOptions) =>
    runtime.loadArtifact(artifactBytes(text), 'artifact', options);
  await load(source);
  return {
    runtime,
    store,
    load,
    preview: (text, renames) => runtime.previewArtifact(artifactBytes(text), FRAME, renames),
    query: async (path, args = {}, paging = ALL) =>
      (await (await runtime.enter(FRAME)).query(path, args, paging, noDeadline)).result,
    mutate: async (path, args = {}, dryRun = false) =>
      (await runtime.enter(FRAME)).mutate(path, args, { dryRun, granted: options.granted ?? CAPABILITIES }, noDeadline),
  };
}

function withMethods(runtime: Runtime): TestRuntime {
  const enter = async (frame: RequestFrame) => methodsOf(runtime, frame, await runtime.enter(frame));
  // Not a copy, because that would evaluate getters only once.
  return Object.create(runtime, { enter: { value: enter } }) as TestRuntime;
}

/** Compiles, and throws the first error as text. */
function artifactBytes(source: string | readonly string[]): Uint8Array {
  const texts = typeof source === 'string' ? [source] : source;
  const { artifact, diagnostics } = compile(texts.map((text, index) => ({ file: `test${index}.entail`, text })));
  if (!artifact) throw new Error(diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n'));
  return encodeArtifact(artifact);
}

/** The code and details of the ApiError that the work fails with. */
export async function failureOf(work: Promise<unknown>): Promise<ApiError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('expected an ApiError');
}
