/**
 * Checks the form of a body. This happens when a body is first used, so that a malformed one fails only its own declaration and not
 * the module. Whether the names in it are declared is checked where it is evaluated.
 */

import { z } from 'zod';
import { span, typeSchema } from './signatures.js';

/** Which part of a declaration the body is. `expression` also covers defaults, refinements and the messages of checks. */
export type BodyKind = 'rule' | 'query' | 'mutation' | 'expression';

/**
 * Describes the first error in the form of a body, to be printed after a colon; undefined if there is no error. Each body is checked
 * only once.
 */
export function bodyFault(kind: BodyKind, body: object): string | undefined {
  const known = KNOWN[kind].get(body);
  if (known !== undefined) return known === '' ? undefined : known;
  const parsed = FORMS[kind].safeParse(body);
  const fault = parsed.success ? '' : faultText(body, parsed.error.issues[0]);
  KNOWN[kind].set(body, fault);
  return fault === '' ? undefined : fault;
}

/** By kind. An empty text means that the form is correct. */
const KNOWN: Readonly<Record<BodyKind, WeakMap<object, string>>> = {
  rule: new WeakMap(),
  query: new WeakMap(),
  mutation: new WeakMap(),
  expression: new WeakMap(),
};

function faultText(body: object, issue: z.core.$ZodIssue | undefined): string {
  const path = issue?.path ?? [];
  if (path.at(-1) === 'op') {
    const op = path.reduce<unknown>((value, key) => (value as Readonly<Record<PropertyKey, unknown>>)[key], body);
    if (op !== undefined) return `the body holds a node "${String(op)}" that this engine does not know`;
  }
  if (path.length === 0 || (path.length === 1 && path[0] === 'op')) return 'the body is no node with an "op"';
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return `the body is malformed at "${place.replace(/^\./, '')}"`;
}

const text = z.string();

const expression: z.ZodType = z.lazy(() => z.discriminatedUnion('op', EXPRESSIONS));
const expressions = z.array(expression);
const binary = { left: expression, right: expression };
const variables = z.array(z.object({ name: text, type: typeSchema }));
const literal: z.ZodType = z.lazy(() => z.discriminatedUnion('op', LITERALS));
const condition = z.object({ variables, literals: z.array(literal) });

function node<Op extends string, Shape extends z.core.$ZodShape>(op: Op, shape: Shape) {
  return z.object({ op: z.literal(op), ...shape });
}

const constant = node('constant', { type: typeSchema, value: z.json() });

const EXPRESSIONS = [
  node('variable', { name: text }),
  constant,
  node('none', {}),
  node('field', { field: text, of: expression }),
  node('navigate', {
    field: text,
    of: expression,
    relation: text,
    own: z.int().nonnegative(),
    read: z.int().nonnegative(),
    many: z.boolean(),
  }),
  node('member', { name: text, of: expression, type: typeSchema }),
  node('compare', { operator: text, type: typeSchema, ...binary }),
  node('and', { operands: expressions }),
  node('or', { operands: expressions }),
  node('not', { operand: expression }),
  // biome-ignore lint/suspicious/noThenProperty: the member of a node, whose name the artifact gives; nothing awaits it.
  node('if', { condition: expression, then: expression, else: expression }),
  node('match', {
    subject: expression,
    type: typeSchema,
    cases: z.array(z.object({ pattern: constant.nullable(), value: expression })),
  }),
  node('arithmetic', { operator: text, type: z.enum(['Int', 'Decimal']), ...binary, span }),
  node('negate', { type: z.enum(['Int', 'Decimal']), operand: expression }),
  node('concat', { operands: expressions }),
  node('convert', { operand: expression }),
  node('coalesce', binary),
  node('exists', { operand: expression }),
  node('builtIn', { name: text, types: z.array(typeSchema), args: expressions, result: typeSchema, span }),
  node('call', { function: text, args: expressions, span }),
  node('context', { name: text, type: typeSchema }),
  node('list', { of: typeSchema, items: expressions }),
  node('record', { fields: z.array(z.object({ name: text, value: expression, type: typeSchema })) }),
  node('range', { from: expression, to: expression, step: expression.optional(), span: span.optional() }),
  node('aggregate', {
    function: text,
    value: expression.nullable(),
    over: z.array(text),
    condition,
    result: typeSchema,
    span,
  }),
] as const;

const holds = { relation: text, args: z.array(expression.nullable()), span };
const binding = { variable: text, text, span };

const LITERALS = [
  node('atom', holds),
  node('absent', holds),
  node('let', { value: expression, ...binding }),
  node('each', { in: expression, ...binding }),
  node('test', { condition: expression, text, span }),
  node('either', { branches: z.array(condition).min(1), span }),
] as const;

const rule = node('rule', {
  clauses: z.array(
    node('clause', { head: expressions, condition, span, branches: z.array(z.object({ text, span })).optional() }),
  ),
});

const query = z.discriminatedUnion('op', [
  node('select', {
    select: expression,
    row: typeSchema,
    condition,
    orderBy: z.array(z.object({ key: expression, type: typeSchema, descending: z.boolean() })),
    limit: expression.nullable(),
  }),
  node('value', { value: expression }),
]);

const statement: z.ZodType = z.lazy(() => z.discriminatedUnion('op', STATEMENTS));
const statements = z.array(statement);
const bind = text.nullable();

const STATEMENTS = [
  node('insertIndividual', {
    concept: text,
    fields: z.array(z.object({ field: text, value: expression })),
    bind,
    span,
  }),
  node('insertFact', { relation: text, args: expressions, span }),
  node('set', { target: expression, field: text, value: expression, span }),
  node('deleteFacts', { relation: text, args: z.array(expression.nullable()), span }),
  node('deleteIndividual', { target: expression, span }),
  node('forget', { target: expression, span }),
  node('require', { condition, message: expression, span }),
  node('let', { variable: text, type: typeSchema, value: expression, span }),
  node('invoke', { callable: text, args: expressions, bind, span }),
  node('for', {
    variable: text,
    type: typeSchema,
    // The literals that select rows are checked when they run: an error in them belongs to the query.
    rows: z.discriminatedUnion('op', [node('list', { value: expression }), node('query', { query: z.object({}) })]),
    body: statements,
    span,
  }),
  node('if', { branches: z.array(z.object({ condition, body: statements })), else: statements, span }),
  node('return', { value: expression, span }),
] as const;

const FORMS: Readonly<Record<BodyKind, z.ZodType>> = {
  rule,
  query,
  mutation: node('block', { statements }),
  expression,
};
