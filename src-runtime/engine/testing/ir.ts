/** Builds artifacts for tests without a compiler: short functions for IR nodes. */

import type {
  ArithmeticOperator,
  Artifact,
  Clause,
  CompareOperator,
  ConceptDeclaration,
  Condition,
  Expression,
  FieldDeclaration,
  Json,
  Keeps,
  Literal,
  RuleDeclaration,
  Term,
  Type,
} from '../../artifact/types.js';
import type { Span } from '../../base/span.js';
import { BOOL, DATE, DATE_TIME, DECIMAL, INT, TEXT } from '../values/value.js';

const start = { line: 1, column: 1, offset: 0 };
export const SPAN: Span = { file: 'test.entail', start, end: start };

export { BOOL, DATE, DATE_TIME, DECIMAL, INT, TEXT };

export function classOf(path: string): Type {
  return { kind: 'class', path };
}

export function optional(of: Type): Type {
  return { kind: 'optional', of };
}

export function v(name: string): Term & { op: 'variable' } {
  return { op: 'variable', name };
}

export function int(value: number): Term {
  return { op: 'constant', type: INT, value };
}

export function constant(type: Type, value: Json): Term {
  return { op: 'constant', type, value };
}

export function builtIn(name: string, types: readonly Type[], args: readonly Expression[], result: Type): Expression {
  return { op: 'builtIn', name, types, args, result, span: SPAN };
}

/** A string is a variable, `_` a wildcard. */
export type Arg = string | Term;

function term(arg: Arg): Term | null {
  if (typeof arg !== 'string') return arg;
  return arg === '_' ? null : v(arg);
}

export function atom(relation: string, ...args: Arg[]): Literal {
  return { op: 'atom', relation, args: args.map(term), span: SPAN };
}

export function absent(relation: string, ...args: Arg[]): Literal {
  return { op: 'absent', relation, args: args.map(term), span: SPAN };
}

export function bind(variable: string, value: Expression, text = `let ${variable}`): Literal {
  return { op: 'let', variable, value, text, span: SPAN };
}

export function each(variable: string, list: Expression): Literal {
  return { op: 'each', variable, in: list, text: `${variable} in`, span: SPAN };
}

export function test(condition: Expression): Literal {
  return { op: 'test', condition, text: condition.op, span: SPAN };
}

export function compare(operator: CompareOperator, left: Expression, right: Expression, type: Type = INT): Expression {
  return { op: 'compare', operator, type, left, right };
}

export function arithmetic(
  operator: ArithmeticOperator,
  left: Expression,
  right: Expression,
  type: 'Int' | 'Decimal' = 'Int',
): Expression {
  return { op: 'arithmetic', operator, type, left, right, span: SPAN };
}

export function minOrMax(name: 'min' | 'max', left: Expression, right: Expression): Expression {
  return { op: 'builtIn', name, types: [INT, INT], args: [left, right], result: INT, span: SPAN };
}

export function field(path: string, of: Expression): Expression {
  return { op: 'field', field: path, of };
}

export function aggregate(
  name: 'count' | 'sum' | 'avg' | 'min' | 'max' | 'list',
  value: Expression | null,
  over: string[],
  inner: Condition,
  result: Type = INT,
): Expression & { readonly op: 'aggregate' } {
  return { op: 'aggregate', function: name, value, over, condition: inner, result, span: SPAN };
}

/** Variables are Int unless `types` says otherwise. `outer` ones do not belong to the condition. */
export function condition(
  literals: readonly Literal[],
  types: Readonly<Record<string, Type>> = {},
  outer: readonly string[] = [],
): Condition {
  const names = new Set<string>();
  for (const literal of literals) {
    if (literal.op === 'atom') for (const arg of literal.args) if (arg?.op === 'variable') names.add(arg.name);
    if (literal.op === 'let' || literal.op === 'each') names.add(literal.variable);
  }
  for (const name of outer) names.delete(name);
  return { variables: [...names].map((name) => ({ name, type: types[name] ?? INT })), literals };
}

/** Holds if one of the branches does. Binds what all of them bind. */
export function either(...branches: readonly Condition[]): Condition {
  const [first, ...others] = branches;
  const variables = (first?.variables ?? []).filter(({ name }) =>
    others.every((other) => other.variables.some((variable) => variable.name === name)),
  );
  return { variables, literals: [{ op: 'either', branches, span: SPAN }] };
}

export function clause(
  head: readonly (string | Expression)[],
  literals: readonly Literal[],
  types: Readonly<Record<string, Type>> = {},
): Clause {
  return {
    op: 'clause',
    head: head.map((each) => (typeof each === 'string' ? v(each) : each)),
    condition: condition(literals, types),
    span: SPAN,
  };
}

export function rule(path: string, types: readonly Type[], clauses: readonly Clause[], keeps?: Keeps): RuleDeclaration {
  const parameters = types.map((type, index) => ({
    name: `p${index}`,
    type,
    ...(keeps !== undefined && index === types.length - 1 && { keeps }),
  }));
  return { path, public: true, span: SPAN, parameters, body: { op: 'rule', clauses } };
}

export function concept(
  path: string,
  fields: Readonly<Record<string, Type>> = {},
  parent: string | null = null,
): ConceptDeclaration {
  const declared = Object.entries(fields).map(
    ([name, type]): FieldDeclaration => ({ name, path: `${path}.${name}`, type, unique: false, span: SPAN }),
  );
  return { path, public: true, span: SPAN, parent, fields: declared };
}

export function relation(path: string, ...types: Type[]) {
  return {
    path,
    public: true,
    span: SPAN,
    endpoints: types.map((type, index) => ({ name: `e${index}`, type, functional: false })),
  };
}

/** The last endpoint is functional. */
export function functionalRelation(path: string, ...types: Type[]) {
  const { endpoints, ...rest } = relation(path, ...types);
  return {
    ...rest,
    endpoints: endpoints.map((endpoint, index) => ({ ...endpoint, functional: index === types.length - 1 })),
  };
}

/** Omitted parts are empty. */
export function artifact(
  parts: Partial<Omit<Artifact, 'schema'>> & { readonly schema?: Partial<Artifact['schema']> },
): Artifact {
  return {
    format: 'entail-artifact',
    formatVersion: 1,
    compiler: 'test',
    modules: [],
    schemaHash: '',
    individuals: [],
    facts: [],
    rules: [],
    defines: [],
    checks: [],
    queries: [],
    mutations: [],
    functions: [],
    integrity: '',
    ...parts,
    schema: { enums: [], concepts: [], relations: [], externTypes: [], context: [], ...parts.schema },
  };
}
