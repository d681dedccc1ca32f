/**
 * W6: what one fact into a large scope costs, checks that read its relation included, beside one into an empty scope, and into
 * one that holds only what the new facts have to do with: there a count is replaced as in the large one.
 */

import { unhurried } from '../../base/ports.js';
import type { FactStore } from '../../engine/index.js';
import { loadedStore, programOf } from './entail.js';
import { median } from './peer.js';

const SOURCE = `
module holdings
pub relation owns(owner: Int, item: Int)
derive held(owner: Int, items: Int) when owns(owner, _), let items = count(for item where owns(owner, item))
check ownedTwice(item: Int) when owns(first, item), owns(second, item), first < second
  severity blocking message "{item} is owned twice"
check tooMany(owner: Int) when held(owner, items), items > 1000
  severity blocking message "{owner} owns too much"
`;
const CHECKS = ['holdings::ownedTwice', 'holdings::tooMany'];

/** Transactions that are not counted. */
const WARM_UP = 1000;
const ITEMS_PER_OWNER = 10;

/** The median of one transaction on a scope of so many facts, in milliseconds. */
export interface MutationCost {
  readonly storedFacts: number;
  readonly ms: number;
}

/** New items go to owners that all but the empty scope know, and break no check; throws where one fires. */
export async function mutationCosts(storedFacts: number, transactions: number): Promise<MutationCost[]> {
  const met = (WARM_UP + transactions) * ITEMS_PER_OWNER;
  const scopes = [0, met, storedFacts].map((count) => ({ count, store: storeOf(count), times: [] as number[] }));
  // By turns, so that none has the code warmed by another, nor a quieter machine.
  for (let number = 0; number < WARM_UP + transactions; number++) {
    for (const { store, times } of scopes) {
      const ms = await insertOne(store, [number, met + storedFacts + number]);
      if (number >= WARM_UP) times.push(ms);
    }
  }
  return scopes.map(({ count, times }) => ({ storedFacts: count, ms: median(times) }));
}

function storeOf(count: number): FactStore {
  const rows = Array.from({ length: count }, (_, item) => [Math.floor(item / ITEMS_PER_OWNER), item]);
  const inputs = [{ name: 'owns', columns: ['owner', 'item'], rows }];
  return loadedStore(programOf(SOURCE), { module: 'holdings', inputs });
}

/** The milliseconds of a transaction that has its checks asked before it commits, as those of mutations are. */
async function insertOne(store: FactStore, owned: readonly number[]): Promise<number> {
  const startedAt = performance.now();
  const transaction = store.begin();
  transaction.insert('holdings::owns', owned);
  for (const check of CHECKS) {
    const { size } = await transaction.view.materialise(check, unhurried);
    if (size > 0) throw new Error(`${check} fires`);
  }
  transaction.commit();
  return performance.now() - startedAt;
}
