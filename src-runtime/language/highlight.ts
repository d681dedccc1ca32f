/** Syntax highlighting: the kind of each range of text, line by line, also of unfinished text. */

import { isDigit, isWordPart, isWordStart, RESERVED_WORDS } from './lexer.js';

export type HighlightKind =
  | 'keyword'
  | 'contextual'
  | 'type'
  | 'name'
  | 'function'
  | 'property'
  | 'individual'
  | 'number'
  | 'text'
  | 'constant'
  | 'comment'
  | 'documentation'
  | 'operator'
  | 'punctuation'
  | 'invalid';

/** State carried from one line to the next. */
export interface HighlightState {
  inBlockComment: boolean;
}

export interface HighlightedRange {
  readonly kind: HighlightKind;
  readonly start: number;
  readonly end: number;
}

const CONSTANTS = new Set(['true', 'false', 'none']);
const CONTEXTUAL = new Set(
  (
    'module use enum concept is relation individual fact derive define check query mutation fn extern type test ' +
    'unique via severity blocking warning message select value order by asc desc limit least greatest require expect error from date datetime'
  ).split(' '),
);

export function highlightState(): HighlightState {
  return { inBlockComment: false };
}

/**
 * The next range of `line` from `from` on; white space has no kind. Updates `state`. `end` is always after `from`, except at the end
 * of the line.
 */
export function highlightNext(
  line: string,
  from: number,
  state: HighlightState,
): { readonly kind: HighlightKind | null; readonly end: number } {
  if (state.inBlockComment) return blockComment(line, from, from, state);
  const code = line.charCodeAt(from);
  if (code === 32 || code === 9) return { kind: null, end: endWhere(line, from, (each) => each === 32 || each === 9) };
  if (line.startsWith('//', from)) {
    const isDocumentation = line.startsWith('///', from) && line.charAt(from + 3) !== '/';
    return { kind: isDocumentation ? 'documentation' : 'comment', end: line.length };
  }
  if (line.startsWith('/*', from)) return blockComment(line, from, from + 2, state);
  if (code === 34) return { kind: 'text', end: textEnd(line, from) };
  if (isDigit(code)) return { kind: 'number', end: numberEnd(line, from) };
  if (code === 64)
    return { kind: 'individual', end: endWhere(line, from + 1, (each) => isWordPart(each) || each === 58) };
  if (isWordStart(code)) return word(line, from);
  return symbol(line, from);
}

/** Every stretch of the whole text that has a kind, in order. */
export function tokenKinds(text: string): HighlightedRange[] {
  const ranges: HighlightedRange[] = [];
  const state = highlightState();
  let lineStart = 0;
  for (const line of text.split('\n')) {
    let at = 0;
    while (at < line.length) {
      const { kind, end } = highlightNext(line, at, state);
      if (kind !== null) ranges.push({ kind, start: lineStart + at, end: lineStart + end });
      at = Math.max(end, at + 1);
    }
    lineStart += line.length + 1;
  }
  return ranges;
}

function blockComment(line: string, from: number, search: number, state: HighlightState) {
  const close = line.indexOf('*/', search);
  state.inBlockComment = close < 0;
  return { kind: 'comment' as const, end: close < 0 ? Math.max(line.length, from) : close + 2 };
}

function word(line: string, from: number): { readonly kind: HighlightKind; readonly end: number } {
  const end = endWhere(line, from, isWordPart);
  const text = line.slice(from, end);
  const behind = line.slice(end).trimStart();
  const before = line.slice(0, from).trimEnd();
  const isKey = behind.startsWith(':') && !behind.startsWith('::');
  const isField = before.endsWith('.') && !before.endsWith('..');
  if (isKey || isField) return { kind: 'property', end };
  if (CONSTANTS.has(text)) return { kind: 'constant', end };
  if (RESERVED_WORDS.has(text)) return { kind: 'keyword', end };
  if (behind.startsWith('(')) return { kind: isUpper(text) ? 'type' : 'function', end };
  if (CONTEXTUAL.has(text) && (behind === '' || /^[A-Za-z_0-9"{[(@-]/.test(behind))) return { kind: 'contextual', end };
  return { kind: isUpper(text) ? 'type' : 'name', end };
}

function symbol(line: string, from: number): { readonly kind: HighlightKind; readonly end: number } {
  const two = line.slice(from, from + 2);
  if (['->', '=>', '==', '!=', '<=', '>=', '??', '++', '..'].includes(two)) return { kind: 'operator', end: from + 2 };
  if (two === '::') return { kind: 'punctuation', end: from + 2 };
  const one = line.charAt(from);
  if ('=<>+-*/?'.includes(one)) return { kind: 'operator', end: from + 1 };
  return { kind: '{}()[],:.'.includes(one) ? 'punctuation' : 'invalid', end: from + 1 };
}

function textEnd(line: string, from: number): number {
  let at = from + 1;
  while (at < line.length && line.charCodeAt(at) !== 34) at += line.charCodeAt(at) === 92 ? 2 : 1;
  return Math.min(at + 1, line.length);
}

function numberEnd(line: string, from: number): number {
  const end = endWhere(line, from, isDigit);
  const hasFraction = line.charAt(end) === '.' && isDigit(line.charCodeAt(end + 1));
  return hasFraction ? endWhere(line, end + 1, isDigit) : end;
}

function endWhere(line: string, from: number, holds: (code: number) => boolean): number {
  let at = from;
  while (at < line.length && holds(line.charCodeAt(at))) at += 1;
  return at;
}

function isUpper(text: string): boolean {
  return text.charCodeAt(0) >= 65 && text.charCodeAt(0) <= 90;
}
