/** CSV with a head line, as spreadsheets write it: quotes, line ends inside of quotes, and whichever delimiter the head line has. */

export interface Csv {
  readonly columns: readonly string[];
  readonly records: readonly (readonly string[])[];
  /** On which each record begins, from 1. */
  readonly lines: readonly number[];
}

export type CsvReading = { readonly ok: true; readonly csv: Csv } | { readonly ok: false; readonly problem: string };

const DELIMITERS = [',', ';', '\t', '|'];

/** Empty lines are passed over. A record with more or fewer cells than the head line is refused, by its line. */
export function readCsv(text: string): CsvReading {
  const plain = text.replace(/^\uFEFF/, '');
  const lines = splitLines(plain, delimiterOf(plain)).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const [head, ...records] = lines;
  if (head === undefined) return { ok: false, problem: 'it is empty' };
  const columns = head.cells.map((cell) => cell.trim());
  const wrong = records.find(({ cells }) => cells.length !== columns.length);
  if (wrong === undefined) {
    const csv = { columns, records: records.map(({ cells }) => cells), lines: records.map((record) => record.line) };
    return { ok: true, csv };
  }
  const { line, cells } = wrong;
  return { ok: false, problem: `line ${line} has ${cells.length} cells, and the head line has ${columns.length}` };
}

/** The one that the head line has most of, outside of quotes. */
function delimiterOf(text: string): string {
  const head =
    text
      .slice(0, 10_000)
      .replace(/"[^"]*"/g, '')
      .split(/\r?\n/, 1)[0] ?? '';
  const counts = DELIMITERS.map((delimiter) => head.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

interface Line {
  /** On which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

function splitLines(text: string, delimiter: string): Line[] {
  const lines: Line[] = [];
  let cells: string[] = [];
  let line = 1;
  let begun = 1;
  let at = 0;
  while (at <= text.length) {
    const cell = text[at] === '"' ? quotedCell(text, at, delimiter) : bareCell(text, at, delimiter);
    cells.push(cell.value);
    line += cell.lines;
    at = cell.end;
    if (text[at] === delimiter) {
      at += 1;
      continue;
    }
    lines.push({ line: begun, cells });
    at += text[at] === '\r' ? 2 : 1;
    line += 1;
    begun = line;
    cells = [];
  }
  return lines;
}

interface Cell {
  readonly value: string;
  /** Where its delimiter or line end stands. */
  readonly end: number;
  /** Line ends in it. */
  readonly lines: number;
}

function bareCell(text: string, from: number, delimiter: string): Cell {
  let end = from;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end += 1;
  if (text[end] === '\n' && text[end - 1] === '\r' && end > from) end -= 1;
  return { value: text.slice(from, end), end, lines: 0 };
}

/** Two quotes stand for one. What stands between the closing quote and the delimiter belongs to the cell as it is. */
function quotedCell(text: string, from: number, delimiter: string): Cell {
  let value = '';
  let end = from + 1;
  for (;;) {
    const quote = text.indexOf('"', end);
    const stop = quote < 0 ? text.length : quote;
    value += text.slice(end, stop);
    end = stop + 1;
    if (text[end] !== '"') break;
    value += '"';
    end += 1;
  }
  const rest = bareCell(text, Math.min(end, text.length), delimiter);
  return { value: value + rest.value, end: rest.end, lines: value.split('\n').length - 1 };
}
