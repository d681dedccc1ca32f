/** Undoes a promotion: what it wrote onto the parent is written back there. The fork stays closed. */

import { ApiError } from '../../api/errors.js';
import type { Deadline } from '../../base/ports.js';
import type { View } from '../../engine/index.js';
import type { StoredEvent, StoredTransaction } from '../../storage/event-store.js';
import type { OverOptions, UndoAnswer } from '../contract/requests.js';
import { explanationSite } from '../explain/explanation-site.js';
import { forkInfo } from '../state/forks.js';
import type { Branch, Fork } from '../state/scope.js';
import type { SessionParts } from '../state/session-parts.js';
import { type UndoOptions, undoStored } from './undo.js';

/** Throws VALIDATION_FAILED, FORK_CLOSED for the parent, CHECK_VIOLATION; nothing is kept then, nor of a dry run. */
export async function undoPromotion(
  parts: SessionParts,
  options: OverOptions & Pick<UndoOptions, 'look'>,
  deadline: Deadline,
): Promise<UndoAnswer> {
  const { fork } = parts;
  const parent = promotedTo(fork);
  const siteOf = (view: View, branch: Branch) => explanationSite(parts, view, branch, parent);
  const { value, txn, events } = await undoStored(
    { ...parts, fork: parent },
    { written: `the promotion of "${fork.id}" wrote to "${parent.id}"`, details: { fork: fork.id } },
    { cause: { kind: 'undoPromotion', fork: fork.id }, ...options, ...(options.explain === true && { siteOf }) },
    () => promotionOf(parts, parent),
    deadline,
  );
  return { result: forkInfo(fork, parts.clock), txn, events, ...value };
}

function promotedTo({ id, status, parent }: Fork): Fork {
  if (status === 'promoted' && parent !== null) return parent;
  throw new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    `"${id}" has not been promoted, so that there is nothing to undo. Name a fork that GET /v1/forks lists as promoted.`,
    { fork: id, status },
  );
}

/** Undefined where the promotion wrote nothing. */
async function promotionOf({ store, scope, fork }: SessionParts, parent: Fork): Promise<StoredTransaction | undefined> {
  let promotion: StoredTransaction | undefined;
  const events: StoredEvent[] = [];
  for await (const part of store.read(scope.scopeId, parent.id, fork.txn)) {
    if (part.cause.kind !== 'promote' || part.cause.fork !== fork.id) continue;
    promotion = { ...part, events };
    for (const event of part.events) events.push(event);
    if (part.isLast) break;
  }
  return promotion;
}
