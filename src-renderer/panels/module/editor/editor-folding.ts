/** Folding where the language service says that a block, a comment or the imports can be folded. */

import { codeFolding, foldedRanges, foldGutter, foldKeymap, foldService } from '@codemirror/language';
import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { keymap, type ViewUpdate } from '@codemirror/view';
import type { FoldingRange } from '../../../../src-runtime/language/service/index.js';

export const setFolds = StateEffect.define<readonly FoldingRange[]>();

/** They move with what is typed until new ones come. */
const folds = StateField.define<readonly FoldingRange[]>({
  create: () => [],
  update(ranges, transaction) {
    for (const effect of transaction.effects) if (effect.is(setFolds)) return effect.value;
    if (!transaction.docChanged) return ranges;
    return ranges.map(({ from, to, kind }) => ({
      from: transaction.changes.mapPos(from),
      to: transaction.changes.mapPos(to),
      kind,
    }));
  },
});

export const folding: Extension = [
  folds,
  foldService.of((state, lineStart, lineEnd) => {
    const range = state.field(folds).find(({ from, to }) => from >= lineStart && from <= lineEnd && to > lineEnd);
    return range === undefined ? null : { from: range.from, to: Math.min(range.to, state.doc.length) };
  }),
  codeFolding({ placeholderText: '…' }),
  foldGutter({
    markerDOM,
    foldingChanged: ({ startState, state }) => startState.field(folds) !== state.field(folds),
  }),
  keymap.of(foldKeymap),
];

/** Whether something was folded or unfolded. */
export function isFolding({ startState, state }: ViewUpdate): boolean {
  return foldedRanges(startState) !== foldedRanges(state);
}

function markerDOM(isOpen: boolean): HTMLElement {
  const marker = document.createElement('span');
  marker.className = 'fold-marker';
  marker.textContent = isOpen ? '⌄' : '›';
  marker.title = isOpen ? 'Fold' : 'Unfold';
  return marker;
}
