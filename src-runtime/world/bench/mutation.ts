/** W6: what one fact into a large scope costs, checks that read its relation included, beside one into an empty scope. */

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
const WARM_UP = 100;
const ITEMS_PER_OWNER = 10;

export interface MutationCost {
  readonly storedFacts: number;
  /** Medians of one transaction, in milliseconds. */
  readonly onEmptyMs: number;
  readonly onFullMs: number;
}

/** New items go to owners that a full scope knows, and break no check; throws where one fires. */
export async function mutationCost(storedFacts: number, transactions: number): Promise<MutationCost> {
  const scopes = [storeOf(0), storeOf(storedFacts)].map((store) => ({ store, times: [] as number[] }));
  // By turns, so that neither has the code warmed by the other, nor a quieter machine.
  for (let number = 0; number < WARM_UP + transactions; number++) {
    for (const { store, times } of scopes) {
      const ms = await insertOne(store, [number, storedFacts + number]);
      if (number >= WARM_UP) times.push(ms);
    }
  }
  const [onEmptyMs = Number.NaN, onFullMs = Number.NaN] = scopes.map(({ times }) => median(times));
  return { storedFacts, onEmptyMs, onFullMs };
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
