/** A session: what one request may do in the scope and fork that it has entered. */

import { ApiError } from '../../api/errors.js';
import type { Deadline } from '../../base/ports.js';
import type { Surroundings, View } from '../../engine/index.js';
import type { ExplainWish, MutateOptions, TriedCall } from '../contract/requests.js';
import type { Session } from '../contract/runtime.js';
import { explanationSite } from '../explain/explanation-site.js';
import { type ExplanationSite, explainAdhoc, explainFactId, explainTuple } from '../explain/explanations.js';
import { explainMentions } from '../explain/mentions.js';
import { explainRow, tupleOfRow } from '../explain/row-explanations.js';
import { explainBefore, explainByCandidate, explainByReplaced } from '../merge/past-explanations.js';
import { listTransaction, listTransactions, transactionEffects } from '../merge/transactions.js';
import { explainAfter } from '../merge/tried-explanations.js';
import { undoTransaction } from '../merge/undo-transaction.js';
import { prepareDerive, prepareMutation, prepareQuery, runDerive } from '../read/adhoc.js';
import { answerCompute } from '../read/compute.js';
import { derive, keptProjection, keptTrace } from '../read/derivations.js';
import { followEvents, type HistorySite, listEvents } from '../read/events.js';
import { historyFilter } from '../read/history-filter.js';
import { profileDerive, profileQuery } from '../read/profiles.js';
import { answerQuery } from '../read/queries.js';
import { takeSnapshot } from '../read/snapshot.js';
import type { ForkSite } from '../state/forks.js';
import { reading, readingAside, readingAtOnce, requireOpen } from '../state/forks.js';
import type { Branch, Fork, Scope } from '../state/scope.js';
import { contextKey, pageRequest } from '../state/session-parts.js';
import { requireForgettable, requireMutation, requireQuery } from '../wire/callables.js';
import { runBatch } from '../write/batch.js';
import { runImport } from '../write/imports.js';
import { transactMutation } from '../write/transact.js';
import { ForkSession } from './fork-operations.js';

type Arguments<Name extends keyof Session> = Session[Name] extends (...args: infer Given) => unknown ? Given : never;

/** Its operations stand on a prototype: to make as many closures for each request would take longer than most requests do. */
export class ScopeSession extends ForkSession implements Session {
  get scopeId(): string {
    return this.parts.scope.scopeId;
  }

  get fork(): string {
    return this.parts.fork.id;
  }

  query(...[path, args, paging, deadline]: Arguments<'query'>) {
    return readingAtOnce(this.parts, (view) => {
      const query = requireQuery(view.program, path);
      const request = pageRequest(this.parts, paging, () => ['query', path, args, contextKey(this.parts)]);
      return answerQuery(view, query, args, this.surroundings(), request, deadline);
    });
  }

  async queryAdhoc(...[text, args, paging, deadline]: Arguments<'queryAdhoc'>) {
    const prepared = prepareQuery(this.parts.scope.program, text);
    const { source, module = null } = text;
    const request = pageRequest(this.parts, paging, () => [
      'query/adhoc',
      source,
      module,
      args,
      contextKey(this.parts),
    ]);
    if (prepared.kind === 'derive') {
      return readingAside(this.parts, (view) => runDerive(view, prepared, args, request, deadline));
    }
    return reading(this.parts, (view) =>
      answerQuery(view, prepared.declaration, args, this.surroundings(), request, deadline),
    );
  }

  profile(...[path, args, deadline]: Arguments<'profile'>) {
    const { scope, stopwatch } = this.parts;
    const query = requireQuery(scope.program, path);
    return readingAside(this.parts, (view) =>
      profileQuery(view, query, args, this.surroundings(), { stopwatch, deadline }),
    );
  }

  profileAdhoc(...[text, args, deadline]: Arguments<'profileAdhoc'>) {
    const { scope, stopwatch } = this.parts;
    const prepared = prepareQuery(scope.program, text);
    return readingAside(this.parts, (view) =>
      prepared.kind === 'derive'
        ? profileDerive(view, prepared, args, { stopwatch, deadline })
        : profileQuery(view, prepared.declaration, args, this.surroundings(), { stopwatch, deadline }),
    );
  }

  async mutate(...[path, args, options, deadline]: Arguments<'mutate'>) {
    const { scope, fork } = this.parts;
    requireOpen(fork);
    const mutation = requireMutation(scope.program, path);
    requireForgettable(scope.program, mutation, fork.id, options.granted);
    const call = { mutation, args, surroundings: this.surroundings() };
    return transactMutation(this.parts, call, { ...this.told(options), cause: { kind: 'mutation', path } }, deadline);
  }

  async mutateAdhoc(...[text, args, options, deadline]: Arguments<'mutateAdhoc'>) {
    const { scope, fork } = this.parts;
    requireOpen(fork);
    const mutation = prepareMutation(scope.program, text);
    requireForgettable(scope.program, mutation, fork.id, options.granted);
    const call = { mutation, args, surroundings: this.surroundings() };
    return transactMutation(this.parts, call, { ...this.told(options), cause: { kind: 'adhoc' } }, deadline);
  }

  async batch(...[steps, options, deadline]: Arguments<'batch'>) {
    if (steps.some(({ mutation }) => mutation !== undefined)) requireOpen(this.parts.fork);
    const request = pageRequest(this.parts, { limit: undefined, page: undefined }, () => ['batch']);
    return runBatch(this.parts, steps, { ...this.told(options), surroundings: this.surroundings(), request }, deadline);
  }

  import(...[path, rows, options, deadline]: Arguments<'import'>) {
    return runImport(this.parts, path, rows, { ...this.told(options), surroundings: this.surroundings() }, deadline);
  }

  compute(...[path, args, deadline]: Arguments<'compute'>) {
    return reading(this.parts, (view) => answerCompute(view, path, args, deadline));
  }

  explain(...[relation, tuple, deadline, wish]: Arguments<'explain'>) {
    const explained = (site: ExplanationSite) => explainTuple(site, relation, tuple, deadline, wish);
    if (wish?.after !== undefined) return this.explainTried(wish.after, relation, tuple, deadline, wish);
    if (wish?.candidate !== undefined) {
      return explainByCandidate(this.parts, wish.candidate, { explain: explained, isAside: true }, deadline);
    }
    const { before, moduleHash = this.parts.scope.program.artifact.integrity } = wish ?? {};
    const asked = { explain: explained, isAside: !isTried(wish), before };
    if (moduleHash !== this.parts.scope.program.artifact.integrity) {
      return explainByReplaced(this.parts, this.history(), moduleHash, asked, deadline);
    }
    if (before !== undefined) return explainBefore(this.parts, this.history(), asked, deadline);
    return readingFor(wish)(this.parts, (view, branch) => explained(this.site(view, branch)));
  }

  explainAdhoc(...[text, tuple, deadline, wish]: Arguments<'explainAdhoc'>) {
    return readingAside(this.parts, (view, branch) => {
      const prepared = prepareDerive(this.parts.scope.program, text);
      return explainAdhoc(this.site(view, branch), prepared, tuple, deadline, wish);
    });
  }

  explainRow(...[path, asked, deadline, wish]: Arguments<'explainRow'>) {
    return readingAside(this.parts, (view, branch) => {
      const query = requireQuery(view.program, path);
      return explainRow(this.site(view, branch), query, asked, this.surroundings(), deadline, wish);
    });
  }

  explainAdhocRow(...[text, asked, deadline, wish]: Arguments<'explainAdhocRow'>) {
    return readingAside(this.parts, (view, branch) => {
      const prepared = prepareQuery(this.parts.scope.program, text);
      const site = this.site(view, branch);
      if (prepared.kind === 'derive')
        return explainAdhoc(site, prepared, tupleOfRow(prepared, asked.row), deadline, wish);
      return explainRow(site, prepared.declaration, asked, this.surroundings(), deadline, wish);
    });
  }

  explainFact(...[id, deadline, wish]: Arguments<'explainFact'>) {
    return readingFor(wish)(this.parts, (view, branch) => explainFactId(this.site(view, branch), id, deadline, wish));
  }

  snapshot(...[options, paging, deadline]: Arguments<'snapshot'>) {
    return reading(this.parts, (view) => {
      const request = pageRequest(this.parts, paging, () => ['snapshot', options.derived]);
      return takeSnapshot(this.parts.scope, this.fork, view, options, request, deadline);
    });
  }

  explainMentions(...[id, paging, deadline, wish]: Arguments<'explainMentions'>) {
    return reading(this.parts, (view, branch) => {
      const request = pageRequest(this.parts, paging, () => ['mentions/explain', id, wish?.proofs ?? 1]);
      return explainMentions(this.site(view, branch), id, request, deadline, wish);
    });
  }

  events(...[paging, deadline]: Arguments<'events'>) {
    const request = pageRequest(this.parts, paging, () => ['events']);
    return listEvents(this.history(), request, deadline);
  }

  transaction(...[txn, paging, deadline]: Arguments<'transaction'>) {
    const request = pageRequest(this.parts, paging, () => ['transaction', txn]);
    return listTransaction(this.history(), txn, request, deadline);
  }

  async transactions(...[first, paging, deadline, wish = {}]: Arguments<'transactions'>) {
    const isWanted = historyFilter(this.parts.scope.program, wish);
    const { individual = null, relation = null } = wish;
    const request = pageRequest(this.parts, paging, () => ['transactions', individual, relation]);
    return listTransactions(this.history(), { first, isWanted }, request, deadline);
  }

  transactionEffects(...[txn, deadline]: Arguments<'transactionEffects'>) {
    return transactionEffects(this.parts, this.history(), txn, deadline);
  }

  undoTransaction(...[txn, options, deadline]: Arguments<'undoTransaction'>) {
    return undoTransaction(this.parts, this.history(), txn, options, deadline);
  }

  follow(...[afterSeq]: Arguments<'follow'>) {
    const { scope, writes } = this.parts;
    return followEvents(followedSite(this.parts), writes, { txn: scope.lastTransaction, seq: scope.lastSeq }, afterSeq);
  }

  derive(...[deadline]: Arguments<'derive'>) {
    return derive(this.parts, deadline);
  }

  async derived() {
    return keptProjection(this.parts.fork);
  }

  deriveTrace(...[paging, deadline]: Arguments<'deriveTrace'>) {
    const { scope, fork } = this.parts;
    return keptTrace(scope, fork, (txn) => pageRequest(this.parts, paging, () => ['derive/trace', txn]), deadline);
  }

  private surroundings(): Surroundings {
    return { context: this.parts.context.values };
  }

  /** What a mutation, batch or import is asked to tell, with what it takes to tell it. */
  private told<Options extends MutateOptions>(options: Options) {
    return {
      ...options,
      effectRows: options.effects === true ? this.parts.limits.rows : undefined,
      siteOf: options.explain === true ? (view: View, branch: Branch) => this.site(view, branch) : undefined,
    };
  }

  private explainTried(
    after: TriedCall,
    relation: string,
    tuple: readonly unknown[],
    deadline: Deadline,
    { proofs, given }: ExplainWish,
  ) {
    const request = pageRequest(this.parts, { limit: undefined, page: undefined }, () => ['batch']);
    const explained = (site: ExplanationSite) =>
      explainTuple(site, relation, tuple, deadline, { ...(proofs !== undefined && { proofs }), given });
    return explainAfter(this.parts, after, explained, { surroundings: this.surroundings(), request }, deadline);
  }

  private history(): HistorySite {
    const { store, scope, fork } = this.parts;
    return { store, scopeId: scope.scopeId, fork, firstSeq: scope.firstSeq };
  }

  private site(view: View, branch: Branch): ExplanationSite {
    return explanationSite(this.parts, view, branch, this.parts.fork);
  }
}

/** What is to be suggested is tried as facts, which its values then outlive. */
function isTried(wish?: ExplainWish): boolean {
  return wish?.suggest === true || wish?.ending === true;
}

function readingFor(wish?: ExplainWish): typeof reading {
  return isTried(wish) ? reading : readingAside;
}

/**
 * Tells it anew each time it is called, and keeps nothing of what a reload has replaced. It throws once the history has
 * ended: MODULE_INCOMPATIBLE where its facts were set aside, FORK_CLOSED where another fork has taken the id. A fork that is
 * closed only has no more to tell.
 */
function followedSite({ store, ...site }: Pick<ForkSite, 'store' | 'scope' | 'fork'>): () => HistorySite {
  let { scope, fork } = site;
  return () => {
    scope = successorOf(scope);
    fork = sameFork(scope, fork);
    return { store, scopeId: scope.scopeId, fork, firstSeq: scope.firstSeq };
  };
}

function successorOf(scope: Scope): Scope {
  let at = scope;
  while (at.successor) at = at.successor;
  if (at.successor === undefined) return at;
  throw new ApiError(
    'SVC_RUNTIME_MODULE_INCOMPATIBLE',
    'The facts of this scope did not fit the module that was loaded, and were set aside; read the scope anew, and follow it from there.',
    { seq: at.lastSeq },
  );
}

function sameFork(scope: Scope, fork: Fork): Fork {
  const found = scope.forks.get(fork.id);
  if (found?.txn === fork.txn) return found;
  throw new ApiError(
    'SVC_RUNTIME_FORK_CLOSED',
    `The fork "${fork.id}" was aborted, and another has taken its id; read that one anew, and follow it from there.`,
    { fork: fork.id, status: 'aborted' },
  );
}
