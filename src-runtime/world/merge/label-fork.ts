/** Gives a fork a label, which people call it by, or takes it away. Its facts, its state and every number stay as they are. */

import type { ForkInfo } from '../../api/schemas/fork-schemas.js';
import type { Deadline } from '../../base/ports.js';
import { forkInfo, requireNoMain, writingAlone } from '../state/forks.js';
import type { SessionParts } from '../state/session-parts.js';

/** An open fork or a closed one; null and an empty label take it away. Throws VALIDATION_FAILED for `main`. */
export function labelFork(
  { scope, fork, store, clock, writes }: SessionParts,
  label: string | null,
  deadline: Deadline,
): Promise<ForkInfo> {
  requireNoMain(fork, 'labelled');
  return writingAlone(scope, deadline, async () => {
    const given = givenLabel(label);
    if (given === fork.label) return forkInfo(fork, clock);
    await store.labelFork(scope.scopeId, { fork: fork.id, txn: fork.txn, label: given ?? null });
    fork.label = given;
    const record = forkInfo(fork, clock);
    writes.announceFork(scope.scopeId, record);
    return record;
  });
}

/** Undefined for none. */
export function givenLabel(label: string | null | undefined): string | undefined {
  return label === null || label === '' ? undefined : label;
}
