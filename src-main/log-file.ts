/**
 * The log file of the desktop's runtimes, one for the workers of all windows. A full file replaces the previous full one, so that
 * there are never more than two.
 */

import { appendFileSync, mkdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Some 50,000 requests. */
const BYTES_MAX = 8 * 1024 * 1024;

/** A rename takes no time. */
const LOCK_MS = 60_000;

export interface LogFile {
  /**
   * Appends a line. A line that cannot be written (a full disk, a deleted folder) is dropped, since logging must not stop the
   * runtime.
   */
  write(lines: string): void;
}

export function logFile(path: string, bytesMax = BYTES_MAX): LogFile {
  const bytes = (): number | undefined => statSync(path, { throwIfNoEntry: false })?.size;
  const isFull = (): boolean => (bytes() ?? 0) >= bytesMax;
  return {
    write(lines) {
      try {
        if (bytes() === undefined) mkdirSync(dirname(path), { recursive: true });
        else if (isFull()) rotate(path, isFull);
        appendFileSync(path, lines, { mode: 0o600 });
      } catch {
        // As above.
      }
    },
  };
}

/**
 * Only one worker renames, and checks again: the other would replace the full file with the new one. If a rename is refused, because
 * another worker is at it or because Windows has the file open, the lines go on in the full file, and the next write tries again.
 */
function rotate(path: string, isFull: () => boolean): void {
  const lock = `${path}.lock`;
  try {
    mkdirSync(lock);
  } catch {
    breakOldLock(lock);
    return;
  }
  try {
    if (isFull()) renameSync(path, `${path}.1`);
  } catch {
    // As above.
  } finally {
    rmdirSync(lock);
  }
}

/** Of an application that was killed while it had it. */
function breakOldLock(lock: string): void {
  const found = statSync(lock, { throwIfNoEntry: false });
  if (found !== undefined && Date.now() - found.mtimeMs > LOCK_MS) rmdirSync(lock);
}
