/** The language service's public interface: the requests of editors and language servers about module sources. */

export { type Analysis, analyse, type SourceText } from '../analyse.js';
export { COLOURS, coloursOf } from './colours.js';
export { completionsAt } from './completion/index.js';
export { applyEdits } from './edits.js';
export { foldingRanges } from './folding.js';
export { definitionAt, hoverAt, referencesAt } from './navigation.js';
export { outlineOf } from './outline.js';
export { quickFixes } from './quick-fixes.js';
export { rename, renameAt } from './rename.js';
export { signatureAt } from './signature.js';
export type {
  Completion,
  CompletionKind,
  Completions,
  FoldingRange,
  Hover,
  OutlineItem,
  OutlineKind,
  QuickFix,
  Reference,
  RenameOutcome,
  SignatureHelp,
  TextEdit,
} from './types.js';
