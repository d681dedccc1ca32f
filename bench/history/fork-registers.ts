/** Checks what has no number in the history: status and label of each fork. Each is a register that is checked separately. */

import { type ForkState, forkOf } from './ledger.js';
import type { Finding, Recorded } from './record.js';
import { checkRegister } from './registers.js';
import type { ScopeHistory } from './timeline.js';

/** A status goes from absent to open to closed and never back. */
const STATUSES = ['absent', 'open', 'closed'] as const;

export function checkForks({ forks }: ScopeHistory, records: readonly Recorded[]): Finding[] {
  const final = new Map(forks.map(({ fork, status, label = null }) => [fork, { status, label }]));
  const byFork = new Map<string, Sighting[]>();
  for (const record of records) {
    for (const sighting of sightingsOf(record)) {
      const of = byFork.get(sighting.fork);
      if (of === undefined) byFork.set(sighting.fork, [sighting]);
      else of.push(sighting);
    }
  }
  return [...byFork].flatMap(([fork, of]) => [
    ...checkStatus(of),
    ...checkClosing(of, final.get(fork)),
    ...checkLabels(of, final.get(fork)),
  ]);
}

/** What an operation shows of a fork. */
interface Sighting {
  readonly fork: string;
  readonly record: Recorded;
  readonly status?: number;
  /** Null for a fork without a label. Absent if the response does not show it. */
  readonly label?: string | null;
}

function sightingsOf(record: Recorded): Sighting[] {
  const { operation, answer } = record;
  const fork = forkOf(operation);
  if (operation.kind === 'rebase') {
    // A refusal is about the fork that was to be rebased. A success shows that it is open, and its label, which the new fork gets.
    if (answer.kind !== 'ok') return [{ fork: operation.from, record, ...statusSeen(record) }];
    return [
      { fork, record, status: 1 },
      { fork: operation.from, record, status: 1, label: answer.fork?.label ?? null },
    ];
  }
  if (fork === 'main') return [];
  const label = answer.kind === 'ok' && operation.kind !== 'label' ? answer.fork?.label : undefined;
  return [{ fork, record, ...statusSeen(record), ...(label !== undefined && { label }) }];
}

function statusSeen({ operation: { kind }, answer }: Recorded): Pick<Sighting, 'status'> {
  if (answer.kind === 'refused') {
    if (answer.code === 'SVC_RUNTIME_FORK_CLOSED') return { status: 2 };
    return answer.code === 'SVC_RUNTIME_FORK_NOT_FOUND' ? { status: 0 } : {};
  }
  if (answer.kind !== 'ok') return {};
  if (answer.fork !== undefined) return { status: answer.fork.status === 'open' ? 1 : 2 };
  return ['claim', 'release', 'increment', 'pick'].includes(kind) ? { status: 1 } : {};
}

function checkStatus(sightings: readonly Sighting[]): Finding[] {
  const seen = sightings.flatMap(({ record, status }) => (status === undefined ? [] : [{ record, status }]));
  for (const one of seen) {
    const other = seen.find(({ record, status }) => status < one.status && one.record.completedMs < record.invokedMs);
    if (other === undefined) continue;
    const message = `The fork is ${STATUSES[other.status]} after it was ${STATUSES[one.status]}.`;
    return [{ rule: 'fork status', message, operations: [one.record, other.record] }];
  }
  return [];
}

/** A fork is closed once, and as acknowledged. */
function checkClosing(sightings: readonly Sighting[], final: ForkState | undefined): Finding[] {
  const closings = sightings
    .map(({ record }) => record)
    .filter(({ operation: { kind }, answer }) => (kind === 'promote' || kind === 'discard') && answer.kind === 'ok');
  const [first] = closings;
  if (first === undefined) return [];
  const wanted = first.operation.kind === 'promote' ? 'promoted' : 'aborted';
  if (closings.length === 1 && final?.status === wanted) return [];
  const message =
    closings.length > 1 ? 'The fork was closed twice.' : `The fork is ${final?.status ?? 'absent'} at the end.`;
  return [{ rule: 'fork status', message, operations: closings }];
}

const AT_END = Number.POSITIVE_INFINITY;

/** Those of a rebased fork are left out: its first one depends on another fork. */
function checkLabels(sightings: readonly Sighting[], final: ForkState | undefined): Finding[] {
  if (sightings.some(({ fork, record: { operation } }) => operation.kind === 'rebase' && operation.fork === fork)) {
    return [];
  }
  const uses = sightings.flatMap(({ record, label }) => {
    const { operation, invokedMs, completedMs, answer } = record;
    const times = { record, invokedMs, completedMs };
    if (label !== undefined) return [{ ...times, value: label, isWrite: false }];
    const isTried = operation.kind === 'label' && (answer.kind === 'ok' || answer.kind === 'unknown');
    return isTried ? [{ ...times, value: operation.label, isWrite: true }] : [];
  });
  // What is stored at the end was read after everything else.
  const written = uses.find(({ isWrite, value }) => isWrite && value === final?.label);
  if (written !== undefined) uses.push({ ...written, isWrite: false, invokedMs: AT_END, completedMs: AT_END });
  const conflict = checkRegister<string | null, (typeof uses)[number]>(null, uses);
  if (conflict === undefined) return [];
  const message =
    conflict.kind === 'early read'
      ? `The label "${conflict.uses[0]?.value}" was read before a client wrote it.`
      : 'No order of these labels explains what was read.';
  return [{ rule: 'label', message, operations: conflict.uses.map(({ record }) => record) }];
}
