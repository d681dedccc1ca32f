/**
 * An explanation as a graph: one node for each fact, with edges to its premises. Premises of closed steps are not
 * drawn; the frontier has their number.
 */

import { allSteps, type Step } from '../../../domain/proof/proof-outline.js';

export interface ProofGraph {
  readonly steps: readonly Step[];
  readonly edges: readonly { readonly id: string; readonly from: string; readonly to: string }[];
  /** Number of premises not drawn, by step. */
  readonly hidden: ReadonlyMap<string, number>;
  /** The limit is reached: opening more steps draws nothing. */
  readonly isFull: boolean;
}

/** Limit of drawn steps. The outline has all. */
const GRAPH_STEPS_MAX = 1_000;
/** A smaller proof is drawn whole. A larger one starts with so many steps. */
const FIRST_STEPS = 28;
/** Premises of an aggregate drawn at a time, because it may have thousands. */
const PORTION = 24;
/** Contributions drawn first. The deciding ones come first. */
const FIRST_CONTRIBUTIONS = 6;

/** Number of drawn premises, by step. A missing step is closed. */
export type OpenedSteps = ReadonlyMap<string, number>;

/** The drawn part of the explanation, level by level from its conclusion. */
export function proofGraph(roots: readonly Step[], opened: OpenedSteps, stepsMax = GRAPH_STEPS_MAX): ProofGraph {
  const premises = premisesIn(roots);
  const drawn = conclusionsIn(roots);
  // Iteration over a map includes entries that are added meanwhile.
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
    // An edge between two drawn steps is always drawn, even if the step is closed. Otherwise a step would seem to
    // follow from nothing.
    const shown = all.filter(({ id }) => drawn.has(id));
    for (const { id } of shown) edges.push({ id: `${step.id}-${id}`, from: step.id, to: id });
    if (shown.length < all.length) hidden.set(step.id, all.length - shown.length);
  }
  return { steps, edges, hidden, isFull: hidden.size > 0 && steps.length >= stepsMax };
}

/** As many levels as the limit allows. The conclusion is always open. */
export function initiallyOpened(roots: readonly Step[], stepsMax = FIRST_STEPS): OpenedSteps {
  const premises = premisesIn(roots);
  const drawn = conclusionsIn(roots);
  const opened = new Map<string, number>();
  const parents = parentsOf(roots);
  for (const step of drawn.values()) {
    // The contributions of a long aggregate start closed, because each says what it adds.
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

export function allOpened(roots: readonly Step[]): OpenedSteps {
  return new Map(allSteps(roots).map(({ id, children }) => [id, children.length]));
}

/** Draws the next premises of the step, or hides all once all are drawn. */
export function toggled({ hidden }: ProofGraph, { id }: Step, opened: OpenedSteps): OpenedSteps {
  const next = new Map(opened);
  if (hidden.has(id)) next.set(id, (opened.get(id) ?? 0) + PORTION);
  else next.delete(id);
  return next;
}

/** Opens the path from the conclusion to the step. Keeps its identity if it is open already. */
export function openedTo(roots: readonly Step[], id: string, opened: OpenedSteps): OpenedSteps {
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

/** Depth-first order: nodes side by side in this order have the fewest crossings. */
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

/** The parent of each step in the outline. */
export function parentsOf(roots: readonly Step[]): ReadonlyMap<string, Step> {
  return new Map(allSteps(roots).flatMap((step) => step.children.map((child) => [child.id, step] as const)));
}

/** The roots, each at the place where it is expanded: one may be a premise of another. */
function conclusionsIn(roots: readonly Step[]): Map<string, Step> {
  if (roots.every(({ kind }) => kind !== 'ref')) return new Map(roots.map((step) => [step.id, step]));
  const byId = new Map(allSteps(roots).map((step) => [step.id, step]));
  return new Map(roots.map((step) => byId.get(step.target ?? '') ?? step).map((step) => [step.id, step]));
}

/** The premises of a step, each fact once. A fact expanded elsewhere is represented by that step. */
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
