/** What the editor's extensions reach outside of CodeMirror. States outlive panels, so that it is looked up, never closed over. */

import type { Span } from '../../../../src-runtime/base/span.js';
import type { Reference, TextEdit } from '../../../../src-runtime/language/service/index.js';
import type { SourceFile } from '../../../server-state/api.js';
import type { Answers, QuestionKind } from '../../../workspace/compile-messages.js';
import { ask } from '../../../workspace/compiler.js';

/** What the panel around the editor offers it. */
export interface EditorSurroundings {
  readonly file: string;
  readonly readOnly: boolean;
  /** All files as they are edited; that of `file` may be behind the editor. */
  readonly files: readonly SourceFile[];
  openPlace(span: Span): void;
  /** Goes to another panel. */
  goTo(location: string): void;
  showReferences(name: string, references: readonly Reference[]): void;
  /** Whether the server runs the texts as they are edited. */
  readonly isServed: boolean;
  /** Runs a test of what the server runs. False where that has no such test. */
  runTest(key: string): Promise<boolean>;
  runAllTests(): Promise<void>;
  /** Changes the drafts of other files. */
  editOthers(edits: readonly TextEdit[]): void;
}

const current: { surroundings: EditorSurroundings | undefined } = { surroundings: undefined };

export function setSurroundings(surroundings: EditorSurroundings): void {
  current.surroundings = surroundings;
}

export function surroundings(): EditorSurroundings | undefined {
  return current.surroundings;
}

/** Asks about the file that is shown, over this text of it. */
export async function askAt<K extends QuestionKind>(
  kind: K,
  text: string,
  offset: number,
  newName?: string,
): Promise<Answers[K] | undefined> {
  const around = current.surroundings;
  if (around === undefined) return undefined;
  const { file } = around;
  const files = around.files.map((each) => (each.file === file ? { file, text } : each));
  return ask(files, { kind, file, offset, ...(newName === undefined ? {} : { newName }) });
}
