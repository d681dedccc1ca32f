/**
 * Explains why a query returns a row. A row is not a fact, so the query's condition becomes the body of a temporary rule whose facts are
 * the rows. Order and limit are ignored.
 */

import { ApiError } from '../../api/errors.js';
import type { Explanation } from '../../api/schemas/explanation-schemas.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { Expression, Json, Literal, QueryDeclaration, RuleDeclaration, Type } from '../../artifact/types.js';
import { bareRecord } from '../../base/bare-record.js';
import type { Deadline } from '../../base/ports.js';
import {
  bare,
  branchesOf,
  conditionWith,
  type ExpressionContext,
  toWire,
  type Value,
  withRule,
} from '../../engine/index.js';
import type { ExplanationOptions, RowRequest } from '../contract/requests.js';
import type { PreparedQuery } from '../read/adhoc.js';
import { requireKnownBody } from '../read/queries.js';
import { readArguments, requireMembers } from '../wire/arguments.js';
import { type ExplanationSite, explainAdhoc } from './explanations.js';

/** Throws SIGNATURE_MISMATCH, VALIDATION_FAILED, EXPLAIN_FAILED, EXPLAIN_BAD_TUPLE. */
export async function explainRow(
  site: ExplanationSite,
  query: QueryDeclaration,
  { args, row }: RowRequest,
  { context = bareRecord() }: ExpressionContext,
  deadline: Deadline,
  options: ExplanationOptions = {},
): Promise<Explanation> {
  const { view } = site;
  const { path, parameters } = query;
  const bound = readArguments(view, path, parameters, args);
  await requireMembers(view, parameters, bound, deadline);
  requireKnownBody(query);
  const given = new Map<string, Expression>();
  for (const name in bound) {
    const { type, value } = bound[name] as { type: Type; value: Value };
    given.set(name, constantOf(type, value));
  }
  const known = withGiven(query.body, given, context) as QueryDeclaration['body'];
  const columns = columnsOf({ ...query, body: known }).flatMap((column) => shownIn(column, row));
  if (columns.length === 0) {
    throw new ApiError(
      'SVC_RUNTIME_EXPLAIN_FAILED',
      `The row of "${path}" has no value to search for; send a row as the query returns it.`,
      { relation: path },
    );
  }
  const declaration = ruleOf(query, known, columns);
  const derive = { kind: 'derive', declaration, extended: withRule(view.program, declaration) } as const;
  return explainAdhoc(
    site,
    derive,
    columns.map(({ cell }) => cell),
    deadline,
    options,
  );
}

/** The tuple of a row of a derive. */
export function tupleOfRow({ declaration }: PreparedQuery & { readonly kind: 'derive' }, row: JsonValue): JsonValue[] {
  return declaration.parameters.map(({ name }) => ownCell(row, name));
}

/** The value of a row in one column. */
interface Column {
  readonly name: string;
  readonly value: Expression;
  readonly type: Type;
}

interface ShownColumn extends Column {
  readonly cell: JsonValue;
}

/** A result that is not a record has a single unnamed column. */
function columnsOf({ body, result }: QueryDeclaration): Column[] {
  const whole = body.op === 'value' ? { value: body.value, type: result } : { value: body.select, type: body.row };
  if (whole.value.op !== 'record') return [{ name: '', ...whole }];
  return whole.value.fields.map(({ name, value, type }) => ({ name, value, type }));
}

/** Empty if the row lacks the column. */
function shownIn(column: Column, row: JsonValue): ShownColumn[] {
  const { name, type } = column;
  const cell = name === '' ? row : ownCell(row, name);
  if (cell === null) return [];
  return [{ ...column, type: bare(type), cell }];
}

function ruleOf(
  query: QueryDeclaration,
  body: QueryDeclaration['body'],
  columns: readonly ShownColumn[],
): RuleDeclaration {
  const { path, span } = query;
  const condition = body.op === 'select' ? body.condition : { variables: [], literals: [] };
  const taken = new Set(branchesOf(condition).flatMap((branch) => branch.variables.map(({ name }) => name)));
  const variables: { readonly name: string; readonly type: Type }[] = [];
  const literals: Literal[] = [];
  const head = columns.map(({ name, value, type }): Expression => {
    if (value.op === 'variable') return value;
    const text = name === '' ? 'value' : name;
    let variable = text;
    while (taken.has(variable)) variable = `${variable}_`;
    taken.add(variable);
    variables.push({ name: variable, type });
    literals.push({ op: 'let', variable, value, text, span });
    return { op: 'variable', name: variable };
  });
  return {
    path,
    public: false,
    span,
    parameters: columns.map(({ name, type }) => ({ name: name === '' ? 'value' : name, type })),
    body: {
      op: 'rule',
      clauses: branchesOf(conditionWith(condition, variables, literals)).map((branch) => ({
        op: 'clause',
        head,
        condition: branch,
        span,
      })),
    },
  };
}

/** Replaces parameters and context in the body with values, because rules have neither. */
export function withGiven(
  node: unknown,
  given: ReadonlyMap<string, Expression>,
  context: Readonly<Record<string, Value>>,
): unknown {
  if (Array.isArray(node)) return node.map((each) => withGiven(each, given, context));
  if (typeof node !== 'object' || node === null) return node;
  const { op, name, type } = node as { readonly op?: unknown; readonly name?: unknown; readonly type?: unknown };
  if (op === 'variable') return given.get(String(name)) ?? node;
  if (op === 'context') return constantOf(type as Type, context[String(name)] ?? null);
  if (op === 'constant') return node;
  return Object.fromEntries(Object.entries(node).map(([member, value]) => [member, withGiven(value, given, context)]));
}

/** Null unless the row has the name as an own property: every object inherits a `constructor`. */
function ownCell(row: JsonValue, name: string): JsonValue {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return null;
  return Object.hasOwn(row, name) ? (row[name] ?? null) : null;
}

export function constantOf(type: Type, value: Value): Expression {
  if (value === null) return { op: 'none' };
  if (type.kind === 'optional') return constantOf(type.of, value);
  if (type.kind === 'list') {
    return { op: 'list', of: type.of, items: (value as readonly Value[]).map((item) => constantOf(type.of, item)) };
  }
  if (type.kind === 'record') {
    const members = value as Readonly<Record<string, Value>>;
    const fields = type.fields.map((field) => ({
      ...field,
      value: constantOf(field.type, members[field.name] ?? null),
    }));
    return { op: 'record', fields };
  }
  return { op: 'constant', type, value: toWire(type, value) as Json };
}
