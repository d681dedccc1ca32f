/** Cuts the rows of a file into parts for one request each, of a size that suits the server. */

import type { FileRow, Table } from './import-file.js';
import type { CellProblem, RowLines } from './row-lines.js';

/** A row that the client cannot read, or that the server rejects. */
export interface RejectedRow {
  /** The row's number: of its line for CSV, counted from 0 for JSON. */
  readonly place: number;
  readonly row: FileRow;
  readonly problems: readonly CellProblem[];
}

export interface ImportPart {
  /** How many rows of the file come before it, and how many up to its end. */
  readonly from: number;
  readonly to: number;
  /** The rows to send. */
  readonly lines: readonly string[];
  /** For each of them, its row in the file, and that row's number. */
  readonly rows: readonly FileRow[];
  readonly places: readonly number[];
  /** Rows that cannot be read. */
  readonly rejected: readonly RejectedRow[];
}

export interface PartSize {
  /** The least characters of a part, unless it is the last. */
  readonly characters: number;
  readonly rowsMax: number;
}

/** Skips rows of the file that were imported before. `sizeOf` is asked at the beginning of each part. */
export async function* partsOf(
  { rows: batches, sample: { format } }: Table,
  write: RowLines['write'],
  sizeOf: () => PartSize,
  skipped = 0,
): AsyncGenerator<ImportPart, void> {
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
        part.lines.push(line);
        part.rows.push(row);
        part.places.push(place);
        part.characters += line.length + 1;
      } else {
        part.rejected.push({ place, row, problems: line });
        part.characters += REJECTED_CHARACTERS;
      }
      part.to = index;
      if (part.characters < size.characters && part.to - part.from < size.rowsMax) continue;
      yield part;
      size = sizeOf();
      part = emptyPart(index);
    }
  }
  if (part.to > part.from) yield part;
}

/** What a rejected row counts for, so that a file of such rows is read in parts too. */
const REJECTED_CHARACTERS = 200;

function emptyPart(from: number) {
  const arrays = { lines: [] as string[], rows: [] as FileRow[], places: [] as number[] };
  return { from, to: from, characters: 0, ...arrays, rejected: [] as RejectedRow[] };
}

/** Two parts for one that was too large for the server. */
export function halves(part: ImportPart): readonly ImportPart[] {
  const { from, to, lines, rows, places, rejected } = part;
  const middle = lines.length >> 1;
  const cut = (start: number, end: number) => ({
    lines: lines.slice(start, end),
    rows: rows.slice(start, end),
    places: places.slice(start, end),
  });
  // The first row of the second half, and the rejected rows before it, tell how many rows the first half has.
  const split = places[middle] ?? Number.POSITIVE_INFINITY;
  const early = rejected.filter(({ place }) => place < split);
  const end = from + middle + early.length;
  return [
    { from, to: end, ...cut(0, middle), rejected: early },
    { from: end, to, ...cut(middle, lines.length), rejected: rejected.slice(early.length) },
  ];
}

/** Doubles the size of parts while the server is quick, and halves it once it is slow. */
export function createPartSizer(rowsMax = Number.POSITIVE_INFINITY) {
  let characters = CHARACTERS_FIRST;
  return {
    size: (): PartSize => ({ characters, rowsMax }),
    /** `tookMs` is how long the server took for a part. */
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

// Larger parts do not cost less for each row (bench:data).
const CHARACTERS_FIRST = 2 ** 20;
const CHARACTERS_MAX = 2 ** 21;
const CHARACTERS_MIN = 2 ** 12;
/** A part that takes longer delays other writers, and the progress that the user sees. */
const SLOW_MS = 2_000;
const QUICK_MS = 500;
