/** The journal file for writing. An append is durable once it resolves, and a failed one leaves nothing behind. */

import { andThen, type MaybePromise } from '../base/ports.js';
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

/** How many synced frames the file beside the journal may lag behind during continuous writes. */
const UNRECORDED_MAX = 16;

/** The file grows by this: some hundred commits of one mutation. */
const GROWTH = Buffer.alloc(64 * 1024);

export class Journal {
  readonly path: string;
  readonly #files: Files;
  readonly #file: OpenFile;
  readonly #identity: string;
  /** The valid length. After a failure more may follow; the rest is cut off before the next write. */
  #length: number;
  /** Up to here the file has room. */
  #grownTo: number;
  #lengthBeforeLast: number;
  #hasRemains = false;
  /** Frames since the synced length was noted. */
  #unrecorded = 0;
  /** The file beside the journal; undefined for format 1, which has none. */
  #synced: SyncedFile | undefined;

  private constructor(
    path: string,
    files: Files,
    file: OpenFile,
    identity: string,
    length: number,
    synced: SyncedFile | undefined,
  ) {
    this.path = path;
    this.#files = files;
    this.#file = file;
    this.#identity = identity;
    this.#length = length;
    this.#grownTo = length;
    this.#lengthBeforeLast = length;
    this.#synced = synced;
  }

  /** Creates an empty journal at `path`. A crash leaves the whole header, or no file. */
  static async create(
    files: Files,
    path: string,
    asidePath: string,
    directory: string,
    generation: number,
  ): Promise<Journal> {
    const slot = { counter: 0, syncedBytes: JOURNAL_HEADER_BYTES, isContinued: false };
    const syncedFilePath = syncedPath(path);
    const synced = { file: await files.create(`${syncedFilePath}.new`), slot };
    let file: OpenFile | undefined;
    try {
      await synced.file.write(encodeSlot(slot).bytes, 0);
      await synced.file.sync();
      await files.rename(`${syncedFilePath}.new`, syncedFilePath);
      file = await files.create(asidePath);
      await file.write(encodeJournalHeader(generation), 0);
      await file.sync();
      await files.rename(asidePath, path);
      await files.syncDirectory(directory);
      return new Journal(path, files, file, await file.identity(), JOURNAL_HEADER_BYTES, synced);
    } catch (error) {
      await synced.file.close().catch(() => undefined);
      await file?.close().catch(() => undefined);
      throw error;
    }
  }

  /** Continues a journal whose first `wholeBytes` are valid. The rest is cut off before the next write. */
  static async resume(
    files: Files,
    path: string,
    { wholeBytes, tornBytes, slot }: { wholeBytes: number; tornBytes: number; slot: JournalSlot | undefined },
  ): Promise<Journal> {
    const file = await files.open(path);
    try {
      const synced = slot && { file: await files.open(syncedPath(path)), slot };
      const journal = new Journal(path, files, file, await file.identity(), wholeBytes, synced);
      journal.#hasRemains = tornBytes > 0;
      return journal;
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
  }

  /** One write, one sync. Returns the bytes it took. `mayBlock` as for a sync. */
  async append(sequence: number, payloadTexts: readonly string[], mayBlock: boolean): Promise<number> {
    if (this.#hasRemains) await this.settle();
    const checking = this.checkInPlace();
    if (checking instanceof Promise) await checking;
    const encoded = inTimeSlices(encodeFrame(sequence, payloadTexts));
    const frame = encoded instanceof Promise ? await encoded : encoded;
    this.#hasRemains = true;
    try {
      const writing = this.#file.write(frame, this.#length);
      if (writing instanceof Promise) await writing;
      if (this.#length + frame.length > this.#grownTo) await this.#grow(this.#length + frame.length);
      const syncing = this.#file.sync(mayBlock);
      this.#unrecorded += 1;
      if (this.#unrecorded >= UNRECORDED_MAX) await Promise.all([syncing, this.noteSynced()]);
      else if (syncing instanceof Promise) await syncing;
    } catch (error) {
      // If the cut fails too, the next append tries it again first.
      await this.settle().catch(() => undefined);
      throw error;
    }
    this.#hasRemains = false;
    this.#lengthBeforeLast = this.#length;
    this.#length += frame.length;
    return frame.length;
  }

  /** On a full disk the frame may be the last that fits. */
  async #grow(end: number): Promise<void> {
    this.#grownTo = end;
    try {
      await this.#file.write(GROWTH, end);
      this.#grownTo += GROWTH.length;
    } catch {
      // The frame is written. If the disk fails, the sync reports it.
    }
  }

  /** Removes the last append. */
  async undo(): Promise<void> {
    this.#length = this.#lengthBeforeLast;
    this.#hasRemains = true;
    await this.settle();
  }

  /** Whether a refused record may still be in the file. */
  get hasRemains(): boolean {
    return this.#hasRemains;
  }

  /** Throws or rejects if the file was removed or replaced, because writes to it would be lost. */
  checkInPlace(): MaybePromise<void> {
    return andThen(this.#files.identity(this.path), (identity) => {
      if (identity === this.#identity) return;
      throw new StorageError(
        `${this.path} was removed or replaced while in use; restore it and start again`,
        'unreachable',
      );
    });
  }

  async close(): Promise<void> {
    await this.#closeAfter(async () => {
      await this.settle();
      // Nothing depends on its success.
      if (this.#grownTo > this.#length) await this.#cut().catch(() => undefined);
      await this.noteSynced();
    });
  }

  /** Records the synced length. A failure only means that the next start can detect less damage. */
  async noteSynced(): Promise<void> {
    if (this.#synced === undefined || this.#synced.slot.syncedBytes === this.#length) return;
    await this.#record({ syncedBytes: this.#length, isContinued: false }).catch(() => undefined);
  }

  /** Closes it for good, and records that a later journal continues it. */
  async closeContinued(): Promise<void> {
    await this.#closeAfter(() => this.#record({ syncedBytes: this.#length, isContinued: true }));
  }

  async #closeAfter(work: () => Promise<void>): Promise<void> {
    const synced = this.#synced;
    await closeAfter(this.#file, async () => {
      if (synced === undefined) return work();
      await closeAfter(synced.file, async () => {
        await work();
        await synced.file.sync();
      });
    });
  }

  /** Removes the rest of a failed append that is still in the file. */
  async settle(): Promise<void> {
    if (!this.#hasRemains) return;
    if (this.#synced !== undefined && this.#synced.slot.syncedBytes > this.#length) {
      // Recorded before the cut, because a journal shorter than its synced length counts as damaged.
      await this.#record({ syncedBytes: this.#length, isContinued: false });
      await this.#synced.file.sync();
    }
    await this.#cut();
    await this.#file.sync();
    this.#hasRemains = false;
  }

  async #cut(): Promise<void> {
    await this.#file.truncate(this.#length);
    this.#grownTo = this.#length;
  }

  async #record(now: Omit<JournalSlot, 'counter'>): Promise<void> {
    if (this.#synced === undefined) return;
    const slot = { ...now, counter: this.#synced.slot.counter + 1 };
    const { bytes, position } = encodeSlot(slot);
    await this.#synced.file.write(bytes, position);
    this.#synced.slot = slot;
    this.#unrecorded = 0;
  }
}

interface SyncedFile {
  readonly file: OpenFile;
  slot: JournalSlot;
}
