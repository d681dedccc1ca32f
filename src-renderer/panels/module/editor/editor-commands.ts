/** Editor commands that use the language service: definition, references, explain, rename, quick fix, format. */

import { type ChangeSpec, type Extension, Prec, type Text } from '@codemirror/state';
import { type Command, EditorView, keymap } from '@codemirror/view';
import { notifications } from '@mantine/notifications';
import type { Span } from '../../../../src-runtime/base/span.js';
import type { OutlineItem, QuickFix, TextEdit } from '../../../../src-runtime/language/service/index.js';
import { openFixMenu, openRename } from '../../../editor/editor-popups.js';
import { explainLocation } from '../../../model/facts/locations.js';
import { compileState, isCompiled } from '../../../workspace/compiler.js';
import { trackEdit } from '../../../workspace/pending-edits.js';
import { editorContext, requestAt } from './editor-context.js';
import { runTest } from './editor-tests.js';
import { pathAt } from './explain-target.js';
import { runTargetAt } from './run-target.js';

const goToDefinition: Command = (view) => {
  void followName(view, view.state.selection.main.head);
  return true;
};

/**
 * Opens the declaration, or from the declaration itself the list of references. Does nothing if the user types
 * meanwhile.
 */
async function followName(view: EditorView, offset: number): Promise<void> {
  const { doc } = view.state;
  const spans = await requestAt('definition', doc.toString(), offset);
  const [first] = spans ?? [];
  if (first === undefined || !isUnchanged(view, doc)) return;
  if ((spans ?? []).some((span) => holds(span, offset))) await listReferences(view, offset);
  else editorContext()?.openSpan(first);
}

function holds({ file, start, end }: Span, offset: number): boolean {
  return file === editorContext()?.file && start.offset <= offset && offset <= end.offset;
}

const findReferences: Command = (view) => {
  void listReferences(view, view.state.selection.main.head);
  return true;
};

async function listReferences(view: EditorView, offset: number): Promise<void> {
  const { doc } = view.state;
  const references = (await requestAt('references', doc.toString(), offset)) ?? [];
  if (references.length === 0) {
    notifications.show({ message: 'Put the cursor on a name.' });
    return;
  }
  const word = view.state.wordAt(offset);
  editorContext()?.showReferences(word === null ? '' : doc.sliceString(word.from, word.to), references);
}

/** Whether the editor is still on the page with this text. */
function isUnchanged(view: EditorView, doc: Text): boolean {
  return view.dom.isConnected && view.state.doc === doc;
}

/** Resolves once the shown text is compiled or the compiler has crashed. Resolves to false if the text changes. */
function whenCompiled(view: EditorView): Promise<boolean> {
  const { doc } = view.state;
  const file = editorContext()?.file ?? '';
  const isKnown = (): boolean => compileState.get().status === 'failed' || isCompiled(file, doc.toString());
  return new Promise((resolve) => {
    const check = (): void => {
      if (isUnchanged(view, doc) && !isKnown()) return;
      stop();
      resolve(isUnchanged(view, doc));
    };
    const stop = compileState.subscribe(check);
    check();
  });
}

const explainFacts: Command = (view) => {
  void explainAt(view);
  return true;
};

/** The outline of the text. Undefined if the text is no longer shown. */
async function compiledOutline(view: EditorView): Promise<readonly OutlineItem[] | undefined> {
  if (!(await whenCompiled(view))) return undefined;
  const context = editorContext();
  return context === undefined ? [] : (compileState.get().views[context.file]?.outline ?? []);
}

async function explainAt(view: EditorView): Promise<void> {
  const offset = view.state.selection.main.head;
  const outline = await compiledOutline(view);
  if (outline === undefined) return;
  const path = pathAt(view.state.doc.toString(), outline, offset);
  if (path === undefined) {
    notifications.show({ message: 'Put the cursor on a rule, relation, concept or check.' });
  } else editorContext()?.goTo(explainLocation(path));
}

const openTarget: Command = (view) => {
  void openTargetAt(view);
  return true;
};

async function openTargetAt(view: EditorView): Promise<void> {
  const offset = view.state.selection.main.head;
  const outline = await compiledOutline(view);
  if (outline === undefined) return;
  const target = runTargetAt(view.state.doc.toString(), outline, offset);
  if (target === undefined) {
    notifications.show({
      message: 'Put the cursor in a public query, mutation or fn, or in a test.',
    });
  } else editorContext()?.goTo(target.to);
}

export const runTestAtCursor: Command = (view) => {
  void runTestAt(view);
  return true;
};

async function runTestAt(view: EditorView): Promise<void> {
  const offset = view.state.selection.main.head;
  const outline = await compiledOutline(view);
  if (outline === undefined) return;
  const target = runTargetAt(view.state.doc.toString(), outline, offset);
  if (target?.kind === 'test') await runTest(view, target.test);
  else notifications.show({ message: 'Put the cursor in a test.' });
}

const runAllTests: Command = () => {
  void editorContext()?.runAllTests();
  return true;
};

const renameSymbol: Command = (view) => {
  if (view.state.readOnly) return false;
  void startRename(view);
  return true;
};

async function startRename(view: EditorView): Promise<void> {
  const { doc, selection } = view.state;
  const offset = selection.main.head;
  const target = await requestAt('prepareRename', doc.toString(), offset);
  if (target === undefined || view.state.doc !== doc) return;
  if (!target.ok) {
    notifications.show({ message: target.reason });
    return;
  }
  const references = (await requestAt('references', doc.toString(), offset)) ?? [];
  if (!isUnchanged(view, doc) || !hasFocus(view)) return;
  const files = new Set(references.map(({ span }) => span.file)).size;
  const count = `${references.length} ${references.length === 1 ? 'place' : 'places'}`;
  openRename(view, {
    pos: target.span.start.offset,
    name: target.name,
    extent: files > 1 ? `${count} in ${files} files` : count,
    run: (newName) => trackEdit(runRename(view, offset, newName)),
  });
}

/** A popup takes the keyboard only if the editor still has it. */
function hasFocus(view: EditorView): boolean {
  return view.root.activeElement === view.contentDOM;
}

/** Resolves to undefined if done, or to the reason why it failed. */
async function runRename(view: EditorView, offset: number, newName: string): Promise<string | undefined> {
  const { doc } = view.state;
  const from = document.activeElement;
  const outcome = await requestAt('rename', doc.toString(), offset, newName);
  if (outcome === undefined) return 'The compiler stopped. Try again.';
  if (!outcome.ok) return outcome.reason;
  if (view.state.doc !== doc) {
    // The popup closed with the change of the text, so a toast reports it.
    notifications.show({ message: 'Not renamed: the text has changed. Try again.' });
    return undefined;
  }
  applyEdits(view, outcome.edits, 'rename', from);
  return undefined;
}

export async function offerFixes(view: EditorView, offset: number): Promise<void> {
  if (!(await whenCompiled(view)) || !hasFocus(view)) return;
  openFixMenu(view, offset, fixesOf(editorContext()?.file), (fix) => applyFix(view, fix.edits));
}

/** Fixes have positions in the text compiled last. They do not apply to a later one. */
export function applyFix(view: EditorView, edits: readonly TextEdit[]): void {
  if (isCompiled(editorContext()?.file ?? '', view.state.doc.toString())) applyEdits(view, edits, 'fix');
  else notifications.show({ message: 'The text has changed. Checking it again.' });
}

function fixesOf(file: string | undefined): readonly QuickFix[] {
  return file === undefined ? [] : (compileState.get().views[file]?.fixes ?? []);
}

export const formatFile: Command = (view) => {
  if (view.state.readOnly) return false;
  void trackEdit(runFormat(view, document.activeElement));
  return true;
};

async function runFormat(view: EditorView, from: Element | null): Promise<void> {
  const { doc } = view.state;
  const edits = await requestAt('format', doc.toString(), 0);
  if (edits === undefined || edits.length === 0) return;
  // Formats again, so that text typed meanwhile is formatted too.
  if (view.state.doc === doc) applyEdits(view, edits, 'format', from);
  else await runFormat(view, from);
}

/**
 * Changes this file in one undoable step, and other files as drafts. Focuses the editor only if the focus is where it
 * was when the edits were requested.
 */
function applyEdits(
  view: EditorView,
  edits: readonly TextEdit[],
  event: string,
  from: Element | null = document.activeElement,
): void {
  const file = editorContext()?.file;
  const length = view.state.doc.length;
  const changes: ChangeSpec[] = edits
    .filter(({ span }) => span.file === file && span.end.offset <= length)
    .map(({ span, text }) => ({ from: span.start.offset, to: span.end.offset, insert: text }));
  view.dispatch({ changes, userEvent: `input.${event}` });
  editorContext()?.editOtherFiles(edits.filter(({ span }) => span.file !== file));
  if ([from, document.body].includes(document.activeElement)) view.focus();
}

export const languageCommands: Extension = [
  Prec.high(
    keymap.of([
      { key: 'F12', run: goToDefinition, preventDefault: true },
      { key: 'Shift-F12', run: findReferences, preventDefault: true },
      { key: 'Shift-Alt-e', run: explainFacts, preventDefault: true },
      { key: 'Shift-Alt-r', run: openTarget, preventDefault: true },
      { key: 'Shift-Alt-t', run: runTestAtCursor, preventDefault: true },
      { key: 'Mod-Shift-Alt-t', run: runAllTests, preventDefault: true },
      { key: 'F2', run: renameSymbol, preventDefault: true },
      { key: 'Shift-Alt-f', run: formatFile, preventDefault: true },
    ]),
  ),
  EditorView.domEventHandlers({
    mousedown: (event, view) => {
      if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
      const offset = view.posAtCoords({ x: event.clientX, y: event.clientY });
      if (offset === null) return false;
      void followName(view, offset);
      event.preventDefault();
      return true;
    },
  }),
];
