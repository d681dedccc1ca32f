/**
 * What editor extensions need from the panel. Editor states outlive panels, so extensions look it up and never close
 * over it.
 */

import type { Span } from '../../../../src-runtime/base/span.js';
import type { Reference, TextEdit } from '../../../../src-runtime/language/service/index.js';
import type { SourceFile } from '../../../server-state/api.js';
import { requestService } from '../../../workspace/compiler.js';
import type { ServiceMethod, ServiceResults } from '../../../workspace/compiler-protocol.js';

export interface EditorSurroundings {
  readonly file: string;
  readonly readOnly: boolean;
  /** All files with their drafts. The text of `file` may be older than the editor's. */
  readonly files: readonly SourceFile[];
  openPlace(span: Span): void;
  /** Opens another panel. */
  goTo(location: string): void;
  showReferences(name: string, references: readonly Reference[]): void;
  /** Whether the server runs the texts as edited. */
  readonly isServed: boolean;
  /** Runs a test on the server. Resolves to false if the server has no such test. */
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

/** Sends a request about this text of the shown file. */
export async function askAt<K extends ServiceMethod>(
  kind: K,
  text: string,
  offset: number,
  newName?: string,
): Promise<ServiceResults[K] | undefined> {
  const around = current.surroundings;
  if (around === undefined) return undefined;
  const { file } = around;
  const files = around.files.map((each) => (each.file === file ? { file, text } : each));
  return requestService(files, { kind, file, offset, ...(newName === undefined ? {} : { newName }) });
}
