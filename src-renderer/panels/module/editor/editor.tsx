/** The source editor: one CodeMirror view, and a state for each file, so that each keeps its undo history. */

import { closeCompletion } from '@codemirror/autocomplete';
import { codeFolding, foldedRanges, foldGutter, foldKeymap, foldService } from '@codemirror/language';
import { nextDiagnostic, previousDiagnostic, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorSelection, EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { EditorView, highlightActiveLineGutter, keymap, type ViewUpdate } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { Diagnostic } from '../../../../src-runtime/base/diagnostic.js';
import type { FoldingRange } from '../../../../src-runtime/language/service/index.js';
import { lintDiagnostics } from '../../../editor/editor-diagnostics.js';
import { editorSetup, isTyped, showText } from '../../../editor/editor-setup.js';
import { afterPaint } from '../../../state/after-paint.js';
import { useShortcuts } from '../../../state/shortcuts.js';
import { softWrap, toggleSoftWrap } from '../../../state/soft-wrap.js';
import { useStore } from '../../../state/store.js';
import type { FileView } from '../../../workspace/compiler-protocol.js';
import { type EditorCommand, lastSave } from '../../../workspace/workspace.js';
import styles from '../module.module.css';
import { applyFix, formatFile, languageCommands, offerFixes, runTestAtCursor } from './editor-commands.js';
import { type EditorContext, requestAt, setEditorContext } from './editor-context.js';
import {
  setTestPositions,
  setTestResults,
  type TestResults,
  testFindings,
  testMarks,
  testPositions,
} from './editor-tests.js';
import { arrivalAt, fileViewStates, scrollTo, stateAt, viewStateIn } from './file-view-state.js';

/** A position to show, from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
  /** A new value shows the position again. */
  readonly visit: string;
}

interface EditorProps extends EditorContext {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly view: FileView | undefined;
  readonly tests: TestResults;
  readonly command: EditorCommand | undefined;
  readonly position: Position | undefined;
  readonly onChange: (file: string, text: string) => void;
  readonly onCursor: (offset: number) => void;
}

/** The mounted editor. States outlive it, so their handlers look it up instead of closing over it. */
const shown: { current: EditorProps | undefined } = { current: undefined };

/** Keyed by file. They outlive the panel, so that switching panels keeps the undo history. */
const states = new Map<string, EditorState>();

/** Remembers cursor, folds and scroll position of the shown view. Reused states report to the current view. */
let noteShown: (() => void) | undefined;

export function Editor(props: EditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const { file, text, readOnly, diagnostics, view: fileView, position, tests, command } = props;

  // Runs before the other effects, which read the latest props.
  useEffect(() => {
    shown.current = props;
    setEditorContext(props);
  });

  // Creates the view for each file, from its kept state.
  useEffect(() => {
    if (parent.current === null) return;
    const before = states.get(file);
    const position = fileViewStates.get()[file];
    const onUpdate = (update: ViewUpdate): void => {
      if (isTyped(update)) shown.current?.onChange(file, update.state.doc.toString());
      if (update.selectionSet || update.docChanged) shown.current?.onCursor(update.state.selection.main.head);
      if (update.selectionSet || update.docChanged || isFolding(update)) noteShown?.();
    };
    const extensions = editorExtensions(file, readOnly, onUpdate);
    const state = before?.readOnly === readOnly ? before : stateAt(position, shown.current?.text ?? '', extensions);
    const made = new EditorView({ parent: parent.current, state });
    const note = (): void => fileViewStates.update((positions) => ({ ...positions, [file]: viewStateIn(made) }));
    const noteLater = afterPaint(() => view.current === made && note());
    noteShown = noteLater;
    if (position !== undefined) scrollTo(made, position);
    made.scrollDOM.addEventListener('scroll', noteLater);
    view.current = made;
    shown.current?.onCursor(made.state.selection.main.head);
    const stopRemembering = keepCursorInView(made);
    return () => {
      stopRemembering();
      note();
      states.set(file, made.state);
      made.destroy();
      view.current = undefined;
    };
  }, [file, readOnly]);

  // The text may change elsewhere: on disk or in another window.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new file or mode has a new view.
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
      effects: setTestResults.of(tests),
    });
  }, [diagnostics, fileView, tests, file, readOnly]);

  // Positions from the last compilation follow edits until the next one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new file or mode has a new view.
  useEffect(() => {
    const current = view.current;
    if (current === undefined) return;
    const { doc } = current.state;
    const positions = testPositions(doc.toString(), fileView?.outline ?? []);
    current.dispatch({
      effects: [
        setFolds.of((fileView?.folds ?? []).filter(({ to }) => to <= doc.length)),
        setTestPositions.of(positions.filter(({ from }) => from <= doc.length)),
      ],
    });
  }, [fileView, file, readOnly]);

  const wraps = useStore(softWrap);
  useShortcuts({ softWrap: toggleSoftWrap });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new file or mode has a new view.
  useEffect(() => {
    view.current?.dispatch({ effects: wrapping.reconfigure(wraps ? EditorView.lineWrapping : []) });
  }, [wraps, file, readOnly]);

  // Ignores a command from before this editor was created.
  const granted = useRef(command);
  useEffect(() => {
    if (granted.current === command || command === undefined || view.current === undefined) return;
    granted.current = command;
    WISHES[command.what](view.current);
  }, [command]);

  // The completion list must not cover the result of a save.
  const isSaving = useStore(lastSave).state === 'saving';
  useEffect(() => {
    if (isSaving && view.current !== undefined) closeCompletion(view.current);
  }, [isSaving]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new file or mode has a new view.
  useEffect(() => {
    if (view.current === undefined || position === undefined) return;
    const arrival = arrivalAt(position.visit);
    if (arrival === 'first') goTo(view.current, position);
    if (arrival !== 'reload') view.current.focus();
  }, [position, file, readOnly]);

  return <div className={styles.editor} ref={parent} />;
}

function goTo(view: EditorView, { line: number, column }: Position): void {
  const { doc } = view.state;
  const line = doc.line(Math.max(1, Math.min(number, doc.lines)));
  const offset = Math.min(line.from + Math.max(0, column - 1), line.to);
  view.dispatch({
    selection: EditorSelection.cursor(offset),
    effects: EditorView.scrollIntoView(offset, { y: 'center' }),
  });
}

const WISHES = { format: formatFile, runTest: runTestAtCursor };

/** Keeps a visible cursor in view when the editor gets smaller. */
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

const wrapping = new Compartment();

function editorExtensions(file: string, readOnly: boolean, onUpdate: (update: ViewUpdate) => void): Extension {
  return [
    languageCommands,
    editorSetup({
      label: `Source of ${file}`,
      client: requestAt,
      openFixes: (view, offset) => void offerFixes(view, offset),
      onUpdate,
    }),
    folding,
    testMarks,
    highlightActiveLineGutter(),
    wrapping.of([]),
    EditorState.readOnly.of(readOnly),
    keymap.of(findingKeys),
  ];
}

/** The keys of the library's own problem panel open the page's, which lists all files. */
const findingKeys = [{ key: 'F8', run: nextDiagnostic, shift: previousDiagnostic }];

/** Fold ranges of the language service: blocks, comments and imports. */
const setFolds = StateEffect.define<readonly FoldingRange[]>();

/** Ranges follow edits until new ones arrive. */
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

/** Whether a fold changed. */
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
