/**
 * Different proofs of one fact, lowest first. Two proofs differ if they choose different instances for a fact that both
 * use. The proofs that remain after one are partitioned by the first fact at which they differ from it, as in the
 * algorithm of Lawler (1972) and Murty (1968) for the k best solutions.
 */

import type { Derivations } from './derivations.js';
import { ProofGraph, type Reach, type Restriction, reach, type SelectedProof, UNRESTRICTED } from './minimal.js';

export interface Alternatives {
  /** The given proof first; at most as many as requested. */
  readonly proofs: readonly SelectedProof[];
  /** Whether there are proofs beyond these. */
  readonly others: 'none' | 'some' | 'unknown';
}

/** Facts to visit: first the nearest, then more if these give too few proofs. */
const FACTS_MAX = [200, 2000];

/** Facts to visit if one proof is requested, to find out whether it is the only one. */
const FACTS_OF_ONE_MAX = 100;

/** Partitions that are searched. */
const PARTS_MAX = 400;

/** Proofs with all fixed and no banned instances. */
interface Part extends Restriction {
  readonly proof: SelectedProof;
}

/** Up to `most` proofs, the given complete one first. Deterministic. */
export function* alternatives(graph: Derivations, first: SelectedProof, most: number): Generator<void, Alternatives> {
  if (most === 1 && (yield* hasObviousOther(graph, first))) return { proofs: [first], others: 'some' };
  let found: Alternatives = { proofs: [first], others: 'unknown' };
  for (const facts of most === 1 ? [FACTS_OF_ONE_MAX] : FACTS_MAX) {
    const reached = yield* reach(graph, first.facts, { facts, depth: Number.POSITIVE_INFINITY, stopsAtLowest: false });
    found = yield* new Search(reached, first, most).run();
    if (reached.isWhole || found.proofs.length === most) break;
  }
  return found;
}

/**
 * True if a fact of the proof has a second instance over lower facts, which makes another proof with lower instances
 * for all other facts. If not, there may still be another proof over higher facts.
 */
function* hasObviousOther(graph: Derivations, { facts }: SelectedProof): Generator<void, boolean> {
  for (const node of facts.slice(0, FACTS_OF_ONE_MAX)) {
    if ((yield* graph.lower(node)).length > 1) return true;
    yield;
  }
  return false;
}

class Search {
  private readonly isWhole: boolean;
  private readonly first: Part;
  private readonly graph: ProofGraph;
  private readonly most: number;
  /** Lower proofs first; equal ones in the order in which they were found. */
  private readonly found: Part[] = [];
  private partsLeft = PARTS_MAX;

  constructor({ nodes, isWhole }: Reach, proof: SelectedProof, most: number) {
    this.isWhole = isWhole;
    this.first = { ...UNRESTRICTED, proof };
    this.graph = new ProofGraph(nodes, proof.choice);
    this.most = most;
  }

  *run(): Generator<void, Alternatives> {
    const proofs = [this.first.proof];
    yield* this.partition(this.first);
    while (proofs.length < this.most) {
      const next = this.found.shift();
      if (next === undefined) break;
      proofs.push(next.proof);
      yield* this.partition(next);
    }
    if (this.found.length > 0) return { proofs, others: 'some' };
    return { proofs, others: this.isWhole && this.partsLeft > 0 ? 'none' : 'unknown' };
  }

  private *partition({ fixed, banned, proof }: Part): Generator<void> {
    const prefix = new Map(fixed);
    for (const node of proof.facts) {
      const picked = proof.choice.get(node);
      if (picked === undefined) continue;
      const bannedHere = new Set(banned.get(node)).add(picked);
      const isOpen = !prefix.has(node) && (node.instances?.some((each) => !bannedHere.has(each)) ?? false);
      if (isOpen) {
        if (this.partsLeft <= 0) return;
        this.partsLeft -= 1;
        this.search({ fixed: new Map(prefix), banned: new Map(banned).set(node, bannedHere) });
        yield;
      }
      prefix.set(node, picked);
    }
  }

  private search(restriction: Restriction): void {
    const proof = this.graph.lowest(restriction);
    if (proof === undefined) return;
    const at = this.found.findIndex((part) => part.proof.height > proof.height);
    this.found.splice(at < 0 ? this.found.length : at, 0, { ...restriction, proof });
  }
}
