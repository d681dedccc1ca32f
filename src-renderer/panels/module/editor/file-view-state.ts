/** The view state of each file, kept over reloads, crashes and restarts: selection, folds, and scroll position. */

import { foldEffect, foldedRanges } from '@codemirror/language';
import { EditorSelection, EditorState, type Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { storedText, storeText } from '../../../state/page-storage.js';
import { createPersistentStore, isRecordOf, mergedMembers } from '../../../state/store.js';

export interface FileViewState {
  /** Length of the text that the state belongs to. */
  readonly length: number;
  readonly anchor: number;
  readonly head: number;
  /** Pairs of start and end offsets. */
  readonly folds: readonly (readonly [number, number])[];
  /** Offset of the first visible line, and how many pixels of it are scrolled out. */
  readonly top: number;
  readonly above: number;
}

/** Keyed by file name. */
export const fileViewStates = createPersistentStore<Readonly<Record<string, FileViewState>>>(
  'entail.file-places',
  {},
  (value): value is Readonly<Record<string, FileViewState>> => isRecordOf(value, isFileViewState),
  { merge: mergedMembers },
);

/** The file shown last. */
export const lastFile = createPersistentStore('entail.file', '', (value): value is string => typeof value === 'string');

/**
 * The file for an address without one. Constant during the life of the page, so that going back does not show a file
 * opened later.
 */
export const initialFile = lastFile.get();

export function viewStateIn(view: EditorView): FileViewState {
  const { anchor, head } = view.state.selection.main;
  const folds: [number, number][] = [];
  for (const range = foldedRanges(view.state).iter(); range.value !== null; range.next()) {
    folds.push([range.from, range.to]);
  }
  const edge = view.scrollDOM.scrollTop - view.documentPadding.top;
  const line = view.lineBlockAtHeight(edge);
  return { length: view.state.doc.length, anchor, head, folds, top: line.from, above: edge - line.top };
}

/** If the text has changed since, fold offsets are wrong, so nothing is folded. */
export function stateAt(kept: FileViewState | undefined, text: string, extensions: Extension): EditorState {
  const state = EditorState.create({ doc: text, extensions });
  if (kept === undefined) return state;
  const { length } = state.doc;
  const folds = kept.length === length ? kept.folds : [];
  return state.update({
    selection: EditorSelection.single(Math.min(kept.anchor, length), Math.min(kept.head, length)),
    effects: folds.map(([from, to]) => foldEffect.of({ from, to })),
  }).state;
}

/** Scrolls once the view knows its line heights. */
export function scrollTo(view: EditorView, { top, above }: FileViewState): void {
  view.requestMeasure({
    read: () => view.lineBlockAt(Math.min(top, view.state.doc.length)).top + view.documentPadding.top + above,
    write: (scrollTop) => {
      view.scrollDOM.scrollTop = scrollTop;
    },
  });
}

const VISIT = 'entail.visit';

// A typed address is a new visit.
if (typeof performance !== 'undefined' && navigationType() === 'navigate') storeText('sessionStorage', VISIT, null);

/** The visit that a reload found. */
let reloaded = storedText('sessionStorage', VISIT);

/**
 * Whether to go to the position of this visit. The editor goes there once; after a reload, or when going back, it
 * restores the last view state.
 */
export function arrivalAt(visit: string): 'first' | 'reload' | 'back' {
  if (storedText('sessionStorage', VISIT) !== visit) {
    storeText('sessionStorage', VISIT, visit);
    return 'first';
  }
  const isReload = reloaded === visit;
  reloaded = null;
  return isReload ? 'reload' : 'back';
}

function navigationType(): string | undefined {
  const [navigation] = performance.getEntriesByType('navigation');
  return (navigation as PerformanceNavigationTiming | undefined)?.type;
}

function isFileViewState(value: unknown): value is FileViewState {
  if (typeof value !== 'object' || value === null) return false;
  const { folds, ...numbers } = value as Readonly<Record<string, unknown>>;
  const isOffset = (each: unknown): boolean => typeof each === 'number' && each >= 0;
  const areOffsets = ['length', 'anchor', 'head', 'top'].every((name) => isOffset(numbers[name]));
  const arePairs = Array.isArray(folds) && folds.every((pair) => Array.isArray(pair) && pair.length === 2);
  return areOffsets && typeof numbers['above'] === 'number' && arePairs && folds.flat().every(isOffset);
}
