/** W7: times of proofs and why-nots of single facts, with a million stored facts and with millions of derived ones. */

import { noDeadline } from '../../src-runtime/base/ports.js';
import {
  type EngineExplanation,
  type ExplainOptions,
  explain,
  type FactStore,
} from '../../src-runtime/engine/index.js';
import { loadedStore, programOf } from './entail.js';
import type { Row, WorkloadSize } from './workloads.js';
import { workload } from './workloads.js';

/** Times in milliseconds of single explanations. */
export interface Explained {
  readonly what: string;
  readonly facts: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly mostMs: number;
  /** Number of explanations with a proven minimal rank. None for why-nots. */
  readonly minimal: number | null;
  readonly asked: number;
}

const PARTS_SOURCE = `
module parts
pub relation part(of: Int, whole: Int)
derive within(x: Int, y: Int) when part(x, y)
derive within(x: Int, z: Int) when within(x, y), part(y, z)
derive crowd(whole: Int, parts: Int) when part(_, whole), let parts = count(for p where within(p, whole))
`;

const PARTS_PER_WHOLE = 10;

/** Pseudorandom draws with a fixed seed. */
function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export async function explainTimes(size: WorkloadSize): Promise<Explained[]> {
  const count = size === 'full' ? 1_000_000 : 2000;
  const asked = size === 'full' ? 400 : 20;
  const rows = Array.from({ length: count }, (_, part): Row => [part + 1, Math.floor(part / PARTS_PER_WHOLE)]);
  const parts = loadedStore(programOf(PARTS_SOURCE), {
    module: 'parts',
    inputs: [{ name: 'part', columns: ['of', 'whole'], rows }],
  });
  const inParts = await measured(parts, { path: 'parts::within', stored: 'parts::part', nodes: count, asked });
  const graph = workload('W1a', size);
  const nodes = size === 'full' ? 2000 : 50;
  const store = loadedStore(programOf(graph.source), graph);
  const inGraph = await measured(store, { path: 'graph::path', stored: 'graph::edge', nodes, asked });
  return [...inParts, ...inGraph];
}

interface Site {
  readonly path: string;
  readonly stored: string;
  readonly nodes: number;
  readonly asked: number;
}

async function measured(store: FactStore, { path, stored, nodes, asked }: Site): Promise<Explained[]> {
  const title = path.slice(path.indexOf(':') + 2);
  const before = store.view();
  const reader = await before.materialise(path, noDeadline);
  const { size } = reader;
  const facts = sampled(reader.rows(), size, asked);
  const [storedRow = []] = sampled((await before.materialise(stored, noDeadline)).rows(), 1, 1);
  before.release();
  const draw = draws(11);
  const absent = Array.from({ length: asked }, () => [draw(nodes), nodes + 1 + draw(nodes)]);
  const found = [
    await timed(store, path, `a proof in ${title}`, size, facts, {}),
    await timed(store, path, `five proofs in ${title}`, size, facts, { proofsMax: 5 }),
    await timed(store, path, `why not, in ${title}`, size, absent, {}),
  ];
  // In sequence: deleting edges may raise ranks, edges from outside cannot lower any, and edges between nodes may.
  const changes = [
    ['after a deletion', 'delete', storedRow],
    ['after an insertion from outside', 'insert', [nodes + 5, 1]],
    ['after an insertion between nodes', 'insert', [7, 11]],
  ] as const;
  for (const [when, kind, row] of changes) {
    const transaction = store.begin();
    transaction[kind](stored, [...row]);
    await transaction.view.materialise(path, noDeadline);
    transaction.commit();
    const held = await holding(store, path, facts);
    found.push(await timed(store, path, `a proof in ${title}, ${when}`, size, held, {}));
  }
  return found;
}

/** The tuples that are true now. */
async function holding(store: FactStore, path: string, tuples: readonly number[][]): Promise<number[][]> {
  const view = store.view();
  const reader = await view.materialise(path, noDeadline);
  const held = tuples.filter((tuple) => reader.has(tuple));
  view.release();
  return held;
}

function sampled(rows: Iterable<number[]>, size: number, asked: number): number[][] {
  const step = Math.max(1, Math.floor(size / asked));
  const facts: number[][] = [];
  let index = 0;
  for (const row of rows) {
    if (index % step === 0) facts.push([...row]);
    index += 1;
  }
  return facts.slice(0, asked);
}

/** The first tenth is warm-up and is not counted. */
async function timed(
  store: FactStore,
  path: string,
  what: string,
  facts: number,
  tuples: readonly (readonly number[])[],
  options: ExplainOptions,
): Promise<Explained> {
  const times: number[] = [];
  let minimal: number | null = null;
  const view = store.view();
  for (const [index, tuple] of tuples.entries()) {
    const startedAt = performance.now();
    const explanation: EngineExplanation = await explain(view, path, tuple, options, noDeadline);
    const ms = performance.now() - startedAt;
    if (index < tuples.length / 10) continue;
    times.push(ms);
    if (explanation.holds) minimal = (minimal ?? 0) + (explanation.minimal ? 1 : 0);
  }
  view.release();
  times.sort((left, right) => left - right);
  const at = (part: number): number => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
  return { what, facts, p50Ms: at(0.5), p95Ms: at(0.95), mostMs: at(1), minimal, asked: times.length };
}
