/** The source editor: one CodeMirror view, with a state a file that keeps its undo history while others are shown. */

import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorSelection, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { Diagnostic } from '../../src-runtime/base/diagnostic.js';
import { languageAsker } from '../components/editor/editor-asker.js';
import { completion } from '../components/editor/editor-completion.js';
import { lintDiagnostics } from '../components/editor/editor-diagnostics.js';
import { hints } from '../components/editor/editor-hints.js';
import { popups } from '../components/editor/editor-popups.js';
import { editorTheme } from '../components/editor/editor-theme.js';
import { entailLanguage } from '../components/editor/entail-language.js';
import type { FileView } from '../data/compile-messages.js';
import { styleNonce } from '../theme/style-nonce.js';
import { applyEdits, formatFile, languageCommands } from './editor-commands.js';
import { askAt, type EditorSurroundings, setSurroundings } from './editor-context.js';
import { folding, setFolds } from './editor-folding.js';

/** A place to show, from 1. A new object shows it again. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

interface EditorProps extends EditorSurroundings {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly view: FileView | undefined;
  /** Counts the wishes to format what is shown. */
  readonly formatWish: number;
  readonly place: Place | undefined;
  readonly onChange: (file: string, text: string) => void;
  readonly onCursor: (offset: number) => void;
}

/** The editor on the page. States outlive it, so what they call must be looked up, not closed over. */
const shown: { current: EditorProps | undefined } = { current: undefined };

/** By file; they outlive the panel, so that switching panels keeps undo history, selection and scroll. */
const kept = new Map<string, { state: EditorState; scroll: number }>();

export function Editor(props: EditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const { file, text, readOnly, diagnostics, view: fileView, place, formatWish } = props;

  // First of the effects, so that the others find the props of this render.
  useEffect(() => {
    shown.current = props;
    setSurroundings(props);
  });

  // The editor itself: made anew for each file, from the state that was kept.
  useEffect(() => {
    if (parent.current === null) return;
    const before = kept.get(file);
    const onUpdate = EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.some((transaction) => transaction.isUserEvent('external'))) {
        shown.current?.onChange(file, update.state.doc.toString());
      }
      if (update.selectionSet || update.docChanged) shown.current?.onCursor(update.state.selection.main.head);
    });
    const extensions = editorExtensions(file, readOnly, onUpdate);
    const state =
      before === undefined || before.state.readOnly !== readOnly
        ? EditorState.create({ doc: shown.current?.text ?? '', extensions })
        : before.state;
    const made = new EditorView({ parent: parent.current, state });
    made.scrollDOM.scrollTop = before?.scroll ?? 0;
    view.current = made;
    shown.current?.onCursor(made.state.selection.main.head);
    const stopKeeping = keepCursorInView(made);
    return () => {
      stopKeeping();
      kept.set(file, { state: made.state, scroll: made.scrollDOM.scrollTop });
      made.destroy();
      view.current = undefined;
    };
  }, [file, readOnly]);

  // A text that came from elsewhere (the disk, another window) replaces what is shown; undo brings the old one back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is new when the file or its mode is.
  useEffect(() => {
    const current = view.current;
    if (current === undefined || current.state.doc.toString() === text) return;
    const selection = Math.min(current.state.selection.main.head, text.length);
    current.dispatch({
      changes: { from: 0, to: current.state.doc.length, insert: text },
      selection: EditorSelection.cursor(selection),
      userEvent: 'external',
    });
  }, [text, file, readOnly]);

  useEffect(() => {
    const current = view.current;
    if (current === undefined) return;
    const { length } = current.state.doc;
    const fixes = readOnly ? [] : (fileView?.fixes ?? []);
    current.dispatch(
      setDiagnostics(
        current.state,
        lintDiagnostics(diagnostics, file, length, fixes, (view, edits) => applyEdits(view, edits, 'fix')),
      ),
      { effects: setFolds.of((fileView?.folds ?? []).filter(({ to }) => to <= length)) },
    );
  }, [diagnostics, fileView, file, readOnly]);

  // A wish that was granted before this editor was made is none of its own.
  const granted = useRef(formatWish);
  useEffect(() => {
    if (granted.current === formatWish || view.current === undefined) return;
    granted.current = formatWish;
    formatFile(view.current);
  }, [formatWish]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is new when the file or its mode is.
  useEffect(() => {
    const current = view.current;
    if (current === undefined || place === undefined) return;
    const line = current.state.doc.line(Math.max(1, Math.min(place.line, current.state.doc.lines)));
    const offset = Math.min(line.from + Math.max(0, place.column - 1), line.to);
    current.dispatch({
      selection: EditorSelection.cursor(offset),
      effects: EditorView.scrollIntoView(offset, { y: 'center' }),
    });
    current.focus();
  }, [place, file, readOnly]);

  return <div className="editor" ref={parent} />;
}

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

function editorExtensions(file: string, readOnly: boolean, onUpdate: Extension): Extension {
  const nonce = styleNonce();
  return [
    nonce === undefined ? [] : EditorView.cspNonce.of(nonce),
    lineNumbers(),
    lintGutter(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    languageAsker.of(askAt),
    folding,
    completion,
    hints,
    popups,
    languageCommands,
    indentUnit.of('  '),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    entailLanguage,
    editorTheme,
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({
      'aria-label': `Source of ${file}`,
      'aria-description': 'Tab indents. Press Escape, then Tab, to leave the editor.',
      spellcheck: 'false',
      tabindex: '0',
    }),
    // Escape lets the next Tab through, so that nobody is caught in here (CodeMirror's own rule).
    keymap.of([
      ...completionKeymap,
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    onUpdate,
  ];
}
