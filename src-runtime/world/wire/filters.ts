/** Filters of a list: conditions on its columns, evaluated once for each distinct value. */

import { ApiError } from '../../api/errors.js';
import {
  alternativesOf,
  type FilterOperator,
  type JsonValue,
  type ListCondition,
  type ListFilter,
} from '../../api/schemas/schemas.js';
import { localName } from '../../artifact/expression-text.js';
import type { Type } from '../../artifact/types.js';
import { folded } from '../../base/folded.js';
import { jsonWords } from '../../base/json-words.js';
import type { Deadline } from '../../base/ports.js';
import {
  BLOCK_ITEMS,
  bare,
  compareValues,
  fromWire,
  mismatchText,
  NONE,
  type RowOrder,
  toWire,
  typeText,
  type Value,
  type View,
} from '../../engine/index.js';
import { requestEnvironment } from '../state/individuals.js';
import { type Column, columnOf, type ListShape, ownColumns } from './columns.js';
import { type Labels, labelsOf } from './labels.js';

/** True for a row if one of its columns passes. A column may have several tests. */
export interface Condition {
  readonly columns: readonly { readonly column: Column; accepts(code: number): boolean }[];
  /** The states of everything that is read apart from the rows, for caching. */
  readonly states: readonly object[];
}

/** Means every column of the list. */
const ANY_COLUMN = '*';

const TEXT_OPERATORS: readonly FilterOperator[] = ['contains', 'notContains', 'startsWith'];

/** Throws VALIDATION_FAILED for an unknown column, and for a value or operator that does not fit it. */
export async function readCondition(
  view: View,
  shape: ListShape,
  condition: ListCondition,
  deadline: Deadline,
): Promise<Condition> {
  const read: Condition[] = [];
  for (const filter of alternativesOf(condition)) read.push(await readFilter(view, shape, filter, deadline));
  return { columns: read.flatMap(({ columns }) => columns), states: read.flatMap(({ states }) => states) };
}

async function readFilter(view: View, shape: ListShape, filter: ListFilter, deadline: Deadline): Promise<Condition> {
  const [name, operator, wire] = filter;
  if (name === ANY_COLUMN && operator !== 'contains') {
    throw invalid(`Expected the filter "contains" for the column "*", got "${operator}".`, { column: name });
  }
  const columns = name === ANY_COLUMN ? ownColumns(view, shape) : [columnOf(view, shape, name)];
  const labels = TEXT_OPERATORS.includes(operator)
    ? await labelsOf(
        view,
        columns.map(({ type }) => type),
        deadline,
      )
    : undefined;
  return {
    columns: columns.map((column) => ({ column, accepts: oncePerCode(test(view, column, operator, wire, labels)) })),
    states: [...columns.flatMap(({ states }) => states), ...(labels?.states ?? [])],
  };
}

/** The positions of the rows that meet all conditions, ascending. */
export async function acceptedPlaces(
  order: RowOrder,
  conditions: readonly Condition[],
  deadline: Deadline,
): Promise<Uint32Array> {
  let places = new Uint32Array(order.size);
  for (let place = 0; place < order.size; place++) places[place] = place;
  for (const { columns } of conditions) {
    const tests: { readonly codes: Int32Array; accepts(code: number): boolean }[] = [];
    for (const { column, accepts } of columns) tests.push({ codes: await column.allCodes(order, deadline), accepts });
    let accepted = 0;
    for (let index = 0; index < places.length; index++) {
      const place = places[index] as number;
      if (tests.some(({ codes, accepts }) => accepts(codes[place] as number))) places[accepted++] = place;
      if (index % BLOCK_ITEMS === 0) await deadline.checkpoint();
    }
    places = places.slice(0, accepted);
  }
  return places;
}

function test(
  view: View,
  column: Column,
  operator: FilterOperator,
  wire: JsonValue,
  labels: Labels | undefined,
): (code: number) => boolean {
  const decode = (code: number): Value => view.interner.decode(column.type, code);
  if (labels !== undefined) {
    const expected = readText(column, operator, wire);
    const fits = (text: string): boolean =>
      operator === 'startsWith' ? folded(text).startsWith(expected) : folded(text).includes(expected);
    const isFound = (code: number): boolean => textsOf(view, labels, column.type, decode(code)).some(fits);
    return (code) => code !== NONE && isFound(code) === (operator !== 'notContains');
  }
  if (operator === 'in' || operator === 'notIn') {
    const each = readList(column, operator, wire).map((one) => test(view, column, '=', one, undefined));
    const isOne = (code: number): boolean => each.some((accepts) => accepts(code));
    return operator === 'in' ? isOne : (code) => code !== NONE && !isOne(code);
  }
  const expected = readValue(view, column, operator, wire);
  if (expected === null) return operator === '=' ? (code) => code === NONE : (code) => code !== NONE;
  const compares = COMPARISONS[operator as keyof typeof COMPARISONS];
  return (code) => code !== NONE && compares(compareValues(view.program, column.type, decode(code), expected));
}

const COMPARISONS = {
  '=': (order: number) => order === 0,
  '!=': (order: number) => order !== 0,
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
};

/** What a text search reads of a value; of a list or record, the same of each element. */
function textsOf(view: View, labels: Labels, type: Type, value: Value): readonly string[] {
  if (value === null) return [];
  const plain = bare(type);
  switch (plain.kind) {
    case 'list':
      return (value as readonly Value[]).flatMap((item) => textsOf(view, labels, plain.of, item));
    case 'record': {
      const record = value as Readonly<Record<string, Value>>;
      return plain.fields.flatMap(({ name, type: of }) => textsOf(view, labels, of, record[name] ?? null));
    }
    case 'class': {
      const id = String(value);
      // A declared individual also matches by its local name. The module's name would match all of them.
      return [localName(id), labels.of(view.interner.encodeIndividual(id)) ?? ''];
    }
    default:
      return [String(toWire(plain, value))];
  }
}

function readText({ name }: Column, operator: FilterOperator, wire: JsonValue): string {
  if (typeof wire === 'string') return folded(wire);
  throw invalid(`Expected a text for the filter "${operator}", got ${jsonWords(wire)} (column "${name}").`, {
    column: name,
  });
}

function readList({ name }: Column, operator: FilterOperator, wire: JsonValue): readonly JsonValue[] {
  if (Array.isArray(wire)) return wire;
  throw invalid(`Expected a list of values for the filter "${operator}", got ${jsonWords(wire)} (column "${name}").`, {
    column: name,
  });
}

/** Null tests for rows with or without a value. */
function readValue(view: View, { name, type }: Column, operator: FilterOperator, wire: JsonValue): Value {
  const isEquality = operator === '=' || operator === '!=';
  const isOrdered = type.kind !== 'class' && !(type.kind === 'scalar' && type.name === 'Bool');
  if (!isEquality && (!isOrdered || wire === null)) {
    const what = wire === null ? 'null' : `a value of ${typeText(type)}`;
    throw invalid(`Expected = or != to compare with ${what}, got "${operator}" (column "${name}").`, { column: name });
  }
  if (wire === null) return null;
  const read = fromWire(type, wire, requestEnvironment(view));
  if (read.ok) return read.value;
  throw invalid(mismatchText(read, `filter on "${name}"`), {
    column: name,
    expected: read.expected,
    received: read.received,
  });
}

/** Codes of interned values are small and dense. Larger codes are numbers themselves, which are cheap to test again. */
const REMEMBERED_MAX = 1 << 24;

function oncePerCode(accepts: (code: number) => boolean): (code: number) => boolean {
  // 0 is unknown, 1 false, 2 true.
  let known = new Uint8Array(1024);
  return (code) => {
    if (code < 0 || code >= REMEMBERED_MAX) return accepts(code);
    if (code >= known.length) {
      const longer = new Uint8Array(Math.max(code + 1, 2 * known.length));
      longer.set(known);
      known = longer;
    }
    if (known[code] === 0) known[code] = accepts(code) ? 2 : 1;
    return known[code] === 2;
  };
}

function invalid(message: string, details: Record<string, unknown>): ApiError {
  return new ApiError('SVC_RUNTIME_VALIDATION_FAILED', message, details);
}
