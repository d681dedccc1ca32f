/**
 * Proofs of least height in a derivation graph. Facts are settled from the lowest up, as in Knuth's generalisation of
 * Dijkstra's algorithm (1977). A proof chooses one instance for every fact in it.
 */

import type { Derivations, FactNode, Instance } from './derivations.js';

export type Choice = ReadonlyMap<FactNode, Instance>;

/** The facts of a proof, each before its premises, and their chosen instances. */
export interface SelectedProof {
  /** The first fact is the one to prove. */
  readonly facts: readonly FactNode[];
  readonly choice: Choice;
  /** Derived facts on the longest path. */
  readonly height: number;
}

/** Instances that a proof has to choose, and those that it must not. */
export interface Restriction {
  readonly fixed: Choice;
  readonly banned: ReadonlyMap<FactNode, ReadonlySet<Instance>>;
}

export const UNRESTRICTED: Restriction = { fixed: new Map(), banned: new Map() };

/** Facts of one search of the graph. */
export interface Reach {
  readonly nodes: readonly FactNode[];
  /** True if every instance of every fact was found, and their premises are in it. */
  readonly isWhole: boolean;
}

/** Expands these facts and those behind them breadth first, up to a depth and a number of facts. */
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
    // An instance on the last level helps only if it needs nothing below.
    const isLast = depth === most.depth - 1;
    for (const { premises } of isLast ? yield* graph.flat(node) : yield* graph.expand(node)) {
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

/** More premises than any instance has, so the instance is never chosen. */
const NEVER_READY = 2 ** 30;

/** Stands for the instance of a fact that is taken as it is. */
const AS_IT_IS = -1;

/**
 * Facts and instances by number, so that many restrictions can be solved one after the other. A fact that was not
 * expanded is taken at its height if that is the least one, and otherwise not at all.
 */
export class ProofGraph {
  private readonly nodes: readonly FactNode[];
  private readonly places: ReadonlyMap<FactNode, number>;
  /** Those of one fact are consecutive, in its order. */
  private readonly instances: Instance[] = [];
  private readonly numbers = new Map<Instance, number>();
  /** By fact: its first instance; after the last fact, the number of instances. */
  private readonly firstOf: Int32Array;
  /** By instance. */
  private readonly ownerOf: number[] = [];
  private readonly premiseCounts: Int32Array;
  /** By fact: the instances that have it as a premise. */
  private readonly usersOf: readonly number[][];
  /** Instances of facts that were not expanded. They are chosen only if fixed. */
  private readonly onlyFixed: number[] = [];

  /**
   * The first fact is the one to prove. `known` has instances for facts that were not expanded, in case they are fixed.
   */
  constructor(nodes: readonly FactNode[], known: Choice) {
    this.nodes = nodes;
    this.places = new Map(nodes.map((node, place) => [node, place]));
    this.firstOf = new Int32Array(nodes.length + 1);
    this.usersOf = nodes.map(() => []);
    for (const [place, node] of nodes.entries()) {
      this.firstOf[place] = this.instances.length;
      const picked = known.get(node);
      const instances = node.instances ?? (picked === undefined ? node.flat : undefined);
      if (instances !== undefined) for (const instance of instances) this.add(place, instance);
      else if (picked !== undefined) this.onlyFixed.push(this.add(place, picked));
    }
    this.firstOf[nodes.length] = this.instances.length;
    this.premiseCounts = Int32Array.from(this.instances, ({ premises }) => premises.length);
  }

  private add(owner: number, instance: Instance): number {
    const number = this.instances.push(instance) - 1;
    this.numbers.set(instance, number);
    this.ownerOf.push(owner);
    for (const premise of instance.premises) {
      const place = this.places.get(premise);
      // A premise outside of the search is never settled.
      if (place !== undefined) this.usersOf[place]?.push(number);
    }
    return number;
  }

  /**
   * The lowest proof of the first fact; undefined if the restriction allows none. Ties follow the order of instances.
   */
  lowest(restriction: Restriction): SelectedProof | undefined {
    const missing = this.missingUnder(restriction);
    const heights = new Int32Array(this.nodes.length);
    const picked = new Int32Array(this.nodes.length).fill(AS_IT_IS);
    /** By the resulting height: ready instances, and facts taken as they are (negated, less one). */
    const levels: number[][] = [];
    const ready = (height: number, what: number): void => {
      levels[height] ??= [];
      levels[height]?.push(what);
    };
    const settle = (place: number, height: number, instance: number): void => {
      heights[place] = height;
      picked[place] = instance;
      for (const user of this.usersOf[place] ?? []) {
        missing[user] = (missing[user] ?? 0) - 1;
        // Facts are settled from the lowest up, so the last premise is the highest.
        if (missing[user] === 0) ready(height + 1, user);
      }
    };
    for (const [place, node] of this.nodes.entries()) {
      if (node.instances === undefined && node.isLowest && !restriction.fixed.has(node)) ready(node.height, ~place);
    }
    for (const [instance, count] of missing.entries()) if (count === 0) ready(1, instance);
    for (let height = 1; height < levels.length && heights[0] === 0; height++) {
      for (const what of levels[height] ?? []) {
        const place = what < 0 ? ~what : (this.ownerOf[what] ?? 0);
        const known = heights[place] ?? 0;
        if (known === 0) settle(place, height, what < 0 ? AS_IT_IS : what);
        else if (known === height && what < (picked[place] ?? 0)) picked[place] = what;
      }
    }
    return heights[0] === 0 ? undefined : this.collected(heights[0] ?? 0, picked);
  }

  /** By instance: premises that are not settled yet. */
  private missingUnder({ fixed, banned }: Restriction): Int32Array {
    const missing = this.premiseCounts.slice();
    for (const number of this.onlyFixed) missing[number] = NEVER_READY;
    for (const [node, instance] of fixed) {
      const place = this.places.get(node) ?? 0;
      missing.fill(NEVER_READY, this.firstOf[place], this.firstOf[place + 1]);
      const number = this.numbers.get(instance) ?? 0;
      missing[number] = this.premiseCounts[number] ?? 0;
    }
    for (const instances of banned.values()) {
      for (const instance of instances) missing[this.numbers.get(instance) ?? 0] = NEVER_READY;
    }
    return missing;
  }

  private collected(height: number, picked: Int32Array): SelectedProof {
    const choice = new Map<FactNode, Instance>();
    const [root] = this.nodes;
    const facts = root === undefined ? [] : [root];
    const seen = new Set(facts);
    for (const node of facts) {
      const instance = this.instances[picked[this.places.get(node) ?? 0] ?? AS_IT_IS];
      if (instance === undefined) continue;
      choice.set(node, instance);
      for (const premise of instance.premises) {
        if (seen.has(premise)) continue;
        seen.add(premise);
        facts.push(premise);
      }
    }
    return { facts, choice, height };
  }
}
