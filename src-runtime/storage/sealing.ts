/** Moves the history of the current database into sealed segments, and warns when that is not possible. */

import { type Database, openDatabase, type Segment } from './database.js';
import { copyHistory, type Rewrites } from './rewriting.js';
import type { Segments } from './segments.js';
import { nextTurn } from './time-slices.js';

/** A database of up to this many times the size becomes one segment. Exporting it blocks the event loop for 1 to 2 ms per MiB. */
const EXPORTED_AT_ONCE = 4;

const NO_REWRITES: Rewrites = new Map();

/** A segment that is not in force yet, with its bytes if its file is not written. */
interface Sealed {
  readonly segment: Segment;
  readonly bytes: Uint8Array | undefined;
}

/** Seals the history if it has `segmentBytes`. Runs between two commits; readers see each transaction all the time. */
export async function seal(
  database: Database,
  segments: Segments,
  segmentBytes: number,
  exportWhole: () => Uint8Array,
): Promise<void> {
  if (database.sizeBytes < segmentBytes) return;
  const sealed = isDivided(database, segmentBytes)
    ? await divide(database, segments, 2 * segmentBytes)
    : await sealWhole(database, segments, exportWhole);
  if (sealed.length === 0) return;
  // In one step, so that each transaction is always in one of the two.
  database.dropHistory(sealed.map(({ segment }) => segment));
  for (const { segment, bytes } of sealed) segments.add(segment, bytes);
  await nextTurn();
  database.compact();
  await nextTurn();
}

/** Whether the history is too large for one segment: one of an older format, or with a very long transaction. */
export function isDivided({ sizeBytes }: Database, segmentBytes: number): boolean {
  return sizeBytes > EXPORTED_AT_ONCE * segmentBytes;
}

async function sealWhole(
  database: Database,
  segments: Segments,
  exportWhole: () => Uint8Array,
): Promise<readonly Sealed[]> {
  const contents = database.contents();
  if (contents.length === 0) return [];
  const whole = exportWhole();
  await nextTurn();
  const bytes = database.hasOutcomes ? await withoutOutcomes(whole) : whole;
  return [{ segment: await segments.describe(bytes, contents), bytes }];
}

/** Outcomes belong to the checkpoint, from which they are dropped after a day. */
async function withoutOutcomes(whole: Uint8Array): Promise<Uint8Array> {
  const copy = await openDatabase({ file: 'The database', bytes: whole });
  copy.dropAllOutcomes();
  await nextTurn();
  copy.compact();
  await nextTurn();
  const bytes = copy.exportBytes(0);
  copy.close();
  return bytes;
}

/** Writes each part at once, because together they may not fit into memory. */
async function divide(database: Database, segments: Segments, bytesMax: number): Promise<readonly Sealed[]> {
  const sealed: Sealed[] = [];
  for (const part of copyHistory(database, NO_REWRITES, bytesMax)) {
    await nextTurn();
    if (part === undefined) continue;
    const bytes = part.database.exportBytes(0);
    part.database.close();
    const segment = await segments.describe(bytes, part.contents);
    await segments.write(segment, bytes);
    sealed.push({ segment, bytes: undefined });
  }
  return sealed;
}

/** Warns of a limit before it is reached. */
export function sizeWarnings(sizes: {
  /** The database of a store in memory, which has no segments. */
  readonly memoryBytes: number;
  /** Segments whose files the disk refused. */
  readonly unwrittenBytes: number;
  readonly checkpointBytes: number;
}): readonly string[] {
  const mebibytes = (bytes: number) => Math.ceil(bytes / (1024 * 1024)).toLocaleString('en');
  const memory = mebibytes(sizes.memoryBytes);
  const unwritten = mebibytes(sizes.unwrittenBytes);
  const checkpoint = mebibytes(sizes.checkpointBytes);
  return [
    ...(sizes.memoryBytes > MEMORY_WARNING_BYTES
      ? [`The history has ${memory} MiB of the 2,048 that fit into memory. Start with a data directory to keep more.`]
      : []),
    ...(sizes.unwrittenBytes > 0
      ? [`The disk refused files of older history; ${unwritten} MiB wait in memory. Nothing is lost. Free some space.`]
      : []),
    ...(sizes.checkpointBytes > CHECKPOINT_WARNING_BYTES
      ? [
          `A checkpoint has ${checkpoint} MiB of scopes, forks and segments, and stops the server for as many milliseconds.`,
        ]
      : []),
  ];
}

const MEMORY_WARNING_BYTES = 1_500 * 1024 * 1024;
const CHECKPOINT_WARNING_BYTES = 50 * 1024 * 1024;
