/**
 * The facts of rules that one search reads, such as a why-not. A search does not know beforehand what it will need, so
 * facts are derived when it first asks for them: each new question is added to the earlier ones, and all of them are
 * derived again. Most of what a search asks for was derived for an earlier question.
 */

import type { Condition, Type } from '../../artifact/types.js';
import { EvaluationFault } from '../errors.js';
import type { Asking, Inputs } from '../evaluate/inputs.js';
import { literalVariables } from '../plan/variables.js';
import type { EngineProgram } from '../program/program.js';
import { noReads, readsOfCondition } from '../program/reads.js';
import { Relation } from '../relation/relation.js';
import { INT } from '../values/value.js';
import { constantValue } from '../values/wire.js';
import { type Asked, evaluateDemand } from './evaluate.js';
import { type Ask, canSelect } from './passing.js';
import { asksOfQuestion, type DemandProgram, demandProgram, NO_SPAN, type Question } from './rewrite.js';

type Pattern = readonly (number | null)[];

/** A condition that was asked for, and the values that its variables had. */
interface AskedQuestion extends Question {
  values: Relation;
  /** False if it would need whole rules. */
  isTaken: boolean;
}

/** Ends some work when too many rows have been visited. */
export type Limit = <T>(work: Generator<void, T>) => Generator<void, T>;

export class AskedFacts implements Asking {
  /** Reads what has been asked for so far. */
  readonly inputs: Inputs;
  private readonly whole: Inputs;
  private readonly isWhole: (rule: string) => boolean;
  private readonly limit: Limit;
  private readonly questions = new Map<Condition, Map<string, AskedQuestion>>();
  private taken: readonly AskedQuestion[] = [];
  private demand: DemandProgram | undefined;
  private asked: Asked;
  private isSettled = false;

  /** `whole` has the facts of the rules for which `isWhole` is true. */
  constructor(whole: Inputs, isWhole: (rule: string) => boolean, limit: Limit) {
    this.whole = whole;
    this.isWhole = isWhole;
    this.limit = limit;
    this.asked = { inputs: whole, demands: new Map() };
    const asking = (): Asking | undefined => (this.isSettled ? undefined : this);
    this.inputs = {
      ...whole,
      isPart: true,
      derived: (path) => this.asked.inputs.derived(path),
      get asking() {
        return asking();
      },
    };
  }

  *facts(path: string, pattern: Pattern): Generator<void, boolean> {
    const { program } = this.whole;
    if (!program.isRule(path) || this.isWhole(path)) return true;
    const columns = [...pattern.keys()].filter(
      (column) => pattern[column] !== null && canSelect(program, path, column),
    );
    if (columns.length === 0) return false;
    if (this.covers(path, pattern)) return true;
    const given = columns.map((column) => ({ name: `$${column}`, type: typeAt(program, path, column) }));
    const codes = columns.map((column) => pattern[column] as number);
    return yield* this.add(tupleCondition(program, path, columns), given, codes);
  }

  *solutions(
    condition: Condition,
    bound: ReadonlyMap<string, number>,
    types: ReadonlyMap<string, Type>,
  ): Generator<void, boolean> {
    const { program } = this.whole;
    const isPart = (path: string): boolean => program.isRule(path) && !this.isWhole(path);
    if (!ruleReads(program, condition).some(isPart)) return true;
    const names = variablesIn(condition);
    const given = [...bound.keys()]
      .filter((name) => names.has(name))
      .map((name) => ({ name, type: types.get(name) ?? INT }));
    const asks = asksOfQuestion(program, { condition, given }, '').filter(({ relation }) => isPart(relation));
    const patterns = asks.map((ask) => this.patternOf(ask, bound));
    if (asks.some(({ columns }) => columns.length === 0)) return false;
    if (patterns.includes(undefined))
      return yield* this.add(
        condition,
        given,
        given.map(({ name }) => bound.get(name) as number),
      );
    for (const [at, { relation }] of asks.entries())
      if (!(yield* this.facts(relation, patterns[at] as Pattern))) return false;
    return true;
  }

  /** Derives everything once more, with the ranks that the facts have among all. Nothing more can be asked. */
  *settle(): Generator<void, void> {
    if (this.demand !== undefined) yield* this.derive(this.taken, this.demand, true);
    this.isSettled = true;
  }

  /** The asked facts, if they do not depend on what a literal finds. */
  private patternOf({ relation, columns, args }: Ask, bound: ReadonlyMap<string, number>): Pattern | undefined {
    const { program, interner } = this.whole;
    const codes = args.map((arg, at) => {
      if (arg.op === 'variable') return bound.get(arg.name);
      return interner.encode(typeAt(program, relation, columns[at] as number), constantValue(arg.type, arg.value));
    });
    if (codes.includes(undefined)) return undefined;
    const arity = program.relations.get(relation)?.endpoints.length ?? 0;
    return Array.from({ length: arity }, (_, column) => codes[columns.indexOf(column)] ?? null);
  }

  /** Whether an earlier question has asked for these facts, or for more. */
  private covers(path: string, pattern: Pattern): boolean {
    for (const [{ relation, columns }, values] of this.asked.demands) {
      if (relation !== path || columns.some((column) => pattern[column] === null)) continue;
      const key = columns.map((column) => pattern[column] as number);
      if (values.find(key, this.whole.version) >= 0) return true;
    }
    return false;
  }

  private *add(
    condition: Condition,
    given: Condition['variables'],
    codes: readonly number[],
  ): Generator<void, boolean> {
    const known = this.questionFor(condition, given);
    if (!known.isTaken || !known.values.add(codes)) return known.isTaken;
    const isNew = !this.taken.includes(known);
    const all = isNew ? [...this.taken, known] : this.taken;
    const demand = isNew ? demandProgram(this.whole.program, all, this.isWhole) : this.demand;
    known.isTaken = demand?.whole.every(this.isWhole) === true;
    if (demand === undefined || !known.isTaken) return false;
    try {
      yield* this.derive(all, demand, false);
    } catch (error) {
      // Only these values ask for facts that fault.
      if (error instanceof EvaluationFault) known.values = withoutLast(known.values);
      throw error;
    }
    this.taken = all;
    this.demand = demand;
    return true;
  }

  private questionFor(condition: Condition, given: Condition['variables']): AskedQuestion {
    const known = this.questions.get(condition) ?? new Map<string, AskedQuestion>();
    this.questions.set(condition, known);
    const found = known.get(nameOf(given)) ?? {
      condition,
      given,
      values: Relation.evaluated(given.length),
      isTaken: true,
    };
    known.set(nameOf(given), found);
    return found;
  }

  private *derive(
    questions: readonly AskedQuestion[],
    demand: DemandProgram,
    isRanked: boolean,
  ): Generator<void, void> {
    const given = questions.map(({ values }) => values);
    this.asked = yield* this.limit(evaluateDemand(demand, this.whole, given, isRanked));
  }
}

function nameOf(given: Condition['variables']): string {
  return given.map(({ name }) => name).join();
}

function withoutLast(values: Relation): Relation {
  const others = Relation.evaluated(values.arity);
  for (let row = 0; row < values.count - 1; row++) others.add(values.rowAt(row));
  return others;
}

function typeAt(program: EngineProgram, path: string, column: number): Type {
  return program.relations.get(path)?.endpoints[column]?.type ?? INT;
}

const TUPLES = new WeakMap<EngineProgram, Map<string, Condition>>();

/** Asks for facts by these columns. */
function tupleCondition(program: EngineProgram, path: string, columns: readonly number[]): Condition {
  const known = TUPLES.get(program) ?? new Map<string, Condition>();
  TUPLES.set(program, known);
  const key = `${path} ${columns.join()}`;
  const arity = program.relations.get(path)?.endpoints.length ?? 0;
  const args = Array.from({ length: arity }, (_, column) =>
    columns.includes(column) ? ({ op: 'variable', name: `$${column}` } as const) : null,
  );
  const made = known.get(key) ?? { variables: [], literals: [{ op: 'atom', relation: path, args, span: NO_SPAN }] };
  known.set(key, made);
  return made;
}

const READS = new WeakMap<Condition, readonly string[]>();

/** The rules that a condition reads. */
function ruleReads(program: EngineProgram, condition: Condition): readonly string[] {
  const known = READS.get(condition);
  if (known !== undefined) return known;
  const { relations } = readsOfCondition(program, condition, noReads());
  const rules = [...relations].filter((path) => program.isRule(path));
  READS.set(condition, rules);
  return rules;
}

function variablesIn({ literals }: Condition): ReadonlySet<string> {
  return new Set(literals.flatMap((literal) => [...literalVariables(literal)]));
}
