/**
 * The module that clients of the history check call, the operations on it, and their requests.
 *
 * Accounts keep the sum of their balances. The order of appends to a list shows in their positions. A name has one holder. Counters are
 * also changed in forks, which are promoted, discarded and rebased. Guests are forgotten. Deployments rename declarations.
 */

import type { Rename } from '../../src-runtime/api/schemas/module-schemas.js';
import type { Json } from '../../src-runtime/artifact/types.js';

/** An account with less is poor. Each edition of the module has another limit, so that its answers show which one gave them. */
export function poorBelow(edition: number): number {
  return 50 + edition;
}

/** `namedBy` is the edition that renamed declarations last. */
export function moduleOf(edition: number, namedBy = 0): string {
  return LEDGER.replace('POOR_BELOW', String(poorBelow(edition))).replaceAll(
    /\$(\w+)/g,
    (_, name: string) => name + suffixOf(namedBy),
  );
}

export function renamesBetween(before: number, after: number): Rename[] {
  return ['ledger::Name', 'ledger::Counter.value', 'ledger::entry'].map((path) => ({
    from: path + suffixOf(before),
    to: path + suffixOf(after),
  }));
}

/** The name that the first edition has for a stored declaration, and the edition that renamed it; undefined if none renames it. */
export function firstNameOf(path: string): { readonly path: string; readonly namedBy: number } | undefined {
  const [, name, suffix, field] = /^(ledger::Name|ledger::Counter\.value|ledger::entry)(\d*)(\..*)?$/.exec(path) ?? [];
  return name === undefined ? undefined : { path: name + (field ?? ''), namedBy: Number(suffix) };
}

function suffixOf(namedBy: number): string {
  return namedBy === 0 ? '' : String(namedBy);
}

/** Names after a $ are renamed. */
const LEDGER = `module ledger

context tenantId: Text

pub concept Account { owner: Text unique, balance: Int }
pub concept Counter { name: Text unique, $value: Int }
pub concept $Name { text: Text unique, holder: Text }
pub concept Guest { note: Text unique }
pub relation paid(from: Account, to: Account)
pub relation $entry(list: Text, position: Int, item: Text)

pub check overdraft(a: Account) when a.balance < 0 severity blocking message "{a.owner} is overdrawn"

pub derive reaches(from: Account, to: Account) when paid(from, to)
pub derive reaches(from: Account, to: Account) when reaches(from, via), paid(via, to)
pub derive idle(a: Account) when Account(a), not paid(a, _)
pub derive size(list: Text, n: Int) when $entry(list, _, _), let n = count(for p, i where $entry(list, p, i))
pub define Poor(a: Account) when a.balance < POOR_BELOW
pub derive poorReach(a: Account, n: Int) when Account(a), let n = count(for b where reaches(a, b), Poor(b))

pub query balances() -> [{ owner: Text, balance: Int }] {
  select { owner: a.owner, balance: a.balance } where Account(a) order by a.owner
}
pub query total() -> Int { value sum(a.balance for a where Account(a)) }
pub query items(list: Text) -> [Text] { select i where $entry(list, p, i) order by p }
pub query holder(text: Text) -> Text? { select n.holder where $Name(n), n.text == text }
pub query guests() -> [Text] { select g.note where Guest(g) order by g.note }
pub query counters() -> [{ name: Text, value: Int }] {
  select { name: c.name, value: c.$value } where Counter(c) order by c.name
}

pub mutation open(owner: Text, balance: Int) -> Account { return insert Account { owner: owner, balance: balance } }
pub mutation start(name: Text) -> Counter { return insert Counter { name: name, $value: 0 } }
pub mutation transfer(from: Account, to: Account, amount: Int) -> { from: Int, to: Int } {
  set from.balance = from.balance - amount
  set to.balance = to.balance + amount
  insert paid(from, to)
  return { from: from.balance, to: to.balance }
}
pub mutation forgive(from: Account, to: Account) { delete paid(from, to) }
pub mutation append(list: Text, item: Text) -> Int {
  let position = count(for p, i where $entry(list, p, i))
  insert $entry(list, position, item)
  return position
}
pub mutation claim(text: Text, holder: Text) { insert $Name { text: text, holder: holder } }
pub mutation release(text: Text) {
  require $Name(n), n.text == text message "nobody holds {text}"
  for n in (select n where $Name(n), n.text == text) { delete n }
}
pub mutation welcome(note: Text) -> Guest { return insert Guest { note: note } }
pub mutation dismiss(guest: Guest) { forget guest }
pub mutation increment(counter: Counter) -> Int {
  set counter.$value = counter.$value + 1
  return counter.$value
}
`;

export interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly amount: number;
}

/** A call that one client makes. `asOf` reads after this transaction. */
export type Operation =
  | { readonly kind: 'open'; readonly owner: string; readonly balance: number }
  | { readonly kind: 'start'; readonly name: string }
  | ({ readonly kind: 'transfer' } & Transfer)
  /** Two transfers in one batch. */
  | { readonly kind: 'pair'; readonly transfers: readonly [Transfer, Transfer] }
  | { readonly kind: 'forgive'; readonly from: string; readonly to: string }
  | { readonly kind: 'append'; readonly list: string; readonly item: string }
  | { readonly kind: 'claim'; readonly text: string; readonly holder: string; readonly fork: string }
  | { readonly kind: 'release'; readonly text: string; readonly fork: string }
  | { readonly kind: 'increment'; readonly counter: string; readonly fork: string }
  | { readonly kind: 'welcome'; readonly note: string }
  /** Erases the guest from the history too. */
  | { readonly kind: 'dismiss'; readonly guest: string }
  | { readonly kind: 'undo'; readonly txn: number }
  | { readonly kind: 'undoPromotion'; readonly fork: string }
  /** Cherry-picks a transaction of the fork `from`. */
  | { readonly kind: 'pick'; readonly fork: string; readonly from: string; readonly txn: number }
  /** Creates `fork` with the changes of `from`. */
  | { readonly kind: 'rebase'; readonly fork: string; readonly from: string }
  | { readonly kind: 'createFork'; readonly fork: string }
  | { readonly kind: 'promote'; readonly fork: string }
  | { readonly kind: 'discard'; readonly fork: string }
  | { readonly kind: 'label'; readonly fork: string; readonly label: string }
  | { readonly kind: 'fork'; readonly fork: string }
  | { readonly kind: 'balances'; readonly asOf?: number }
  /** Balances and their sum in one batch. */
  | { readonly kind: 'audit' }
  | { readonly kind: 'items'; readonly list: string; readonly asOf?: number }
  | { readonly kind: 'holder'; readonly text: string; readonly fork: string }
  | { readonly kind: 'guests' }
  | { readonly kind: 'counters'; readonly fork: string; readonly asOf?: number }
  | { readonly kind: 'derived'; readonly relation: Derived; readonly asOf?: number };

export const DERIVED = ['reaches', 'idle', 'size', 'poorReach'] as const;
export type Derived = (typeof DERIVED)[number];

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly fork?: string;
  readonly body?: Json;
}

export function callOf(operation: Operation): Call {
  switch (operation.kind) {
    case 'pair':
      return batch(
        operation.transfers.map(({ from, to, amount }) => ({
          mutation: 'ledger::transfer',
          args: { from, to, amount },
        })),
      );
    case 'audit':
      return batch([
        { query: 'ledger::balances', args: {} },
        { query: 'ledger::total', args: {} },
      ]);
    case 'undo':
      return { method: 'POST', path: `/v1/transactions/${operation.txn}/undo`, body: {} };
    case 'createFork':
      return { method: 'POST', path: '/v1/forks', body: { id: operation.fork } };
    case 'undoPromotion':
      return { method: 'POST', path: `/v1/forks/${operation.fork}/promote/undo`, body: {} };
    case 'pick':
      return {
        method: 'POST',
        path: `/v1/forks/${operation.fork}/pick`,
        body: { from: operation.from, txn: operation.txn },
      };
    case 'rebase':
      return { method: 'POST', path: `/v1/forks/${operation.from}/update`, body: { id: operation.fork } };
    case 'promote':
      return { method: 'POST', path: `/v1/forks/${operation.fork}/promote`, body: {} };
    case 'discard':
      return { method: 'DELETE', path: `/v1/forks/${operation.fork}` };
    case 'label':
      return { method: 'PATCH', path: `/v1/forks/${operation.fork}`, body: { label: operation.label } };
    case 'fork':
      return { method: 'GET', path: `/v1/forks/${operation.fork}` };
    case 'derived':
      return { method: 'GET', path: `/v1/relations/ledger::${operation.relation}${asOf(operation)}` };
    case 'balances':
    case 'items':
    case 'holder':
    case 'counters':
    case 'guests':
      return dispatch('query', operation);
    default:
      return dispatch('mutation', operation);
  }
}

/** The part of a response body that the model predicts. */
export function resultOf({ kind }: Operation, body: { readonly result?: Json }): Json {
  const { result = null } = body;
  switch (kind) {
    case 'pair':
    case 'audit':
      return (result as readonly { readonly result: Json }[]).map((step) => step.result);
    case 'derived':
      return (result as readonly { readonly tuple: Json }[]).map(({ tuple }) => JSON.stringify(tuple)).sort();
    case 'welcome':
      return (result as { readonly $id: string }).$id;
    case 'open':
    case 'start':
    case 'undo':
    case 'undoPromotion':
    case 'pick':
    case 'rebase':
    case 'promote':
    case 'createFork':
    case 'discard':
    case 'label':
    case 'fork':
      return null;
    default:
      return result;
  }
}

/** What a response says about a fork. */
export interface ForkState {
  readonly status: 'open' | 'promoted' | 'aborted';
  readonly label: string | null;
}

export function forkStateOf({ kind }: Operation, body: { readonly result?: Json }): ForkState | undefined {
  if (!TOLD_OF_FORKS.has(kind)) return undefined;
  const { status, label = null } = body.result as unknown as ForkState;
  return { status, label };
}

const TOLD_OF_FORKS: ReadonlySet<Operation['kind']> = new Set([
  ...(['createFork', 'rebase', 'promote', 'undoPromotion', 'discard', 'label', 'fork'] as const),
]);

/** Whether it creates `operation.fork`. */
export function createsFork({ kind }: Operation): boolean {
  return kind === 'createFork' || kind === 'rebase';
}

export function forkOf(operation: Operation): string {
  return 'fork' in operation ? operation.fork : 'main';
}

function dispatch(to: 'query' | 'mutation', operation: Operation): Call {
  const { kind, ...given } = operation;
  const { fork = 'main', asOf: _moment, ...args } = { fork: 'main', asOf: undefined, ...given };
  return {
    method: 'POST',
    path: `/v1/dispatch/${to}${asOf(operation)}`,
    body: { path: `ledger::${kind}`, args: args as Readonly<Record<string, Json>> },
    ...(fork !== 'main' && { fork }),
  };
}

function batch(steps: readonly Json[]): Call {
  return { method: 'POST', path: '/v1/batch', body: { steps } };
}

function asOf(operation: Operation): string {
  return 'asOf' in operation && operation.asOf !== undefined ? `?asOf=${operation.asOf}` : '';
}
