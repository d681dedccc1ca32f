/** Drafts: unsaved texts, with the saved text that each started from. They survive a reload of the page. */

import type { Diagnostic } from '../../src-runtime/base/diagnostic.js';
import type { SourceFile, SourceOnDisk } from '../server-state/api.js';
import { afterPaint } from '../state/after-paint.js';
import { createPersistentStore, isRecordOf, mergedMembers } from '../state/store.js';

export interface Draft {
  readonly text: string;
  /** The saved text that the typing started from. */
  readonly base: string;
}

/** A source file: its text on disk and its text in the editor. */
export interface WorkFile {
  readonly file: string;
  readonly text: string;
  readonly saved: string;
  /** Save has something to write: a draft, or the text of a deleted file. */
  readonly dirty: boolean;
  /** The file changed on disk after the draft was started. */
  readonly conflict: boolean;
  /** The file no longer exists on disk. */
  readonly deleted: boolean;
  /** Why the file on disk cannot be read. `saved` is then the last text read from it. */
  readonly unreadable: string | undefined;
}

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Draft).text === 'string' &&
  typeof (value as Draft).base === 'string';

/** Keyed by file name. */
export const drafts = createPersistentStore<Record<string, Draft>>(
  'entail.drafts',
  {},
  (value): value is Record<string, Draft> => isRecordOf(value, isDraft),
  { later: afterPaint, merge: mergedMembers },
);

export function workFiles(sources: readonly SourceOnDisk[], current: Readonly<Record<string, Draft>>): WorkFile[] {
  return sources.map(({ file, text: saved, deleted = false, unreadable }) => {
    const draft = current[file];
    const text = draft?.text ?? saved;
    const isTyped = text !== saved;
    // A deleted file cannot be overwritten, so it has no conflict. Without text there is nothing to write. An
    // unreadable file always conflicts with a draft, because its content is unknown.
    return {
      file,
      text,
      saved,
      dirty: isTyped || (deleted && text !== ''),
      conflict: isTyped && !deleted && draft?.base !== (unreadable ?? saved),
      deleted,
      unreadable,
    };
  });
}

/** Unreadable files as entries of the problem list. */
export function problemsOnDisk(files: readonly Pick<SourceOnDisk, 'file' | 'unreadable'>[]): Diagnostic[] {
  return files.flatMap(({ file, unreadable }) => {
    if (unreadable === undefined) return [];
    const start = { offset: 0, line: 1, column: 1 };
    return [{ code: '', severity: 'error', message: unreadable, span: { file, start, end: start } }];
  });
}

/** The drafts after `text` was typed into `file`. A text equal to the saved one is no draft. */
export function withText(
  current: Readonly<Record<string, Draft>>,
  file: string,
  text: string,
  saved: string,
): Record<string, Draft> {
  if (text === saved) return withoutDrafts(current, [file]);
  return { ...current, [file]: { text, base: current[file]?.base ?? saved } };
}

/** Drafts that restore what the server runs, which may differ from the last save. */
export function withRunningTexts(
  current: Readonly<Record<string, Draft>>,
  files: readonly WorkFile[],
  running: readonly SourceFile[],
): Record<string, Draft> {
  const texts = new Map(running.map(({ file, text }) => [file, text]));
  const names = files.map(({ file }) => file);
  return files.reduce(
    (drafts, { file, saved }) => withText(drafts, file, texts.get(file) ?? saved, saved),
    withoutDrafts(current, names),
  );
}

export function withoutDrafts(
  current: Readonly<Record<string, Draft>>,
  files: readonly string[],
): Record<string, Draft> {
  return Object.fromEntries(Object.entries(current).filter(([file]) => !files.includes(file)));
}

/** The drafts after a save. Text typed since then stays a draft, based on the text just saved. */
export function afterSave(
  current: Readonly<Record<string, Draft>>,
  saved: readonly SourceFile[],
): Record<string, Draft> {
  const next: Record<string, Draft> = { ...current };
  for (const { file, text } of saved) {
    const draft = next[file];
    if (draft === undefined) continue;
    if (draft.text === text) delete next[file];
    else next[file] = { text: draft.text, base: text };
  }
  return next;
}

type Drafts = Readonly<Record<string, Draft>>;

/**
 * Undoes a change of drafts from `before` to `after`, and keeps all other drafts as they are now. `overwritten` holds the
 * drafts that were edited after the change and are now overwritten, or undefined for one that was deleted.
 */
export function withChangeUndone(
  now: Drafts,
  { before, after }: { readonly before: Drafts; readonly after: Drafts },
): { readonly drafts: Record<string, Draft>; readonly overwritten: Readonly<Record<string, Draft | undefined>> } {
  const drafts = { ...now };
  const overwritten: Record<string, Draft | undefined> = {};
  for (const file of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[file]?.text === after[file]?.text) continue;
    if (now[file]?.text !== after[file]?.text) overwritten[file] = now[file];
    const draft = before[file];
    if (draft === undefined) delete drafts[file];
    else drafts[file] = draft;
  }
  return { drafts, overwritten };
}

/** The drafts after a conflict was resolved in favour of the draft. */
export function keepDraft(
  current: Readonly<Record<string, Draft>>,
  { file, saved, unreadable }: Pick<WorkFile, 'file' | 'saved' | 'unreadable'>,
): Record<string, Draft> {
  const draft = current[file];
  return draft === undefined ? { ...current } : { ...current, [file]: { text: draft.text, base: unreadable ?? saved } };
}
