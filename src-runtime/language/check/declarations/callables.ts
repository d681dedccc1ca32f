/** Types queries and functions. */

import type * as syntax from '../../ast.js';
import { pathText } from '../../ast.js';
import { checkBody } from '../expressions/bodies.js';
import { coerce } from '../expressions/coercion.js';
import { constantOf } from '../expressions/evaluate.js';
import { checkAs, checkExpression } from '../expressions/expressions.js';
import type { Bindings, Environment, Session } from '../names/environment.js';
import { NO_BINDINGS, refuseMemberName, report, withVariables } from '../names/environment.js';
import type { CheckedFunction, CheckedQuery, QueryBody, Selection, Variable } from '../program/checked.js';
import type { FunctionSymbol, MutationSymbol, QuerySymbol, Sourced } from '../program/symbols.js';
import type { Type } from '../program/types.js';
import { INT, required, typeText } from '../program/types.js';
import { moduleOf } from './signatures.js';

export function checkQuery(session: Session, symbol: Sourced<QuerySymbol>): CheckedQuery {
  const env = requestEnvironment(session, symbol);
  return { symbol, body: checkQueryBody(env, symbol.item.body, symbol) };
}

export function checkFunction(session: Session, symbol: Sourced<FunctionSymbol>): CheckedFunction {
  if (symbol.item.kind === 'externFn') return { symbol, body: null };
  const env: Environment = {
    session,
    module: moduleOf(session, symbol),
    bindings: parameterScope(session, symbol),
    place: 'pure',
    absentFails: false,
    narrowed: new Set(),
  };
  return { symbol, body: checkAs(env, symbol.item.body, symbol.result, `the result of ${symbol.name}`) };
}

/** The environment of a query or mutation: its parameters, and the request's context. */
export function requestEnvironment(session: Session, symbol: QuerySymbol | MutationSymbol): Environment {
  return {
    session,
    module: moduleOf(session, symbol),
    bindings: parameterScope(session, symbol),
    place: 'request',
    absentFails: false,
    narrowed: new Set(),
  };
}

/** `select … where … order by … limit …`; `row` is the type of a row, if it is known. */
export function checkSelection(env: Environment, node: syntax.Selection, row: Type | undefined): Selection {
  const reads = [node.select, ...node.orderBy.map((key) => key.key)];
  const body = checkBody(env, node.body, { reads });
  const select = checkExpression(body.env, node.select, row);
  const keyed = { ...body.env, ...hiddenKeys(node.select) };
  const orderBy = node.orderBy.map(({ key, descending }) => {
    const checked = checkExpression(keyed, key);
    const type = required(checked.type);
    if (type.kind === 'extern' || type.kind === 'none') {
      report(env.session, 'E0203', key.span, `rows cannot be ordered by ${typeText(checked.type)}`, {
        hint: 'Order by a scalar, an enum or an individual.',
      });
    }
    return { key: checked, descending };
  });
  const limit = node.limit === null ? null : checkAs(env, node.limit, INT, '`limit`');
  const rows = limit === null ? undefined : constantOf(limit);
  if (limit !== null && typeof rows === 'number' && rows < 0) {
    report(env.session, 'E0609', limit.span, `\`limit\` is negative: ${rows}`, {
      hint: 'Write the largest number of rows, or omit `limit` for all rows.',
    });
  }
  return {
    kind: 'select',
    select: row === undefined ? select : coerce(env, select, row, 'a row'),
    row: row ?? select.type,
    condition: body.condition,
    orderBy,
    limit,
  };
}

/** `order by` sees the variables of the body, like `select`, and not the fields of the row. */
function hiddenKeys(select: syntax.Expression): Pick<Environment, 'hidden'> {
  if (select.kind !== 'record') return {};
  const values = new Map(select.entries.map(({ name, value }) => [name.text, value]));
  const hint = (key: string): string => {
    const value = values.get(key);
    const way = value?.kind === 'name' ? pathText(value.path) : undefined;
    return way === undefined
      ? `It is a field of the result row. Bind its value in the body with \`let ${key} = …\`, and use that in both places.`
      : `It is a field of the result row. Order by its value, \`${way}\`.`;
  };
  return { hidden: { names: new Set(values.keys()), hint } };
}

function checkQueryBody(env: Environment, body: syntax.QueryBody, symbol: Sourced<QuerySymbol>): QueryBody {
  const { result } = symbol;
  if (body.kind === 'value') {
    return { kind: 'value', value: checkAs(env, body.value, result, `the result of ${symbol.name}`) };
  }
  if (result.kind !== 'list' && result.kind !== 'optional' && result.kind !== 'error') {
    report(
      env.session,
      'E0605',
      symbol.item.result.span,
      `\`select\` returns rows, but the result type is ${typeText(result)}`,
      {
        hint: `Write \`[${typeText(result)}]\`, or \`${typeText(result)}?\` for at most one row.`,
      },
    );
    return checkSelection(env, body, undefined);
  }
  // The single row of a `T?` may be none itself.
  return checkSelection(env, body, result.kind === 'list' ? result.of : result);
}

function parameterScope(session: Session, symbol: { readonly parameters: QuerySymbol['parameters'] }): Bindings {
  const variables = symbol.parameters.map(
    (parameter): Variable => ({ name: parameter.name, type: parameter.type, span: parameter.nameSpan }),
  );
  for (const variable of variables) refuseMemberName(session, variable);
  return withVariables(NO_BINDINGS, variables);
}
