/**
 * What was saved from this browser, the latest first: each file as it was before and after. Kept over reloads and restarts, so that
 * one finds back to a text that no commit has.
 */

import type { SourceFile } from '../server-state/api.js';
import { allOf, openDatabase, write } from '../state/browser-database.js';
import { createStore } from '../state/store.js';

export interface SavedText {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

export interface SaveEntry {
  /** Ascending; the key in the database. */
  readonly id: number;
  readonly at: number;
  /** Names of the modules before it: texts of others may stand in files of the same names. */
  readonly modules: string;
  /** The names after it, where they are others. */
  readonly renamed?: string;
  readonly reloaded: boolean;
  /** Those that were changed. */
  readonly files: readonly SavedText[];
}

export const ENTRIES_MAX = 100;
/** Of all entries together. */
const CHARACTERS_MAX = 8_000_000;
const STORE = 'saves';

export const saves = createStore<readonly SaveEntry[]>([]);

let opened: Promise<IDBDatabase | undefined> | undefined;

/** Reads what the browser has kept; once, when somebody first needs it. */
export function openSaves(): Promise<IDBDatabase | undefined> {
  opened ??= openDatabase('entail-saves', STORE).then(async (database) => {
    if (database === undefined) return undefined;
    const kept = await allOf<SaveEntry>(database, STORE).catch(() => []);
    saves.update((own) => bounded([...own, ...kept.filter(({ id }) => !own.some((each) => each.id === id))]));
    return database;
  });
  return opened;
}

interface Saved {
  readonly reloaded: boolean;
  /** All files as they were. */
  readonly before: readonly SourceFile[];
  /** Those that were saved. */
  readonly after: readonly SourceFile[];
  readonly at: number;
}

/** Nothing where every text is as it was. */
export async function recordSave({ reloaded, before, after, at }: Saved): Promise<void> {
  const files = changedTexts(before, after);
  if (files.length === 0) return;
  const database = await openSaves();
  const id = Math.max(at, (saves.get()[0]?.id ?? 0) + 1);
  const modules = moduleNames(before);
  const renamed = moduleNames(withSaved(before, after));
  const entry: SaveEntry = { id, at, modules, ...(renamed !== modules && { renamed }), reloaded, files };
  saves.update((own) => bounded([entry, ...own]));
  if (database === undefined) return;
  const oldest = saves.get().at(-1)?.id ?? 0;
  write(database, STORE, (store) => {
    store.put(entry);
    store.delete(IDBKeyRange.upperBound(oldest, true));
  });
}

/** All of them, whichever module they are of. */
export async function clearSaves(): Promise<void> {
  saves.set([]);
  const database = await openSaves();
  if (database !== undefined) write(database, STORE, (store) => store.clear());
}

/** Brings back what was cleared. */
export async function putBackSaves(entries: readonly SaveEntry[]): Promise<void> {
  saves.update((own) => bounded([...own, ...entries]));
  const database = await openSaves();
  if (database === undefined) return;
  write(database, STORE, (store) => {
    for (const entry of entries) store.put(entry);
  });
}

/**
 * Those of the modules that these files hold, the latest first. A save that changed a `module` line leads back to what was saved under
 * the earlier name, and one name is enough where files came or went.
 */
export function savesOf(files: readonly SourceFile[], entries: readonly SaveEntry[]): readonly SaveEntry[] {
  const names = new Set(namesOf(moduleNames(files)));
  return entries.filter(({ modules, renamed }) => {
    const earlier = namesOf(modules);
    if (![...earlier, ...namesOf(renamed ?? '')].some((name) => names.has(name))) return false;
    for (const name of earlier) names.add(name);
    return true;
  });
}

function namesOf(modules: string): readonly string[] {
  return modules.split(', ').filter((name) => name !== '');
}

function withSaved(before: readonly SourceFile[], after: readonly SourceFile[]): readonly SourceFile[] {
  const texts = new Map([...before, ...after].map(({ file, text }) => [file, text]));
  return [...texts].map(([file, text]) => ({ file, text }));
}

/** As the files call themselves. */
function moduleNames(files: readonly SourceFile[]): string {
  return files.map(({ file, text }) => /^\s*module\s+([\w:]+)/m.exec(text)?.[1] ?? file).join(', ');
}

export function changedTexts(before: readonly SourceFile[], after: readonly SourceFile[]): SavedText[] {
  const texts = new Map(before.map(({ file, text }) => [file, text]));
  return after.flatMap(({ file, text }) => {
    const old = texts.get(file) ?? '';
    return old === text ? [] : [{ file, before: old, after: text }];
  });
}

/** As many as may be kept, the latest of all in any case. */
export function bounded(entries: readonly SaveEntry[]): readonly SaveEntry[] {
  let characters = 0;
  const kept = entries.slice(0, ENTRIES_MAX).filter(({ files }) => {
    characters += files.reduce((sum, { before, after }) => sum + before.length + after.length, 0);
    return characters <= CHARACTERS_MAX;
  });
  return kept.length === 0 ? entries.slice(0, 1) : kept;
}
