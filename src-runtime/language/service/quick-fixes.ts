/** Edits that cure a finding. Each does what the finding's hint says, and nothing is offered that only might be meant. */

import type { Span } from '../../base/span.js';
import type { CodeName } from '../codes/registry.js';
import { importEdit } from './completion/items.js';
import { namesOf } from './completion/names.js';
import type { Finding, Fix } from './fix.js';
import { insertion, replaced } from './fix.js';
import { addedCases, addedClass, addedFields, listedVariable, namedValue } from './fixes-of-bodies.js';
import { occurrenceAt } from './symbol-index.js';
import type { Analysis, QuickFix, TextEdit } from './types.js';

/** The cures of the findings that touch the range, in the order of the findings, the likeliest cure first. */
export function quickFixes(analysis: Analysis, file: string, from: number, to: number): readonly QuickFix[] {
  const text = analysis.sources.find((source) => source.file === file)?.text ?? '';
  return analysis.diagnostics.flatMap((diagnostic) => {
    const { span, code } = diagnostic;
    if (span.file !== file || span.start.offset > to || span.end.offset < from) return [];
    const finding = { analysis, diagnostic, text, found: text.slice(span.start.offset, span.end.offset) };
    const fixes = [...meant(finding), ...(FIXES.get(code)?.(finding) ?? [])];
    return fixes.map((fix) => ({ ...fix, diagnostic }));
  });
}

const FIXES: ReadonlyMap<string, (finding: Finding) => Fix[]> = new Map<CodeName, (finding: Finding) => Fix[]>([
  ['E0008', foreignOperator],
  [
    'E0009',
    ({ diagnostic, found }) => [
      replaced('Use double quotes', diagnostic.span, `"${found.slice(1, -1).replaceAll('"', '\\"')}"`),
    ],
  ],
  ['E0011', closedBracket],
  ['E0014', addedComma],
  ['E0013', moduleLine],
  ['E0018', ({ diagnostic }) => [replaced('Compare with `==`', diagnostic.span, '==')]],
  ['E0101', imports],
  ['E0103', ({ analysis, diagnostic }) => madePublic(analysis, diagnostic.notes?.[0]?.span)],
  ['E0108', individualByName],
  ['E0205', addedClass],
  ['E0401', (finding) => [...namedValue(finding), ...addedClass(finding)]],
  ['E0206', addedCases],
  ['E0306', addedFields],
  ['E0608', addedFields],
  ['W0001', comment],
  ['W0002', comment],
  ['W0101', withoutImport],
  ['W0302', ({ analysis, diagnostic }) => madePublic(analysis, diagnostic.span)],
  ['W0401', usedOnce],
  ['W0404', listedVariable],
  ['W0601', unused],
]);

function comment({ diagnostic, found }: Finding): Fix[] {
  return [replaced('Make it a comment', diagnostic.span, found.replaceAll('///', '//'))];
}

/** The name that the finding's hint takes for the misspelt one. */
function meant({ diagnostic, found }: Finding): Fix[] {
  const name = /Did you mean ["`](\w+(?:::\w+)*)["`]\?/.exec(diagnostic.hint ?? '')?.[1];
  if (name === undefined || !/^[\w:]+$/.test(found)) return [];
  const whole = diagnostic.code === 'E0102' ? name : found.replace(/\w+$/, name);
  return [replaced(`Change to "${name}"`, diagnostic.span, whole)];
}

function foreignOperator({ diagnostic, text }: Finding): Fix[] {
  const { span, hint = '' } = diagnostic;
  if (hint.startsWith('Leave it out')) return [replaced('Remove it', span, '')];
  const operator = /^Write `([^`]+)`/.exec(hint)?.[1];
  if (operator === undefined) return [];
  const isWord = /^\w/.test(operator);
  const before = isWord && /\w/.test(text.charAt(span.start.offset - 1)) ? ' ' : '';
  const behind = isWord && /[\w(]/.test(text.charAt(span.end.offset)) ? ' ' : '';
  return [replaced(`Write \`${operator}\``, span, `${before}${operator}${behind}`)];
}

/** Behind the last token that stands before the place where the bracket is missed. */
function addedComma({ diagnostic, text }: Finding): Fix[] {
  if (diagnostic.hint?.startsWith('Put a comma') !== true) return [];
  const { span } = diagnostic;
  const end = text.slice(0, span.start.offset).trimEnd().length;
  return [{ title: 'Put a comma before it', edits: [insertion(span, end, ',')] }];
}

function closedBracket({ diagnostic, text }: Finding): Fix[] {
  const bracket = /^expected `([)\]}])`/.exec(diagnostic.message)?.[1];
  if (bracket === undefined) return [];
  const { span } = diagnostic;
  const end = text.slice(0, span.start.offset).trimEnd().length;
  return [{ title: `Close it with \`${bracket}\``, edits: [insertion(span, end, bracket)] }];
}

function moduleLine({ diagnostic }: Finding): Fix[] {
  const { file } = diagnostic.span;
  const base = file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  const name = base.replace(/\W+/g, '_').replace(/^(?=\d|$)/, '_');
  const start = { line: 1, column: 1, offset: 0 };
  return [replaced(`Add \`module ${name}\``, { file, start, end: start }, `module ${name}\n\n`)];
}

function imports({ analysis, diagnostic, found }: Finding): Fix[] {
  const { file } = diagnostic.span;
  const { byName, byFile } = namesOf(analysis);
  return [...byName.values()].flatMap((module): Fix[] => {
    const symbol = module.declared.get(found);
    if (symbol === undefined || !symbol.public || module === byFile.get(file)) return [];
    const edit = importEdit({ analysis, file }, symbol);
    return edit === undefined ? [] : [{ title: `Import "${found}" from ${module.name}`, edits: [edit] }];
  });
}

function individualByName({ diagnostic, found }: Finding): Fix[] {
  return diagnostic.hint === `Write @${found}.` ? [replaced(`Write @${found}`, diagnostic.span, `@${found}`)] : [];
}

/** `pub` before a declaration, before each clause of a rule. */
function madePublic(analysis: Analysis, place: Span | undefined): Fix[] {
  const symbol = analysis.program.symbols.find(
    ({ nameSpan }) => nameSpan.file === place?.file && nameSpan.start.offset === place.start.offset,
  );
  if (symbol === undefined) return [];
  const spans = 'clauses' in symbol ? symbol.clauses.map(({ span }) => span) : [symbol.span];
  const edits = spans.map((span): TextEdit => ({ span: { ...span, end: span.start }, text: 'pub ' }));
  return [{ title: `Make "${symbol.name}" public`, edits }];
}

function withoutImport({ analysis, diagnostic, text }: Finding): Fix[] {
  const { span } = diagnostic;
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

function usedOnce(finding: Finding): Fix[] {
  const { diagnostic } = finding;
  const isArgument = diagnostic.hint?.includes('Write `_`') ?? false;
  const individual = /Write `(@\w+)`/.exec(diagnostic.hint ?? '')?.[1];
  return [
    ...(individual === undefined ? [] : [replaced(`Change to \`${individual}\``, diagnostic.span, individual)]),
    ...(isArgument ? [replaced('Change to `_`', diagnostic.span, '_')] : []),
    ...unused(finding),
  ];
}

/** A name that begins with `_` may be unused. All places that name it change, those of named arguments included. */
function unused({ analysis, diagnostic, found }: Finding): Fix[] {
  const { file, start } = diagnostic.span;
  const occurrences = occurrenceAt(analysis, file, start.offset)?.entity.occurrences ?? [];
  if (occurrences.length === 0) return [];
  return [{ title: `Change to "_${found}"`, edits: occurrences.map(({ span }) => ({ span, text: `_${found}` })) }];
}
