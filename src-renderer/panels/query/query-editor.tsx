/** The editor of ad-hoc texts: one CodeMirror view, and a state for each tab, so that each keeps its undo history. */

import { closeCompletion } from '@codemirror/autocomplete';
import { historyField } from '@codemirror/commands';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { Diagnostic } from '../../../src-runtime/base/diagnostic.js';
import type { QuickFix, TextEdit } from '../../../src-runtime/language/service/index.js';
import { lintDiagnostics } from '../../editor/editor-diagnostics.js';
import { openFixMenu } from '../../editor/editor-popups.js';
import { editorSetup, isTyped, showText } from '../../editor/editor-setup.js';
import type { LanguageClient } from '../../editor/language-client.js';
import styles from './query.module.css';
import { formatEditsOf } from './query-language.js';
import type { ExampleText } from './whole-query.js';

interface QueryEditorProps {
  readonly tab: string;
  readonly text: string;
  readonly label: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly fixes: readonly QuickFix[];
  readonly client: LanguageClient;
  readonly onChange: (text: string) => void;
  /** Opens the declaration of the name at an offset. */
  readonly onGoToDeclaration: (text: string, offset: number) => void;
}

const FIELDS = { history: historyField };

/** Keyed by tab. They outlive the panel. */
const states = new Map<string, EditorState>();

export function dropEditorState(tab: string): void {
  states.delete(tab);
}

/** The mounted editor. */
function editorView(): EditorView | null {
  const element = document.querySelector<HTMLElement>('[data-query-editor] .cm-editor');
  return element === null ? null : EditorView.findFromDOM(element);
}

/** Closes the completion list, so that it covers nothing. */
export function closeSuggestions(): void {
  const view = editorView();
  if (view !== null) closeCompletion(view);
}

export async function formatShown(): Promise<void> {
  const view = editorView();
  if (view === null) return;
  await formatText(view);
  view.focus();
}

/** Replaces the selection, as if typed. The text may depend on what precedes it. */
export function insertAtCursor(textAfter: (before: string) => string): void {
  const view = editorView();
  if (view === null) return;
  const { state } = view;
  const text = textAfter(state.sliceDoc(0, state.selection.main.from));
  view.dispatch({ ...state.replaceSelection(text), userEvent: 'input.complete', scrollIntoView: true });
  view.focus();
}

/** Inserts a whole text if the editor is empty, and sets its cursor. Returns false otherwise. */
export function insertIntoEmpty({ text, cursor }: ExampleText): boolean {
  const view = editorView();
  if (view === null || view.state.doc.toString().trim() !== '') return false;
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: text },
    selection: { anchor: cursor },
    userEvent: 'input.complete',
    scrollIntoView: true,
  });
  view.focus();
  return true;
}

export function goTo(offset: number): void {
  const view = editorView();
  if (view === null) return;
  view.dispatch({ selection: { anchor: Math.min(offset, view.state.doc.length) }, scrollIntoView: true });
  view.focus();
}

export function QueryEditor(props: QueryEditorProps) {
  const { tab, text, diagnostics, fixes } = props;
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  // Kept states look up the latest callbacks instead of closing over them.
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    if (parent.current === null) return undefined;
    const extensions: Extension = [
      editorSetup({
        label: latest.current.label,
        client: (kind, source, offset) => latest.current.client(kind, source, offset),
        // The panel's run key. CodeMirror would insert a line.
        withoutKeys: ['Mod-Enter'],
        openFixes: (editor, offset) =>
          openFixMenu(editor, offset, latest.current.fixes, ({ edits }) => applyEdits(editor, edits, 'fix')),
        onUpdate: (update) => {
          if (isTyped(update)) latest.current.onChange(update.state.doc.toString());
        },
      }),
      textCommands((source, offset) => latest.current.onGoToDeclaration(source, offset)),
      EditorView.lineWrapping,
      placeholder('Write a query here, or choose a name in Schema'),
    ];
    const before = states.get(tab);
    // The extensions of a kept state belong to an unmounted component. Its text and history stay.
    const state =
      before === undefined
        ? EditorState.create({ doc: latest.current.text, extensions })
        : EditorState.fromJSON(before.toJSON(FIELDS), { extensions }, FIELDS);
    const made = new EditorView({ parent: parent.current, state });
    view.current = made;
    return () => {
      states.set(tab, made.state);
      made.destroy();
      view.current = undefined;
    };
  }, [tab]);

  // The text may come from the history or another tab.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new tab has a new view.
  useEffect(() => {
    if (view.current !== undefined) showText(view.current, text);
  }, [text, tab]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new tab has a new view.
  useEffect(() => {
    const current = view.current;
    if (current === undefined) return;
    const findings = diagnostics.map((finding) => ({ ...finding, span: { ...finding.span, file: 'adhoc' } }));
    const lint = lintDiagnostics(findings, 'adhoc', current.state.doc.length, fixes, (editor, edits) =>
      applyEdits(editor, edits, 'fix'),
    );
    current.dispatch(setDiagnostics(current.state, lint));
  }, [diagnostics, fixes, tab]);

  return <div className={styles.queryEditor} data-query-editor ref={parent} />;
}

/** In one undoable step. Formats again if the text changes meanwhile. */
async function formatText(view: EditorView): Promise<void> {
  const { doc } = view.state;
  const edits = await formatEditsOf(doc.toString());
  if (edits.length === 0 || !view.dom.isConnected) return;
  if (view.state.doc !== doc) {
    await formatText(view);
    return;
  }
  applyEdits(view, edits, 'format');
}

function applyEdits(view: EditorView, edits: readonly TextEdit[], event: string): void {
  const changes = edits.map(({ span, text }) => ({ from: span.start.offset, to: span.end.offset, insert: text }));
  view.dispatch({ changes, userEvent: `input.${event}` });
}

/** `openDeclaration` opens the declaration of the name at an offset. */
function textCommands(openDeclaration: (text: string, offset: number) => void): Extension {
  const openAt = ({ state }: EditorView, offset: number): void => openDeclaration(state.doc.toString(), offset);
  const format = (view: EditorView): boolean => {
    void formatText(view);
    return true;
  };
  const goToDeclaration = (view: EditorView): boolean => {
    openAt(view, view.state.selection.main.head);
    return true;
  };
  return [
    Prec.high(
      keymap.of([
        { key: 'F12', run: goToDeclaration, preventDefault: true },
        { key: 'Shift-Alt-f', run: format, preventDefault: true },
      ]),
    ),
    EditorView.domEventHandlers({
      mousedown: (event, view) => {
        if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
        const offset = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (offset === null) return false;
        openAt(view, offset);
        event.preventDefault();
        return true;
      },
    }),
  ];
}
