/** Searches for the solutions of a condition, bound to one state and lent to one request at a time. */

import type { Type } from '../../artifact/types.js';
import { type Bare, bareRecord } from '../../base/bare-record.js';
import { andThen, type Deadline, type MaybePromise } from '../../base/ports.js';
import { EvaluationFault } from '../errors.js';
import { type Inputs, readAs, rowsOfInput } from '../evaluate/inputs.js';
import { type Goal, wantedOf } from '../plan/goal.js';
import { NO_TOTALS } from '../plan/group-totals.js';
import { cached, keyOfTypes, typesOf, valuesOf } from '../plan/outer-variables.js';
import { type BoundPlan, bindPlan, codedNames, compileCondition, type OuterTypes, type Plan } from '../plan/plans.js';
import { noReads, readsOfCondition } from '../program/reads.js';
import { Relation } from '../relation/relation.js';
import { drive } from '../scheduling/drive.js';
import type { Bindings, ExpressionContext } from '../types.js';
import type { PassingInterner } from '../values/codec.js';
import type { Value } from '../values/value.js';
import { inputsForQuestion } from './questions.js';
import type { StoreView } from './store-view.js';

/** A result set that is kept for the next search has room for at most this many rows. */
const ROOM_KEPT = 1024;

const CONDITIONS = new WeakMap<object, Map<string, ConditionPlan>>();

/** On the view's state. A search that has ended has to be given back. */
export function startSearch(
  view: StoreView,
  condition: Goal,
  bound: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
  pauses: boolean,
): MaybePromise<Running> {
  const { cache } = view;
  const idle = pauses ? undefined : cache?.searches.get(condition);
  if (idle !== undefined && !idle.isBusy && !idle.interner.isFull && isCompiledFor(idle.types, bound)) {
    return started(idle, bound, expressionContext);
  }
  const made = bindSearch(view, condition, bound, pauses, deadline);
  const ready = ({ search, isPart }: { readonly search: Search; readonly isPart: boolean }): Running => {
    if (!pauses && cache !== null && !isPart) {
      cache.searches.set(condition, search);
      search.isKept = true;
    }
    return started(search, bound, expressionContext);
  };
  return andThen(made, ready);
}

/** A plan for a condition, bound to its sources in one state. Used by one request at a time. */
export interface Search {
  readonly compiled: ConditionPlan;
  readonly plan: BoundPlan;
  /** Decodes the codes in `found`. */
  readonly interner: PassingInterner;
  /** Types of the outer variables that it was made for. */
  readonly types: OuterTypes;
  /** Outer variables with codes. */
  readonly names: readonly string[];
  /** Whether there are other outer variables. */
  readonly hasComposites: boolean;
  /** Rows of the wanted variables. */
  readonly found: Relation;
  /** Whether the next request may use it. */
  isKept: boolean;
  isBusy: boolean;
}

export interface Running {
  readonly search: Search;
  readonly work: Generator<void, Value>;
}

/** A plan with an empty result set, because making one takes longer than finding a single solution. */
interface ConditionPlan {
  readonly plan: Plan;
  spare: Relation | null;
}

function bindSearch(
  view: StoreView,
  condition: Goal,
  bound: Bindings,
  pauses: boolean,
  deadline: Deadline,
): MaybePromise<{ readonly search: Search; readonly isPart: boolean }> {
  const { relations: reads } = readsOfCondition(view.program, condition, noReads());
  const bind = (inputs: Inputs) =>
    andThen(drive(searchOn(inputs, reads, condition, typesOf(bound), pauses), deadline), (search) => ({
      search,
      isPart: inputs.isPart === true,
    }));
  return andThen(inputsForQuestion(view, { condition, reads, bound }, deadline), bind);
}

function* searchOn(
  inputs: Inputs,
  reads: ReadonlySet<string>,
  condition: Goal,
  types: OuterTypes,
  pauses: boolean,
): Generator<void, Search> {
  const { factsMax } = inputs;
  const interner = inputs.interner.passing();
  const compiled = conditionPlan(inputs, reads, condition, types, pauses);
  const found = compiled.spare ?? Relation.plain(wantedOf(condition).length);
  compiled.spare = null;
  const names = codedNames(types);
  const plan = yield* bindPlan(compiled.plan, interner, (spec) => rowsOfInput(inputs, spec), {
    target: found,
    factsMax,
    overBudget: () => {
      throw new EvaluationFault('factBudget', `more than ${factsMax} solutions`);
    },
    outer: {},
    bound: [],
    context: {},
    totals: NO_TOTALS,
  });
  const hasComposites = names.length < Object.keys(types).length;
  return { compiled, plan, interner, types, names, hasComposites, found, isKept: false, isBusy: false };
}

/** For conditions that read nothing from outside. */
export const NO_VALUES: Readonly<Bare<Value>> = bareRecord();

/** With these values of its outer variables. */
function started(search: Search, bound: Bindings, { context = NO_VALUES }: ExpressionContext): Running {
  const { plan, interner, types, names, hasComposites } = search;
  const codes = names.map((name) => interner.encode(types[name] as Type, bound[name]?.value ?? null));
  search.isBusy = true;
  return { search, work: plan.startWith(hasComposites ? valuesOf(bound) : NO_VALUES, codes, context) };
}

function isCompiledFor(types: OuterTypes, bound: Bindings): boolean {
  for (const name in bound) if (types[name] !== bound[name]?.type) return false;
  for (const name in types) if (!Object.hasOwn(bound, name)) return false;
  return true;
}

/** Keeps an ended search for the next request, unless it has much more room than it used. */
export function giveBack(search: Search): void {
  const { found, compiled } = search;
  if (found.capacity > ROOM_KEPT) return;
  found.clear();
  if (search.isKept) search.isBusy = false;
  else compiled.spare = found;
}

function conditionPlan(
  inputs: Inputs,
  reads: ReadonlySet<string>,
  condition: Goal,
  types: OuterTypes,
  pauses: boolean,
): ConditionPlan {
  const { key, access } = readAs(inputs, reads);
  return cached(CONDITIONS, condition, `${pauses} ${keyOfTypes(types)}${key}`, () => ({
    plan: compileCondition(inputs.program, condition, types, access, { pauses }),
    spare: null,
  }));
}
