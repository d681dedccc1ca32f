/** Turns a block of cells from the clipboard into staged values of the rows of a list. */

import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue, WireType } from '../../../../src-runtime/api/schemas/schemas.js';
import { cellOf } from '../../../../src-runtime/api/tables/cell-values.js';
import { type Cell, readDelimited } from '../../../../src-runtime/api/tables/delimited-text.js';
import type { FileRecord } from '../../../../src-runtime/api/tables/import-file.js';
import { type Parameter, readRows } from '../../../../src-runtime/api/tables/import-rows.js';
import { decimalText, parseDecimal } from '../../../../src-runtime/base/decimal.js';
import { entityLabel, looksLikeReference } from '../../../model/facts/labels.js';
import { shortName } from '../../../model/facts/locations.js';
import { numberText } from '../../../model/text/count-text.js';
import { type Field, settableOf } from '../edit/settable.js';
import type { Staged } from '../edit/use-staged.js';
import type { GridColumn } from '../rows/grid-columns.js';
import { nameInText } from '../rows/rows-text.js';
import { viaOf } from '../rows/set-statements.js';
import type { StagedSet } from '../rows/staged.js';
import type { GridRow } from '../rows/use-rows.js';

/** Rows of cells, padded to the longest. */
export type Block = readonly (readonly Cell[])[];

/** Splits the text of the clipboard; spreadsheets separate cells by tabs. */
export function blockOf(text: string, delimiter = '\t'): Block {
  const { rows } = readDelimited(text.replace(/\r\n?/g, '\n'), { delimiter, isClipboard: true });
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  return rows.map(({ cells }) => [...cells, ...Array.from({ length: width - cells.length }, () => null)]);
}

/** A column, and the index of its value in a row's cells. */
export interface PlacedColumn {
  readonly column: GridColumn;
  readonly position: number;
}

/**
 * The columns that a block goes to, and its rows of values. Rows copied from a grid start with column names and go to the columns of
 * those names, hidden ones too; ids are skipped, since they cannot be set. Any other block goes to the `shown` columns, as do rows of
 * another list without their names. `copied` are the names that were copied last.
 */
export function placedBlock(
  columns: readonly GridColumn[],
  shown: readonly PlacedColumn[],
  block: Block,
  copied: readonly string[] = [],
): { readonly columns: readonly PlacedColumn[]; readonly block: Block } {
  const [head = [], ...rows] = block;
  const names = head.slice(0, head.findLastIndex((cell) => cell !== null) + 1);
  const positions = names.map((name) => columns.findIndex((column) => nameInText(column) === name));
  const isOfGrid = !positions.includes(-1) && new Set(positions).size === positions.length;
  const isCopied = names.length === copied.length && names.every((name, at) => name === copied[at]);
  if (names.length === 0 || rows.length === 0 || !(isOfGrid || isCopied)) return { columns: shown, block };
  const placed = positions.flatMap((position, at) => {
    const column = isOfGrid ? columns[position] : undefined;
    return column === undefined || isIdentity(column) ? [] : [{ column, position, at }];
  });
  if (placed.length === 0) return { columns: shown, block: rows.map((row) => row.slice(0, names.length)) };
  return { columns: placed, block: rows.map((row) => placed.map(({ at }) => row[at] ?? null)) };
}

function isIdentity({ source }: GridColumn): boolean {
  return source.kind === 'id' || (source.kind === 'individual' && source.field === undefined);
}

interface PastedOn {
  readonly schema: ServedSchema;
  readonly staged: Pick<Staged, 'byIndividual' | 'deletions'>;
  /** The columns that the block goes to, and those after them. */
  readonly columns: readonly PlacedColumn[];
  readonly rows: readonly GridRow[];
  /** By class, the ids of names that only one individual has. */
  readonly named: Named;
}

export type Named = ReadonlyMap<string, ReadonlyMap<string, string>>;

interface PastedCell {
  readonly row: GridRow;
  readonly field: Field;
  readonly cell: Cell;
}

type Refusal = { readonly reason: string };

/** By class, the cells of reference columns that are not ids. */
export function namesIn(columns: readonly GridColumn[], block: Block): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const [at, { type, source }] of columns.entries()) {
    if (source.kind === 'individual' || source.kind === 'id' || type.kind !== 'class') continue;
    const texts = block.map((row) => row[at]?.trim() ?? '').filter((text) => text !== '' && !looksLikeReference(text));
    names.set(type.path, new Set([...(names.get(type.path) ?? []), ...texts]));
  }
  return names;
}

/** The values that the block sets, or why it cannot be pasted. A block of one row may go to many. */
export function pastedSets(on: PastedOn, block: Block): readonly StagedSet[] | Refusal {
  const [first = []] = block;
  const { length } = on.columns;
  if (first.length > length) {
    return { reason: `The block has ${counted(first.length, 'column')}, and only ${numberText(length)} fit here.` };
  }
  if (block.length > 1 && block.length > on.rows.length) {
    const has = `The block has ${numberText(block.length)} rows, and only ${numberText(on.rows.length)} fit here.`;
    return { reason: `${has} To add rows, use Import.` };
  }
  const sets: StagedSet[] = [];
  for (const [at, { column, position }] of on.columns.slice(0, first.length).entries()) {
    const cells = cellsOf(on, column, position, (row) => (block[block.length === 1 ? 0 : row] ?? [])[at] ?? null);
    if ('reason' in cells) return cells;
    const read = setsOf(on, column, cells);
    if ('reason' in read) return read;
    sets.push(...read);
  }
  return sets;
}

/** The cells of a column whose values differ from the shown ones. */
function cellsOf(
  { schema, staged, rows }: PastedOn,
  column: GridColumn,
  position: number,
  cellAt: (row: number) => Cell,
): readonly PastedCell[] | Refusal {
  const cells: PastedCell[] = [];
  for (const [at, row] of rows.entries()) {
    const cell = cellAt(at);
    const value = row.cells[position] ?? null;
    const settable =
      row.inserted === undefined
        ? settableOf(schema, staged.deletions, { place: 0, column, row, value })
        : { whyNot: 'Press F2 to edit the new row.' };
    if (settable === undefined) continue;
    const isStaged = 'field' in settable && staged.byIndividual.get(settable.entity.$id)?.[settable.field.name];
    if (!isStaged && cell === cellOf(value)) continue;
    if ('whyNot' in settable) return { reason: `${column.title} of ${labelOf(row)} cannot be set. ${settable.whyNot}` };
    cells.push({ row, field: settable.field, cell });
  }
  return cells;
}

/** Reads cells as an import does, with the notation of their numbers and dates. */
function setsOf(
  { schema, staged, named }: PastedOn,
  column: GridColumn,
  cells: readonly PastedCell[],
): readonly StagedSet[] | Refusal {
  const [first] = cells;
  if (first === undefined) return [];
  // The label column sets the naming field, which is a text.
  const path = column.source.kind !== 'individual' && column.type.kind === 'class' ? column.type.path : undefined;
  const idOf = path === undefined ? undefined : (named.get(path) ?? NOBODY);
  const { name, type } = first.field;
  const via = viaOf(schema, first.field);
  const parameters: readonly Parameter[] = [{ name, type, required: type.kind !== 'optional' }];
  const records: readonly FileRecord[] = cells.map(({ cell }) => ({ [name]: idOf?.get(textOf(cell)) ?? cell }));
  const file = { format: 'csv', columns: [name], records, problems: [] } as const;
  const mapping = { [name]: name };
  const { rows, problems } = readRows(file, parameters, mapping, {
    enums: schema.enums,
    remedies: { numbers: 'write it without thousands separators', dates: 'write the year first' },
  });
  const [problem] = problems;
  if (problem !== undefined) {
    const row = cells[problem.row]?.row;
    return { reason: `${column.title} of ${row === undefined ? '' : labelOf(row)}: ${problem.message}` };
  }
  const stranger = idOf && cells.find(({ cell }) => isNobody(textOf(cell), idOf));
  if (stranger !== undefined) {
    const told = `"${textOf(stranger.cell)}" is neither an id nor the name of exactly one ${shortName(path ?? '')}.`;
    return { reason: `${column.title} of ${labelOf(stranger.row)}: ${told}` };
  }
  return cells.flatMap(({ row: { entity } }, at): readonly StagedSet[] => {
    if (entity === undefined) return [];
    const { $id: id } = entity;
    const change = staged.byIndividual.get(id)?.[name];
    const known = change === undefined ? ((entity[name] ?? null) as JsonValue) : change.known;
    const next = inShort(type, rows[at]?.[name] ?? null);
    if (JSON.stringify(next) === JSON.stringify(change === undefined ? known : change.next)) return [];
    const about = { id, label: entityLabel(entity), concept: entity.$meta.type };
    return [{ kind: 'set', ...about, field: name, type, ...(via && { via }), known, next }];
  });
}

const NOBODY: ReadonlyMap<string, string> = new Map();

/** A number in the form of the server, so that `640.00` equals `640`. */
function inShort(type: WireType, value: JsonValue): JsonValue {
  if (type.kind === 'optional') return inShort(type.of, value);
  const number = type.kind === 'scalar' && type.name === 'Decimal' ? parseDecimal(String(value)) : undefined;
  return number === undefined ? value : decimalText(number);
}

function isNobody(text: string, idOf: ReadonlyMap<string, string>): boolean {
  return text !== '' && !looksLikeReference(text) && !idOf.has(text);
}

function textOf(cell: Cell): string {
  return cell?.trim() ?? '';
}

function labelOf({ entity, inserted }: GridRow): string {
  return entity === undefined ? (inserted?.label ?? 'this row') : entityLabel(entity);
}

function counted(count: number, word: string): string {
  return `${numberText(count)} ${word}${count === 1 ? '' : 's'}`;
}
