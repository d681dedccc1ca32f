/** The log file of the desktop's runtime. A full file replaces the previous full one, so that there are never more than two. */

import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Some 50,000 requests. */
const BYTES_MAX = 8 * 1024 * 1024;

export interface LogFile {
  /**
   * Appends a line. A line that cannot be written (a full disk, a deleted folder) is dropped, since logging must not stop the
   * runtime.
   */
  write(lines: string): void;
}

export function logFile(path: string, bytesMax = BYTES_MAX): LogFile {
  return {
    write(lines) {
      try {
        const bytes = statSync(path, { throwIfNoEntry: false })?.size;
        if (bytes === undefined) mkdirSync(dirname(path), { recursive: true });
        else if (bytes >= bytesMax) rotate(path);
        appendFileSync(path, lines, { mode: 0o600 });
      } catch {
        // As above.
      }
    },
  };
}

/** Windows refuses the rename while another program has a file open. The lines then go on in the full file. */
function rotate(path: string): void {
  try {
    renameSync(path, `${path}.1`);
  } catch {
    // The next write tries again.
  }
}
