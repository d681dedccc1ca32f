/**
 * The files of a data directory: checkpoints of the database and the journals written since, in generations. (The sealed segments that
 * a checkpoint lists are the matter of `segments.ts`.)
 *
 * `events-<g>.journal` holds the commits of generation g, and `events-<g>.synced` its synced length. `events-<g>-<crc>.sqlite` is the
 * database at the start of generation g, with its CRC-32 in the name. The state is the newest checkpoint, if there is one, and all
 * journals from its generation on, in order.
 *
 * So a checkpoint starts a new journal, and is in force once its file has its name. Until then the older checkpoint and more journals
 * give the same state. Older files are removed last.
 */

import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { StorageError } from './event-store.js';
import { closeAfter, type Files, writeAtomically } from './files.js';
import { Journal } from './journal.js';
import {
  damaged,
  JOURNAL_VERSION,
  type JournalBytes,
  type JournalSlot,
  type OnDamage,
  refuse,
  scanJournal,
  syncedPath,
} from './journal-format.js';

/** The content of the directory, before anything is changed. */
export interface Recovered {
  /** The newest checkpoint, if there is one. */
  readonly checkpoint: { readonly file: string; readonly bytes: Uint8Array } | undefined;
  /** The commits after `sequence`, the last one of the checkpoint, in order. Throws on damage. */
  commitsAfter(sequence: number): readonly Commit[];
  /** Copies and cuts off a torn tail, removes leftovers of crashes, and opens the log. Only after `commitsAfter`. */
  begin(): Promise<CommitLog>;
}

export interface Commit {
  readonly sequence: number;
  /** The record, and the format of its journal. */
  readonly payload: Uint8Array;
  readonly version: number;
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
/** A copy of the torn end of a journal, for inspection after a crash. Nothing reads it. */
const TORN_NAME = /^events-(\d{6,})-\d+\.torn$/;
const ASIDE_NAME = /^events-\d{6,}.*\.new$/;

/** Reads the directory without changing it. If `onDamage` returns, it reads what comes before the damage. */
export async function recover(options: CommitLogOptions, onDamage: OnDamage = refuse): Promise<Recovered> {
  const { files, directory } = options;
  const names = await files.list(directory);
  const newest = newestCheckpoint(names);
  const firstGeneration = newest?.generation ?? 1;
  const journals = await readJournals(files, directory, names, firstGeneration, onDamage);
  if (newest !== undefined && journals.length === 0) {
    onDamage(missingJournal(directory, firstGeneration));
  }
  const checkpoint = newest && (await readCheckpoint(files, directory, newest));
  let scanned: ScannedJournals | undefined;
  return {
    checkpoint,
    commitsAfter(sequence) {
      scanned = scanJournals(journals, sequence, onDamage);
      return scanned.commits;
    },
    async begin() {
      if (scanned === undefined) throw new Error('commitsAfter comes before begin');
      return CommitLog.begin(options, scanned, firstGeneration, checkpoint?.bytes.length ?? 0);
    },
  };
}

/** The open log. Its methods must not overlap, except `writeCheckpoint`, which runs beside appends. */
export class CommitLog {
  readonly #options: CommitLogOptions;
  readonly #directoryIdentity: string;
  #journal: Journal;
  #generation: number;
  #sequence: number;
  #sequenceBytes = 0;
  #bytesSinceCheckpoint: number;
  #checkpointBytes: number;
  /** Generation of the checkpoint that was renamed last; its new name may not be synced. */
  #named = 0;
  /** Generation of the checkpoint of a refused commit that may be in force; 0 for none. */
  #doubtful = 0;
  #settling: Promise<void> | undefined;
  /** Journals whose torn ends are not copied and cut off yet. */
  #torn: readonly ScannedJournal[];
  /** Names of the copies of torn ends. */
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

  /** Sentences for the operator. */
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

  /** The number of the last commit. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Bytes of journal that the next start would replay. */
  get bytesSinceCheckpoint(): number {
    return this.#bytesSinceCheckpoint;
  }

  /** Size of the checkpoint in force, or 0. The next one costs at least as much. */
  get checkpointBytes(): number {
    return this.#checkpointBytes;
  }

  /** Makes one commit durable. The pieces are the text of a record. `mayBlock` as for a sync. */
  append(texts: readonly string[], mayBlock: boolean): Promise<void> {
    return this.#journal.append(this.#sequence + 1, texts, mayBlock).then((bytes) => {
      this.#sequenceBytes = bytes;
      this.#sequence += 1;
      this.#bytesSinceCheckpoint += bytes;
    });
  }

  /** Removes the last append. */
  async undo(): Promise<void> {
    this.#sequence -= 1;
    this.#bytesSinceCheckpoint -= this.#sequenceBytes;
    await this.#journal.undo();
  }

  /** Records the synced length of the journal. May run beside anything. */
  noteSynced(): Promise<void> {
    return this.#journal.noteSynced();
  }

  /** Starts the next generation with a new journal, and returns its number. After a rejection the old journal continues. */
  async rotate(): Promise<number> {
    const former = this.#journal;
    const generation = this.#generation + 1;
    // A refused record that is still in the file must be removed before a later journal exists.
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

  /** Puts `bytes`, the database at the start of `generation`, in force as the checkpoint. */
  async writeCheckpoint(generation: number, bytes: Uint8Array): Promise<void> {
    const { files, directory } = this.#options;
    const checksum = crc32(bytes).toString(16).padStart(8, '0');
    const path = join(directory, `events-${padded(generation)}-${checksum}.sqlite`);
    const noteNamed = (): boolean => {
      this.#named = generation;
      return true;
    };
    await writeAtomically(files, path, (file) => file.write(bytes, 0), noteNamed);
    this.#checkpointBytes = bytes.length;
    await removeLeftovers(this.#options, generation);
  }

  /** Makes one commit durable with `bytes`, a checkpoint that includes it. No other checkpoint may be running. */
  async appendAsCheckpoint(bytes: Uint8Array): Promise<void> {
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
  }

  /** Removes all files before the last checkpoint, and what `removeMore` removes, so that no erased value stays on disk. Never rejects. */
  async removeOlder(isErasure: boolean, removeMore: () => Promise<void>): Promise<void> {
    const { files, directory, warn } = this.#options;
    // Again, because a file that could not be removed at first would keep erased values.
    await removeLeftovers(this.#options, this.#generation);
    await removeMore();
    if (isErasure) await this.#removeTorn();
    await files.syncDirectory(directory).catch((error: unknown) => {
      warn({ err: error, directory }, 'could not sync the removal of older files; opening the directory removes them');
    });
  }

  /** Whether a refused commit may be in force. `settle` comes before the next commit. */
  get isUncertain(): boolean {
    return this.#doubtful !== 0 || this.#journal.hasRemains;
  }

  /** Whether `settle` has nothing to do. */
  get isSettled(): boolean {
    return !this.isUncertain && this.#torn.length === 0 && this.#settling === undefined;
  }

  /** Rolls back a refused commit whose outcome is unknown. Rejects while the disk refuses. Not beside an append. */
  settle(): Promise<void> {
    this.#settling ??= this.#settle().finally(() => {
      this.#settling = undefined;
    });
    return this.#settling;
  }

  /** The copies may hold erased values. */
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
      await file.write(bytes.subarray(wholeBytes, wholeBytes + tornBytes), 0);
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
   * Rejects unless the directory is the one that was opened, and a small file can be created, written, synced and renamed as a commit
   * or checkpoint needs. Syncs at most once a second. Calls must not overlap.
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

/** Fits no pattern above, because a checkpoint that removes leftovers must not remove it during a probe. */
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
  onDamage: OnDamage,
): Promise<readonly JournalBytes[]> {
  const generations = names
    .map((name) => Number(JOURNAL_NAME.exec(name)?.[1] ?? -1))
    .filter((generation) => generation >= firstGeneration)
    .sort((left, right) => left - right);
  const journals: JournalBytes[] = [];
  for (const [index, generation] of generations.entries()) {
    if (generation !== firstGeneration + index) {
      onDamage(missingJournal(directory, firstGeneration + index));
      break;
    }
    const path = journalPath(directory, generation);
    const synced = names.includes(basename(syncedPath(path))) ? await files.read(syncedPath(path)) : undefined;
    journals.push({ generation, path, bytes: await files.read(path), synced });
  }
  return journals;
}

function scanJournals(journals: readonly JournalBytes[], afterSequence: number, onDamage: OnDamage): ScannedJournals {
  const commits: Commit[] = [];
  const scanned: ScannedJournal[] = [];
  let isDamaged = false;
  const note = (damage: StorageError): void => {
    isDamaged = true;
    onDamage(damage);
  };
  for (const journal of journals) {
    // What comes after damage cannot be placed.
    if (isDamaged) break;
    const scan = scanJournal(journal, afterSequence + commits.length + 1, note);
    const torn = scanned.find((earlier) => earlier.tornBytes > 0);
    if (torn !== undefined && scan.frames.length > 0) {
      note(damaged(torn.path, torn.wholeBytes, 'its last record is cut short though a later journal goes on from it'));
      break;
    }
    for (const frame of scan.frames) {
      const { sequence, payload, offset } = frame;
      commits.push({ sequence, payload, version: scan.version, file: journal.path, offset });
    }
    const { wholeBytes, tornBytes, version, slot } = scan;
    scanned.push({ ...journal, wholeBytes, tornBytes, version, slot });
  }
  const last = scanned.at(-1);
  if (!isDamaged && last?.slot?.isContinued) onDamage(missingJournal(dirname(last.path), last.generation + 1));
  const bytes = scanned.reduce((sum, journal) => sum + journal.wholeBytes, 0);
  return { journals: scanned, commits, lastSequence: afterSequence + commits.length, bytes };
}

/** Opens the newest journal for appending, with its torn end. */
async function openLast(options: CommitLogOptions, scanned: ScannedJournals, generation: number): Promise<Journal> {
  const last = scanned.journals.at(-1);
  if (last === undefined) return createJournal(options, generation);
  return Journal.resume(options.files, last.path, last);
}

function createJournal({ files, directory }: CommitLogOptions, generation: number): Promise<Journal> {
  const path = journalPath(directory, generation);
  return Journal.create(files, path, `${path}.new`, directory, generation);
}

/** Removes temporary files and all generations before `firstGeneration`. Nothing depends on its success. */
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
    `${journalPath(directory, generation)} is missing; nothing was changed. Restore the directory from a backup`,
    'failed',
    { place: journalPath(directory, generation) },
  );
}

function directoryGone(directory: string): StorageError {
  return new StorageError(
    `The data directory ${directory} was removed or replaced while in use; restore it and start again`,
    'unreachable',
  );
}
