/**
 * Renames a file on Windows, too, where a virus scanner or an indexer that has either file open makes a rename fail for a moment. On
 * other systems the same codes mean that permission is denied, which a retry does not change.
 */

import { rename as renameFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { systemCode } from './errors.js';

const IN_USE_CODES = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Backoff before each retry: about one second in all. */
const PAUSES_MS = [10, 20, 40, 80, 160, 320, 400];

interface RenameSystem {
  readonly platform: NodeJS.Platform;
  rename(from: string, to: string): Promise<void>;
  pause(ms: number): Promise<unknown>;
}

const nodeSystem: RenameSystem = { platform: process.platform, rename: renameFile, pause };

/** Replaces a file at `to`. */
export async function rename(from: string, to: string, system = nodeSystem): Promise<void> {
  for (const pauseMs of system.platform === 'win32' ? PAUSES_MS : []) {
    try {
      return await system.rename(from, to);
    } catch (error) {
      if (!IN_USE_CODES.has(systemCode(error) ?? '')) throw error;
    }
    await system.pause(pauseMs);
  }
  await system.rename(from, to);
}
