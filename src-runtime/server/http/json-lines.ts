/**
 * Reads a body of JSON lines: the first line, and the rows after it. Keeps the rows as bytes and parses them in blocks, so that a body
 * of any length takes little more memory than its bytes, and no step takes long.
 */

import { isUtf8 } from 'node:buffer';
import { ApiError } from '../../api/errors.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import { jsonWords } from '../../base/json-words.js';
import type { ImportRow, ImportRows, RowBlock } from '../../world/contract/requests.js';
import { badRequest, tooLarge } from './envelope.js';
import { decodeText, parseJson } from './json-text.js';

export const LINES_CONTENT_TYPE = 'application/x-ndjson';

/** Throws REQUEST_TOO_LARGE for a line over the limit. Rejects if the client leaves. */
export async function readLines(
  body: AsyncIterable<Buffer>,
  lineBytesMax: number,
): Promise<{ readonly head: string; readonly lines: JsonLines }> {
  const lines = new JsonLines(lineBytesMax);
  let head: string | undefined;
  let begun: Buffer[] = [];
  let begunBytes = 0;
  const takeWhole = (whole: Buffer): void => {
    if (head !== undefined) {
      lines.add(whole);
      return;
    }
    const newline = whole.indexOf(NEWLINE);
    const end = newline < 0 ? whole.length : newline;
    if (end > lineBytesMax) throw tooLarge(lineBytesMax);
    head = decodeText(whole.subarray(0, end));
    lines.add(whole.subarray(end + 1));
  };
  for await (const piece of body) {
    const end = piece.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      takeWhole(begun.length === 0 ? piece.subarray(0, end) : Buffer.concat([...begun, piece.subarray(0, end)]));
      begun = [];
      begunBytes = 0;
    }
    if (end < piece.length) begun.push(piece.subarray(end));
    begunBytes += piece.length - end;
    if (begunBytes > lineBytesMax) throw tooLarge(lineBytesMax);
  }
  if (begunBytes > 0) takeWhole(Buffer.concat(begun));
  return { head: head ?? '', lines };
}

const NEWLINE = 10;

/** A block is parsed in a few milliseconds. */
const BLOCK_BYTES = 65_536;

interface Block {
  readonly first: number;
  readonly count: number;
  readonly bytes: Buffer;
}

/** Rows that are parsed when they are read, and again when they are read again. */
export class JsonLines implements ImportRows {
  count = 0;
  /** Called before each block is parsed. */
  onBlock: () => void = () => undefined;
  readonly #blocks: Block[] = [];
  readonly #lineBytesMax: number;

  constructor(lineBytesMax: number) {
    this.#lineBytesMax = lineBytesMax;
  }

  /** Adds whole lines; the last one may lack its newline. Throws REQUEST_TOO_LARGE for a line over the limit. */
  add(bytes: Buffer): void {
    for (let from = 0; from < bytes.length; ) {
      const near = bytes.length - from <= BLOCK_BYTES ? -1 : bytes.indexOf(NEWLINE, from + BLOCK_BYTES);
      const end = near < 0 ? bytes.length : near + 1;
      const block = bytes.subarray(from, end);
      const count = countLines(block, this.#lineBytesMax);
      this.#blocks.push({ first: this.count, count, bytes: block });
      this.count += count;
      from = end;
    }
  }

  *blocksFrom(row: number): Generator<RowBlock> {
    for (const { first, count, bytes } of this.#blocks) {
      if (first + count <= row) continue;
      this.onBlock();
      yield { first, rows: rowsIn(bytes, count) };
    }
  }
}

function countLines(block: Buffer, bytesMax: number): number {
  let count = 0;
  for (let from = 0; from < block.length; count++) {
    const newline = block.indexOf(NEWLINE, from);
    const end = newline < 0 ? block.length : newline;
    if (end - from > bytesMax) throw tooLarge(bytesMax);
    from = end + 1;
  }
  return count;
}

/** Parses all lines at once, or each alone if that fails or needs the checks that JSON.parse does not make. */
function rowsIn(bytes: Buffer, count: number): readonly ImportRow[] {
  if (isUtf8(bytes)) {
    const text = bytes.toString();
    const list = `[${text.slice(0, text.endsWith('\n') ? -1 : undefined).replaceAll(']\n[', '],[')}]`;
    if (!NEEDS_CHECKS.test(list)) {
      const rows = parsedList(list);
      if (rows?.length === count) return rows;
    }
  }
  const rows: ImportRow[] = [];
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, from);
    const end = newline < 0 ? bytes.length : newline;
    rows.push(rowIn(bytes.subarray(from, end)));
    from = end + 1;
  }
  return rows;
}

/** A line break between cells, an object, which may repeat a key, or a number that a double may not hold. */
const NEEDS_CHECKS = /\n|\{|[[,]\s*-?(?:[\d.]{16}|\d[\d.]*[eE])/;

function parsedList(list: string): readonly JsonValue[][] | undefined {
  try {
    return JSON.parse(list) as JsonValue[][];
  } catch {
    return undefined;
  }
}

function rowIn(line: Buffer): ImportRow {
  try {
    const row = parseJson(decodeText(line));
    if (typeof row === 'object' && row !== null) return row as ImportRow;
    return badRequest(`Expected an object or a list of cells, got ${jsonWords(row)}.`);
  } catch (thrown) {
    if (thrown instanceof ApiError) return thrown;
    throw thrown;
  }
}
