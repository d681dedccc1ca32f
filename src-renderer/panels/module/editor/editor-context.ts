/**
 * What editor extensions need from the panel. Editor states outlive panels, so extensions look it up and never close
 * over it.
 */

import type { Span } from '../../../../src-runtime/base/span.js';
import type { Reference, TextEdit } from '../../../../src-runtime/language/service/index.js';
import type { SourceFile } from '../../../server-state/api.js';
import { requestService } from '../../../workspace/compiler.js';
import type { ServiceMethod, ServiceResults } from '../../../workspace/compiler-protocol.js';

export interface EditorContext {
  readonly file: string;
  readonly readOnly: boolean;
  /** All files with their drafts. The text of `file` may be older than the editor's. */
  readonly files: readonly SourceFile[];
  openSpan(span: Span): void;
  /** Opens another panel. */
  goTo(location: string): void;
  showReferences(name: string, references: readonly Reference[]): void;
  /** Whether the server runs the texts as edited. */
  readonly isServed: boolean;
  /** Runs a test on the server. Resolves to false if the server has no such test. */
  runTest(key: string): Promise<boolean>;
  runAllTests(): Promise<void>;
  /** Changes the drafts of other files. */
  editOtherFiles(edits: readonly TextEdit[]): void;
}

const current: { editorContext: EditorContext | undefined } = { editorContext: undefined };

export function setEditorContext(editorContext: EditorContext): void {
  current.editorContext = editorContext;
}

export function editorContext(): EditorContext | undefined {
  return current.editorContext;
}

/** Sends a request about this text of the shown file. */
export async function requestAt<K extends ServiceMethod>(
  kind: K,
  text: string,
  offset: number,
  newName?: string,
): Promise<ServiceResults[K] | undefined> {
  const context = current.editorContext;
  if (context === undefined) return undefined;
  const { file } = context;
  const files = context.files.map((each) => (each.file === file ? { file, text } : each));
  return requestService(files, { kind, file, offset, ...(newName === undefined ? {} : { newName }) });
}
