/** Violations of checks in wire form: the parameters of the check, and its message. */

import type { Firing, JsonValue } from '../../api/schemas/schemas.js';
import type { CheckDeclaration } from '../../artifact/types.js';
import { andThen, type Deadline, type MaybePromise } from '../../base/ports.js';
import {
  type Bindings,
  BLOCK_ITEMS,
  compareValues,
  drive,
  evaluateMessage,
  filtered,
  type RelationReader,
  type Solution,
  solve,
  toWire,
  type Value,
  type View,
} from '../../engine/index.js';

/** The rows that only `after` has. */
export function addedRows(
  before: RelationReader,
  after: RelationReader,
  deadline: Deadline,
): MaybePromise<readonly (readonly number[])[]> {
  if (before.state === after.state) return [];
  return andThen(
    drive(after.changesSince(before), deadline),
    (changes) => changes?.added ?? comparedRows(before, after, deadline),
  );
}

async function comparedRows(
  before: RelationReader,
  after: RelationReader,
  deadline: Deadline,
): Promise<readonly (readonly number[])[]> {
  await before.prepare([...before.info.endpoints.keys()], deadline);
  return await drive(
    filtered(after.rows(), (row) => !before.has(row)),
    deadline,
  );
}

/** How many rows only `own` has, and the first of them. */
export async function differing(
  own: RelationReader,
  other: RelationReader,
  rowsMax: number,
  deadline: Deadline,
): Promise<{ readonly count: number; readonly rows: readonly number[][] }> {
  await other.prepare([...other.info.endpoints.keys()], deadline);
  const rows: number[][] = [];
  let count = 0;
  let seen = 0;
  for (const row of own.rows()) {
    seen += 1;
    if (seen % BLOCK_ITEMS === 0) await deadline.checkpoint();
    if (other.has(row)) continue;
    count += 1;
    if (rows.length < rowsMax) rows.push(row);
  }
  return { count, rows };
}

/** The wire form of a violation. The message uses the least of its bindings. */
export async function renderViolation(
  view: View,
  check: CheckDeclaration,
  row: readonly number[],
  deadline: Deadline,
): Promise<Firing> {
  const values = check.parameters.map(({ type }, index) => view.interner.decode(type, row[index] as number));
  const bound = Object.fromEntries(
    check.parameters.map(({ name, type }, index) => [name, { type, value: values[index] ?? null }]),
  );
  return {
    check: check.path,
    severity: check.severity,
    message: await message(view, check, bound, deadline),
    tuple: Object.fromEntries(
      check.parameters.map(({ name, type }, index) => [name, toWire(type, values[index] ?? null) as JsonValue]),
    ),
    span: check.span as Firing['span'],
  };
}

async function message(view: View, check: CheckDeclaration, bound: Bindings, deadline: Deadline): Promise<string> {
  const conditions = check.body.clauses.map(({ condition }) => condition);
  const [first] = conditions;
  if (!first) return check.path;
  const parameters = new Set(check.parameters.map(({ name }) => name));
  // The message reads only what every alternative binds.
  const own = first.variables.filter(
    ({ name }) =>
      !parameters.has(name) && conditions.every(({ variables }) => variables.some((other) => other.name === name)),
  );
  let least: Solution | undefined;
  for (const condition of conditions) {
    for await (const batch of solve(view, condition, bound, {}, deadline)) {
      for (const solution of batch) {
        if (least === undefined || isLess(view, own, solution, least)) least = solution;
      }
    }
  }
  const locals = own.map(({ name, type }) => [name, { type, value: least?.[name] ?? null }] as const);
  return evaluateMessage(view, check.message, { ...bound, ...Object.fromEntries(locals) }, {}, deadline);
}

function isLess(
  view: View,
  variables: readonly { readonly name: string; readonly type: CheckDeclaration['parameters'][number]['type'] }[],
  left: Solution,
  right: Solution,
): boolean {
  for (const { name, type } of variables) {
    const a: Value = left[name] ?? null;
    const b: Value = right[name] ?? null;
    const order = compareValues(view.program, type, a, b);
    if (order !== 0) return order < 0;
  }
  return false;
}
