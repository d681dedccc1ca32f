/**
 * W9: least values through recursion. Shortest distances from 20 sources over a network like air routes, against
 * Dijkstra's algorithm with a binary heap; of all pairs, against semi-naive rounds with minima; and edges in and out.
 */

import { noDeadline } from '../../src-runtime/base/ports.js';
import type { FactStore } from '../../src-runtime/engine/index.js';
import { loadedStore, programOf } from './entail.js';
import { median, type Repeats, type Summary, summaryOf } from './peer.js';
import { type Row, randomBelow, type WorkloadSize } from './workloads.js';

const SOURCE = `
module air
pub relation leg(from: Int, to: Int, km: Int)
pub relation source(at: Int)
pub derive dist(s: Int, to: Int, least km: Int) when source(s), leg(s, to, km)
pub derive dist(s: Int, to: Int, least km: Int) when dist(s, at, d), leg(at, to, w), let km = d + w
`;

const SIZES = {
  full: {
    routes: { nodes: 3500, edges: 50_000, sources: 20, changes: 20 },
    pairs: { nodes: 500, edges: 4000, sources: 500, changes: 20 },
  },
  tiny: {
    routes: { nodes: 60, edges: 300, sources: 5, changes: 4 },
    pairs: { nodes: 30, edges: 90, sources: 30, changes: 4 },
  },
} as const;

interface Network {
  readonly nodes: number;
  readonly legs: readonly Row[];
  readonly sources: readonly number[];
}

/** A measurement by the engine and by hand. */
export interface ShortestTimes {
  readonly what: string;
  readonly facts: number;
  readonly handMs: number;
  readonly entailMs: number;
}

/** Throws if the engine's result differs from that of the hand-written code. */
export async function shortestTimes(size: WorkloadSize, repeats: Repeats): Promise<ShortestTimes[]> {
  const { routes, pairs } = SIZES[size];
  return [
    ...(await measured('air routes', network(routes), routes.changes, dijkstra, repeats)),
    ...(await measured('all pairs', network(pairs), pairs.changes, inRounds, repeats)),
  ];
}

async function measured(
  title: string,
  network: Network,
  changes: number,
  byHand: (network: Network) => Int32Array,
  repeats: Repeats,
): Promise<ShortestTimes[]> {
  const hand = await timesOf(repeats, async () => {
    const startedAt = cpuMs();
    byHand(network);
    return cpuMs() - startedAt;
  });
  const expected = summaryByHand(network, byHand);
  const entail = await timesOf(repeats, async () => {
    const { store, ms } = await derived(network);
    expectEqual(title, await summaryIn(store), expected);
    store.close();
    return ms;
  });
  const derivation = { what: title, facts: expected.facts, handMs: median(hand), entailMs: median(entail) };
  const below = randomBelow(31);
  const { store } = await derived(network);
  const [inMs, outMs]: [number[], number[]] = [[], []];
  let { legs } = network;
  const change = async (leg: Row, kind: 'insert' | 'delete'): Promise<number> => {
    const startedAt = cpuMs();
    const transaction = store.begin();
    transaction[kind]('air::leg', leg);
    await transaction.view.materialise('air::dist', noDeadline);
    transaction.commit();
    const ms = cpuMs() - startedAt;
    legs = kind === 'insert' ? [...legs, leg] : legs.filter((each) => each !== leg);
    const after = { ...network, legs };
    expectEqual(`${title} after a change`, await summaryIn(store), summaryByHand(after, byHand));
    return ms;
  };
  for (let made = 0; made < changes; made++) {
    outMs.push(await change(legs[below(legs.length)] as Row, 'delete'));
    inMs.push(await change([below(network.nodes), below(network.nodes), 300 + below(9000)], 'insert'));
  }
  store.close();
  return [
    derivation,
    { ...derivation, what: `${title}, an edge out`, entailMs: median(outMs) },
    { ...derivation, what: `${title}, an edge in`, entailMs: median(inMs) },
  ];
}

/** CPU time of the process: other processes do not add to it. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function derived(network: Network): Promise<{ store: FactStore; ms: number }> {
  const store = loadedStore(programOf(SOURCE), {
    module: 'air',
    inputs: [
      { name: 'leg', columns: ['from', 'to', 'km'], rows: network.legs },
      { name: 'source', columns: ['at'], rows: network.sources.map((source) => [source]) },
    ],
  });
  const view = store.view();
  const startedAt = cpuMs();
  await view.materialise('air::dist', noDeadline);
  const ms = cpuMs() - startedAt;
  view.release();
  return { store, ms };
}

async function summaryIn(store: FactStore): Promise<Summary> {
  const view = store.view();
  const summary = summaryOf([(await view.materialise('air::dist', noDeadline)).rows()]);
  view.release();
  return summary;
}

async function timesOf({ runs, leastMs }: Repeats, run: () => Promise<number>): Promise<number[]> {
  await run();
  const startedAt = cpuMs();
  const times: number[] = [];
  while (times.length < runs || cpuMs() - startedAt < leastMs) times.push(await run());
  return times;
}

function expectEqual(what: string, found: Summary, expected: Summary): void {
  if (found.facts === expected.facts && found.checksum === expected.checksum) return;
  throw new Error(`W9 ${what}: ${JSON.stringify(found)} by the engine, ${JSON.stringify(expected)} by hand`);
}

/** A few hubs have most of the legs, as in air traffic. */
function network(size: { readonly nodes: number; readonly edges: number; readonly sources: number }): Network {
  const below = randomBelow(20261129);
  const node = (): number => Math.floor((size.nodes * below(1000) * below(1000) * 0.97) / 1_000_000);
  const legs = new Map<string, Row>();
  const add = (from: number, to: number): void => {
    if (from !== to && !legs.has(`${from} ${to}`)) legs.set(`${from} ${to}`, [from, to, 100 + below(9900)]);
  };
  // Each node is reached from some other.
  for (let to = 1; to < size.nodes; to++) add(below(to), to);
  while (legs.size < size.edges) add(node(), below(2) === 0 ? node() : below(size.nodes));
  const sources = Array.from({ length: size.sources }, (_, index) => Math.floor((index * size.nodes) / size.sources));
  return { nodes: size.nodes, legs: [...legs.values()], sources };
}

const UNREACHED = 0x7fffffff;

function summaryByHand(network: Network, byHand: (network: Network) => Int32Array): Summary {
  const { nodes, sources } = network;
  const found = byHand(network);
  const rows: Row[] = [];
  for (const [place, source] of sources.entries()) {
    for (let to = 0; to < nodes; to++) {
      const km = found[place * nodes + to] ?? UNREACHED;
      if (km !== UNREACHED) rows.push([source, to, km]);
    }
  }
  return summaryOf([rows]);
}

/** Legs in arrays by their first node. */
function adjacency({ nodes, legs }: Network) {
  const starts = new Int32Array(nodes + 1);
  for (const [from = 0] of legs) starts[from + 1] = (starts[from + 1] ?? 0) + 1;
  for (let at = 0; at < nodes; at++) starts[at + 1] = (starts[at + 1] ?? 0) + (starts[at] ?? 0);
  const ends = starts.slice();
  const targets = new Int32Array(legs.length);
  const lengths = new Int32Array(legs.length);
  for (const [from = 0, to = 0, km = 0] of legs) {
    const at = ends[from] ?? 0;
    ends[from] = at + 1;
    targets[at] = to;
    lengths[at] = km;
  }
  return { starts, targets, lengths };
}

/** From each source, with a binary heap of tentative distances. A source is at the end of a way only by a cycle. */
function dijkstra(network: Network): Int32Array {
  const { nodes, sources } = network;
  const { starts, targets, lengths } = adjacency(network);
  const all = new Int32Array(nodes * sources.length).fill(UNREACHED);
  for (const [place, source] of sources.entries()) {
    const distances = all.subarray(place * nodes, (place + 1) * nodes);
    const heap = new Heap();
    const relax = (from: number, distance: number): void => {
      for (let at = starts[from] as number; at < (starts[from + 1] as number); at++) {
        const to = targets[at] as number;
        const further = distance + (lengths[at] as number);
        if (further >= (distances[to] as number)) continue;
        distances[to] = further;
        heap.push(further, to);
      }
    };
    relax(source, 0);
    while (heap.size > 0) {
      const distance = heap.leastKey;
      const node = heap.pop();
      if (distance === distances[node]) relax(node, distance);
    }
  }
  return all;
}

class Heap {
  private keys = new Int32Array(1024);
  private items = new Int32Array(1024);
  size = 0;

  get leastKey(): number {
    return this.keys[0] as number;
  }

  push(key: number, item: number): void {
    if (this.size === this.keys.length) {
      this.keys = grown(this.keys);
      this.items = grown(this.items);
    }
    const { keys, items } = this;
    let at = this.size++;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if ((keys[above] as number) <= key) break;
      keys[at] = keys[above] as number;
      items[at] = items[above] as number;
      at = above;
    }
    keys[at] = key;
    items[at] = item;
  }

  pop(): number {
    const { keys, items } = this;
    const top = items[0] as number;
    const end = --this.size;
    const key = keys[end] as number;
    let at = 0;
    for (let below = 1; below < end; below = 2 * at + 1) {
      if (below + 1 < end && (keys[below + 1] as number) < (keys[below] as number)) below += 1;
      if ((keys[below] as number) >= key) break;
      keys[at] = keys[below] as number;
      items[at] = items[below] as number;
      at = below;
    }
    keys[at] = key;
    items[at] = items[end] as number;
    return top;
  }
}

function grown(before: Int32Array): Int32Array<ArrayBuffer> {
  const after = new Int32Array(before.length * 2);
  after.set(before);
  return after;
}

/** Each round extends the pairs that the last one improved. */
function inRounds(network: Network): Int32Array {
  const { nodes, sources, legs } = network;
  const { starts, targets, lengths } = adjacency(network);
  const all = new Int32Array(nodes * sources.length).fill(UNREACHED);
  const isQueued = new Uint8Array(all.length);
  let round: number[] = [];
  const placeOf = new Map(sources.map((source, place) => [source, place]));
  for (const [from = 0, to = 0, km = 0] of legs) {
    const place = placeOf.get(from);
    if (place === undefined) continue;
    const pair = place * nodes + to;
    if (km >= (all[pair] as number)) continue;
    all[pair] = km;
    if (isQueued[pair] === 0) round.push(pair);
    isQueued[pair] = 1;
  }
  while (round.length > 0) {
    const next: number[] = [];
    for (const pair of round) isQueued[pair] = 0;
    for (const pair of round) {
      const from = pair % nodes;
      const row = pair - from;
      const distance = all[pair] as number;
      for (let at = starts[from] as number; at < (starts[from + 1] as number); at++) {
        const reached = row + (targets[at] as number);
        const further = distance + (lengths[at] as number);
        if (further >= (all[reached] as number)) continue;
        all[reached] = further;
        if (isQueued[reached] === 0) next.push(reached);
        isQueued[reached] = 1;
      }
    }
    round = next;
  }
  return all;
}
