/** Every list, write and rebuild over a scope's facts visits checkpoints, and ends at the deadline. */

import { beforeAll, describe, expect, it } from 'vitest';
import { CAPABILITIES } from '../api/capabilities.js';
import type { JsonValue } from '../api/schemas/schemas.js';
import { type Deadline, DeadlineExceeded, earlierDeadline, noDeadline } from '../base/ports.js';
import { countingDeadline } from '../base/testing/counting-deadline.js';
import { compile } from '../compiler/index.js';
import { factId, loadProgram } from '../engine/index.js';
import type { Paging } from './contract/requests.js';
import { openScope } from './state/open-scope.js';
import type { TestSession as Session } from './testing/session-methods.js';
import { FRAME, startWorld, type TestWorld } from './testing/start-world.js';

/** How many facts each operation reads. */
const FACTS = 20_000;
const CHECKPOINTS_MIN = 10;

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
  // Materialises derived relations first, so that only the lists remain to be made.
  await session.explain('m::large', [-1], noDeadline);
});

const noFact = factId('m::label', ['x'.repeat(300), 1]);

describe('a long operation', () => {
  it.each<[string, (deadline: Deadline) => Promise<unknown>]>([
    ['listing a page of tuples', (deadline) => session.relation('m::spoke', ONE_ROW, deadline)],
    ['listing a page of individuals', (deadline) => session.individuals('m::Dot', ONE_ROW, deadline)],
    ['listing a page of violations', (deadline) => session.checks('m::large', ONE_ROW, deadline)],
    ['ordering the rows of a query', async (deadline) => session.query('m::byNo', {}, ONE_ROW, deadline)],
    ['rendering the rows of a query', async (deadline) => session.query('m::most', { of: 9_999 }, ONE_ROW, deadline)],
    ['rendering an entity', (deadline) => session.individual(hub, deadline)],
    ['rendering entities', async (deadline) => session.query('m::hubs', {}, ONE_ROW, deadline)],
    ['looking for a fact by its digest', (deadline) => session.explainFact(noFact, deadline).catch(unlessDeadline)],
    ['deleting facts', (deadline) => session.mutate('m::clear', {}, DRY, deadline)],
    ['deleting an individual', (deadline) => session.mutate('m::end', { h: hub }, DRY, deadline)],
    ['reading a transaction', (deadline) => session.transaction(1, ONE_ROW, deadline)],
    ['opening a scope', (deadline) => reopen(deadline)],
  ])('visits checkpoints while %s', async (_, work) => {
    // In this order, because the order of a list is cached.
    await expect(work(countingDeadline(CHECKPOINTS_MIN - 1))).rejects.toBeInstanceOf(DeadlineExceeded);
    const deadline = countingDeadline();
    await work(deadline);
    expect(deadline.checkpoints).toBeGreaterThanOrEqual(CHECKPOINTS_MIN);
  });

  it('stops comparing the violations of a check that has many new ones', async () => {
    const checkpointsOf = async (mutation: string, n: number): Promise<number> => {
      const deadline = countingDeadline();
      await session.mutate(`m::${mutation}`, { n }, DRY, deadline);
      return deadline.checkpoints;
    };
    const many = FACTS / 4;
    expect((await checkpointsOf('warn', many)) - (await checkpointsOf('quiet', many))).toBeGreaterThanOrEqual(
      CHECKPOINTS_MIN,
    );
    expect(await checkpointsOf('warn', 2)).toBeLessThan(CHECKPOINTS_MIN);
  });

  it('changes nothing when it is stopped', async () => {
    await expect(session.mutate('m::clear', {}, { ...DRY, dryRun: false }, countingDeadline(6))).rejects.toBeInstanceOf(
      DeadlineExceeded,
    );
    const page = await session.relation('m::spoke', { limit: 2, page: undefined }, noDeadline);
    expect(page.result.map(({ tuple }): JsonValue => tuple[1] ?? null)).toEqual([0, 1]);
  });
});

describe('a search for suggestions', () => {
  it('returns what it has found at the deadline', async () => {
    const explained = countingDeadline();
    await session.explain('m::large', [-2], explained);
    const deadline = countingDeadline(explained.checkpoints + CHECKPOINTS_MIN);
    const explanation = await session.explain('m::large', [-2], deadline, { suggest: true });
    expect(explanation).toMatchObject({ holds: false, suggestions: { complete: false } });
    expect(deadline.checkpoints).toBeLessThanOrEqual(explained.checkpoints + CHECKPOINTS_MIN + 1);
  });

  it('stops at the earlier of its time limit and the deadline', () => {
    let now = 0;
    const deadline = countingDeadline(2);
    const earlier = earlierDeadline({ now: () => now }, 5, deadline);
    void earlier.checkpoint();
    now = 6;
    expect(() => earlier.checkpoint()).toThrow(new DeadlineExceeded(5));
    now = 5;
    void earlier.checkpoint();
    expect(() => earlier.checkpoint()).toThrow(new DeadlineExceeded(0));
  });
});

describe('a list above the row cap', () => {
  it('is refused before any row is made', async () => {
    const deadline = countingDeadline();
    const all = { limit: undefined, page: undefined };
    const refused = { code: 'SVC_RUNTIME_RESULT_TOO_LARGE' };
    await expect(session.relation('m::spoke', all, deadline)).rejects.toMatchObject(refused);
    await expect(session.individuals('m::Dot', all, deadline)).rejects.toMatchObject(refused);
    await expect(session.checks('m::large', all, deadline)).rejects.toMatchObject(refused);
    expect(deadline.checkpoints).toBe(0);
  });

  it.each(['m::pairs', 'm::pairsInOrder'])('is refused within a few blocks of 400 million rows: %s', async (path) => {
    const deadline = countingDeadline();
    const all = { limit: undefined, page: undefined };
    // Once, so that everything for it is compiled and indexed.
    await query(path, all, noDeadline).catch(() => undefined);
    const before = process.memoryUsage();
    await expect(query(path, all, deadline)).rejects.toMatchObject({ code: 'SVC_RUNTIME_RESULT_TOO_LARGE' });
    const after = process.memoryUsage();
    expect(deadline.checkpoints).toBeLessThan(50);
    const grown = after.heapUsed + after.external - before.heapUsed - before.external;
    expect(grown).toBeLessThan(48 * 1024 * 1024);
  });
});

async function query(path: string, paging: Paging, deadline: Deadline) {
  return session.query(path, {}, paging, deadline);
}

function unlessDeadline(error: unknown): void {
  if (error instanceof DeadlineExceeded) throw error;
}

async function reopen(deadline: Deadline): Promise<void> {
  const { store } = world;
  const [record] = await store.scopes();
  if (record === undefined) throw new Error('expected a scope');
  const { artifact } = compile([{ file: 'm.entail', text: MODULE }]);
  if (artifact === undefined) throw new Error('expected an artifact');
  await openScope(loadProgram(artifact), store, record, { factsPerRule: 1_000 }, deadline);
}
