/**
 * Reads and writes delimited text (RFC 4180): CSV files, and cells on the clipboard. A cell with nothing or only blanks is null; `""`
 * is an empty text. The reader reads back what the writer wrote. docs/decisions/0006-own-readers.md says why it is our own.
 */

export type Cell = string | null;

export interface TextRow {
  /** The line on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly Cell[];
}

export interface DelimitedText {
  readonly rows: readonly TextRow[];
  /** Why reading stopped before the end of the text. */
  readonly problem?: string;
}

interface ReadOptions {
  readonly delimiter: string;
  /**
   * Spreadsheets put a cell in quotes on the clipboard only where it needs them. Any other quotes belong to the cell, and a blank
   * line is a row with an empty cell.
   */
  readonly isClipboard?: boolean;
  readonly rowsMax?: number;
  /** The offset to start at. */
  readonly from?: number;
}

/** Reads the rows of the text. In a file, blank lines are skipped, and a misplaced quote is a problem. */
export function readDelimited(text: string, options: ReadOptions): DelimitedText {
  const { delimiter, isClipboard = false, rowsMax = Number.POSITIVE_INFINITY, from = 0 } = options;
  const rows: TextRow[] = [];
  const line = 1 + lineEnds(text.slice(0, from));
  const cursor: Cursor = { text, delimiter: delimiter.charCodeAt(0), isClipboard, at: from, line };
  while (cursor.at < text.length && rows.length < rowsMax) {
    const { line } = cursor;
    const cells: Cell[] = [];
    let isRowEnd = false;
    while (!isRowEnd) {
      const read = readCell(cursor);
      if (typeof read === 'object' && read !== null) return { rows, problem: read.problem };
      cells.push(read);
      isRowEnd = text.charCodeAt(cursor.at) !== cursor.delimiter;
      if (!isRowEnd) cursor.at++;
    }
    skipLineEnd(cursor);
    if (isClipboard || cells.length > 1 || cells[0] !== null) rows.push({ line, cells });
  }
  return { rows };
}

/** Writes a line for each row. */
export function writeDelimited(rows: Iterable<readonly Cell[]>, delimiter: string): string {
  // RFC 4180 ends the lines of CSV with both characters; programs that take cells from the clipboard expect one.
  const lineEnd = delimiter === '\t' ? '\n' : '\r\n';
  const lines: string[] = [];
  for (const row of rows) {
    const line = row.map((cell) => written(cell, delimiter)).join(delimiter);
    // Readers skip a blank line. The delimiter makes it a row; an empty cell behind the last column means nothing.
    lines.push(line === '' ? delimiter : line);
  }
  return lines.map((line) => `${line}${lineEnd}`).join('');
}

const DELIMITERS = [',', '\t', '|', ';'];
const ROWS_SAMPLED = 10;

/** Detects the delimiter: the one that splits the first rows most evenly, or a comma. */
export function foundDelimiter(text: string): string {
  let best = { delimiter: ',', unevenness: Number.POSITIVE_INFINITY, width: 1 };
  for (const delimiter of DELIMITERS) {
    const { rows } = readDelimited(text, { delimiter, rowsMax: ROWS_SAMPLED });
    const width = rows[0]?.cells.length ?? 0;
    if (width < 2) continue;
    const unevenness = rows.reduce((sum, { cells }) => sum + Math.abs(cells.length - width), 0);
    const isBetter = unevenness === best.unevenness ? width > best.width : unevenness < best.unevenness;
    if (isBetter) best = { delimiter, unevenness, width };
  }
  return best.delimiter;
}

function written(cell: Cell, delimiter: string): string {
  if (cell === null) return '';
  return needsQuotes(cell, delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Without quotes an empty text would read as null, and readers may trim blanks at the ends. */
function needsQuotes(text: string, delimiter: string): boolean {
  return text === '' || text !== text.trim() || text.includes(delimiter) || /["\r\n\0]/.test(text);
}

interface Cursor {
  readonly text: string;
  /** The character code. */
  readonly delimiter: number;
  readonly isClipboard: boolean;
  at: number;
  line: number;
}

/** Leaves the cursor on the delimiter or the end of line behind the cell. */
function readCell(cursor: Cursor): Cell | { readonly problem: string } {
  if (cursor.text.charCodeAt(cursor.at) === QUOTE) {
    const read = readQuoted(cursor);
    if (read !== undefined) return read;
  }
  return readPlain(cursor);
}

function readPlain(cursor: Cursor): Cell | { readonly problem: string } {
  const { text, delimiter, at: start } = cursor;
  let at = start;
  let isBlank = true;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === delimiter || code === LINE_FEED || code === CARRIAGE_RETURN) break;
    if (code === NUL && !cursor.isClipboard) return { problem: 'This is not text. Save a workbook as CSV first.' };
    if (code !== BLANK) isBlank = false;
  }
  cursor.at = at;
  if (isBlank) return null;
  const cell = text.slice(start, at);
  return cell.trim() === '' ? null : cell;
}

/** Undefined if the quote belongs to the text of the cell. */
function readQuoted(cursor: Cursor): string | { readonly problem: string } | undefined {
  const { text, isClipboard, at: start, line } = cursor;
  let isDoubled = false;
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text.charCodeAt(end + 1) === QUOTE) {
    isDoubled = true;
    end = text.indexOf('"', end + 2);
  }
  if (end < 0) {
    return isClipboard ? undefined : { problem: `The quotes that begin in line ${line} are never closed.` };
  }
  const quoted = text.slice(start + 1, end);
  const cell = isDoubled ? quoted.replaceAll('""', '"') : quoted;
  const lineOfEnd = line + lineEnds(quoted);
  let behind = end + 1;
  if (isClipboard) {
    if (!endsCell(cursor, behind) || !needsQuotes(cell, String.fromCharCode(cursor.delimiter))) return undefined;
  } else {
    while (text.charCodeAt(behind) === BLANK && cursor.delimiter !== BLANK) behind++;
    if (!endsCell(cursor, behind)) {
      const message = 'a cell continues after its closing quote; write a quote inside a cell twice.';
      return { problem: `In line ${lineOfEnd}, ${message}` };
    }
  }
  cursor.at = behind;
  cursor.line = lineOfEnd;
  return cell;
}

function endsCell({ text, delimiter }: Cursor, at: number): boolean {
  if (at >= text.length) return true;
  const code = text.charCodeAt(at);
  return code === delimiter || code === LINE_FEED || code === CARRIAGE_RETURN;
}

function skipLineEnd(cursor: Cursor): void {
  const { text } = cursor;
  if (cursor.at >= text.length) return;
  cursor.at += text.startsWith('\r\n', cursor.at) ? 2 : 1;
  cursor.line++;
}

function lineEnds(text: string): number {
  return text.match(/\r\n?|\n/g)?.length ?? 0;
}

const [NUL, LINE_FEED, CARRIAGE_RETURN, BLANK, QUOTE] = [0, 10, 13, 32, 34];
