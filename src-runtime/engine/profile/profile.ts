/**
 * Profiles a query: re-evaluates the rules that it reads on one state, then runs it. Nothing is kept, and maintained
 * relations are not used.
 */

import type { Expression, RuleDeclaration, Type } from '../../artifact/types.js';
import type { Deadline, Stopwatch } from '../../base/ports.js';
import { EvaluationFault } from '../errors.js';
import { type Inputs, readAs, rowsOfInput } from '../evaluate/inputs.js';
import { type Goal, wantedOf } from '../plan/goal.js';
import { typesOf, valuesOf } from '../plan/outer-variables.js';
import { bindPlan, codedNames, compileCondition, compileExpression, type Plan } from '../plan/plans.js';
import { emptyRuntime } from '../plan/unit.js';
import { engineProgram } from '../program/program.js';
import { noReads, readsOfCondition, readsOfExpression } from '../program/reads.js';
import { Relation } from '../relation/relation.js';
import { drive } from '../scheduling/drive.js';
import { NO_VALUES } from '../store/search.js';
import { engineViewOf } from '../store/solve.js';
import type { StoreView } from '../store/store-view.js';
import type { Bindings, ExpressionContext, Program, View } from '../types.js';
import { joinOrder, type Projection, projectRules, timed } from './projection.js';

/** Solutions of a condition with expressions to compute for each, or one value. */
export type Question = { readonly goal: Goal; readonly beside: readonly Expression[] } | { readonly value: Expression };

/** The cost of the search alone, without the rules that it reads. */
export interface SearchProfile {
  readonly ms: number;
  readonly rowsVisited: number;
  /** Solutions; undefined for a value. */
  readonly matches: number | undefined;
  /** How the plan finds its rows, the outermost first. */
  readonly joinOrder: string;
}

export interface Profile extends Pick<Projection, 'strata' | 'clauses'> {
  /** Undefined for a rule, which is among the clauses. */
  readonly search: SearchProfile | undefined;
}

interface ProfileOptions {
  readonly stopwatch: Stopwatch;
  readonly deadline: Deadline;
}

/** Throws EvaluationFault and DeadlineExceeded. */
export async function profileGoal(
  view: View,
  question: Question,
  bound: Bindings,
  expressionContext: ExpressionContext,
  options: ProfileOptions,
): Promise<Profile> {
  const own = engineViewOf(view);
  const reads = readsOf(own, question);
  const { inputs, projection } = await projectRules(own, own.program, reads, options);
  const search = await searched(inputs, reads, question, bound, expressionContext, options);
  return { search, strata: projection.strata, clauses: projection.clauses };
}

/** Of a rule that `withRule` added to the view's program. Throws the same. */
export async function profileRule(
  view: View,
  extended: Program,
  { path }: RuleDeclaration,
  options: ProfileOptions,
): Promise<Profile> {
  const { projection } = await projectRules(view, engineProgram(extended), [path], options);
  return { search: undefined, strata: projection.strata, clauses: projection.clauses };
}

function readsOf({ program }: StoreView, question: Question): ReadonlySet<string> {
  const reads = noReads();
  if ('value' in question) return readsOfExpression(program, question.value, reads).relations;
  readsOfCondition(program, question.goal, reads);
  for (const expression of question.beside) readsOfExpression(program, expression, reads);
  return reads.relations;
}

async function searched(
  inputs: Inputs,
  reads: ReadonlySet<string>,
  question: Question,
  bound: Bindings,
  { context = NO_VALUES }: ExpressionContext,
  { stopwatch, deadline }: ProfileOptions,
): Promise<SearchProfile> {
  const { factsMax } = inputs;
  const interner = inputs.interner.passing();
  const types = typesOf(bound);
  const plan = planFor(inputs, reads, question, types);
  const counters = { rows: 0, heads: 0 };
  const runtime = {
    ...emptyRuntime(interner),
    target: Relation.plain('goal' in question ? wantedOf(question.goal).length : 0),
    factsMax,
    overBudget: (): never => {
      throw new EvaluationFault('factBudget', `more than ${factsMax} solutions`);
    },
    counters,
  };
  const ready = await drive(
    bindPlan(plan, interner, (spec) => rowsOfInput(inputs, spec), runtime),
    deadline,
  );
  const codes = codedNames(types).map((name) => interner.encode(types[name] as Type, bound[name]?.value ?? null));
  const ms = await drive(timed(ready.startWith(valuesOf(bound), codes, context), stopwatch), deadline);
  const matches = 'goal' in question ? counters.heads : undefined;
  return { ms, rowsVisited: counters.rows, matches, joinOrder: joinOrder(inputs.program, plan) };
}

function planFor(
  inputs: Inputs,
  reads: ReadonlySet<string>,
  question: Question,
  types: ReturnType<typeof typesOf>,
): Plan {
  const { access } = readAs(inputs, reads);
  return 'goal' in question
    ? compileCondition(inputs.program, question.goal, types, access, { counts: true })
    : compileExpression(inputs.program, question.value, types, access, true);
}
