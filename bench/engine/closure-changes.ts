/** W5: inserts and deletes edges, in a fixed order, of a graph whose closure or same-generation relation is maintained. */

import { median } from './peer.js';
import { type Row, randomBelow, randomGraph, type Workload, type WorkloadSize, workload } from './workloads.js';

export const SCENARIO_NAMES = ['W5a', 'W5b', 'W5c'] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

export interface Change {
  /** The group under which a step's times are reported. */
  readonly group: string;
  readonly kind: 'insert' | 'delete';
  readonly edge: Row;
}

/** Changes that build on the earlier ones. A phase may also run alone. */
export interface Phase {
  readonly changes: readonly Change[];
  /**
   * True if many of the changes are evaluated from scratch. The baseline of each is then a derivation of its result right before
   * it. Both start after a garbage collection, which takes half as long as a change and would otherwise hit some by chance.
   */
  readonly isHeavy: boolean;
}

export interface Scenario {
  readonly title: string;
  readonly size: WorkloadSize;
  readonly start: Workload;
  readonly phases: readonly Phase[];
  /** Each is the first change to a separate closure. */
  readonly firsts: readonly Change[];
}

/** One change, and the number of facts after it. */
export interface Step {
  readonly group: string;
  readonly ms: number;
  /**
   * Time of a derivation from scratch shortly before: of the first closure, or, in a heavy phase, of the closure after the
   * change.
   */
  readonly deriveMs: number;
  readonly facts: number;
}

/** All samples of one change. */
export interface MeasuredStep extends Step {
  /** Ratio to the derivation shortly before, because other load slows both. */
  readonly share: number;
}

/** The result of one way to maintain a closure. */
export interface Maintained {
  /** Number of facts before the first change. */
  readonly factsAtFirst: number;
  readonly steps: readonly MeasuredStep[];
  /** First changes to a closure, before indexes for maintenance exist. Empty if the peer builds none. */
  readonly firstSteps: readonly MeasuredStep[];
  readonly facts: number;
  readonly checksum: number;
}

const COUNT = 20;

export function scenario(name: ScenarioName, size: WorkloadSize): Scenario {
  return MAKERS[name](size);
}

const MAKERS: Readonly<Record<ScenarioName, (size: WorkloadSize) => Scenario>> = {
  W5a: inRandomGraph,
  W5b: inChain,
  W5c: inTree,
};

function inRandomGraph(size: WorkloadSize): Scenario {
  const { inserted, deleted } = randomGraph(size);
  const start = workload('W1a', size);
  return {
    title: 'maintenance of the closure of a random graph',
    size,
    start,
    phases: [
      light([...changes('edge in', 'insert', distinct(inserted)), ...changes('edge out', 'delete', distinct(deleted))]),
    ],
    firsts: changes('first, edge out', 'delete', parted(start.inputs[0]?.rows ?? [])),
  };
}

/**
 * Changes shortcuts, which derive nothing new; leaves of a node, each of which derives a path from every predecessor; and
 * links of the chain, which change up to half of all paths.
 */
function inChain(size: WorkloadSize): Scenario {
  const start = workload('W1b', size);
  const nodes = start.limit;
  const below = randomBelow(20261126);
  const shortcuts = distinct(
    Array.from({ length: COUNT }, () => {
      const from = below(nodes - 2);
      return [from, from + 2 + below(nodes - 2 - from)];
    }),
  );
  const leaves = Array.from({ length: COUNT }, (_, index) => [below(nodes), nodes + index]);
  const links = distinct(
    Array.from({ length: COUNT }, () => {
      const from = below(nodes - 1);
      return [from, from + 1];
    }),
  );
  return {
    title: 'maintenance of the closure of a chain',
    size,
    start: { ...start, limit: nodes + COUNT },
    phases: [
      light([...changes('shortcut in', 'insert', shortcuts), ...changes('shortcut out', 'delete', shortcuts)]),
      light([...changes('leaf in', 'insert', leaves), ...changes('leaf out', 'delete', leaves)]),
      {
        changes: links.flatMap((link) => [
          ...changes('link out', 'delete', [link]),
          ...changes('link in', 'insert', [link]),
        ]),
        isHeavy: true,
      },
    ],
    firsts: [
      ...changes('first, shortcut in', 'insert', shortcuts.slice(0, 1)),
      ...changes('first, link out', 'delete', parted(start.inputs[0]?.rows ?? [])),
    ],
  };
}

/** Changes edges at every level of a tree. Some change almost no facts, and some a third of all facts. */
function inTree(size: WorkloadSize): Scenario {
  const start = workload('W2', size);
  const rows = start.inputs[0]?.rows ?? [];
  const edges = distinct(Array.from({ length: 12 }, (_, level) => rows[(rows.length - 1) >> level] as Row));
  return {
    title: 'maintenance of same generation in a tree',
    size,
    start,
    phases: [
      {
        changes: edges.flatMap((edge) => [
          ...changes('edge out', 'delete', [edge]),
          ...changes('edge in', 'insert', [edge]),
        ]),
        isHeavy: true,
      },
    ],
    firsts: changes('first, edge out', 'delete', edges),
  };
}

/** A sample of the rows, spread over the whole list. */
function parted(rows: readonly Row[]): Row[] {
  return [1, 2, 4, 7].map((eighths) => rows[(rows.length * eighths) >> 3] as Row);
}

function changes(group: string, kind: Change['kind'], edges: readonly Row[]): Change[] {
  return edges.map((edge) => ({ group, kind, edge }));
}

function light(all: readonly Change[]): Phase {
  return { changes: all, isHeavy: false };
}

function distinct(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.join(), row])).values()];
}

/** The length of the warm-up. */
const WARM_UP_MS = { tiny: 0, full: 20_000 };

/** Warm-up: how often one closure makes and reverts the changes of a phase. */
const WARM_UP_PASSES = 10;

/** The minimum number of samples, and how long sampling goes on. */
const MEASURED = { tiny: 1, full: 15 };
const MEASURED_MS = { tiny: 0, full: 3_000 };

/**
 * Runs each phase of a scenario several times on separate closures, and then all phases on one. The warm-up repeats changes
 * on one closure, because V8 optimizes code of a few microseconds only after some ten thousand changes. A server makes that
 * many, but a run with a derivation for each change would not.
 */
export async function measuredPhases<R extends { readonly steps: readonly Step[] }>(
  { size, phases }: Scenario,
  make: (changes: Iterable<Change>, isHeavy: boolean) => Promise<R>,
): Promise<R & { readonly steps: readonly MeasuredStep[] }> {
  const steps: MeasuredStep[] = [];
  for (const { changes, isHeavy } of phases) {
    await warmUp(WARM_UP_MS[size] / phases.length, (endsAt) => make(thereAndBack(changes, endsAt), false));
    steps.push(...(await medians(size, () => make(changes, isHeavy))).steps);
  }
  return { ...(await make(allChanges(phases), false)), steps };
}

/** Runs all several times, after a warm-up. */
export async function measured<R extends { readonly steps: readonly Step[] }>(
  size: WorkloadSize,
  makeAll: () => Promise<R>,
): Promise<R & { readonly steps: readonly MeasuredStep[] }> {
  await warmUp(WARM_UP_MS[size], makeAll);
  return medians(size, makeAll);
}

/** Runs at least once. */
async function warmUp(ms: number, make: (endsAt: number) => Promise<unknown>): Promise<void> {
  const endsAt = performance.now() + ms;
  do await make(endsAt);
  while (performance.now() < endsAt);
}

/** The changes and their reversals, repeated up to a limit or until the time is over. */
function* thereAndBack(changes: readonly Change[], endsAt: number): Generator<Change> {
  const back = [...changes].reverse().map(opposite);
  for (let pass = 0; pass < WARM_UP_PASSES; pass++) {
    for (const change of [...changes, ...back]) {
      if (performance.now() >= endsAt) return;
      yield change;
    }
  }
}

function opposite({ group, kind, edge }: Change): Change {
  return { group, kind: kind === 'insert' ? 'delete' : 'insert', edge };
}

/** Takes the medians of each step's times and shares, so that other load does not count as the cost of a change. */
async function medians<R extends { readonly steps: readonly Step[] }>(
  size: WorkloadSize,
  makeAll: () => Promise<R>,
): Promise<R & { readonly steps: readonly MeasuredStep[] }> {
  const endsAt = performance.now() + MEASURED_MS[size];
  const first = await makeAll();
  const runs = [first];
  while (runs.length < MEASURED[size] || performance.now() < endsAt) runs.push(await makeAll());
  const steps = first.steps.map((step, index) => {
    const times = runs.map((run) => run.steps[index] ?? step);
    return {
      ...step,
      ms: median(times.map(({ ms }) => ms)),
      deriveMs: median(times.map(({ deriveMs }) => deriveMs)),
      share: median(times.map(({ ms, deriveMs }) => ms / deriveMs)),
    };
  });
  return { ...first, steps };
}

/** The same workload on the edges that exist after the changes. */
export function workloadAfter(workload: Workload, changes: readonly Change[]): Workload {
  const inputs = workload.inputs.map((input) => {
    const edges = new Map(input.rows.map((row) => [row.join(), row]));
    for (const { kind, edge } of changes) {
      if (kind === 'insert') edges.set(edge.join(), edge);
      else edges.delete(edge.join());
    }
    return { ...input, rows: [...edges.values()] };
  });
  return { ...workload, inputs };
}

export function allChanges(phases: readonly Phase[]): Change[] {
  return phases.flatMap(({ changes }) => changes);
}
