/** The initial state of an outline: selected step and collapsed steps. */

import { allSteps, type Step } from './proof-outline.js';

/** A tree of up to this many steps starts expanded; in a larger one, levels below `OPEN_LEVELS` start collapsed. */
const OPEN_STEPS_MAX = 60;
const OPEN_LEVELS = 3;

/** Initial selection: the failing premise of the only or nearest clause of a why-not, else the root. */
export function initialSelection(roots: readonly Step[]): Step | undefined {
  const [root, ...others] = roots;
  if (root?.kind !== 'whyNot' || others.length > 0) return root;
  const [only, ...more] = root.children;
  const nearest = more.length === 0 ? only : root.children.find(({ reach }) => reach?.isNearest);
  return nearest?.children.find(isStop) ?? root;
}

function isStop({ kind }: Step): boolean {
  return kind === 'missing' || kind === 'fails';
}

/** With more rows before the failing premise, satisfied premises start collapsed. */
const ROWS_BEFORE_STOP_MAX = 8;

/** Satisfied premises whose proofs would push the failing one out of view. */
function heldBefore({ children }: Step): readonly Step[] {
  const held = children.slice(0, Math.max(0, children.findIndex(isStop)));
  return allSteps(held).length > ROWS_BEFORE_STOP_MAX ? held.filter((step) => step.children.length > 0) : [];
}

/** With more rows below aggregates, they start collapsed. */
const ROWS_OF_AGGREGATES_MAX = 24;

/** Aggregates whose contributions would push later premises out of view, such as the formula that uses their values. */
function longAggregates({ children }: Step): readonly Step[] {
  const before = children.slice(0, -1).filter(({ kind }) => kind === 'aggregate');
  const rows = before.reduce((count, aggregate) => count + aggregate.children.length, 0);
  return rows > ROWS_OF_AGGREGATES_MAX ? before.filter((aggregate) => aggregate.children.length > 1) : [];
}

/** With more contributions, they start collapsed, since each shows its value. */
const OPEN_CONTRIBUTIONS_MAX = 3;

function closedContributions({ children }: Step): readonly Step[] {
  const contributions = children.filter(({ kind }) => kind === 'contribution');
  return contributions.length > OPEN_CONTRIBUTIONS_MAX ? contributions : [];
}

/** Steps that start collapsed. */
export function collapsedAtFirst(roots: readonly Step[]): ReadonlySet<string> {
  const steps = allSteps(roots);
  const collapsed = new Set(
    steps
      .filter(({ kind }) => kind === 'clause')
      .flatMap(heldBefore)
      .map(({ id }) => id),
  );
  for (const { id } of [...steps.flatMap(longAggregates), ...steps.flatMap(closedContributions)]) collapsed.add(id);
  if (steps.length <= OPEN_STEPS_MAX) return collapsed;
  const visit = (steps: readonly Step[], level: number, isOnWay: boolean): void => {
    for (const step of steps) {
      if (step.children.length === 0) continue;
      const leadsOn = isOnWay && leadsToStop(step, steps);
      if (level >= OPEN_LEVELS && !leadsOn) collapsed.add(step.id);
      visit(step.children, level + 1, leadsOn);
    }
  };
  visit(roots, 1, roots.length === 1);
  return collapsed;
}

/** Keeps the path to the failing premise expanded, as long as each why-not on it has one clause. */
function leadsToStop(step: Step, siblings: readonly Step[]): boolean {
  if (step.kind === 'clause') return siblings.length === 1;
  return (step.kind === 'whyNot' || isStop(step)) && step.children.length === 1;
}
