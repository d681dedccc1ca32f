/**
 * Why a tuple does not hold: each clause that could derive it, how far it gets, the premise that fails, and what else
 * fails. Failing premises are explained breadth first, each once.
 */

import type { Clause, Json, Literal } from '../../artifact/types.js';
import type { Inputs } from '../evaluate/inputs.js';
import { factId } from '../fact-id.js';
import { isHidden } from '../plan/normalise.js';
import { engineProgram } from '../program/program.js';
import type {
  EngineFailure,
  EngineLaterPremise,
  EngineProofNode,
  EngineProofPremise,
  EngineWhyNot,
  EngineWhyNotClause,
  Given,
  GivenVariable,
  Program,
} from '../types.js';
import { comparison } from './comparisons.js';
import { furthest, type SearchBudget } from './furthest.js';
import { aggregatesIn, branchOf, expressionOf, premisesOf, type Site } from './premises.js';
import type { Prover } from './proof.js';
import { type CodeBindings, factLike, headBindings, literalText, tupleOf, typesOf } from './search.js';

/** Null leaves an endpoint open: no matching tuple holds. */
export type Pattern = readonly (number | null)[];

const QUESTIONS_MAX = 100;

/** Blocks of rows that all searches of one explanation may visit. */
const BLOCKS_MAX = 2000;

interface Question {
  readonly path: string;
  readonly pattern: Pattern;
  readonly depth: number;
  /** Its clauses are filled in later. */
  readonly answer: EngineWhyNot;
}

/**
 * Proofs of premises are left to the prover's `expandAll`. `isCut` if a premise was not explained or a search was given
 * up.
 */
export function* whyNot(
  inputs: Inputs,
  prover: Prover,
  path: string,
  pattern: Pattern,
  depth: number,
  given?: Given,
): Generator<void, { readonly answer: EngineWhyNot; readonly isCut: boolean }> {
  const asker = new WhyNotSearch(inputs, prover, given);
  const { answer } = yield* asker.question(path, pattern, depth);
  yield* asker.explainAll();
  return { answer, isCut: asker.isCut };
}

class WhyNotSearch {
  isCut = false;
  private readonly inputs: Inputs;
  private readonly prover: Prover;
  private readonly given: Given | undefined;
  private readonly questions: Question[] = [];
  private readonly asked = new Set<string>();
  private readonly budget: SearchBudget = { blocks: BLOCKS_MAX };

  constructor(inputs: Inputs, prover: Prover, given: Given | undefined) {
    this.inputs = inputs;
    this.prover = prover;
    this.given = given;
  }

  *question(path: string, pattern: Pattern, depth: number): Generator<void, Question> {
    const tuple = this.prover.wireTuple(path, pattern);
    const id = factId(path, tuple);
    const fact = factText(path, tuple, pattern);
    const clauses: EngineWhyNotClause[] = [];
    const answer = { id, relation: path, tuple, message: yield* this.message(path, pattern, fact), clauses };
    const question = { path, pattern, depth, answer };
    this.asked.add(id);
    this.questions.push(question);
    return question;
  }

  *explainAll(): Generator<void, void> {
    const { program } = this.inputs;
    for (let next = 0; next < this.questions.length; next++) {
      const question = this.questions[next] as Question;
      if (!program.isRule(question.path)) continue;
      for (const [number, clause] of program.clausesOf(question.path).entries()) {
        const head = headBindings(this.inputs, question.path, clause, question.pattern);
        if (head === undefined) continue;
        if (next > 0) question.answer.clauses.push(yield* this.clause(question, number, clause, head));
        else question.answer.clauses.push(yield* this.ownClause(question, number, clause, head));
        yield;
      }
    }
  }

  /** A clause of the tuple in question, with the given values. */
  private *ownClause(
    question: Question,
    number: number,
    clause: Clause,
    head: CodeBindings,
  ): Generator<void, EngineWhyNotClause> {
    const values = this.given?.clause === number ? this.given.values : {};
    const { interner } = this.inputs;
    const codes = Object.entries(values).map(
      ([name, { type, value }]) => [name, interner.encode(type, value)] as const,
    );
    const told = yield* this.clause(question, number, clause, new Map([...codes, ...head]));
    const variables = variablesOf(clause).filter(({ name }) => !head.has(name));
    return variables.length === 0 ? told : { ...told, variables };
  }

  private *message(path: string, pattern: Pattern, fact: string): Generator<void, string> {
    const { program } = this.inputs;
    if (!program.isRule(path)) return `${fact} is not stored.`;
    const kept = yield* this.keptInstead(path, pattern);
    if (kept !== undefined) return `${fact} is false: ${kept}`;
    const isPossible = program
      .clausesOf(path)
      .some((clause) => headBindings(this.inputs, path, clause, pattern) !== undefined);
    return isPossible
      ? `${fact} is false: each of its clauses has a failing condition.`
      : `${fact} is false: no rule can derive it.`;
  }

  /** The least or greatest value that the group of the tuple has instead, as a sentence. */
  private *keptInstead(path: string, pattern: Pattern): Generator<void, string | undefined> {
    const { program } = this.inputs;
    const endpoint = program.relations.get(path)?.endpoints.at(-1);
    const group = pattern.slice(0, -1);
    if (endpoint?.keeps === undefined || group.includes(null)) return undefined;
    const codes = yield* factLike(this.inputs, path, [...group, null]);
    if (codes === undefined) return undefined;
    const holding = factText(path, this.prover.wireTuple(path, codes) as Json[], codes);
    return `${holding} holds, and only the ${endpoint.keeps} ${endpoint.name} is kept.`;
  }

  private *clause(
    question: Question,
    number: number,
    clause: Clause,
    head: CodeBindings,
  ): Generator<void, EngineWhyNotClause> {
    const types = typesOf(clause.condition);
    const { satisfied, failing, behind, bindings, isCut } = yield* furthest(this.inputs, clause, head, this.budget);
    if (isCut) this.isCut = true;
    const premises: EngineProofPremise[] = [];
    const site: Site = { inputs: this.inputs, bindings, types, limits: new Map(), wants: () => true };
    for (const each of yield* premisesOf(site, { variables: clause.condition.variables, literals: satisfied })) {
      const premise = yield* this.prover.premise(each, { site, depth: 1 });
      if (premise === undefined) this.isCut = true;
      else premises.push(premise);
    }
    const fails = failing === undefined ? null : yield* this.failure(clause, failing, bindings, question.depth);
    const others: EngineLaterPremise[] = [];
    for (const { literal, fails } of behind) {
      if (fails) others.push({ ...(yield* this.failure(clause, literal, bindings)), state: 'fails' });
      else others.push({ ...this.named(clause, literal, bindings), state: 'open' });
    }
    return {
      rule: question.path,
      clause: number,
      span: clause.span,
      ...branchOf(clause),
      satisfied: premises,
      bindings: this.prover.wireBindings(bindings, types),
      fails,
      ...(others.length > 0 && { behind: others }),
    };
  }

  private named(clause: Clause, literal: Literal, bindings: CodeBindings): EngineFailure {
    const named: EngineFailure = { text: literalText(literal, clause.condition), span: literal.span };
    if (literal.op !== 'atom' && literal.op !== 'absent') return named;
    const tuple = this.prover.wireTuple(literal.relation, tupleOf(this.inputs, literal, bindings));
    return { ...named, relation: literal.relation, tuple };
  }

  /** Without a depth its premise is not explained further. */
  private *failure(
    clause: Clause,
    literal: Literal,
    bindings: CodeBindings,
    depth?: number,
  ): Generator<void, EngineFailure> {
    const fails = this.named(clause, literal, bindings);
    if (literal.op !== 'atom' && literal.op !== 'absent') {
      const types = typesOf(clause.condition);
      const found = yield* comparison(this.inputs, literal, bindings, types);
      const aggregate = yield* this.aggregateOf(literal, { inputs: this.inputs, bindings, types });
      return { ...fails, ...found, ...(aggregate !== undefined && { aggregate }) };
    }
    const pattern = tupleOf(this.inputs, literal, bindings);
    const fact = yield* factLike(this.inputs, literal.relation, pattern);
    if (literal.op === 'absent') {
      const premise = fact === undefined ? undefined : this.prover.factPremise(literal.relation, fact, 1);
      if (premise !== undefined) fails.blockedBy = premise;
      else this.cut(fails);
      return fails;
    }
    // A literal that repeats a variable may match facts of its pattern without finding one that it wants.
    if (fact === undefined && depth !== undefined) yield* this.explainFact(fails, literal.relation, pattern, depth);
    return fails;
  }

  private *aggregateOf(
    literal: Literal,
    { inputs, bindings, types }: Pick<Site, 'inputs' | 'bindings' | 'types'>,
  ): Generator<void, EngineProofNode | undefined> {
    if (aggregatesIn(expressionOf(literal)).length === 0) return undefined;
    const site: Site = { inputs, bindings, types, limits: new Map(), wants: () => true };
    const [premise] = yield* premisesOf(site, {
      variables: [...types].map(([name, type]) => ({ name, type })),
      literals: [literal],
    });
    const node = premise && (yield* this.prover.premise(premise, { site, depth: 1 }));
    return node !== undefined && 'kind' in node ? node : undefined;
  }

  private *explainFact(fails: EngineFailure, path: string, pattern: Pattern, depth: number): Generator<void> {
    const id = factId(path, this.prover.wireTuple(path, pattern));
    if (this.asked.has(id)) fails.ref = id;
    else if (depth <= 1 || this.questions.length >= QUESTIONS_MAX) {
      if (this.inputs.program.isRule(path)) this.cut(fails);
    } else fails.whyNot = (yield* this.question(path, pattern, depth - 1)).answer;
  }

  private cut(fails: EngineFailure): void {
    fails.cut = true;
    this.isCut = true;
  }
}

function factText(path: string, tuple: readonly Json[], pattern: Pattern): string {
  const args = tuple.map((value, column) => {
    if (pattern[column] === null) return '_';
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
  return `${path}(${args.join(', ')})`;
}

/**
 * The variables that can be given; undefined if there is no such clause. Throws EvaluationFault if the rule cannot be
 * decoded.
 */
export function givenVariables(program: Program, path: string, clause: number): readonly GivenVariable[] | undefined {
  const engine = engineProgram(program);
  const found = engine.isRule(path) ? engine.clausesOf(path)[clause] : undefined;
  return found && variablesOf(found);
}

function variablesOf({ condition }: Clause): readonly GivenVariable[] {
  return condition.variables.filter(({ name }) => !isHidden(name));
}
