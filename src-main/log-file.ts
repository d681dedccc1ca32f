/**
 * The file that the desktop's runtime writes its log to. One that is full is put aside, in the place of the one before it, so that the
 * two of them are all that there ever is of it.
 */

import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Some 50,000 requests. */
const BYTES_MAX = 8 * 1024 * 1024;

export interface LogFile {
  /** Appends. What cannot be written, on a full disk or in a folder that is gone, is lost: nothing is to end for it. */
  write(lines: string): void;
}

export function logFile(path: string, bytesMax = BYTES_MAX): LogFile {
  return {
    write(lines) {
      try {
        const bytes = statSync(path, { throwIfNoEntry: false })?.size;
        if (bytes === undefined) mkdirSync(dirname(path), { recursive: true });
        else if (bytes >= bytesMax) renameSync(path, `${path}.1`);
        appendFileSync(path, lines, { mode: 0o600 });
      } catch {
        // As above.
      }
    },
  };
}
