/** A runtime for tests of the HTTP layer alone. Operations respond with their recorded examples, unless a test binds them. */

import type { OperationDefinition } from '../../api/operations/define-operation.js';
import { OPERATIONS } from '../../api/operations/index.js';
import type { LoadedModule, ServedSchema } from '../../api/schemas/module-schemas.js';
import type { RequestFrame, Runtime, Session } from '../../world/index.js';
import { exampleOf } from '../http/api-document.js';
import type { Bindings } from '../operations/binding.js';
import { BINDINGS } from '../operations/bindings.js';
import type { RequestCall } from '../operations/call.js';

export interface FakeRuntime extends Runtime {
  /** The frames of all requests that entered a scope, oldest first. */
  readonly frames: RequestFrame[];
  readonly bindings: Bindings;
}

export function createFakeRuntime(
  bindings: Partial<Bindings> = {},
  runtime: Partial<Omit<Runtime, 'moduleHash'>> = {},
): FakeRuntime {
  const frames: RequestFrame[] = [];
  return {
    frames,
    bindings: { ...BINDINGS, ...EXAMPLES, ...bindings },
    moduleHash: 'abc123',
    storageKind: 'fake',
    storageWarnings: [],
    module: () => NO_MODULE,
    schema: () => EMPTY_SCHEMA,
    artifact: () => {
      throw new Error('The fake runtime has no artifact.');
    },
    loadArtifact: async () => [],
    followOthers: async () => undefined,
    closeIdleScopes: async () => 0,
    moduleChange: async () => null,
    previewArtifact: async () => {
      throw new Error('nothing to preview');
    },
    tests: () => ({ result: [], available: true, loadedAt: '2026-01-01' }),
    runTests: async () => ({ result: [] }),
    tryTests: async () => ({ tests: [], isCut: false }),
    testCoverage: async () => ({ result: [], loadedAt: '', total: 0 }),
    noteLoadFailure: () => {},
    recordedSchemas: async () => new Set(),
    lastAdoption: async () => 0,
    onErasure: () => () => {},
    prepareAdhoc: () => {},
    enter: async ({ onPhase: _, ...frame }) => {
      frames.push(frame);
      return {} as Session;
    },
    usage: async () => ({ scopes: 0, facts: 0, connections: undefined }),
    probeStorage: async () => {},
    openScopes: async () => {},
    close: async () => {},
    ...runtime,
  };
}

/** Of operations that run in a scope. */
const EXAMPLES = Object.fromEntries(
  Object.entries<OperationDefinition>(OPERATIONS)
    .filter(([, { runsOn, response }]) => runsOn !== 'server' && response.kind !== 'pageOrStream')
    .map(([name, definition]) => [name, (call: RequestCall) => call.run(() => exampleValue(definition))]),
) as Partial<Bindings>;

function exampleValue({ method, path, response }: OperationDefinition): unknown {
  const example = exampleOf(method, path.replace(/:(\w+)/g, '{$1}'))?.response as { readonly result: unknown };
  return response.beside === undefined ? example.result : example;
}

const NO_MODULE: LoadedModule = {
  loaded: false,
  modules: [],
  moduleHash: '',
  schemaHash: '',
  sources: [],
  loadedAt: null,
  lastFailure: null,
  origin: 'none',
};

const EMPTY_SCHEMA: ServedSchema = {
  modules: [],
  enums: [],
  concepts: [],
  relations: [],
  defines: [],
  individuals: [],
  rules: [],
  checks: [],
  queries: [],
  mutations: [],
  functions: [],
  context: [],
};
