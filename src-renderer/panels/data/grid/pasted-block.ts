/** A block of cells, as spreadsheets put it on the clipboard: what it sets in the rows of a list. */

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

/** Rows of cells, all as long as the longest. */
export type Block = readonly (readonly Cell[])[];

/** The cells of a spreadsheet stand between tabs. */
export function blockOf(text: string, delimiter = '\t'): Block {
  const { rows } = readDelimited(text.replace(/\r\n?/g, '\n'), { delimiter, isClipboard: true });
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  return rows.map(({ cells }) => [...cells, ...Array.from({ length: width - cells.length }, () => null)]);
}

/** A column, and where its value stands in a row's cells. */
export interface PlacedColumn {
  readonly column: GridColumn;
  readonly position: number;
}

/**
 * The columns that a block is for, and its rows of values. Rows that a grid has copied begin with the names of their columns, and are
 * for the columns of those names, hidden ones too; an id is skipped, since none can be set. Any other block is for the `shown` columns,
 * and so are rows of another list, below their names. `copied` are the names that were copied last.
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
  /** Those that the block is for, and any behind them. */
  readonly columns: readonly PlacedColumn[];
  readonly rows: readonly GridRow[];
  /** By class, whose ids those names are that mean one individual alone. */
  readonly named: Named;
}

export type Named = ReadonlyMap<string, ReadonlyMap<string, string>>;

interface PastedCell {
  readonly row: GridRow;
  readonly field: Field;
  readonly cell: Cell;
}

type Refusal = { readonly reason: string };

/** By class, what is no id among the cells that are for references. */
export function namesIn(columns: readonly GridColumn[], block: Block): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const [at, { type, source }] of columns.entries()) {
    if (source.kind === 'individual' || source.kind === 'id' || type.kind !== 'class') continue;
    const texts = block.map((row) => row[at]?.trim() ?? '').filter((text) => text !== '' && !looksLikeReference(text));
    names.set(type.path, new Set([...(names.get(type.path) ?? []), ...texts]));
  }
  return names;
}

/** A row of the block for each row: what it sets in all of them, or why one of its cells cannot be put there. A block of one row may be for many. */
export function pastedSets(on: PastedOn, block: Block): readonly StagedSet[] | Refusal {
  const [first = []] = block;
  const { length } = on.columns;
  if (first.length > length) {
    return { reason: `The block is ${counted(first.length, 'column')} wide, and ${there(length)}.` };
  }
  if (block.length > 1 && block.length > on.rows.length) {
    const has = `The block has ${numberText(block.length)} rows, and ${there(on.rows.length)}`;
    return { reason: `${has}. Rows that are new come in with Import.` };
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

/** Those cells of a column that are to be another than what they show. */
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
        : { whyNot: 'A new row is edited as a whole: F2 opens it.' };
    if (settable === undefined) continue;
    const isStaged = 'field' in settable && staged.byIndividual.get(settable.entity.$id)?.[settable.field.name];
    if (!isStaged && cell === cellOf(value)) continue;
    if ('whyNot' in settable) return { reason: `${column.title} of ${labelOf(row)} cannot be set. ${settable.whyNot}` };
    cells.push({ row, field: settable.field, cell });
  }
  return cells;
}

/** As an import reads them, with how they write numbers and dates. */
function setsOf(
  { schema, staged, named }: PastedOn,
  column: GridColumn,
  cells: readonly PastedCell[],
): readonly StagedSet[] | Refusal {
  const [first] = cells;
  if (first === undefined) return [];
  // The first column is of the individual itself, and sets a text.
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
    remedies: { numbers: 'write it without separators of thousands', dates: 'write it with its year first' },
  });
  const [problem] = problems;
  if (problem !== undefined) {
    const row = cells[problem.row]?.row;
    return { reason: `${column.title} of ${row === undefined ? '' : labelOf(row)}: ${problem.message}` };
  }
  const stranger = idOf && cells.find(({ cell }) => isNobody(textOf(cell), idOf));
  if (stranger !== undefined) {
    const told = `"${textOf(stranger.cell)}" is no id, and not what one ${shortName(path ?? '')} alone is called.`;
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

/** A number as the server writes it, so that `640.00` is what `640` is. */
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

function there(count: number): string {
  return `from here on there ${count === 1 ? 'is one' : `are ${numberText(count)}`}`;
}

function counted(count: number, word: string): string {
  return `${numberText(count)} ${word}${count === 1 ? '' : 's'}`;
}
