/** Texts that were typed and not saved yet. They outlive a reload of the page, and know what they started from. */

import type { Diagnostic } from '../../src-runtime/base/diagnostic.js';
import type { SourceFile, SourceOnDisk } from '../server-state/api.js';
import { afterPaint } from '../state/after-paint.js';
import { createKeptStore, isRecordOf, mergedMembers } from '../state/store.js';

export interface Draft {
  readonly text: string;
  /** The saved text that the typing started from. */
  readonly base: string;
}

/** One source file as the workbench sees it: what is on disk, and what the editor holds. */
export interface WorkFile {
  readonly file: string;
  readonly text: string;
  readonly saved: string;
  /** Save has something to write: a draft, or the text of a file that was deleted. */
  readonly dirty: boolean;
  /** The file changed on disk while a draft of an older version exists. */
  readonly conflict: boolean;
  /** The file does not exist on disk any more. */
  readonly deleted: boolean;
  /** Why the file on disk cannot be read; undefined where it can. `saved` is the last that was read of it. */
  readonly unreadable: string | undefined;
}

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Draft).text === 'string' &&
  typeof (value as Draft).base === 'string';

/** By file name. */
export const drafts = createKeptStore<Record<string, Draft>>(
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
    // Nothing on disk can be overwritten where the file is gone. Without any text there is nothing to write. What is in a file
    // that cannot be read is overwritten only by choice, whatever the draft started from.
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

/** What the list of problems says of files that cannot be read. */
export function problemsOnDisk(files: readonly Pick<SourceOnDisk, 'file' | 'unreadable'>[]): Diagnostic[] {
  return files.flatMap(({ file, unreadable }) => {
    if (unreadable === undefined) return [];
    const start = { offset: 0, line: 1, column: 1 };
    return [{ code: '', severity: 'error', message: unreadable, span: { file, start, end: start } }];
  });
}

/** The drafts after `text` was typed into `file`; a text equal to the saved one is no draft. */
export function withText(
  current: Readonly<Record<string, Draft>>,
  file: string,
  text: string,
  saved: string,
): Record<string, Draft> {
  if (text === saved) return without(current, [file]);
  return { ...current, [file]: { text, base: current[file]?.base ?? saved } };
}

/** The drafts that show what the server runs, which may not be what was saved last. */
export function withRunning(
  current: Readonly<Record<string, Draft>>,
  files: readonly WorkFile[],
  running: readonly SourceFile[],
): Record<string, Draft> {
  const texts = new Map(running.map(({ file, text }) => [file, text]));
  const names = files.map(({ file }) => file);
  return files.reduce(
    (drafts, { file, saved }) => withText(drafts, file, texts.get(file) ?? saved, saved),
    without(current, names),
  );
}

export function without(current: Readonly<Record<string, Draft>>, files: readonly string[]): Record<string, Draft> {
  return Object.fromEntries(Object.entries(current).filter(([file]) => !files.includes(file)));
}

/** The drafts after these texts were saved; what was typed since then stays a draft, of the text just saved. */
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
 * Takes back what an act did to drafts, and leaves all others as they are by now. `lost` are those, in which something was typed
 * after the act, as it left them otherwise: undefined of one that was none.
 */
export function withDraftsBack(
  now: Drafts,
  { before, after }: { readonly before: Drafts; readonly after: Drafts },
): { readonly drafts: Record<string, Draft>; readonly lost: Readonly<Record<string, Draft | undefined>> } {
  const drafts = { ...now };
  const lost: Record<string, Draft | undefined> = {};
  for (const file of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[file]?.text === after[file]?.text) continue;
    if (now[file]?.text !== after[file]?.text) lost[file] = now[file];
    const draft = before[file];
    if (draft === undefined) delete drafts[file];
    else drafts[file] = draft;
  }
  return { drafts, lost };
}

/** The drafts after the conflict over `file` was settled in favour of what was typed. */
export function keepMine(
  current: Readonly<Record<string, Draft>>,
  { file, saved, unreadable }: Pick<WorkFile, 'file' | 'saved' | 'unreadable'>,
): Record<string, Draft> {
  const draft = current[file];
  return draft === undefined ? { ...current } : { ...current, [file]: { text: draft.text, base: unreadable ?? saved } };
}
