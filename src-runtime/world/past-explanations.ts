/** Explanations of a state that is past: the history before a transaction is replayed under the rules that are loaded now, aside of all others. */

import type { Explanation } from '../api/explanation-schemas.js';
import type { Pacer } from '../base/ports.js';
import type { View } from '../engine/index.js';
import type { HistorySite } from './events.js';
import { reading } from './forks.js';
import { namesIn } from './labels.js';
import { replayAlone } from './open-scope.js';
import type { Branch } from './scope.js';
import type { SessionParts } from './session-parts.js';
import { requireTransaction } from './transactions.js';

interface Asked {
  readonly explain: (view: View, branch: Branch) => Promise<Explanation>;
  /** Values that only the question has met are forgotten with the answer. */
  readonly isAside: boolean;
}

/** With what those were called in it that have gone since. Throws VALIDATION_FAILED for a transaction that the history does not have. */
export async function explainBefore(
  parts: SessionParts,
  site: HistorySite,
  txn: number,
  { explain, isAside }: Asked,
  pacer: Pacer,
): Promise<Explanation> {
  const { scope, fork, store } = parts;
  await requireTransaction(site, txn);
  const past = await replayAlone(scope, store, fork, pacer, txn - 1);
  const view = isAside ? past.facts.viewAside() : past.facts.view();
  try {
    const explanation = await explain(view, past);
    return { ...explanation, names: await reading(parts, (now) => namesIn(explanation, view, pacer, now)) };
  } finally {
    view.release();
  }
}
