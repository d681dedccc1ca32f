/** Orders the steps of a condition: filters as soon as they can run, then the join that promises the fewest rows. */

import { EvaluationFault } from '../errors.js';
import { type Step, stepVariables } from './normalise.js';

export interface OrderInput {
  readonly steps: readonly Step[];
  /** Variables that are bound before the first step. */
  readonly bound: Iterable<string>;
  /** Index of the step that must come first, because it reads the delta; −1 for none. */
  readonly first: number;
  isFaultable(step: Step): boolean;
  /** Rows to expect for one value of these columns. */
  rowsOf(relation: string, columns: readonly number[]): number;
  /** True where a value of the first columns decides the row: a field. */
  isField(relation: string): boolean;
}

interface Pending {
  readonly step: Step;
  readonly needs: ReadonlySet<string>;
  readonly binds: ReadonlySet<string>;
  readonly faultable: boolean;
}

/**
 * A step that can fault runs after all steps that do not depend on it, so that it fails only bindings that everything else
 * lets through. Ties go by source order, so that the same module always runs in the same order.
 */
export function orderSteps(input: OrderInput): Step[] {
  const bound = new Set(input.bound);
  const pending: Pending[] = input.steps.map((step) => ({
    step,
    ...stepVariables(step),
    faultable: input.isFaultable(step),
  }));
  const ordered: Step[] = [];
  const take = (choice: Pending): void => {
    pending.splice(pending.indexOf(choice), 1);
    for (const name of choice.binds) bound.add(name);
    ordered.push(choice.step);
  };
  const [first] = pending.splice(input.first, input.first < 0 ? 0 : 1);
  if (first !== undefined) {
    for (const name of first.binds) bound.add(name);
    ordered.push(first.step);
  }
  while (pending.length > 0) take(choose(input, pending, bound));
  return ordered;
}

function choose(input: OrderInput, pending: readonly Pending[], bound: ReadonlySet<string>): Pending {
  const ready = pending.filter((each) => [...each.needs].every((name) => bound.has(name)));
  const filter = ready.find((each) => !each.faultable && each.step.kind !== 'atom' && each.step.kind !== 'each');
  if (filter !== undefined) return filter;
  const late = dependants(pending);
  const joins = ready.filter((each) => !each.faultable && (each.step.kind === 'atom' || each.step.kind === 'each'));
  const early = best(
    input,
    joins.filter((each) => !late.has(each)),
    bound,
  );
  if (early !== undefined) return early;
  // The deferred steps in source order; a join that depends on one waits for it unless nothing else is left.
  const faultable = ready.find((each) => each.faultable);
  return faultable ?? best(input, joins, bound) ?? unorderable(pending);
}

/** The steps that use what a pending step that can fault binds. */
function dependants(pending: readonly Pending[]): Set<Pending> {
  const tainted = new Set<string>();
  for (const each of pending) if (each.faultable) for (const name of each.binds) tainted.add(name);
  const late = new Set<Pending>();
  for (let grown = true; grown; ) {
    grown = false;
    for (const each of pending) {
      if (late.has(each) || each.faultable) continue;
      const uses = each.step.kind === 'atom' ? each.binds : each.needs;
      if (![...uses].some((name) => tainted.has(name))) continue;
      late.add(each);
      grown = true;
      if (each.step.kind === 'let' || each.step.kind === 'each') for (const name of each.binds) tainted.add(name);
    }
  }
  return late;
}

function best(input: OrderInput, joins: readonly Pending[], bound: ReadonlySet<string>): Pending | undefined {
  let choice: Pending | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const join of joins) {
    const estimate = estimateRows(input, join.step, bound);
    if (estimate < least) {
      least = estimate;
      choice = join;
    }
  }
  return choice;
}

function estimateRows(input: OrderInput, step: Step, bound: ReadonlySet<string>): number {
  if (step.kind !== 'atom') return 8;
  const known = [...step.args.keys()].filter((column) => {
    const arg = step.args[column] ?? null;
    return arg !== null && (arg.op === 'constant' || bound.has(arg.name));
  });
  if (known.length === step.args.length) return 0;
  if (input.isField(step.relation) && known[0] === 0) return 0.5;
  return 1 + input.rowsOf(step.relation, known);
}

/** Safety is the compiler's to check, so this is a damaged artifact. */
function unorderable(pending: readonly Pending[]): never {
  const names = pending.flatMap((each) => [...each.needs]);
  throw new EvaluationFault('undecodable', `the body does not bind ${names.join(', ')}`);
}
