/**
 * The files of a data directory: checkpoints of the database and the journals written since, in generations.
 *
 * `events-<g>.journal` holds what was committed after generation g began, and `events-<g>.synced` says how much of that is
 * durable; `events-<g>-<crc>.sqlite` is the database as of that moment, its CRC-32 in its name. The state is the newest checkpoint (none at first) and every journal from its generation on, in
 * order. So a checkpoint begins with a new journal and is in force once its file has its name; until then, and if it
 * never comes so far, the older checkpoint and the longer row of journals say the same. What is older goes last.
 */

import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { StorageError } from './event-store.js';
import { closeAfter, type Files } from './files.js';
import { Journal } from './journal.js';
import {
  damaged,
  JOURNAL_VERSION,
  type JournalBytes,
  type JournalSlot,
  scanJournal,
  syncedPath,
} from './journal-format.js';

/** What `beginsWith` found on disk, before anything was changed. */
export interface Recovered {
  /** The newest checkpoint's bytes, where there is one. */
  readonly checkpoint: { readonly file: string; readonly bytes: Uint8Array } | undefined;
  /** The commits after the checkpoint, whose last one was `sequence`, in order. Throws on damage. */
  commitsAfter(sequence: number): readonly Commit[];
  /** Keeps a torn tail aside and cuts it off, clears what crashes left, and opens the log. Only after `commitsAfter`. */
  begin(): Promise<CommitLog>;
}

export interface Commit {
  readonly sequence: number;
  readonly text: string;
  readonly file: string;
  readonly offset: number;
}

export interface CommitLogOptions {
  readonly files: Files;
  readonly directory: string;
  readonly warn: (fields: object, message: string) => void;
}

const JOURNAL_NAME = /^events-(\d{6,})\.journal$/;
const SYNCED_NAME = /^events-(\d{6,})\.synced$/;
const CHECKPOINT_NAME = /^events-(\d{6,})-([0-9a-f]{8})\.sqlite$/;
/** The torn end of a journal, kept for inspection after a crash. Nothing reads it. */
const TORN_NAME = /^events-(\d{6,})-\d+\.torn$/;
const ASIDE_NAME = /^events-\d{6,}.*\.new$/;

/** Reads the directory without changing it. */
export async function recover(options: CommitLogOptions): Promise<Recovered> {
  const { files, directory } = options;
  const names = await files.list(directory);
  const newest = newestCheckpoint(names);
  const firstGeneration = newest?.generation ?? 1;
  const journals = await readJournals(files, directory, names, firstGeneration);
  if (newest !== undefined && journals.length === 0) {
    throw missingJournal(directory, firstGeneration);
  }
  const checkpoint = newest && (await readCheckpoint(files, directory, newest));
  let scanned: ScannedJournals | undefined;
  return {
    checkpoint,
    commitsAfter(sequence) {
      scanned = scanJournals(journals, sequence);
      return scanned.commits;
    },
    async begin() {
      if (scanned === undefined) throw new Error('commitsAfter comes before begin');
      return CommitLog.begin(options, scanned, firstGeneration, checkpoint?.bytes.length ?? 0);
    },
  };
}

/** The log once it is open. Its methods must not overlap, except `writeCheckpoint`, which runs beside appends. */
export class CommitLog {
  readonly #options: CommitLogOptions;
  readonly #directoryIdentity: string;
  #journal: Journal;
  #generation: number;
  #sequence: number;
  #sequenceBytes = 0;
  #bytesSinceCheckpoint: number;
  #checkpointBytes: number;
  /** Generation of the checkpoint that was last given its name, and has not been synced under it. */
  #named = 0;
  /** Generation of a refused commit's checkpoint that may be in force; 0 where there is none. */
  #doubtful = 0;
  #settling: Promise<void> | undefined;
  /** Journals whose torn ends are not kept aside and cut off yet. */
  #torn: readonly ScannedJournal[];
  /** Names of files that hold torn ends. */
  #tornNames: readonly string[];
  #probeSyncedMs = Number.NEGATIVE_INFINITY;

  private constructor(
    options: CommitLogOptions,
    directoryIdentity: string,
    journal: Journal,
    generation: number,
    scanned: ScannedJournals,
    checkpointBytes: number,
    tornNames: readonly string[],
  ) {
    this.#torn = scanned.journals.filter(({ tornBytes }) => tornBytes > 0);
    this.#tornNames = tornNames;
    this.#options = options;
    this.#directoryIdentity = directoryIdentity;
    this.#journal = journal;
    this.#generation = generation;
    this.#sequence = scanned.lastSequence;
    this.#bytesSinceCheckpoint = scanned.bytes;
    this.#checkpointBytes = checkpointBytes;
  }

  static async begin(
    options: CommitLogOptions,
    scanned: ScannedJournals,
    firstGeneration: number,
    checkpointBytes: number,
  ): Promise<CommitLog> {
    const { files, directory } = options;
    const identity = await files.identity(directory);
    if (identity === undefined) throw directoryGone(directory);
    const generation = scanned.journals.at(-1)?.generation ?? firstGeneration;
    const journal = await openLast(options, scanned, generation);
    await removeLeftovers(options, firstGeneration);
    const tornNames = (await files.list(directory)).filter((name) => TORN_NAME.test(name));
    const log = new CommitLog(options, identity, journal, generation, scanned, checkpointBytes, tornNames);
    const isOld = (scanned.journals.at(-1)?.version ?? JOURNAL_VERSION) < JOURNAL_VERSION;
    try {
      await log.settle();
      // An older Entail must refuse the records of this one, not misread them.
      if (isOld) await log.rotate();
    } catch (error) {
      options.warn({ err: error, directory }, 'the disk takes no writes; what is stored is read, and writes try again');
    }
    return log;
  }

  /** What an operator should look at. */
  get warnings(): readonly string[] {
    const unfinished = this.#torn.map(
      ({ generation }) =>
        `${journalName(generation)} ends with an unfinished record, which is cut off before the next write.`,
    );
    const kept = this.#tornNames.map(
      (name) =>
        `A crash left an unfinished record at the end of a journal. It was cut off and kept in ${name}; delete that file once you have looked at it.`,
    );
    const doubtful =
      this.isUncertain && this.#torn.length === 0
        ? ['The disk refused a write and its undoing. It is undone once the disk answers.']
        : [];
    return [...unfinished, ...kept, ...doubtful];
  }

  /** The last commit's number. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Bytes of journal that opening would have to replay. */
  get bytesSinceCheckpoint(): number {
    return this.#bytesSinceCheckpoint;
  }

  /** Size of the checkpoint in force, 0 where there is none: what making the next one costs at least. */
  get checkpointBytes(): number {
    return this.#checkpointBytes;
  }

  /** Makes one commit durable. The pieces make one text of JSON. */
  async append(texts: readonly string[]): Promise<void> {
    this.#sequenceBytes = await this.#journal.append(this.#sequence + 1, texts);
    this.#sequence += 1;
    this.#bytesSinceCheckpoint += this.#sequenceBytes;
  }

  /** Takes the last append back. */
  async undo(): Promise<void> {
    this.#sequence -= 1;
    this.#bytesSinceCheckpoint -= this.#sequenceBytes;
    await this.#journal.undo();
  }

  /** Notes how much of the journal is durable. May run beside anything. */
  noteSynced(): Promise<void> {
    return this.#journal.noteSynced();
  }

  /** Begins the next generation: a new journal. Returns its number. After a rejection the old one goes on. */
  async rotate(): Promise<number> {
    const former = this.#journal;
    const generation = this.#generation + 1;
    // A record that was refused but not yet removed would stand in the new journal's way.
    await former.settle();
    try {
      this.#journal = await createJournal(this.#options, generation);
    } catch (error) {
      await removeLeftovers(this.#options, 0).catch(() => undefined);
      throw error;
    }
    this.#generation = generation;
    this.#bytesSinceCheckpoint = 0;
    await former.closeContinued().catch((error: unknown) => {
      this.#options.warn(
        { err: error, file: former.path },
        'could not note in a journal that the next one goes on from it',
      );
    });
    return generation;
  }

  /** Makes `bytes`, the database as of the beginning of `generation`, the checkpoint in force. */
  async writeCheckpoint(generation: number, bytes: Uint8Array): Promise<void> {
    const { files, directory } = this.#options;
    const checksum = crc32(bytes).toString(16).padStart(8, '0');
    const path = join(directory, `events-${padded(generation)}-${checksum}.sqlite`);
    const aside = `${path}.new`;
    try {
      const file = await files.create(aside);
      await closeAfter(file, async () => {
        await file.write(bytes, 0);
        await file.sync();
      });
      this.#named = generation;
      await files.rename(aside, path);
      await files.syncDirectory(directory);
    } catch (error) {
      await files.remove(aside).catch(() => undefined);
      throw error;
    }
    this.#checkpointBytes = bytes.length;
    await removeLeftovers(this.#options, generation);
  }

  /**
   * Makes one commit durable by a checkpoint that ends with it, `bytes`, and removes every older file: nothing that the
   * commit took out of the database stays on disk. A checkpoint must not be under way.
   */
  async appendAsCheckpoint(bytes: Uint8Array, erases: boolean): Promise<void> {
    const { files, directory, warn } = this.#options;
    const generation = await this.rotate();
    try {
      await this.writeCheckpoint(generation, bytes);
    } catch (error) {
      if (this.#named === generation) {
        this.#doubtful = generation;
        await this.settle().catch(() => undefined);
      }
      throw error;
    }
    this.#sequence += 1;
    // Once more, for a file that could not be removed at the first try; it would still hold what must go.
    await removeLeftovers(this.#options, generation);
    if (erases) await this.#removeTorn();
    await files.syncDirectory(directory).catch((error: unknown) => {
      warn({ err: error, directory }, 'could not sync the removal of older files; opening the directory removes them');
    });
  }

  /** Whether a refused commit may be in force all the same. Nothing may follow it before `settle`. */
  get isUncertain(): boolean {
    return this.#doubtful !== 0 || this.#journal.hasRemains;
  }

  /** Undoes a refused commit whose outcome is unknown. Rejects where the disk does not allow it yet. Not beside an append. */
  settle(): Promise<void> {
    this.#settling ??= this.#settle().finally(() => {
      this.#settling = undefined;
    });
    return this.#settling;
  }

  /** They may tell of somebody who is forgotten. */
  async #removeTorn(): Promise<void> {
    const { files, directory, warn } = this.#options;
    try {
      for (const name of this.#tornNames) await files.remove(join(directory, name));
      this.#tornNames = [];
    } catch (error) {
      warn(
        { err: error, directory },
        'could not remove the unfinished records of crashes, which may tell of who is forgotten',
      );
    }
  }

  async #settle(): Promise<void> {
    const { files, directory } = this.#options;
    for (const torn of this.#torn) await this.#keepAside(torn);
    await this.#journal.settle();
    if (this.#doubtful === 0) return;
    for (const name of await files.list(directory)) {
      if (Number(CHECKPOINT_NAME.exec(name)?.[1] ?? -1) === this.#doubtful) await files.remove(join(directory, name));
    }
    await files.syncDirectory(directory);
    this.#doubtful = 0;
  }

  async #keepAside(torn: ScannedJournal): Promise<void> {
    const { files, directory, warn } = this.#options;
    const { generation, path, wholeBytes, tornBytes, bytes } = torn;
    const name = `events-${padded(generation)}-${wholeBytes}.torn`;
    const file = await files.create(join(directory, name));
    await closeAfter(file, async () => {
      await file.write(bytes.subarray(wholeBytes), 0);
      await file.sync();
    });
    await files.syncDirectory(directory);
    this.#tornNames = [...this.#tornNames.filter((known) => known !== name), name];
    if (generation !== this.#generation) {
      const journal = await Journal.resume(files, path, torn);
      await journal.close();
    }
    warn(
      { file: path, offset: wholeBytes, bytes: tornBytes, kept: name },
      'kept aside an unfinished record that a crash left at the end of the journal',
    );
    this.#torn = this.#torn.filter((other) => other !== torn);
  }

  /**
   * Rejects unless the directory is the one that was opened and does for a small file what a commit or a checkpoint needs:
   * create, write, sync, rename. It syncs once a second at most, however often it is called. Must not overlap with itself.
   */
  async probe(): Promise<void> {
    const { files, directory } = this.#options;
    if ((await files.identity(directory)) !== this.#directoryIdentity) throw directoryGone(directory);
    await this.#journal.checkInPlace();
    const startedMs = performance.now();
    const isSyncDue = startedMs - this.#probeSyncedMs >= PROBE_SYNC_INTERVAL_MS;
    const aside = join(directory, `${PROBE_NAME}.new`);
    const path = join(directory, PROBE_NAME);
    try {
      const file = await files.create(aside);
      try {
        await file.write(Buffer.from('probe\n'), 0);
        if (isSyncDue) await file.sync();
      } finally {
        await file.close();
      }
      await files.rename(aside, path);
      if (isSyncDue) await files.syncDirectory(directory);
    } catch (error) {
      for (const left of [aside, path]) await files.remove(left).catch(() => undefined);
      throw error;
    }
    await files.remove(path);
    if (isSyncDue) this.#probeSyncedMs = startedMs;
  }

  async close(): Promise<void> {
    await this.#journal.close();
  }
}

/** Fits no pattern above: a checkpoint that clears what is left over must not remove it in the middle of a probe. */
const PROBE_NAME = 'probe';
const PROBE_SYNC_INTERVAL_MS = 1_000;

interface ScannedJournal extends JournalBytes {
  readonly wholeBytes: number;
  readonly tornBytes: number;
  readonly version: number;
  readonly slot: JournalSlot | undefined;
}

interface ScannedJournals {
  readonly journals: readonly ScannedJournal[];
  readonly commits: readonly Commit[];
  readonly lastSequence: number;
  readonly bytes: number;
}

function newestCheckpoint(
  names: readonly string[],
): { name: string; generation: number; checksum: number } | undefined {
  const found = names.flatMap((name) => {
    const match = CHECKPOINT_NAME.exec(name);
    return match ? [{ name, generation: Number(match[1]), checksum: Number.parseInt(match[2] ?? '', 16) }] : [];
  });
  return found.sort((left, right) => left.generation - right.generation).at(-1);
}

async function readCheckpoint(
  files: Files,
  directory: string,
  newest: { readonly name: string; readonly checksum: number },
): Promise<{ file: string; bytes: Uint8Array }> {
  const file = join(directory, newest.name);
  const bytes = await files.read(file);
  if (crc32(bytes) !== newest.checksum) {
    throw damaged(file, 0, `its ${bytes.length} bytes do not match the checksum in its name`);
  }
  return { file, bytes };
}

async function readJournals(
  files: Files,
  directory: string,
  names: readonly string[],
  firstGeneration: number,
): Promise<readonly JournalBytes[]> {
  const generations = names
    .map((name) => Number(JOURNAL_NAME.exec(name)?.[1] ?? -1))
    .filter((generation) => generation >= firstGeneration)
    .sort((left, right) => left - right);
  const journals: JournalBytes[] = [];
  for (const [index, generation] of generations.entries()) {
    if (generation !== firstGeneration + index) throw missingJournal(directory, firstGeneration + index);
    const path = journalPath(directory, generation);
    const synced = names.includes(basename(syncedPath(path))) ? await files.read(syncedPath(path)) : undefined;
    journals.push({ generation, path, bytes: await files.read(path), synced });
  }
  return journals;
}

function scanJournals(journals: readonly JournalBytes[], afterSequence: number): ScannedJournals {
  const commits: Commit[] = [];
  const scanned: ScannedJournal[] = [];
  for (const journal of journals) {
    const scan = scanJournal(journal, afterSequence + commits.length + 1);
    const torn = scanned.find((earlier) => earlier.tornBytes > 0);
    if (torn !== undefined && scan.frames.length > 0) {
      throw damaged(torn.path, torn.wholeBytes, 'its last record is cut short though a later journal goes on from it');
    }
    for (const frame of scan.frames) {
      const text = Buffer.from(frame.payload).toString('utf8');
      commits.push({ sequence: frame.sequence, text, file: journal.path, offset: frame.offset });
    }
    const { wholeBytes, version, slot } = scan;
    scanned.push({ ...journal, wholeBytes, tornBytes: journal.bytes.length - wholeBytes, version, slot });
  }
  const last = scanned.at(-1);
  if (last?.slot?.isContinued) throw missingJournal(dirname(last.path), last.generation + 1);
  const bytes = scanned.reduce((sum, journal) => sum + journal.wholeBytes, 0);
  return { journals: scanned, commits, lastSequence: afterSequence + commits.length, bytes };
}

/** Opens the newest journal for appending; its torn end is still there. */
async function openLast(options: CommitLogOptions, scanned: ScannedJournals, generation: number): Promise<Journal> {
  const last = scanned.journals.at(-1);
  if (last === undefined) return createJournal(options, generation);
  return Journal.resume(options.files, last.path, last);
}

function createJournal({ files, directory }: CommitLogOptions, generation: number): Promise<Journal> {
  const path = journalPath(directory, generation);
  return Journal.create(files, path, `${path}.new`, directory, generation);
}

/** Clears files written aside, and every generation before `firstGeneration`. Nothing depends on its success. */
async function removeLeftovers({ files, directory, warn }: CommitLogOptions, firstGeneration: number): Promise<void> {
  try {
    for (const name of await files.list(directory)) {
      const generation = generationOf(name) ?? firstGeneration;
      if (generation < firstGeneration || ASIDE_NAME.test(name)) await files.remove(join(directory, name));
    }
  } catch (error) {
    warn(
      { err: error, directory },
      'could not remove files that are no longer needed; the next checkpoint tries again',
    );
  }
}

function generationOf(name: string): number | undefined {
  const match = JOURNAL_NAME.exec(name) ?? SYNCED_NAME.exec(name) ?? CHECKPOINT_NAME.exec(name);
  return match === null ? undefined : Number(match[1]);
}

function journalPath(directory: string, generation: number): string {
  return join(directory, journalName(generation));
}

function journalName(generation: number): string {
  return `events-${padded(generation)}.journal`;
}

function padded(generation: number): string {
  return String(generation).padStart(6, '0');
}

function missingJournal(directory: string, generation: number): StorageError {
  return new StorageError(
    `${journalPath(directory, generation)} is missing; nothing was changed. Restore the directory from a backup or choose another --data directory`,
    'failed',
  );
}

function directoryGone(directory: string): StorageError {
  return new StorageError(
    `The data directory ${directory} was removed or replaced while in use; restore it and start again`,
    'unreachable',
  );
}
