/**
 * What a clause reads outside its atoms: aggregates, and lookups that may find nothing. A change there affects some
 * groups or individuals; the clause is evaluated again for those only.
 */

import type { Clause, Expression } from '../../artifact/types.js';
import { conditionOf, type NormalCondition, normalise, type Step } from '../plan/normalise.js';
import { groupOf, stepVariables } from '../plan/variables.js';
import type { EngineProgram } from '../program/program.js';
import { branchesOf, partsOf } from '../program/reads.js';

/** A part of a clause whose value depends on relations other than its atoms. */
export type Hidden = HiddenLookup | HiddenAggregate;

/** The value for the individual `of` depends on the tuples that have it in column `own`. */
export interface HiddenLookup {
  readonly kind: 'lookup';
  readonly relation: string;
  readonly own: number;
  readonly of: Expression;
}

/** The value of a group depends on the bindings of a conjunction; `group` are its outer variables. */
export interface HiddenAggregate {
  readonly kind: 'aggregate';
  readonly aggregate: Expression & { op: 'aggregate' };
  readonly condition: NormalCondition;
  readonly group: ReadonlySet<string>;
}

/** Undefined if hidden reads are nested: then the affected groups are unknown. */
export function hiddenReads(program: EngineProgram, clause: Clause): readonly Hidden[] | undefined {
  const known = HIDDEN.get(clause);
  if (known !== undefined) return known.hidden;
  const { steps } = normalise(program, clause.condition);
  const hidden = hiddenIn(program, [...steps.flatMap(expressionsOf), ...clause.head]);
  HIDDEN.set(clause, { hidden });
  return hidden;
}

/** False only if no clause can find anything new after these changes. */
export function mayGain(
  program: EngineProgram,
  clauses: Iterable<{ readonly clause: Clause }>,
  changes: ReadonlyMap<string, { readonly added: { readonly count: number } }>,
): boolean {
  if ([...changes.values()].some(({ added }) => added.count > 0)) return true;
  return [...clauses].some(({ clause }) => {
    const { steps } = normalise(program, clause.condition);
    return steps.some(({ kind }) => kind === 'absent') || hiddenReads(program, clause)?.length !== 0;
  });
}

const HIDDEN = new WeakMap<Clause, { readonly hidden: readonly Hidden[] | undefined }>();

function hiddenIn(program: EngineProgram, expressions: readonly Expression[]): Hidden[] | undefined {
  const found: Hidden[] = [];
  return expressions.every((expression) => collect(program, expression, found)) ? found : undefined;
}

function collect(program: EngineProgram, expression: Expression, found: Hidden[]): boolean {
  if (expression.op === 'field') {
    found.push({ kind: 'lookup', relation: expression.field, own: 0, of: expression.of });
  } else if (expression.op === 'navigate') {
    found.push({ kind: 'lookup', relation: expression.relation, own: expression.own, of: expression.of });
  } else if (expression.op === 'aggregate') {
    return branchesOf(conditionOf(expression)).every((branch) => {
      const condition = normalise(program, branch);
      if (hiddenIn(program, condition.steps.flatMap(expressionsOf))?.length !== 0) return false;
      found.push({ kind: 'aggregate', aggregate: expression, condition, group: groupOf(expression) });
      return true;
    });
  }
  return partsOf(expression).every((part) => collect(program, part, found));
}

/**
 * The steps that find the groups of a step's tuples, that step first as an atom, and the group variables that they
 * bind. Steps that need other variables are left out, which affects more groups.
 */
export function groupsOfStep(hidden: HiddenAggregate, step: Step & { kind: 'atom' | 'absent' }): GroupsOfStep {
  const known = GROUPS.get(step) ?? findGroupsOfStep(hidden, step);
  GROUPS.set(step, known);
  return known;
}

interface GroupsOfStep {
  readonly steps: readonly Step[];
  readonly group: readonly string[];
}

/** A step belongs to one condition, which is normalised once. */
const GROUPS = new WeakMap<Step, GroupsOfStep>();

function findGroupsOfStep(
  { condition, group }: HiddenAggregate,
  step: Step & { kind: 'atom' | 'absent' },
): GroupsOfStep {
  const first: Step = { ...step, kind: 'atom' };
  const others = condition.steps.filter((each) => each !== step || step.kind === 'absent');
  const kept = new Set<Step>(others.filter((each) => each.kind === 'atom'));
  const bound = new Set([first, ...kept].flatMap((each) => [...stepVariables(each).binds]));
  for (let grown = true; grown; ) {
    grown = false;
    for (const each of others) {
      const { needs, binds } = stepVariables(each);
      if (kept.has(each) || ![...needs].every((name) => bound.has(name))) continue;
      kept.add(each);
      for (const name of binds) bound.add(name);
      grown = true;
    }
  }
  const steps = [first, ...others.filter((each) => kept.has(each))];
  return { steps, group: [...group].filter((name) => bound.has(name)) };
}

function expressionsOf(step: Step): readonly Expression[] {
  if (step.kind === 'let') return [step.value];
  if (step.kind === 'each') return [step.in];
  return step.kind === 'test' ? [step.condition] : [];
}
