/**
 * Orders the steps of a condition: filters as soon as they can run, then the join with the fewest expected rows. An
 * equality with one known side binds the other side, so that joins can use an index.
 */

import type { Expression } from '../../artifact/types.js';
import { EvaluationFault } from '../errors.js';
import { isFaultableStep, type LetStep, type NormalCondition, type Step, type TestStep } from './normalise.js';
import type { Unit } from './unit.js';
import { stepVariables, variablesOf } from './variables.js';

export interface OrderInput {
  readonly steps: readonly Step[];
  /** Variables that are bound before the first step. */
  readonly bound: Iterable<string>;
  /** Index of the step that must come first, because it reads the delta; −1 for none. */
  readonly first: number;
  isFaultable(step: Step): boolean;
  /** Expected rows for one value of these columns. */
  rowsOf(relation: string, columns: readonly number[]): number;
  /** True for a field: a value of the first columns determines the row. */
  isField(relation: string): boolean;
  /** True for own variables of the condition whose values have codes. */
  hasCode(variable: string): boolean;
}

/** The input for ordering the steps of a condition in a plan. */
export function orderInput(
  { program, access }: Unit,
  { steps, types }: NormalCondition,
  bound: Iterable<string>,
  first: number,
): OrderInput {
  return {
    steps,
    bound,
    first,
    isFaultable: (step) => isFaultableStep(program, step),
    rowsOf: access.rowsOf,
    isField: (relation) => program.fields.has(relation),
    hasCode: (variable) => types.has(variable),
  };
}

interface Pending {
  readonly step: Step;
  readonly needs: ReadonlySet<string>;
  readonly binds: ReadonlySet<string>;
  readonly faultable: boolean;
  /** How a test of equality can bind a variable. */
  readonly equalities: readonly Equality[];
}

interface Equality {
  readonly variable: string;
  readonly value: Expression;
  readonly needs: ReadonlySet<string>;
}

/** The next action: a step, or a test that binds a variable. */
interface Choice {
  readonly pending: Pending;
  readonly step: Step;
  readonly binds: Iterable<string>;
}

/** With more joins there is no look-ahead: its cost grows with the fourth power, and is milliseconds here. */
const JOINS_MAX = 16;

/**
 * A step that can fault runs after all steps that do not depend on it, so that it fails only for bindings that pass
 * everything else. If a faultable equality, or the check of a navigation, runs earlier, its caller checks the others.
 * Ties follow source order, so that a module always runs in the same order.
 */
export function orderSteps(input: OrderInput): Step[] {
  return new Ordering(memoised(input)).toEnd();
}

/** Expected rows of all joins in the order of `orderSteps`. */
export function costOfOrder(input: OrderInput): number {
  const ordering = new Ordering(memoised(input));
  ordering.toEnd();
  return ordering.cost;
}

class Ordering {
  private readonly input: OrderInput;
  private readonly bound: Set<string>;
  /** In source order. */
  private readonly pending: Set<Pending>;
  /** The steps that use each variable, done or not. */
  private readonly users: ReadonlyMap<string, readonly Pending[]>;
  private readonly ordered: Step[] = [];
  /** Expected rows of the ordered steps, and of all joins so far. */
  private rows = 1;
  cost = 0;

  constructor(input: OrderInput, from?: Ordering) {
    this.input = input;
    this.bound = new Set(from?.bound ?? input.bound);
    this.pending = new Set(from?.pending ?? pendingOf(input));
    this.users = from?.users ?? usersOf(this.pending);
    if (from !== undefined) {
      this.ordered.push(...from.ordered);
      this.rows = from.rows;
      this.cost = from.cost;
      return;
    }
    const first = [...this.pending][input.first];
    if (first !== undefined) this.put(asItIs(first));
  }

  toEnd(isLookingAhead = true): Step[] {
    while (this.pending.size > 0) this.take(this.choose(isLookingAhead));
    return this.ordered;
  }

  private take(choice: Choice): void {
    this.rows *= Math.max(1, estimateRows(this.input, choice.step, this.bound));
    this.cost += this.rows;
    this.put(choice);
  }

  private put({ pending, step, binds }: Choice): void {
    this.pending.delete(pending);
    for (const name of binds) this.bound.add(name);
    this.ordered.push(step);
  }

  private choose(isLookingAhead: boolean): Choice {
    const { pending, bound } = this;
    const ready = [...pending].filter((each) => isSubset(each.needs, bound));
    const check = ready.find(({ step }) => step.kind === 'single');
    if (check !== undefined) return asItIs(check);
    const filter = ready.find((each) => !each.faultable && !isJoin(each.step));
    if (filter !== undefined) return asItIs(filter);
    const equal = this.equality(false);
    if (equal !== undefined) return equal;
    const late = this.dependants();
    const joins = ready.filter((each) => !each.faultable && isJoin(each.step));
    const early = joins.filter((each) => !late.has(each));
    const join = best(this.input, early, bound);
    const isLookup = join !== undefined && estimateRows(this.input, join.step, bound) <= 1;
    const computed = isLookup ? undefined : this.equality(true);
    if (computed !== undefined) return computed;
    if (join !== undefined) return asItIs(isLookup || !isLookingAhead ? join : this.cheapestToEnd(join, early));
    // Deferred steps in source order. A join that depends on one waits for it unless nothing else is left.
    const faultable = ready.find((each) => each.faultable);
    return asItIs(faultable ?? best(this.input, joins, bound) ?? unorderable(pending));
  }

  /** A test with one known side that binds the other. If it can fault, only if a join follows. */
  private equality(faultable: boolean): Choice | undefined {
    const { pending, bound } = this;
    for (const each of pending) {
      if (each.faultable !== faultable) continue;
      for (const { variable, value, needs } of each.equalities) {
        if (bound.has(variable) || !isSubset(needs, bound)) continue;
        if (faultable && !this.users.get(variable)?.some((user) => user.step.kind === 'atom' && pending.has(user)))
          continue;
        const test = each.step as TestStep;
        const step: LetStep = { kind: 'let', literal: test.literal, variable, value, test };
        return { pending: each, step, binds: [variable] };
      }
    }
    return undefined;
  }

  /**
   * The join after which the rest is cheapest, if an equality binds in one direction only, so that the order matters.
   * Otherwise, and with too many joins, the usual one.
   */
  private cheapestToEnd(usual: Pending, joins: readonly Pending[]): Pending {
    const { pending, bound } = this;
    const isOneWay = ({ equalities: [only, other] }: Pending): boolean =>
      only !== undefined && other === undefined && !bound.has(only.variable);
    const left = [...pending];
    const count = left.filter(({ step }) => isJoin(step)).length;
    if (joins.length < 2 || count > JOINS_MAX || !left.some(isOneWay)) return usual;
    let [choice, least] = [usual, this.costAfter(usual)];
    for (const join of joins) {
      const cost = join === usual ? least : this.costAfter(join);
      if (cost < least) [choice, least] = [join, cost];
    }
    return choice;
  }

  private costAfter(join: Pending): number {
    const trial = new Ordering(this.input, this);
    trial.take(asItIs(join));
    trial.toEnd(false);
    return trial.cost;
  }

  /** The steps that use what a pending faultable step binds. */
  private dependants(): Set<Pending> {
    const { pending, users } = this;
    const late = new Set<Pending>();
    const tainted = [...pending].flatMap(({ faultable, binds }) => (faultable ? [...binds] : []));
    for (let name = tainted.pop(); name !== undefined; name = tainted.pop()) {
      for (const user of users.get(name) ?? []) {
        if (!pending.has(user) || user.faultable || late.has(user)) continue;
        late.add(user);
        if (user.step.kind === 'let' || user.step.kind === 'each') tainted.push(...user.binds);
      }
    }
    return late;
  }
}

function usersOf(pending: Iterable<Pending>): Map<string, Pending[]> {
  const users = new Map<string, Pending[]>();
  for (const each of pending) {
    for (const name of each.step.kind === 'atom' ? each.binds : each.needs) {
      const known = users.get(name);
      if (known === undefined) users.set(name, [each]);
      else known.push(each);
    }
  }
  return users;
}

function pendingOf(input: OrderInput): Pending[] {
  // The check that a navigation reads one value needs the value that was read.
  const single = new Set(input.steps.flatMap((step) => (step.kind === 'single' ? [step.value] : [])));
  return input.steps.map((step) => ({
    step,
    ...(single.size === 0 ? stepVariables(step) : afterChecks(step, single)),
    faultable: input.isFaultable(step),
    equalities: equalitiesOf(step, (name) => input.hasCode(name) && !single.has(name)),
  }));
}

/**
 * A value from a navigation is used only after the check that it is the only one: for a binding with two values, a step
 * that uses it says nothing. Such a step also needs the check.
 */
function afterChecks(step: Step, single: ReadonlySet<string>): { needs: Set<string>; binds: Set<string> } {
  const { needs, binds } = stepVariables(step);
  if (step.kind === 'single') return { needs, binds: new Set([checked(step.value)]) };
  const isRead = step.kind === 'atom' && step.reads !== undefined;
  for (const name of [...needs, ...binds]) {
    if (single.has(name) && !(isRead && step.reads === name)) needs.add(checked(name));
  }
  return { needs, binds };
}

function checked(variable: string): string {
  return `${variable} checked`;
}

function equalitiesOf(step: Step, canBind: (variable: string) => boolean): Equality[] {
  if (step.kind !== 'test' || step.condition.op !== 'compare' || step.condition.operator !== '==') return [];
  const { left, right } = step.condition;
  const sides = [
    [left, right],
    [right, left],
  ] as const;
  return sides.flatMap(([side, value]) => {
    if (side.op !== 'variable' || value.op === 'none' || !canBind(side.name)) return [];
    const needs = variablesOf(value);
    return needs.has(side.name) ? [] : [{ variable: side.name, value, needs }];
  });
}

function asItIs(pending: Pending): Choice {
  return { pending, step: pending.step, binds: pending.binds };
}

function isJoin({ kind }: Step): boolean {
  return kind === 'atom' || kind === 'each';
}

function isSubset(names: ReadonlySet<string>, of: ReadonlySet<string>): boolean {
  for (const name of names) if (!of.has(name)) return false;
  return true;
}

/** Each expectation is computed once. */
function memoised(input: OrderInput): OrderInput {
  const known = new Map<string, number>();
  const rowsOf = (relation: string, columns: readonly number[]): number => {
    const key = `${relation} ${columns.join()}`;
    const rows = known.get(key) ?? input.rowsOf(relation, columns);
    known.set(key, rows);
    return rows;
  };
  return { ...input, rowsOf };
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
  if (step.kind === 'each') return 8;
  if (step.kind !== 'atom') return 0;
  const known = [...step.args.keys()].filter((column) => {
    const arg = step.args[column] ?? null;
    return arg !== null && (arg.op === 'constant' || bound.has(arg.name));
  });
  if (known.length === step.args.length) return 0;
  if (input.isField(step.relation) && known[0] === 0) return 0.5;
  return 1 + input.rowsOf(step.relation, known);
}

/** The compiler checks safety, so the artifact is damaged. */
function unorderable(pending: Iterable<Pending>): never {
  const names = [...pending].flatMap((each) => [...each.needs]);
  throw new EvaluationFault('undecodable', `the body does not bind ${names.join(', ')}`);
}
