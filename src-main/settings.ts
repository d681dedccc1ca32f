/** The desktop's settings between starts: one small file that is always replaced as a whole. */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { CAPABILITIES, limitsSchema } from '../src-runtime/api/schemas/health-schemas.js';

const positive = z.int().positive();

/** What the user sets in the page. */
export const serverChoicesSchema = z.strictObject({
  port: z.int().min(1024).max(65_535).optional(),
  limits: z.partialRecord(limitsSchema.keyof(), positive).optional(),
  grant: z.array(z.enum(CAPABILITIES)).optional(),
  adhoc: z.boolean().optional(),
  memoryMb: z.int().min(64).optional(),
  logRequests: z.int().nonnegative().optional(),
  updateFeed: z.string().min(1).optional(),
  logLevel: z.enum(['error', 'warn', 'info', 'debug']).optional(),
  projects: z.string().min(1).optional(),
});

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
  /** The projects of the windows that were open last. */
  open: z.array(z.array(z.string()).min(1)).optional().catch(undefined),
  /** The last place of any window, for a project that was not opened before. */
  window: windowPlaceSchema.optional().catch(undefined),
  /** The last place of the window of each recent project, by `keyOf`. */
  windows: z.record(z.string(), windowPlaceSchema).optional().catch(undefined),
  /** The token for other programs; the same until the user replaces it. */
  token: z.string().min(32).optional().catch(undefined),
  server: serverChoicesSchema.optional().catch(undefined),
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
        // It has the token.
        writeFileSync(`${path}.new`, `${JSON.stringify(current, null, 2)}\n`, { mode: 0o600 });
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
