/** Every list, write and rebuild that goes through a scope's facts asks its pacer, and ends where that gives up. */

import { beforeAll, describe, expect, it } from 'vitest';
import { CAPABILITIES } from '../api/schemas/health-schemas.js';
import type { JsonValue } from '../api/schemas/schemas.js';
import { DeadlineExceeded, noLongerThan, type Pacer, unhurried } from '../base/ports.js';
import { countingPacer } from '../base/testing/counting-pacer.js';
import { compile } from '../compiler/index.js';
import { factId, loadProgram } from '../engine/index.js';
import type { Paging } from './contract/requests.js';
import type { Session } from './contract/runtime.js';
import { openScope } from './state/open-scope.js';
import { FRAME, startWorld, type TestWorld } from './testing/start-world.js';

/** Facts that each operation goes through. */
const FACTS = 20_000;
const POLLS_MIN = 10;

const MODULE = `module m
pub concept Hub { name: Text, spokes: [Int] via spoke }
pub concept Dot { no: Int }
pub relation spoke(hub: Hub, no: Int)
pub relation label(text: Text, no: Int)
pub relation other(text: Text, no: Int)
pub check large(n: Int) when label(_, n) severity warning message "large"
pub query hubs() -> [Hub] { select h where Hub(h) }
pub query byNo() -> [Int] { select n where spoke(_, n) order by n desc }
pub query most(of: Int) -> [Int] { select n where spoke(_, n) order by n desc limit of }
pub query pairs() -> [{ a: Int, b: Int }] { select { a: a, b: b } where spoke(_, a), spoke(_, b) }
pub query pairsInOrder() -> [{ a: Int, b: Int }] { select { a: a, b: b } where spoke(_, a), spoke(_, b) order by b desc }
pub mutation fill(n: Int) -> Hub {
  let h = insert Hub { name: "hub" }
  for i in range(0, n) { insert spoke(h, i) insert label("label", i) insert Dot { no: i } }
  return h
}
pub mutation clear() { delete spoke(_, _) }
pub mutation end(h: Hub) { delete h }
pub mutation warn(n: Int) { for i in range(0, n) { insert label("one more", ${FACTS} + i) } }
pub mutation quiet(n: Int) { for i in range(0, n) { insert other("one more", ${FACTS} + i) } }
`;

const ONE_ROW = { limit: 1, page: undefined };
const DRY = { dryRun: true, granted: CAPABILITIES };

let world: TestWorld;
let session: Session;
let hub: string;
beforeAll(async () => {
  world = await startWorld(MODULE);
  const { result } = await world.mutate('m::fill', { n: FACTS });
  hub = (result as { readonly $id: string }).$id;
  session = await world.runtime.enter(FRAME);
  // What is derived is derived before, so that only the lists are left to make.
  await session.explain('m::large', [-1], unhurried);
});

const noFact = factId('m::label', ['x'.repeat(300), 1]);

describe('an operation asks its pacer', () => {
  it.each<[string, (pacer: Pacer) => Promise<unknown>]>([
    ['listing a page of tuples', (pacer) => session.relation('m::spoke', ONE_ROW, pacer)],
    ['listing a page of individuals', (pacer) => session.individuals('m::Dot', ONE_ROW, pacer)],
    ['listing a page of firings', (pacer) => session.checks('m::large', ONE_ROW, pacer)],
    ['ordering the rows of a query', async (pacer) => session.query('m::byNo', {}, ONE_ROW, pacer)],
    ['rendering the rows of a query', async (pacer) => session.query('m::most', { of: 9_999 }, ONE_ROW, pacer)],
    ['rendering an entity', (pacer) => session.individual(hub, pacer)],
    ['rendering entities', async (pacer) => session.query('m::hubs', {}, ONE_ROW, pacer)],
    ['looking for a fact by its digest', (pacer) => session.explainFact(noFact, pacer).catch(unlessDeadline)],
    ['deleting facts', (pacer) => session.mutate('m::clear', {}, DRY, pacer)],
    ['deleting an individual', (pacer) => session.mutate('m::end', { h: hub }, DRY, pacer)],
    ['reading a transaction', (pacer) => session.transaction(1, ONE_ROW, pacer)],
    ['opening a scope', (pacer) => reopen(pacer)],
  ])('%s', async (_, work) => {
    // In this order, since the order of a list is kept once it has been made.
    await expect(work(countingPacer(POLLS_MIN - 1))).rejects.toBeInstanceOf(DeadlineExceeded);
    const pacer = countingPacer();
    await work(pacer);
    expect(pacer.polls).toBeGreaterThanOrEqual(POLLS_MIN);
  });

  it('comparing the firings of a check, which goes through them only where many are new', async () => {
    const pollsOf = async (mutation: string, n: number): Promise<number> => {
      const pacer = countingPacer();
      await session.mutate(`m::${mutation}`, { n }, DRY, pacer);
      return pacer.polls;
    };
    const many = FACTS / 4;
    expect((await pollsOf('warn', many)) - (await pollsOf('quiet', many))).toBeGreaterThanOrEqual(POLLS_MIN);
    expect(await pollsOf('warn', 2)).toBeLessThan(POLLS_MIN);
  });

  it('and what was given up has changed nothing', async () => {
    await expect(session.mutate('m::clear', {}, { ...DRY, dryRun: false }, countingPacer(6))).rejects.toBeInstanceOf(
      DeadlineExceeded,
    );
    const page = await session.relation('m::spoke', { limit: 2, page: undefined }, unhurried);
    expect(page.result.map(({ tuple }): JsonValue => tuple[1] ?? null)).toEqual([0, 1]);
  });
});

describe('looking for what would make a fact hold', () => {
  it('ends where the pacer gives up, and what was found until then is the answer', async () => {
    const explained = countingPacer();
    await session.explain('m::large', [-2], explained);
    const pacer = countingPacer(explained.polls + POLLS_MIN);
    const explanation = await session.explain('m::large', [-2], pacer, { suggest: true });
    expect(explanation).toMatchObject({ holds: false, suggestions: { complete: false } });
    expect(pacer.polls).toBeLessThanOrEqual(explained.polls + POLLS_MIN + 1);
  });

  it('may not take longer than its own budget either', () => {
    let now = 0;
    const pacer = countingPacer(2);
    const hurried = noLongerThan({ now: () => now }, 5, pacer);
    void hurried.poll();
    now = 6;
    expect(() => hurried.poll()).toThrow(new DeadlineExceeded(5));
    now = 5;
    void hurried.poll();
    expect(() => hurried.poll()).toThrow(new DeadlineExceeded(0));
  });
});

describe('a list above the row cap', () => {
  it('is refused before any of it is made', async () => {
    const pacer = countingPacer();
    const all = { limit: undefined, page: undefined };
    const refused = { code: 'SVC_RUNTIME_RESULT_TOO_LARGE' };
    await expect(session.relation('m::spoke', all, pacer)).rejects.toMatchObject(refused);
    await expect(session.individuals('m::Dot', all, pacer)).rejects.toMatchObject(refused);
    await expect(session.checks('m::large', all, pacer)).rejects.toMatchObject(refused);
    expect(pacer.polls).toBe(0);
  });

  it.each(['m::pairs', 'm::pairsInOrder'])(
    'is refused within a few blocks where it would have 400 million rows: %s',
    async (path) => {
      const pacer = countingPacer();
      const all = { limit: undefined, page: undefined };
      // Once, so that what is compiled and indexed for it is there.
      await query(path, all, unhurried).catch(() => undefined);
      const before = process.memoryUsage();
      await expect(query(path, all, pacer)).rejects.toMatchObject({ code: 'SVC_RUNTIME_RESULT_TOO_LARGE' });
      const after = process.memoryUsage();
      expect(pacer.polls).toBeLessThan(50);
      const grown = after.heapUsed + after.external - before.heapUsed - before.external;
      expect(grown).toBeLessThan(48 * 1024 * 1024);
    },
  );
});

async function query(path: string, paging: Paging, pacer: Pacer) {
  return session.query(path, {}, paging, pacer);
}

function unlessDeadline(error: unknown): void {
  if (error instanceof DeadlineExceeded) throw error;
}

async function reopen(pacer: Pacer): Promise<void> {
  const { store } = world;
  const [record] = await store.scopes();
  if (record === undefined) throw new Error('the world has a scope');
  const { artifact } = compile([{ file: 'm.entail', text: MODULE }]);
  if (artifact === undefined) throw new Error('the module compiles');
  await openScope(loadProgram(artifact), store, record, { factsPerRule: 1_000 }, pacer);
}
