/** Splits rows that exceed the limit of one request; each part is a separate transaction. */

import type { SentRows } from './import-model.js';

/** In order, each with as many rows as fit into this many bytes of JSON; undefined if a single row does not. */
export function partsWithin(sent: SentRows, bytesMax: number): SentRows[] | undefined {
  const starts = [0];
  let bytes = 0;
  for (const [at, row] of sent.rows.entries()) {
    // Including the comma.
    const more = jsonBytes(row) + 1;
    if (more > bytesMax) return undefined;
    if (bytes + more > bytesMax) {
      starts.push(at);
      bytes = 0;
    }
    bytes += more;
  }
  return starts.map((start, at) => slice(sent, start, starts[at + 1]));
}

/** After a timeout the part is split in two. A single row cannot be split. */
export function halved(sent: SentRows): SentRows[] {
  const middle = Math.ceil(sent.rows.length / 2);
  return sent.rows.length < 2 ? [sent] : [slice(sent, 0, middle), slice(sent, middle)];
}

const encoder = new TextEncoder();

export function jsonBytes(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}

function slice({ missing, rows, numbers }: SentRows, from: number, to?: number): SentRows {
  return { missing, problems: [], rows: rows.slice(from, to), numbers: numbers.slice(from, to) };
}
