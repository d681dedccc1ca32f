/** Verifies the files of a data directory that nothing has open: checksums, formats, and whether each record and segment is readable. */

import { recover } from './commit-log.js';
import { openDatabase } from './database.js';
import { asStorageError } from './errors.js';
import type { Files } from './files.js';
import { Segments } from './segments.js';
import { inTimeSlices } from './time-slices.js';
import { readRecord } from './written-changes.js';

export interface Damage {
  /** The file, or the directory if it cannot be read. */
  readonly file: string;
  /** Undefined if the whole file is missing or has another format. */
  readonly offset: number | undefined;
  /** A sentence that names the file. */
  readonly problem: string;
}

/**
 * Changes nothing. Empty if the directory can be opened and all of its history read. Of the journals it reports the first damage,
 * because what comes after it cannot be placed. Saved states are not verified: the store does without a damaged one.
 */
export async function verifyDirectory(files: Files, directory: string): Promise<readonly Damage[]> {
  const found: Damage[] = [];
  const verified = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      const { place, offset, message } = asStorageError(error, `read ${directory}`, directory);
      found.push({ file: place ?? directory, offset, problem: message });
      return undefined;
    }
  };
  const place = { files, directory, warn: () => undefined };
  const recovered = await verified(() => recover(place));
  if (recovered === undefined) return found;
  const database = await verified(() => openDatabase(recovered.checkpoint));
  if (database === undefined) return found;
  try {
    await verified(async () => {
      for (const { version, payload } of recovered.commitsAfter(database.meta('sequence'))) {
        await inTimeSlices(readRecord(version, payload));
      }
    });
    const segments = new Segments(place, database.segments());
    for (const segment of segments.list) await verified(async () => (await segments.open(segment)).close());
  } finally {
    database.close();
  }
  return found;
}
