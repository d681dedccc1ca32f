/**
 * Writes rows whose cells are codes as text. Each distinct value of a column is decoded and quoted once, which pays in `bench:data -- export`
 * where most values repeat.
 */

import { andThen, type MaybePromise } from '../../base/ports.js';
import type { JsonValue, WireType } from '../schemas/schemas.js';
import { cellOf } from './cell-values.js';
import { lineEndOf, writeDelimited, writtenCell } from './delimited-text.js';
import type { TextForm } from './row-form.js';

/** A column of a table. Its type is undefined if its values have several. */
export interface TypedColumn {
  readonly name: string;
  readonly type: WireType | undefined;
}

/** Rows of a table. Equal codes of a column are equal values, in all rows of a stream. */
export interface CodedRows {
  readonly columns: readonly CodedColumn[];
  readonly size: number;
  /** Row by row, a code for each column. */
  readonly codes: Int32Array;
}

export interface CodedColumn {
  readonly name: string;
  wireOf(code: number): MaybePromise<JsonValue>;
}

/** Writes the blocks of one stream. */
export type CodedWriter = (rows: CodedRows) => Promise<string>;

export function createCodedWriter(form: TextForm): CodedWriter {
  let cells: readonly Cells[] | undefined;
  return async ({ columns, size, codes }) => {
    cells ??= columns.map((column, at) => new Cells(column, cellForm(form, columns, at)));
    const pieces: string[] = [];
    let at = 0;
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < cells.length; column++) {
        const of = cells[column] as Cells;
        const text = of.textOf(codes[at++] as number);
        pieces.push(typeof text === 'string' ? text : await text);
      }
    }
    return pieces.join('');
  };
}

/** Characters of written cells that are remembered of a column. */
const REMEMBERED_CHARACTERS_MAX = 2_000_000;

class Cells {
  private readonly column: CodedColumn;
  private readonly form: CellForm;
  private readonly texts = new Map<number, string>();
  private characters = 0;
  /** Rows are sorted, so a cell is often that of the row before. */
  private lastCode: number | undefined;
  private lastText = '';

  constructor(column: CodedColumn, form: CellForm) {
    this.column = column;
    this.form = form;
  }

  textOf(code: number): MaybePromise<string> {
    if (code === this.lastCode) return this.lastText;
    const known = this.texts.get(code);
    if (known === undefined) return andThen(this.column.wireOf(code), (value) => this.remember(code, this.form(value)));
    this.lastCode = code;
    this.lastText = known;
    return known;
  }

  private remember(code: number, text: string): string {
    this.characters += text.length;
    if (this.characters > REMEMBERED_CHARACTERS_MAX) {
      this.texts.clear();
      this.characters = text.length;
    }
    this.texts.set(code, text);
    return text;
  }
}

/** The text of a cell with what comes before it in its row, and what comes after the last one. */
type CellForm = (value: JsonValue) => string;

function cellForm(form: TextForm, columns: readonly CodedColumn[], at: number): CellForm {
  const isLast = at === columns.length - 1;
  if (form === 'jsonl') {
    const before = `${at === 0 ? '{' : ','}${JSON.stringify(columns[at]?.name)}:`;
    const after = isLast ? '}\n' : '';
    return (value) => `${before}${JSON.stringify(value)}${after}`;
  }
  const delimiter = form === 'tsv' ? '\t' : ',';
  if (columns.length === 1) return (value) => writeDelimited([[cellOf(value)]], delimiter);
  const before = at === 0 ? '' : delimiter;
  const after = isLast ? lineEndOf(delimiter) : '';
  return (value) => `${before}${writtenCell(cellOf(value), delimiter)}${after}`;
}
