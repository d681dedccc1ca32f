/** Undo and redo of staging, until the page is closed. */

import { type StagedChange, setStaged, stagedAt, without } from '../rows/staged.js';

type States = readonly (readonly StagedChange[])[];

interface Steps {
  /** The staged changes before each step, and before each undone step. */
  readonly undone: States;
  readonly redone: States;
}

const NONE: Steps = { undone: [], redone: [] };
const STEPS_MAX = 100;

/** By scope, like the staged changes. */
const stepsAt = new Map<string, Steps>();

export function stepStaged(place: string, after: readonly StagedChange[]): void {
  const { undone } = stepsAt.get(place) ?? NONE;
  stepsAt.set(place, { undone: [...undone, stagedAt(place)].slice(-STEPS_MAX), redone: [] });
  setStaged(place, after);
}

/** Undoes the last step or, with `again`, redoes the last undone one, or false if none exists. */
export function takeBackStaged(place: string, again: boolean): boolean {
  const { undone, redone } = stepsAt.get(place) ?? NONE;
  const next = (again ? redone : undone).at(-1);
  if (next === undefined) return false;
  const now = stagedAt(place);
  const steps = again
    ? { undone: [...undone, now], redone: redone.slice(0, -1) }
    : { undone: undone.slice(0, -1), redone: [...redone, now] };
  stepsAt.set(place, steps);
  setStaged(place, next);
  return true;
}

/** Saved changes are removed from all steps. */
export function leaveSaved(place: string, saved: readonly StagedChange[]): void {
  const after = without(stagedAt(place), saved);
  const { undone, redone } = stepsAt.get(place) ?? NONE;
  const left = (states: States): States => states.map((each) => without(each, saved));
  if (after.length === 0) stepsAt.delete(place);
  else stepsAt.set(place, { undone: left(undone), redone: left(redone) });
  setStaged(place, after);
}
