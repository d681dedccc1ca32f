/** The cursor's position in the syntax, computed from the tokens before it, which exist in unfinished text too. */

import type { Analysis } from '../../analyse.js';
import type { Token } from '../../lexer.js';
import { RESERVED_WORDS, tokenizeInMessage } from '../../lexer.js';
import { tokensOf } from '../tokens.js';
import type { ModuleNames, ProgramNames } from './names.js';
import { namesOf } from './names.js';

export interface Site {
  readonly analysis: Analysis;
  readonly names: ProgramNames;
  readonly module: ModuleNames;
  readonly file: string;
  readonly offset: number;
  /** The word at the cursor; empty between words. */
  readonly from: number;
  readonly to: number;
  /** The tokens of the item before the word, its first word at 0; empty between items. */
  readonly before: readonly Token[];
  /** All tokens of the item, including those after the cursor. */
  readonly item: readonly Token[];
  /** The word that the item begins with: `derive`, `query`; empty between items. */
  readonly kind: string;
  /** Brackets that are open at the cursor, innermost last. */
  readonly open: readonly Bracket[];
  readonly isFirstOnLine: boolean;
}

export interface Bracket {
  /** Its index in `before`. */
  readonly index: number;
  readonly role: BracketRole;
}

export type BracketRole =
  | 'parameters'
  | 'call'
  | 'group'
  | 'list'
  | 'members'
  | 'fields'
  | 'imports'
  | 'entries'
  | 'match'
  | 'query'
  | 'block'
  | 'record'
  | 'recordType';

/** Null inside comments and texts (except between the braces of a message), and in missing files. */
export function siteAt(analysis: Analysis, file: string, offset: number): Site | null {
  const text = analysis.sources.find((source) => source.file === file)?.text;
  const names = namesOf(analysis);
  const module = names.byFile.get(file);
  const all = tokensOf(analysis, file);
  if (text === undefined || module === undefined || all === undefined) return null;
  const { tokens, comments } = all;
  if (comments.some(({ start, end, text: own }) => start < offset && (offset < end || isOpenComment(own, offset, end))))
    return null;
  const upTo = tokens.filter((token) => token.start < offset && token.kind !== 'end');
  const last = upTo[upTo.length - 1];
  const isInText = last?.kind === 'text' && (offset < last.end || isUnclosed(last));
  const inner = isInText ? templateTokens(file, text, upTo, offset) : [];
  if (inner === null) return null;
  const read = isInText ? [...upTo.slice(0, -1), ...inner] : upTo;
  const word = wordAt(read, offset);
  const before = word === undefined ? read : read.slice(0, -1);
  const start = itemStart(before);
  const own = start < 0 ? [] : before.slice(start);
  const next = tokens.findIndex((token, i) => token.start >= offset && isItemHead(tokens, i));
  const from = tokens.indexOf(own[0] as Token);
  const item = start < 0 ? [] : tokens.slice(from, next < 0 ? tokens.length - 1 : next);
  return {
    analysis,
    names,
    module,
    file,
    offset,
    from: word?.start ?? offset,
    to: word?.end ?? offset,
    before: own,
    item,
    kind: own[0]?.text ?? '',
    open: openBrackets(own),
    isFirstOnLine: /^[ \t]*$/.test(
      text.slice(text.lastIndexOf('\n', (word?.start ?? offset) - 1) + 1, word?.start ?? offset),
    ),
  };
}

/** The path that ends before `index`: its text, and the index of its first token. */
export function pathBefore(
  tokens: readonly Token[],
  index: number,
): { readonly text: string; readonly start: number } | undefined {
  let at = index - 1;
  if (tokens[at]?.kind !== 'word') return undefined;
  while (tokens[at - 1]?.text === '::' && tokens[at - 2]?.kind === 'word') at -= 2;
  const text = tokens
    .slice(at, index)
    .map((token) => token.text)
    .join('');
  return { text, start: at };
}

/** The index of the bracket that the closing one at `index` closes, or -1 if none exists. */
export function openingOf(tokens: readonly Token[], index: number): number {
  let depth = 0;
  for (let at = index; at >= 0; at -= 1) {
    const token = tokens[at];
    if (token?.kind !== 'punctuation') continue;
    if (CLOSING.has(token.text)) depth += 1;
    else if (OPENING.has(token.text)) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

export const OPENING: ReadonlySet<string> = new Set(['(', '[', '{']);
export const CLOSING: ReadonlySet<string> = new Set([')', ']', '}']);

const ITEM_WORDS = new Set(
  'module use enum concept relation individual fact derive define check query mutation fn extern context test'.split(
    ' ',
  ),
);
const WITH_PARAMETERS = new Set(['relation', 'derive', 'define', 'check', 'query', 'mutation', 'fn']);

/** A cursor at the end of a line comment is inside it; the same holds for an unclosed block comment. */
function isOpenComment(comment: string, offset: number, end: number): boolean {
  return offset === end && (comment.startsWith('//') || !comment.endsWith('*/') || comment.length < 4);
}

function isUnclosed(token: Token): boolean {
  return token.text.length < 2 || !token.text.endsWith('"');
}

/** The tokens of the message's `{expr}` at the cursor; null in any other text. */
function templateTokens(file: string, text: string, upTo: readonly Token[], offset: number): readonly Token[] | null {
  const literal = upTo[upTo.length - 1];
  if (literal === undefined || upTo[upTo.length - 2]?.text !== 'message') return null;
  const written = text.slice(literal.start, offset).replace(/\{\{|\}\}/g, '  ');
  const brace = written.lastIndexOf('{');
  if (brace < 0 || written.indexOf('}', brace) >= 0) return null;
  const start = literal.start + brace + 1;
  const from = { line: literal.line, column: literal.column + brace + 1, offset: start };
  const end = /^\w*/.exec(text.slice(offset))?.[0].length ?? 0;
  // The brace is treated as a parenthesis, after which a value is expected.
  const opening: Token = { ...literal, kind: 'punctuation', text: '(', start: start - 1, end: start };
  const read = tokenizeInMessage(file, text, from, offset + end).tokens;
  return [opening, ...read.filter((token) => token.kind !== 'end' && token.start < offset)];
}

function wordAt(tokens: readonly Token[], offset: number): Token | undefined {
  const last = tokens[tokens.length - 1];
  return last?.kind === 'word' && last.end >= offset ? last : undefined;
}

/** The start of the item that contains the last token. */
function itemStart(tokens: readonly Token[]): number {
  for (let at = tokens.length - 1; at >= 0; at -= 1) if (isItemHead(tokens, at)) return at;
  return -1;
}

function isItemHead(tokens: readonly Token[], at: number): boolean {
  const [token, before, next] = [tokens[at], tokens[at - 1], tokens[at + 1]];
  if (token?.kind !== 'word' || !ITEM_WORDS.has(token.text)) return false;
  const opensLine = before === undefined || before.line < token.line || before.text === 'pub';
  if (!opensLine || next?.text === ':') return false;
  if (token.text === 'test') return next?.kind === 'text';
  return next === undefined || (next.kind === 'word' && !RESERVED_WORDS.has(next.text)) || next.line > token.line;
}

function openBrackets(tokens: readonly Token[]): Bracket[] {
  const open: Bracket[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'punctuation') continue;
    if (OPENING.has(token.text)) open.push({ index, role: roleOf(tokens, index, open) });
    else if (CLOSING.has(token.text)) open.pop();
  }
  return open;
}

function roleOf(tokens: readonly Token[], index: number, open: readonly Bracket[]): BracketRole {
  const text = tokens[index]?.text;
  const kind = tokens[0]?.text ?? '';
  const path = pathBefore(tokens, index);
  if (text === '[') return 'list';
  if (text === '(') {
    if (
      open.length === 0 &&
      path !== undefined &&
      (path.start === 1 || kind === 'extern') &&
      (WITH_PARAMETERS.has(kind) || kind === 'extern')
    ) {
      return 'parameters';
    }
    return path === undefined || RESERVED_WORDS.has(path.text) ? 'group' : 'call';
  }
  const word = path === undefined ? undefined : tokens[path.start - 1]?.text;
  if (kind === 'use') return 'imports';
  if (open.length === 0 && kind === 'enum') return 'members';
  if (open.length === 0 && kind === 'concept') return 'fields';
  if (open.length === 0 && kind === 'individual') return 'entries';
  if (word === 'insert') return 'entries';
  if (matchOf(tokens, index) >= 0) return 'match';
  const previous = tokens[index - 1]?.text ?? '';
  const inner = open[open.length - 1]?.role;
  if (isTypeAt(tokens, index, open)) return 'recordType';
  if (open.length === 0) return kind === 'query' ? 'query' : 'block';
  const isAfterValue =
    !/^(?:[=(,:+*/<>-]|==|!=|<=|>=|=>|\?\?|\+\+|\{|\[)$/.test(previous) && !OPERATOR_WORDS.has(previous);
  return inner === 'block' && isAfterValue ? 'block' : 'record';
}

/** Whether the bracket at `index` opens a type: after an arrow or a key's colon, possibly inside other brackets of types. */
function isTypeAt(tokens: readonly Token[], index: number, open: readonly Bracket[]): boolean {
  let at = index - 1;
  while (tokens[at]?.text === '[') at -= 1;
  if (tokens[at]?.text === '->') return true;
  const role = open.findLast((bracket) => bracket.index <= at)?.role;
  return tokens[at]?.text === ':' && (role === 'parameters' || role === 'recordType' || role === 'fields');
}

const OPERATOR_WORDS = new Set('and or not return select value then in where by div mod'.split(' '));

/** The index of the `match` whose cases the brace opens; -1 if it opens something else. */
function matchOf(tokens: readonly Token[], brace: number): number {
  for (let at = brace - 1; at >= 0; at -= 1) {
    const text = tokens[at]?.text ?? '';
    if (text === 'match') return at;
    if (CLOSING.has(text) && tokens[at]?.kind === 'punctuation') at = openingOf(tokens, at);
    else if (OPENING.has(text) || text === '=>' || text === ',' || text === '=') return -1;
  }
  return -1;
}
