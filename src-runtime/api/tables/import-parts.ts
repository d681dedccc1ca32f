/** Cuts the rows of a file into parts for one request each, of a size that suits the server. */

import type { Cell } from './delimited-text.js';
import type { FileRow, Table } from './import-file.js';
import type { RejectedRow, RowLines } from './row-lines.js';

export interface ImportPart {
  /** How many rows of the file come before it, and how many up to its end. */
  readonly from: number;
  readonly to: number;
  /** The rows to send, a line each. Like all arrays here, valid until the part after the next one is read. */
  readonly lines: Uint8Array;
  /** For each line, the number of its row in the file. */
  readonly places: Uint32Array;
  /** For each line, a line of JSON with the cells or members of its row in the file; empty if rows are not kept. */
  readonly kept: Uint8Array;
  /** A line of JSON for each row that cannot be read. */
  readonly unreadable: Uint8Array;
}

export interface PartSize {
  /** The least characters of a part, unless it is the last. */
  readonly characters: number;
  readonly rowsMax: number;
}

export interface PartOptions {
  /** Rows of the file that were imported before. */
  readonly skipped: number;
  /** Whether rows are kept, for a file of rejected rows. */
  readonly keepsRows: boolean;
  /** Asked at the beginning of each part. */
  readonly sizeOf: () => PartSize;
}

/**
 * Rows are written to two sets of buffers in turn: objects and strings that live as long as a part would let the heap grow
 * beyond the 150 MB that an import may need (bench:data).
 */
export async function* partsOf(
  { rows: batches, sample: { format } }: Table,
  write: RowLines['write'],
  { skipped, keepsRows, sizeOf }: PartOptions,
): AsyncGenerator<ImportPart, void> {
  let [buffer, other] = [createPartBuffer(), createPartBuffer()];
  let index = 0;
  let size = sizeOf();
  let part = emptyPart(skipped);
  for await (const batch of batches) {
    for (const row of batch) {
      const at = index++;
      if (at < skipped) continue;
      const place = format === 'csv' ? row.line : at;
      const line = write(row);
      if (typeof line === 'string') {
        buffer.add(line, place, keepsRows ? JSON.stringify(valuesOf(row)) : undefined);
        part.characters += line.length + 1;
      } else {
        buffer.addUnreadable(JSON.stringify([place, valuesOf(row), line]));
        part.characters += REJECTED_CHARACTERS;
      }
      part.to = index;
      if (part.characters < size.characters && part.to - part.from < size.rowsMax) continue;
      yield { ...part, ...buffer.take() };
      [buffer, other] = [other, buffer];
      size = sizeOf();
      part = emptyPart(index);
    }
  }
  if (part.to > part.from) yield { ...part, ...buffer.take() };
}

/** What a rejected row counts for, so that a file of such rows is read in parts too. */
const REJECTED_CHARACTERS = 200;

function emptyPart(from: number) {
  return { from, to: from, characters: 0 };
}

type Values = Extract<FileRow, { cells: unknown }>['cells'] | Extract<FileRow, { record: unknown }>['record'];

function valuesOf(row: FileRow): Values {
  return 'record' in row ? row.record : row.cells;
}

function rowOf(line: number, values: Values): FileRow {
  return isCells(values) ? { line, cells: values } : { line, record: values };
}

function isCells(values: Values): values is readonly Cell[] {
  return Array.isArray(values);
}

/** What was taken is overwritten by the next lines. */
function createPartBuffer() {
  const lines = createLineBuffer();
  const kept = createLineBuffer();
  const unreadable = createLineBuffer();
  let places = new Uint32Array(PLACES_MIN);
  let count = 0;
  return {
    add(line: string, place: number, row: string | undefined): void {
      if (count === places.length) {
        const larger = new Uint32Array(2 * count);
        larger.set(places);
        places = larger;
      }
      places[count++] = place;
      lines.add(line);
      if (row !== undefined) kept.add(row);
    },
    addUnreadable: unreadable.add,
    take() {
      const bytes = { lines: lines.take(), kept: kept.take(), unreadable: unreadable.take() };
      const taken = places.subarray(0, count);
      count = 0;
      return { ...bytes, places: taken };
    },
  };
}

/** Collects lines as bytes. */
function createLineBuffer() {
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(CHARACTERS_MIN);
  let used = 0;
  let text = '';
  const flush = (): void => {
    // No character has more bytes.
    const needed = used + 3 * text.length;
    if (needed > bytes.length) {
      const larger = new Uint8Array(2 * needed);
      larger.set(bytes.subarray(0, used));
      bytes = larger;
    }
    used += encoder.encodeInto(text, bytes.subarray(used)).written;
    text = '';
  };
  return {
    add(line: string): void {
      text += `${line}\n`;
      if (text.length > FLUSHED_CHARACTERS) flush();
    },
    take(): Uint8Array {
      flush();
      const taken = bytes.subarray(0, used);
      used = 0;
      return taken;
    },
  };
}

const FLUSHED_CHARACTERS = 2 ** 14;
const PLACES_MIN = 2 ** 12;

/** A row that the server rejected, by its line in the part. */
export interface RefusedRow {
  readonly row: number;
  readonly field: string;
  readonly message: string;
}

/** The rows of the part that cannot be read or that the server rejected, in the order of the file. */
export function rejectedRows(part: ImportPart, refused: readonly RefusedRow[]): RejectedRow[] {
  const { places, kept, unreadable } = part;
  const all = unreadableRows(unreadable);
  let [line, start] = [0, 0];
  for (const { row: at, field, message } of refused.toSorted((a, b) => a.row - b.row)) {
    const place = places[at];
    if (place === undefined) continue;
    for (; line < at; line++) start = kept.indexOf(LINE_FEED, start) + 1;
    const values = JSON.parse(textOf(kept.subarray(start, kept.indexOf(LINE_FEED, start)))) as Values;
    all.push({ row: rowOf(place, values), place, problems: [{ field, message }] });
  }
  return all.sort((a, b) => a.place - b.place);
}

function unreadableRows(unreadable: Uint8Array): RejectedRow[] {
  const lines = textOf(unreadable).split('\n').slice(0, -1);
  return lines.map((line) => {
    const [place, values, problems] = JSON.parse(line) as [number, Values, RejectedRow['problems']];
    return { row: rowOf(place, values), place, problems };
  });
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Two parts for one that was too large for the server. */
export function halves({ from, to, lines, places, kept, unreadable }: ImportPart): readonly ImportPart[] {
  const middle = places.length >> 1;
  // The first row of the second half, and the unreadable rows before it, tell how many rows the first half has.
  const split = places[middle] ?? Number.POSITIVE_INFINITY;
  const early = unreadableRows(unreadable).filter(({ place }) => place < split).length;
  const end = from + middle + early;
  const [byte, keptByte] = [endOfLines(lines, middle), kept.length > 0 ? endOfLines(kept, middle) : 0];
  const unreadableByte = endOfLines(unreadable, early);
  return [
    {
      ...{ from, to: end, lines: lines.subarray(0, byte), places: places.subarray(0, middle) },
      ...{ kept: kept.subarray(0, keptByte), unreadable: unreadable.subarray(0, unreadableByte) },
    },
    {
      ...{ from: end, to, lines: lines.subarray(byte), places: places.subarray(middle) },
      ...{ kept: kept.subarray(keptByte), unreadable: unreadable.subarray(unreadableByte) },
    },
  ];
}

function endOfLines(bytes: Uint8Array, count: number): number {
  let end = 0;
  for (let line = 0; line < count; line++) end = bytes.indexOf(LINE_FEED, end) + 1;
  return end;
}

const LINE_FEED = 10;

/**
 * Begins with small parts, so that none takes minutes on a slow line. Halves their size once a part is slow, and doubles it again while
 * they are quick.
 */
export function createPartSizer(rowsMax = Number.POSITIVE_INFINITY) {
  let characters = CHARACTERS_FIRST;
  return {
    size: (): PartSize => ({ characters, rowsMax }),
    /** `tookMs` is how long it took to send a part, until the server had saved it. */
    adapt(tookMs: number): void {
      if (tookMs < QUICK_MS) characters = Math.min(2 * characters, CHARACTERS_MAX);
      else if (tookMs > SLOW_MS) characters = Math.max(characters / 2, CHARACTERS_MIN);
    },
    /** The server refused a part for its size, or took too long. */
    shrink(): void {
      characters = Math.max(characters / 2, CHARACTERS_MIN);
    },
  };
}

// Larger parts cost 1 % less, but the failures of one with many rejected rows take 30 MB more (bench:data).
const CHARACTERS_MAX = 2 ** 19;
const CHARACTERS_FIRST = 2 ** 16;
const CHARACTERS_MIN = 2 ** 12;
/** A part that takes longer delays other writers, and the progress that the user sees. */
const SLOW_MS = 2_000;
const QUICK_MS = 500;
