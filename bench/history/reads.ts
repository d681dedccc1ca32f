/**
 * Explains each response without a number by a state that it could have seen. The least such state is assigned to each in order of
 * invocation; since all other constraints are lower bounds, an assignment exists exactly if this one does.
 */

import { isDeepStrictEqual } from 'node:util';
import { expected } from './model.js';
import type { Finding, Recorded } from './record.js';
import type { Change, ScopeHistory, Timeline } from './timeline.js';

/** Codes that a state of the ledger explains. */
export const EXPLAINED: ReadonlySet<string> = new Set([
  ...['SVC_RUNTIME_CHECK_VIOLATION', 'SVC_RUNTIME_VALIDATION_FAILED', 'SVC_RUNTIME_QUERY_EVAL_FAILED'],
]);

/** An operation with its number in the history. */
export interface Positioned {
  readonly record: Recorded;
  readonly txn: number;
}

/** Each response without a number is explained by a state that it could have seen, in an order that agrees with real time. */
export function checkReads(
  writes: readonly Positioned[],
  records: readonly Recorded[],
  timeline: Timeline,
  { forks, transactions }: ScopeHistory,
): Finding[] {
  const findings: Finding[] = [];
  const last = forks.length + transactions.length;
  const reads = records.filter(isRead).sort((one, other) => one.invokedMs - other.invokedMs);
  const lowest = latestBefore(writes);
  const highest = earliestAfter(writes);
  /** Reads by completion, with the state that explains them. */
  const byCompletion = [...reads].sort((one, other) => one.completedMs - other.completedMs);
  const assigned = new Map<Recorded, number>();
  let seen = 0;
  let next = 0;
  for (const read of reads) {
    for (
      let done = byCompletion[next];
      done !== undefined && done.completedMs < read.invokedMs;
      done = byCompletion[++next]
    ) {
      seen = Math.max(seen, assigned.get(done) ?? 0);
    }
    if (momentOf(read) !== undefined) {
      const problem = differenceAt(read, momentOf(read) ?? 0, timeline);
      if (problem !== undefined) findings.push({ rule: 'unexplained response', message: problem, operations: [read] });
      continue;
    }
    const from = Math.max(seen, lowest(read.invokedMs));
    const to = Math.min(last, highest(read.completedMs));
    let state = from;
    while (state <= to && differenceAt(read, state, timeline) !== undefined) state += 1;
    assigned.set(read, Math.min(state, to));
    if (state > to) findings.push(unexplained(read, from, to, timeline, writes));
  }
  return findings;
}

function isRead({ operation: { kind }, answer }: Recorded): boolean {
  if (answer.kind === 'refused') return EXPLAINED.has(answer.code);
  if (['createFork', 'rebase', 'discard', 'label', 'fork'].includes(kind)) return false;
  return answer.kind === 'ok' && typeof answer.txn !== 'number';
}

export function momentOf({ operation }: Recorded): number | undefined {
  return 'asOf' in operation ? operation.asOf : undefined;
}

/** Why the state after this transaction does not explain the response; undefined if it does. */
function differenceAt({ operation, answer }: Recorded, txn: number, timeline: Timeline): string | undefined {
  const edition = 'edition' in answer ? answer.edition : undefined;
  const predicted = expected(operation, timeline.at(txn), { edition });
  if (predicted.kind === 'refused') {
    if (answer.kind === 'refused' && answer.code === predicted.code) return undefined;
    return `After transaction ${txn} it is refused with ${predicted.code}.`;
  }
  if (answer.kind !== 'ok') return `After transaction ${txn} it is accepted.`;
  if (predicted.changes.length > 0) return `After transaction ${txn} it changes ${texts(predicted.changes)}.`;
  if (isDeepStrictEqual(predicted.result, answer.result)) return undefined;
  return `After transaction ${txn} the result is ${JSON.stringify(predicted.result)}.`;
}

function unexplained(
  read: Recorded,
  from: number,
  to: number,
  timeline: Timeline,
  writes: readonly Positioned[],
): Finding {
  const { length } = writes;
  let earlier = from - 1;
  while (earlier >= 0 && from - earlier < 1_000 && differenceAt(read, earlier, timeline) !== undefined) earlier -= 1;
  const isStale = earlier >= 0 && differenceAt(read, earlier, timeline) === undefined;
  const missed = isStale ? writes.find(({ txn }) => txn > earlier && txn <= from) : undefined;
  const why = isStale
    ? `It shows the state after transaction ${earlier} of ${length}, but had to see transaction ${from}.`
    : `No state from transaction ${from} to ${to} explains it. ${differenceAt(read, to, timeline) ?? ''}`;
  return { rule: 'unexplained response', message: why, operations: [...(missed ? [missed.record] : []), read] };
}

/** The highest number of the writes that were complete before a time. */
function latestBefore(writes: readonly Positioned[]): (atMs: number) => number {
  const sorted = [...writes].sort((one, other) => one.record.completedMs - other.record.completedMs);
  let highest = 0;
  const highests = sorted.map(({ txn }) => (highest = Math.max(highest, txn)));
  return (atMs) => highests[countBelow(sorted, ({ record }) => record.completedMs < atMs) - 1] ?? 0;
}

/** One less than the lowest number of the writes that were sent after a time. */
function earliestAfter(writes: readonly Positioned[]): (atMs: number) => number {
  const sorted = [...writes].sort((one, other) => one.record.invokedMs - other.record.invokedMs);
  const lowests = new Array<number>(sorted.length);
  let lowest = Number.POSITIVE_INFINITY;
  for (let index = sorted.length - 1; index >= 0; index -= 1) {
    lowest = Math.min(lowest, (sorted[index] as Positioned).txn);
    lowests[index] = lowest;
  }
  return (atMs) =>
    (lowests[countBelow(sorted, ({ record }) => record.invokedMs <= atMs)] ?? Number.POSITIVE_INFINITY) - 1;
}

/** How many members at the start of the list fulfil the condition, which all others fail. */
function countBelow<T>(list: readonly T[], isBelow: (member: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBelow(list[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function texts(changes: readonly Change[]): string {
  const all = changes.map(
    ({ key, before, after }) => `${key} from ${JSON.stringify(before)} to ${JSON.stringify(after)}`,
  );
  return all.length === 0 ? 'nothing' : all.join(', ');
}
