/** Quick fixes: edits that remove a finding. Each does what the finding's hint says. */

import type { Span } from '../../base/span.js';
import type { Analysis } from '../analyse.js';
import type { CodeName } from '../codes/registry.js';
import { type Remedy, toDiagnostic } from '../finding.js';
import { addedCases, addedCondition, addedFields, boundVariable, listedVariable } from './body-fixes.js';
import { importEdit } from './completion/items.js';
import { namesOf } from './completion/names.js';
import type { Fix, FixContext } from './fix.js';
import { insertion, replaced } from './fix.js';
import { occurrenceAt } from './symbol-index.js';
import type { QuickFix, TextEdit } from './types.js';

/** The fixes for the findings that touch the range, in the order of the findings, the likeliest first. */
export function quickFixes(analysis: Analysis, file: string, from: number, to: number): readonly QuickFix[] {
  const text = analysis.sources.find((source) => source.file === file)?.text ?? '';
  return analysis.diagnostics.flatMap((finding) => {
    const { span, code, remedies = [] } = finding;
    if (span.file !== file || span.start.offset > to || span.end.offset < from) return [];
    const context = { analysis, finding, text, found: text.slice(span.start.offset, span.end.offset) };
    const fixes = [
      ...remedies.flatMap((remedy) => fixOf(context, remedy)),
      ...(FIXES_BY_CODE.get(code)?.(context) ?? []),
    ];
    return fixes.map((fix) => ({ ...fix, diagnostic: toDiagnostic(finding) }));
  });
}

function fixOf(context: FixContext, remedy: Remedy): Fix[] {
  const { span } = context.finding;
  switch (remedy.kind) {
    case 'rename':
      return renamed(context, remedy.name);
    case 'replace':
      return [replaced(`Change to \`${remedy.text}\``, span, remedy.text)];
    case 'operator':
      return [replacedOperator(context, remedy.text)];
    case 'insert':
      return [inserted(context, remedy.text)];
    case 'condition':
      return addedCondition(context, remedy.text);
    case 'let':
      return boundVariable(context, remedy.comparison);
    case 'define':
      return [{ title: 'Name the value with `let`', edits: [insertion(remedy.at, remedy.at.start.offset, 'let ')] }];
    case 'list':
      return listedVariable(context, remedy.listed);
    case 'parentheses':
      return [parenthesised(remedy.around)];
    case 'cases':
      return addedCases(context, remedy.members);
  }
}

const FIXES_BY_CODE: ReadonlyMap<string, (context: FixContext) => Fix[]> = new Map<
  CodeName,
  (context: FixContext) => Fix[]
>([
  [
    'E0009',
    ({ finding, found }) => [
      replaced('Use double quotes', finding.span, `"${found.slice(1, -1).replaceAll('"', '\\"')}"`),
    ],
  ],
  ['E0013', addedModuleLine],
  ['E0018', ({ finding }) => [replaced('Compare with `==`', finding.span, '==')]],
  ['E0101', imports],
  ['E0103', ({ analysis, finding }) => makePublic(analysis, finding.notes?.[0]?.span)],
  ['E0306', addedFields],
  ['E0608', addedFields],
  ['W0001', plainComment],
  ['W0002', plainComment],
  ['W0101', withoutImport],
  ['W0302', ({ analysis, finding }) => makePublic(analysis, finding.span)],
  ['W0401', markedUnused],
  ['W0601', markedUnused],
]);

function plainComment({ finding, found }: FixContext): Fix[] {
  return [replaced('Make it a comment', finding.span, found.replaceAll('///', '//'))];
}

/** Changes the last word of a path. For an unknown module, the span is the whole path and `name` too. */
function renamed({ finding, found }: FixContext, name: string): Fix[] {
  if (!/^[\w:]+$/.test(found)) return [];
  const whole = finding.code === 'E0102' ? name : found.replace(/\w+$/, name);
  return [replaced(`Change to "${name}"`, finding.span, whole)];
}

function replacedOperator({ finding: { span }, text }: FixContext, operator: string): Fix {
  if (operator === '') return replaced('Remove it', span, '');
  const isWord = /^\w/.test(operator);
  const before = isWord && /\w/.test(text.charAt(span.start.offset - 1)) ? ' ' : '';
  const after = isWord && /[\w(]/.test(text.charAt(span.end.offset)) ? ' ' : '';
  return replaced(`Write \`${operator}\``, span, `${before}${operator}${after}`);
}

function parenthesised(around: Span): Fix {
  const { start, end } = around;
  const edits = [insertion(around, start.offset, '('), insertion(around, end.offset, ')')];
  return { title: 'Put it in parentheses', edits };
}

/** Inserts after the last token before the finding. */
function inserted({ finding: { span }, text }: FixContext, missing: string): Fix {
  const end = text.slice(0, span.start.offset).trimEnd().length;
  const title = missing === ',' ? 'Put a comma before it' : `Close it with \`${missing}\``;
  return { title, edits: [insertion(span, end, missing)] };
}

function addedModuleLine({ finding }: FixContext): Fix[] {
  const { file } = finding.span;
  const base = file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  const name = base.replace(/\W+/g, '_').replace(/^(?=\d|$)/, '_');
  const start = { line: 1, column: 1, offset: 0 };
  return [replaced(`Add \`module ${name}\``, { file, start, end: start }, `module ${name}\n\n`)];
}

function imports({ analysis, finding, found }: FixContext): Fix[] {
  const { file } = finding.span;
  const { byName, byFile } = namesOf(analysis);
  return [...byName.values()].flatMap((module): Fix[] => {
    const symbol = module.declared.get(found);
    if (symbol === undefined || !symbol.public || module === byFile.get(file)) return [];
    const edit = importEdit({ analysis, file }, symbol);
    return edit === undefined ? [] : [{ title: `Import "${found}" from ${module.name}`, edits: [edit] }];
  });
}

/** Adds `pub` to a declaration, and to each clause of a rule. */
function makePublic(analysis: Analysis, nameSpan: Span | undefined): Fix[] {
  const symbol = analysis.program.symbols.find(
    (each) => each.nameSpan.file === nameSpan?.file && each.nameSpan.start.offset === nameSpan.start.offset,
  );
  if (symbol === undefined) return [];
  const spans = 'clauses' in symbol ? symbol.clauses.map(({ span }) => span) : [symbol.span];
  const edits = spans.map((span): TextEdit => ({ span: { ...span, end: span.start }, text: 'pub ' }));
  return [{ title: `Make "${symbol.name}" public`, edits }];
}

function withoutImport({ analysis, finding, text }: FixContext): Fix[] {
  const { span } = finding;
  const module = analysis.modules.find(({ file }) => file === span.file);
  const use = module?.items.find((item) => item.kind === 'use' && item.names.some((name) => name.span === span));
  if (use?.kind !== 'use') return [];
  const at = use.names.findIndex((name) => name.span === span);
  const [before, next] = [use.names[at - 1]?.span, use.names[at + 1]?.span];
  const title = `Remove "${use.names[at]?.text ?? ''}" from the imports`;
  if (before !== undefined) return [replaced(title, { ...span, start: before.end }, '')];
  if (next !== undefined) return [replaced(title, { ...span, end: next.start }, '')];
  const end = use.span.end.offset + (text.charAt(use.span.end.offset) === '\n' ? 1 : 0);
  return [replaced(title, { ...use.span, end: { ...use.span.end, offset: end } }, '')];
}

/** Renames to a name that starts with `_`, which may be unused, wherever it occurs. */
function markedUnused({ analysis, finding, found }: FixContext): Fix[] {
  const { file, start } = finding.span;
  const occurrences = occurrenceAt(analysis, file, start.offset)?.entity.occurrences ?? [];
  if (occurrences.length === 0) return [];
  return [{ title: `Change to "_${found}"`, edits: occurrences.map(({ span }) => ({ span, text: `_${found}` })) }];
}
