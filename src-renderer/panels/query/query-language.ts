/** The language service for an ad-hoc text, which is analysed after the declarations of the loaded module. */

import { useEffect, useState } from 'react';
import type { Diagnostic } from '../../../src-runtime/base/diagnostic.js';
import type { Position, Span } from '../../../src-runtime/base/span.js';
import type { Completion, TextEdit } from '../../../src-runtime/language/service/index.js';
import type { LanguageClient } from '../../editor/language-client.js';
import type { SourceFile } from '../../server-state/api.js';
import { requestService } from '../../workspace/compiler.js';
import type { AdhocAnalysis, ServiceMethod, ServiceResults } from '../../workspace/compiler-protocol.js';
import type { SchemaSources } from './schema-source.js';

const FILE = 'adhoc.entail';
const TYPING_PAUSE_MS = 150;
const NOTHING: AdhocAnalysis & { readonly source: string } = { source: '', diagnostics: [], fixes: [], parameters: [] };

/** Requests with offsets that count from the start of the text. */
export function adhocClient({ own, others }: SchemaSources): LanguageClient {
  return async (kind, text, offset) => {
    const files = [{ file: FILE, text: own + text }, ...others];
    const result = await requestService(files, { kind, file: FILE, offset: offset + own.length });
    return result === undefined ? undefined : (shifted(kind, result, own) as typeof result);
  };
}

/** Edits that format the text. None if it is formatted or has syntax errors. */
export async function formatEditsOf(text: string): Promise<TextEdit[]> {
  const edits = await requestService([{ file: FILE, text: HEAD + text }], { kind: 'format', file: FILE, offset: 0 });
  return bodyEdits(edits ?? [], text);
}

/** The formatter takes whole modules, so the text is wrapped in one. */
export const HEAD = 'module adhoc\n\n';

/** The edits within the text, which needs no line break at its end. */
export function bodyEdits(edits: readonly TextEdit[], text: string): TextEdit[] {
  return edits
    .map(({ span: { file, start, end }, text: put }) => {
      const moved = (position: Position): Position => ({
        line: position.line - 2,
        column: position.column,
        offset: position.offset - HEAD.length,
      });
      return { span: { file, start: moved(start), end: moved(end) }, text: put };
    })
    .filter(({ span, text: put }) => span.start.offset >= 0 && !(put === '\n' && span.start.offset === text.length));
}

/** The declaration of the name at an offset: in a module's source, or in the text. */
export async function declarationAt(
  { file, text: source }: SourceFile,
  others: readonly SourceFile[],
  text: string,
  offset: number,
): Promise<{ readonly in: 'module' | 'text'; readonly span: Span } | undefined> {
  const before = `${source}\n`;
  const files = [{ file, text: before + text }, ...others];
  const [span] = (await requestService(files, { kind: 'definition', file, offset: before.length + offset })) ?? [];
  if (span === undefined) return undefined;
  if (span.file !== file || span.start.offset < before.length) return { in: 'module', span };
  const moved = (position: Position): Position => ({ ...position, offset: position.offset - before.length });
  return { in: 'text', span: { ...span, start: moved(span.start), end: moved(span.end) } };
}

/** The analysis of the text, after a debounce. Until then, that of the text before, without its fixes. */
export function useAdhocAnalysis(client: LanguageClient, source: string): AdhocAnalysis {
  const [analysis, setAnalysis] = useState(NOTHING);
  useEffect(() => {
    if (source.trim() === '') {
      setAnalysis(NOTHING);
      return undefined;
    }
    let stale = false;
    const timer = setTimeout(() => {
      void client('adhoc', source, 0).then((found) => {
        if (!stale && found !== undefined) setAnalysis({ ...found, source });
      });
    }, TYPING_PAUSE_MS);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [client, source]);
  return analysis.source === source ? analysis : { ...analysis, fixes: NOTHING.fixes };
}

/** Shifts offsets so that they count from the start of the text. */
export function shifted(kind: ServiceMethod, result: ServiceResults[ServiceMethod], declarations: string): unknown {
  const { length } = declarations;
  const lines = declarations.split('\n').length - 1;
  const position = ({ line, column, offset }: Position): Position => ({
    line: line - lines,
    column,
    offset: offset - length,
  });
  const span = ({ file, start, end }: Span): Span => ({ file, start: position(start), end: position(end) });
  if (kind === 'complete') {
    const { from, to, items } = result as ServiceResults['complete'];
    return { from: from - length, to: to - length, items: items.map(withoutImport) };
  }
  if (kind === 'hover') {
    const hover = result as ServiceResults['hover'];
    return hover === null ? null : { ...hover, span: span(hover.span) };
  }
  if (kind !== 'adhoc') return result;
  const { diagnostics, fixes, parameters } = result as ServiceResults['adhoc'];
  const own = (finding: Diagnostic): Diagnostic => withoutForeignNotes(finding, span, length);
  return {
    parameters,
    diagnostics: diagnostics.map(own),
    fixes: fixes.map(({ diagnostic, edits, ...fix }) => ({
      ...fix,
      diagnostic: own(diagnostic),
      edits: edits.map((edit) => ({ ...edit, span: span(edit.span) })),
    })),
  };
}

/** An ad-hoc text cannot import, so the completion inserts the qualified path. */
function withoutImport({ also, qualified, ...item }: Completion): Completion {
  return also === undefined || qualified === undefined ? item : { ...item, insert: qualified };
}

/** Drops notes that point into the declarations, which are not shown. */
function withoutForeignNotes(finding: Diagnostic, span: (span: Span) => Span, start: number): Diagnostic {
  const { notes, ...rest } = finding;
  const own = (notes ?? []).filter((note) => note.span.start.offset >= start);
  return {
    ...rest,
    span: span(finding.span),
    ...(own.length > 0 && { notes: own.map((note) => ({ ...note, span: span(note.span) })) }),
  };
}
