/**
 * Turns a condition into steps that a plan can order. Strict reads of fields and functional navigations at the top of a
 * test or let become steps, so that they join through indexes and take part in recursion. Reads under `not`, `or`,
 * `if`, `??`, `exists`, and in a comparison or Bool call that is itself an operand, stay lookups: there an absent value
 * must not make the whole literal fail.
 */

import type { Condition, Expression, Literal, Navigation, Term, Type } from '../../artifact/types.js';
import { FAULTABLE_BUILT_INS } from '../built-ins/standard.js';
import { EvaluationFault } from '../errors.js';
import type { EngineProgram } from '../program/program.js';
import { branchesOf, conditionWith, partsOf } from '../program/reads.js';
import { bare } from '../values/value.js';

/** `literal` is the index of the literal that a step comes from. */
export type Step =
  | {
      readonly kind: 'atom';
      readonly literal: number;
      readonly relation: string;
      readonly args: readonly (Term | null)[];
      /** The variable that gets the value. A later step checks that there is only one. */
      readonly reads?: string;
    }
  | {
      readonly kind: 'absent';
      readonly literal: number;
      readonly relation: string;
      readonly args: readonly (Term | null)[];
    }
  | LetStep
  | { readonly kind: 'each'; readonly literal: number; readonly variable: string; readonly in: Expression }
  | TestStep
  /** Checks that the navigation read the only value; faults otherwise. */
  | {
      readonly kind: 'single';
      readonly literal: number;
      readonly navigation: Navigation;
      readonly field: string;
      readonly of: Term;
      readonly value: string;
    };

export interface LetStep {
  readonly kind: 'let';
  readonly literal: number;
  readonly variable: string;
  readonly value: Expression;
  /** The equality that this step implements. If the variable is bound elsewhere, the test remains. */
  readonly test?: TestStep;
}

export interface TestStep {
  readonly kind: 'test';
  readonly literal: number;
  readonly condition: Expression;
}

export interface NormalCondition {
  readonly steps: readonly Step[];
  /** Types of the condition's own variables and of generated ones. */
  readonly types: ReadonlyMap<string, Type>;
}

/** Names that no source can have. */
const HIDDEN_PREFIX = '$';

/** True for a generated variable. */
export function isHidden(name: string): boolean {
  return name.startsWith(HIDDEN_PREFIX);
}

/**
 * Steps in a body, at most. A plan nests a block for each, and V8 compiles about a thousand nested blocks slowly, then
 * not at all.
 */
const STEPS_MAX = 500;

/** A body belongs to one artifact, so its normal form belongs to one program. */
const NORMAL = new WeakMap<Condition, NormalCondition>();

export function normalise(program: EngineProgram, condition: Condition): NormalCondition {
  const known = NORMAL.get(condition);
  if (known !== undefined) return known;
  const normaliser = new Normaliser(program, condition);
  for (const [index, literal] of condition.literals.entries()) normaliser.literal(index, literal);
  const normal = { steps: normaliser.steps, types: normaliser.types };
  if (normal.steps.length > STEPS_MAX) {
    throw new EvaluationFault(
      'fault',
      `a body of ${normal.steps.length} conditions and reads; ${STEPS_MAX} are the most`,
    );
  }
  NORMAL.set(condition, normal);
  return normal;
}

/** Strict steps that evaluate an expression to a term, added to those of a condition with these types. */
export function normaliseTerm(
  program: EngineProgram,
  types: ReadonlyMap<string, Type>,
  expression: Expression,
): NormalCondition & { readonly term: Term } {
  const normaliser = new Normaliser(program, { variables: [], literals: [] });
  for (const [name, type] of types) normaliser.types.set(name, type);
  const term = normaliser.term(-1, expression);
  return { steps: normaliser.steps, types: normaliser.types, term };
}

/**
 * The alternatives of a condition with this disjunction: each operand, strictly, beside the other steps, so that joins
 * can use it. A binding for which several operands hold is found by each.
 */
export function alternativesOf(program: EngineProgram, condition: NormalCondition, test: TestStep): NormalCondition[] {
  return operandsOf(test.condition).map((operand) => {
    const normaliser = new Normaliser(program, { variables: [], literals: [] });
    for (const [name, type] of condition.types) normaliser.types.set(name, type);
    normaliser.steps.push(...condition.steps.filter((step) => step !== test));
    normaliser.test(test.literal, operand);
    return { steps: normaliser.steps, types: normaliser.types };
  });
}

/** The operands of a disjunction, nested disjunctions flattened. */
export function operandsOf(disjunction: Expression): Expression[] {
  return disjunction.op === 'or' ? disjunction.operands.flatMap(operandsOf) : [disjunction];
}

class Normaliser {
  readonly steps: Step[] = [];
  readonly types = new Map<string, Type>();
  private readonly program: EngineProgram;
  private readonly hoisted = new Map<string, Term>();

  constructor(program: EngineProgram, condition: Condition) {
    this.program = program;
    for (const variable of condition.variables) this.types.set(variable.name, variable.type);
  }

  literal(index: number, literal: Literal): void {
    switch (literal.op) {
      case 'atom':
        this.steps.push({ kind: 'atom', literal: index, relation: literal.relation, args: literal.args });
        return;
      case 'absent':
        this.steps.push({ kind: 'absent', literal: index, relation: literal.relation, args: literal.args });
        return;
      case 'let':
        this.let(index, literal.variable, literal.value);
        return;
      case 'each':
        this.each(index, literal.variable, literal.in);
        return;
      case 'test':
        this.test(index, literal.condition);
        return;
      case 'either':
        throw new EvaluationFault('undecodable', 'alternatives are not the only literal of their condition');
    }
  }

  private let(index: number, variable: string, value: Expression): void {
    if (value.op === 'field' || (value.op === 'navigate' && !value.many)) {
      this.read(index, value, { op: 'variable', name: variable });
      return;
    }
    this.steps.push({ kind: 'let', literal: index, variable, value: this.strict(index, value) });
  }

  private each(index: number, variable: string, list: Expression): void {
    if (list.op !== 'navigate' || !list.many) {
      const value = list.op === 'range' ? this.strictParts(index, list) : this.strict(index, list);
      this.steps.push({ kind: 'each', literal: index, variable, in: value });
      return;
    }
    const args = this.navigationArgs(list, this.term(index, list.of), { op: 'variable', name: variable });
    this.steps.push({ kind: 'atom', literal: index, relation: list.relation, args });
  }

  test(index: number, condition: Expression): void {
    if (condition.op === 'and') {
      for (const operand of condition.operands) this.test(index, operand);
      return;
    }
    if (condition.op === 'compare' && condition.operator === '==') {
      if (this.joinEquality(index, condition.left, condition.right)) return;
      if (this.joinEquality(index, condition.right, condition.left)) return;
    }
    this.steps.push({ kind: 'test', literal: index, condition: this.strictTest(index, condition) });
  }

  /** A comparison or call that is false if an operand is absent, and the literal with it. */
  private strictTest(index: number, condition: Expression): Expression {
    if (condition.op === 'compare') {
      const seesNone = condition.left.op === 'none' || condition.right.op === 'none';
      return seesNone ? condition : this.strictParts(index, condition);
    }
    return condition.op === 'builtIn' ? this.strictParts(index, condition) : this.strict(index, condition);
  }

  /** `x.field == term` looks up the tuple (x, term). */
  private joinEquality(index: number, read: Expression, term: Expression): boolean {
    if (term.op !== 'variable' && term.op !== 'constant') return false;
    if (read.op !== 'field' && !(read.op === 'navigate' && !read.many && this.isGuarded(read))) return false;
    this.read(index, read, term);
    return true;
  }

  /** The expression with its strict reads replaced by variables. */
  private strict(index: number, expression: Expression): Expression {
    switch (expression.op) {
      case 'field':
        return this.hoist(index, expression);
      case 'navigate':
        return expression.many ? expression : this.hoist(index, expression);
      case 'arithmetic':
      case 'negate':
      case 'concat':
      case 'convert':
        return this.strictParts(index, expression);
      case 'builtIn':
        return isBool(bare(expression.result)) ? expression : this.strictParts(index, expression);
      case 'list':
        return expression.of.kind === 'optional' ? expression : this.strictParts(index, expression);
      case 'record':
      case 'member':
        return this.strictParts(index, expression);
      case 'match':
        return { ...expression, subject: this.strict(index, expression.subject) };
      default:
        return expression;
    }
  }

  private strictParts(index: number, expression: Expression): Expression {
    const strict = (part: Expression): Expression => this.strict(index, part);
    switch (expression.op) {
      case 'compare':
      case 'arithmetic':
        return { ...expression, left: strict(expression.left), right: strict(expression.right) };
      case 'negate':
      case 'convert':
        return { ...expression, operand: strict(expression.operand) };
      case 'concat':
        return { ...expression, operands: expression.operands.map(strict) };
      case 'builtIn':
        return { ...expression, args: expression.args.map(strict) };
      case 'list':
        return { ...expression, items: expression.items.map(strict) };
      case 'record':
        return {
          ...expression,
          fields: expression.fields.map((field) =>
            field.type.kind === 'optional' ? field : { ...field, value: strict(field.value) },
          ),
        };
      case 'member':
        return { ...expression, of: strict(expression.of) };
      case 'range':
        return {
          ...expression,
          from: strict(expression.from),
          to: strict(expression.to),
          ...(expression.step !== undefined && { step: strict(expression.step) }),
        };
      default:
        return expression;
    }
  }

  private hoist(index: number, read: Expression & { op: 'field' | 'navigate' }): Term {
    const of = this.term(index, read.of);
    const key = `${read.field} ${of.op === 'variable' ? of.name : JSON.stringify(of.value)}`;
    const known = this.hoisted.get(key);
    if (known !== undefined) return known;
    const value: Term = this.hidden(this.readType(read));
    this.read(index, { ...read, of }, value);
    this.hoisted.set(key, value);
    return value;
  }

  /** Adds the step that reads a field or a functional navigation into a term. */
  private read(index: number, read: Expression & { op: 'field' | 'navigate' }, value: Term): void {
    const of = this.term(index, read.of);
    if (read.op === 'field') {
      this.steps.push({ kind: 'atom', literal: index, relation: read.field, args: [of, value] });
      return;
    }
    const args = this.navigationArgs(read, of, value);
    const isChecked = !this.isGuarded(read) && value.op === 'variable';
    this.steps.push({
      kind: 'atom',
      literal: index,
      relation: read.relation,
      args,
      ...(isChecked && { reads: value.name }),
    });
    if (!isChecked) return;
    this.steps.push({ kind: 'single', literal: index, navigation: read, field: read.field, of, value: value.name });
  }

  term(index: number, expression: Expression): Term {
    if (expression.op === 'variable' || expression.op === 'constant') return expression;
    const strict = this.strict(index, expression);
    if (strict.op === 'variable' || strict.op === 'constant') return strict;
    const variable = this.hidden({ kind: 'class', path: '' });
    this.steps.push({ kind: 'let', literal: index, variable: variable.name, value: strict });
    return variable;
  }

  private hidden(type: Type): Term & { op: 'variable' } {
    const name = `${HIDDEN_PREFIX}${this.types.size}`;
    this.types.set(name, type);
    return { op: 'variable', name };
  }

  private readType(read: Expression & { op: 'field' | 'navigate' }): Type {
    const [path, column] = read.op === 'field' ? [read.field, 1] : [read.relation, read.read];
    return this.program.relations.get(path)?.endpoints[column]?.type ?? { kind: 'class', path: '' };
  }

  private navigationArgs(navigation: Navigation, own: Term, read: Term): (Term | null)[] {
    const arity = this.program.relations.get(navigation.relation)?.endpoints.length ?? 2;
    const args: (Term | null)[] = new Array(arity).fill(null);
    args[navigation.own] = own;
    args[navigation.read] = read;
    return args;
  }

  private isGuarded(navigation: Navigation): boolean {
    return isGuardedNavigation(this.program, navigation);
  }
}

/** A built-in check keeps it to one value, so reading it needs no check. */
function isGuardedNavigation(program: EngineProgram, navigation: Navigation): boolean {
  const relation = program.relations.get(navigation.relation);
  return (
    relation?.kind === 'stored' &&
    relation.endpoints.length === 2 &&
    relation.endpoints[navigation.read]?.functional === true
  );
}

export function isBool(type: Type): boolean {
  return type.kind === 'scalar' && type.name === 'Bool';
}

/** True if evaluating it can fault. */
export function isFaultable(program: EngineProgram, expression: Expression): boolean {
  switch (expression.op) {
    case 'arithmetic':
    case 'range':
      return true;
    case 'builtIn':
      if (FAULTABLE_BUILT_INS.has(expression.name)) return true;
      break;
    case 'navigate':
      if (!expression.many && !isGuardedNavigation(program, expression)) return true;
      break;
    case 'call':
      if (isFaultableFunction(program, expression.function)) return true;
      break;
    case 'aggregate':
      if (expression.function === 'sum' || expression.function === 'avg') return true;
      for (const branch of branchesOf(expression.condition)) {
        if (normalise(program, branch).steps.some((step) => isFaultableStep(program, step))) return true;
      }
      break;
    default:
      break;
  }
  return partsOf(expression).some((part) => isFaultable(program, part));
}

/** Cached by function: if each calls the one before it twice, visiting all calls would never end. */
const FAULTABLE_FUNCTIONS = new WeakMap<EngineProgram, Map<string, boolean>>();

function isFaultableFunction(program: EngineProgram, path: string): boolean {
  const known = FAULTABLE_FUNCTIONS.get(program) ?? new Map<string, boolean>();
  FAULTABLE_FUNCTIONS.set(program, known);
  const answer = known.get(path);
  if (answer !== undefined) return answer;
  const body = program.functions.get(path)?.body;
  const isOne = body === undefined || body.op === 'extern' || isFaultable(program, body);
  known.set(path, isOne);
  return isOne;
}

export function isFaultableStep(program: EngineProgram, step: Step): boolean {
  switch (step.kind) {
    case 'atom':
    case 'absent':
      return false;
    case 'let':
      return isFaultable(program, step.value);
    case 'each':
      if (step.in.op !== 'range') return isFaultable(program, step.in);
      // A loop counts through a range, which does not fault for being long.
      return mayBeZero(step.in.step) || partsOf(step.in).some((part) => isFaultable(program, part));
    case 'test':
      return isFaultable(program, step.condition);
    case 'single':
      return true;
  }
}

function mayBeZero(step: Expression | undefined): boolean {
  return step !== undefined && (step.op !== 'constant' || step.value === 0);
}

/** The variable of the value. */
export const VALUE = '$value';

/** Cached so that an aggregate has one condition, and its plans are reused. */
const VALUED = new WeakMap<Expression, Condition>();

/** An aggregate's condition with its value as one more literal, so that the fields it reads become steps. */
export function conditionOf(aggregate: Expression & { op: 'aggregate' }): Condition {
  const { condition, span, result } = aggregate;
  if (aggregate.value === null) return condition;
  const known = VALUED.get(aggregate);
  if (known !== undefined) return known;
  // A mean is a Decimal, even of Ints.
  const value: Expression =
    aggregate.function === 'avg' ? { op: 'convert', operand: aggregate.value } : aggregate.value;
  const bind: Literal = { op: 'let', variable: VALUE, value, text: '', span };
  const valued = conditionWith(condition, [{ name: VALUE, type: result }], [bind]);
  VALUED.set(aggregate, valued);
  return valued;
}
