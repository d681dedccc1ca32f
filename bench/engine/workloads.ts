/** Workloads of the engine's benchmark: a module, input from a fixed seed, and the relations to read. */

export type Row = readonly number[];

export const WORKLOAD_NAMES = ['W1a', 'W1b', 'W2', 'W3', 'W4'] as const;
export type WorkloadName = (typeof WORKLOAD_NAMES)[number];

/** `tiny` is fast enough for a unit test, and has every kind of row that `full` has. */
export type WorkloadSize = 'full' | 'tiny';

export interface Relation {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface Workload {
  readonly name: WorkloadName;
  readonly title: string;
  /** Module name, the first part of its relations' paths. */
  readonly module: string;
  readonly source: string;
  /** Rows are distinct. */
  readonly inputs: readonly (Relation & { readonly rows: readonly Row[] })[];
  /** The relations to evaluate and compare. */
  readonly reads: readonly Relation[];
  /** Exclusive upper bound of all numbers in the input. */
  readonly limit: number;
}

/** W4 classifies customers by orders above this amount. */
export const BIG_ORDER = 980;

/** The size of W3: objects, their fields, and variables, which belong to methods. */
const POINTERS = {
  full: {
    variables: 8000,
    objects: 4000,
    fields: 40,
    method: 80,
    news: 5000,
    assigns: 9000,
    loads: 3000,
    stores: 3000,
  },
  tiny: { variables: 160, objects: 80, fields: 4, method: 40, news: 60, assigns: 100, loads: 60, stores: 60 },
} as const;

const SEED = 20261121;

const GRAPHS = {
  full: { nodes: 2000, edges: 4000, chain: 1000, depth: 6, leaves: 1000, customers: 10_000, orders: 100_000 },
  tiny: { nodes: 40, edges: 70, chain: 30, depth: 3, leaves: 20, customers: 100, orders: 1000 },
} as const;

/** Returns the same input for the same name and size. */
export function workload(name: WorkloadName, size: WorkloadSize): Workload {
  return MAKERS[name](size);
}

const MAKERS: Readonly<Record<WorkloadName, (size: WorkloadSize) => Workload>> = {
  W1a: (size) => closure('W1a', 'closure of a random graph', randomGraph(size).edges, GRAPHS[size].nodes),
  W1b: (size) => closure('W1b', 'closure of a chain', chainEdges(GRAPHS[size].chain), GRAPHS[size].chain),
  W2: sameGeneration,
  W3: pointsTo,
  W4: salesByRegion,
};

/** The workload of W1, which W5 maintains. */
export const CLOSURE = `
module graph
pub relation edge(from: Int, to: Int)
pub derive path(x: Int, y: Int) when edge(x, y)
pub derive path(x: Int, y: Int) when path(x, z), edge(z, y)
`;

function closure(name: WorkloadName, title: string, edges: readonly Row[], nodes: number): Workload {
  return {
    name,
    title,
    module: 'graph',
    source: CLOSURE,
    inputs: [{ name: 'edge', columns: ['source', 'target'], rows: edges }],
    reads: [{ name: 'path', columns: ['x', 'y'] }],
    limit: nodes,
  };
}

/** Distinct edges between different nodes, and 20 edges to insert into and to delete from the graph. */
export function randomGraph(size: WorkloadSize): { edges: Row[]; inserted: Row[]; deleted: Row[] } {
  const { nodes, edges: count } = GRAPHS[size];
  const below = randomBelow(SEED);
  const edges = distinct(count, () => {
    for (;;) {
      const edge = [below(nodes), below(nodes)];
      if (edge[0] !== edge[1]) return edge;
    }
  });
  const known = new Set(edges.map((edge) => edge.join()));
  const inserted: Row[] = [];
  while (inserted.length < 20) {
    const edge = [below(nodes), below(nodes)];
    if (edge[0] !== edge[1] && !known.has(edge.join())) inserted.push(edge);
  }
  const deleted = Array.from({ length: 20 }, () => edges[below(edges.length)] as Row);
  return { edges, inserted, deleted };
}

function chainEdges(nodes: number): Row[] {
  return Array.from({ length: nodes - 1 }, (_, node) => [node, node + 1]);
}

function sameGeneration(size: WorkloadSize): Workload {
  const { depth, leaves } = GRAPHS[size];
  const rows: Row[] = [];
  let level = [0];
  let next = 1;
  const child = (parent: number) => {
    rows.push([parent, next]);
    return next++;
  };
  for (let generation = 1; generation <= depth; generation++)
    level = level.flatMap((parent) => [child(parent), child(parent), child(parent)]);
  for (let leaf = 0; leaf < leaves; leaf++) child(level[leaf % level.length] as number);
  return {
    name: 'W2',
    title: 'same generation in a tree',
    module: 'family',
    source: `
module family
pub relation parent(older: Int, younger: Int)
pub derive same(x: Int, y: Int) when parent(p, x), parent(p, y)
pub derive same(x: Int, y: Int) when same(p, q), parent(p, x), parent(q, y)
`,
    inputs: [{ name: 'parent', columns: ['older', 'younger'], rows }],
    reads: [{ name: 'same', columns: ['x', 'y'] }],
    limit: next,
  };
}

/** Andersen's analysis of a program like Java. Most assignments are forward within a method, and 1 % cross methods. */
function pointsTo(size: WorkloadSize): Workload {
  const { variables, objects, fields, method, news, assigns, loads, stores } = POINTERS[size];
  const random = randomNumbers(SEED + 3);
  const below = (limit: number) => Math.floor(random() * limit);
  const inMethodOf = (variable: number) => Math.floor(variable / method) * method + below(method);
  const forward = () => {
    const from = below(variables);
    const to = inMethodOf(from);
    return from === to ? [from, Math.max(0, from - 1)] : [Math.max(from, to), Math.min(from, to)];
  };
  const allocated = distinct(news, () => {
    const variable = below(variables);
    return [variable, Math.floor((variable * objects) / variables)];
  });
  const assigned = distinct(assigns, () => (random() < 0.99 ? forward() : [below(variables), below(variables)]));
  const loaded = distinct(loads, () => {
    const to = below(variables);
    return [to, inMethodOf(to), below(fields)];
  });
  const stored = distinct(stores, () => {
    const base = below(variables);
    return [base, below(fields), inMethodOf(base)];
  });
  return {
    name: 'W3',
    title: 'Andersen points-to',
    module: 'pointers',
    source: `
module pointers
pub relation allocates(v: Int, h: Int)
pub relation assigns(target: Int, source: Int)
pub relation loads(target: Int, base: Int, f: Int)
pub relation stores(base: Int, f: Int, source: Int)
pub derive points(v: Int, h: Int) when allocates(v, h)
pub derive points(v: Int, h: Int) when assigns(v, w), points(w, h)
pub derive points(v: Int, h: Int) when loads(v, b, f), points(b, o), holds(o, f, h)
pub derive holds(o: Int, f: Int, h: Int) when stores(b, f, v), points(b, o), points(v, h)
`,
    inputs: [
      { name: 'allocates', columns: ['v', 'h'], rows: allocated },
      { name: 'assigns', columns: ['target', 'source'], rows: assigned.filter(([to, from]) => to !== from) },
      { name: 'loads', columns: ['target', 'base', 'f'], rows: loaded },
      { name: 'stores', columns: ['base', 'f', 'source'], rows: stored },
    ],
    reads: [
      { name: 'points', columns: ['v', 'h'] },
      { name: 'holds', columns: ['o', 'f', 'h'] },
    ],
    limit: variables,
  };
}

function salesByRegion(size: WorkloadSize): Workload {
  const { customers, orders } = GRAPHS[size];
  const below = randomBelow(SEED + 4);
  const inRegions = Array.from({ length: customers }, (_, id) => [id, below(100)]);
  const ordered = Array.from({ length: orders }, (_, id) => [id, below(customers), 1 + below(1000)]);
  return {
    name: 'W4',
    title: 'negation, and sums of orders',
    module: 'sales',
    source: `
module sales
pub relation customer(id: Int, region: Int)
pub relation purchase(id: Int, buyer: Int, amount: Int)
derive big(c: Int) when purchase(_, c, amount), amount > ${BIG_ORDER}
pub derive quiet(c: Int) when customer(c, _), not big(c)
pub derive total(r: Int, t: Int) when customer(_, r), let t = sum(a for p, a where customer(c, r), purchase(p, c, a))
`,
    inputs: [
      { name: 'customer', columns: ['id', 'region'], rows: inRegions },
      { name: 'purchase', columns: ['id', 'buyer', 'amount'], rows: ordered },
    ],
    reads: [
      { name: 'quiet', columns: ['c'] },
      { name: 'total', columns: ['r', 't'] },
    ],
    limit: orders,
  };
}

/** Throws if the workload has no such input. */
export function rowsOf(inputs: Workload['inputs'], name: string): readonly Row[] {
  const input = inputs.find((candidate) => candidate.name === name);
  if (input === undefined) throw new Error(`the workload has no input named ${name}`);
  return input.rows;
}

function distinct(count: number, next: () => number[]): Row[] {
  const rows = new Map<string, Row>();
  while (rows.size < count) {
    const row = next();
    if (!rows.has(row.join())) rows.set(row.join(), row);
  }
  return [...rows.values()];
}

/** Non-negative integers below the limit. */
export function randomBelow(seed: number): (limit: number) => number {
  const random = randomNumbers(seed);
  return (limit) => Math.floor(random() * limit);
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
