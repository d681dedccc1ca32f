import { codeFolding, foldedRanges } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { expect, it } from 'vitest';
import { type FileViewState, stateAt } from './file-view-state.js';

const TEXT = 'module roads\n\npub concept Town {\n  name: Text\n}\n';
const PLACE: FileViewState = { length: TEXT.length, anchor: 7, head: 12, folds: [[32, 47]], top: 14, above: 3 };

it('restores selection and folds', () => {
  const state = stateAt(PLACE, TEXT, codeFolding());
  expect(state.selection.main).toMatchObject({ anchor: 7, head: 12 });
  expect(foldsOf(state)).toEqual([[32, 47]]);
});

it('clips the selection and drops folds if the text has changed', () => {
  const state = stateAt(PLACE, 'module r\n', codeFolding());
  expect(state.selection.main).toMatchObject({ anchor: 7, head: 9 });
  expect(foldsOf(state)).toEqual([]);
});

function foldsOf(state: EditorState): number[][] {
  const folds: number[][] = [];
  foldedRanges(state).between(0, state.doc.length, (from, to) => void folds.push([from, to]));
  return folds;
}
