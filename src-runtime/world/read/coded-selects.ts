/**
 * Selects whose rows have only variables and stored fields, as most have. They are solved and sorted as codes, without a value for each cell.
 * In `bench:data -- export` a query of 201,010 rows takes a third of the CPU time.
 */

import type { Expression, Type } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import {
  awaited,
  type Bindings,
  bare,
  drive,
  type ExpressionContext,
  type Goal,
  type Interner,
  type PlacedColumn,
  type Program,
  placesByColumns,
  solveCodes,
  type View,
  wantedOf,
} from '../../engine/index.js';
import { goalOf, limitOf, type SelectBody } from './queries.js';

export interface CodedSelect {
  readonly goal: Goal;
  readonly body: SelectBody;
  /** The columns of the record, or the only one of any other row. */
  readonly columns: readonly CodedPart[];
  readonly orderBy: readonly (CodedPart & { readonly descending: boolean })[];
}

/** A variable of the goal, or a stored field of it. */
interface CodedPart {
  readonly name: string;
  readonly type: Type;
  /** Among the wanted variables. */
  readonly position: number;
  readonly field: string | undefined;
}

/** Undefined for other rows, and where two solutions may have the same row. */
export function codedSelectOf(program: Program, body: SelectBody): CodedSelect | undefined {
  const goal = goalOf(program, body);
  const partOf = (name: string, type: Type, value: Expression): CodedPart | undefined => {
    const isField = value.op === 'field' && program.fields.get(value.field)?.navigation === undefined;
    const variable = isField ? value.of : value;
    if (variable.op !== 'variable') return undefined;
    const position = wantedOf(goal).findIndex((wanted) => wanted.name === variable.name);
    if (position < 0 || (isField && wantedOf(goal)[position]?.type.kind !== 'class')) return undefined;
    return { name, type, position, field: isField ? value.field : undefined };
  };
  const columns = selectedParts(body).map(({ name, type, value }) => value && partOf(name, type, value));
  const orderBy = body.orderBy.map(({ key, type, descending }) => {
    const part = partOf('', type, key);
    return part && { ...part, descending };
  });
  if (!columns.every(isDefined) || !orderBy.every(isDefined)) return undefined;
  const isDistinct = wantedOf(goal).every((_, at) =>
    columns.some(({ position, field }) => position === at && field === undefined),
  );
  return isDistinct ? { goal, body, columns, orderBy } : undefined;
}

function selectedParts({ select, row }: SelectBody) {
  const type = bare(row);
  if (select.op !== 'record') return [{ name: 'value', type: row, value: select }];
  if (type.kind !== 'record') return [{ name: 'value', type: row, value: undefined }];
  return type.fields.map((field) => ({
    ...field,
    value: select.fields.find(({ name }) => name === field.name)?.value,
  }));
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}

/** The rows of a select in order. */
export interface CodedSelection {
  readonly interner: Interner;
  readonly size: number;
  /** The codes of the rows from one place to another, row by row. */
  codesOf(from: number, to: number): Int32Array;
}

export function* selectCodes(
  view: View,
  { goal, body, columns, orderBy }: CodedSelect,
  bound: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): Generator<Promise<void>, CodedSelection> {
  const found: Int32Array[] = [];
  let { interner } = view;
  for (const batch of solveCodes(view, goal, bound, expressionContext, deadline)) {
    if (batch instanceof Promise) {
      yield batch;
      continue;
    }
    found.push(batch.codes);
    interner = batch.interner;
    const pause = deadline.checkpoint();
    if (pause !== undefined) yield pause;
  }
  const width = wantedOf(goal).length;
  const placed: PlacedColumn[] = [];
  for (const part of [...orderBy, ...columns]) {
    const descending = 'descending' in part && part.descending === true;
    const codes = codesOfPart(found, width, part);
    if (part.field !== undefined) yield* followField(view, part.field, codes, deadline);
    placed.push({ type: part.type, codes, descending });
  }
  const size = found.reduce((sum, { length }) => sum + length, 0) / width;
  const sorting = drive(placesByColumns({ program: view.program, interner }, size, placed), deadline);
  const places = sorting instanceof Promise ? yield* awaited(sorting) : sorting;
  const limit = (yield* limitOf(view, body, bound, expressionContext, deadline)) ?? size;
  const rowCodes = placed.slice(orderBy.length).map(({ codes }) => codes);
  return { interner, size: Math.min(limit, size), codesOf: (from, to) => rowsBetween(rowCodes, places, from, to) };
}

function codesOfPart(found: readonly Int32Array[], width: number, { position }: CodedPart): Int32Array {
  const codes = new Int32Array(found.reduce((sum, { length }) => sum + length, 0) / width);
  let row = 0;
  for (const batch of found) {
    for (let at = position; at < batch.length; at += width) codes[row++] = batch[at] as number;
  }
  return codes;
}

/** Replaces the codes of individuals by those of their field. */
function* followField(view: View, path: string, codes: Int32Array, deadline: Deadline): Generator<Promise<void>, void> {
  const reader = view.stored(path);
  const indexing = reader.prepare([0], deadline);
  if (indexing !== undefined) yield indexing;
  for (let row = 0; row < codes.length; row++) {
    codes[row] = reader.codeOf(codes[row] as number);
    const pause = row % ROWS_PER_CHECKPOINT === 0 ? deadline.checkpoint() : undefined;
    if (pause !== undefined) yield pause;
  }
}

const ROWS_PER_CHECKPOINT = 8192;

function rowsBetween(columns: readonly Int32Array[], places: Uint32Array, from: number, to: number): Int32Array {
  const rows = new Int32Array((to - from) * columns.length);
  for (const [column, codes] of columns.entries()) {
    for (let index = from, at = column; index < to; index++, at += columns.length) {
      rows[at] = codes[places[index] as number] as number;
    }
  }
  return rows;
}
