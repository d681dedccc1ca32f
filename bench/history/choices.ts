/** Chooses the operations of clients at random, with what the clients of a tenant know of each other. */

import { createsFork, DERIVED, forkOf, type Operation, type Transfer } from './ledger.js';
import type { Random } from './random.js';
import type { Recorded } from './record.js';

/** After so many operations clients use new lists and names, so that lists stay short and names are contested. */
const GENERATION = 300;
/** Reads of the past share a moment for so many operations, because each new one costs a replay. */
const SAME_MOMENT = 100;
const OPEN_FORKS_MAX = 4;

/** What the clients of a tenant know. */
export interface Known {
  readonly tenant: string;
  readonly accounts: readonly string[];
  readonly counters: readonly string[];
  /** Forks that were created, the newest last. */
  readonly forks: string[];
  /** Forks that were promoted. */
  readonly promoted: string[];
  /** Guests that are not forgotten. */
  readonly guests: string[];
  /** Transactions of `main` that can be undone without touching a balance. */
  readonly undoable: number[];
  /** Such transactions of all forks. */
  readonly pickable: { readonly from: string; readonly txn: number }[];
  /** The last acknowledged transaction. */
  txn: number;
  moment: number;
  count: number;
}

const WEIGHTS = {
  transfer: 22,
  pair: 4,
  forgive: 14,
  append: 9,
  claim: 7,
  release: 6,
  increment: 6,
  welcome: 2,
  dismiss: 1.5,
  undo: 2,
  undoPromotion: 0.7,
  pick: 2,
  rebase: 0.7,
  createFork: 1,
  promote: 0.8,
  discard: 0.3,
  label: 2,
  fork: 4,
  balances: 6,
  audit: 4,
  items: 4,
  holder: 6,
  guests: 3,
  counters: 5,
  derived: 6,
} as const;

const KINDS = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
const ALL = KINDS.reduce((sum, kind) => sum + WEIGHTS[kind], 0);

/** `id` names the operation; texts that have to be unique contain it. */
export function choose(known: Known, id: string, random: Random): Operation {
  known.count += 1;
  if (known.count % SAME_MOMENT === 0) known.moment = known.txn;
  const kind = kindOf(known, random);
  const text = `name-${Math.floor(known.count / GENERATION)}-${random.int(5)}`;
  switch (kind) {
    case 'transfer':
      return { kind, ...transfer(known, random) };
    case 'pair':
      return { kind, transfers: [transfer(known, random), transfer(known, random)] };
    case 'forgive': {
      const { from, to } = transfer(known, random);
      return { kind, from, to };
    }
    case 'append':
      return { kind, list: listOf(known.count, random), item: id };
    case 'items':
      return { kind, list: listOf(known.count, random), ...moment(known, random) };
    case 'claim':
      return { kind, text, holder: id, fork: forkFor(known, random) };
    case 'release':
    case 'holder':
      return { kind, text, fork: forkFor(known, random) };
    case 'increment':
      return { kind, counter: member(known.counters, random), fork: forkFor(known, random) };
    case 'counters': {
      const fork = forkFor(known, random);
      return { kind, fork, ...(fork === 'main' && moment(known, random)) };
    }
    case 'welcome':
      return { kind, note: id };
    case 'dismiss':
      return { kind, guest: known.guests.splice(random.int(known.guests.length), 1)[0] ?? '' };
    case 'undo':
      return { kind, txn: member(known.undoable, random) };
    case 'undoPromotion':
      return { kind, fork: member(known.promoted, random) };
    case 'pick':
      return { kind, fork: forkFor(known, random), ...member(known.pickable, random) };
    case 'rebase':
      return { kind, fork: id, from: recentFork(known, random) };
    case 'createFork':
      return { kind, fork: id };
    case 'promote':
    case 'discard':
    case 'fork':
      return { kind, fork: recentFork(known, random) };
    case 'label':
      return { kind, fork: recentFork(known, random), label: id };
    case 'balances':
      return { kind, ...moment(known, random) };
    case 'audit':
    case 'guests':
      return { kind };
    case 'derived':
      return { kind, relation: random.pick(DERIVED), ...moment(known, random) };
  }
}

/** The reads with which a run ends, on each server. */
export function finalReads(known: Known): Operation[] {
  const generation = Math.floor(known.count / GENERATION);
  const recent = [generation - 1, generation].flatMap((each) => [0, 1, 2, 3, 4].map((place) => `${each}-${place}`));
  return [
    { kind: 'audit' },
    { kind: 'guests' },
    { kind: 'counters', fork: 'main' },
    ...DERIVED.map((relation) => ({ kind: 'derived', relation }) as const),
    ...recent.map((name) => ({ kind: 'holder', text: `name-${name}`, fork: 'main' }) as const),
    ...recent.map((name) => ({ kind: 'items', list: `list-${name}` }) as const),
    ...known.forks
      .slice(-OPEN_FORKS_MAX)
      .flatMap((fork) => [{ kind: 'fork', fork } as const, { kind: 'counters', fork } as const]),
  ];
}

/** Remembers what other clients may refer to. */
export function learn(known: Known, { operation, answer }: Recorded): void {
  if (answer.kind !== 'ok') return;
  if (createsFork(operation)) known.forks.push(forkOf(operation));
  if (typeof answer.txn !== 'number') return;
  known.txn = Math.max(known.txn, answer.txn);
  if (operation.kind === 'welcome' && !answer.isEmptied) remember(known.guests, String(answer.result), GUESTS_MAX);
  if (operation.kind === 'promote') remember(known.promoted, operation.fork, OPEN_FORKS_MAX);
  if (!WITHOUT_BALANCES.has(operation.kind)) return;
  const from = forkOf(operation);
  remember(known.pickable, { from, txn: answer.txn }, UNDOABLE_MAX);
  if (from === 'main') remember(known.undoable, answer.txn, UNDOABLE_MAX);
}

const UNDOABLE_MAX = 20;
const GUESTS_MAX = 50;
const WITHOUT_BALANCES: ReadonlySet<Operation['kind']> = new Set([
  ...(['claim', 'release', 'increment', 'forgive', 'undo', 'pick'] as const),
]);

function remember<T>(list: T[], member: T, max: number): void {
  list.push(member);
  if (list.length > max) list.shift();
}

function kindOf(known: Known, random: Random): keyof typeof WEIGHTS {
  const kind = weighted(random);
  switch (kind) {
    case 'undo':
      return known.undoable.length > 0 ? kind : 'claim';
    case 'pick':
      return known.pickable.length > 0 ? kind : 'claim';
    case 'dismiss':
      return known.guests.length > 0 ? kind : 'welcome';
    case 'undoPromotion':
      return known.promoted.length > 0 ? kind : 'increment';
    case 'promote':
    case 'discard':
    case 'rebase':
    case 'fork':
    case 'label':
      return known.forks.length > 0 ? kind : 'createFork';
    default:
      return kind;
  }
}

function weighted(random: Random): keyof typeof WEIGHTS {
  let left = random.next() * ALL;
  for (const kind of KINDS) {
    left -= WEIGHTS[kind];
    if (left < 0) return kind;
  }
  return 'audit';
}

function transfer({ accounts }: Known, random: Random): Transfer {
  const [from = '', to = ''] = random.shuffled(accounts);
  return { from, to, amount: 1 + random.int(60) };
}

function listOf(count: number, random: Random): string {
  return `list-${Math.floor(count / GENERATION)}-${random.int(2)}`;
}

/** Half of the operations that may run on a fork run on `main`. */
function forkFor(known: Known, random: Random): string {
  return known.forks.length === 0 || random.next() < 0.5 ? 'main' : recentFork(known, random);
}

function recentFork({ forks }: Known, random: Random): string {
  return member(forks.slice(-OPEN_FORKS_MAX), random);
}

function moment({ moment: asOf }: Known, random: Random): { readonly asOf?: number } {
  return random.next() < 0.1 && asOf > 0 ? { asOf } : {};
}

function member<T>(list: readonly T[], random: Random): T {
  return list[random.int(list.length)] as T;
}
