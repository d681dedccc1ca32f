/** The desktop's settings between starts: one small file that is always replaced as a whole. */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

const windowPlaceSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().positive(),
  height: z.int().positive(),
  maximized: z.boolean(),
});

const settingsSchema = z.object({
  /** Files, or a folder, of each project; the last opened first. */
  recent: z.array(z.array(z.string()).min(1)).default([]),
  /** Where facts are that cannot be stored beside the files: a folder, or `memory`. By `keyOf`. */
  factsFolders: z.record(z.string(), z.string()).optional().catch(undefined),
  /** The address of a folder with updates, instead of the package's. */
  updateFeed: z.string().optional().catch(undefined),
  /** The projects of the windows that were open last. */
  open: z.array(z.array(z.string()).min(1)).optional().catch(undefined),
  /** The last place of any window, for a project that was not opened before. */
  window: windowPlaceSchema.optional().catch(undefined),
  /** The last place of the window of each recent project, by `keyOf`. */
  windows: z.record(z.string(), windowPlaceSchema).optional().catch(undefined),
});

export type Settings = z.output<typeof settingsSchema>;
export type WindowPlace = z.output<typeof windowPlaceSchema>;

export interface SettingsFile {
  readonly current: Settings;
  change(change: (settings: Settings) => Settings): void;
}

/**
 * A missing or damaged file means no settings; if the file cannot be written, the settings last until the application ends. No
 * setting is important enough to prevent a start.
 */
export function settingsFile(path: string): SettingsFile {
  let current = read(path);
  return {
    get current() {
      return current;
    },
    change(change) {
      current = change(current);
      try {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(`${path}.new`, `${JSON.stringify(current, null, 2)}\n`);
        renameSync(`${path}.new`, path);
      } catch {
        // A failure to save must not stop the action that changed the settings: opening a module, moving a window.
      }
    },
  };
}

function read(path: string): Settings {
  try {
    return settingsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return { recent: [] };
  }
}
