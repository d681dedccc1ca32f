/** Explanations of facts and of rows of queries: as they are, as they were, after a tried call, and under another module. */

import type { Explanation } from '../../api/schemas/explanation-schemas.js';
import type { Deadline } from '../../base/ports.js';
import type { AdhocText, AskedRow, ExplainWish, Page, Paging, TriedCall } from '../contract/requests.js';
import { explanationSite } from '../explain/explanation-site.js';
import {
  type ExplanationSite,
  explainAdhoc as explainDerive,
  explainFactId,
  explainTuple,
} from '../explain/explanations.js';
import { explainMentions as explainEachMention } from '../explain/mentions.js';
import { explainRow as explainQueryRow, tupleOfRow } from '../explain/row-explanations.js';
import { explainBefore, explainByCandidate, explainByReplaced } from '../merge/past-explanations.js';
import { explainAfter } from '../merge/tried-explanations.js';
import { prepareDerive, prepareQuery } from '../read/adhoc.js';
import { historyOf } from '../read/events.js';
import { reading, readingAside } from '../state/forks.js';
import { pageRequest, type SessionParts, surroundingsOf } from '../state/session-parts.js';
import { requireQuery } from '../wire/callables.js';

/** With `before` in the wish it throws what `transaction` does, too. */
export function explain(
  session: SessionParts,
  relation: string,
  tuple: readonly unknown[],
  deadline: Deadline,
  wish: ExplainWish = {},
): Promise<Explanation> {
  const explained = (site: ExplanationSite) => explainTuple(site, relation, tuple, deadline, wish);
  if (wish.after !== undefined) return explainTried(session, wish.after, relation, tuple, deadline, wish);
  if (wish.candidate !== undefined) {
    return explainByCandidate(session, wish.candidate, { explain: explained, isAside: true }, deadline);
  }
  const loadedHash = session.scope.program.artifact.integrity;
  const { before, moduleHash = loadedHash } = wish;
  const asked = { explain: explained, isAside: !isTried(wish), before };
  if (moduleHash !== loadedHash) return explainByReplaced(session, historyOf(session), moduleHash, asked, deadline);
  if (before !== undefined) return explainBefore(session, historyOf(session), asked, deadline);
  return readingFor(wish)(session, (view, branch) => explained(explanationSite(session, view, branch)));
}

function explainTried(
  session: SessionParts,
  after: TriedCall,
  relation: string,
  tuple: readonly unknown[],
  deadline: Deadline,
  { proofs, given }: ExplainWish,
): Promise<Explanation> {
  const request = pageRequest(session, { limit: undefined, page: undefined }, () => ['batch']);
  const explained = (site: ExplanationSite) =>
    explainTuple(site, relation, tuple, deadline, { ...(proofs !== undefined && { proofs }), given });
  return explainAfter(session, after, explained, { surroundings: surroundingsOf(session), request }, deadline);
}

/** A row of the derive that the text is. Throws what `prepareAdhoc` does, also for a text that is no derive. */
export function explainAdhoc(
  session: SessionParts,
  text: AdhocText,
  tuple: readonly unknown[],
  deadline: Deadline,
  wish?: ExplainWish,
): Promise<Explanation> {
  return readingAside(session, (view, branch) => {
    const prepared = prepareDerive(session.scope.program, text);
    return explainDerive(explanationSite(session, view, branch), prepared, tuple, deadline, wish);
  });
}

/** A row of a query, as the query returns it. Throws what `query` and `explain` do. */
export function explainRow(
  session: SessionParts,
  path: string,
  asked: AskedRow,
  deadline: Deadline,
  wish?: ExplainWish,
): Promise<Explanation> {
  return readingAside(session, (view, branch) => {
    const query = requireQuery(view.program, path);
    return explainQueryRow(
      explanationSite(session, view, branch),
      query,
      asked,
      surroundingsOf(session),
      deadline,
      wish,
    );
  });
}

/** A row of the query or derive that the text is. Throws what `queryAdhoc` and `explain` do. */
export function explainAdhocRow(
  session: SessionParts,
  text: AdhocText,
  asked: AskedRow,
  deadline: Deadline,
  wish?: ExplainWish,
): Promise<Explanation> {
  return readingAside(session, (view, branch) => {
    const prepared = prepareQuery(session.scope.program, text);
    const site = explanationSite(session, view, branch);
    return prepared.kind === 'derive'
      ? explainDerive(site, prepared, tupleOfRow(prepared, asked.row), deadline, wish)
      : explainQueryRow(site, prepared.declaration, asked, surroundingsOf(session), deadline, wish);
  });
}

export function explainFact(
  session: SessionParts,
  factId: string,
  deadline: Deadline,
  wish: ExplainWish = {},
): Promise<Explanation> {
  return readingFor(wish)(session, (view, branch) =>
    explainFactId(explanationSite(session, view, branch), factId, deadline, wish),
  );
}

/** The proofs of the derived facts that mention an individual. */
export function explainMentions(
  session: SessionParts,
  id: string,
  paging: Paging,
  deadline: Deadline,
  wish?: Pick<ExplainWish, 'proofs'>,
): Promise<Page<Explanation[]>> {
  return reading(session, (view, branch) => {
    const request = pageRequest(session, paging, () => ['mentions/explain', id, wish?.proofs ?? 1]);
    return explainEachMention(explanationSite(session, view, branch), id, request, deadline, wish);
  });
}

/** What is to be suggested is tried as facts, which its values then outlive. */
function isTried(wish: ExplainWish): boolean {
  return wish.suggest === true || wish.ending === true;
}

function readingFor(wish: ExplainWish): typeof reading {
  return isTried(wish) ? reading : readingAside;
}
