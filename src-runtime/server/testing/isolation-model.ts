/**
 * A serial model of the bank, to check concurrent calls for linearizability: the order of events gives every state, and each response must
 * fit a state between its request and its arrival.
 */

export type Balances = readonly number[];

export interface Transfer {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
}

/** The value that a transaction's event gave to an account. */
export interface Change {
  readonly seq: number;
  readonly account: number;
  readonly balance: number;
}

/** An operation of the bank with its response. */
export type Operation =
  | { readonly kind: 'read'; readonly fork: string; readonly balances?: Balances; readonly rich?: readonly number[] }
  | {
      readonly kind: 'transfer';
      readonly fork: string;
      readonly transfers: readonly Transfer[];
      readonly txn: number;
      readonly changes: readonly Change[];
    }
  | { readonly kind: 'refused'; readonly fork: string; readonly transfers: readonly Transfer[] }
  | { readonly kind: 'fork'; readonly fork: string; readonly baseSeq: number }
  | {
      readonly kind: 'promote';
      readonly fork: string;
      readonly txn: number | null;
      readonly changes: readonly Change[];
    }
  | { readonly kind: 'abort' | 'closed'; readonly fork: string };

/** Moments are numbered: the lower number was earlier. */
export interface Call<D = Operation> {
  readonly client: number;
  readonly sentAt: number;
  readonly respondedAt: number;
  readonly operation: D;
}

interface Version {
  readonly balances: Balances;
  readonly seq: number;
  readonly sentAt: number;
  readonly respondedAt: number;
}

type Of<K extends Operation['kind']> = Call<Extract<Operation, { kind: K }>>;
type Write = Of<'transfer'> | Of<'promote'> | Of<'fork'>;

/** Accounts with at least this balance are rich. */
export const RICH = 60;

/** How much a history tested. */
export interface Coverage {
  readonly reads: number;
  /** Reads that fit several states. */
  readonly contested: number;
  readonly transactions: number;
  readonly promotions: number;
}

/** Throws if the history of one scope has no serial order. `initialSeq` is the last event before it. */
export function checkHistory(calls: readonly Call[], initial: Balances, initialSeq: number): Coverage {
  const writes = inOrder(calls);
  const states = replay(writes, { balances: initial, seq: initialSeq, sentAt: -1, respondedAt: -1 });
  checkRefusals(calls, states);
  const seen = new Map<string, number>();
  let [reads, contested] = [0, 0];
  for (const call of [...calls].sort((left, right) => left.sentAt - right.sentAt)) {
    if (call.operation.kind !== 'read') continue;
    const { fork } = call.operation;
    const versions = states.get(fork) ?? [];
    const [first, last] = windowOf(versions, call);
    const place = `${call.client} ${fork}`;
    const from = Math.max(first, seen.get(place) ?? 0);
    const found = versions.findIndex(
      ({ balances }, at) => at >= from && at <= last && isResponse(call.operation, balances),
    );
    if (found < 0) {
      const states = versions.slice(first, last + 1).map(({ balances }) => balances.join(' '));
      throw new Error(`${JSON.stringify(call)} is none of the states ${states.join(' | ')} (from ${from - first} on)`);
    }
    seen.set(place, found);
    reads += 1;
    if (last > first) contested += 1;
  }
  const promotions = writes.filter(({ operation }) => operation.kind === 'promote').length;
  return { reads, contested, transactions: writes.length, promotions };
}

/** All writes in the order of events. Checks that this is an order of whole transactions, and possible in time. */
function inOrder(calls: readonly Call[]): readonly Write[] {
  const writes = calls
    .filter(
      (call): call is Write =>
        call.operation.kind === 'transfer' ||
        call.operation.kind === 'fork' ||
        (call.operation.kind === 'promote' && call.operation.txn !== null),
    )
    .sort((left, right) => positionOf(left) - positionOf(right));
  const numbered = writes.filter(({ operation }) => operation.kind !== 'fork');
  let [txn, lastSent] = [0, -1];
  for (const { operation, sentAt, respondedAt } of numbered) {
    const next = 'txn' in operation ? (operation.txn ?? 0) : 0;
    if (next <= txn) throw new Error(`transaction ${next} has later events than ${txn}`);
    if (respondedAt < lastSent) throw new Error(`transaction ${next} was answered before an earlier one was sent`);
    [txn, lastSent] = [next, Math.max(lastSent, sentAt)];
  }
  return writes;
}

/** A fork follows the event that it is based on. */
function positionOf({ operation }: Write): number {
  return operation.kind === 'fork' ? operation.baseSeq + 0.5 : Math.max(...operation.changes.map(({ seq }) => seq));
}

/** All versions of each fork, recomputed by the model. */
function replay(writes: readonly Write[], initial: Version): ReadonlyMap<string, readonly Version[]> {
  const states = new Map<string, Version[]>([['main', [initial]]]);
  const promoted = new Set<string>();
  for (const write of writes) {
    const { operation, sentAt, respondedAt } = write;
    const at = operation.kind === 'promote' ? 'main' : operation.fork;
    const current = currentOf(states, operation.kind === 'fork' ? 'main' : at);
    if (operation.kind === 'fork') {
      states.set(operation.fork, [{ ...current, sentAt, respondedAt }]);
      continue;
    }
    if (promoted.has(operation.fork))
      throw new Error(`${JSON.stringify(write)} wrote to a fork that was promoted before`);
    if (operation.kind === 'promote') promoted.add(operation.fork);
    const balances = [...current.balances];
    for (const { account, balance } of operation.changes) balances[account] = balance;
    const expected =
      operation.kind === 'transfer'
        ? transferred(current.balances, operation.transfers)
        : merged(states.get(operation.fork) ?? [], current.balances, balances);
    if (expected.join() !== balances.join()) {
      throw new Error(`${JSON.stringify(write)} left ${balances} where it should have left ${expected}`);
    }
    states.get(at)?.push({ balances, seq: positionOf(write), sentAt, respondedAt });
  }
  return states;
}

function currentOf(states: ReadonlyMap<string, readonly Version[]>, fork: string): Version {
  const current = states.get(fork)?.at(-1);
  if (current === undefined) throw new Error(`the fork ${fork} was written to before it was there`);
  return current;
}

function transferred(before: Balances, transfers: readonly Transfer[]): Balances {
  const balances = [...before];
  for (const { from, to, amount } of transfers) {
    balances[from] = (balances[from] ?? 0) - amount;
    balances[to] = (balances[to] ?? 0) + amount;
  }
  return balances;
}

/** The fork's changes win. If it changed a value and changed it back, either side is accepted. */
function merged(versions: readonly Version[], parent: Balances, actual: Balances): Balances {
  const [base, last] = [versions[0]?.balances ?? [], versions.at(-1)?.balances ?? []];
  return parent.map((balance, account) => {
    if (last[account] !== base[account]) return last[account] ?? 0;
    const touched = versions.some(({ balances }) => balances[account] !== base[account]);
    return touched && actual[account] === last[account] ? (last[account] ?? 0) : balance;
  });
}

/** The first and last version that may have been current during the call. */
function windowOf(versions: readonly Version[], { sentAt, respondedAt }: Call): readonly [number, number] {
  const first = versions.findLastIndex((version) => version.respondedAt < sentAt);
  const last = versions.findLastIndex((version) => version.sentAt < respondedAt);
  return [Math.max(first, 0), last];
}

function isResponse(operation: Operation, state: Balances): boolean {
  if (operation.kind !== 'read') return false;
  const rich = state.flatMap((balance, account) => (balance >= RICH ? [account] : []));
  return (
    (operation.balances === undefined || operation.balances.join() === state.join()) &&
    (operation.rich === undefined || operation.rich.join() === rich.join())
  );
}

/** Checks that each refusal had a reason. */
function checkRefusals(calls: readonly Call[], states: ReadonlyMap<string, readonly Version[]>): void {
  for (const call of calls) {
    const { operation } = call;
    if (operation.kind === 'closed') {
      const closing = calls.some(
        (other) =>
          (other.operation.kind === 'promote' || other.operation.kind === 'abort') &&
          other.operation.fork === operation.fork &&
          other.sentAt < call.respondedAt,
      );
      if (!closing) throw new Error(`${JSON.stringify(call)}: nobody closed the fork`);
    }
    if (operation.kind !== 'refused') continue;
    const versions = states.get(operation.fork) ?? [];
    const [first, last] = windowOf(versions, call);
    const overdrawn = versions.slice(first, last + 1).some(({ balances }) => overdraws(balances, operation.transfers));
    if (!overdrawn) throw new Error(`${JSON.stringify(call)}: no state between could have refused it`);
  }
}

/** Whether one of the transfers overdraws an account; each has its own guard. */
function overdraws(balances: Balances, transfers: readonly Transfer[]): boolean {
  return transfers.some((_, index) =>
    transferred(balances, transfers.slice(0, index + 1)).some((balance) => balance < 0),
  );
}
