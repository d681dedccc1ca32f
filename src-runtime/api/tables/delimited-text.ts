/**
 * Reads and writes delimited text (RFC 4180): CSV files, whole or as they arrive, and cells on the clipboard. A cell with nothing or
 * only blanks is null; `""` is an empty text. The reader reads back what the writer wrote. docs/decisions/0006-own-readers.md says why
 * it is our own.
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
  /** A cell of exactly this text, without quotes, is null. */
  readonly nullWord?: string | undefined;
  readonly rowsMax?: number;
  /** The number of the first line of the text, in the file. */
  readonly firstLine?: number;
}

/** Reads the rows of the text. In a file, blank lines are skipped, and a misplaced quote is a problem. */
export function readDelimited(text: string, options: ReadOptions): DelimitedText {
  const reader = createDelimitedReader(options);
  const rows = reader.read(text, true);
  return { rows, ...(reader.problem !== undefined && { problem: reader.problem }) };
}

export interface DelimitedReader {
  /** The rows that end in the text so far. `isLast` says that no more text follows. */
  read(text: string, isLast: boolean): TextRow[];
  /** Why reading stopped. */
  readonly problem: string | undefined;
}

/** Reads text piece by piece. It keeps only the row that is not complete yet. */
export function createDelimitedReader(options: ReadOptions): DelimitedReader {
  const { delimiter, isClipboard = false, nullWord, rowsMax = Number.POSITIVE_INFINITY, firstLine = 1 } = options;
  const code = delimiter.charCodeAt(0);
  const cursor: Cursor = { text: '', delimiter: code, isClipboard, nullWord, isLast: false, at: 0, line: firstLine };
  let problem: string | undefined;
  return {
    read(text, isLast) {
      const rows: TextRow[] = [];
      cursor.text = cursor.text.slice(cursor.at) + text;
      cursor.at = 0;
      cursor.isLast = isLast;
      while (problem === undefined && cursor.at < cursor.text.length && rows.length < rowsMax) {
        const { at, line } = cursor;
        const cells = readCells(cursor);
        if (Array.isArray(cells)) {
          if (isClipboard || cells.length > 1 || cells[0] !== null) rows.push({ line, cells });
        } else if (cells === INCOMPLETE && cursor.text.length - at < ROW_CHARACTERS_MAX) {
          cursor.at = at;
          cursor.line = line;
          break;
        } else {
          problem = cells === INCOMPLETE ? tooLong(line) : cells.problem;
        }
      }
      return rows;
    },
    get problem() {
      return problem;
    },
  };
}

/** Bounds the memory that reading needs, also where quotes are never closed. No request could carry a longer row. */
const ROW_CHARACTERS_MAX = 2 ** 22;

/** Writes a line for each row. */
export function writeDelimited(rows: Iterable<readonly Cell[]>, delimiter: string): string {
  const lineEnd = lineEndOf(delimiter);
  const lines: string[] = [];
  for (const row of rows) {
    const line = row.map((cell) => writtenCell(cell, delimiter)).join(delimiter);
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

/** RFC 4180 ends the lines of CSV with both characters; programs that take cells from the clipboard expect one. */
export function lineEndOf(delimiter: string): string {
  return delimiter === '\t' ? '\n' : '\r\n';
}

export function writtenCell(cell: Cell, delimiter: string): string {
  if (cell === null) return '';
  return needsQuotes(cell, delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Without quotes an empty text would read as null, and readers may trim blanks at the ends. */
function needsQuotes(text: string, delimiter: string): boolean {
  return text === '' || text !== text.trim() || text.includes(delimiter) || /["\r\n\0]/.test(text);
}

interface Cursor {
  text: string;
  /** The character code. */
  readonly delimiter: number;
  readonly isClipboard: boolean;
  readonly nullWord: string | undefined;
  isLast: boolean;
  at: number;
  line: number;
}

/** The text so far ends within the row. */
const INCOMPLETE = Symbol('incomplete');

interface Problem {
  readonly problem: string;
}

/** Leaves the cursor behind the end of the row. */
function readCells(cursor: Cursor): Cell[] | Problem | typeof INCOMPLETE {
  const cells: Cell[] = [];
  for (;;) {
    const read = readCell(cursor);
    if (read === INCOMPLETE || (typeof read === 'object' && read !== null)) return read;
    cells.push(read);
    if (cursor.text.charCodeAt(cursor.at) !== cursor.delimiter) break;
    cursor.at++;
  }
  return skipLineEnd(cursor) ? cells : INCOMPLETE;
}

/** Leaves the cursor on the delimiter or the end of line behind the cell. */
function readCell(cursor: Cursor): Cell | Problem | typeof INCOMPLETE {
  if (cursor.text.charCodeAt(cursor.at) === QUOTE) {
    const read = readQuoted(cursor);
    if (read !== undefined) return read;
  }
  return readPlain(cursor);
}

function readPlain(cursor: Cursor): Cell | Problem {
  const { text, delimiter, nullWord, at: start } = cursor;
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
  // Only a blank that is not a space makes the cell blank here, such as a tab or a no-break space.
  const first = cell.charCodeAt(0);
  if ((first <= BLANK || first > DELETE) && cell.trim() === '') return null;
  return cell === nullWord ? null : cell;
}

/** Undefined if the quote belongs to the text of the cell. */
function readQuoted(cursor: Cursor): string | Problem | typeof INCOMPLETE | undefined {
  const { text, isClipboard, isLast, at: start, line } = cursor;
  let isDoubled = false;
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text.charCodeAt(end + 1) === QUOTE) {
    isDoubled = true;
    end = text.indexOf('"', end + 2);
  }
  if (end < 0) {
    if (!isLast) return INCOMPLETE;
    return isClipboard ? undefined : { problem: unclosed(line) };
  }
  const quoted = text.slice(start + 1, end);
  const cell = isDoubled ? quoted.replaceAll('""', '"') : quoted;
  const lineOfEnd = line + lineEnds(quoted);
  let behind = end + 1;
  if (!isClipboard) while (text.charCodeAt(behind) === BLANK && cursor.delimiter !== BLANK) behind++;
  // What follows decides whether this quote closes the cell.
  if (behind >= text.length && !isLast) return INCOMPLETE;
  if (isClipboard) {
    if (!endsCell(cursor, behind) || !needsQuotes(cell, String.fromCharCode(cursor.delimiter))) return undefined;
  } else if (!endsCell(cursor, behind)) {
    const message = 'a cell continues after its closing quote; write a quote inside a cell twice.';
    return { problem: `In line ${lineOfEnd}, ${message}` };
  }
  cursor.at = behind;
  cursor.line = lineOfEnd;
  return cell;
}

function unclosed(line: number): string {
  return `The quotes that begin in line ${line} are never closed.`;
}

function tooLong(line: number): string {
  const most = `${ROW_CHARACTERS_MAX / 2 ** 20} million characters`;
  return `The row that begins in line ${line} has more than ${most}. Perhaps its quotes are never closed.`;
}

function endsCell({ text, delimiter }: Cursor, at: number): boolean {
  if (at >= text.length) return true;
  const code = text.charCodeAt(at);
  return code === delimiter || code === LINE_FEED || code === CARRIAGE_RETURN;
}

/** False if the text so far may end within the row or within its line end. */
function skipLineEnd(cursor: Cursor): boolean {
  const { text, at, isLast } = cursor;
  if (at >= text.length) return isLast;
  if (text.charCodeAt(at) === CARRIAGE_RETURN) {
    if (at + 1 >= text.length && !isLast) return false;
    cursor.at += text.charCodeAt(at + 1) === LINE_FEED ? 2 : 1;
  } else {
    cursor.at++;
  }
  cursor.line++;
  return true;
}

function lineEnds(text: string): number {
  return text.match(/\r\n?|\n/g)?.length ?? 0;
}

const [NUL, LINE_FEED, CARRIAGE_RETURN, BLANK, QUOTE, DELETE] = [0, 10, 13, 32, 34, 127];
