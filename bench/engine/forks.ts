/**
 * W8: forks of a scope with a million stored facts and millions of derived ones. Measures creating a fork, and reading
 * through one and through ten nested ones with changes, compared with reading main.
 */

import { noDeadline } from '../../src-runtime/base/ports.js';
import { type FactStore, solve, type View } from '../../src-runtime/engine/index.js';
import { loadedStore, programOf } from './entail.js';
import { bytesInUse } from './memory.js';
import { median, type Repeats } from './peer.js';
import type { Row } from './workloads.js';

export interface ForkCosts {
  readonly storedFacts: number;
  readonly derivedFacts: number;
  /** Time to create a fork and look up a fact in it. */
  readonly makeMs: number;
  readonly bytesEach: number;
  readonly reads: readonly ReadCost[];
}

/** Medians in milliseconds. */
export interface ReadCost {
  readonly what: string;
  readonly mainMs: number;
  readonly forkMs: number;
  /** Reads through a fork that has changed some facts. */
  readonly changedMs: number;
  readonly tenDeepMs: number;
}

const SOURCE = `
module parts
pub relation part(of: Int, whole: Int)
derive within(x: Int, y: Int) when part(x, y)
derive within(x: Int, z: Int) when within(x, y), part(y, z)
query grandparts(limit: Int) -> [Int] { select p where part(p, w), w < limit, part(w, v), v < 1000 }
query parts(w: Int) -> [Int] { select p where part(p, w) }
query inside(w: Int) -> [Int] { select p where within(p, w) }
`;

const PARTS_PER_WHOLE = 10;
const INT = { kind: 'scalar', name: 'Int' } as const;
const FORKS = 100;
const DEPTH = 10;
const CHANGES_A_FORK = 20;

export async function forkCosts(storedFacts: number, repeats: Repeats): Promise<ForkCosts> {
  const store = partsStore(storedFacts);
  const main = store.view();
  const { size: derivedFacts } = await main.materialise('parts::within', noDeadline);
  main.release();
  const made = making(store, storedFacts);
  return { storedFacts, derivedFacts, ...made, reads: await readCosts(store, storedFacts, repeats) };
}

export function partsStore(storedFacts: number): FactStore {
  const rows = Array.from({ length: storedFacts }, (_, part): Row => [part + 1, Math.floor(part / PARTS_PER_WHOLE)]);
  return loadedStore(programOf(SOURCE), {
    module: 'parts',
    inputs: [{ name: 'part', columns: ['of', 'whole'], rows }],
  });
}

/** Throws if a fork and main return different results. */
export async function readCosts(
  store: FactStore,
  storedFacts: number,
  { runs, leastMs }: Repeats,
): Promise<ReadCost[]> {
  const changed = await forksOnTop(store, storedFacts, 1);
  const deep = await forksOnTop(store, storedFacts, DEPTH);
  const views = { main: store.view(), fork: store.fork().view(), changed: changed.view(), deep: deep.view() };
  const costs: ReadCost[] = [];
  for (const { what, read } of READS) {
    const times: Record<keyof typeof views, number[]> = { main: [], fork: [], changed: [], deep: [] };
    const endsAt = performance.now() + leastMs;
    // Samples alternate, so that none has warmer code or a quieter machine.
    for (let run = 0; run <= runs || performance.now() < endsAt; run++) {
      const seen: number[] = [];
      for (const each of ['main', 'fork', 'changed', 'deep'] as const) {
        const startedAt = performance.now();
        seen.push(await read(views[each], storedFacts));
        if (run > 0) times[each].push(performance.now() - startedAt);
      }
      if (new Set(seen).size > 1) throw new Error(`${what}: main and its forks read ${seen.join(', ')}`);
    }
    const [mainMs, forkMs, changedMs, tenDeepMs] = [times.main, times.fork, times.changed, times.deep].map(median) as [
      number,
      number,
      number,
      number,
    ];
    costs.push({ what, mainMs, forkMs, changedMs, tenDeepMs });
  }
  for (const view of Object.values(views)) view.release();
  return costs;
}

/** Requires `--expose-gc`, and throws without it. */
function making(store: FactStore, storedFacts: number): Pick<ForkCosts, 'makeMs' | 'bytesEach'> {
  const before = bytesInUse();
  const times: number[] = [];
  const forks = Array.from({ length: FORKS }, () => {
    const startedAt = performance.now();
    const fork = store.fork();
    const view = fork.view();
    if (!view.stored('parts::part').has([storedFacts, Math.floor((storedFacts - 1) / PARTS_PER_WHOLE)]))
      throw new Error('a fork has not what main has');
    view.release();
    times.push(performance.now() - startedAt);
    return fork;
  });
  const bytesEach = (bytesInUse() - before) / FORKS;
  for (const fork of forks) fork.close();
  return { makeMs: median(times), bytesEach };
}

/** Stacks this many forks. Each changes facts that no query here reads, and updates its derived facts. */
async function forksOnTop(store: FactStore, storedFacts: number, forks: number): Promise<FactStore> {
  let top = store;
  for (let depth = 0; depth < forks; depth++) {
    top = top.fork();
    const transaction = top.begin();
    const first = 2 * storedFacts + depth * CHANGES_A_FORK;
    for (let change = 0; change < CHANGES_A_FORK; change++)
      transaction.insert('parts::part', [first + change, 3 * storedFacts]);
    if (depth > 0) transaction.deleteMatching('parts::part', [first - 1, null]);
    await transaction.view.materialise('parts::within', noDeadline);
    transaction.commit();
  }
  return top;
}

interface Read {
  readonly what: string;
  /** Number of results. */
  read(view: View, storedFacts: number): Promise<number>;
}

const READS: readonly Read[] = [
  {
    what: 'looking up 10,000 stored facts',
    read: async (view, storedFacts) => {
      const reader = view.stored('parts::part');
      let found = 0;
      for (let at = 0; at < 10_000; at++) {
        const part = ((at * 7919) % storedFacts) + 1;
        if (reader.has([part, Math.floor((part - 1) / PARTS_PER_WHOLE)])) found += 1;
      }
      return found;
    },
  },
  { what: 'a query for ten stored facts', read: (view) => solutions(view, 'parts::parts', { w: 7 }) },
  { what: 'a query for derived facts', read: (view) => solutions(view, 'parts::inside', { w: 70 }) },
  {
    what: 'a join over all stored facts',
    read: (view, storedFacts) => solutions(view, 'parts::grandparts', { limit: storedFacts }),
  },
];

async function solutions(view: View, path: string, bound: Readonly<Record<string, number>>): Promise<number> {
  const body = view.program.queries.get(path)?.body;
  if (body === undefined || !('condition' in body)) throw new Error(`${path} has no condition`);
  const typed = Object.entries(bound).map(([name, value]) => [name, { type: INT, value }] as const);
  let found = 0;
  for await (const batch of solve(view, body.condition, Object.fromEntries(typed), {}, noDeadline))
    found += batch.length;
  return found;
}
