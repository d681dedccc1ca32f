/** Hand-written W5, for closures only, by delete and rederive: a deletion overdeletes dependent paths, and then rederives. */

import { type Change, type Maintained, measuredPhases, type Scenario, type Step } from './closure-changes.js';
import { runByHand } from './hand.js';
import { IntList } from './int-collections.js';
import { type Summary, summaryOf } from './peer.js';
import type { Row, Workload } from './workloads.js';

export async function maintainByHand(scenario: Scenario): Promise<Maintained> {
  const { start } = scenario;
  const { summary } = await runByHand(start);
  const { steps, closure } = await measuredPhases(scenario, (changes) => maintain(start, changes));
  return { factsAtFirst: summary.facts, steps, firstSteps: [], ...closure.summary() };
}

async function maintain(
  start: Workload,
  changes: Iterable<Change>,
): Promise<{ steps: readonly Step[]; closure: Closure }> {
  const closure = new Closure(start.limit);
  for (const edge of start.inputs[0]?.rows ?? []) closure.insert(edge);
  const steps: Step[] = [];
  const { evaluateMs: deriveMs } = await runByHand(start);
  for (const { group, kind, edge } of changes) {
    const startedAt = performance.now();
    if (kind === 'insert') closure.insert(edge);
    else closure.delete(edge);
    const ms = performance.now() - startedAt;
    steps.push({ group, ms, deriveMs, facts: closure.size });
  }
  return { steps, closure };
}

/** Stores each path as an entry of a square table. */
class Closure {
  size = 0;
  private readonly nodes: number;
  private readonly known: Uint8Array;
  private readonly after: number[][];
  private readonly before: number[][];

  constructor(nodes: number) {
    this.nodes = nodes;
    this.known = new Uint8Array(nodes * nodes);
    this.after = Array.from({ length: nodes }, () => []);
    this.before = Array.from({ length: nodes }, () => []);
  }

  insert(edge: Row): void {
    const [from, to] = edge as readonly [number, number];
    this.after[from]?.push(to);
    this.before[to]?.push(from);
    this.spread(this.pathsOver(from, to), (path) => this.add(path));
  }

  delete(edge: Row): void {
    const [from, to] = edge as readonly [number, number];
    const doubtful = this.pathsOver(from, to);
    remove(this.after[from], to);
    remove(this.before[to], from);
    const deleted = this.spread(doubtful, (path) => this.remove(path));
    const rederived: number[] = [];
    for (let index = 0; index < deleted.length; index++) {
      const path = deleted.items[index] as number;
      const end = path % this.nodes;
      const start = (path - end) / this.nodes;
      const isDerivable = (this.before[end] as number[]).some(
        (last) => last === start || this.known[start * this.nodes + last] === 1,
      );
      if (isDerivable) rederived.push(path);
    }
    this.spread(rederived, (path) => this.add(path));
  }

  summary(): Summary {
    return summaryOf([this.paths()]);
  }

  private *paths(): Generator<readonly [number, number]> {
    for (let path = 0; path < this.known.length; path++) {
      if (this.known[path] === 1) yield [Math.floor(path / this.nodes), path % this.nodes];
    }
  }

  /** The paths of an edge, and of the edge after each path to its start. */
  private pathsOver(from: number, to: number): number[] {
    const { nodes, known } = this;
    const paths = [from * nodes + to];
    for (let start = 0; start < nodes; start++) if (known[start * nodes + from] === 1) paths.push(start * nodes + to);
    return paths;
  }

  /** Applies `change` to the paths and to all extensions of changed paths. Returns the changed paths. */
  private spread(paths: readonly number[], change: (path: number) => boolean): IntList {
    const changed = new IntList();
    for (const path of paths) if (change(path)) changed.push(path);
    for (let index = 0; index < changed.length; index++) {
      const path = changed.items[index] as number;
      const end = path % this.nodes;
      const next = this.after[end] as number[];
      for (let place = 0; place < next.length; place++) {
        const longer = path - end + (next[place] as number);
        if (change(longer)) changed.push(longer);
      }
    }
    return changed;
  }

  private add(path: number): boolean {
    if (this.known[path] === 1) return false;
    this.known[path] = 1;
    this.size += 1;
    return true;
  }

  private remove(path: number): boolean {
    if (this.known[path] === 0) return false;
    this.known[path] = 0;
    this.size -= 1;
    return true;
  }
}

function remove(list: number[] | undefined, item: number): void {
  list?.splice(list.indexOf(item), 1);
}
