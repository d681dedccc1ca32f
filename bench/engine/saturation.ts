/**
 * W11: saturation of an EL ontology of GALEN's size: 1.1 million subsumptions between 23,000 classes. The axioms come from
 * a fixed seed, in normal form; the rules are those of CEL. Hand-written code has the same result.
 */

import { noDeadline } from '../../src-runtime/base/ports.js';
import { loadedStore, programOf } from './entail.js';
import { median, type Repeats, summaryOf } from './peer.js';
import { type Row, randomBelow, type Workload, type WorkloadSize } from './workloads.js';

const SOURCE = `
module el
pub relation narrower(sub: Int, sup: Int)
pub relation both(left: Int, right: Int, sup: Int)
pub relation some(sub: Int, role: Int, filler: Int)
pub relation having(role: Int, filler: Int, sup: Int)
pub relation rolesUnder(sub: Int, sup: Int)
pub relation chain(first: Int, second: Int, sup: Int)
pub derive subsumed(x: Int, y: Int) when narrower(x, y)
pub derive subsumed(x: Int, z: Int) when subsumed(x, y), narrower(y, z)
pub derive subsumed(x: Int, z: Int) when subsumed(x, a), subsumed(x, b), both(a, b, z)
pub derive subsumed(x: Int, z: Int) when linked(x, r, y), subsumed(y, b), having(r, b, z)
pub derive linked(x: Int, r: Int, y: Int) when subsumed(x, a), some(a, r, y)
pub derive linked(x: Int, s: Int, y: Int) when linked(x, r, y), rolesUnder(r, s)
pub derive linked(x: Int, t: Int, z: Int) when linked(x, r, y), linked(y, s, z), chain(r, s, t)
`;

const SIZES = {
  full: {
    classes: 23_000,
    levels: 23,
    second: 0.16,
    roles: 400,
    conjunctions: 8_000,
    existentials: 8_000,
    havings: 410,
  },
  tiny: { classes: 300, levels: 6, second: 0.5, roles: 10, conjunctions: 100, existentials: 200, havings: 200 },
} as const;

export interface SaturationCost {
  readonly peer: string;
  readonly subsumptions: number;
  readonly links: number;
  readonly evaluateMs: number;
  readonly cpuMs: number;
  readonly runs: number;
}

interface Saturated {
  readonly subsumptions: number;
  readonly links: number;
  readonly checksum: number;
}

/** Throws if the engine and hand-written code differ. */
export async function saturationCosts(size: WorkloadSize, repeats: Repeats): Promise<readonly SaturationCost[]> {
  const inputs = axioms(size);
  const byHand = await measured('hand', repeats, async () => saturatedByHand(inputs));
  const byEntail = await measured('entail', repeats, () => saturatedByEntail(inputs));
  if (JSON.stringify(byHand.result) !== JSON.stringify(byEntail.result))
    throw new Error(`W11: results differ: ${JSON.stringify([byHand.result, byEntail.result])}`);
  return [byHand.cost, byEntail.cost];
}

async function measured(
  peer: string,
  { runs, leastMs }: Repeats,
  run: () => Promise<Saturated & { readonly ms: number; readonly cpuMs: number }>,
): Promise<{ readonly cost: SaturationCost; readonly result: Saturated }> {
  const { subsumptions, links, checksum } = await run();
  const times: { readonly ms: number; readonly cpuMs: number }[] = [];
  const begunAt = performance.now();
  while (times.length === 0 || (times.length < runs && performance.now() - begunAt < Math.max(leastMs, 20_000)))
    times.push(await run());
  const cost = {
    peer,
    subsumptions,
    links,
    evaluateMs: median(times.map(({ ms }) => ms)),
    cpuMs: median(times.map(({ cpuMs }) => cpuMs)),
    runs: times.length,
  };
  return { cost, result: { subsumptions, links, checksum } };
}

async function saturatedByEntail(inputs: Workload['inputs']): ReturnType<Parameters<typeof measured>[2]> {
  const store = loadedStore(programOf(SOURCE), { module: 'el', inputs });
  const watch = watchCpu();
  const view = store.view();
  const subsumed = await view.materialise('el::subsumed', noDeadline);
  const linked = await view.materialise('el::linked', noDeadline);
  const times = watch();
  const { checksum } = summaryOf([subsumed.rows(), linked.rows()]);
  view.release();
  return { ...times, subsumptions: subsumed.size, links: linked.size, checksum };
}

/** One worklist of facts, each joined with the axioms and with what is known of its classes. */
async function saturatedByHand(inputs: Workload['inputs']): ReturnType<Parameters<typeof measured>[2]> {
  const axiomsBy = (name: string, ...columns: number[]): Map<number, Row[]> => {
    const found = new Map<number, Row[]>();
    for (const row of inputs.find((each) => each.name === name)?.rows ?? [])
      push(
        found,
        columns.reduce((key, column) => key * SPAN + (row[column] as number), 0),
        row,
      );
    return found;
  };
  const watch = watchCpu();
  const narrower = axiomsBy('narrower', 0);
  const [left, right] = [axiomsBy('both', 0), axiomsBy('both', 1)];
  const some = axiomsBy('some', 0);
  const having = axiomsBy('having', 0, 1);
  const rolesUnder = axiomsBy('rolesUnder', 0);
  const [chainFirst, chainSecond] = [axiomsBy('chain', 0), axiomsBy('chain', 1)];
  const [supers, linksFrom, linksTo] = [
    new Map<number, Set<number>>(),
    new Map<number, Row[]>(),
    new Map<number, Row[]>(),
  ];
  const known = new Set<number>();
  const work: Row[] = [];
  const subsume = (x: number, y: number): void => {
    const of = supers.get(x) ?? new Set();
    supers.set(x, of);
    if (of.has(y)) return;
    of.add(y);
    work.push([x, y]);
  };
  const link = (x: number, role: number, y: number): void => {
    const key = (x * SPAN + role) * SPAN + y;
    if (known.has(key)) return;
    known.add(key);
    push(linksFrom, x, [role, y]);
    push(linksTo, y, [x, role]);
    work.push([x, role, y]);
  };
  for (const [sub = 0, sup = 0] of inputs[0]?.rows ?? []) subsume(sub, sup);
  for (let fact = work.pop(); fact !== undefined; fact = work.pop()) {
    const [x = 0, second = 0, y] = fact;
    if (y === undefined) {
      for (const [, sup = 0] of narrower.get(second) ?? []) subsume(x, sup);
      for (const [, other = 0, sup = 0] of left.get(second) ?? []) if (supers.get(x)?.has(other)) subsume(x, sup);
      for (const [other = 0, , sup = 0] of right.get(second) ?? []) if (supers.get(x)?.has(other)) subsume(x, sup);
      for (const [, role = 0, filler = 0] of some.get(second) ?? []) link(x, role, filler);
      for (const [from = 0, role = 0] of linksTo.get(x) ?? [])
        for (const [, , sup = 0] of having.get(role * SPAN + second) ?? []) subsume(from, sup);
      continue;
    }
    for (const filler of supers.get(y) ?? [])
      for (const [, , sup = 0] of having.get(second * SPAN + filler) ?? []) subsume(x, sup);
    for (const [, role = 0] of rolesUnder.get(second) ?? []) link(x, role, y);
    for (const [, next = 0, role = 0] of chainFirst.get(second) ?? [])
      for (const [of = 0, to = 0] of [...(linksFrom.get(y) ?? [])]) if (of === next) link(x, role, to);
    for (const [first = 0, , role = 0] of chainSecond.get(second) ?? [])
      for (const [from = 0, of = 0] of [...(linksTo.get(x) ?? [])]) if (of === first) link(from, role, y);
  }
  const times = watch();
  const pairs = [...supers].flatMap(([x, all]) => [...all].map((y) => [x, y]));
  const links = [...linksFrom].flatMap(([x, all]) => all.map(([role = 0, y = 0]) => [x, role, y]));
  const { checksum } = summaryOf([pairs, links]);
  return { ...times, subsumptions: pairs.length, links: links.length, checksum };
}

/** More than all classes and roles. */
const SPAN = 1 << 15;

function push<V>(lists: Map<number, V[]>, key: number, value: V): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [value]);
  else known.push(value);
}

function watchCpu(): () => { readonly ms: number; readonly cpuMs: number } {
  const [begunAt, begun] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(begun);
    return { ms: performance.now() - begunAt, cpuMs: (user + system) / 1000 };
  };
}

/** Levels of classes, each under one or two of the level above; existentials lead to higher levels, as parts do. */
function axioms(size: WorkloadSize): Workload['inputs'] {
  const { classes, levels, second, roles, conjunctions, existentials, havings } = SIZES[size];
  const below = randomBelow(20261129);
  const width = Math.floor(classes / levels);
  const narrower: Row[] = [];
  for (let at = width; at < classes; at++) {
    const parent = at - width - (at % width) + below(width);
    narrower.push([at, parent]);
    if (below(1_000) < second * 1_000) narrower.push([at, Math.max(0, parent - 1)]);
  }
  const some = Array.from({ length: existentials }, () => {
    const sub = width + below(classes - width);
    return [sub, below(roles), below(sub)];
  });
  const distinct = (rows: readonly Row[]): Row[] => [...new Map(rows.map((row) => [row.join(), row])).values()];
  const listOf = (length: number, row: () => Row): Row[] => distinct(Array.from({ length }, row));
  return [
    { name: 'narrower', columns: ['sub', 'sup'], rows: distinct(narrower) },
    {
      name: 'both',
      columns: ['left', 'right', 'sup'],
      rows: listOf(conjunctions, () => [below(classes), below(classes), below(width * 2)]),
    },
    { name: 'some', columns: ['sub', 'role', 'filler'], rows: distinct(some) },
    {
      name: 'having',
      columns: ['role', 'filler', 'sup'],
      rows: listOf(havings, () => [below(roles), below(width * 3), below(width * 2)]),
    },
    {
      name: 'rolesUnder',
      columns: ['sub', 'sup'],
      rows: listOf(roles / 2, () => [below(roles / 2), roles / 2 + below(roles / 2)]),
    },
    {
      name: 'chain',
      columns: ['first', 'second', 'sup'],
      rows: listOf(roles / 10, () => [below(roles), below(roles), below(roles)]),
    },
  ];
}
