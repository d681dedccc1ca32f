/**
 * The bytes of a journal: a header, then one checksummed frame per commit. No files are touched here; `journal.ts` does that.
 *
 * Header: magic (8 bytes), format version (u32), generation (u32), CRC-32 of those (u32).
 * Frame: magic (u32), payload length (u32), sequence (u64), CRC-32 of the payload (u32), CRC-32 of those (u32), payload.
 *
 * From format 2 on, a file beside the journal records its synced length, in two slots. The valid slot with the higher counter counts:
 * counter (u32), flags (u32; 1: a later journal continues it), synced length (u64), CRC-32 of those (u32). A journal shorter than that
 * is damaged.
 *
 * The slot is written when no commit has begun for a moment, and during the sync of every 16th frame. It is synced only when the
 * journal is closed: writing it after each frame would make a commit a sixth slower (bench/micro/append.bench.ts). So it is exact if
 * the process is idle or has stopped. After a kill it may miss the last 16 frames, and after a power loss also those since the last
 * write-back.
 *
 * Zeros may follow the last frame. The file grows by many of them at once, because a sync of bytes in place does not have to write the
 * file's new length.
 *
 * All integers are little-endian. A payload is lines of JSON text in UTF-8 and holds no zero byte.
 */

import { crc32 } from 'node:zlib';
import { StorageError } from './event-store.js';

/** Format 3 stores causes as objects, format 4 each part of events on a line, format 5 outcomes. `readRecord` reads the older ones, too. */
export const JOURNAL_VERSION = 5;
export const JOURNAL_HEADER_BYTES = 20;
const SLOT_BYTES = 20;
const FRAME_HEADER_BYTES = 24;
const JOURNAL_MAGIC = Buffer.from('ENTAILJ\n', 'latin1');
const FRAME_MAGIC = 0x454d5246;
const SECTOR_BYTES = 512;

/** A database of 2 GiB must hold a transaction until the next checkpoint divides it into segments. */
const RECORD_BYTES_MAX = 1_500_000_000;

export interface Frame {
  readonly sequence: number;
  readonly offset: number;
  readonly payload: Uint8Array;
}

/** The files of a journal, read. */
export interface JournalBytes {
  readonly generation: number;
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The file beside it; undefined if it is missing. */
  readonly synced: Uint8Array | undefined;
}

export interface JournalScan {
  readonly frames: readonly Frame[];
  /** Length of the journal up to and including its last whole frame. */
  readonly wholeBytes: number;
  /** Length of the torn tail after it. */
  readonly tornBytes: number;
  readonly version: number;
  /** Undefined for format 1, which has none. */
  readonly slot: JournalSlot | undefined;
}

/** What the file beside a journal records. */
export interface JournalSlot {
  readonly counter: number;
  readonly syncedBytes: number;
  readonly isContinued: boolean;
}

export function encodeJournalHeader(generation: number): Uint8Array {
  const bytes = Buffer.alloc(JOURNAL_HEADER_BYTES);
  JOURNAL_MAGIC.copy(bytes);
  bytes.writeUInt32LE(JOURNAL_VERSION, 8);
  bytes.writeUInt32LE(generation, 12);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 16)), 16);
  return bytes;
}

/** Slots alternate, so that a torn write leaves the other one valid. */
export function encodeSlot(slot: JournalSlot): { readonly bytes: Uint8Array; readonly position: number } {
  const bytes = Buffer.alloc(SLOT_BYTES);
  bytes.writeUInt32LE(slot.counter, 0);
  bytes.writeUInt32LE(slot.isContinued ? 1 : 0, 4);
  bytes.writeBigUInt64LE(BigInt(slot.syncedBytes), 8);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 16)), 16);
  return { bytes, position: (slot.counter % 2) * SLOT_BYTES };
}

/** The pieces are one text. Yields between them. */
export function* encodeFrame(
  sequence: number,
  payloadTexts: readonly string[],
  bytesMax = RECORD_BYTES_MAX,
): Generator<void, Uint8Array> {
  const payloadBytes = payloadTexts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (payloadBytes > bytesMax) {
    const [has, most] = [payloadBytes, bytesMax].map((bytes) => `${Math.ceil(bytes / 1_000_000)} MB`);
    throw new StorageError(`A transaction of ${has} is too large, at most ${most} fit; split it`, 'failed');
  }
  const bytes = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payloadBytes);
  let end = FRAME_HEADER_BYTES;
  let checksum = 0;
  for (const text of payloadTexts) {
    const start = end;
    end += bytes.write(text, start, 'utf8');
    checksum = crc32(bytes.subarray(start, end), checksum);
    if (end < bytes.length) yield;
  }
  bytes.writeUInt32LE(FRAME_MAGIC, 0);
  bytes.writeUInt32LE(payloadBytes, 4);
  bytes.writeBigUInt64LE(BigInt(sequence), 8);
  bytes.writeUInt32LE(checksum, 16);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 20)), 20);
  return bytes;
}

/** Is called with damage. Where it returns, reading goes on without what is damaged. */
export type OnDamage = (damage: StorageError) => void;

export function refuse(damage: StorageError): never {
  throw damage;
}

/** Damage that no crash explains. Names file and offset for people and backup tools. */
export function damaged(file: string, offset: number, what: string): StorageError {
  return new StorageError(
    `${file} is damaged at offset ${offset}: ${what}; nothing was changed. Restore the directory from a backup`,
    'failed',
    { place: file, offset },
  );
}

/**
 * Reads a journal whose first frame has the number `firstSequence`. Throws a StorageError on damage. A crash during the last append
 * leaves a torn tail: a short frame, or one with unwritten sectors (zeros). A complete last frame with a wrong checksum is damaged,
 * because it may have been acknowledged. If `onDamage` returns, the scan ends before the damage.
 */
export function scanJournal(
  { bytes: source, path: file, generation, synced }: JournalBytes,
  firstSequence: number,
  onDamage: OnDamage = refuse,
): JournalScan {
  const bytes = withoutZeros(Buffer.from(source.buffer, source.byteOffset, source.byteLength));
  const version = checkHeader(bytes, file, generation);
  const slot = version === 1 ? undefined : readSlot(synced, file, onDamage);
  let isDamaged = false;
  const stopAt = (offset: number, what: string): void => {
    isDamaged = true;
    onDamage(damaged(file, offset, what));
  };
  const frames: Frame[] = [];
  let offset = JOURNAL_HEADER_BYTES;
  while (offset < bytes.length) {
    const end = frameEnd(bytes, offset);
    if (
      end === undefined ||
      crc32(bytes.subarray(offset + FRAME_HEADER_BYTES, end)) !== bytes.readUInt32LE(offset + 16)
    ) {
      if (isTorn(bytes, offset, end)) break;
      stopAt(offset, 'the record does not match its checksum');
      break;
    }
    const sequence = Number(bytes.readBigUInt64LE(offset + 8));
    const expected = firstSequence + frames.length;
    if (sequence !== expected) {
      stopAt(offset, `it holds record ${sequence} where ${expected} should be`);
      break;
    }
    frames.push({ sequence, offset, payload: bytes.subarray(offset + FRAME_HEADER_BYTES, end) });
    offset = end;
  }
  if (!isDamaged && slot !== undefined && offset < slot.syncedBytes) {
    stopAt(offset, `its whole records end there, although ${slot.syncedBytes} bytes were synced`);
  }
  return { frames, wholeBytes: offset, tornBytes: bytes.length - offset, version, slot };
}

/** The bytes up to the last that is not zero. No frame ends with a zero, but the header may. */
function withoutZeros(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > JOURNAL_HEADER_BYTES && bytes[end - 1] === 0) end -= 1;
  return bytes.subarray(0, end);
}

function readSlot(synced: Uint8Array | undefined, file: string, onDamage: OnDamage): JournalSlot | undefined {
  const bytes = Buffer.from(synced ?? []);
  const slots = [0, 1].flatMap((index) => {
    const slot = bytes.subarray(index * SLOT_BYTES, (index + 1) * SLOT_BYTES);
    if (slot.length < SLOT_BYTES || crc32(slot.subarray(0, 16)) !== slot.readUInt32LE(16)) return [];
    const [counter, flags] = [slot.readUInt32LE(0), slot.readUInt32LE(4)];
    return [{ counter, isContinued: flags === 1, syncedBytes: Number(slot.readBigUInt64LE(8)) }];
  });
  const last = slots.sort((left, right) => left.counter - right.counter).at(-1);
  if (last === undefined) {
    onDamage(damaged(file, 0, `${syncedPath(file)} is missing or does not say how much of it was synced`));
  }
  return last;
}

/** The path of the file beside a journal. */
export function syncedPath(journalPath: string): string {
  return journalPath.replace(/\.journal$/, '.synced');
}

/** Returns the version of the format. */
function checkHeader(bytes: Buffer, file: string, generation: number): number {
  if (bytes.length < JOURNAL_HEADER_BYTES || !bytes.subarray(0, 8).equals(JOURNAL_MAGIC)) {
    throw damaged(file, 0, 'it does not begin as a journal of Entail does');
  }
  if (crc32(bytes.subarray(0, 16)) !== bytes.readUInt32LE(16)) {
    throw damaged(file, 0, 'its header does not match its checksum');
  }
  const version = bytes.readUInt32LE(8);
  if (version < 1 || version > JOURNAL_VERSION) {
    throw new StorageError(
      `${file} has format ${version}, and this Entail reads format ${JOURNAL_VERSION}; open it with the Entail that wrote it or a newer one`,
      'failed',
      { place: file },
    );
  }
  const written = bytes.readUInt32LE(12);
  if (written !== generation) throw damaged(file, 12, `it is journal ${written}, renamed to ${generation}`);
  return version;
}

/** The end of the frame at `offset`, perhaps past the end of the file; undefined without a valid frame header. */
function frameEnd(bytes: Buffer, offset: number): number | undefined {
  if (bytes.length - offset < FRAME_HEADER_BYTES || bytes.readUInt32LE(offset) !== FRAME_MAGIC) return undefined;
  if (crc32(bytes.subarray(offset, offset + 20)) !== bytes.readUInt32LE(offset + 20)) return undefined;
  return offset + FRAME_HEADER_BYTES + bytes.readUInt32LE(offset + 4);
}

/** Whether a crash during the last append explains the invalid frame at `offset`. */
function isTorn(bytes: Buffer, offset: number, end: number | undefined): boolean {
  if (end !== undefined) {
    return end > bytes.length || (end === bytes.length && hasUnwrittenSector(bytes, offset, end));
  }
  const headerEnd = offset + FRAME_HEADER_BYTES;
  if (headerEnd > bytes.length) return true;
  return hasUnwrittenSector(bytes, offset, headerEnd) && !hasFrameAfter(bytes, offset);
}

/** Each frame is synced before the next is written, so a later frame proves that this one was complete. */
function hasFrameAfter(bytes: Buffer, offset: number): boolean {
  const magic = Buffer.alloc(4);
  magic.writeUInt32LE(FRAME_MAGIC);
  for (let at = bytes.indexOf(magic, offset + 1); at !== -1; at = bytes.indexOf(magic, at + 1)) {
    if (frameEnd(bytes, at) !== undefined) return true;
  }
  return false;
}

/** Disks write whole sectors, and an unwritten sector of a grown file reads as zeros. */
function hasUnwrittenSector(bytes: Buffer, from: number, to: number): boolean {
  let start = from;
  while (start < to) {
    const end = Math.min(to, (Math.floor(start / SECTOR_BYTES) + 1) * SECTOR_BYTES);
    if (bytes.subarray(start, end).every((byte) => byte === 0)) return true;
    start = end;
  }
  return false;
}
