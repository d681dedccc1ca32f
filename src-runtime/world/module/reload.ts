/**
 * Hot reload: another program under the same stored facts. Every scope is rebuilt under the candidate while its writers
 * wait; where live facts lose their place or break a rule of the candidate, the old module stays.
 */

import { ApiError } from '../../api/errors.js';
import type { ModuleChange, ModuleInfo, Rename } from '../../api/schemas/module-schemas.js';
import type { Artifact } from '../../artifact/types.js';
import type { Deadline, MaybePromise } from '../../base/ports.js';
import type { ModuleTest } from '../../compiler/index.js';
import type { Program } from '../../engine/index.js';
import type { EventStore } from '../../storage/event-store.js';
import type { RuntimeOptions } from '../contract/runtime.js';
import { carryScope, storesAlike } from '../state/carry-scope.js';
import { openScope } from '../state/open-scope.js';
import { type Scope, storedFacts } from '../state/scope.js';
import { archiveIdOf, isArchiveId } from '../state/scope-id.js';
import type { Predecessor } from '../state/session.js';
import { remarkOnTenants } from '../state/tenancy.js';
import { programOf } from '../wire/artifact-program.js';
import { servedSchema } from '../wire/served-schema.js';
import { affectedRules } from './affected-rules.js';
import { EXAMPLES_MAX, findIncompatibilities, type Incompatibility } from './compatibility.js';
import { declarationChanges, derivedChanges } from './module-change.js';
import { type OfferedRename, offeredRenames } from './offered-renames.js';
import { areDone, type Renames, renamedHistory, resolveRenames } from './renames.js';

/** What is loaded, with everything that hangs on it. Replaced whole by a reload. */
export interface Loaded {
  readonly program: Program;
  readonly schema: ReturnType<typeof servedSchema>;
  readonly loadedAt: string;
  readonly origin: ModuleInfo['origin'];
  /** Of the sources that it was built from; undefined where those are not known. */
  readonly tests: readonly ModuleTest[] | undefined;
  readonly sources: ModuleInfo['sources'];
  /** Scopes opened so far, by id. */
  readonly scopes: Map<string, MaybePromise<Scope>>;
  /** What its load changed, by scope; settled a moment after the load. Absent for the first module of a runtime. */
  readonly changes?: ReadonlyMap<string, Promise<ModuleChange>>;
  /** What it changed for scopes that nothing was stored in, where that is more than what is declared. */
  readonly changeElsewhere?: ModuleChange;
  /** What it took the place of. Absent where names of what is stored changed with it, for the history is told in the new ones since. */
  readonly predecessor?: Predecessor;
}

export interface LoadOptions {
  /** A scope whose facts do not fit the module is kept under another id, and begins empty, instead of a refusal. */
  readonly setAside?: boolean;
  /** What stored facts use that the module calls otherwise. They come along. */
  readonly renames?: readonly Rename[];
  /** Noted by the store with the schema (`SchemaAdoption.id`). */
  readonly adoption?: number;
  /** Nothing is held to the stored facts, as for the first module. Only while nobody is served yet. */
  readonly isUnchecked?: boolean;
}

interface Replaced {
  readonly loaded: Loaded;
  readonly setAside: readonly ArchivedScope[];
}

interface ArchivedScope {
  readonly scopeId: string;
  /** Under which its facts are kept. */
  readonly asideId: string;
}

/** What is derived is compared for this long at most, a scope. */
const COMPARING_MS = 1_000;

/** Scopes of which it is told what a reload changed, at most. */
const COMPARED_SCOPES_MAX = 8;

/**
 * The candidate, loaded. Throws MODULE_INCOMPATIBLE with `details.incompatibilities`, and with `details.renames` where what is
 * gone may only be called otherwise; RenameRefused for renames that name what is not there.
 */
export async function replaceModule(
  options: RuntimeOptions,
  current: Loaded | undefined,
  artifact: Artifact,
  from: Pick<Loaded, 'origin' | 'tests' | 'sources'>,
  load: LoadOptions = {},
): Promise<Replaced> {
  const loadedAt = new Date(options.clock.now()).toISOString();
  // A save and the watcher that sees it load the same module twice; what the first changed is still what there is to tell.
  if (current?.program.artifact.integrity === artifact.integrity && areDone(current.program, load.renames)) {
    return { loaded: { ...current, ...from, loadedAt }, setAside: [] };
  }
  const program = programOf(artifact);
  const next: Loaded = {
    program,
    schema: servedSchema(artifact),
    loadedAt,
    ...from,
    scopes: new Map(),
  };
  if (!current || load.isUnchecked) return { loaded: next, setAside: [] };
  return await withCandidate(options, current, program, load, async (pairs, misfits, renames) => {
    const { schemaHash } = artifact;
    const { renaming } = renames;
    const isOther = renaming !== undefined || schemaHash !== current.program.artifact.schemaHash;
    const scopeIds = isOther ? pairs.map(({ old }) => old.scopeId) : [];
    const archived = await archivedScopes(options.store, misfits);
    // What may fail comes before the scopes have successors: without a new module, nobody would find one.
    await options.store.adoptSchema({ schemaHash, scopeIds, renaming, setAside: archived, id: load.adoption });
    for (const scope of misfits) scope.successor = null;
    const declared = declaredChange(options, pairs, current.program.artifact, artifact, renames);
    const changes = new Map<string, Promise<ModuleChange>>();
    for (const pair of pairs) {
      const { scopeId } = pair.old;
      pair.old.successor = pair.candidate;
      next.scopes.set(scopeId, pair.candidate);
      if (changes.size < COMPARED_SCOPES_MAX) changes.set(scopeId, changeOf(options, declared, renames, pair));
    }
    for (const change of changes.values()) {
      // Whoever asks for it is told; a reload never fails for it.
      change.catch(() => undefined);
    }
    const loaded = {
      ...next,
      changes,
      ...(declared.remarks.length > 0 && { changeElsewhere: declared }),
      ...(renaming === undefined && { predecessor: predecessorOf(current, pairs) }),
    };
    return { loaded, setAside: archived };
  });
}

function predecessorOf({ program, sources }: Loaded, pairs: readonly Pair[]): Predecessor {
  return { program, sources, lastTransactions: new Map(pairs.map(({ old }) => [old.scopeId, old.lastTransaction])) };
}

/** A module over scopes that nobody has opened. What is opened to try another one on them is let go of. */
export function unopened(artifact: Artifact): Loaded {
  const program = programOf(artifact);
  const none = { origin: 'artifact' as const, tests: undefined, sources: [], loadedAt: '' };
  return { ...none, program, schema: servedSchema(artifact), scopes: new Map() };
}

/** What loading the candidate would change in a scope. Throws MODULE_INCOMPATIBLE like `replaceModule`, and keeps nothing. */
export async function previewModule(
  options: RuntimeOptions,
  current: Loaded,
  artifact: Artifact,
  scopeId: string | undefined,
  given: readonly Rename[],
): Promise<ModuleChange> {
  const { change } = await withCandidate(
    options,
    current,
    programOf(artifact),
    { renames: given, shown: scopeId },
    async (pairs, _misfits, renames) => {
      const pair = pairs.find(({ old }) => old.scopeId === scopeId);
      const declared = declaredChange(options, pairs, current.program.artifact, artifact, renames);
      // Not awaited here: writers go on as soon as the views are taken.
      return { change: pair === undefined ? declared : changeOf(options, declared, renames, pair) };
    },
  );
  return await change;
}

/** A scope as it is, and rebuilt under the candidate. */
interface Pair {
  readonly old: Scope;
  readonly candidate: Scope;
}

/**
 * Every scope rebuilt under the candidate, which fits them all; their writers wait meanwhile. With `setAside`, those that
 * it does not fit come apart from the others. What is in the way is told of the scope `shown` alone: others are other tenants'.
 */
async function withCandidate<T>(
  options: RuntimeOptions,
  current: Loaded,
  program: Program,
  { setAside = false, renames: given = [], shown }: LoadOptions & { readonly shown?: string | undefined },
  use: (pairs: readonly Pair[], misfits: readonly Scope[], renames: Renames) => Promise<T>,
): Promise<T> {
  const isRunning = current.program.artifact.integrity === program.artifact.integrity;
  const renames = resolveRenames(current.program, program, isRunning && areDone(current.program, given) ? [] : given);
  const deadline = options.createDeadline();
  const scopes = await recordedScopes(options, current, deadline);
  const isCarried = renames.renaming === undefined && storesAlike(current.program, program);
  const affected = isCarried ? affectedRules(current.program, program) : undefined;
  const candidacy: Candidacy = { program, affected, renames };
  const release = await lockWriters(scopes);
  try {
    const incompatibilities: Incompatibility[] = [];
    const pairs: Pair[] = [];
    const misfits: Scope[] = [];
    for (const old of scopes) {
      const { candidate, collisions } = await rebuild(options, old, candidacy, deadline);
      const found = [...(await findIncompatibilities(old, candidate, renames, deadline)), ...collisions];
      incompatibilities.push(...(old.scopeId === shown ? found : found.map(untold)));
      if (found.length > 0) misfits.push(old);
      else pairs.push({ old, candidate });
    }
    if (misfits.length > 0 && !setAside) {
      const found = merged(incompatibilities);
      throw refusal(found, offeredRenames(current.program, program, given, found));
    }
    return await use(pairs, misfits, renames);
  } finally {
    release();
  }
}

/** The program that scopes are rebuilt under. */
interface Candidacy {
  readonly program: Program;
  /** Undefined where nobody can say which rules are affected. */
  readonly affected: ((rule: string) => boolean) | undefined;
  readonly renames: Renames;
}

/** The history is read again only where it may come to other facts. `collisions` are new names that it knows already. */
async function rebuild(
  { store, limits }: RuntimeOptions,
  old: Scope,
  { program, affected, renames }: Candidacy,
  deadline: Deadline,
): Promise<{ readonly candidate: Scope; readonly collisions: readonly Incompatibility[] }> {
  if (affected !== undefined && !old.hides) {
    return { candidate: carryScope(old, program, affected), collisions: [] };
  }
  const taken = new Map<string, number>();
  const history = renamedHistory(store, renames, (name) => taken.set(name, (taken.get(name) ?? 0) + 1));
  const { scope } = await openScope(program, history, old, limits, deadline);
  const reason = 'was the name of something else, of which the history tells, so that it cannot be given to another';
  return {
    candidate: scope,
    collisions: [...taken].map(([declaration, facts]) => ({ declaration, reason, facts, examples: [] })),
  };
}

/** Nothing is lost: their facts are served again by whoever asks for the scope by its new id. */
async function archivedScopes(store: EventStore, scopes: readonly Scope[]): Promise<ArchivedScope[]> {
  const all: ArchivedScope[] = [];
  for (const scope of scopes) {
    let n = 1;
    while ((await store.scope(archiveIdOf(scope.scopeId, n))) !== undefined) n += 1;
    all.push({ scopeId: scope.scopeId, asideId: archiveIdOf(scope.scopeId, n) });
  }
  return all;
}

/** Compares `main` before and after. Its views are taken at once; nobody waits for the rest. */
async function changeOf(
  { clock, createDeadline }: RuntimeOptions,
  declared: ModuleChange,
  renames: Renames,
  { old, candidate }: Pair,
): Promise<ModuleChange> {
  const before = old.main.branch.facts.view();
  const after = candidate.main.branch.facts.view();
  try {
    const derived = await derivedChanges(before, after, renames, { clock, budgetMs: COMPARING_MS }, createDeadline());
    return { ...declared, ...derived, remarks: [...declared.remarks, ...derived.remarks] };
  } finally {
    before.release();
    after.release();
  }
}

/** What the same is for every scope. */
function declaredChange(
  { scopeId }: RuntimeOptions,
  pairs: readonly Pair[],
  before: Artifact,
  after: Artifact,
  renames: Renames,
): ModuleChange {
  // A scope that was chosen is served whatever tenant a request is of.
  const old = scopeId === undefined ? pairs.map((pair) => pair.old) : [];
  const remark = remarkOnTenants(before, after, old);
  return {
    from: before.integrity,
    to: after.integrity,
    declarations: declarationChanges(before, after, renames),
    relations: [],
    firings: [],
    renames: countedRenames(renames, pairs),
    remarks: remark === undefined ? [] : [remark],
    cut: false,
  };
}

/** With the facts that are there under another name now, on `main` of all scopes. */
function countedRenames(renames: Renames, pairs: readonly Pair[]): ModuleChange['renames'] {
  return renames.given.map(({ from, to }) => {
    const isOf = (path: string): boolean => path === to || path.startsWith(`${to}::`);
    return { from, to, facts: pairs.reduce((sum, { candidate }) => sum + storedFacts(candidate, isOf), 0) };
  });
}

/** The schemas that scopes are recorded under which can be served. */
export async function recordedSchemas({ store, scopeId }: RuntimeOptions): Promise<ReadonlySet<string>> {
  const served = (await store.scopes()).filter((record) =>
    scopeId === undefined ? !isArchiveId(record.scopeId) : record.scopeId === scopeId,
  );
  return new Set(served.map(({ schemaHash }) => schemaHash));
}

/** Every scope of the store that was recorded under the current schema, opened. Those that are being opened are recorded by then. */
async function recordedScopes(options: RuntimeOptions, current: Loaded, deadline: Deadline): Promise<Scope[]> {
  const { store, limits } = options;
  await Promise.allSettled(current.scopes.values());
  const scopes: Scope[] = [];
  for (const record of await store.scopes()) {
    const isArchived = isArchiveId(record.scopeId) && record.scopeId !== options.scopeId;
    if (isArchived || record.schemaHash !== current.program.artifact.schemaHash) continue;
    const open = () => openScope(current.program, store, record, limits, deadline).then((opened) => opened.scope);
    scopes.push(await (current.scopes.get(record.scopeId) ?? registerOpening(current, record.scopeId, open())));
  }
  return scopes;
}

/** Notes that a scope is being opened, for whoever else asks for it; where that fails, it may be tried again. */
export function registerOpening({ scopes }: Loaded, scopeId: string, opening: Promise<Scope>): Promise<Scope> {
  scopes.set(scopeId, opening);
  // Who waits for it is told.
  opening.then(
    (opened) => scopes.set(scopeId, opened),
    () => scopes.delete(scopeId),
  );
  return opening;
}

/** Takes the writer's place in every scope; the returned function gives it back. */
async function lockWriters(scopes: readonly Scope[]): Promise<() => void> {
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

function untold(found: Incompatibility): Incompatibility {
  return { ...found, examples: [] };
}

/** One line a declaration, over all scopes. */
function merged(found: readonly Incompatibility[]): Incompatibility[] {
  const byDeclaration = new Map<string, Incompatibility>();
  for (const item of found) {
    const key = `${item.declaration}\n${item.reason}`;
    const known = byDeclaration.get(key);
    byDeclaration.set(
      key,
      known ? { ...known, facts: known.facts + item.facts, examples: [...known.examples, ...item.examples] } : item,
    );
  }
  return [...byDeclaration.values()].sort((left, right) => (left.declaration < right.declaration ? -1 : 1));
}

function refusal(incompatibilities: readonly Incompatibility[], renames: readonly OfferedRename[]): ApiError {
  const [first] = incompatibilities;
  const [offer] = renames;
  const more = incompatibilities.length > 1 ? ` (and ${incompatibilities.length - 1} more)` : '';
  const wayOut =
    offer === undefined
      ? ''
      : ` If ${offer.from} is only called ${offer.to[0]} now, what is stored can come along: save with "renames", or from the workbench.`;
  return new ApiError(
    'SVC_RUNTIME_MODULE_INCOMPATIBLE',
    `The new module does not fit what is stored: ${first?.declaration} ${first?.reason}; ${first?.facts} stored ${first?.facts === 1 ? 'fact is' : 'facts are'} in the way${more}. The old module keeps serving.${wayOut}`,
    { incompatibilities: incompatibilities.map(told), ...(renames.length > 0 && { renames }) },
  );
}

function told({ declaration, reason, facts, examples }: Incompatibility) {
  return { declaration, reason, facts, ...(examples.length > 0 && { examples: examples.slice(0, EXAMPLES_MAX) }) };
}
