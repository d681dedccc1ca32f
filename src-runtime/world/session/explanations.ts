/** Explains facts and rows of queries: now, before a transaction, after a tried call, and under another module. */

import type { Explanation } from '../../api/schemas/explanation-schemas.js';
import type { Deadline } from '../../base/ports.js';
import type { AdhocText, DryRunCall, ExplanationOptions, Page, Paging, RowRequest } from '../contract/requests.js';
import { explanationSite } from '../explain/explanation-site.js';
import {
  type ExplanationSite,
  explainAdhoc as explainDerive,
  explainFactId,
  explainTuple,
} from '../explain/explanations.js';
import { explainMentions as explainEachMention } from '../explain/mentions.js';
import { explainRequirement, type UnmetRequirement } from '../explain/requirements.js';
import { explainRow as explainQueryRow, tupleOfRow } from '../explain/row-explanations.js';
import { explainAfter } from '../merge/dry-run-explanations.js';
import { explainBefore, explainByCandidate, explainByReplaced } from '../merge/past-explanations.js';
import { prepareDerive, prepareQuery } from '../read/adhoc.js';
import { historyOf } from '../read/events.js';
import { reading, readingScratch } from '../state/forks.js';
import { expressionContextOf, pageRequest, type Session } from '../state/session.js';
import { requireQuery } from '../wire/callables.js';

/** With `before`, also throws what `transaction` throws. */
export function explain(
  session: Session,
  relation: string,
  tuple: readonly unknown[],
  deadline: Deadline,
  options: ExplanationOptions = {},
): Promise<Explanation> {
  const explained = (site: ExplanationSite) => explainTuple(site, relation, tuple, deadline, options);
  if (options.after !== undefined) return explainTried(session, options.after, relation, tuple, deadline, options);
  if (options.candidate !== undefined) {
    return explainByCandidate(session, options.candidate, { explain: explained, isAside: true }, deadline);
  }
  const loadedHash = session.scope.program.artifact.integrity;
  const { before, moduleHash = loadedHash } = options;
  const request = { explain: explained, isAside: !isTried(options), before };
  if (moduleHash !== loadedHash) return explainByReplaced(session, historyOf(session), moduleHash, request, deadline);
  if (before !== undefined) return explainBefore(session, historyOf(session), request, deadline);
  return readingFor(options)(session, (view, branch) => explained(explanationSite(session, view, branch)));
}

function explainTried(
  session: Session,
  after: DryRunCall,
  relation: string,
  tuple: readonly unknown[],
  deadline: Deadline,
  { proofs, given, ending = false }: ExplanationOptions,
): Promise<Explanation> {
  const request = pageRequest(session, { limit: undefined, page: undefined }, () => ['batch']);
  const expressionContext = expressionContextOf(session);
  const explained = (site: ExplanationSite, unmet: UnmetRequirement | undefined) =>
    unmet?.mutation === relation
      ? explainRequirement(site, unmet, expressionContext, deadline)
      : explainTuple(site, relation, tuple, deadline, { ...(proofs !== undefined && { proofs }), given, ending });
  const options = { expressionContext, request, isUnguarded: ending };
  return explainAfter(session, after, explained, options, deadline);
}

/** Explains a row of an ad-hoc derive. Throws what `prepareAdhoc` throws, also for a text that is not a derive. */
export function explainAdhoc(
  session: Session,
  text: AdhocText,
  tuple: readonly unknown[],
  deadline: Deadline,
  options?: ExplanationOptions,
): Promise<Explanation> {
  return readingScratch(session, (view, branch) => {
    const prepared = prepareDerive(session.scope.program, text);
    return explainDerive(explanationSite(session, view, branch), prepared, tuple, deadline, options);
  });
}

/** Explains a row that a query returned. Throws what `query` and `explain` throw. */
export function explainRow(
  session: Session,
  path: string,
  request: RowRequest,
  deadline: Deadline,
  options?: ExplanationOptions,
): Promise<Explanation> {
  return readingScratch(session, (view, branch) => {
    const query = requireQuery(view.program, path);
    return explainQueryRow(
      explanationSite(session, view, branch),
      query,
      request,
      expressionContextOf(session),
      deadline,
      options,
    );
  });
}

/** Explains a row of an ad-hoc query or derive. Throws what `queryAdhoc` and `explain` throw. */
export function explainAdhocRow(
  session: Session,
  text: AdhocText,
  request: RowRequest,
  deadline: Deadline,
  options?: ExplanationOptions,
): Promise<Explanation> {
  return readingScratch(session, (view, branch) => {
    const prepared = prepareQuery(session.scope.program, text);
    const site = explanationSite(session, view, branch);
    return prepared.kind === 'derive'
      ? explainDerive(site, prepared, tupleOfRow(prepared, request.row), deadline, options)
      : explainQueryRow(site, prepared.declaration, request, expressionContextOf(session), deadline, options);
  });
}

export function explainFact(
  session: Session,
  factId: string,
  deadline: Deadline,
  options: ExplanationOptions = {},
): Promise<Explanation> {
  return readingFor(options)(session, (view, branch) =>
    explainFactId(explanationSite(session, view, branch), factId, deadline, options),
  );
}

/** The proofs of the derived facts that mention an individual. */
export function explainMentions(
  session: Session,
  id: string,
  paging: Paging,
  deadline: Deadline,
  options?: Pick<ExplanationOptions, 'proofs'>,
): Promise<Page<Explanation[]>> {
  return reading(session, (view, branch) => {
    const request = pageRequest(session, paging, () => ['mentions/explain', id, options?.proofs ?? 1]);
    return explainEachMention(explanationSite(session, view, branch), id, request, deadline, options);
  });
}

/** Suggestions are tried as facts, so their values must stay in the scope. */
function isTried(options: ExplanationOptions): boolean {
  return options.suggest === true || options.ending === true;
}

function readingFor(options: ExplanationOptions): typeof reading {
  return isTried(options) ? reading : readingScratch;
}
