/** Concurrent clients of the bank. Each runs a few operations in sequence and records the responses. */

import fc from 'fast-check';
import { compileToBytes } from '../modules/compile.js';
import type { TestResponse } from './http.js';
import type { Call, Change, Operation, Transfer } from './isolation-model.js';
import { RICH } from './isolation-model.js';
import type { RealServer } from './real.js';

export const ACCOUNTS = 6;
export const OPENING_BALANCE = 50;

/** Facts of a long transfer: more than the store reads or writes at once. */
const LINES = 1_500;

export const BANK = `module bank
context tenantId: Text
pub relation noted(transfer: Int, line: Int)
pub concept Account { no: Int, balance: Int = ${OPENING_BALANCE} }
pub derive rich(a: Account) when Account(a), a.balance >= ${RICH}
pub check overdrawn(a: Account) when Account(a), a.balance < 0 severity blocking message "{a.no} is overdrawn"
pub query accounts() -> [Account] { select a where Account(a) order by a.no }
pub query richOnes() -> [Int] { select a.no where rich(a) order by a.no }
pub mutation open(no: Int) -> Account { return insert Account { no: no } }
pub mutation transfer(from: Account, to: Account, amount: Int) {
  set from.balance = from.balance - amount
  set to.balance = to.balance + amount
}
pub mutation transferLong(from: Account, to: Account, amount: Int, number: Int) {
  set from.balance = from.balance - amount
  for line in range(0, ${LINES}) { insert noted(number, line) }
  set to.balance = to.balance + amount
}
`;

/** The same bank with another hash. */
const OTHER_BANK = `/// Reloaded.\n${BANK}`;

const KINDS = ['accounts', 'rich', 'both', 'transfer', 'long', 'twice', 'fork', 'promote', 'abort', 'reload'] as const;
const WEIGHTS: Readonly<Record<(typeof KINDS)[number], number>> = {
  accounts: 30,
  rich: 12,
  both: 12,
  transfer: 28,
  long: 3,
  twice: 10,
  fork: 4,
  promote: 3,
  abort: 1,
  reload: 1,
};

export interface Step {
  readonly kind: (typeof KINDS)[number];
  /** Selects an open fork, if any. Half of the operations that may run on a fork run on `main`. */
  readonly pick: number;
  readonly transfers: readonly [Transfer, Transfer];
}

const transfer = fc
  .record({
    from: fc.nat(ACCOUNTS - 1),
    by: fc.integer({ min: 1, max: ACCOUNTS - 1 }),
    amount: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ from, by, amount }): Transfer => ({ from, to: (from + by) % ACCOUNTS, amount }));

export const steps: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(...KINDS.map((kind) => ({ weight: WEIGHTS[kind], arbitrary: fc.constant(kind) }))),
  pick: fc.nat(99),
  transfers: fc.tuple(transfer, transfer),
});

/** The accounts of one tenant, and what its clients know of each other. */
export interface Branch {
  readonly tenant: string;
  readonly ids: readonly string[];
  readonly openingSeq: number;
  readonly forks: string[];
  readonly calls: Call[];
}

export async function openBranch(server: RealServer, tenant: string): Promise<Branch> {
  const ids: string[] = [];
  let openingSeq = 0;
  for (let no = 0; no < ACCOUNTS; no++) {
    const { body } = await server.mutation('bank::open', { no }, { 'x-tenant-id': tenant });
    ids.push(body.result.$id);
    openingSeq = body.events.at(-1).seq;
  }
  return { tenant, ids, openingSeq, forks: [], calls: [] };
}

let moment = 0;

/** Runs the steps in sequence and records their results. */
export async function runClient(
  server: RealServer,
  branch: Branch,
  client: number,
  script: readonly Step[],
): Promise<void> {
  for (const step of script) {
    const known = branch.forks.length;
    const onMain = step.pick % 2 === 0 && step.kind !== 'promote' && step.kind !== 'abort';
    const fork = onMain || known === 0 ? 'main' : (branch.forks[step.pick % known] ?? 'main');
    const sentAt = moment++;
    const response = await send(server, branch, step, fork);
    const respondedAt = moment++;
    const operation = operationOf(branch, step, fork, response);
    if (operation?.kind === 'fork') branch.forks.push(operation.fork);
    if (operation !== undefined) branch.calls.push({ client, sentAt, respondedAt, operation });
  }
}

const artifacts = [BANK, OTHER_BANK].map((text) => compileToBytes([{ file: 'bank.entail', text }]).bytes);

function send(server: RealServer, { tenant, ids }: Branch, step: Step, fork: string): Promise<TestResponse> {
  const headers = { 'x-tenant-id': tenant };
  const at = `/v1/forks/${fork}`;
  const argsOf = ({ from, to, amount }: Transfer) => ({ from: ids[from], to: ids[to], amount });
  const [first, second] = step.transfers;
  switch (step.kind) {
    case 'accounts':
      return server.call('POST', `${at}/dispatch/query`, { path: 'bank::accounts' }, headers);
    case 'rich':
      return server.call('POST', `${at}/dispatch/query`, { path: 'bank::richOnes' }, headers);
    case 'both':
      return server.call(
        'POST',
        `${at}/batch`,
        { steps: ['accounts', 'richOnes'].map((name) => ({ query: `bank::${name}` })) },
        headers,
      );
    case 'transfer':
      return server.call('POST', `${at}/dispatch/mutation`, { path: 'bank::transfer', args: argsOf(first) }, headers);
    case 'long': {
      const args = { ...argsOf(first), number: moment };
      return server.call('POST', `${at}/dispatch/mutation`, { path: 'bank::transferLong', args }, headers);
    }
    case 'twice': {
      const both = [first, second].map((each) => ({ mutation: 'bank::transfer', args: argsOf(each) }));
      return server.call('POST', `${at}/batch`, { steps: both }, headers);
    }
    case 'fork':
      return server.call('POST', '/v1/forks', {}, headers);
    case 'promote':
      return server.call('POST', `${at}/promote`, undefined, headers);
    case 'abort':
      return server.call('DELETE', at, undefined, headers);
    case 'reload':
      return server.call('PUT', '/v1/module', artifacts[step.pick % 2], {
        'content-type': 'application/vnd.entail.artifact+json',
      });
  }
}

/** Undefined for an operation without balances. Throws for a response that no call should get. */
function operationOf(
  branch: Branch,
  { kind, transfers }: Step,
  fork: string,
  { status, body }: TestResponse,
): Operation | undefined {
  const code: string | undefined = body.error?.code;
  const isClosing = kind === 'promote' || kind === 'abort';
  if (isClosing && fork === 'main' && code === 'SVC_RUNTIME_VALIDATION_FAILED') return undefined;
  if (code === 'SVC_RUNTIME_FORK_CLOSED') return { kind: 'closed', fork };
  const tried = kind === 'twice' ? transfers : [transfers[0]];
  if (code === 'SVC_RUNTIME_CHECK_VIOLATION' && !isClosing) return { kind: 'refused', fork, transfers: tried };
  if (status >= 300) throw new Error(`${kind} on ${fork}: ${JSON.stringify(body)}`);
  const { result } = body;
  const changes = (events: readonly WireChange[]) =>
    events.filter(({ kind: of }) => of === 'setField').map((event) => changeOf(branch, event));
  switch (kind) {
    case 'accounts':
      return { kind: 'read', fork, balances: balancesOf(result) };
    case 'rich':
      return { kind: 'read', fork, rich: result };
    case 'both':
      return { kind: 'read', fork, balances: balancesOf(result[0].result), rich: result[1].result };
    case 'transfer':
    case 'long':
      return { kind: 'transfer', fork, transfers: tried, txn: body.txn, changes: changes(body.events) };
    case 'twice': {
      const events = result.flatMap((each: { events: WireChange[] }) => each.events);
      return { kind: 'transfer', fork, transfers: tried, txn: result[0].txn, changes: changes(events) };
    }
    case 'fork':
      return { kind, fork: result.id, baseSeq: result.baseSeq };
    case 'promote':
      return { kind, fork, txn: body.txn, changes: changes(body.events) };
    case 'abort':
      return { kind, fork };
    case 'reload':
      return undefined;
  }
}

interface WireChange {
  readonly kind: string;
  readonly seq: number;
  readonly id: string;
  readonly value: number;
}

function changeOf({ ids }: Branch, { seq, id, value }: WireChange): Change {
  return { seq, account: ids.indexOf(id), balance: value };
}

function balancesOf(accounts: readonly { readonly balance: number }[]): number[] {
  return accounts.map(({ balance }) => balance);
}
