/**
 * Inputs for a question: the facts that it may need from the rules that it reads. A rule that has been derived for this
 * state or an earlier one is maintained and read whole. Of other rules only the asked facts are derived. Once that has
 * cost a certain amount, the rule is derived whole, if this costs at most twice as much.
 *
 * A fact that nobody asked for may fault. So a question fails only if both ways fail, and its result does not depend on
 * which one was taken.
 */

import type { Condition } from '../../artifact/types.js';
import { type Deadline, DeadlineExceeded, type MaybePromise } from '../../base/ports.js';
import { AskedFacts, type Limit } from '../demand/asked-facts.js';
import { evaluateDemand, limited, TooMuchWork } from '../demand/evaluate.js';
import { type DemandProgram, demandProgram, NO_SPAN } from '../demand/rewrite.js';
import { EvaluationFault } from '../errors.js';
import type { Inputs } from '../evaluate/inputs.js';
import { cached, keyOfType } from '../plan/outer-variables.js';
import { BLOCK_ROWS } from '../plan/unit.js';
import type { Component, EngineProgram } from '../program/program.js';
import { Reader } from '../relation/reader.js';
import { Relation } from '../relation/relation.js';
import { derivingDeadline } from '../scheduling/deriving.js';
import { drive } from '../scheduling/drive.js';
import type { Bindings, RelationReader } from '../types.js';
import { compositeText, isComposite } from '../values/composites.js';
import type { Value } from '../values/value.js';
import type { StoreView } from './store-view.js';

export interface StoreQuestion {
  readonly condition: Condition;
  /** The relations that it reads. */
  readonly reads: ReadonlySet<string>;
  readonly bound: Bindings;
  /** True if facts must have the ranks that they have among all facts. */
  readonly isRanked?: boolean;
  /** True if codes of computed values must mean the same in the view. Such values stay in the scope. */
  readonly isInView?: boolean;
}

/** What questions about a component have cost so far. */
export interface QuestionCost {
  /** Rows that their evaluations visited, approximately. */
  spent: number;
  /** Once so much is spent, the component is derived whole. */
  allowed: number;
  /** The rows that a whole derivation for a search visited before it was given up. */
  attempted: number;
}

/** Questions may cost this many times the rows of the stored relations that a rule reads. */
const COST_FACTOR = 4;

/** After an attempt that failed, questions may cost this many times more. */
const PATIENCE = 4;

/** Answers kept for a condition at one state. */
const ANSWERS_MAX = 16;

/** Throws EvaluationFault and DeadlineExceeded. */
export function inputsForQuestion(view: StoreView, question: StoreQuestion, deadline: Deadline): MaybePromise<Inputs> {
  const { program, store, version } = view;
  const rules = [...question.reads].filter((path) => program.isRule(path));
  if (rules.every((path) => store.isDerived(program.componentOf(path), version)))
    return view.inputsFor(question.reads, deadline);
  return asked(view, question, rules, deadline);
}

const TUPLES = new WeakMap<EngineProgram, Map<string, Condition>>();

/** For a fact with these values, `isRanked` for its proof. Null leaves an endpoint open. */
export function inputsForTuple(
  view: StoreView,
  path: string,
  values: readonly Value[],
  deadline: Deadline,
  isRanked = true,
): MaybePromise<Inputs> {
  return inputsForQuestion(view, { ...tupleQuestion(view, path, values), isRanked }, deadline);
}

/**
 * Reads at least the facts of a relation that have these values; null leaves an endpoint open. Throws like
 * `materialise`.
 */
export async function materialiseAsked(
  view: StoreView,
  path: string,
  values: readonly Value[],
  deadline: Deadline,
): Promise<RelationReader> {
  const info = view.program.relations.get(path);
  if (info === undefined || !view.program.isRule(path)) return view.materialise(path, deadline);
  const question = { ...tupleQuestion(view, path, values), isInView: true };
  const inputs = await inputsForQuestion(view, question, deadline);
  if (inputs.isPart !== true) return view.materialise(path, deadline);
  const { relation, version, size } = inputs.derived(path);
  return new Reader(info, relation, version, { size, state: relation, writer: null, isSettled: true });
}

/**
 * Inputs for a search that may read any facts of a rule, such as a why-not. They have whole rules if these have been
 * derived or cost little to derive; otherwise the search asks for what it reads, and ends with TooMuchWork if that costs
 * too much. The next search may cost more. Throws like `materialise`.
 */
export async function inputsForSearch(
  view: StoreView,
  path: string,
  values: readonly Value[],
  deadline: Deadline,
  isInView = false,
): Promise<Inputs> {
  const { program, store, version } = view;
  const isKept = (rule: string): boolean => {
    const component = program.componentOf(rule);
    return store.isDerived(component, version) || store.isMaintained(component);
  };
  const question = tupleQuestion(view, path, values);
  const demand = program.isRule(path) && !isKept(path) ? demandOf(view, question, [path], isKept) : undefined;
  if (demand === undefined) return view.inputsFor([path], deadline);
  const cost = costOf(view, program.componentOf(path));
  const rowsMax = Math.max(cost.allowed, 2 * cost.spent);
  if (cost.attempted < rowsMax && Number.isFinite(rowsMax)) {
    cost.attempted = rowsMax;
    try {
      return await view.inputsFor([path], cheapDeadline(deadline, rowsMax, path));
    } catch (error) {
      const isTooLarge = error instanceof EvaluationFault && error.kind === 'factBudget';
      if (!(error instanceof TooMuchWholeWork || isTooLarge)) throw error;
    }
  }
  const known = [...program.readsOf(path)].filter(isKept);
  const read = new Set([...known, ...demand.whole].flatMap((rule) => [...program.readsOf(rule)]));
  const whole = await view.inputsFor(read, deadline);
  const inputs = isInView ? whole : { ...whole, interner: whole.interner.passing() };
  let left = 2 * cost.allowed;
  const limit: Limit = (work) => {
    if (left > 0)
      return limited(work, left, (rows) => {
        cost.spent += rows;
        left -= rows;
      });
    throw new TooMuchWork();
  };
  return new AskedFacts(inputs, (rule) => read.has(rule), limit).inputs;
}

/** Lets the questions about a rule cost more, and deriving it whole. */
export function allowMore(view: StoreView, path: string): void {
  costOf(view, view.program.componentOf(path)).allowed *= PATIENCE;
}

function tupleQuestion(view: StoreView, path: string, values: readonly Value[]): StoreQuestion {
  const endpoints = view.program.relations.get(path)?.endpoints ?? [];
  const known = cached(TUPLES, view.program, path, (): Condition => {
    const names = endpoints.map((_, column) => `$${column}`);
    const args = names.map((name) => ({ op: 'variable', name }) as const);
    const variables = endpoints.map(({ type }, column) => ({ name: names[column] as string, type }));
    return { variables, literals: [{ op: 'atom', relation: path, args, span: NO_SPAN }] };
  });
  const bound = Object.fromEntries(
    endpoints.flatMap(({ type }, column) => {
      const value = values[column] ?? null;
      return value === null ? [] : [[`$${column}`, { type, value }]];
    }),
  );
  return { condition: known, reads: new Set([path]), bound };
}

async function asked(
  view: StoreView,
  question: StoreQuestion,
  rules: readonly string[],
  deadline: Deadline,
): Promise<Inputs> {
  const { program, store, version } = view;
  const isDerived = (path: string): boolean => store.isDerived(program.componentOf(path), version);
  const isKept = (path: string): boolean => isDerived(path) || store.isMaintained(program.componentOf(path));
  let isWhole = isKept;
  let demand = demandOf(view, question, rules, isWhole);
  const whole = (): MaybePromise<Inputs> => view.inputsFor(question.reads, deadline);
  let fault: EvaluationFault | undefined;
  if (demand === undefined) {
    try {
      return await whole();
    } catch (error) {
      fault = faultOf(error);
    }
    isWhole = isDerived;
    demand = demandOf(view, question, rules, isWhole);
    if (demand === undefined) throw fault;
  }
  const [path = ''] = demand.asked;
  const cost = costOf(view, program.componentOf(path));
  // Deriving the rule whole is tried first, since all of it is asked for.
  if (demand.asksAll && cost.spent === 0) cost.spent = cost.allowed + 1;
  for (;;) {
    if (fault === undefined && cost.spent > cost.allowed) {
      cost.allowed = PATIENCE * cost.spent;
      try {
        return await view.inputsFor(question.reads, cheapDeadline(deadline, 2 * cost.spent, path));
      } catch (error) {
        if (!(error instanceof TooMuchWholeWork)) fault = faultOf(error);
      }
    }
    try {
      return await answer(view, question, demand, cost, deadline);
    } catch (error) {
      if (error instanceof TooMuchWork) {
        if (fault !== undefined) cost.allowed *= PATIENCE;
        continue;
      }
      const own = faultOf(error);
      if (isWhole === isDerived) {
        if (fault !== undefined) throw fault;
        return whole();
      }
      // A rule that was derived for an earlier state may fault in this one.
      isWhole = isDerived;
      const other = demandOf(view, question, rules, isWhole);
      if (other === undefined) throw own;
      demand = other;
    }
  }
}

/** The facts that a question asks for, and what it has cost. Kept for the next reader of the state. */
async function answer(
  view: StoreView,
  question: StoreQuestion,
  demand: DemandProgram,
  cost: QuestionCost,
  deadline: Deadline,
): Promise<Inputs> {
  const { condition, bound, isRanked = false, isInView = false } = question;
  const answers = view.answersTo(condition);
  const names = givenNames(bound);
  const key = `${isRanked} ${isInView} ${[...demand.asked].join()} ${names.map((name) => `${name}=${textOf(bound[name] as Bindings[string])}`).join('\0')}`;
  const known = answers.get(key);
  if (known !== undefined) return known;
  const { interner: shared, ...rest } = await view.inputsFor(demand.whole, deadline);
  const interner = isInView ? shared : shared.passing();
  const inputs: Inputs = { ...rest, interner };
  const given = Relation.evaluated(names.length);
  given.add(
    names.map((name) => {
      const { type, value } = bound[name] as Bindings[string];
      return interner.encode(type, value);
    }),
  );
  const work = limited(evaluateDemand(demand, inputs, [given], isRanked), 2 * cost.allowed, (rows) => {
    cost.spent += rows;
  });
  const [path = ''] = demand.asked;
  const { inputs: found } = await drive(work, derivingDeadline(deadline, path));
  const [oldest] = answers.keys();
  if (answers.size >= ANSWERS_MAX && oldest !== undefined) answers.delete(oldest);
  answers.set(key, found);
  return found;
}

/** Outer variables whose values rules can read. */
function givenNames(bound: Bindings): readonly string[] {
  return Object.keys(bound).filter((name) => bound[name]?.value !== null && bound[name]?.type.kind !== 'extern');
}

/** Equal for equal values of the variable's type. */
function textOf({ type, value }: Bindings[string]): string {
  return isComposite(type) ? compositeText(value) : String(value);
}

/** One condition may be asked of several programs, as when the coverage of tests leaves out a clause. */
const PROGRAMS = new WeakMap<
  EngineProgram,
  WeakMap<Condition, Map<string, { readonly demand: DemandProgram | undefined }>>
>();

/** Undefined if every rule that it reads has to be derived whole. */
function demandOf(
  { program }: StoreView,
  { condition, bound }: StoreQuestion,
  rules: readonly string[],
  isWhole: (rule: string) => boolean,
): DemandProgram | undefined {
  const given = givenNames(bound).map((name) => ({ name, type: (bound[name] as Bindings[string]).type }));
  const below = new Set(rules.flatMap((path) => [...program.readsOf(path)]));
  const known = [...below].filter(isWhole);
  const types = given.map(({ name, type }) => `${name}: ${keyOfType(type)}`);
  const ofProgram = PROGRAMS.get(program) ?? new WeakMap();
  PROGRAMS.set(program, ofProgram);
  return cached(ofProgram, condition, `${types.join()} ${known.join()}`, () => ({
    demand: demandProgram(program, [{ condition, given }], isWhole),
  })).demand;
}

function costOf({ store }: StoreView, component: Component): QuestionCost {
  const known = store.questionCosts.get(component);
  if (known !== undefined) return known;
  const rows = component.storedReads.reduce((sum, path) => sum + store.stored.of(path).relation.end, 0);
  const cost = { spent: 0, allowed: COST_FACTOR * rows + store.questionCostMin, attempted: 0 };
  store.questionCosts.set(component, cost);
  return cost;
}

/** Deriving the whole rule would cost too much. */
class TooMuchWholeWork extends DeadlineExceeded {}

/** Ends after about so many rows. */
function cheapDeadline(deadline: Deadline, rowsMax: number, rule: string): Deadline {
  let rows = 0;
  return {
    checkpoint() {
      rows += BLOCK_ROWS;
      if (rows > rowsMax) throw new TooMuchWholeWork(0, rule);
      return deadline.checkpoint();
    },
    memoryLeft: () => deadline.memoryLeft?.() ?? Number.POSITIVE_INFINITY,
  };
}

/** Rethrows everything but a fault of some tuple. */
function faultOf(error: unknown): EvaluationFault {
  if (error instanceof EvaluationFault && (error.kind === 'fault' || error.kind === 'factBudget')) return error;
  throw error;
}
