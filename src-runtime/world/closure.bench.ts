/** Transitive closure by the engine, from module text, beside a hand-written solution of just that, on the same edges. */

import { bench, describe } from 'vitest';
import { unhurried } from '../base/ports.js';
import { compile } from '../compiler/index.js';
import { FactStore, Interner, loadProgram } from '../engine/index.js';

const SOURCE = `
module graph
pub relation edge(from: Int, to: Int)
pub derive path(x: Int, y: Int) when edge(x, y)
pub derive path(x: Int, y: Int) when path(x, z), edge(z, y)
`;

const { artifact } = compile([{ file: 'graph.entail', text: SOURCE }]);
if (!artifact) throw new Error('the module of the benchmark does not compile');
const program = loadProgram(artifact);

/** Long runs: a few of them, after one to warm up. */
const ONCE = { iterations: 5, warmupIterations: 1, time: 0, warmupTime: 0 };

const chain = Array.from({ length: 999 }, (_, node): Edge => [node, node + 1]);
const random = randomEdges(2000, 4000, 20261121);

describe('closure of a chain of 1,000 nodes: 499,500 facts', () => compare(chain, 1000, 499_500));
describe('closure of a random graph, 2,000 nodes and 4,000 edges', () => compare(random, 2000, undefined));

type Edge = readonly [number, number];

function compare(edges: readonly Edge[], nodes: number, facts: number | undefined): void {
  const expected = facts ?? closureByHand(edges, nodes);
  bench(
    'engine',
    async () => {
      const size = await closureByEngine(edges);
      if (size !== expected) throw new Error(`the engine derived ${size} facts instead of ${expected}`);
    },
    ONCE,
  );
  bench(
    'hand-written',
    () => {
      const size = closureByHand(edges, nodes);
      if (size !== expected) throw new Error(`the hand-written closure has ${size} facts instead of ${expected}`);
    },
    ONCE,
  );
}

async function closureByEngine(edges: readonly Edge[]): Promise<number> {
  const facts = new FactStore(program, new Interner(program));
  const transaction = facts.begin();
  for (const edge of edges) transaction.insert('graph::edge', edge);
  transaction.commit();
  const view = facts.view();
  const { size } = await view.materialise('graph::path', unhurried);
  view.release();
  return size;
}

/** Semi-naive over an adjacency list, with one bitmap for membership. */
function closureByHand(edges: readonly Edge[], nodes: number): number {
  const successors: number[][] = Array.from({ length: nodes }, () => []);
  const seen = new Uint8Array(nodes * nodes);
  const queue: number[] = [];
  for (const [from, to] of edges) {
    successors[from]?.push(to);
    seen[from * nodes + to] = 1;
    queue.push(from * nodes + to);
  }
  for (let index = 0; index < queue.length; index++) {
    const pair = queue[index] as number;
    const to = pair % nodes;
    for (const next of successors[to] as number[]) {
      const reached = pair - to + next;
      if (seen[reached] === 1) continue;
      seen[reached] = 1;
      queue.push(reached);
    }
  }
  return queue.length;
}

/** Distinct edges between different nodes, the same for the same seed (mulberry32). */
function randomEdges(nodes: number, count: number, seed: number): Edge[] {
  let state = seed;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit);
  };
  const edges = new Map<number, Edge>();
  while (edges.size < count) {
    const from = below(nodes);
    const to = below(nodes);
    if (from !== to) edges.set(from * nodes + to, [from, to]);
  }
  return [...edges.values()];
}
