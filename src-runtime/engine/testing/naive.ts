/**
 * The oracle: evaluates rules in the obvious way, over JavaScript values, literal by literal, until nothing new is
 * found. It shares no code with the engine and covers the IR that random programs use.
 */

import type { Clause, Condition, Expression, Keeps, Literal, RuleDeclaration, Term } from '../../artifact/types.js';

export type NaiveValue =
  | number
  | string
  | boolean
  | null
  | readonly NaiveValue[]
  | { readonly [field: string]: NaiveValue };
export type NaiveTuple = readonly NaiveValue[];
export type NaiveBindings = Readonly<Record<string, NaiveValue>>;

/** A division by zero that counts. */
export class NaiveFault extends Error {}

export class NaiveFacts {
  private readonly relations = new Map<string, Map<string, NaiveTuple>>();

  tuples(path: string): NaiveTuple[] {
    return [...(this.relations.get(path)?.values() ?? [])];
  }

  add(path: string, tuple: NaiveTuple): boolean {
    const relation = this.relations.get(path) ?? new Map<string, NaiveTuple>();
    this.relations.set(path, relation);
    const key = JSON.stringify(tuple);
    if (relation.has(key)) return false;
    relation.set(key, tuple);
    return true;
  }

  /** Adds a tuple unless one of the same group has a value as good, and removes worse ones. */
  improve(path: string, tuple: NaiveTuple, keeps: Keeps): boolean {
    const sign = keeps === 'least' ? 1 : -1;
    const value = sign * Number(tuple.at(-1));
    const group = JSON.stringify(tuple.slice(0, -1));
    for (const other of this.tuples(path)) {
      if (JSON.stringify(other.slice(0, -1)) !== group) continue;
      if (sign * Number(other.at(-1)) <= value) return false;
      this.relations.get(path)?.delete(JSON.stringify(other));
    }
    return this.add(path, tuple);
  }

  has(path: string, tuple: NaiveTuple): boolean {
    return this.relations.get(path)?.has(JSON.stringify(tuple)) ?? false;
  }
}

/** Adds the conclusions of the rules, one level of rules after the other. */
export function evaluateNaively(facts: NaiveFacts, levels: readonly (readonly RuleDeclaration[])[]): void {
  for (const rules of levels) {
    for (let grown = true; grown; ) {
      grown = false;
      for (const { path, parameters, body } of rules) {
        const keeps = parameters.at(-1)?.keeps;
        for (const clause of body.clauses) {
          for (const tuple of heads(facts, clause)) {
            if (keeps === undefined ? facts.add(path, tuple) : facts.improve(path, tuple, keeps)) grown = true;
          }
        }
      }
    }
  }
}

function heads(facts: NaiveFacts, clause: Clause): NaiveTuple[] {
  return solveNaively(facts, clause.condition, {}).map((bindings) =>
    clause.head.map((head) => evaluated(facts, head, bindings)),
  );
}

/** Every solution of the condition. */
export function solveNaively(facts: NaiveFacts, condition: Condition, outer: NaiveBindings): NaiveBindings[] {
  const [first] = condition.literals;
  if (first?.op === 'either') return first.branches.flatMap((branch) => solveNaively(facts, branch, outer));
  const atoms = condition.literals.filter((literal) => literal.op === 'atom');
  const others = condition.literals.filter((literal) => literal.op !== 'atom');
  const lets = others.filter((literal) => literal.op === 'let' || literal.op === 'each');
  const filters = others.filter((literal) => literal.op === 'absent' || literal.op === 'test');
  const found: NaiveBindings[] = [];
  const visit = (rest: readonly Literal[], bindings: NaiveBindings): void => {
    const literal = rest.find((each) => each.op === 'atom' || needs(each).every((name) => name in bindings));
    if (literal === undefined) {
      if (satisfies(facts, filters, bindings)) found.push(bindings);
      return;
    }
    const later = rest.filter((each) => each !== literal);
    for (const extended of extensions(facts, literal, bindings)) visit(later, extended);
  };
  visit([...atoms, ...lets], outer);
  return found;
}

/** The variables that a `let` or `in` reads. */
function needs(literal: Literal): string[] {
  return literal.op === 'let' ? variablesIn(literal.value) : literal.op === 'each' ? variablesIn(literal.in) : [];
}

function variablesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const {
    op,
    name,
    condition,
    branches = [],
  } = node as {
    op?: string;
    name?: string;
    condition?: Condition;
    branches?: readonly Condition[];
  };
  if (op === 'variable' && name !== undefined) return [name];
  const inner = Object.values(node).flatMap(variablesIn);
  const conditions = op === 'aggregate' && condition !== undefined ? [condition] : op === 'either' ? branches : [];
  const own = conditions.flatMap(({ variables }) => variables.map((variable) => variable.name));
  return inner.filter((each) => !own.includes(each));
}

/** A fault counts if every other filter holds. */
function satisfies(facts: NaiveFacts, filters: readonly Literal[], bindings: NaiveBindings): boolean {
  let fault: unknown;
  for (const literal of filters) {
    try {
      if (!holdsNaively(facts, literal, bindings)) return false;
    } catch (error) {
      fault = error;
    }
  }
  if (fault !== undefined) throw fault;
  return true;
}

/** Whether a literal with all variables bound holds. */
export function holdsNaively(facts: NaiveFacts, literal: Literal, bindings: NaiveBindings): boolean {
  switch (literal.op) {
    case 'absent':
      return !facts.tuples(literal.relation).some((tuple) => unify(literal.args, tuple, bindings) !== undefined);
    case 'test':
      return evaluated(facts, literal.condition, bindings) === true;
    default:
      return extensions(facts, literal, bindings).length > 0;
  }
}

function extensions(facts: NaiveFacts, literal: Literal, bindings: NaiveBindings): NaiveBindings[] {
  switch (literal.op) {
    case 'atom':
      return facts
        .tuples(literal.relation)
        .flatMap((tuple) => [unify(literal.args, tuple, bindings)].filter((each) => each !== undefined));
    case 'let':
      return assign(literal.variable, evaluated(facts, literal.value, bindings), bindings);
    case 'each': {
      const list = evaluated(facts, literal.in, bindings);
      return Array.isArray(list) ? list.flatMap((value) => assign(literal.variable, value, bindings)) : [];
    }
    default:
      return holdsNaively(facts, literal, bindings) ? [bindings] : [];
  }
}

function assign(variable: string, value: NaiveValue, bindings: NaiveBindings): NaiveBindings[] {
  if (value === null) return [];
  if (variable in bindings) return isSame(bindings[variable] ?? null, value) ? [bindings] : [];
  return [{ ...bindings, [variable]: value }];
}

/** The bindings under which the arguments equal the tuple. */
export function unify(
  args: readonly (Term | null)[],
  tuple: NaiveTuple,
  bindings: NaiveBindings,
): NaiveBindings | undefined {
  let extended = bindings;
  for (const [column, arg] of args.entries()) {
    const value = tuple[column] ?? null;
    if (arg === null) continue;
    if (arg.op === 'constant') {
      if (!isSame(arg.value as NaiveValue, value)) return undefined;
      continue;
    }
    const [next] = assign(arg.name, value, extended);
    if (next === undefined) return undefined;
    extended = next;
  }
  return extended;
}

function isSame(left: NaiveValue, right: NaiveValue): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function evaluated(facts: NaiveFacts, expression: Expression, bindings: NaiveBindings): NaiveValue {
  const value = (part: Expression): NaiveValue => evaluated(facts, part, bindings);
  switch (expression.op) {
    case 'variable':
      return bindings[expression.name] ?? null;
    case 'constant':
      return expression.value as NaiveValue;
    case 'none':
      return null;
    case 'field': {
      const of = value(expression.of);
      return facts.tuples(expression.field).find(([own]) => own === of)?.[1] ?? null;
    }
    case 'navigate': {
      const of = value(expression.of);
      const read = facts.tuples(expression.relation).filter((tuple) => tuple[expression.own] === of);
      const values = [...new Set(read.map((tuple) => tuple[expression.read] ?? null))];
      return expression.many ? values : (values[0] ?? null);
    }
    case 'compare':
      return compareNaively(
        expression.operator,
        value(expression.left),
        value(expression.right),
        isNone(expression.left) || isNone(expression.right),
      );
    case 'and':
      return expression.operands.every((operand) => value(operand) === true);
    case 'or':
      return expression.operands.some((operand) => value(operand) === true);
    case 'not':
      return value(expression.operand) !== true;
    case 'exists':
      return value(expression.operand) !== null;
    case 'coalesce':
      return value(expression.left) ?? value(expression.right);
    case 'if':
      return value(expression.condition) === true ? value(expression.then) : value(expression.else);
    case 'arithmetic':
      return arithmeticNaively(expression.operator, value(expression.left), value(expression.right));
    case 'builtIn':
      return builtInNaively(expression.name, expression.args.map(value));
    case 'range': {
      const [from, to] = [value(expression.from), value(expression.to)];
      const step = expression.step === undefined ? 1 : value(expression.step);
      if (typeof from !== 'number' || typeof to !== 'number' || typeof step !== 'number') return null;
      if (step === 0) throw new NaiveFault('a range with a step of 0');
      const numbers: number[] = [];
      for (let n = from; step > 0 ? n < to : n > to; n += step) numbers.push(n);
      return numbers;
    }
    case 'list': {
      const items = expression.items.map(value);
      return items.includes(null) ? null : items;
    }
    case 'record': {
      const fields = expression.fields.map(({ name, value: part }) => [name, value(part)] as const);
      return fields.some(([, part]) => part === null) ? null : Object.fromEntries(fields);
    }
    case 'member':
      return (value(expression.of) as { readonly [field: string]: NaiveValue } | null)?.[expression.name] ?? null;
    case 'aggregate':
      return aggregateNaively(facts, expression, bindings);
    default:
      throw new Error(`the oracle does not support ${expression.op}`);
  }
}

function isNone(expression: Expression): boolean {
  return expression.op === 'none';
}

function compareNaively(operator: string, left: NaiveValue, right: NaiveValue, seesNone: boolean): boolean {
  if (!seesNone && (left === null || right === null)) return false;
  switch (operator) {
    case '==':
      return isSame(left, right);
    case '!=':
      return !isSame(left, right);
    case '<':
      return orderNaively(left, right) < 0;
    case '<=':
      return orderNaively(left, right) <= 0;
    case '>':
      return orderNaively(left, right) > 0;
    default:
      return orderNaively(left, right) >= 0;
  }
}

/** Lists by the first element that differs, then by length. */
function orderNaively(left: NaiveValue, right: NaiveValue): number {
  if (!Array.isArray(left) || !Array.isArray(right)) return Number(left) - Number(right);
  const at = left.findIndex((item, index) => index >= right.length || !isSame(item, right[index] ?? null));
  if (at < 0) return left.length - right.length;
  return at >= right.length ? 1 : orderNaively(left[at] ?? null, right[at] ?? null);
}

function listFunctionNaively(name: string, args: readonly NaiveValue[][]): NaiveValue {
  const [list = [], second, third] = args;
  switch (name) {
    case 'append':
      return [...list, second as NaiveValue];
    case 'joinLists':
      return [...list, ...(second as NaiveValue[])];
    case 'slice':
      return list.filter((_, at) => at >= Number(second) && at < Number(third));
    case 'elementAt':
      return list[Number(second)] ?? null;
    case 'contains':
      return list.some((item) => isSame(item, second as NaiveValue));
    default:
      throw new Error(`the oracle has no function ${name}`);
  }
}

function arithmeticNaively(operator: string, left: NaiveValue, right: NaiveValue): NaiveValue {
  if (typeof left !== 'number' || typeof right !== 'number') return null;
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  if (operator === '*') return left * right;
  if (right === 0) throw new NaiveFault('division by zero');
  return operator === 'div' ? Math.trunc(left / right) + 0 : (left % right) + 0;
}

/** The functions that random programs call, of values that are small and not negative. */
function builtInNaively(name: string, args: readonly NaiveValue[]): NaiveValue {
  const [first, second, third] = args;
  if (args.includes(null)) return null;
  switch (name) {
    case 'min':
      return Math.min(Number(first), Number(second));
    case 'max':
      return Math.max(Number(first), Number(second));
    case 'text':
      return String(first);
    case 'int':
      return Number(first);
    case 'capture':
      return new RegExp(String(second)).exec(String(first))?.[Number(third)] ?? null;
    case 'padStart':
      return String(first).padStart(Number(second), String(third));
    case 'indexOf':
      return String(first).includes(String(second)) ? String(first).indexOf(String(second)) : null;
    case 'shiftRight':
      return Math.floor(Number(first) / 2 ** Number(second));
    case 'bitAnd':
    case 'bitOr':
    case 'bitXor':
      return Number(bitsNaively(name, BigInt(Number(first)), BigInt(Number(second))));
    default:
      return listFunctionNaively(name, args as NaiveValue[][]);
  }
}

function bitsNaively(name: 'bitAnd' | 'bitOr' | 'bitXor', left: bigint, right: bigint): bigint {
  if (name === 'bitAnd') return left & right;
  return name === 'bitOr' ? left | right : left ^ right;
}

function aggregateNaively(
  facts: NaiveFacts,
  aggregate: Expression & { op: 'aggregate' },
  outer: NaiveBindings,
): NaiveValue {
  const own = new Set(aggregate.condition.variables.map(({ name }) => name));
  const group = Object.fromEntries(Object.entries(outer).filter(([name]) => !own.has(name)));
  const distinct = new Map<string, NaiveBindings>();
  for (const bindings of solveNaively(facts, aggregate.condition, group)) {
    const key = JSON.stringify(aggregate.over.map((name) => bindings[name]));
    if (!distinct.has(key)) distinct.set(key, bindings);
  }
  if (aggregate.function === 'count') return distinct.size;
  const { value } = aggregate;
  const values = [...distinct.values()].map((bindings) => (value === null ? null : evaluated(facts, value, bindings)));
  const numbers = values.filter((each): each is number => typeof each === 'number');
  if (aggregate.function === 'sum') return numbers.reduce((total, each) => total + each, 0);
  if (numbers.length === 0) return null;
  return aggregate.function === 'min' ? Math.min(...numbers) : Math.max(...numbers);
}
