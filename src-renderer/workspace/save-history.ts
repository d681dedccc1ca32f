/**
 * Save history of this browser, newest first: each changed file before and after. It survives reloads and restarts, so
 * that the user can return to a text that was never committed.
 */

import type { SourceFile } from '../server-state/api.js';
import { createEntryList } from '../state/browser-database.js';
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
  /** Names of the modules before the save. Another module may have files of the same names. */
  readonly modules: string;
  /** The names after the save, if they differ. */
  readonly renamed?: string;
  readonly reloaded: boolean;
  /** The files that the save changed. */
  readonly files: readonly SavedText[];
}

export const ENTRIES_MAX = 100;
/** Limit of all entries together. */
const CHARACTERS_MAX = 8_000_000;

export const saveHistory = createStore<readonly SaveEntry[]>([]);

const stored = createEntryList<SaveEntry>('entail-saves', 'saves');
let opened: Promise<void> | undefined;

/** Reads the stored saves once, when they are first needed. */
export function openSaveHistory(): Promise<void> {
  opened ??= (async () => {
    const kept = await stored.read();
    saveHistory.update((current) =>
      bounded([...current, ...kept.filter(({ id }) => !current.some((each) => each.id === id))]),
    );
  })();
  return opened;
}

interface Saved {
  readonly reloaded: boolean;
  /** All files before the save. */
  readonly before: readonly SourceFile[];
  /** The files that were saved. */
  readonly after: readonly SourceFile[];
  readonly at: number;
}

/** Records nothing if no text changed. */
export async function recordSave({ reloaded, before, after, at }: Saved): Promise<void> {
  const files = changedTexts(before, after);
  if (files.length === 0) return;
  await openSaveHistory();
  const id = Math.max(at, (saveHistory.get()[0]?.id ?? 0) + 1);
  const modules = moduleNames(before);
  const renamed = moduleNames(withSavedTexts(before, after));
  const entry: SaveEntry = { id, at, modules, ...(renamed !== modules && { renamed }), reloaded, files };
  saveHistory.update((current) => bounded([entry, ...current]));
  await stored.put([entry], saveHistory.get().at(-1)?.id);
}

/** Clears the entries of all modules. */
export async function clearSaveHistory(): Promise<void> {
  saveHistory.set([]);
  await openSaveHistory();
  await stored.clear();
}

export async function restoreSaveHistory(entries: readonly SaveEntry[]): Promise<void> {
  saveHistory.update((current) => bounded([...current, ...entries]));
  await openSaveHistory();
  await stored.put(entries);
}

/**
 * The entries of the modules in these files, newest first. If a save changed the `module` line, entries under the old
 * name follow. One common name is enough, because files may have been added or removed.
 */
export function savesOfModules(files: readonly SourceFile[], entries: readonly SaveEntry[]): readonly SaveEntry[] {
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

function withSavedTexts(before: readonly SourceFile[], after: readonly SourceFile[]): readonly SourceFile[] {
  const texts = new Map([...before, ...after].map(({ file, text }) => [file, text]));
  return [...texts].map(([file, text]) => ({ file, text }));
}

/** The names in the `module` lines. A file without one counts by its file name. */
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

/** Drops the oldest entries beyond the limits, but always keeps the newest. */
export function bounded(entries: readonly SaveEntry[]): readonly SaveEntry[] {
  let characters = 0;
  const kept = entries.slice(0, ENTRIES_MAX).filter(({ files }) => {
    characters += files.reduce((sum, { before, after }) => sum + before.length + after.length, 0);
    return characters <= CHARACTERS_MAX;
  });
  return kept.length === 0 ? entries.slice(0, 1) : kept;
}
