/**
 * Hot reload: replaces the program over the same stored facts. Every scope is rebuilt under the candidate while its writers wait. If stored
 * facts do not fit, or violate a rule of the candidate, the old module stays.
 */

import { ApiError } from '../../api/errors.js';
import type { ModuleChange, Rename } from '../../api/schemas/module-schemas.js';
import type { Artifact } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import type { Program } from '../../engine/index.js';
import { type EventStore, type LockedScopes, ScopeBehind, type ScopeHistory } from '../../storage/event-store.js';
import type { RuntimeOptions } from '../contract/runtime.js';
import { carryScope } from '../state/carry-scope.js';
import { openScope } from '../state/open-scope.js';
import { type Scope, storedFacts } from '../state/scope.js';
import { archiveIdOf, isArchiveId } from '../state/scope-id.js';
import type { Predecessor } from '../state/session.js';
import { keepsShape, storedShape } from '../state/stored-shape.js';
import { remarkOnTenants } from '../state/tenancy.js';
import { programOf } from '../wire/artifact-program.js';
import { servedSchema } from '../wire/served-schema.js';
import { affectedRules } from './affected-rules.js';
import { EXAMPLES_MAX, findIncompatibilities, type Incompatibility } from './compatibility.js';
import { firstDeployment, lockUpToDate, openingUpToDate, openUnder, putInForce, upToDate } from './deployments.js';
import { type Loaded, lockWriters, registerOpening } from './loaded.js';
import { declarationChanges, derivedChanges } from './module-change.js';
import { type OfferedRename, offeredRenames } from './offered-renames.js';
import { areDone, type Renames, renamedHistory, resolveRenames } from './renames.js';

export interface LoadOptions {
  /** Archives a scope whose facts do not fit and starts an empty one, instead of refusing the module. */
  readonly setAside?: boolean;
  /** New names of stored declarations. */
  readonly renames?: readonly Rename[];
  /** Recorded by the store with the schema (`SchemaAdoption.id`). */
  readonly adoption?: number;
  /** Skips the check against stored facts, as for the first module. Only before the first request. */
  readonly isUnchecked?: boolean;
  /** Replaces the module that the servers of a shared store serve, also at the start. */
  readonly replacesDeployed?: boolean;
  /** Locks the scopes of all servers during the check, so that they cannot be written to. */
  readonly isLocking?: boolean;
}

interface Replaced {
  readonly loaded: Loaded;
  readonly setAside: readonly ArchivedScope[];
}

interface ArchivedScope {
  readonly scopeId: string;
  /** The id of the archive. */
  readonly asideId: string;
}

/** The longest comparison of derived facts, for each scope. */
const COMPARING_MS = 1_000;

/** The most scopes for which a reload is compared. */
const COMPARED_SCOPES_MAX = 8;

/**
 * Loads the candidate. Throws MODULE_INCOMPATIBLE with `details.incompatibilities`, and with `details.renames` if missing declarations may
 * have been renamed. Throws RenameRefused for renames of unknown names.
 */
export async function replaceModule(
  options: RuntimeOptions,
  current: Loaded | undefined,
  artifact: Artifact,
  from: Pick<Loaded, 'origin' | 'tests' | 'sources'>,
  load: LoadOptions = {},
): Promise<Replaced> {
  const loadedAt = new Date(options.clock.now()).toISOString();
  // A save and the watcher that sees it load the same module twice. The changes of the first load still apply.
  if (current?.program.artifact.integrity === artifact.integrity && areDone(current.program, load.renames)) {
    return { loaded: { ...current, ...from, loadedAt }, setAside: [] };
  }
  const program = programOf(artifact);
  const next: Loaded = {
    program,
    schema: servedSchema(artifact),
    deployment: 0,
    loadedAt,
    ...from,
    scopes: new Map(),
  };
  if (!current || load.isUnchecked) {
    const deployment = await firstDeployment(options, artifact);
    return { loaded: { ...next, deployment }, setAside: [] };
  }
  return await withCandidate(options, current, program, load, async (pairs, misfits, renames, locked) => {
    const { schemaHash } = artifact;
    const { renaming } = renames;
    const isOther = renaming !== undefined || schemaHash !== current.program.artifact.schemaHash;
    const scopeIds = isOther ? pairs.map(({ old }) => old.scopeId) : [];
    const archived = await archivedScopes(options.store, misfits);
    // Steps that may fail come before scopes get a successor. A successor without a module would leave the scope unreachable.
    const adoption = { schemaHash, scopeIds, renaming, setAside: archived, id: load.adoption };
    const checked = [...misfits, ...pairs.map(({ old }) => old)];
    const inForce = putInForce(options.store, artifact, adoption, current, checked, locked);
    if (renaming !== undefined) for (const { old } of pairs) old.renaming = inForce;
    const deployment = await inForce;
    for (const scope of misfits) scope.successor = null;
    const declared = declaredChange(options, pairs, current.program.artifact, artifact, renames);
    const changes = new Map<string, Promise<ModuleChange>>();
    for (const pair of pairs) {
      const { scopeId } = pair.old;
      pair.old.successor = pair.candidate;
      const { version, epoch } = pair.old.position;
      pair.candidate.position = { version, epoch: epoch + Number(renaming !== undefined), deployment };
      next.scopes.set(scopeId, pair.candidate);
      if (changes.size < COMPARED_SCOPES_MAX) changes.set(scopeId, changeOf(options, declared, renames, pair));
    }
    for (const change of changes.values()) {
      // The error goes to the request that reads the change. A reload never fails because of it.
      change.catch(() => undefined);
    }
    const loaded = {
      ...next,
      deployment,
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

/** A module without open scopes. Scopes that a preview opens under it are dropped. */
export function unopened(artifact: Artifact): Loaded {
  const program = programOf(artifact);
  const none = { origin: 'artifact' as const, tests: undefined, sources: [], loadedAt: '' };
  return { ...none, program, schema: servedSchema(artifact), deployment: 0, scopes: new Map() };
}

/** What loading the candidate would change in a scope. Changes nothing. Throws MODULE_INCOMPATIBLE like `replaceModule`. */
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
      // Not awaited: writers continue as soon as the views exist.
      return { change: pair === undefined ? declared : changeOf(options, declared, renames, pair) };
    },
  );
  return await change;
}

/** A scope now, and rebuilt under the candidate. */
interface Pair {
  readonly old: Scope;
  readonly candidate: Scope;
}

/**
 * Rebuilds every scope under the candidate while writers wait. With `setAside`, scopes that do not fit are returned separately.
 * Incompatibilities are reported only for the scope `shown`, because others belong to other tenants.
 */
async function withCandidate<T>(
  options: RuntimeOptions,
  current: Loaded,
  program: Program,
  {
    setAside = false,
    renames: given = [],
    shown,
    isLocking = false,
  }: LoadOptions & { readonly shown?: string | undefined },
  use: (pairs: readonly Pair[], misfits: readonly Scope[], renames: Renames, locked?: LockedScopes) => Promise<T>,
): Promise<T> {
  const isRunning = current.program.artifact.integrity === program.artifact.integrity;
  const renames = resolveRenames(current.program, program, isRunning && areDone(current.program, given) ? [] : given);
  const deadline = options.createDeadline();
  const scopes = await recordedScopes(options, current, deadline);
  const isCarried = renames.renaming === undefined && keepsShape(storedShape(current.program), storedShape(program));
  const affected = isCarried ? affectedRules(current.program, program) : undefined;
  const candidacy: Candidacy = { program, affected, renames };
  const release = await lockWriters(scopes);
  const { shared } = options.store;
  let locked: LockedScopes | undefined;
  try {
    if (scopes.some(({ successor }) => successor !== undefined)) throw new ScopeBehind('a scope was opened again');
    if (isLocking && shared !== undefined) locked = await lockUpToDate(shared, current, scopes, deadline);
    const incompatibilities: Incompatibility[] = [];
    const pairs: Pair[] = [];
    const misfits: Scope[] = [];
    for (const old of scopes) {
      const { candidate, collisions } = await rebuild(options, current, old, candidacy, deadline);
      const found = [...(await findIncompatibilities(old, candidate, renames, deadline)), ...collisions];
      incompatibilities.push(...(old.scopeId === shown ? found : found.map(untold)));
      if (found.length > 0) misfits.push(old);
      else pairs.push({ old, candidate });
    }
    if (misfits.length > 0 && !setAside) {
      const found = merged(incompatibilities);
      throw refusal(found, offeredRenames(current.program, program, given, found));
    }
    return await use(pairs, misfits, renames, locked);
  } finally {
    await locked?.release();
    release();
  }
}

/** The program that scopes are rebuilt under. */
interface Candidacy {
  readonly program: Program;
  /** Undefined if it is unknown which rules are affected. */
  readonly affected: ((rule: string) => boolean) | undefined;
  readonly renames: Renames;
}

/** Replays the history only if the facts may differ. `collisions` are new names that the history already uses. */
async function rebuild(
  { store, limits }: RuntimeOptions,
  current: Loaded,
  old: Scope,
  { program, affected, renames }: Candidacy,
  deadline: Deadline,
): Promise<{ readonly candidate: Scope; readonly collisions: readonly Incompatibility[] }> {
  if (affected !== undefined && !old.hides) {
    return { candidate: carryScope(old, program, affected), collisions: [] };
  }
  const taken = new Map<string, number>();
  const open = (stored: ScopeHistory) => {
    const history = renamedHistory(stored, renames, (name) => taken.set(name, (taken.get(name) ?? 0) + 1));
    return openScope(program, history, old, limits, deadline);
  };
  const { scope } = await openingUpToDate(store, current, old, open, deadline);
  const reason = 'was the name of another declaration in the history, so it cannot be reused';
  return {
    candidate: scope,
    collisions: [...taken].map(([declaration, facts]) => ({ declaration, reason, facts, examples: [] })),
  };
}

/** Archives lose nothing: their facts can be served under the new id. */
async function archivedScopes(store: EventStore, scopes: readonly Scope[]): Promise<ArchivedScope[]> {
  const all: ArchivedScope[] = [];
  for (const scope of scopes) {
    let n = 1;
    while ((await store.scope(archiveIdOf(scope.scopeId, n))) !== undefined) n += 1;
    all.push({ scopeId: scope.scopeId, asideId: archiveIdOf(scope.scopeId, n) });
  }
  return all;
}

/** Compares `main` before and after. Takes the views at once; nothing waits for the comparison. */
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

/** The changes that are the same for every scope. */
function declaredChange(
  { scopeId }: RuntimeOptions,
  pairs: readonly Pair[],
  before: Artifact,
  after: Artifact,
  renames: Renames,
): ModuleChange {
  // A configured scope is served for every tenant.
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

/** With the number of renamed facts, on `main` of all scopes. */
function countedRenames(renames: Renames, pairs: readonly Pair[]): ModuleChange['renames'] {
  return renames.given.map(({ from, to }) => {
    const isOf = (path: string): boolean => path === to || path.startsWith(`${to}::`);
    return { from, to, facts: pairs.reduce((sum, { candidate }) => sum + storedFacts(candidate, isOf), 0) };
  });
}

/** The schemas of stored scopes that can be served. */
export async function recordedSchemas({ store, scopeId }: RuntimeOptions): Promise<ReadonlySet<string>> {
  const served = (await store.scopes()).filter((record) =>
    scopeId === undefined ? !isArchiveId(record.scopeId) : record.scopeId === scopeId,
  );
  return new Set(served.map(({ schemaHash }) => schemaHash));
}

/** Every stored scope with the current schema, opened. A scope that is being opened is recorded by then. */
async function recordedScopes(options: RuntimeOptions, current: Loaded, deadline: Deadline): Promise<Scope[]> {
  const { store } = options;
  await Promise.allSettled(current.scopes.values());
  const scopes: Scope[] = [];
  for (const record of await store.scopes()) {
    const isArchived = isArchiveId(record.scopeId) && record.scopeId !== options.scopeId;
    if (isArchived || record.schemaHash !== current.program.artifact.schemaHash) continue;
    const open = async () => (await openUnder(options, current, record, deadline)).scope;
    const scope = await (current.scopes.get(record.scopeId) ?? registerOpening(current, record.scopeId, open()));
    scopes.push(store.shared === undefined ? scope : await upToDate(store.shared, current, scope, open, deadline));
  }
  return scopes;
}

function untold(found: Incompatibility): Incompatibility {
  return { ...found, examples: [] };
}

/** One entry for each declaration, over all scopes. */
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
      : ` If ${offer.from} was renamed to ${offer.to[0]}, its stored facts can move along: save with "renames", or from the workbench.`;
  return new ApiError(
    'SVC_RUNTIME_MODULE_INCOMPATIBLE',
    `The new module does not fit the stored facts: ${first?.declaration} ${first?.reason}; ${first?.facts} stored ${first?.facts === 1 ? 'fact is' : 'facts are'} in the way${more}. The old module keeps serving.${wayOut}`,
    { incompatibilities: incompatibilities.map(told), ...(renames.length > 0 && { renames }) },
  );
}

function told({ declaration, reason, facts, examples }: Incompatibility) {
  return { declaration, reason, facts, ...(examples.length > 0 && { examples: examples.slice(0, EXAMPLES_MAX) }) };
}
