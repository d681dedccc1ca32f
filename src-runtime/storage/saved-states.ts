/**
 * Saved states of scopes, one file each: `state-<scope key>.facts`. They are caches. A file that is damaged, of another format or ahead
 * of the history is removed, and the history is replayed instead.
 *
 * File: magic (8 bytes), format (u32), CRC-32 of those (u32), transaction (u64), then parts. Part: bytes of the header (u32), count of
 * the numbers (u32), CRC-32 of header and numbers (u32), CRC-32 of those (u32), header as JSON padded to four bytes, numbers (i32). The
 * last part is empty. All integers are little-endian.
 */

import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { StatePart } from './event-store.js';
import { type Files, writeAtomically } from './files.js';
import { inTimeSlices } from './time-slices.js';

/** Where states are saved. */
export interface StateFiles {
  readonly files: Files;
  readonly directory: string;
  readonly warn: (fields: object, message: string) => void;
}

const FORMAT = 2;
const MAGIC = Buffer.from('ENTAILS\n', 'latin1');
const FILE_HEADER_BYTES = 24;
const PART_HEADER_BYTES = 16;
const STATE_NAME = /^state-\d+\.facts(\.new)?$/;

export class SavedStates {
  readonly #place: StateFiles | undefined;
  /** The save under way. */
  #saving: { readonly scope: number; isAborted: boolean; readonly done: Promise<void> } | undefined;
  /** Scopes of which nothing is saved, because a rewrite of their history is under way. */
  #blocked: ReadonlySet<number> = new Set();
  /** By scope, the transaction of the last rewrite. A state before it has what the rewrite removed. */
  readonly #rewrittenAt = new Map<number, number>();

  /** Without a place nothing is saved. */
  constructor(place: StateFiles | undefined) {
    this.#place = place;
  }

  /** The parts of the saved state of a scope, whose last transaction is `lastTxn`. */
  async read(scope: number, lastTxn: number): Promise<readonly StatePart[] | undefined> {
    if (this.#place === undefined) return undefined;
    const { files, directory, warn } = this.#place;
    const path = join(directory, stateName(scope));
    try {
      if (!(await files.list(directory)).includes(stateName(scope))) return undefined;
      const { txn, parts } = await inTimeSlices(decode(await files.read(path)));
      if (txn > lastTxn) throw new Error(`it ends with transaction ${txn}, and the history with ${lastTxn}`);
      return parts;
    } catch (error) {
      warn({ err: error, file: path }, 'could not use a saved state; the history is read instead');
      await files.remove(path).catch(() => undefined);
      return undefined;
    }
  }

  /** Replaces the saved state. Does nothing while another is saved, or if a rewrite came between. */
  async write(scope: number, txn: number, parts: AsyncIterable<StatePart>): Promise<boolean> {
    const isOutdated = this.#blocked.has(scope) || txn < (this.#rewrittenAt.get(scope) ?? 0);
    if (this.#place === undefined || this.#saving !== undefined || isOutdated) return false;
    let finish = () => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const saving = { scope, isAborted: false, done };
    this.#saving = saving;
    const { files, directory } = this.#place;
    try {
      await writeAtomically(
        files,
        join(directory, stateName(scope)),
        async (file) => {
          let length = FILE_HEADER_BYTES;
          await file.write(encodeFileHeader(txn), 0);
          for await (const part of parts) {
            if (saving.isAborted) return;
            const bytes = encodePart(part);
            await file.write(bytes, length);
            length += bytes.length;
          }
          await file.write(Buffer.alloc(PART_HEADER_BYTES), length);
        },
        () => !saving.isAborted,
      );
      return !saving.isAborted;
    } finally {
      this.#saving = undefined;
      finish();
    }
  }

  /** Removes the states of scopes before their history is rewritten. Rejects if that fails, because they may hold erased values. */
  async beginRewrite(scopes: readonly number[]): Promise<void> {
    this.#blocked = new Set(scopes);
    const saving = this.#saving;
    if (saving !== undefined && this.#blocked.has(saving.scope)) {
      saving.isAborted = true;
      await saving.done;
    }
    await this.#remove((name) => scopes.some((scope) => name.startsWith(stateName(scope))));
  }

  /** Allows saving again, from the last transactions of the scopes on. */
  endRewrite(lastTxns: ReadonlyMap<number, number>): void {
    for (const scope of this.#blocked) this.#rewrittenAt.set(scope, lastTxns.get(scope) ?? 0);
    this.#blocked = new Set();
  }

  /** Removes files that a crash left half-written. */
  async removeLeftovers(): Promise<void> {
    await this.#remove((name) => name.endsWith('.new')).catch(() => undefined);
  }

  /** Gives up a save that is under way. */
  async stop(): Promise<void> {
    if (this.#saving === undefined) return;
    this.#saving.isAborted = true;
    await this.#saving.done;
  }

  async #remove(isWanted: (name: string) => boolean): Promise<void> {
    if (this.#place === undefined) return;
    const { files, directory } = this.#place;
    const names = (await files.list(directory)).filter((name) => STATE_NAME.test(name) && isWanted(name));
    for (const name of names) await files.remove(join(directory, name));
    if (names.length > 0) await files.syncDirectory(directory);
  }
}

function stateName(scope: number): string {
  return `state-${scope}.facts`;
}

function encodeFileHeader(txn: number): Uint8Array {
  const bytes = Buffer.alloc(FILE_HEADER_BYTES);
  MAGIC.copy(bytes);
  bytes.writeUInt32LE(FORMAT, 8);
  bytes.writeBigUInt64LE(BigInt(txn), 16);
  bytes.writeUInt32LE(headerChecksum(bytes), 12);
  return bytes;
}

function headerChecksum(bytes: Buffer): number {
  return crc32(bytes.subarray(16, FILE_HEADER_BYTES), crc32(bytes.subarray(0, 12)));
}

function encodePart({ header, numbers }: StatePart): Uint8Array {
  const text = JSON.stringify(header);
  const padding = (4 - (Buffer.byteLength(text) % 4)) % 4;
  const head = Buffer.from(text + ' '.repeat(padding));
  const bytes = Buffer.alloc(PART_HEADER_BYTES + head.length + numbers.byteLength);
  head.copy(bytes, PART_HEADER_BYTES);
  bytes.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), PART_HEADER_BYTES + head.length);
  bytes.writeUInt32LE(head.length, 0);
  bytes.writeUInt32LE(numbers.length, 4);
  bytes.writeUInt32LE(crc32(bytes.subarray(PART_HEADER_BYTES)), 8);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 12)), 12);
  return bytes;
}

/** Throws on damage. Yields between parts. */
function* decode(source: Uint8Array): Generator<void, { readonly txn: number; readonly parts: readonly StatePart[] }> {
  // The numbers are read in place, which needs them at a multiple of four bytes.
  const aligned = source.byteOffset % 4 === 0 ? source : source.slice();
  const bytes = Buffer.from(aligned.buffer, aligned.byteOffset, aligned.byteLength);
  const isOurs = bytes.length >= FILE_HEADER_BYTES && bytes.subarray(0, 8).equals(MAGIC);
  if (!isOurs || headerChecksum(bytes) !== bytes.readUInt32LE(12)) throw new Error('its header is damaged');
  const format = bytes.readUInt32LE(8);
  if (format !== FORMAT) throw new Error(`it has format ${format}, and this Entail reads format ${FORMAT}`);
  const parts: StatePart[] = [];
  for (let offset = FILE_HEADER_BYTES; ; ) {
    const isWhole = offset + PART_HEADER_BYTES <= bytes.length;
    const headerBytes = isWhole ? bytes.readUInt32LE(offset) : 0;
    const count = isWhole ? bytes.readUInt32LE(offset + 4) : 0;
    const start = offset + PART_HEADER_BYTES;
    const end = start + headerBytes + count * 4;
    if (start === bytes.length && bytes.subarray(offset).every((byte) => byte === 0)) break;
    const isValid =
      isWhole &&
      crc32(bytes.subarray(offset, offset + 12)) === bytes.readUInt32LE(offset + 12) &&
      end <= bytes.length &&
      crc32(bytes.subarray(start, end)) === bytes.readUInt32LE(offset + 8);
    if (!isValid) throw new Error(`it is damaged at offset ${offset}`);
    parts.push({
      header: JSON.parse(bytes.toString('utf8', start, start + headerBytes)),
      numbers: new Int32Array(bytes.buffer, bytes.byteOffset + start + headerBytes, count),
    });
    offset = end;
    yield;
  }
  return { txn: Number(bytes.readBigUInt64LE(16)), parts };
}
