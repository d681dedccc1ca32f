/**
 * Rewrites the rules that a question reads so that they derive only the tuples that it can need (magic sets). Each
 * clause of an asked relation gets one more literal: a demand, which holds the values that are asked for. Demands are
 * relations too, derived from the question and from the clauses that ask. An asked relation then has every fact that
 * was asked for, and few others.
 *
 * A rule is read whole if something asks for all of it, or if asking would put a negation or an aggregate into a cycle.
 */

import type { Clause, Condition, Expression, Literal, RuleDeclaration, Term, Type } from '../../artifact/types.js';
import type { Component, EngineProgram } from '../program/program.js';
import { noReads, readsOfExpression } from '../program/reads.js';
import type { EndpointInfo, RelationInfo } from '../types.js';
import { bare } from '../values/value.js';
import { type Ask, asksOf } from './passing.js';

/** What is asked from outside rules. */
export interface Question {
  readonly condition: Condition;
  /** Variables that have values, with their types. */
  readonly given: Condition['variables'];
}

export interface DemandProgram {
  readonly program: EngineProgram;
  /** The same with stored demands: it derives the asked tuples with the ranks that they have among all. */
  readonly ranked: EngineProgram;
  /** In the order of evaluation. */
  readonly components: readonly Component[];
  /** Rules of which only a part is derived. */
  readonly asked: ReadonlySet<string>;
  /** What is asked for, and in which columns. */
  readonly demands: readonly DemandRelation[];
  /** Rules that have to be derived whole. */
  readonly whole: readonly string[];
  /** True if the question asks for all facts of a rule, of which only a part of the rules below is needed. */
  readonly asksAll: boolean;
}

/** The relation that holds the values of the facts that are asked for. */
export interface DemandRelation {
  readonly path: string;
  /** The asked relation. */
  readonly relation: string;
  readonly columns: readonly number[];
}

/** The relation of the values given to the question with this number. No declaration can have this name. */
export function givenRelation(question: number): string {
  return `$given ${question}`;
}

/** `isWhole`: rules that are derived already. Undefined if every rule has to be derived whole. */
export function demandProgram(
  program: EngineProgram,
  questions: readonly Question[],
  isWhole: (rule: string) => boolean,
): DemandProgram | undefined {
  const whole = new Set<string>();
  for (;;) {
    const rewriting = new Rewriting(program, questions, (path) => whole.has(path) || isWhole(path));
    const more = rewriting.readWhole();
    if (more.length === 0) return rewriting.asked.size === 0 ? undefined : rewriting.result();
    // What a whole rule reads is derived whole too.
    for (const path of more) for (const read of program.readsOf(path)) whole.add(read);
  }
}

class Rewriting {
  readonly asked = new Set<string>();
  private readonly program: EngineProgram;
  private readonly isWhole: (rule: string) => boolean;
  private readonly demands = new Map<string, Demand>();
  /** Rules that are read whole. */
  private readonly whole = new Set<string>();
  private asksAll = false;
  private readonly askingBelow = new Map<string, boolean>();
  /** Rules that somebody asks for without a bound argument. */
  private readonly unbound = new Set<string>();
  private readonly given: readonly RelationInfo[];
  private rewritten: EngineProgram | undefined;

  constructor(program: EngineProgram, questions: readonly Question[], isWhole: (rule: string) => boolean) {
    this.program = program;
    this.isWhole = isWhole;
    this.given = questions.map(({ given }, at) => ({
      path: givenRelation(at),
      kind: 'stored',
      public: false,
      endpoints: given.map(({ name, type }) => ({ name, type: bare(type), functional: false })),
    }));
    for (const [at, question] of questions.entries()) this.take(asksOfQuestion(program, question, givenRelation(at)));
    // Clauses of a demand that is taken on the way are visited too.
    for (const demand of this.demands.values()) this.clausesOf(demand);
  }

  /** The rules that must be whole, although they were asked for a part. */
  readWhole(): readonly string[] {
    const asked = [...this.unbound].filter((path) => !this.isWhole(path));
    return asked.length > 0 ? asked : this.unstratified();
  }

  result(): DemandProgram {
    const program = this.derived();
    const demands = [...this.demands.values()];
    const isAsked = ({ paths }: Component): boolean => paths.some((path) => this.isRewritten(path));
    return {
      program,
      ranked: this.with(
        [...this.asked].map((path) => this.guarded(path)),
        [...this.demands.values()].map((demand) => this.relation(demand)),
      ),
      components: program.componentsFor([...this.asked, ...this.demands.keys()]).filter(isAsked),
      asked: this.asked,
      demands,
      whole: [...this.whole],
      asksAll: this.asksAll,
    };
  }

  private take(asks: readonly Ask[], by?: Demand): void {
    for (const ask of asks) {
      const { relation, columns, args, literals, variables } = ask;
      if (this.isWhole(relation)) {
        this.whole.add(relation);
        continue;
      }
      if (columns.length === 0 && !this.asksBelow(relation)) {
        this.unbound.add(relation);
        continue;
      }
      if (columns.length === 0 && by === undefined) this.asksAll = true;
      this.asked.add(relation);
      const demand = this.demandFor(relation, columns);
      const isSame = demand === by && literals[0]?.op === 'atom' && sameTerms(literals[0].args, args);
      if (isSame) continue;
      demand.clauses.push({ op: 'clause', head: args, condition: { variables, literals }, span: NO_SPAN });
    }
  }

  /** Whether the clauses of a rule that is not recursive ask for a part of another rule, with constants. */
  private asksBelow(relation: string): boolean {
    const known = this.askingBelow.get(relation);
    if (known !== undefined) return known;
    const start = { bound: [], literals: [], isSelective: false };
    const asksPart = ({ relation: other, columns }: Ask): boolean =>
      !this.isWhole(other) && (columns.length > 0 || this.asksBelow(other));
    const asks = this.program.componentOf(relation).recursive
      ? false
      : this.program
          .clausesOf(relation)
          .some(({ condition, head }) => asksOf(this.program, condition, head, start).some(asksPart));
    this.askingBelow.set(relation, asks);
    return asks;
  }

  private demandFor(relation: string, columns: readonly number[]): Demand {
    const path = `$demand ${relation} ${columns.join()}`;
    const known = this.demands.get(path);
    if (known !== undefined) return known;
    const demand: Demand = { path, relation, columns, clauses: [] };
    this.demands.set(path, demand);
    return demand;
  }

  private clausesOf(demand: Demand): void {
    for (const clause of this.program.clausesOf(demand.relation)) {
      const guard = this.guard(demand, clause);
      const bound = guard.args.flatMap((arg) => (arg?.op === 'variable' ? [arg.name] : []));
      const start = { bound, literals: [guard], isSelective: demand.columns.length > 0 };
      this.take(asksOf(this.program, clause.condition, clause.head, start), demand);
    }
  }

  /** The literal that a clause gets. A computed value in its head matches any demand. */
  private guard({ path, relation, columns }: Demand, { head }: Clause): Literal & { op: 'atom' } {
    const endpoints = this.program.relations.get(relation)?.endpoints ?? [];
    const args = columns.map((column): Term | null => {
      const term = head[column];
      if (term?.op === 'variable') return term;
      return term?.op === 'constant' && isSameType(term.type, endpoints[column]?.type) ? term : null;
    });
    return { op: 'atom', relation: path, args, span: NO_SPAN };
  }

  /** The rule with its clauses once for each way in which it is asked. */
  private guarded(path: string): RuleDeclaration {
    const rule = this.program.rules.get(path) as RuleDeclaration;
    const clauses = [...this.demands.values()]
      .filter(({ relation }) => relation === path)
      .flatMap((demand) =>
        this.program.clausesOf(path).map((clause): Clause => {
          const literals = [this.guard(demand, clause), ...clause.condition.literals];
          return { ...clause, condition: { ...clause.condition, literals } };
        }),
      );
    return { ...rule, body: { op: 'rule', clauses } };
  }

  private isRewritten(path: string): boolean {
    return this.asked.has(path) || this.demands.has(path);
  }

  private derived(): EngineProgram {
    this.rewritten ??= this.with(
      [
        ...[...this.asked].map((path) => this.guarded(path)),
        ...[...this.demands.values()].map((each) => this.rule(each)),
      ],
      [],
    );
    return this.rewritten;
  }

  private with(rules: readonly RuleDeclaration[], stored: readonly RelationInfo[]): EngineProgram {
    return this.program.replacing(rules, [...this.given, ...stored]);
  }

  private rule(demand: Demand): RuleDeclaration {
    const parameters = this.relation(demand).endpoints;
    return {
      path: demand.path,
      public: false,
      parameters,
      body: { op: 'rule', clauses: demand.clauses },
      span: NO_SPAN,
    };
  }

  private relation({ path, relation, columns }: Demand): RelationInfo {
    const endpoints = this.program.relations.get(relation)?.endpoints ?? [];
    const own = columns.map((column) => endpoints[column] as EndpointInfo);
    return { path, kind: 'stored', public: false, endpoints: own };
  }

  /** Rules that recurse through a negation, an aggregate or an expression once they have demands. */
  private unstratified(): string[] {
    const program = this.derived();
    const found = new Set<string>();
    for (const path of [...this.asked, ...this.demands.keys()]) {
      const { paths } = program.componentOf(path);
      for (const clause of program.clausesOf(path))
        for (const read of this.closedReads(clause)) if (paths.includes(read)) found.add(read);
    }
    // A demand itself is read by the guards of its relation only.
    return [...found];
  }

  /** What a clause reads other than by an atom. */
  private closedReads({ head, condition }: Clause): ReadonlySet<string> {
    const reads = noReads();
    const visit = (expression: Expression): void => void readsOfExpression(this.program, expression, reads);
    for (const expression of head) visit(expression);
    for (const literal of condition.literals) {
      if (literal.op === 'absent') reads.relations.add(literal.relation);
      if (literal.op === 'let') visit(literal.value);
      if (literal.op === 'each') visit(literal.in);
      if (literal.op === 'test') visit(literal.condition);
    }
    return reads.relations;
  }
}

interface Demand extends DemandRelation {
  readonly clauses: Clause[];
}

/** `seed` names the relation of its given values. */
export function asksOfQuestion(program: EngineProgram, { condition, given }: Question, seed: string): readonly Ask[] {
  const args = given.map(({ name }): Term => ({ op: 'variable', name }));
  const names = given.map(({ name }) => name);
  const own = condition.variables.filter(({ name }) => !names.includes(name));
  const literal: Literal = { op: 'atom', relation: seed, args, span: NO_SPAN };
  const start = { bound: names, literals: [literal], isSelective: false };
  return asksOf(program, { ...condition, variables: [...own, ...given] }, [], start);
}

/** The place of generated literals. */
const NOWHERE = { line: 1, column: 1, offset: 0 };
export const NO_SPAN = { file: '', start: NOWHERE, end: NOWHERE };

function sameTerms(left: readonly (Term | null)[], right: readonly Term[]): boolean {
  return left.length === right.length && left.every((term, at) => term !== null && isSameTerm(term, right[at] as Term));
}

function isSameTerm(left: Term, right: Term): boolean {
  if (left.op === 'constant' || right.op === 'constant') return left === right;
  return left.name === right.name;
}

function isSameType(left: Type, right: Type | undefined): boolean {
  return right !== undefined && JSON.stringify(bare(left)) === JSON.stringify(bare(right));
}
