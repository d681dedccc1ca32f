/** A journal file that is being written: appends are durable once they resolve, and a failed one leaves nothing behind. */

import { StorageError } from './event-store.js';
import { closeAfter, type Files, type OpenFile } from './files.js';
import {
  encodeFrame,
  encodeJournalHeader,
  encodeSlot,
  JOURNAL_HEADER_BYTES,
  type JournalSlot,
  syncedPath,
} from './journal-format.js';
import { inTimeSlices } from './time-slices.js';

/** Frames of which a killed process may not have noted that they were synced, while it writes one after the other. */
const UNNOTED_MAX = 16;

export class Journal {
  readonly path: string;
  readonly #files: Files;
  readonly #file: OpenFile;
  readonly #identity: string;
  /** Bytes that count; what the file has beyond them after a failure must go before anything is written. */
  #length: number;
  #lengthBeforeLast: number;
  #hasRemains = false;
  /** Frames since the synced length was noted. */
  #unnoted = 0;
  /** What is said of it in the file beside it; undefined for a format without such a file. */
  #said: Said | undefined;

  private constructor(
    path: string,
    files: Files,
    file: OpenFile,
    identity: string,
    length: number,
    said: Said | undefined,
  ) {
    this.path = path;
    this.#files = files;
    this.#file = file;
    this.#identity = identity;
    this.#length = length;
    this.#lengthBeforeLast = length;
    this.#said = said;
  }

  /** Makes an empty journal at `path`; a crash leaves either the whole header there or no such file. */
  static async create(
    files: Files,
    path: string,
    asidePath: string,
    directory: string,
    generation: number,
  ): Promise<Journal> {
    const slot = { counter: 0, syncedBytes: JOURNAL_HEADER_BYTES, isContinued: false };
    const saidPath = syncedPath(path);
    const said = { file: await files.create(`${saidPath}.new`), slot };
    let file: OpenFile | undefined;
    try {
      await said.file.write(encodeSlot(slot).bytes, 0);
      await said.file.sync();
      await files.rename(`${saidPath}.new`, saidPath);
      file = await files.create(asidePath);
      await file.write(encodeJournalHeader(generation), 0);
      await file.sync();
      await files.rename(asidePath, path);
      await files.syncDirectory(directory);
      return new Journal(path, files, file, await file.identity(), JOURNAL_HEADER_BYTES, said);
    } catch (error) {
      await said.file.close().catch(() => undefined);
      await file?.close().catch(() => undefined);
      throw error;
    }
  }

  /** Goes on with a journal of which the first `wholeBytes` are good. The rest is cut off before anything is written. */
  static async resume(
    files: Files,
    path: string,
    { wholeBytes, tornBytes, slot }: { wholeBytes: number; tornBytes: number; slot: JournalSlot | undefined },
  ): Promise<Journal> {
    const file = await files.open(path);
    try {
      const said = slot && { file: await files.open(syncedPath(path)), slot };
      const journal = new Journal(path, files, file, await file.identity(), wholeBytes, said);
      journal.#hasRemains = tornBytes > 0;
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
    const frame = await inTimeSlices(encodeFrame(sequence, payloadTexts));
    this.#hasRemains = true;
    try {
      await this.#file.write(frame, this.#length);
      const syncing = this.#file.sync();
      this.#unnoted += 1;
      await (this.#unnoted < UNNOTED_MAX ? syncing : Promise.all([syncing, this.noteSynced()]));
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
    await this.#closeAfter(async () => {
      await this.settle();
      await this.noteSynced();
    });
  }

  /** Notes how much of it is durable. Where that fails, less is known of the journal, and nothing else is amiss. */
  async noteSynced(): Promise<void> {
    if (this.#said === undefined || this.#said.slot.syncedBytes === this.#length) return;
    await this.#note({ syncedBytes: this.#length, isContinued: false }).catch(() => undefined);
  }

  /** Closes it for good: a later journal goes on, without which this one is not whole. */
  async closeContinued(): Promise<void> {
    await this.#closeAfter(() => this.#note({ syncedBytes: this.#length, isContinued: true }));
  }

  async #closeAfter(work: () => Promise<void>): Promise<void> {
    const said = this.#said;
    await closeAfter(this.#file, async () => {
      if (said === undefined) return work();
      await closeAfter(said.file, async () => {
        await work();
        await said.file.sync();
      });
    });
  }

  /** Removes what a failed append left, where that has not been possible so far. */
  async settle(): Promise<void> {
    if (!this.#hasRemains) return;
    if (this.#said !== undefined && this.#said.slot.syncedBytes > this.#length) {
      // A journal that is cut before this is said would be damaged.
      await this.#note({ syncedBytes: this.#length, isContinued: false });
      await this.#said.file.sync();
    }
    await this.#file.truncate(this.#length);
    await this.#file.sync();
    this.#hasRemains = false;
  }

  async #note(now: Omit<JournalSlot, 'counter'>): Promise<void> {
    if (this.#said === undefined) return;
    const slot = { ...now, counter: this.#said.slot.counter + 1 };
    const { bytes, position } = encodeSlot(slot);
    await this.#said.file.write(bytes, position);
    this.#said.slot = slot;
    this.#unnoted = 0;
  }
}

interface Said {
  readonly file: OpenFile;
  slot: JournalSlot;
}
