/** Aggregates in proofs: each contribution is listed beside the premises. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealServer, removeFolder, serveModule } from './testing/real.js';

const MANY = 2_500;

const SHOP = `module shop
pub concept Customer { name: Text }
pub concept Payment { amount: Decimal, tip: Int? }
pub relation paidBy(payment: Payment, by: Customer)
pub relation blocked(c: Customer)
pub relation knows(a: Customer, b: Customer)
pub relation score(of: Customer, points: Int)
pub individual ada: Customer { name: "Ada" }
pub individual bob: Customer { name: "Bob" }
individual p1: Payment { amount: 10, tip: 2 }
individual p2: Payment { amount: 30 }
individual p3: Payment { amount: 20, tip: 4 }
individual p4: Payment { amount: 5 }
fact paidBy(@p1, @ada) fact paidBy(@p2, @ada) fact paidBy(@p3, @ada) fact paidBy(@p4, @bob)
fact knows(@ada, @bob) fact knows(@bob, @ada) fact knows(@ada, @ada)
fact blocked(@bob)
${Array.from({ length: MANY }, (_, at) => `fact score(@ada, ${at})`).join(' ')}
pub derive paid(c: Customer, t: Decimal) when Customer(c), let t = sum(x.amount for x where paidBy(x, c))
pub derive tipped(c: Customer, t: Decimal) when Customer(c), let t = avg(x.tip for x where paidBy(x, c))
pub derive range(c: Customer, r: Decimal) when Customer(c),
  let r = (max(x.amount for x where paidBy(x, c)) ?? 0) - (min(x.amount for x where paidBy(x, c)) ?? 0)
pub derive friends(c: Customer, n: Int) when Customer(c), let n = count(for f where knows(c, f), not blocked(f))
pub derive generous(c: Customer, n: Int) when Customer(c),
  let n = count(for f where knows(c, f), sum(x.amount for x where paidBy(x, f)) > 50)
pub derive best(c: Customer, n: Int) when Customer(c), let n = max(s for s where score(c, s))
pub derive liked(c: Customer) when Customer(c), count(for f where knows(f, c), not blocked(f)) > 1
pub check rich(c: Customer) when Customer(c), sum(x.amount for x where paidBy(x, c)) > 50 severity warning message "rich"
`;

// biome-ignore lint/suspicious/noExplicitAny: the body of any response.
type Json = any;

let server: RealServer;

beforeAll(async () => {
  server = await serveModule(SHOP);
});

afterAll(async () => {
  await server.stop();
  await removeFolder(server.folder);
});

async function explain(relation: string, ...tuple: unknown[]): Promise<Json> {
  return (await server.call('POST', '/v1/explain', { relation: `shop::${relation}`, tuple })).body.result;
}

function aggregateOf(result: Json): Json {
  return result.proof.premises.find(({ kind }: Json) => kind === 'aggregate');
}

/** The kind of a premise and its content. */
function said(premise: Json, facts: Json): string {
  if ('ref' in premise) return facts.get(premise.ref) ?? 'elsewhere';
  return `${premise.kind} ${premise.relation?.split('::')[1] ?? premise.text}`;
}

function factsOf(node: Json): Map<string, string> {
  return new Map(node.premises.map((each: Json) => [each.factId ?? each.ref, said(each, new Map())]));
}

describe('an aggregate in a proof', () => {
  it('shows its text, its total, and for each contribution its value and the facts behind it', async () => {
    const node = aggregateOf(await explain('paid', '@ada', '60'));
    const [sum] = node.aggregates;
    expect(sum).toMatchObject({
      text: 'sum(x.amount for x where paidBy(x, c))',
      function: 'sum',
      value: '60',
      taken: 3,
    });
    expect(sum.contributions.map(({ bindings, value }: Json) => [bindings.x, value])).toEqual([
      ['@shop::p1', '10'],
      ['@shop::p2', '30'],
      ['@shop::p3', '20'],
    ]);
    const facts = factsOf(node);
    expect(sum.contributions[0].premises.map((each: Json) => said(each, facts))).toEqual([
      'declared paidBy',
      'declared Payment.amount',
    ]);
    expect(node.premises).toHaveLength(6);
  });

  it('skips contributions without a value, and lists them last', async () => {
    const [mean] = aggregateOf(await explain('tipped', '@ada', '3')).aggregates;
    expect(mean).toMatchObject({ value: '3', taken: 2, skipped: 1 });
    expect(mean.contributions.map(({ value }: Json) => value)).toEqual(['2', '4', null]);
  });

  it('marks the contribution that decides, for each of several aggregates', async () => {
    const { aggregates } = aggregateOf(await explain('range', '@ada', '20'));
    const shown = aggregates.map(({ function: name, value, contributions: [first] }: Json) => [name, value, first]);
    expect(shown).toMatchObject([
      ['max', '30', { bindings: { x: '@shop::p2' }, decides: true }],
      ['min', '10', { bindings: { x: '@shop::p1' }, decides: true }],
    ]);
  });

  it('shows the negated facts that a contribution depends on', async () => {
    const node = aggregateOf(await explain('friends', '@ada', 1));
    const [{ premises, value }] = node.aggregates[0].contributions;
    expect(premises.map((each: Json) => said(each, factsOf(node)))).toEqual(['declared knows', 'absent blocked']);
    expect(value).toBeUndefined();
  });

  it('shows a nested aggregate with its own contributions', async () => {
    const [{ contributions }] = aggregateOf(await explain('generous', '@ada', 1)).aggregates;
    const inner = contributions[0].premises.find(({ kind }: Json) => kind === 'aggregate');
    expect(inner.aggregates[0]).toMatchObject({ function: 'sum', value: '60', taken: 3 });
    expect(inner.aggregates[0].contributions).toHaveLength(3);
  });

  it('limits the listed contributions, includes the deciding one, and counts all', async () => {
    const node = aggregateOf(await explain('best', '@ada', MANY - 1));
    const [{ contributions, ...most }] = node.aggregates;
    expect(most).toMatchObject({ value: MANY - 1, taken: MANY, cut: true });
    expect(contributions).toHaveLength(1000);
    expect(contributions[0]).toMatchObject({ value: MANY - 1, decides: true });
    expect(node.contributions).toBe(MANY);
  });

  it('is shown for a check without violations, and for a comparison that fails in a rule', async () => {
    const check = await explain('rich', '@bob');
    expect(check.whyNot.clauses[0].fails.aggregate.aggregates[0]).toMatchObject({ value: '5', taken: 1 });
    const { fails } = (await explain('liked', '@bob')).whyNot.clauses[0];
    expect(fails.reason).toBe('count(…) is 1, needed > 1');
    expect(fails.aggregate.aggregates[0].contributions).toMatchObject([{ bindings: { f: '@shop::ada' } }]);
  });

  it('is shown for a row of an ad-hoc query', async () => {
    const source =
      'query q() -> [{ c: Customer, n: Int }] { select { c: c, n: n } where Customer(c), let n = count(for x where paidBy(x, c)) }';
    const row = { c: '@shop::ada', n: 3 };
    const { body } = await server.call('POST', '/v1/query/adhoc/explain', { source, row });
    expect(aggregateOf(body.result).aggregates[0]).toMatchObject({ function: 'count', value: 3, taken: 3 });
  });
});
