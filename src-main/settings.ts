/** The desktop's settings between starts: one small file that is always replaced as a whole. */

import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { CAPABILITIES } from '../src-runtime/api/capabilities.js';
import { limitsSchema } from '../src-runtime/api/schemas/health-schemas.js';
import { rename } from '../src-runtime/storage/rename.js';

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
  /** Resolves once all changes are in the file. */
  saved(): Promise<void>;
}

/**
 * A missing or damaged file means no settings; if the file cannot be written, the settings last until the application ends. No
 * setting is important enough to prevent a start.
 */
export function settingsFile(path: string): SettingsFile {
  let current = read(path);
  let written = JSON.stringify(current);
  let saving: Promise<void> = Promise.resolve();

  /** Writes the settings at the time of its turn, so that several changes at once are one write. */
  async function save(): Promise<void> {
    const wanted = JSON.stringify(current);
    if (wanted === written) return;
    written = wanted;
    try {
      await replaceFile(path, `${JSON.stringify(current, null, 2)}\n`);
    } catch {
      // A failure to save must not stop the action that changed the settings: opening a module, moving a window.
      written = '';
    }
  }

  return {
    get current() {
      return current;
    },
    change(change) {
      current = change(current);
      saving = saving.then(save);
    },
    saved: () => saving,
  };
}

async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const fresh = `${path}.new`;
  // One that was left over might be readable for others, and this one has the token.
  await rm(fresh, { force: true });
  await writeFile(fresh, text, { mode: 0o600, flag: 'wx' });
  await rename(fresh, path);
}

function read(path: string): Settings {
  try {
    return settingsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return { recent: [] };
  }
}
