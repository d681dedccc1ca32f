/**
 * An explanation as a graph: each fact once, with an edge from whatever follows to what it follows from. Only the premises
 * of opened steps are drawn; the others are the frontier, which tells how many premises it keeps back.
 */

import { allSteps, type Step } from '../../../domain/proof/proof-outline.js';

export interface ProofGraph {
  readonly steps: readonly Step[];
  readonly edges: readonly { readonly id: string; readonly from: string; readonly to: string }[];
  /** By step, its premises that are not drawn. */
  readonly hidden: ReadonlyMap<string, number>;
  /** As much is drawn as can be: opening more shows nothing. */
  readonly isFull: boolean;
}

/** More than this is no picture any more; the outline has them all. */
const GRAPH_STEPS_MAX = 1_000;
/** A proof of this many steps is drawn whole, of a larger one as many. */
const FIRST_STEPS = 28;
/** An aggregate may have thousands of premises: so many more are drawn at a time. */
const PORTION = 24;
/** Of an aggregate the first contributions tell what it takes: those that decide it come first. */
const FIRST_CONTRIBUTIONS = 6;

/** By step, how many of its premises are drawn, the first of them; none of a step that is not in it. */
export type Opened = ReadonlyMap<string, number>;

/** What of the explanation is drawn, level by level from its conclusion. */
export function proofGraph(roots: readonly Step[], opened: Opened, stepsMax = GRAPH_STEPS_MAX): ProofGraph {
  const premises = premisesIn(roots);
  const drawn = conclusionsIn(roots);
  // A map keeps its order, and goes on with what is added while one walks over it.
  for (const step of drawn.values()) {
    for (const premise of premises(step).slice(0, opened.get(step.id) ?? 0)) {
      if (!drawn.has(premise.id) && drawn.size < stepsMax) drawn.set(premise.id, premise);
    }
  }
  const steps = [...drawn.values()];
  const edges: ProofGraph['edges'][number][] = [];
  const hidden = new Map<string, number>();
  for (const step of steps) {
    const all = premises(step);
    // An edge to what is drawn anyway is drawn too, whether or not the step is opened: nothing seems not to follow.
    const shown = all.filter(({ id }) => drawn.has(id));
    for (const { id } of shown) edges.push({ id: `${step.id}-${id}`, from: step.id, to: id });
    if (shown.length < all.length) hidden.set(step.id, all.length - shown.length);
  }
  return { steps, edges, hidden, isFull: hidden.size > 0 && steps.length >= stepsMax };
}

/** As much as fits, level by level; the conclusion is always open. */
export function openedAtFirst(roots: readonly Step[], stepsMax = FIRST_STEPS): Opened {
  const premises = premisesIn(roots);
  const drawn = conclusionsIn(roots);
  const opened = new Map<string, number>();
  const parents = parentsOf(roots);
  for (const step of drawn.values()) {
    // Each of many contributions says itself what it gives.
    if (step.kind === 'contribution' && isLong(parents.get(step.id))) continue;
    const all = premises(step).slice(0, isLong(step) ? FIRST_CONTRIBUTIONS : PORTION);
    const added = all.filter(({ id }) => !drawn.has(id));
    if (all.length === 0 || (opened.size > 0 && drawn.size + added.length > stepsMax)) continue;
    opened.set(step.id, all.length);
    for (const premise of added) drawn.set(premise.id, premise);
  }
  return opened;
}

function isLong(step: Step | undefined): boolean {
  return step?.aggregation !== undefined && step.children.length > 2 * FIRST_CONTRIBUTIONS;
}

export function allOpened(roots: readonly Step[]): Opened {
  return new Map(allSteps(roots).map(({ id, children }) => [id, children.length]));
}

/** With the next premises of the step, or where all are drawn, without any. */
export function toggled({ hidden }: ProofGraph, { id }: Step, opened: Opened): Opened {
  const next = new Map(opened);
  if (hidden.has(id)) next.set(id, (opened.get(id) ?? 0) + PORTION);
  else next.delete(id);
  return next;
}

/** With the way from the conclusion to the step opened, so that it is drawn; the same object where it is already. */
export function openedTo(roots: readonly Step[], id: string, opened: Opened): Opened {
  const parents = parentsOf(roots);
  const next = new Map(opened);
  let isLonger = false;
  for (let at = id, parent = parents.get(at); parent !== undefined; at = parent.id, parent = parents.get(at)) {
    const place = parent.children.findIndex((child) => child.id === at);
    if ((next.get(parent.id) ?? 0) > place) continue;
    next.set(parent.id, place + 1);
    isLonger = true;
  }
  return isLonger ? next : opened;
}

/** Each step before what it follows from, and all of that before its next neighbour: side by side in this order, edges cross least. */
export function inReadingOrder({ steps, edges }: Pick<ProofGraph, 'steps' | 'edges'>): readonly Step[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const premises = new Map<string, Step[]>(steps.map(({ id }) => [id, []]));
  for (const { from, to } of edges) {
    const premise = byId.get(to);
    if (premise !== undefined) premises.get(from)?.push(premise);
  }
  const ordered = new Set<Step>();
  const add = (step: Step): void => {
    if (ordered.has(step)) return;
    ordered.add(step);
    for (const premise of premises.get(step.id) ?? []) add(premise);
  };
  for (const step of steps) add(step);
  return [...ordered];
}

/** By step, the one that it is a premise of in the outline. */
export function parentsOf(roots: readonly Step[]): ReadonlyMap<string, Step> {
  return new Map(allSteps(roots).flatMap((step) => step.children.map((child) => [child.id, step] as const)));
}

/** The roots, each where it is expanded: one of several may be what another rests on. */
function conclusionsIn(roots: readonly Step[]): Map<string, Step> {
  if (roots.every(({ kind }) => kind !== 'ref')) return new Map(roots.map((step) => [step.id, step]));
  const byId = new Map(allSteps(roots).map((step) => [step.id, step]));
  return new Map(roots.map((step) => byId.get(step.target ?? '') ?? step).map((step) => [step.id, step]));
}

/** The premises of a step, each fact once: where it is expanded elsewhere, that step. */
function premisesIn(roots: readonly Step[]): (step: Step) => Step[] {
  const byId = new Map(allSteps(roots).map((step) => [step.id, step]));
  return (step) => {
    const found = new Map<string, Step>();
    for (const child of step.children) {
      const premise = child.kind === 'ref' ? byId.get(child.target ?? '') : child;
      if (premise !== undefined) found.set(premise.id, premise);
    }
    return [...found.values()];
  };
}
