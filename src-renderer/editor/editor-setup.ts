/** The extensions that all editors of the language share. */

import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { lintGutter } from '@codemirror/lint';
import { Compartment, EditorSelection, EditorState, type Extension } from '@codemirror/state';
import {
  type Command,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { loadPart } from '../server-state/load-part.js';
import { styleNonce } from '../theme/style-nonce.js';
import { completion } from './editor-completion.js';
import { fixBulbs, type OpenFixes } from './editor-diagnostics.js';
import { hints } from './editor-hints.js';
import { entailLanguage } from './editor-language.js';
import { popups } from './editor-popups.js';
import { editorTheme } from './editor-theme.js';
import { type LanguageClient, languageClient } from './language-client.js';

interface EditorSetup {
  readonly label: string;
  readonly client: LanguageClient;
  /** Keys that the page uses for something else. */
  readonly withoutKeys?: readonly string[];
  readonly openFixes: OpenFixes;
  readonly onUpdate: (update: ViewUpdate) => void;
}

/** Keys of the page in every editor: back and forward. */
const PAGE_KEYS = ['Alt-ArrowLeft', 'Alt-ArrowRight'];

export function editorSetup({ label, client, withoutKeys = [], openFixes, onUpdate }: EditorSetup): Extension {
  const nonce = styleNonce();
  return [
    nonce === undefined ? [] : EditorView.cspNonce.of(nonce),
    lineNumbers(),
    lintGutter(),
    fixBulbs(openFixes),
    history(),
    severalCursors,
    lateSearch,
    highlightActiveLine(),
    // A bidirectional control character can make a text look like another one.
    highlightSpecialChars(),
    languageClient.of(client),
    completion,
    hints,
    popups,
    bracketMatching(),
    closeBrackets(),
    entailLanguage,
    editorTheme,
    replaceSelectionOnInput,
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-description': 'Tab indents. Press Escape, then Tab, to leave the editor.',
      spellcheck: 'false',
      tabindex: '0',
    }),
    // Escape lets the next Tab leave the editor (a CodeMirror rule), so that the keyboard is never trapped.
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap.filter(
        ({ key }) => key === undefined || (!PAGE_KEYS.includes(key) && !withoutKeys.includes(key)),
      ),
      ...historyKeymap,
      indentWithTab,
    ]),
    EditorView.updateListener.of(onUpdate),
  ];
}

/** Alt+click adds a cursor, and Shift+Alt with the mouse selects a rectangle. Ctrl+click opens a declaration. */
const severalCursors: Extension = [
  EditorState.allowMultipleSelections.of(true),
  drawSelection(),
  EditorView.clickAddsSelectionRange.of((event) => event.altKey && !event.shiftKey),
  rectangularSelection({ eventFilter: (event) => event.altKey && event.shiftKey && event.button === 0 }),
];

const searchPart = new Compartment();

/** Find and replace, once its code is loaded: an editor shows its text first. */
const lateSearch: Extension = [
  searchPart.of([]),
  ViewPlugin.define((view) => {
    void addSearch(view);
    return {};
  }),
  keymap.of([
    { key: 'Mod-f', run: later(({ openFind }) => openFind) },
    { key: 'Mod-h', mac: 'Mod-Alt-f', run: later(({ openReplace }) => openReplace) },
  ]),
];

type Search = typeof import('./editor-search.js');

async function addSearch(view: EditorView): Promise<Search> {
  const search = await loadPart(() => import('./editor-search.js'));
  if (view.dom.isConnected && searchPart.get(view.state) !== search.searching) {
    view.dispatch({ effects: searchPart.reconfigure(search.searching) });
  }
  return search;
}

/** Runs a command of the search when it is loaded, if that takes longer than the user. */
function later(commandOf: (search: Search) => Command): Command {
  return (view) => {
    void addSearch(view).then((search) => commandOf(search)(view));
    return true;
  };
}

/**
 * Inserts text typed over a selection. The browser would keep the deleted text's looks as an inline style, which the
 * content security policy refuses with a console error.
 */
const replaceSelectionOnInput = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { selection } = view.state;
    if (event.inputType !== 'insertText' || event.data === null || selection.main.empty) return false;
    if (view.composing || view.state.readOnly || selection.ranges.length > 1) return false;
    const { from, to } = selection.main;
    const insert = () => view.state.update({ ...view.state.replaceSelection(event.data ?? ''), ...TYPED });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, event.data ?? '', insert))) view.dispatch(insert());
    event.preventDefault();
    return true;
  },
});

const TYPED = { userEvent: 'input.type', scrollIntoView: true } as const;

/** Shows a text from elsewhere. Undo restores the text before. */
export function showText(view: EditorView, text: string): void {
  const { doc, selection } = view.state;
  if (doc.toString() === text) return;
  view.dispatch({
    changes: { from: 0, to: doc.length, insert: text },
    selection: EditorSelection.cursor(Math.min(selection.main.head, text.length)),
    userEvent: 'external',
  });
}

/** Whether the user changed the text, rather than `showText`. */
export function isTyped(update: ViewUpdate): boolean {
  return update.docChanged && !update.transactions.some((transaction) => transaction.isUserEvent('external'));
}
