/** A runtime for tests of the HTTP layer alone: answers what it is told to answer, or throws what it is told to throw. */

import type { ForkInfo } from '../../api/schemas/fork-schemas.js';
import type { LoadedModule, ServedSchema } from '../../api/schemas/module-schemas.js';
import type { WireTransaction } from '../../api/schemas/schemas.js';
import type { RequestFrame } from '../../world/contract/requests.js';
import type { Runtime, Session } from '../../world/contract/runtime.js';

export interface FakeRuntime extends Runtime {
  /** The frames of all sessions that were entered, oldest first. */
  readonly frames: RequestFrame[];
}

export function createFakeRuntime(
  session: Partial<Session> = {},
  runtime: Partial<Omit<Runtime, 'moduleHash'>> = {},
): FakeRuntime {
  const frames: RequestFrame[] = [];
  return {
    frames,
    moduleHash: 'abc123',
    storageKind: 'fake',
    storageWarnings: [],
    module: () => NO_MODULE,
    schema: () => EMPTY_SCHEMA,
    artifact: () => {
      throw new Error('The fake runtime has no artifact.');
    },
    loadArtifact: async () => [],
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
    enter: async (frame) => {
      frames.push(frame);
      return { ...EMPTY_SESSION, ...session };
    },
    probeStorage: async () => {},
    openScopes: async () => {},
    close: async () => {},
    ...runtime,
  };
}

const MAIN: ForkInfo = { id: 'main', parent: null, baseSeq: 0, status: 'open', createdAt: '2026-01-01', events: 0 };

const transactionOf = (txn: number): WireTransaction => ({
  txn,
  at: '2026-01-01',
  fork: 'main',
  cause: { kind: 'adhoc' },
  principal: null,
  events: 0,
});

const EMPTY_SESSION: Session = {
  scopeId: 'scope',
  fork: 'main',
  query: async () => ({ result: [] }),
  mutate: async () => ({ result: null, txn: null, events: [], warnings: [] }),
  queryAdhoc: async () => ({ result: [] }),
  profile: async () => ({ strata: [], rules: [] }),
  profileAdhoc: async () => ({ strata: [], rules: [] }),
  mutateAdhoc: async () => ({ result: null, txn: null, events: [], warnings: [] }),
  batch: async () => [],
  import: async () => ({ result: { rows: 0, events: 0, warnings: 0 }, txn: null, warnings: [] }),
  compute: async () => 0,
  checks: async () => ({ result: [] }),
  checkStates: async () => ({ result: [] }),
  explain: async () => NOT_HOLDING,
  explainAdhoc: async () => NOT_HOLDING,
  explainRow: async () => NOT_HOLDING,
  explainAdhocRow: async () => NOT_HOLDING,
  explainFact: async () => NOT_HOLDING,
  individuals: async () => ({ result: [] }),
  individual: async (id) => ({ $id: id, $meta: { type: 'lease::Lease', classes: ['lease::Lease'] } }),
  relation: async () => ({ result: [] }),
  counts: async () => [],
  snapshot: async () => ({ result: { fork: 'main', txn: 0, seq: 0, schemaHash: '', facts: [] } }),
  mentions: async () => ({ result: [] }),
  storedMentions: async () => ({ result: [] }),
  explainMentions: async () => ({ result: [] }),
  transactions: async () => ({ result: [] }),
  transactionEffects: async () => ({ relations: [], facts: [], firings: [], unknown: [], cut: false }),
  transaction: async (txn) => ({ result: [], transaction: transactionOf(txn) }),
  events: async () => ({ result: [] }),
  follow: async () => ({ seq: 0, onWrite: () => () => {}, onFork: () => () => {}, async *news() {} }),
  derive: async () => NOTHING_DERIVED,
  derived: async () => NOTHING_DERIVED,
  deriveTrace: async () => ({ result: [], cut: false }),
  forks: async () => ({ result: [MAIN] }),
  createFork: async () => MAIN,
  forkInfo: async () => MAIN,
  abort: async () => MAIN,
  label: async () => MAIN,
  update: async () => ({ result: MAIN, txn: null, events: [], warnings: [], conflicts: [] }),
  promote: async () => ({ result: MAIN, txn: null, events: [], warnings: [], conflicts: [] }),
  pick: async ({ txn }) => ({ result: transactionOf(txn), txn: null, events: [], warnings: [], conflicts: [] }),
  undoTransaction: async (txn) => ({
    result: transactionOf(txn),
    txn: null,
    events: [],
    warnings: [],
    conflicts: [],
  }),
  undoPromotion: async () => ({ result: MAIN, txn: null, events: [], warnings: [], conflicts: [] }),
  promotion: async () => ({ result: [] }),
  promotionCounts: async () => [],
  incoming: async () => ({ result: [] }),
  incomingCounts: async () => [],
  diff: async () => ({ result: [] }),
  diffCounts: async () => [],
};

const NOTHING_DERIVED = {
  fork: 'main',
  txn: 0,
  facts: 0,
  rounds: 0,
  ms: 0,
  relations: [],
  strata: [],
  rules: [],
  traceCut: false,
};

const NOT_HOLDING = {
  holds: false as const,
  cut: false,
  whyNot: { id: 'f', relation: 'lease::active', tuple: [], message: 'Nothing says so.', clauses: [] },
};

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
