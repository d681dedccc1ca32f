/** Converts results of the language service to the Language Server Protocol: positions from 0, ranges, kinds. */

import {
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
  type Location,
  type Range,
  SymbolKind,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic as Finding } from '../base/diagnostic.js';
import type { Span } from '../base/span.js';
import type { CompletionKind, TextEdit as Edit, OutlineKind } from '../language/service/index.js';

export function rangeOf({ start, end }: Span): Range {
  return {
    start: { line: start.line - 1, character: start.column - 1 },
    end: { line: end.line - 1, character: end.column - 1 },
  };
}

export function locationOf(span: Span): Location {
  return { uri: span.file, range: rangeOf(span) };
}

/** Only the offsets of an edit's span are exact. */
export function textEdit({ span, text }: Edit, document: TextDocument): TextEdit {
  const range = { start: document.positionAt(span.start.offset), end: document.positionAt(span.end.offset) };
  return { range, newText: text };
}

export function workspaceEdit(edits: readonly Edit[], documentOf: (uri: string) => TextDocument): WorkspaceEdit {
  const changes: Record<string, TextEdit[]> = {};
  for (const edit of edits) {
    const uri = edit.span.file;
    changes[uri] = [...(changes[uri] ?? []), textEdit(edit, documentOf(uri))];
  }
  return { changes };
}

export function diagnosticOf(finding: Finding): Diagnostic {
  const { code, severity, message, hint, span, notes = [] } = finding;
  return {
    range: rangeOf(span),
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code,
    source: 'entail',
    message: hint === undefined ? message : `${message}\n${hint}`,
    relatedInformation: notes.map((note) => ({ location: locationOf(note.span), message: note.message })),
  };
}

export const COMPLETION_KINDS: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  keyword: CompletionItemKind.Keyword,
  module: CompletionItemKind.Module,
  concept: CompletionItemKind.Class,
  define: CompletionItemKind.Class,
  enum: CompletionItemKind.Enum,
  member: CompletionItemKind.EnumMember,
  type: CompletionItemKind.TypeParameter,
  relation: CompletionItemKind.Interface,
  derive: CompletionItemKind.Interface,
  check: CompletionItemKind.Event,
  individual: CompletionItemKind.Constant,
  query: CompletionItemKind.Method,
  mutation: CompletionItemKind.Method,
  fn: CompletionItemKind.Function,
  builtIn: CompletionItemKind.Function,
  variable: CompletionItemKind.Variable,
  field: CompletionItemKind.Field,
  endpoint: CompletionItemKind.Property,
  parameter: CompletionItemKind.Property,
  context: CompletionItemKind.Property,
  code: CompletionItemKind.Constant,
};

export const SYMBOL_KINDS: Readonly<Record<OutlineKind, SymbolKind>> = {
  enum: SymbolKind.Enum,
  concept: SymbolKind.Class,
  relation: SymbolKind.Interface,
  individual: SymbolKind.Constant,
  fact: SymbolKind.Array,
  derive: SymbolKind.Interface,
  define: SymbolKind.Class,
  check: SymbolKind.Event,
  query: SymbolKind.Method,
  mutation: SymbolKind.Method,
  fn: SymbolKind.Function,
  context: SymbolKind.Property,
  extern: SymbolKind.Function,
  test: SymbolKind.Method,
};
