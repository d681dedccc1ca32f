/**
 * Proofs of least height in a graph of derivations: facts are settled from the lowest up, as in Knuth's generalisation of
 * Dijkstra's algorithm (A Generalization of Dijkstra's Algorithm, 1977). A proof picks one instance for every fact in it.
 */

import type { Derivations, FactNode, Instance } from './derivations.js';

export type Choice = ReadonlyMap<FactNode, Instance>;

/** The facts of a proof, each before its premises, and what was picked for them. */
export interface ChosenProof {
  /** The first is the fact that is proven. */
  readonly facts: readonly FactNode[];
  readonly choice: Choice;
  /** Derived facts on the longest way down. */
  readonly height: number;
}

/** What may be picked. */
export interface Restriction {
  /** The instances of a fact that may be; undefined where it is not to be used at all. */
  instancesOf(node: FactNode): readonly Instance[] | undefined;
}

/** Facts of one search of the graph. */
export interface Reach {
  readonly nodes: readonly FactNode[];
  /** True where every instance of every fact in it was found, and their premises are in it. */
  readonly isWhole: boolean;
}

/** Expands the facts that come before, and what is behind them, breadth first, down to a depth and up to a number of facts. */
export function* reach(
  graph: Derivations,
  start: readonly FactNode[],
  most: { readonly facts: number; readonly depth: number; readonly stopsAtLowest: boolean },
): Generator<void, Reach> {
  const depths = new Map(start.map((node) => [node, 0]));
  const nodes = [...start];
  let isWhole = true;
  for (let next = 0; next < nodes.length; next++) {
    const node = nodes[next] as FactNode;
    const depth = depths.get(node) ?? 0;
    if (depth >= most.depth || (most.stopsAtLowest && node.isLowest)) continue;
    if (next >= most.facts) {
      isWhole = false;
      break;
    }
    for (const { premises } of yield* graph.expand(node)) {
      for (const premise of premises) {
        if (depths.has(premise)) continue;
        depths.set(premise, depth + 1);
        nodes.push(premise);
      }
    }
    if (!node.isWhole) isWhole = false;
    yield;
  }
  return { nodes, isWhole };
}

interface Waiting {
  readonly node: FactNode;
  readonly instance: Instance;
  /** Its place among the instances of the fact. */
  readonly order: number;
  missing: number;
  height: number;
}

interface Settled {
  readonly height: number;
  instance: Instance | undefined;
  order: number;
}

/** The lowest proof of the first fact, or undefined where the restriction leaves none. Among equals, instances that come first. */
export function lowestProof(nodes: readonly FactNode[], restriction: Restriction): ChosenProof | undefined {
  const [root] = nodes;
  const settled = new Map<FactNode, Settled>();
  const waitingFor = new Map<FactNode, Waiting[]>();
  const levels: Waiting[][] = [];
  const ready = (waiting: Waiting): void => {
    levels[waiting.height] ??= [];
    levels[waiting.height]?.push(waiting);
  };
  const settledAt: FactNode[][] = [];
  for (const node of nodes) {
    const instances = restriction.instancesOf(node);
    for (const [order, instance] of (instances ?? []).entries()) {
      const waiting = { node, instance, order, missing: instance.premises.length, height: 1 };
      if (waiting.missing === 0) ready(waiting);
      for (const premise of instance.premises) {
        const others = waitingFor.get(premise);
        if (others === undefined) waitingFor.set(premise, [waiting]);
        else others.push(waiting);
      }
    }
    if (instances === undefined && node.isLowest) {
      settledAt[node.height] ??= [];
      settledAt[node.height]?.push(node);
    }
  }
  const settle = (node: FactNode, found: Settled): void => {
    settled.set(node, found);
    for (const waiting of waitingFor.get(node) ?? []) {
      waiting.missing -= 1;
      waiting.height = Math.max(waiting.height, found.height + 1);
      if (waiting.missing === 0) ready(waiting);
    }
  };
  for (let height = 1; height < Math.max(levels.length, settledAt.length); height++) {
    if (root !== undefined && (settled.get(root)?.height ?? height) < height) break;
    for (const node of settledAt[height] ?? []) settle(node, { height, instance: undefined, order: -1 });
    // What is settled at this height makes others ready above it only, so that the level is complete.
    for (const { node, instance, order } of levels[height] ?? []) {
      const known = settled.get(node);
      if (known === undefined) settle(node, { height, instance, order });
      else if (known.height === height && order < known.order) {
        known.instance = instance;
        known.order = order;
      }
    }
  }
  return root !== undefined && settled.has(root) ? collected(root, settled) : undefined;
}

function collected(root: FactNode, settled: ReadonlyMap<FactNode, Settled>): ChosenProof {
  const choice = new Map<FactNode, Instance>();
  const facts = [root];
  const seen = new Set(facts);
  for (const node of facts) {
    const instance = settled.get(node)?.instance;
    if (instance === undefined) continue;
    choice.set(node, instance);
    for (const premise of instance.premises) {
      if (seen.has(premise)) continue;
      seen.add(premise);
      facts.push(premise);
    }
  }
  return { facts, choice, height: settled.get(root)?.height ?? 0 };
}
