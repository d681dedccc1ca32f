/** The editor of an ad-hoc text: one CodeMirror view, with a state a tab that keeps its undo history while others are shown. */

import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyField, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { Diagnostic } from '../../src-runtime/base/diagnostic.js';
import { type Ask, languageAsker } from '../components/editor/editor-asker.js';
import { completion } from '../components/editor/editor-completion.js';
import { lintDiagnostics } from '../components/editor/editor-diagnostics.js';
import { hints } from '../components/editor/editor-hints.js';
import { popups } from '../components/editor/editor-popups.js';
import { editorTheme } from '../components/editor/editor-theme.js';
import { entailLanguage } from '../components/editor/entail-language.js';
import { styleNonce } from '../theme/style-nonce.js';

interface QueryEditorProps {
  readonly tab: string;
  readonly text: string;
  readonly label: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly ask: Ask;
  readonly onChange: (text: string) => void;
}

const FIELDS = { history: historyField };

/** By tab; they outlive the panel. */
const kept = new Map<string, EditorState>();

export function forgetEditor(tab: string): void {
  kept.delete(tab);
}

export function QueryEditor(props: QueryEditorProps) {
  const { tab, text, diagnostics } = props;
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  // What a kept state calls is looked up, never closed over.
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    if (parent.current === null) return undefined;
    const extensions = editorExtensions(
      latest.current.label,
      (kind, asked, offset) => latest.current.ask(kind, asked, offset),
      EditorView.updateListener.of((update) => {
        const fromOutside = update.transactions.some((transaction) => transaction.isUserEvent('external'));
        if (update.docChanged && !fromOutside) latest.current.onChange(update.state.doc.toString());
      }),
    );
    const before = kept.get(tab);
    // The extensions of a kept state belong to a component that is gone; its text and history stay.
    const state =
      before === undefined
        ? EditorState.create({ doc: latest.current.text, extensions })
        : EditorState.fromJSON(before.toJSON(FIELDS), { extensions }, FIELDS);
    const made = new EditorView({ parent: parent.current, state });
    view.current = made;
    return () => {
      kept.set(tab, made.state);
      made.destroy();
      view.current = undefined;
    };
  }, [tab]);

  // A text that came from elsewhere (the history, another tab) replaces what is shown; undo brings the old one back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is new when the tab is.
  useEffect(() => {
    const current = view.current;
    if (current === undefined || current.state.doc.toString() === text) return;
    current.dispatch({
      changes: { from: 0, to: current.state.doc.length, insert: text },
      userEvent: 'external',
    });
  }, [text, tab]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is new when the tab is.
  useEffect(() => {
    const current = view.current;
    if (current === undefined) return;
    const findings = diagnostics.map((finding) => ({ ...finding, span: { ...finding.span, file: 'adhoc' } }));
    const lint = lintDiagnostics(findings, 'adhoc', current.state.doc.length, [], () => undefined);
    current.dispatch(setDiagnostics(current.state, lint));
  }, [diagnostics, tab]);

  return <div className="query-editor" ref={parent} />;
}

function editorExtensions(label: string, ask: Ask, onUpdate: Extension): Extension {
  const nonce = styleNonce();
  return [
    nonce === undefined ? [] : EditorView.cspNonce.of(nonce),
    lineNumbers(),
    lintGutter(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    languageAsker.of(ask),
    completion,
    hints,
    popups,
    indentUnit.of('  '),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    entailLanguage,
    editorTheme,
    EditorView.lineWrapping,
    placeholder('query name() -> [Concept] { select x where Concept(x) }'),
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-description': 'Tab indents. Press Escape, then Tab, to leave the editor.',
      spellcheck: 'false',
    }),
    // The panel's own key runs the query; CodeMirror would open a line with it.
    keymap.of([
      ...completionKeymap,
      ...closeBracketsKeymap,
      ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
      ...historyKeymap,
      indentWithTab,
    ]),
    onUpdate,
  ];
}
