/**
 * W6: a mutation that stores one fact in a large scope, including the checks that read its relation, compared with an empty
 * scope and with one of only the related facts, where an existing count is replaced as in the large scope. One check counts
 * all stored facts. The engine's part is also measured alone: a transaction with its checks, without arguments, guard,
 * events and result.
 */

import { noDeadline } from '../../src-runtime/base/ports.js';
import type { FactStore } from '../../src-runtime/engine/index.js';
import { startWorld, type TestWorld } from '../../src-runtime/world/testing/start-world.js';
import { loadedStore, programOf } from './entail.js';
import { median } from './peer.js';

const ITEMS_PER_OWNER = 10;
/** Facts that one mutation stores while it fills a scope. */
const FILLED_AT_ONCE = 50_000;

const SOURCE = `
module holdings
pub relation owns(owner: Int, item: Int)
derive held(owner: Int, items: Int) when owns(owner, _), let items = count(for item where owns(owner, item))
check ownedTwice(item: Int) when owns(first, item), owns(second, item), first < second
  severity blocking message "{item} is owned twice"
check tooMany(owner: Int) when held(owner, items), items > 1000
  severity blocking message "{owner} owns too much"
derive stored(items: Int) when let items = count(for owner, item where owns(owner, item))
check full(items: Int) when stored(items), items > 100000000
  severity blocking message "{items} are too many"
pub mutation own(owner: Int, item: Int) { insert owns(owner, item) }
pub mutation ownAll(items: [Int]) { for item in items { insert owns(item div ${ITEMS_PER_OWNER}, item) } }
`;
const CHECKS = ['holdings::ownedTwice', 'holdings::tooMany', 'holdings::full'];

/** Medians in milliseconds on a scope with this many facts. */
export interface MutationCost {
  readonly storedFacts: number;
  readonly mutationMs: number;
  readonly engineMs: number;
}

interface Scope {
  readonly count: number;
  readonly world: TestWorld;
  readonly store: FactStore;
  readonly mutationMs: number[];
  readonly engineMs: number[];
}

/**
 * Adds items to owners that exist in all scopes but the empty one. Throws if a check has a violation. An equal number of
 * mutations before is warm-up and not counted.
 */
export async function mutationCosts(storedFacts: number, mutations: number): Promise<MutationCost[]> {
  const related = 2 * mutations * ITEMS_PER_OWNER;
  const scopes: Scope[] = [];
  for (const count of [0, related, storedFacts]) {
    scopes.push({ count, world: await worldOf(count), store: storeOf(count), mutationMs: [], engineMs: [] });
  }
  // Samples alternate, so that none has warmer code or a quieter machine.
  for (let number = 0; number < 2 * mutations; number++) {
    for (const { world, store, mutationMs, engineMs } of scopes) {
      const owned = [number, related + storedFacts + number] as const;
      const [whole, engine] = [await mutateOnce(world, owned), await insertOne(store, owned)];
      if (number < mutations) continue;
      mutationMs.push(whole);
      engineMs.push(engine);
    }
  }
  return scopes.map(({ count, mutationMs, engineMs }) => ({
    storedFacts: count,
    mutationMs: median(mutationMs),
    engineMs: median(engineMs),
  }));
}

async function worldOf(count: number): Promise<TestWorld> {
  const world = await startWorld(SOURCE);
  for (let from = 0; from < count; from += FILLED_AT_ONCE) {
    const items = Array.from({ length: Math.min(FILLED_AT_ONCE, count - from) }, (_, index) => from + index);
    await world.mutate('holdings::ownAll', { items });
  }
  return world;
}

/** Returns the milliseconds of a mutation. */
async function mutateOnce(world: TestWorld, [owner, item]: readonly [number, number]): Promise<number> {
  const startedAt = performance.now();
  await world.mutate('holdings::own', { owner, item });
  return performance.now() - startedAt;
}

function storeOf(count: number): FactStore {
  const rows = Array.from({ length: count }, (_, item) => [Math.floor(item / ITEMS_PER_OWNER), item]);
  const inputs = [{ name: 'owns', columns: ['owner', 'item'], rows }];
  return loadedStore(programOf(SOURCE), { module: 'holdings', inputs });
}

/** Returns the milliseconds of a transaction that evaluates its checks before it commits, as a mutation does. */
async function insertOne(store: FactStore, owned: readonly number[]): Promise<number> {
  const startedAt = performance.now();
  const transaction = store.begin();
  transaction.insert('holdings::owns', owned);
  for (const check of CHECKS) {
    const { size } = await transaction.view.materialise(check, noDeadline);
    if (size > 0) throw new Error(`${check} has a violation`);
  }
  transaction.commit();
  return performance.now() - startedAt;
}
