/**
 * Checks what has no number in the history: status and label of each fork. Each is a register that is checked separately.
 *
 * A status goes from absent to open to closed and never back. Labels are unique texts, so that a read names the write that it saw. They
 * are linearizable exactly if the zones of two labels do not conflict (Gibbons and Korach, "Testing Shared Memories", 1997): the zone of a
 * label lies between the first completion and the last invocation of the operations that write or read it.
 */

import type { ForkState } from './ledger.js';
import { forkOf } from './ledger.js';
import type { Finding, Recorded } from './record.js';
import type { ScopeHistory } from './timeline.js';

const STATUSES = ['absent', 'open', 'closed'] as const;

export function checkForks({ forks }: ScopeHistory, records: readonly Recorded[]): Finding[] {
  const final = new Map(forks.map(({ fork, status, label = null }) => [fork, { status, label }]));
  const byFork = new Map<string, Recorded[]>();
  for (const record of records) {
    const fork = forkOf(record.operation);
    if (fork === 'main') continue;
    const of = byFork.get(fork);
    if (of === undefined) byFork.set(fork, [record]);
    else of.push(record);
  }
  return [...byFork].flatMap(([fork, of]) => [
    ...checkStatus(of),
    ...checkClosing(of, final.get(fork)),
    ...checkLabels(of, final.get(fork)),
  ]);
}

/** The status that a response shows, if it shows one. */
function statusSeen({ operation: { kind }, answer }: Recorded): number | undefined {
  if (answer.kind === 'refused') {
    if (answer.code === 'SVC_RUNTIME_FORK_CLOSED') return 2;
    return answer.code === 'SVC_RUNTIME_FORK_NOT_FOUND' ? 0 : undefined;
  }
  if (answer.kind !== 'ok') return undefined;
  if (answer.fork !== undefined) return answer.fork.status === 'open' ? 1 : 2;
  return ['claim', 'release', 'increment'].includes(kind) ? 1 : undefined;
}

function checkStatus(records: readonly Recorded[]): Finding[] {
  const seen = records.flatMap((record) => {
    const status = statusSeen(record);
    return status === undefined ? [] : [{ record, status }];
  });
  for (const one of seen) {
    const other = seen.find(({ record, status }) => status < one.status && one.record.completedMs < record.invokedMs);
    if (other === undefined) continue;
    const message = `The fork is ${STATUSES[other.status]} after it was ${STATUSES[one.status]}.`;
    return [{ rule: 'fork status', message, operations: [one.record, other.record] }];
  }
  return [];
}

/** A fork is closed once, and as acknowledged. */
function checkClosing(records: readonly Recorded[], final: ForkState | undefined): Finding[] {
  const closings = records.filter(
    ({ operation: { kind }, answer }) => (kind === 'promote' || kind === 'discard') && answer.kind === 'ok',
  );
  const [first] = closings;
  if (first === undefined) return [];
  const wanted = first.operation.kind === 'promote' ? 'promoted' : 'aborted';
  if (closings.length === 1 && final?.status === wanted) return [];
  const message =
    closings.length > 1 ? 'The fork was closed twice.' : `The fork is ${final?.status ?? 'absent'} at the end.`;
  return [{ rule: 'fork status', message, operations: closings }];
}

interface Zone {
  /** Whether all operations of the label could have happened at one time. */
  readonly isInstant: boolean;
  readonly fromMs: number;
  readonly toMs: number;
  readonly operations: readonly Recorded[];
}

function checkLabels(records: readonly Recorded[], final: ForkState | undefined): Finding[] {
  const ofLabel = new Map<string | null, Recorded[]>();
  const add = (label: string | null, record: Recorded) => ofLabel.set(label, [...(ofLabel.get(label) ?? []), record]);
  for (const record of records) {
    const { operation, answer } = record;
    if (operation.kind === 'label') {
      // A write of unknown outcome counts if somebody saw it; its label is read below.
      if (answer.kind === 'ok' || final?.label === operation.label || isRead(records, operation.label)) {
        add(operation.label, record);
      }
    } else if (answer.kind === 'ok' && answer.fork !== undefined) add(answer.fork.label, record);
  }
  const zones = Array.from(ofLabel, ([label, operations]) => zoneOf(label, operations));
  for (const [label, operations] of ofLabel) {
    const write = operations.find(({ operation }) => operation.kind === 'label');
    const early = operations.find(
      ({ completedMs }) => label !== null && completedMs < (write?.invokedMs ?? Number.POSITIVE_INFINITY),
    );
    if (early === undefined) continue;
    const message = `The label "${label}" was read before a client wrote it.`;
    return [{ rule: 'label', message, operations: write === undefined ? [early] : [early, write] }];
  }
  const lasting = zones.filter(({ isInstant }) => !isInstant);
  for (const [index, zone] of lasting.entries()) {
    const conflicting =
      lasting.slice(index + 1).find(({ fromMs, toMs }) => fromMs < zone.toMs && zone.fromMs < toMs) ??
      zones.find(({ isInstant, fromMs, toMs }) => isInstant && fromMs > zone.fromMs && toMs < zone.toMs);
    if (conflicting === undefined) continue;
    const message = 'No order of these labels explains what was read.';
    return [{ rule: 'label', message, operations: [...extremes(zone), ...extremes(conflicting)] }];
  }
  return [];
}

function isRead(records: readonly Recorded[], label: string): boolean {
  return records.some(
    ({ operation: { kind }, answer }) => kind !== 'label' && answer.kind === 'ok' && answer.fork?.label === label,
  );
}

/** The initial label was written before everything else. */
function zoneOf(label: string | null, operations: readonly Recorded[]): Zone {
  const completions = operations.map(({ completedMs }) => completedMs);
  const invocations = operations.map(({ invokedMs }) => invokedMs);
  const firstMs = label === null ? Number.NEGATIVE_INFINITY : Math.min(...completions);
  const lastMs = Math.max(...invocations);
  return {
    isInstant: firstMs >= lastMs,
    fromMs: Math.min(firstMs, lastMs),
    toMs: Math.max(firstMs, lastMs),
    operations,
  };
}

/** The operations at both ends of the zone. */
function extremes({ operations }: Zone): readonly Recorded[] {
  const first = operations.reduce((least, each) => (each.completedMs < least.completedMs ? each : least));
  const last = operations.reduce((most, each) => (each.invokedMs > most.invokedMs ? each : most));
  return first === last ? [first] : [first, last];
}
