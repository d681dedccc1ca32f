/** What an explanation needs from a request: a state, the history of its fork, and limits. */

import { earlierDeadline } from '../../base/ports.js';
import type { View } from '../../engine/index.js';
import { findInsertingEvents } from '../state/history.js';
import type { Branch, Fork } from '../state/scope.js';
import type { Session } from '../state/session.js';
import type { ExplanationSite } from './explanations.js';

/** The longest search for suggestions. It also takes at most a quarter of the time that the request has left. */
const SUGGEST_MS = 2_000;

/** `fork` is the fork of the state. It may differ from the fork of the request. */
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
