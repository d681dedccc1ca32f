/** The rows of whole lists in blocks, so that no more than a block is in wire form at once. */

import type { JsonValue, WireType } from '../../api/schemas/schemas.js';
import type { CodedColumn, TypedColumn } from '../../api/tables/coded-rows.js';
import type { Type } from '../../artifact/types.js';
import type { Deadline, MaybePromise } from '../../base/ports.js';
import { bare, type Program } from '../../engine/index.js';
import type { StreamedRows } from '../contract/requests.js';
import { conceptsBelow } from './entities.js';

export type RowBlocks = AsyncGenerator<StreamedRows, void>;

/** Rows of a block: about 100 kB of text. */
const BLOCK_ROWS = 1024;

/** A row for each item. A block is made when it is asked for. */
export async function* inBlocks<T>(
  items: Iterable<T>,
  rowOf: (item: T) => MaybePromise<JsonValue>,
  deadline: Deadline,
): AsyncGenerator<readonly JsonValue[], void> {
  let block: JsonValue[] = [];
  for (const item of items) {
    const row = rowOf(item);
    block.push(row instanceof Promise ? await row : row);
    if (block.length < BLOCK_ROWS) continue;
    yield block;
    block = [];
    const pause = deadline.checkpoint();
    if (pause !== undefined) await pause;
  }
  if (block.length > 0) yield block;
}

/** Rows as codes. `codesOf` has those of the rows between two places. */
export async function* inCodedBlocks(
  columns: readonly CodedColumn[],
  size: number,
  codesOf: (from: number, to: number) => Int32Array,
  deadline: Deadline,
): RowBlocks {
  for (let from = 0; from < size; from += BLOCK_ROWS) {
    const to = Math.min(size, from + BLOCK_ROWS);
    yield { columns, size: to - from, codes: codesOf(from, to) };
    const pause = deadline.checkpoint();
    if (pause !== undefined) await pause;
  }
}

/**
 * The columns of values of this type as a table: the fields of a record, or the id and the fields of individuals, those of their
 * subclasses included. Any other value has one column.
 */
export function tableColumns(program: Program, type: Type): TypedColumn[] {
  const plain = bare(type);
  if (plain.kind === 'record') return plain.fields.map(typedColumn);
  return plain.kind === 'class' ? individualColumns(program, [plain.path]) : [typedColumn({ name: 'value', type })];
}

export function typedColumn({ name, type }: { readonly name: string; readonly type: Type }): TypedColumn {
  return { name, type: type as WireType };
}

/** The id and the fields of all individuals of these classes. */
export function individualColumns(program: Program, classes: readonly string[]): TypedColumn[] {
  const columns = new Map<string, TypedColumn>([['$id', { name: '$id', type: { kind: 'class', path: '' } }]]);
  for (const path of [...classes, ...conceptsBelow(program, new Set(classes))]) {
    for (const field of program.classes.get(path)?.fields ?? []) {
      const known = columns.get(field.name);
      const isSame = known === undefined || JSON.stringify(known.type) === JSON.stringify(field.type);
      columns.set(field.name, isSame ? typedColumn(field) : { name: field.name, type: undefined });
    }
  }
  return [...columns.values()];
}
