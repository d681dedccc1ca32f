/** A journal file that is being written: appends are durable once they resolve, and a failed one leaves nothing behind. */

import { StorageError } from './event-store.js';
import { closeAfter, type Files, type OpenFile } from './files.js';
import { encodeFrame, encodeJournalHeader, JOURNAL_HEADER_BYTES } from './journal-format.js';
import { inTurns } from './turns.js';

export class Journal {
  readonly path: string;
  readonly #files: Files;
  readonly #file: OpenFile;
  readonly #identity: string;
  /** Bytes that count; what the file has beyond them after a failure must go before anything is written. */
  #length: number;
  #lengthBeforeLast: number;
  #hasRemains = false;

  private constructor(path: string, files: Files, file: OpenFile, identity: string, length: number) {
    this.path = path;
    this.#files = files;
    this.#file = file;
    this.#identity = identity;
    this.#length = length;
    this.#lengthBeforeLast = length;
  }

  /** Makes an empty journal at `path`; a crash leaves either the whole header there or no such file. */
  static async create(
    files: Files,
    path: string,
    asidePath: string,
    directory: string,
    generation: number,
  ): Promise<Journal> {
    const file = await files.create(asidePath);
    try {
      await file.write(encodeJournalHeader(generation), 0);
      await file.sync();
      await files.rename(asidePath, path);
      await files.syncDirectory(directory);
      return new Journal(path, files, file, await file.identity(), JOURNAL_HEADER_BYTES);
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
  }

  /** Goes on with a journal of which the first `wholeBytes` are good; cuts off the rest. */
  static async resume(files: Files, path: string, wholeBytes: number, tornBytes: number): Promise<Journal> {
    const file = await files.open(path);
    try {
      const journal = new Journal(path, files, file, await file.identity(), wholeBytes);
      journal.#hasRemains = tornBytes > 0;
      await journal.settle();
      return journal;
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
  }

  /** One write, one sync. Returns the bytes it took. */
  async append(sequence: number, payloadTexts: readonly string[]): Promise<number> {
    await this.settle();
    await this.checkInPlace();
    const frame = await inTurns(encodeFrame(sequence, payloadTexts));
    this.#hasRemains = true;
    try {
      await this.#file.write(frame, this.#length);
      await this.#file.sync();
    } catch (error) {
      // Where cutting back fails too, the next append tries again before it writes.
      await this.settle().catch(() => undefined);
      throw error;
    }
    this.#hasRemains = false;
    this.#lengthBeforeLast = this.#length;
    this.#length += frame.length;
    return frame.length;
  }

  /** Takes the last append back. */
  async undo(): Promise<void> {
    this.#length = this.#lengthBeforeLast;
    this.#hasRemains = true;
    await this.settle();
  }

  /** Whether a refused record may be in the file. */
  get hasRemains(): boolean {
    return this.#hasRemains;
  }

  /** Rejects where the file is no longer in its place: what is written to a removed file is lost. */
  async checkInPlace(): Promise<void> {
    if ((await this.#files.identity(this.path)) !== this.#identity) {
      throw new StorageError(
        `${this.path} was removed or replaced while in use; restore it and start again`,
        'unreachable',
      );
    }
  }

  async close(): Promise<void> {
    await closeAfter(this.#file, () => this.settle());
  }

  /** Removes what a failed append left, where that has not been possible so far. */
  async settle(): Promise<void> {
    if (!this.#hasRemains) return;
    await this.#file.truncate(this.#length);
    await this.#file.sync();
    this.#hasRemains = false;
  }
}
