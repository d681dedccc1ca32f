/**
 * The sealed segments of the history. Each is a file `history-<number>-<crc>.sqlite` that never changes, and is in force once a
 * checkpoint lists it. Until its file is written it is read from memory. Segments are opened on demand, a few at a time.
 */

import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Database, openDatabase, type Segment } from './database.js';
import { asStorageError } from './errors.js';
import { StorageError } from './event-store.js';
import { type Files, writeAtomically } from './files.js';
import { damaged } from './journal-format.js';
import { isAltered, isTouched, type Rewrites, rewritten } from './rewriting.js';
import { inTimeSlices } from './time-slices.js';

/** Where segments are kept. */
export interface SegmentFiles {
  readonly files: Files;
  readonly directory: string;
  readonly warn: (fields: object, message: string) => void;
}

/** How many are open at once. Each takes its size in memory. */
const OPEN_MAX = 8;

/** Checksummed without a pause. */
const CHECKSUMMED_BYTES = 8 * 1024 * 1024;

const SEGMENT_NAME = /^history-\d{6,}-[0-9a-f]{8}\.sqlite(\.new)?$/;

export class Segments {
  readonly #place: SegmentFiles | undefined;
  #inForce = new Map<number, Segment>();
  /** The segments of a fork in order, by scope and fork. */
  #byFork = new Map<string, SegmentOfFork[]>();
  /** Highest number ever given, that of a refused rewrite included. */
  #last = 0;
  readonly #unwritten = new Map<number, Uint8Array>();
  /** Least recently used first. */
  readonly #open = new Map<number, Database>();
  readonly #opening = new Map<number, Promise<void>>();
  #isClosed = false;

  /** Without a place there are no segments. */
  constructor(place: SegmentFiles | undefined, inForce: readonly Segment[]) {
    this.#place = place;
    this.replace(inForce);
  }

  get list(): readonly Segment[] {
    return [...this.#inForce.values()];
  }

  get unwrittenBytes(): number {
    return [...this.#unwritten.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** The segments with transactions of a fork, or parts of them, in order. */
  of(scope: number, fork: string): readonly SegmentOfFork[] {
    return this.#byFork.get(`${scope}/${fork}`) ?? [];
  }

  /** Describes bytes as the next segment. */
  async describe(bytes: Uint8Array, contents: Segment['contents']): Promise<Segment> {
    this.#last += 1;
    return { number: this.#last, checksum: await inTimeSlices(checksumOf(bytes)), bytes: bytes.length, contents };
  }

  /** Puts a segment in force. Its bytes are given if its file is not written yet. */
  add(segment: Segment, bytes: Uint8Array | undefined): void {
    if (bytes !== undefined) this.#unwritten.set(segment.number, bytes);
    this.replace([...this.list, segment]);
  }

  /** Puts these segments in force, in the order of the history. A rewritten one has a higher number than those after it. */
  replace(segments: readonly Segment[]): void {
    this.#inForce = new Map(segments.map((segment) => [segment.number, segment]));
    this.#byFork = new Map();
    for (const segment of segments) {
      this.#last = Math.max(this.#last, segment.number);
      for (const { scope, fork, firstTxn, lastTxn } of segment.contents) {
        const key = `${scope}/${fork}`;
        const known = this.#byFork.get(key) ?? [];
        known.push({ segment, firstTxn, lastTxn });
        this.#byFork.set(key, known);
      }
    }
    for (const [number, database] of this.#open) {
      if (this.#inForce.has(number)) continue;
      this.#open.delete(number);
      database.close();
    }
  }

  /** Reads a segment at once when it is open; undefined if it is not in force any more. */
  async use<T>(segment: Segment, work: (database: Database) => T): Promise<T | undefined> {
    for (;;) {
      if (this.#isClosed || !this.#inForce.has(segment.number)) return undefined;
      const database = this.#open.get(segment.number);
      if (database === undefined) {
        await this.#load(segment);
        continue;
      }
      this.#open.delete(segment.number);
      this.#open.set(segment.number, database);
      return work(database);
    }
  }

  /** Opens a segment apart from those that are used. The caller closes it. */
  async open(segment: Segment): Promise<Database> {
    const unwritten = this.#unwritten.get(segment.number);
    const file = this.#pathOf(segment);
    const bytes = unwritten ?? (await readSegment(this.#required.files, file, segment));
    return openDatabase({ file, bytes });
  }

  #load(segment: Segment): Promise<void> {
    const { number } = segment;
    const opening = this.#opening.get(number) ?? this.#openShared(segment).finally(() => this.#opening.delete(number));
    this.#opening.set(number, opening);
    return opening;
  }

  async #openShared(segment: Segment): Promise<void> {
    let database: Database;
    try {
      database = await this.open(segment);
    } catch (error) {
      // A rewrite may have removed the file meanwhile.
      if (!this.#inForce.has(segment.number)) return;
      throw error;
    }
    if (this.#isClosed || !this.#inForce.has(segment.number)) {
      database.close();
      return;
    }
    this.#open.set(segment.number, database);
    for (const [number, oldest] of this.#open) {
      if (this.#open.size <= OPEN_MAX) break;
      this.#open.delete(number);
      oldest.close();
    }
  }

  /** The segments after the rewrites. Those that change are written as new files, which are not in force yet. */
  async rewritten(rewrites: Rewrites): Promise<readonly Segment[]> {
    const segments: Segment[] = [];
    for (const segment of this.list) {
      segments.push(isTouched(segment, rewrites) ? await this.#rewritten(segment, rewrites) : segment);
    }
    return segments;
  }

  async #rewritten(segment: Segment, rewrites: Rewrites): Promise<Segment> {
    const database = await this.open(segment);
    try {
      if (!(await inTimeSlices(isAltered(database, rewrites)))) return segment;
      const copy = await rewritten(database, rewrites);
      const bytes = copy.exportBytes(0);
      copy.close();
      const next = await this.describe(bytes, segment.contents);
      await this.write(next, bytes);
      return next;
    } finally {
      database.close();
    }
  }

  /** Writes the files of segments that have none. */
  async writeFiles(): Promise<void> {
    for (const [number, bytes] of this.#unwritten) {
      const segment = this.#inForce.get(number);
      if (segment !== undefined) await this.write(segment, bytes);
      this.#unwritten.delete(number);
    }
  }

  /** Makes the file of a segment durable. It takes effect when a checkpoint lists it. */
  async write(segment: Segment, bytes: Uint8Array): Promise<void> {
    await writeAtomically(this.#required.files, this.#pathOf(segment), (file) => file.write(bytes, 0));
  }

  /** Rejects if the file of a segment is missing. */
  async checkFiles(): Promise<void> {
    if (this.#inForce.size === 0) return;
    const { files, directory } = this.#required;
    const names = new Set(await files.list(directory));
    for (const segment of this.#inForce.values()) {
      if (names.has(segmentName(segment))) continue;
      const file = this.#pathOf(segment);
      const message = `${file} is missing; nothing was changed. Restore the directory from a backup`;
      throw new StorageError(message, 'failed', { place: file });
    }
  }

  /** Removes files of segments that are not in force: of a crash, or rewritten. Tries twice, because they may hold erased values. */
  async removeLeftovers(): Promise<void> {
    if (this.#place === undefined) return;
    const { directory, warn } = this.#place;
    try {
      await this.#removeFiles().catch(() => this.#removeFiles());
    } catch (error) {
      warn(
        { err: error, directory },
        'could not remove segments that are no longer needed; the next checkpoint tries again',
      );
    }
  }

  async #removeFiles(): Promise<void> {
    const { files, directory } = this.#required;
    const names = new Set(this.list.map(segmentName));
    const leftovers = (await files.list(directory)).filter((name) => SEGMENT_NAME.test(name) && !names.has(name));
    if (leftovers.length === 0) return;
    // The checkpoint in force may have been renamed by a process that was killed before it synced the name.
    await files.syncDirectory(directory);
    for (const name of leftovers) await files.remove(join(directory, name));
  }

  close(): void {
    this.#isClosed = true;
    for (const database of this.#open.values()) database.close();
    this.#open.clear();
  }

  get #required(): SegmentFiles {
    if (this.#place === undefined) throw new Error('a store in memory has no segments');
    return this.#place;
  }

  #pathOf(segment: Segment): string {
    return join(this.#required.directory, segmentName(segment));
  }
}

export interface SegmentOfFork {
  readonly segment: Segment;
  readonly firstTxn: number;
  readonly lastTxn: number;
}

/** Reads the file of a segment, and rejects if it does not match its checksum. */
async function readSegment(files: Files, file: string, { bytes: expected, checksum }: Segment): Promise<Uint8Array> {
  const bytes = await files.read(file).catch((error: unknown) => {
    throw asStorageError(error, `read ${file}`, file);
  });
  if (bytes.length !== expected) throw damaged(file, bytes.length, `it has ${bytes.length} of ${expected} bytes`);
  if ((await inTimeSlices(checksumOf(bytes))) !== checksum) {
    throw damaged(file, 0, `its ${bytes.length} bytes do not match the checksum in its name`);
  }
  return bytes;
}

function segmentName({ number, checksum }: Segment): string {
  return `history-${String(number).padStart(6, '0')}-${checksum.toString(16).padStart(8, '0')}.sqlite`;
}

function* checksumOf(bytes: Uint8Array): Generator<void, number> {
  let checksum = 0;
  for (let start = 0; start < bytes.length; start += CHECKSUMMED_BYTES) {
    if (start > 0) yield;
    checksum = crc32(bytes.subarray(start, start + CHECKSUMMED_BYTES), checksum);
  }
  return checksum;
}
