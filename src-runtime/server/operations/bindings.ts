/** Binds each operation of the API to the function of the world, or of this server, that it runs. */

import { ERROR_CODES, ERROR_REGISTRY } from '../../api/errors.js';
import { pairsIn } from '../../api/operations/parameters.js';
import { type Moment, momentIn } from '../../api/schemas/moment.js';
import { DIFF_LAYERS, type DiffLayer, type DiffSide } from '../../api/schemas/wire-constants.js';
import type { FieldsFromParent, MutateOptions, Paging, PromotionFilter } from '../../world/contract/requests.js';
import { runLive } from '../../world/live/live.js';
import { cherryPick } from '../../world/merge/cherry-pick.js';
import { createFork, labelFork } from '../../world/merge/create-fork.js';
import { promoteFork } from '../../world/merge/promote.js';
import { countRebase, previewRebase, rebaseFork } from '../../world/merge/rebase.js';
import { revertPromotion } from '../../world/merge/revert.js';
import { requireAdhoc } from '../../world/read/adhoc.js';
import { derive } from '../../world/read/derivations.js';
import * as calls from '../../world/session/calls.js';
import * as explanations from '../../world/session/explanations.js';
import * as forks from '../../world/session/forks.js';
import * as history from '../../world/session/history.js';
import * as lists from '../../world/session/lists.js';
import { abortFork, forkInfo } from '../../world/state/forks.js';
import { badRequest } from '../http/envelope.js';
import type { Bindings } from './binding.js';
import type { ServerContext } from './call.js';
import { explainCall, requireBatchSteps, requireInto } from './explanations.js';
import { health, readiness } from './health.js';
import { listOptionsOf } from './list-options.js';
import { moduleInfo, readSources, runWithin, saveSources, tryTests } from './module.js';
import * as projects from './projects.js';
import { findRequest, followRequests, listRequests } from './request-list.js';

export const BINDINGS: Bindings = {
  liveness: () => ({ status: 'ok' }),
  readiness: ({ context }) => readiness(context),
  metrics: ({ context }) => context.metrics.text(),
  health: ({ context, capabilities }) => health(context, capabilities),
  errors: ({ context, paging }) => listErrors(context, paging),
  openapi: ({ context }) => context.document(),
  backup: ({ context, query }) =>
    context.settings.backup(query.compactBefore === undefined ? undefined : Date.parse(query.compactBefore)),
  requests: { page: listRequests, stream: followRequests },
  request: ({ context, params }) => findRequest(context, params.requestId),

  module: ({ context }) => moduleInfo(context),
  artifact: ({ context }) => ({ ...context.runtime.artifact() }),
  schema: ({ context }) => context.runtime.schema(),
  putModule: async ({ context, body }) => {
    if (!(body instanceof Uint8Array)) throw badRequest('The body is empty; send an artifact.');
    await context.loader.put(body);
    return moduleInfo(context);
  },
  reloadModule: async ({ context }) => {
    await context.loader.reload();
    return moduleInfo(context);
  },
  sources: ({ context }) => readSources(context),
  saveSources,
  moduleChange: ({ context, frame }) => context.runtime.moduleChange(frame),

  project: ({ context }) => projects.project(context),
  openProject: ({ context, body }) => projects.openProject(context, body),
  createProject: ({ context, body }) => projects.createProject(context, body),
  saveProjectAs: ({ context, body }) => projects.saveProjectAs(context, body),
  closeProject: ({ context }) => projects.closeProject(context),
  addProjectFile: ({ context, body }) => projects.addProjectFile(context, body),
  renameProjectFile: ({ context, body }) => projects.renameProjectFile(context, body),
  places: ({ context, query }) => projects.places(context, query.folder),

  collections: async ({ context }) => ({ collections: [...(await context.collections.list())] }),
  saveCollection: ({ context, params, body }) => context.collections.save(params.name, body.calls, body.revision),
  deleteCollection: async ({ context, params, query }) => {
    await context.collections.remove(params.name, query.revision);
    return null;
  },
  environments: async ({ context }) => ({ environments: [...(await context.environments.list())] }),
  saveEnvironment: ({ context, params, body }) => context.environments.save(params.name, body.variables, body.revision),
  deleteEnvironment: async ({ context, params, query }) => {
    await context.environments.remove(params.name, query.revision);
    return null;
  },

  query: (call) => {
    const { path, args } = call.body;
    return call.run((session) => calls.query(session, path, args, call.paging, call.deadline()));
  },
  mutation: (call) => {
    const { path, args } = call.body;
    return call.run((session) => calls.mutate(session, path, args, optionsOf(call), call.deadline()));
  },
  compute: (call) => {
    const { path, args } = call.body;
    return call.run((session) => calls.compute(session, path, args, call.deadline()));
  },
  queryAdhoc: (call) => {
    const { source, module, args } = call.body;
    const deadline = call.deadline();
    call.context.runtime.prepareAdhoc('query', { source, module });
    return call.run((session) => calls.queryAdhoc(session, { source, module }, args, call.paging, deadline));
  },
  mutateAdhoc: (call) => {
    const { source, module, args } = call.body;
    const deadline = call.deadline();
    call.context.runtime.prepareAdhoc('mutation', { source, module });
    return call.run((session) => calls.mutateAdhoc(session, { source, module }, args, optionsOf(call), deadline));
  },
  profile: (call) => {
    const { path, args } = call.body;
    return call.run((session) => calls.profile(session, path, args, call.deadline()));
  },
  profileAdhoc: (call) => {
    const { source, module, args } = call.body;
    const deadline = call.deadline();
    call.context.runtime.prepareAdhoc('query', { source, module });
    return call.run((session) => calls.profileAdhoc(session, { source, module }, args, deadline));
  },
  live: async (call) => {
    const { files, whole, ...question } = call.body;
    const deadline = call.deadline();
    // Before the texts are compiled, as a missing module comes before everything that a request says.
    call.context.runtime.artifact();
    requireAdhoc(call.context.settings.adhoc);
    const compiled = await call.context.loader.compilePartly(files, whole);
    return call.run((session) => runLive(session, compiled, question, deadline));
  },
  batch: (call) => {
    const { steps } = call.body;
    requireBatchSteps(call.context, steps, '$.steps');
    return call.run((session) => calls.batch(session, steps, optionsOf(call), call.deadline()));
  },
  import: (call) => {
    const { rows, columns, keys = {}, rejects, source, ...target } = call.body;
    requireInto(call.context, target);
    const options = { ...optionsOf(call), columns, keys, rejects, source };
    return call.run((session) => calls.importRows(session, target, call.lines ?? rows, options, call.deadline()));
  },

  explain: explainCall,
  explainRow: (call) => {
    const { path, ...options } = call.body;
    return call.run((session) => explanations.explainRow(session, path, options, call.deadline(), call.query));
  },
  explainAdhoc: (call) => {
    const { source, module, tuple, args, row = null } = call.body;
    const text = { source, module };
    const deadline = call.deadline();
    call.context.runtime.prepareAdhoc('query', text);
    return call.run((session) =>
      tuple === undefined
        ? explanations.explainAdhocRow(session, text, { args, row }, deadline, call.query)
        : explanations.explainAdhoc(session, text, tuple, deadline, call.query),
    );
  },
  explainFact: (call) =>
    call.run((session) => explanations.explainFact(session, call.params.factId, call.deadline(), call.query)),
  explainDerivedOf: (call) =>
    call.run((session) =>
      explanations.explainMentions(session, call.params.id, call.paging, call.deadline(), call.query),
    ),

  individuals: (call) => {
    const options = listOptionsOf(call.query, ['labels']);
    return call.run((session) => lists.individuals(session, call.query.class, call.paging, call.deadline(), options));
  },
  individual: (call) => call.run((session) => lists.individual(session, call.params.id, call.deadline())),
  storedOf: (call) =>
    call.run((session) => lists.mentions(session, 'stored', call.params.id, call.paging, call.deadline())),
  derivedOf: (call) =>
    call.run((session) => lists.mentions(session, 'derived', call.params.id, call.paging, call.deadline())),
  relation: (call) => {
    const options = listOptionsOf(call.query, ['labels', 'origin']);
    return call.run((session) => lists.relation(session, call.params.path, call.paging, call.deadline(), options));
  },
  countRelation: (call) => {
    const options = listOptionsOf({ ...call.query, total: true }, []);
    return call.run(async (session) => {
      const first = { limit: 1, page: undefined };
      const { total = 0 } = await lists.relation(session, call.params.path, first, call.deadline(), options);
      return { facts: total };
    });
  },
  counts: (call) => call.run((session) => lists.counts(session)),
  checks: (call) => call.run((session) => lists.checks(session, call.query.check, call.paging, call.deadline())),
  checkStates: (call) => call.run((session) => lists.checkStates(session, call.paging, call.timeBudget().half)),
  snapshot: (call) => {
    const options = { derived: call.query.include === 'derived' };
    return call.run((session) => lists.snapshot(session, options, call.paging, call.deadline()));
  },

  events: {
    page: (call) => call.run((session) => history.events(session, call.paging, call.deadline())),
    stream: (call, afterSeq) => call.run((session) => history.follow(session, afterSeq)),
  },
  transactions: (call) => {
    const { first = 0, individual, relation } = call.query;
    return call.run((session) =>
      history.transactions(session, first, call.paging, call.deadline(), { individual, relation }),
    );
  },
  transaction: (call) =>
    call.run((session) => history.transaction(session, call.params.txn, call.paging, call.deadline())),
  transactionEffects: (call) =>
    call.run((session) => history.transactionEffects(session, call.params.txn, call.deadline())),
  violationOrigins: (call) => call.run((session) => history.violationOrigins(session, call.deadline())),
  undoTransaction: (call) =>
    call.run((session) => history.undoTransaction(session, call.params.txn, call.query, call.deadline())),

  forks: (call) => call.run((session) => forks.forks(session, call.paging, call.deadline())),
  createFork: (call) => call.run((session) => createFork(session, call.body ?? {}, call.deadline())),
  fork: (call) => call.run(({ fork, clock }) => forkInfo(fork, clock)),
  abortFork: (call) => call.run((session) => abortFork(session, call.deadline())),
  labelFork: (call) => call.run((session) => labelFork(session, call.body.label, call.deadline())),
  updateFork: (call) => {
    const { dryRun, keep } = call.query;
    return call.run((session) =>
      rebaseFork(session, { id: call.body?.id, dryRun, keep: fieldsFromParent(keep) }, call.deadline()),
    );
  },
  promoteFork: (call) => {
    const options = { ...call.query, keep: fieldsFromParent(call.query.keep) };
    return call.run((session) => promoteFork(session, options, call.deadline()));
  },
  undoPromotion: (call) => call.run((session) => revertPromotion(session, call.query, call.deadline())),
  pickTransaction: (call) => {
    const { from, txn } = call.body;
    const options = { ...call.query, from, txn, keep: fieldsFromParent(call.query.keep) };
    return call.run((session) => cherryPick(session, options, call.deadline()));
  },
  deriveFork: (call) => call.run((session) => derive(session, call.deadline())),
  forkProjection: (call) => call.run((session) => history.derived(session)),
  deriveTrace: (call) => call.run((session) => history.deriveTrace(session, call.paging, call.deadline())),

  diffForks: (call) => {
    const filter = filterOf(call.query, call.query.derived ? ['stored', 'derived'] : ['stored']);
    const otherAsOf = otherMomentOf(call.query);
    return call.run((session) =>
      forks.diffForks(session, call.params.other, filter, call.paging, call.deadline(), otherAsOf),
    );
  },
  diffCounts: (call) => {
    const otherAsOf = otherMomentOf(call.query);
    return call.run((session) =>
      forks.countForkDiff(session, call.params.other, filterOf(call.query), call.deadline(), otherAsOf),
    );
  },
  previewPromotion: (call) =>
    call.run((session) => forks.previewPromotion(session, filterOf(call.query), call.paging, call.deadline())),
  countPromotion: (call) => call.run((session) => forks.countPromotion(session, filterOf(call.query), call.deadline())),
  previewUpdate: (call) =>
    call.run((session) => previewRebase(session, filterOf(call.query), call.paging, call.deadline())),
  countUpdate: (call) => call.run((session) => countRebase(session, filterOf(call.query), call.deadline())),

  tests: ({ context, paging }) => context.runtime.tests(paging),
  runTests: (call) => {
    const run = runWithin(call.timeBudget());
    return call.context.runtime.runTests(call.body.tests, call.paging, run);
  },
  tryTests,
  testCoverage: (call) => call.context.runtime.testCoverage(call.paging, runWithin(call.timeBudget())),
};

interface MutationCall {
  readonly query: Omit<MutateOptions, 'granted' | 'requestKey'>;
  readonly capabilities: MutateOptions['granted'];
  readonly requestKey: MutateOptions['requestKey'];
}

function optionsOf({ query, capabilities, requestKey }: MutationCall): MutateOptions {
  const { dryRun, effects, explain } = query;
  return { dryRun, effects, explain, granted: capabilities, requestKey };
}

function fieldsFromParent(keep: string | undefined): FieldsFromParent {
  if (keep === undefined) return [];
  return keep === 'parent' ? 'all' : (pairsIn(keep) ?? []);
}

interface DifferencesQuery {
  readonly layer?: DiffLayer | undefined;
  readonly relation?: string | undefined;
  readonly sides?: readonly DiffSide[] | undefined;
  readonly keep?: string | undefined;
}

function filterOf(query: DifferencesQuery, layers: readonly DiffLayer[] = DIFF_LAYERS): PromotionFilter {
  const { layer, relation, sides, keep } = query;
  return { layers: layer === undefined ? layers : [layer], relation, sides, keep: fieldsFromParent(keep) };
}

interface MomentsQuery {
  readonly asOf?: string | undefined;
  readonly otherAsOf?: string | undefined;
}

function otherMomentOf({ asOf, otherAsOf = asOf }: MomentsQuery): Moment | undefined {
  return otherAsOf === undefined ? undefined : momentIn(otherAsOf);
}

const ERROR_ROWS = ERROR_CODES.map((code) => ({ code, ...ERROR_REGISTRY[code] }));

/** The row cap does not apply: the registry is short and the same for every client. Throws INVALID_CURSOR. */
function listErrors({ cursors }: ServerContext, { limit, page }: Paging) {
  const bound = '/v1/errors';
  const start = page === undefined ? 0 : Number(cursors.read(bound, page));
  const end = start + (limit ?? ERROR_ROWS.length);
  const more = end < ERROR_ROWS.length && { nextCursor: cursors.issue(bound, end) };
  return { result: ERROR_ROWS.slice(start, end), ...more };
}
