/** The file of the rows that `entail import` rejects. */

import { appendFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { createRejectsText } from '../api/tables/rejects-text.js';
import type { RejectedRow } from '../api/tables/row-lines.js';
import { reasonOf } from '../project/file-failures.js';
import { CommandFailure } from './terminal.js';

export interface Rejects {
  readonly count: number;
  add(rows: readonly RejectedRow[]): void;
  /** Removes the file if it has no rows. */
  end(): void;
}

/**
 * Begins an empty file, or continues one. A marked file tells a later import its encoding, whatever that of the imported file is. Throws
 * CommandFailure if it cannot be written.
 */
export function createRejects(
  path: string,
  { head, text }: ReturnType<typeof createRejectsText>,
  { isResumed, isMarked }: { readonly isResumed: boolean; readonly isMarked: boolean },
): Rejects {
  let count = 0;
  const attempt = (write: () => void): void => {
    try {
      write();
    } catch (cause) {
      throw new CommandFailure(`Cannot write ${path}: ${reasonOf(cause)}`, { cause });
    }
  };
  const isContinued = isResumed && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (!isContinued) attempt(() => writeFileSync(path, isMarked ? `\uFEFF${head}` : head));
  return {
    get count() {
      return count;
    },
    add(rows) {
      if (rows.length === 0) return;
      count += rows.length;
      attempt(() => appendFileSync(path, text(rows)));
    },
    end() {
      if (count === 0 && !isContinued) attempt(() => rmSync(path, { force: true }));
    },
  };
}
