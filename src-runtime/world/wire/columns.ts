/**
 * The columns that a list can be sorted and filtered by: its endpoints, the stored fields of a class, and the stored fields of what a
 * reference points to (`tenant.name`).
 */

import { ApiError } from '../../api/errors.js';
import type { Type } from '../../artifact/types.js';
import { didYouMean } from '../../base/nearest.js';
import type { Deadline } from '../../base/ports.js';
import {
  BLOCK_ITEMS,
  bare,
  NONE,
  type Program,
  type RelationInfo,
  type RelationReader,
  type RowOrder,
  type View,
} from '../../engine/index.js';

export interface Column {
  readonly name: string;
  /** Never optional. A missing value has the code NONE. */
  readonly type: Type;
  codeOf(row: readonly number[]): number;
  /** The codes of all rows, in list order. */
  allCodes(order: RowOrder, deadline: Deadline): Promise<Int32Array>;
  /** The states of everything that is read apart from the rows, for caching. */
  readonly states: readonly object[];
}

/** How a list names its columns: an endpoint, optionally followed by one of its fields. */
export interface ListShape {
  /** The list's name in messages. */
  readonly path: string;
  readonly columns: readonly BaseColumn[];
}

interface BaseColumn {
  readonly name: string;
  readonly position: number;
  readonly type: Type;
  /** Stored fields to follow from the endpoint. */
  readonly fields: readonly string[];
}

export function shapeOfRelation(info: RelationInfo): ListShape {
  return {
    path: info.path,
    columns: info.endpoints.map(({ name, type }, position) => ({ name, type, position, fields: [] })),
  };
}

/** `$id` and the stored fields of a class. */
export function shapeOfClass(program: Program, path: string): ListShape {
  const stored = (program.classes.get(path)?.fields ?? []).filter(({ navigation }) => !navigation);
  return {
    path,
    columns: [
      { name: '$id', position: 0, type: { kind: 'class', path }, fields: [] },
      ...stored.map((field) => ({ name: field.name, position: 0, type: bare(field.type), fields: [field.path] })),
    ],
  };
}

/** All columns that belong to the list itself. */
export function ownColumns(view: View, shape: ListShape): Column[] {
  return shape.columns.map((base) => toColumn(view, base));
}

/** Throws VALIDATION_FAILED for an unknown column. */
export function columnOf(view: View, shape: ListShape, name: string): Column {
  const [first = '', ...steps] = name.split('.');
  let base = shape.columns.find((column) => column.name === first);
  const known = shape.columns.map((column) => column.name);
  if (!base) throw unknownColumn(shape, name, known, first);
  for (const step of steps) {
    const plain = bare(base.type);
    const fields = plain.kind === 'class' ? (view.program.classes.get(plain.path)?.fields ?? []) : [];
    const stored = fields.filter(({ navigation }) => !navigation);
    const field = stored.find((candidate) => candidate.name === step);
    if (!field)
      throw unknownColumn(
        shape,
        name,
        stored.map((candidate) => candidate.name),
        step,
      );
    base = { ...base, type: bare(field.type), fields: [...base.fields, field.path] };
  }
  return toColumn(view, { ...base, name });
}

function unknownColumn(shape: ListShape, name: string, known: readonly string[], step: string): ApiError {
  const meant = didYouMean(step, known) || (known.length === 0 ? '.' : `; it has ${known.join(', ')}.`);
  return new ApiError('SVC_RUNTIME_VALIDATION_FAILED', `"${shape.path}" has no stored column "${name}"${meant}`, {
    column: name,
    columns: known,
  });
}

function toColumn(view: View, { name, position, type, fields }: BaseColumn): Column {
  const readers = fields.map((path) => view.stored(path));
  return {
    name,
    type: bare(type),
    states: readers.map(({ state }) => state),
    codeOf(row) {
      let code = row[position] as number;
      for (const reader of readers) code = code === NONE ? NONE : reader.codeOf(code);
      return code;
    },
    async allCodes(order, deadline) {
      const arity = order.size === 0 ? 1 : order.codes.length / order.size;
      let codes = new Int32Array(order.size);
      for (let row = 0, at = position; row < order.size; row++, at += arity) codes[row] = order.codes[at] as number;
      for (const reader of readers) codes = await valuesAt(reader, codes, deadline);
      return codes;
    },
  };
}

/** The values of a field for many individuals. */
async function valuesAt(
  reader: RelationReader,
  holders: Int32Array,
  deadline: Deadline,
): Promise<Int32Array<ArrayBuffer>> {
  await reader.prepare([0], deadline);
  const found = new Int32Array(holders.length);
  for (let index = 0; index < holders.length; index++) {
    const holder = holders[index] as number;
    found[index] = holder === NONE ? NONE : reader.codeOf(holder);
    if (index % BLOCK_ITEMS === 0) await deadline.checkpoint();
  }
  return found;
}
