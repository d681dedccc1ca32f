/** Paths from the command line. */

import { basename, resolve } from 'node:path';
import { CommandFailure } from './terminal.js';

/** Absolute paths of module sources. Throws for what is no `.entail` file by its name. */
export function resolveFiles(files: readonly string[]): string[] {
  const other = files.find((file) => !file.endsWith('.entail'));
  if (other !== undefined) {
    throw new CommandFailure(`${basename(other)} is no module source; name files that end in .entail.`);
  }
  return [...new Set(files.map((file) => resolve(file)))];
}
