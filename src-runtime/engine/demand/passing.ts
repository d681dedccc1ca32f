/**
 * Passes bound arguments through a body: orders its literals so that each is reached with as many bound arguments as
 * possible, and says which tuples of which rules the body then asks for (a sideways information passing strategy).
 *
 * The order depends only on the program, not on the number of facts. So a question always asks for the same tuples at one
 * state, and always faults or never does.
 */

import type { Condition, Expression, Literal, Term, Type } from '../../artifact/types.js';
import { isFaultable } from '../plan/normalise.js';
import { literalVariables, variablesOf } from '../plan/variables.js';
import type { EngineProgram } from '../program/program.js';
import { branchesOf, partsOf } from '../program/reads.js';

/** A body asks for the tuples of a rule that have these values in these columns, for each binding of `literals`. */
export interface Ask {
  readonly relation: string;
  /** Ascending; none asks for all tuples. */
  readonly columns: readonly number[];
  readonly args: readonly Term[];
  readonly literals: readonly Literal[];
  readonly variables: Condition['variables'];
}

/** What is known before the body. */
export interface PassingStart {
  /** Variables that are bound. */
  readonly bound: Iterable<string>;
  /** The literal that binds them. */
  readonly literals: readonly Literal[];
  /** False if nothing is asked for before a literal has a bound variable or a constant. */
  readonly isSelective: boolean;
}

/** All that a body asks for, whose variables the expressions beside it may read. */
export function asksOf(
  program: EngineProgram,
  condition: Condition,
  beside: readonly Expression[],
  { bound, literals, isSelective }: PassingStart,
): readonly Ask[] {
  const asks: Ask[] = [];
  const given = new Set(bound);
  const { variables } = condition;
  for (const branch of branchesOf(condition)) {
    const all = branch === condition ? variables : [...variables, ...branch.variables];
    const passing = new Passing(program, asks, all, given, new Set(given), [...literals], isSelective);
    passing.body(branch.literals);
    for (const expression of beside) passing.expression(expression);
  }
  return asks;
}

/** The place of a literal that needs what no rule can read, such as the context of the request. */
const NOT_READY = 8;

/** A variable that no source can have. */
const OWNER = '$owner';

class Passing {
  private readonly program: EngineProgram;
  private readonly asks: Ask[];
  private readonly variables: Condition['variables'];
  private readonly given: ReadonlySet<string>;
  private readonly bound: Set<string>;
  /** Literals that have been passed, in their order. */
  private readonly passed: Literal[];
  private isSelective: boolean;

  constructor(
    program: EngineProgram,
    asks: Ask[],
    variables: Condition['variables'],
    given: ReadonlySet<string>,
    bound: Set<string>,
    passed: Literal[],
    isSelective: boolean,
  ) {
    this.program = program;
    this.asks = asks;
    this.variables = variables;
    this.given = given;
    this.bound = bound;
    this.passed = passed;
    this.isSelective = isSelective;
  }

  body(literals: readonly Literal[]): void {
    const pending = new Set(literals);
    while (pending.size > 0) {
      const next = this.next(pending);
      const isReady = this.place(next) < NOT_READY;
      pending.delete(next);
      this.ask(next);
      if (!isReady) continue;
      this.passed.push(next);
      const names = literalVariables(next);
      if (hasConstant(next) || [...names].some((name) => this.given.has(name))) this.isSelective = true;
      for (const name of names) this.bound.add(name);
    }
  }

  private next(pending: ReadonlySet<Literal>): Literal {
    let [choice, least] = [undefined as Literal | undefined, Number.POSITIVE_INFINITY];
    for (const literal of pending) {
      const place = this.place(literal);
      if (place < least) [choice, least] = [literal, place];
    }
    return choice as Literal;
  }

  /** Literals with a lower place are passed first; ties follow source order. */
  private place(literal: Literal): number {
    const lookup = this.lookup(literal);
    if (lookup !== undefined) {
      const isReached = lookup.args.length === 0 || lookup.args.some((arg) => this.isBound(arg));
      return this.program.isRule(lookup.relation) ? (isReached ? 4 : 7) : isReached ? 1 : 6;
    }
    if (![...neededBy(literal)].every((name) => this.bound.has(name)) || readsContext(literal)) return NOT_READY;
    if (this.readsRules(literal)) return 5;
    return literal.op === 'each' ? 3 : 0;
  }

  private ask(literal: Literal): void {
    switch (literal.op) {
      case 'atom':
      case 'absent':
        this.askFor(literal.relation, literal.args);
        return;
      case 'let':
        this.expression(literal.value);
        return;
      case 'each':
        this.expression(literal.in);
        return;
      case 'test':
        this.expression(literal.condition);
        return;
      case 'either':
        for (const { literals } of literal.branches) for (const each of literals) this.ask(each);
    }
  }

  /** Navigations and aggregates read rules too. */
  expression(expression: Expression): void {
    if (expression.op === 'navigate' && this.program.isRule(expression.relation)) this.navigation(expression);
    if (expression.op === 'aggregate') this.aggregate(expression);
    for (const part of partsOf(expression)) if (expression.op !== 'aggregate') this.expression(part);
  }

  private navigation({ relation, own, of }: Expression & { op: 'navigate' }): void {
    const arity = this.program.relations.get(relation)?.endpoints.length ?? 0;
    const owner: Term = of.op === 'variable' || of.op === 'constant' ? of : { op: 'variable', name: OWNER };
    const args = Array.from({ length: arity }, (_, column) => (column === own ? owner : null));
    if (owner === of) {
      this.askFor(relation, args);
      return;
    }
    const type: Type = { kind: 'class', path: '' };
    const span = { file: '', start: NOWHERE, end: NOWHERE };
    const inner = this.within([{ name: OWNER, type }]);
    inner.passed.push({ op: 'let', variable: OWNER, value: of, text: '', span });
    inner.bound.add(OWNER);
    inner.askFor(relation, args);
  }

  private aggregate({ condition, value }: Expression & { op: 'aggregate' }): void {
    for (const branch of branchesOf(condition)) {
      const inner = this.within(
        branch === condition ? branch.variables : [...condition.variables, ...branch.variables],
      );
      inner.body(branch.literals);
      if (value !== null) inner.expression(value);
    }
  }

  private within(variables: Condition['variables']): Passing {
    const { program, asks, given, bound, passed, isSelective } = this;
    const all = [...this.variables, ...variables];
    return new Passing(program, asks, all, given, new Set(bound), [...passed], isSelective);
  }

  private askFor(relation: string, args: readonly (Term | null)[]): void {
    if (!this.program.isRule(relation)) return;
    const isSelective =
      this.isSelective || args.some((arg) => arg !== null && (arg.op === 'constant' || this.given.has(arg.name)));
    const columns = [...args.keys()].filter(
      (column) => isSelective && this.isBound(args[column] ?? null) && canSelect(this.program, relation, column),
    );
    const terms = columns.map((column) => args[column] as Term);
    this.asks.push({
      relation,
      columns,
      args: terms,
      literals: this.neededFor(terms),
      variables: this.variables,
    });
  }

  /** The passed literals that restrict the bindings of these terms. Those that may fault stay only if they bind one. */
  private neededFor(terms: readonly Term[]): Literal[] {
    const needed = new Set(terms.flatMap((term) => (term.op === 'variable' ? [term.name] : [])));
    const kept = new Set<Literal>();
    for (const literal of [...this.passed].reverse()) {
      if (this.lookup(literal) !== undefined) kept.add(literal);
      if ((literal.op !== 'let' && literal.op !== 'each') || !needed.has(literal.variable)) continue;
      kept.add(literal);
      for (const name of neededBy(literal)) needed.add(name);
    }
    const known = new Set<string>();
    return this.passed.filter((literal) => {
      const isFilter = [...neededBy(literal)].every((name) => known.has(name)) && this.isCheap(literal);
      if (!kept.has(literal) && !isFilter) return false;
      for (const name of literalVariables(literal)) known.add(name);
      return true;
    });
  }

  /** True for a filter that cannot fault and reads no rule. */
  private isCheap(literal: Literal): boolean {
    if (this.readsRules(literal)) return false;
    return literal.op === 'absent' || (literal.op === 'test' && !isFaultable(this.program, literal.condition));
  }

  /** How a literal looks up rows: an atom, or an equality with a field. */
  private lookup(literal: Literal): { readonly relation: string; readonly args: readonly (Term | null)[] } | undefined {
    if (literal.op === 'atom') return literal;
    if (literal.op !== 'test' || literal.condition.op !== 'compare' || literal.condition.operator !== '==')
      return undefined;
    const { left, right } = literal.condition;
    for (const [read, value] of [
      [left, right],
      [right, left],
    ] as const) {
      const isTerm = value.op === 'constant' || value.op === 'variable';
      if (isTerm && read.op === 'field' && read.of.op === 'variable')
        return { relation: read.field, args: [read.of, value] };
    }
    return undefined;
  }

  private isBound(term: Term | null): boolean {
    return term !== null && (term.op === 'constant' || this.bound.has(term.name));
  }

  private readsRules(literal: Literal): boolean {
    const reads = (expression: Expression): boolean => {
      if (expression.op === 'navigate' && this.program.isRule(expression.relation)) return true;
      if (expression.op === 'aggregate') return true;
      return partsOf(expression).some(reads);
    };
    switch (literal.op) {
      case 'atom':
      case 'absent':
        return this.program.isRule(literal.relation);
      case 'let':
        return reads(literal.value);
      case 'each':
        return reads(literal.in);
      case 'test':
        return reads(literal.condition);
      case 'either':
        return literal.branches.some(({ literals }) => literals.some((each) => this.readsRules(each)));
    }
  }
}

/** A column that keeps the least or greatest value depends on all tuples of its group. */
export function canSelect(program: EngineProgram, relation: string, column: number): boolean {
  const parameter = program.rules.get(relation)?.parameters[column];
  return parameter !== undefined && !('keeps' in parameter);
}

const NOWHERE = { line: 1, column: 1, offset: 0 };

/** The variables that must be bound before a literal that looks nothing up. */
function neededBy(literal: Literal): ReadonlySet<string> {
  if (literal.op === 'let') return variablesOf(literal.value);
  if (literal.op === 'each') return variablesOf(literal.in);
  return literalVariables(literal);
}

function readsContext(literal: Literal): boolean {
  const reads = (expression: Expression): boolean => expression.op === 'context' || partsOf(expression).some(reads);
  if (literal.op === 'let') return reads(literal.value);
  if (literal.op === 'each') return reads(literal.in);
  return literal.op === 'test' && reads(literal.condition);
}

function hasConstant(literal: Literal): boolean {
  if (literal.op === 'atom') return literal.args.some((arg) => arg?.op === 'constant');
  return literal.op === 'test' && partsOf(literal.condition).some(({ op }) => op === 'constant');
}
