/** A session: what one request may do in the scope and fork that it has entered. */

import { ApiError } from '../../api/errors.js';
import type { Pacer } from '../../base/ports.js';
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

  query(...[path, args, paging, pacer]: Arguments<'query'>) {
    return readingAtOnce(this.parts, (view) => {
      const query = requireQuery(view.program, path);
      const request = pageRequest(this.parts, paging, () => ['query', path, args, contextKey(this.parts)]);
      return answerQuery(view, query, args, this.surroundings(), request, pacer);
    });
  }

  async queryAdhoc(...[text, args, paging, pacer]: Arguments<'queryAdhoc'>) {
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
      return readingAside(this.parts, (view) => runDerive(view, prepared, args, request, pacer));
    }
    return reading(this.parts, (view) =>
      answerQuery(view, prepared.declaration, args, this.surroundings(), request, pacer),
    );
  }

  profile(...[path, args, pacer]: Arguments<'profile'>) {
    const { scope, stopwatch } = this.parts;
    const query = requireQuery(scope.program, path);
    return readingAside(this.parts, (view) =>
      profileQuery(view, query, args, this.surroundings(), { stopwatch, pacer }),
    );
  }

  profileAdhoc(...[text, args, pacer]: Arguments<'profileAdhoc'>) {
    const { scope, stopwatch } = this.parts;
    const prepared = prepareQuery(scope.program, text);
    return readingAside(this.parts, (view) =>
      prepared.kind === 'derive'
        ? profileDerive(view, prepared, args, { stopwatch, pacer })
        : profileQuery(view, prepared.declaration, args, this.surroundings(), { stopwatch, pacer }),
    );
  }

  async mutate(...[path, args, options, pacer]: Arguments<'mutate'>) {
    const { scope, fork } = this.parts;
    requireOpen(fork);
    const mutation = requireMutation(scope.program, path);
    requireForgettable(scope.program, mutation, fork.id, options.granted);
    const call = { mutation, args, surroundings: this.surroundings() };
    return transactMutation(this.parts, call, { ...this.told(options), cause: path }, pacer);
  }

  async mutateAdhoc(...[text, args, options, pacer]: Arguments<'mutateAdhoc'>) {
    const { scope, fork } = this.parts;
    requireOpen(fork);
    const mutation = prepareMutation(scope.program, text);
    requireForgettable(scope.program, mutation, fork.id, options.granted);
    const call = { mutation, args, surroundings: this.surroundings() };
    return transactMutation(this.parts, call, { ...this.told(options), cause: 'adhoc' }, pacer);
  }

  async batch(...[steps, options, pacer]: Arguments<'batch'>) {
    if (steps.some(({ mutation }) => mutation !== undefined)) requireOpen(this.parts.fork);
    const request = pageRequest(this.parts, { limit: undefined, page: undefined }, () => ['batch']);
    return runBatch(this.parts, steps, { ...this.told(options), surroundings: this.surroundings(), request }, pacer);
  }

  import(...[path, rows, options, pacer]: Arguments<'import'>) {
    return runImport(this.parts, path, rows, { ...this.told(options), surroundings: this.surroundings() }, pacer);
  }

  compute(...[path, args, pacer]: Arguments<'compute'>) {
    return reading(this.parts, (view) => answerCompute(view, path, args, pacer));
  }

  explain(...[relation, tuple, pacer, wish]: Arguments<'explain'>) {
    const explained = (site: ExplanationSite) => explainTuple(site, relation, tuple, pacer, wish);
    if (wish?.after !== undefined) return this.explainTried(wish.after, relation, tuple, pacer, wish);
    if (wish?.candidate !== undefined) {
      return explainByCandidate(this.parts, wish.candidate, { explain: explained, isAside: true }, pacer);
    }
    const { before, moduleHash = this.parts.scope.program.artifact.integrity } = wish ?? {};
    const asked = { explain: explained, isAside: !isTried(wish), before };
    if (moduleHash !== this.parts.scope.program.artifact.integrity) {
      return explainByReplaced(this.parts, this.history(), moduleHash, asked, pacer);
    }
    if (before !== undefined) return explainBefore(this.parts, this.history(), asked, pacer);
    return readingFor(wish)(this.parts, (view, branch) => explained(this.site(view, branch)));
  }

  explainAdhoc(...[text, tuple, pacer, wish]: Arguments<'explainAdhoc'>) {
    return readingAside(this.parts, (view, branch) => {
      const prepared = prepareDerive(this.parts.scope.program, text);
      return explainAdhoc(this.site(view, branch), prepared, tuple, pacer, wish);
    });
  }

  explainRow(...[path, asked, pacer, wish]: Arguments<'explainRow'>) {
    return readingAside(this.parts, (view, branch) => {
      const query = requireQuery(view.program, path);
      return explainRow(this.site(view, branch), query, asked, this.surroundings(), pacer, wish);
    });
  }

  explainAdhocRow(...[text, asked, pacer, wish]: Arguments<'explainAdhocRow'>) {
    return readingAside(this.parts, (view, branch) => {
      const prepared = prepareQuery(this.parts.scope.program, text);
      const site = this.site(view, branch);
      if (prepared.kind === 'derive') return explainAdhoc(site, prepared, tupleOfRow(prepared, asked.row), pacer, wish);
      return explainRow(site, prepared.declaration, asked, this.surroundings(), pacer, wish);
    });
  }

  explainFact(...[id, pacer, wish]: Arguments<'explainFact'>) {
    return readingFor(wish)(this.parts, (view, branch) => explainFactId(this.site(view, branch), id, pacer, wish));
  }

  snapshot(...[options, paging, pacer]: Arguments<'snapshot'>) {
    return reading(this.parts, (view) => {
      const request = pageRequest(this.parts, paging, () => ['snapshot', options.derived]);
      return takeSnapshot(this.parts.scope, this.fork, view, options, request, pacer);
    });
  }

  explainMentions(...[id, paging, pacer, wish]: Arguments<'explainMentions'>) {
    return reading(this.parts, (view, branch) => {
      const request = pageRequest(this.parts, paging, () => ['mentions/explain', id, wish?.proofs ?? 1]);
      return explainMentions(this.site(view, branch), id, request, pacer, wish);
    });
  }

  events(...[paging, pacer]: Arguments<'events'>) {
    const request = pageRequest(this.parts, paging, () => ['events']);
    return listEvents(this.history(), request, pacer);
  }

  transaction(...[txn, paging, pacer]: Arguments<'transaction'>) {
    const request = pageRequest(this.parts, paging, () => ['transaction', txn]);
    return listTransaction(this.history(), txn, request, pacer);
  }

  async transactions(...[first, paging, pacer, wish = {}]: Arguments<'transactions'>) {
    const isWanted = historyFilter(this.parts.scope.program, wish);
    const { individual = null, relation = null } = wish;
    const request = pageRequest(this.parts, paging, () => ['transactions', individual, relation]);
    return listTransactions(this.history(), { first, isWanted }, request, pacer);
  }

  transactionEffects(...[txn, pacer]: Arguments<'transactionEffects'>) {
    return transactionEffects(this.parts, this.history(), txn, pacer);
  }

  undoTransaction(...[txn, options, pacer]: Arguments<'undoTransaction'>) {
    return undoTransaction(this.parts, this.history(), txn, options, pacer);
  }

  follow(...[afterSeq]: Arguments<'follow'>) {
    const { scope, writes } = this.parts;
    return followEvents(followedSite(this.parts), writes, { txn: scope.lastTransaction, seq: scope.lastSeq }, afterSeq);
  }

  derive(...[pacer]: Arguments<'derive'>) {
    return derive(this.parts, pacer);
  }

  async derived() {
    return keptProjection(this.parts.fork);
  }

  deriveTrace(...[paging, pacer]: Arguments<'deriveTrace'>) {
    const { scope, fork } = this.parts;
    return keptTrace(scope, fork, (txn) => pageRequest(this.parts, paging, () => ['derive/trace', txn]), pacer);
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
    pacer: Pacer,
    { proofs, given }: ExplainWish,
  ) {
    const request = pageRequest(this.parts, { limit: undefined, page: undefined }, () => ['batch']);
    const explained = (site: ExplanationSite) =>
      explainTuple(site, relation, tuple, pacer, { ...(proofs !== undefined && { proofs }), given });
    return explainAfter(this.parts, after, explained, { surroundings: this.surroundings(), request }, pacer);
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
