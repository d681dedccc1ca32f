/** What of an explanation is seen at first: the step that is chosen, and the steps that are closed. */

import { allSteps, type Step } from './proof-outline.js';

/** A tree of this many steps is shown whole; of a larger one, branches below `OPEN_LEVELS` start closed. */
const OPEN_STEPS_MAX = 60;
const OPEN_LEVELS = 3;

/** What is chosen at first: the premise at which the only or nearest clause of a why-not stops, else the fact itself. */
export function chosenAtFirst(roots: readonly Step[]): Step | undefined {
  const [root, ...others] = roots;
  if (root?.kind !== 'whyNot' || others.length > 0) return root;
  const [only, ...more] = root.children;
  const nearest = more.length === 0 ? only : root.children.find(({ reach }) => reach?.isNearest);
  return nearest?.children.find(isStop) ?? root;
}

function isStop({ kind }: Step): boolean {
  return kind === 'missing' || kind === 'fails';
}

/** So many rows may stand before the premise at which a clause stops; of more, those that hold are closed. */
const ROWS_BEFORE_STOP_MAX = 8;

/** The premises of a clause that hold, where their proofs would push the one at which it stops out of sight. */
function heldBefore({ children }: Step): readonly Step[] {
  const held = children.slice(0, Math.max(0, children.findIndex(isStop)));
  return allSteps(held).length > ROWS_BEFORE_STOP_MAX ? held.filter((step) => step.children.length > 0) : [];
}

/** So many rows below aggregates are in the way of what follows them: of more, they are closed. */
const ROWS_OF_AGGREGATES_MAX = 24;

/** Aggregates whose contributions would push the premises behind them out of sight, such as the formula that their values are put into. */
function longAggregates({ children }: Step): readonly Step[] {
  const before = children.slice(0, -1).filter(({ kind }) => kind === 'aggregate');
  const rows = before.reduce((count, aggregate) => count + aggregate.children.length, 0);
  return rows > ROWS_OF_AGGREGATES_MAX ? before.filter((aggregate) => aggregate.children.length > 1) : [];
}

/** So few contributions are shown with what they rest on; of more, each says itself what it gives. */
const OPEN_CONTRIBUTIONS_MAX = 3;

function closedContributions({ children }: Step): readonly Step[] {
  const contributions = children.filter(({ kind }) => kind === 'contribution');
  return contributions.length > OPEN_CONTRIBUTIONS_MAX ? contributions : [];
}

/** What is collapsed at first. */
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

/** On the one way from the question down to what stops it: as long as each question on it has one clause. */
function leadsToStop(step: Step, siblings: readonly Step[]): boolean {
  if (step.kind === 'clause') return siblings.length === 1;
  return (step.kind === 'whyNot' || isStop(step)) && step.children.length === 1;
}
