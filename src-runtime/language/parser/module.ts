/** One file's text to its syntax tree, with everything that is wrong with it as text. */

import { type Checked, hasErrors } from '../../base/diagnostic.js';
import { joinSpans, type Span } from '../../base/span.js';
import type { Item, ModuleSyntax, Path } from '../ast.js';
import type { CodeName } from '../codes/registry.js';
import { type Finding, suggestion } from '../finding.js';
import { type Tokens, tokenize } from '../lexer.js';
import { Cursor } from './cursor.js';
import { isItemWord, item } from './items.js';
import { path } from './names.js';

/** Parses one file. Never throws: reports and skips syntax errors, and parses the rest. Sorts diagnostics by position. */
export function parseModule(file: string, text: string): Checked<ModuleSyntax, Finding> {
  return parseFile(file, text, (p) => {
    const doc = p.current.text === 'module' ? p.takeDoc() : null;
    return { doc, name: moduleName(p) };
  });
}

/** Parses a text of items without a `module` line, as part of the module of that name. */
export function parseItems(file: string, text: string, module: string): Checked<ModuleSyntax, Finding> {
  return parseFile(file, text, (p) => {
    const span = p.spanFrom(p.index);
    return { doc: null, name: { segments: module.split('::').map((word) => ({ text: word, span })), span } };
  });
}

function parseFile(
  file: string,
  text: string,
  head: (p: Cursor) => Pick<ModuleSyntax, 'doc' | 'name'>,
): Checked<ModuleSyntax, Finding> {
  const tokens = tokenize(file, text);
  const p = new Cursor(file, text, tokens);
  const { doc, name } = head(p);
  const { items, unread, places } = itemsOf(p);
  const span = { file, start: { line: 1, column: 1, offset: 0 }, end: p.spanFrom(p.index).end };
  const warnings = [...strayDocumentation(p, tokens), ...turningCharacters(file, text, tokens.diagnostics)];
  const found = [...tokens.diagnostics, ...p.diagnostics, ...warnings];
  const diagnostics = found.sort((a, b) => a.span.start.offset - b.span.start.offset);
  const damaged = places.flatMap((place) => (place.isDamaged ? [place.span] : []));
  return { value: { file, name, doc, items, unread, whole: !hasErrors(diagnostics), damaged, span }, diagnostics };
}

function moduleName(p: Cursor): Path | null {
  const isThere = p.atWord('module');
  if (!isThere) {
    const meant = p.atName() && p.peek(1).kind === 'word' ? suggestion(p.current.text, ['module'], '`') : undefined;
    const details = meant ?? { hint: 'Start the file with `module name`.' };
    p.report('E0013', 'the `module` line is missing', p.tokenSpan(p.current), details);
    if (meant === undefined) return null;
  }
  p.take();
  return p.attempt(
    () => path(p, 'the name of the module'),
    () => null,
    () => false,
  );
}

interface Items {
  readonly items: Item[];
  readonly unread: string[];
  /** The span of each item, parsed or not, with what was skipped after it. */
  readonly places: { readonly span: Span; readonly isDamaged: boolean }[];
}

function itemsOf(p: Cursor): Items {
  const read: Items = { items: [], unread: [], places: [] };
  while (!p.atEnd()) {
    if (p.atFullStop()) {
      p.report('E0008', '`.` is not an operator', p.tokenSpan(p.take()), {
        hint: 'Remove it: declarations need no end.',
        remedies: [{ kind: 'operator', text: '' }],
      });
      continue;
    }
    const start = p.index;
    const before = p.diagnostics.length;
    const { losses } = p;
    // A token on the line of an item that starts no item belongs to that item, and to its mistake.
    const isRest = start > 0 && !p.isFirstOnLine() && read.places.length > 0 && !beginsItem(p);
    const parsed = p.attempt(
      () => item(p),
      () => undefined,
      () => false,
    );
    if (parsed !== undefined) read.items.push(parsed);
    // An item that fails on its first token, or at a stray bracket, must not end the parse.
    if (p.index === start) {
      p.take();
      p.skipToItem();
    }
    // A single `=` for `==` does not damage the item.
    const isDamaged = p.losses > losses && p.diagnostics.slice(before).some(({ code }) => code !== 'E0018');
    if (isDamaged && !mayBeginItem(p)) p.skipToItem();
    if (parsed === undefined || isDamaged) read.unread.push(...lostNames(p, start, parsed));
    const later = p.diagnostics.splice(before + 1);
    p.diagnostics.push(...later.filter((each) => !isConsequence(p, each, p.diagnostics[before])));
    const own = p.spanFrom(start);
    const previous = isRest ? read.places.pop() : undefined;
    read.places.push({
      span: previous ? joinSpans(previous.span, own) : own,
      isDamaged: isDamaged || previous?.isDamaged === true,
    });
  }
  return read;
}

/** A finding at the end of an item, or an unclosed bracket on the line of the item's first finding, is a consequence of that. */
function isConsequence(p: Cursor, { code, span }: Finding, first: Finding | undefined): boolean {
  return span.start.offset >= p.current.start || (code === 'E0011' && span.start.line === first?.span.start.line);
}

function beginsItem(p: Cursor): boolean {
  return p.atWord('pub') || isItemWord(p.current.text);
}

/** After a mistake, only a name on a new line that is not a keyword of clauses or statements starts another item. */
function mayBeginItem(p: Cursor): boolean {
  if (p.atEnd() || beginsItem(p)) return true;
  return p.isFirstOnLine() && p.atName() && !CLAUSE_WORDS.has(p.current.text);
}

const CLAUSE_WORDS = new Set('order limit severity message select value expect require'.split(' '));

/** Names that a damaged item may declare or import: its first words, or all words of an import. */
function lostNames(p: Cursor, start: number, parsed: Item | undefined): string[] {
  const tokenAt = (at: number) => p.peek(at - p.index);
  const first = tokenAt(tokenAt(start).text === 'pub' ? start + 1 : start).text;
  const isImport = parsed === undefined ? first === 'use' || !isItemWord(first) : parsed.kind === 'use';
  if (parsed !== undefined && !isImport) return [];
  const words: string[] = [];
  for (let at = start; at < (isImport ? p.index : start + 4); at += 1) {
    const { kind, text } = tokenAt(at);
    if (kind === 'word') words.push(text);
    else if (!isImport) break;
  }
  return words;
}

function strayDocumentation(p: Cursor, tokens: Tokens): Finding[] {
  const found = (code: CodeName, message: string, span: Span, hint: string): Finding[] => [
    { code, severity: 'warning', message, span, hint },
  ];
  return tokens.documentation.flatMap(({ before, span, isTrailing }) => {
    if (!p.isDocUsed(before)) {
      const hint = 'Write `//`, or move it before a declaration, field, member, endpoint or parameter.';
      return found('W0001', 'this doc comment documents nothing', span, hint);
    }
    if (!isTrailing) return [];
    const hint = 'Move it to a separate line before what it documents, or write `//`.';
    return found('W0002', 'this doc comment documents the next line, not the line it is on', span, hint);
  });
}

/**
 * Embeddings, overrides and isolates of the Unicode Bidirectional Algorithm, and their ends. Marks only affect themselves and are
 * allowed.
 */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/;

const LINE_END = /\r\n|\r|\n/g;

/** One finding per line, unless an error already covers the character, as outside comments and texts. */
function turningCharacters(file: string, text: string, errors: readonly Finding[]): Finding[] {
  if (!TURNING.test(text)) return [];
  const starts = [0, ...[...text.matchAll(LINE_END)].map(({ index, 0: end }) => index + end.length)];
  return starts.flatMap((start, index): Finding[] => {
    const at = text.slice(start, starts[index + 1]).search(TURNING);
    const offset = start + at;
    const isReported = errors.some(({ span }) => span.start.offset <= offset && offset < span.end.offset);
    if (at < 0 || isReported) return [];
    const name = `U+${text.charCodeAt(offset).toString(16).toUpperCase()}`;
    const from = { line: index + 1, column: at + 1, offset };
    const span = { file, start: from, end: { ...from, column: at + 2, offset: offset + 1 } };
    const message = `the reading direction is reversed by ${name}`;
    const hint = 'Remove it, or write it as an escape in a text: `\\u{…}`.';
    return [{ code: 'W0003', severity: 'warning', message, span, hint }];
  });
}
