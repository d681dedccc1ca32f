/** Where a request explains facts: on a state of a fork, whose history has the events, within what one explanation may take. */

import { earlierDeadline } from '../../base/ports.js';
import type { View } from '../../engine/index.js';
import { findInsertingEvents } from '../state/history.js';
import type { Branch, Fork } from '../state/scope.js';
import type { Session } from '../state/session.js';
import type { ExplanationSite } from './explanations.js';

/** What looking for suggestions may take, and no more than a quarter of the request's own time. */
const SUGGEST_MS = 2_000;

/** `fork` is the one whose state it is, of which the request may only be about another. */
export function explanationSite(
  session: Session,
  view: View,
  branch: Branch,
  fork: Fork = session.fork,
): ExplanationSite {
  const { scope, store, clock, limits } = session;
  return {
    view,
    declared: scope.declared,
    nodesMax: limits.explainNodes,
    shorten: (deadline) => earlierDeadline(clock, Math.min(SUGGEST_MS, limits.timeoutMs / 4), deadline),
    insertingEvents: (facts, deadline) => findInsertingEvents(store, { scope, fork, branch }, view, facts, deadline),
  };
}
