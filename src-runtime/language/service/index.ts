/** The language service's edge: what editors and language servers ask about module sources. */

export { analyse } from './analysis.js';
export type {
  Analysis,
  Completion,
  CompletionKind,
  Completions,
  FoldingRange,
  Hover,
  QuickFix,
  Reference,
  RenameOutcome,
  SignatureHelp,
  SourceText,
  TextEdit,
} from './types.js';
