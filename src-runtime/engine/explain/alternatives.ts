/**
 * Different proofs of one fact, the lowest first. Two proofs differ where they pick different instances for a fact that both
 * use. What is left after a proof is parted by the first fact at which another one differs from it, as in the algorithm of
 * Lawler (1972) and Murty (1968) for the k best solutions.
 */

import type { Derivations, FactNode, Instance } from './derivations.js';
import { type ChosenProof, lowestProof, type Reach, reach } from './minimal.js';

export interface Alternatives {
  /** Beginning with the one that was given; never more than were asked for. */
  readonly proofs: readonly ChosenProof[];
  /** Whether there are proofs beyond these. */
  readonly others: 'none' | 'some' | 'unknown';
}

/** Facts that are looked at. */
const FACTS_MAX = 2000;

/** Facts that are looked at where only one proof is asked for, to tell whether it is the only one. */
const FACTS_OF_ONE_MAX = 100;

/** Parts of what is left that are searched. */
const PARTS_MAX = 400;

/** Proofs that pick what is fixed, and nothing that is banned. */
interface Part {
  readonly fixed: ReadonlyMap<FactNode, Instance>;
  readonly banned: ReadonlyMap<FactNode, ReadonlySet<Instance>>;
  readonly proof: ChosenProof;
}

/** Up to `most` proofs, the first of which is given whole. In an order that is the same each time. */
export function* alternatives(graph: Derivations, first: ChosenProof, most: number): Generator<void, Alternatives> {
  if (most === 1 && (yield* hasObviousOther(graph, first))) return { proofs: [first], others: 'some' };
  const facts = most === 1 ? FACTS_OF_ONE_MAX : FACTS_MAX;
  const reached = yield* reach(graph, first.facts, { facts, depth: Number.POSITIVE_INFINITY, stopsAtLowest: false });
  const search = new Search(reached, most);
  return yield* search.run({ fixed: new Map(), banned: new Map(), proof: first });
}

/**
 * True where a fact of the proof has a second instance over lower facts, so that it, with instances over lower facts for all
 * others, is a proof too. Where there is none another proof may still be had over facts that are higher.
 */
function* hasObviousOther(graph: Derivations, { facts }: ChosenProof): Generator<void, boolean> {
  for (const node of facts.slice(0, FACTS_OF_ONE_MAX)) {
    if ((yield* graph.lower(node)).length > 1) return true;
    yield;
  }
  return false;
}

class Search {
  private readonly reached: Reach;
  private readonly most: number;
  /** Lower proofs first, and among equals those that were found first. */
  private readonly found: Part[] = [];
  private partsLeft = PARTS_MAX;

  constructor(reached: Reach, most: number) {
    this.reached = reached;
    this.most = most;
  }

  *run(first: Part): Generator<void, Alternatives> {
    const proofs = [first.proof];
    yield* this.partition(first);
    while (proofs.length < this.most) {
      const next = this.found.shift();
      if (next === undefined) break;
      proofs.push(next.proof);
      yield* this.partition(next);
    }
    if (this.found.length > 0) return { proofs, others: 'some' };
    return { proofs, others: this.reached.isWhole && this.partsLeft > 0 ? 'none' : 'unknown' };
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
        this.search(new Map(prefix), new Map(banned).set(node, bannedHere));
        yield;
      }
      prefix.set(node, picked);
    }
  }

  private search(fixed: Part['fixed'], banned: Part['banned']): void {
    const proof = lowestProof(this.reached.nodes, {
      instancesOf: (node) => {
        const picked = fixed.get(node);
        if (picked !== undefined) return [picked];
        const without = banned.get(node);
        return without === undefined ? (node.instances ?? []) : node.instances?.filter((each) => !without.has(each));
      },
    });
    if (proof === undefined) return;
    const at = this.found.findIndex((part) => part.proof.height > proof.height);
    this.found.splice(at < 0 ? this.found.length : at, 0, { fixed, banned, proof });
  }
}
