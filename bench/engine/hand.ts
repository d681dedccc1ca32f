/** Solves each workload with a special-purpose program, the baseline for an engine in TypeScript. */

import { pointsToByHand } from './hand-pointers.js';
import { IntList, IntSet } from './int-collections.js';
import { type Run, type Summary, summaryOf } from './peer.js';
import { BIG_ORDER, type Row, rowsOf, type Workload, type WorkloadName } from './workloads.js';

/** Derives, and returns a function that summarizes the result outside the measured time. */
type Solution = (workload: Workload) => () => Summary;

const SOLUTIONS: Readonly<Record<WorkloadName, Solution>> = {
  W1a: closure,
  W1b: closure,
  W2: sameGeneration,
  W3: pointsToByHand,
  W4: salesByRegion,
};

export async function runByHand(workload: Workload): Promise<Run> {
  const startedAt = performance.now();
  const summarise = SOLUTIONS[workload.name](workload);
  return { loadMs: 0, evaluateMs: performance.now() - startedAt, summary: summarise() };
}

function closure({ inputs, limit }: Workload): () => Summary {
  const edges = rowsOf(inputs, 'edge');
  const successors = neighbours(edges, limit);
  const known = new IntSet();
  const paths = new IntList();
  for (const [from, to] of edges as readonly [number, number][]) {
    if (known.add(from * limit + to)) paths.push(from * limit + to);
  }
  for (let index = 0; index < paths.length; index++) {
    const path = paths.items[index] as number;
    const to = path % limit;
    const next = successors[to] as number[];
    for (let place = 0; place < next.length; place++) {
      const reached = path - to + (next[place] as number);
      if (known.add(reached)) paths.push(reached);
    }
  }
  return () => summaryOf([pairs(paths, limit)]);
}

function sameGeneration({ inputs, limit }: Workload): () => Summary {
  const children = neighbours(rowsOf(inputs, 'parent'), limit);
  const known = new IntSet();
  const same = new IntList();
  const addAll = (first: readonly number[], second: readonly number[]) => {
    for (let left = 0; left < first.length; left++) {
      for (let right = 0; right < second.length; right++) {
        const pair = (first[left] as number) * limit + (second[right] as number);
        if (known.add(pair)) same.push(pair);
      }
    }
  };
  for (const siblings of children) addAll(siblings, siblings);
  for (let index = 0; index < same.length; index++) {
    const pair = same.items[index] as number;
    const second = pair % limit;
    addAll(children[(pair - second) / limit] as number[], children[second] as number[]);
  }
  return () => summaryOf([pairs(same, limit)]);
}

function salesByRegion({ inputs }: Workload): () => Summary {
  const customers = rowsOf(inputs, 'customer') as readonly [number, number][];
  const regions = new Map(customers);
  const big = new Set<number>();
  const totals = new Map<number, number>();
  for (const [, customer, amount] of rowsOf(inputs, 'purchase') as readonly [number, number, number][]) {
    if (amount > BIG_ORDER) big.add(customer);
    const region = regions.get(customer);
    if (region !== undefined) totals.set(region, (totals.get(region) ?? 0) + amount);
  }
  const quiet: [number][] = [];
  for (const [customer] of customers) if (!big.has(customer)) quiet.push([customer]);
  return () => summaryOf([quiet, totals]);
}

/** Second numbers by first number. */
function neighbours(rows: readonly Row[], limit: number): number[][] {
  const found: number[][] = Array.from({ length: limit }, () => []);
  for (const [from, to] of rows as readonly [number, number][]) found[from]?.push(to);
  return found;
}

/** Unpacks pairs that were packed as `first * limit + second`. */
function* pairs(packed: IntList, limit: number): Generator<[number, number]> {
  for (let index = 0; index < packed.length; index++) {
    const pair = packed.items[index] as number;
    const second = pair % limit;
    yield [(pair - second) / limit, second];
  }
}
