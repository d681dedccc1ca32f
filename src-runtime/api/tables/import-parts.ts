/** Cuts the rows of a file into parts for one request each, of a size that suits the server. */

import type { FileRow, Table } from './import-file.js';
import type { RejectedRow, RowLines } from './row-lines.js';

export interface ImportPart {
  /** How many rows of the file come before it, and how many up to its end. */
  readonly from: number;
  readonly to: number;
  /** The rows to send, a line each. Like `places`, valid until the part after the next one is read. */
  readonly lines: Uint8Array;
  /** For each line, the number of its row in the file. */
  readonly places: Uint32Array;
  /** For each line, its row, if rows are kept. */
  readonly rows: readonly FileRow[];
  /** Rows that cannot be read. */
  readonly rejected: readonly RejectedRow[];
}

export interface PartSize {
  /** The least characters of a part, unless it is the last. */
  readonly characters: number;
  readonly rowsMax: number;
}

export interface PartOptions {
  /** Rows of the file that were imported before. */
  readonly skipped: number;
  /** Whether parts have the rows themselves, for a file of rejected rows. */
  readonly keepsRows: boolean;
  /** Asked at the beginning of each part. */
  readonly sizeOf: () => PartSize;
}

/**
 * Lines are written to two buffers in turn: strings that live as long as a part would make the garbage collector let the heap grow to
 * several times the 150 MB that an import may need (bench:data).
 */
export async function* partsOf(
  { rows: batches, sample: { format } }: Table,
  write: RowLines['write'],
  { skipped, keepsRows, sizeOf }: PartOptions,
): AsyncGenerator<ImportPart, void> {
  const buffers = [createLineBuffer(), createLineBuffer()] as const;
  let [buffer, other] = buffers;
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
        buffer.add(line, place);
        if (keepsRows) part.rows.push(row);
        part.characters += line.length + 1;
      } else {
        part.rejected.push({ place, row, problems: line });
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
  return { from, to: from, characters: 0, rows: [] as FileRow[], rejected: [] as RejectedRow[] };
}

/** Collects lines as bytes. What was taken is overwritten by the next lines. */
function createLineBuffer() {
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(CHARACTERS_MIN);
  let used = 0;
  let places = new Uint32Array(PLACES_MIN);
  let count = 0;
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
    add(line: string, place: number): void {
      if (count === places.length) {
        const larger = new Uint32Array(2 * count);
        larger.set(places);
        places = larger;
      }
      places[count++] = place;
      text += `${line}\n`;
      if (text.length > FLUSHED_CHARACTERS) flush();
    },
    take() {
      flush();
      const taken = { lines: bytes.subarray(0, used), places: places.subarray(0, count) };
      used = 0;
      count = 0;
      return taken;
    },
  };
}

const FLUSHED_CHARACTERS = 2 ** 14;
const PLACES_MIN = 2 ** 12;

/** Two parts for one that was too large for the server. */
export function halves(part: ImportPart): readonly ImportPart[] {
  const { from, to, lines, places, rows, rejected } = part;
  const middle = places.length >> 1;
  let byte = 0;
  for (let line = 0; line < middle; line++) byte = lines.indexOf(LINE_FEED, byte) + 1;
  // The first row of the second half, and the rejected rows before it, tell how many rows the first half has.
  const split = places[middle] ?? Number.POSITIVE_INFINITY;
  const early = rejected.filter(({ place }) => place < split);
  const end = from + middle + early.length;
  const firstRows = { places: places.subarray(0, middle), rows: rows.slice(0, middle), rejected: early };
  const otherRows = {
    places: places.subarray(middle),
    rows: rows.slice(middle),
    rejected: rejected.slice(early.length),
  };
  return [
    { from, to: end, lines: lines.subarray(0, byte), ...firstRows },
    { from: end, to, lines: lines.subarray(byte), ...otherRows },
  ];
}

const LINE_FEED = 10;

/** Halves the size of parts once the server is slow, and doubles it again while it is quick. */
export function createPartSizer(rowsMax = Number.POSITIVE_INFINITY) {
  let characters = CHARACTERS_MAX;
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
const CHARACTERS_MAX = 2 ** 20;
const CHARACTERS_MIN = 2 ** 12;
/** A part that takes longer delays other writers, and the progress that the user sees. */
const SLOW_MS = 2_000;
const QUICK_MS = 500;
