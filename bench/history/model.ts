/** An independent model of the ledger: what each operation answers and changes in a given state. */

import type { Json } from '../../src-runtime/artifact/types.js';
import { type Derived, forkOf, type Operation, poorBelow, type Transfer } from './ledger.js';
import { type Change, Draft, type Facts, fieldKey, type Moment, tupleKey } from './timeline.js';

export type Expected =
  | { readonly kind: 'ok'; readonly result: Json; readonly changes: readonly Change[] }
  | { readonly kind: 'refused'; readonly code: string };

const VIOLATION: Expected = { kind: 'refused', code: 'SVC_RUNTIME_CHECK_VIOLATION' };

const INVALID: Expected = { kind: 'refused', code: 'SVC_RUNTIME_VALIDATION_FAILED' };

const BALANCE = 'ledger::Account.balance';
const OWNER = 'ledger::Account.owner';
const COUNTER = 'ledger::Counter.name';
const COUNT = 'ledger::Counter.value';
const NAME = 'ledger::Name.text';
const HOLDER = 'ledger::Name.holder';
const NOTE = 'ledger::Guest.note';
const PAID = 'ledger::paid';
const ENTRY = 'ledger::entry';

/** `created` are the individuals that the transaction inserts, whose ids only the server knows. The edition is that of the module. */
export function expected(
  operation: Operation,
  moment: Moment,
  { created = [], edition = 0 }: { readonly created?: readonly string[]; readonly edition?: number | undefined } = {},
): Expected {
  const predict = MODEL[operation.kind] as Predict<Operation>;
  const fork = ON_MAIN.has(operation.kind) ? 'main' : forkOf(operation);
  return predict(operation, new Draft(moment.facts(fork)), { moment, id: created[0] ?? '#new', edition });
}

/** They name a fork, and write to its parent. */
const ON_MAIN = new Set<Operation['kind']>(['promote', 'undoPromotion']);

type Predict<O extends Operation> = (
  operation: O,
  facts: Draft,
  at: { readonly moment: Moment; readonly id: string; readonly edition: number },
) => Expected;

const unchanged = (_: Operation, facts: Draft): Expected => ok(null, facts);

const MODEL: { readonly [Kind in Operation['kind']]: Predict<Extract<Operation, { readonly kind: Kind }>> } = {
  open({ owner, balance }, facts, { id }) {
    facts.set(id, 'ledger::Account');
    facts.set(fieldKey(id, OWNER), owner);
    facts.set(fieldKey(id, BALANCE), balance);
    return ok(null, facts);
  },
  start({ name }, facts, { id }) {
    facts.set(id, 'ledger::Counter');
    facts.set(fieldKey(id, COUNTER), name);
    facts.set(fieldKey(id, COUNT), 0);
    return ok(null, facts);
  },
  transfer(transfer, facts) {
    const result = transferred(facts, transfer);
    return result === undefined ? VIOLATION : ok(result, facts);
  },
  pair({ transfers }, facts) {
    const results: Json[] = [];
    for (const transfer of transfers) {
      const result = transferred(facts, transfer);
      if (result === undefined) return VIOLATION;
      results.push(result);
    }
    return ok(results, facts);
  },
  forgive({ from, to }, facts) {
    facts.set(tupleKey(PAID, [from, to]), undefined);
    return ok(null, facts);
  },
  append({ list, item }, facts) {
    const position = facts.tuples(ENTRY, list).length;
    facts.set(tupleKey(ENTRY, [list, position, item]), true);
    return ok(position, facts);
  },
  claim({ text, holder }, facts, { id }) {
    facts.set(id, 'ledger::Name');
    facts.set(fieldKey(id, NAME), text);
    facts.set(fieldKey(id, HOLDER), holder);
    return guarded(facts);
  },
  release({ text }, facts) {
    const held = facts.withValue(NAME, text);
    if (held.length === 0) return VIOLATION;
    for (const key of held.flatMap((id) => [id, fieldKey(id, NAME), fieldKey(id, HOLDER)])) facts.set(key, undefined);
    return ok(null, facts);
  },
  increment({ counter }, facts) {
    const key = fieldKey(counter, COUNT);
    const value = Number(facts.get(key)) + 1;
    facts.set(key, value);
    return ok(value, facts);
  },
  welcome({ note }, facts, { id }) {
    facts.set(id, 'ledger::Guest');
    facts.set(fieldKey(id, NOTE), note);
    return ok(id, facts);
  },
  dismiss({ guest }, facts) {
    if (facts.get(guest) === undefined) return INVALID;
    for (const key of [guest, fieldKey(guest, NOTE)]) facts.set(key, undefined);
    return ok(null, facts);
  },
  undo: ({ txn }, facts, { moment }) => reverted(facts, moment.changesOf(txn)),
  undoPromotion({ fork }, facts, { moment }) {
    const txn = moment.promotionOf(fork);
    return reverted(facts, txn === undefined ? [] : moment.changesOf(txn));
  },
  promote: ({ fork }, facts, { moment }) => guarded(merged(facts, moment.netChanges(fork))),
  rebase: ({ from }, facts, { moment }) => ok(null, merged(facts, moment.netChanges(from))),
  pick({ txn }, facts, { moment }) {
    const changes = moment.changesOf(txn);
    return changes === undefined ? INVALID : guarded(merged(facts, changes));
  },
  createFork: unchanged,
  discard: unchanged,
  label: unchanged,
  fork: unchanged,
  balances: (_, facts) => ok(balances(facts), facts),
  audit(_, facts) {
    const rows = balances(facts);
    return ok([rows, rows.reduce((sum, { balance }) => sum + balance, 0)], facts);
  },
  items: ({ list }, facts) => ok(items(facts, list), facts),
  holder({ text }, facts) {
    const [id, another] = facts.withValue(NAME, text);
    // A rebased fork may break checks.
    if (another !== undefined) return { kind: 'refused', code: 'SVC_RUNTIME_QUERY_EVAL_FAILED' };
    return ok(id === undefined ? null : (facts.get(fieldKey(id, HOLDER)) ?? null), facts);
  },
  counters: (_, facts) => ok(counters(facts), facts),
  guests(_, facts) {
    const notes = facts.individuals('ledger::Guest').map((id) => String(facts.get(fieldKey(id, NOTE))));
    return ok(notes.sort(), facts);
  },
  derived: ({ relation }, facts, { edition }) => ok(derived(facts, relation, edition), facts),
};

function reverted(facts: Draft, changes: readonly Change[] | undefined): Expected {
  if (changes === undefined) return INVALID;
  for (const { key, before } of changes) facts.set(key, before);
  return guarded(facts);
}

function merged(facts: Draft, changes: readonly Change[]): Draft {
  for (const { key, after } of changes) facts.set(key, after);
  return facts;
}

/** Undefined if the transfer would overdraw the account. */
function transferred(draft: Draft, { from, to, amount }: Transfer): Json | undefined {
  const left = Number(draft.get(fieldKey(from, BALANCE))) - amount;
  const right = Number(draft.get(fieldKey(to, BALANCE))) + amount;
  draft.set(fieldKey(from, BALANCE), left);
  draft.set(fieldKey(to, BALANCE), right);
  draft.set(tupleKey(PAID, [from, to]), true);
  return left < 0 ? undefined : { from: left, to: right };
}

function ok(result: Json, draft: Draft): Expected {
  return { kind: 'ok', result, changes: draft.changes() };
}

/** Refused if a name that the draft changes would have two holders. */
function guarded(draft: Draft): Expected {
  const changes = draft.changes();
  const names = changes.filter(({ key }) => key.endsWith(`.${NAME}`)).flatMap(({ after }) => after ?? []);
  if (names.some((name) => draft.withValue(NAME, name).length > 1)) return VIOLATION;
  return { kind: 'ok', result: null, changes };
}

function balances(facts: Facts): { owner: string; balance: number }[] {
  return facts
    .individuals('ledger::Account')
    .map((id) => ({ owner: String(facts.get(fieldKey(id, OWNER))), balance: Number(facts.get(fieldKey(id, BALANCE))) }))
    .sort((one, other) => (one.owner < other.owner ? -1 : 1));
}

function items(facts: Facts, list: string): Json {
  return [...facts.tuples(ENTRY, list)]
    .sort(([, one], [, other]) => Number(one) - Number(other))
    .map(([, , item]) => item ?? null);
}

function counters(facts: Facts): Json {
  return facts
    .individuals('ledger::Counter')
    .map((id) => ({
      name: String(facts.get(fieldKey(id, COUNTER))),
      value: Number(facts.get(fieldKey(id, COUNT))),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** A fresh evaluation of a derived relation: its tuples as sorted JSON texts. */
function derived(facts: Facts, relation: Derived, edition: number): Json {
  return tuplesOf(facts, relation, edition)
    .map((tuple) => JSON.stringify(tuple))
    .sort();
}

function tuplesOf(facts: Facts, relation: Derived, edition: number): Json[][] {
  const accounts = facts.individuals('ledger::Account');
  switch (relation) {
    case 'reaches':
      return [...reached(facts)].flatMap(([from, targets]) => [...targets].map((to) => [from, to]));
    case 'idle': {
      const paying = new Set(facts.tuples(PAID).map(([from]) => from));
      return accounts.filter((id) => !paying.has(id)).map((id) => [id]);
    }
    case 'size': {
      const sizes = new Map<string, number>();
      for (const [list] of facts.tuples(ENTRY)) sizes.set(String(list), (sizes.get(String(list)) ?? 0) + 1);
      return [...sizes];
    }
    case 'poorReach': {
      const targets = reached(facts);
      const isPoor = (id: string) => Number(facts.get(fieldKey(id, BALANCE))) < poorBelow(edition);
      return accounts.map((id) => [id, [...(targets.get(id) ?? [])].filter(isPoor).length]);
    }
  }
}

/** The transitive closure of payments, by breadth-first search from each account. */
function reached(facts: Facts): Map<string, Set<string>> {
  const next = new Map<string, string[]>();
  for (const [from, to] of facts.tuples(PAID)) {
    next.set(String(from), [...(next.get(String(from)) ?? []), String(to)]);
  }
  return new Map(
    Array.from(next.keys(), (from) => {
      const found = new Set(next.get(from));
      for (const via of found) for (const to of next.get(via) ?? []) found.add(to);
      return [from, found];
    }),
  );
}
