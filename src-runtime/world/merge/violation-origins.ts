/**
 * Finds the transaction that began each violation. The history is replayed in a separate store, under the loaded
 * rules; a check is compared after each transaction that changed what it reads.
 */

import type { JsonValue, ViolationOrigins, WireTransaction } from '../../api/schemas/schemas.js';
import type { CheckDeclaration } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import { EvaluationFault, toWire, type View } from '../../engine/index.js';
import type { StoredEvent } from '../../storage/event-store.js';
import { type HistorySite, historyAfter } from '../read/events.js';
import { readsAny } from '../read/guard.js';
import { reading } from '../state/forks.js';
import { replayAlone } from '../state/open-scope.js';
import { replayTransaction } from '../state/replay.js';
import type { Session } from '../state/session.js';
import { changedRows } from '../write/effects.js';
import { touch, wireTransaction } from './transactions.js';

/**
 * Newest first, at most as many as the row cap. Violations that exist since before the first transaction, because the module declares
 * their facts, are left out.
 */
export async function violationOrigins(
  session: Session,
  site: HistorySite,
  deadline: Deadline,
): Promise<ViolationOrigins> {
  const { scope, fork, store, limits } = session;
  const { program } = scope;
  const traced = (await reading(session, (view) => failingChecks(view, deadline))).map(
    (check) => new TracedCheck(check),
  );
  if (traced.length === 0) return { origins: [], unknown: [], cut: false };
  const { facts } = await replayAlone(scope, store, fork, deadline, 0);
  let before = facts.view();
  let transaction: ReturnType<typeof facts.begin> | undefined;
  const events: StoredEvent[] = [];
  try {
    for await (const part of historyAfter(site, { txn: 0, seq: 0 })) {
      transaction ??= facts.begin();
      await replayTransaction(transaction, part, deadline);
      events.push(...part.events);
      if (!part.isLast) continue;
      transaction.commit();
      transaction = undefined;
      const after = facts.view();
      try {
        const changed = new Set<string>();
        for (const event of events) touch(changed, program, event);
        const written = wireTransaction(part, events.length);
        for (const each of traced) await each.compare(before, after, changed, written, deadline);
      } finally {
        before.release();
        before = after;
      }
      events.length = 0;
    }
    const origins = traced
      .flatMap((each) => each.origins(before))
      .sort((left, right) => right.transaction.txn - left.transaction.txn);
    return {
      origins: origins.slice(0, limits.rows),
      unknown: traced.flatMap(({ check, failure }) =>
        failure === undefined ? [] : [{ check: check.path, message: failure }],
      ),
      cut: origins.length > limits.rows,
    };
  } finally {
    transaction?.rollback();
    before.release();
  }
}

/** Only these are compared, because most checks pass and cost the replay time. */
async function failingChecks(view: View, deadline: Deadline): Promise<CheckDeclaration[]> {
  const failing: CheckDeclaration[] = [];
  for (const check of view.program.checks.values()) {
    try {
      const reader = await view.materialise(view.program.relationOfCheck(check.path), deadline);
      if (reader.size > 0) failing.push(check);
    } catch (error) {
      // It has no violations to show.
      if (!(error instanceof EvaluationFault)) throw error;
    }
  }
  return failing;
}

class TracedCheck {
  readonly check: CheckDeclaration;
  /** Why the origins of its violations are unknown. */
  failure: string | undefined;
  private readonly begun = new Map<
    string,
    { readonly row: readonly number[]; readonly transaction: WireTransaction }
  >();

  constructor(check: CheckDeclaration) {
    this.check = check;
  }

  async compare(
    before: View,
    after: View,
    changed: ReadonlySet<string>,
    transaction: WireTransaction,
    deadline: Deadline,
  ): Promise<void> {
    if (this.failure !== undefined) return;
    try {
      const relation = after.program.relationOfCheck(this.check.path);
      if (!readsAny(after, relation, changed)) return;
      const [old, now] = [await before.materialise(relation, deadline), await after.materialise(relation, deadline)];
      const { added, removed } = await changedRows(old, now, Number.POSITIVE_INFINITY, deadline);
      for (const row of removed.rows) this.begun.delete(row.join());
      for (const row of added.rows) this.begun.set(row.join(), { row: [...row], transaction });
    } catch (error) {
      if (!(error instanceof EvaluationFault)) throw error;
      this.failure = error.message;
      this.begun.clear();
    }
  }

  origins({ interner }: View): ViolationOrigins['origins'] {
    const { path, parameters } = this.check;
    return [...this.begun.values()].map(({ row, transaction }) => ({
      check: path,
      tuple: Object.fromEntries(
        parameters.map(({ name, type }, position) => [
          name,
          toWire(type, interner.decode(type, row[position] as number)) as JsonValue,
        ]),
      ),
      transaction,
    }));
  }
}
