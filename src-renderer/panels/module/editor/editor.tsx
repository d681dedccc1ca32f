/** The source editor: one CodeMirror view, with a state a file that keeps its undo history while others are shown. */

import { closeCompletion } from '@codemirror/autocomplete';
import { codeFolding, foldedRanges, foldGutter, foldKeymap, foldService } from '@codemirror/language';
import { nextDiagnostic, previousDiagnostic, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorSelection, EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { EditorView, highlightActiveLineGutter, keymap, type ViewUpdate } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { Diagnostic } from '../../../../src-runtime/base/diagnostic.js';
import type { FoldingRange } from '../../../../src-runtime/language/service/index.js';
import { lintDiagnostics } from '../../../editor/editor-diagnostics.js';
import { editorSetup, isTyped, showText } from '../../../editor/editor-setup.js';
import { afterPaint } from '../../../state/after-paint.js';
import { useStore } from '../../../state/store.js';
import type { FileView } from '../../../workspace/compile-messages.js';
import { type EditorWish, lastSave } from '../../../workspace/workspace.js';
import { applyFix, formatFile, languageCommands, runTestAtCursor } from './editor-commands.js';
import { askAt, type EditorSurroundings, setSurroundings } from './editor-context.js';
import {
  setTestPlaces,
  setTestTellings,
  type TestTellings,
  testFindings,
  testMarks,
  testPlaces,
} from './editor-tests.js';
import { arrivalAt, filePlaces, placeIn, scrollTo, stateAt } from './file-places.js';

/** A place to show, from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
  /** Another one shows it again. */
  readonly visit: string;
}

interface EditorProps extends EditorSurroundings {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly view: FileView | undefined;
  readonly tests: TestTellings;
  readonly wish: EditorWish | undefined;
  readonly place: Place | undefined;
  readonly onChange: (file: string, text: string) => void;
  readonly onCursor: (offset: number) => void;
}

/** The editor on the page. States outlive it, so what they call must be looked up, not closed over. */
const shown: { current: EditorProps | undefined } = { current: undefined };

/** By file; they outlive the panel, so that switching panels keeps undo history. */
const kept = new Map<string, EditorState>();

/** Notes where one is in the view that is shown. A state that was kept tells of its changes as it did in the view of before. */
let noteShown: (() => void) | undefined;

export function Editor(props: EditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const { file, text, readOnly, diagnostics, view: fileView, place, tests, wish } = props;

  // First of the effects, so that the others find the props of this render.
  useEffect(() => {
    shown.current = props;
    setSurroundings(props);
  });

  // The editor itself: made anew for each file, from the state that was kept.
  useEffect(() => {
    if (parent.current === null) return;
    const before = kept.get(file);
    const place = filePlaces.get()[file];
    const onUpdate = (update: ViewUpdate): void => {
      if (isTyped(update)) shown.current?.onChange(file, update.state.doc.toString());
      if (update.selectionSet || update.docChanged) shown.current?.onCursor(update.state.selection.main.head);
      if (update.selectionSet || update.docChanged || isFolding(update)) noteShown?.();
    };
    const extensions = editorExtensions(file, readOnly, onUpdate);
    const state = before?.readOnly === readOnly ? before : stateAt(place, shown.current?.text ?? '', extensions);
    const made = new EditorView({ parent: parent.current, state });
    const note = (): void => filePlaces.update((places) => ({ ...places, [file]: placeIn(made) }));
    const noteLater = afterPaint(() => view.current === made && note());
    noteShown = noteLater;
    if (place !== undefined) scrollTo(made, place);
    made.scrollDOM.addEventListener('scroll', noteLater);
    view.current = made;
    shown.current?.onCursor(made.state.selection.main.head);
    const stopKeeping = keepCursorInView(made);
    return () => {
      stopKeeping();
      note();
      kept.set(file, made.state);
      made.destroy();
      view.current = undefined;
    };
  }, [file, readOnly]);

  // A text may come from elsewhere: the disk, another window.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is new when the file or its mode is.
  useEffect(() => {
    if (view.current !== undefined) showText(view.current, text);
  }, [text, file, readOnly]);

  useEffect(() => {
    const current = view.current;
    if (current === undefined) return;
    const { length } = current.state.doc;
    const fixes = readOnly ? [] : (fileView?.fixes ?? []);
    const findings = lintDiagnostics(diagnostics, file, length, fixes, applyFix);
    current.dispatch(setDiagnostics(current.state, [...findings, ...testFindings(tests, file, length)]), {
      effects: setTestTellings.of(tests),
    });
  }, [diagnostics, fileView, tests, file, readOnly]);

  // What stands somewhere in the text that was compiled moves with what is typed until that is compiled too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is new when the file or its mode is.
  useEffect(() => {
    const current = view.current;
    if (current === undefined) return;
    const { doc } = current.state;
    const places = testPlaces(doc.toString(), fileView?.outline ?? []);
    current.dispatch({
      effects: [
        setFolds.of((fileView?.folds ?? []).filter(({ to }) => to <= doc.length)),
        setTestPlaces.of(places.filter(({ from }) => from <= doc.length)),
      ],
    });
  }, [fileView, file, readOnly]);

  // A wish that was granted before this editor was made is none of its own.
  const granted = useRef(wish);
  useEffect(() => {
    if (granted.current === wish || wish === undefined || view.current === undefined) return;
    granted.current = wish;
    WISHES[wish.what](view.current);
  }, [wish]);

  // What could be typed is not to cover what a save comes to.
  const isSaving = useStore(lastSave).state === 'saving';
  useEffect(() => {
    if (isSaving && view.current !== undefined) closeCompletion(view.current);
  }, [isSaving]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is new when the file or its mode is.
  useEffect(() => {
    if (view.current === undefined || place === undefined) return;
    const arrival = arrivalAt(place.visit);
    if (arrival === 'first') goTo(view.current, place);
    if (arrival !== 'reload') view.current.focus();
  }, [place, file, readOnly]);

  return <div className="editor" ref={parent} />;
}

function goTo(view: EditorView, { line: number, column }: Place): void {
  const { doc } = view.state;
  const line = doc.line(Math.max(1, Math.min(number, doc.lines)));
  const offset = Math.min(line.from + Math.max(0, column - 1), line.to);
  view.dispatch({
    selection: EditorSelection.cursor(offset),
    effects: EditorView.scrollIntoView(offset, { y: 'center' }),
  });
}

const WISHES = { format: formatFile, runTest: runTestAtCursor };

/** A cursor that was in view stays there when the editor becomes smaller: problems open, a window shrinks. */
function keepCursorInView(view: EditorView): () => void {
  const { scrollDOM } = view;
  let height = scrollDOM.clientHeight;
  const observer = new ResizeObserver(() => {
    const { head } = view.state.selection.main;
    const line = view.lineBlockAt(head);
    const top = scrollDOM.scrollTop;
    const wasInView = line.bottom > top && line.top < top + height;
    const shrank = scrollDOM.clientHeight < height;
    height = scrollDOM.clientHeight;
    if (wasInView && shrank) view.dispatch({ effects: EditorView.scrollIntoView(head, { y: 'nearest' }) });
  });
  observer.observe(scrollDOM);
  return () => observer.disconnect();
}

function editorExtensions(file: string, readOnly: boolean, onUpdate: (update: ViewUpdate) => void): Extension {
  return [
    languageCommands,
    editorSetup({ label: `Source of ${file}`, ask: askAt, onUpdate }),
    folding,
    testMarks,
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    EditorState.readOnly.of(readOnly),
    keymap.of([...searchKeymap, ...findingKeys]),
    EditorState.phrases.of(SEARCH_WORDS),
  ];
}

/** The library's own list of findings stays closed: its keys open the one of the page, which has those of all files. */
const findingKeys = [{ key: 'F8', run: nextDiagnostic, shift: previousDiagnostic }];

/** The search's own words are in lower case, unlike all others of the page. */
const SEARCH_WORDS = {
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  regexp: 'Regular expression',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close',
};

/** Folding where the language service says that a block, a comment or the imports can be folded. */
const setFolds = StateEffect.define<readonly FoldingRange[]>();

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

const folding: Extension = [
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
function isFolding({ startState, state }: ViewUpdate): boolean {
  return foldedRanges(startState) !== foldedRanges(state);
}

function markerDOM(isOpen: boolean): HTMLElement {
  const marker = document.createElement('span');
  marker.className = 'fold-marker';
  marker.textContent = isOpen ? '⌄' : '›';
  marker.title = isOpen ? 'Fold' : 'Unfold';
  return marker;
}
