/** Text to tokens. Keeps comments and documentation beside the tokens. Reports errors as diagnostics. */

import type { Position, Span } from '../base/span.js';
import type { CodeName } from './codes/registry.js';
import { escapedCharacter, escapeEnd, innerTextEnd, unescapeAll } from './escapes.js';
import type { Finding, Remedy } from './finding.js';

export type TokenKind = 'word' | 'int' | 'decimal' | 'text' | 'punctuation' | 'error' | 'end';

/** A token never spans lines. `end` is the token after the last one. */
export interface Token {
  readonly kind: TokenKind;
  /** The source text; for `text` with quotes and escapes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
}

/** Consecutive documentation lines, and the index of the token after them. */
export interface Documentation {
  readonly before: number;
  readonly text: string;
  readonly span: Span;
  /** It starts at the end of a line with code, other than an opening bracket. */
  readonly isTrailing: boolean;
}

/** A comment of any form, documentation lines included, and the index of the token that follows it. */
export interface Comment {
  readonly before: number;
  /** The source text, from the first slash to the last character. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly endLine: number;
}

export interface Tokens {
  readonly tokens: readonly Token[];
  readonly comments: readonly Comment[];
  readonly documentation: readonly Documentation[];
  readonly diagnostics: readonly Finding[];
}

export const RESERVED_WORDS: ReadonlySet<string> = new Set(
  'and context delete div else false for forget if in insert let match mod none not or pub return set then true when where'.split(
    ' ',
  ),
);

/** Operators of other languages, and the operator that each is read as. */
const FOREIGN_OPERATORS: ReadonlyMap<string, string> = new Map([
  ['&&', 'and'],
  ['||', 'or'],
  ['!', 'not'],
  ['%', 'mod'],
  ['<>', '!='],
  [':=', '='],
  ['===', '=='],
  ['!==', '!='],
  [';', ''],
]);
const FOREIGN_HINTS: ReadonlyMap<string, string> = new Map([
  [
    ';',
    'Remove it: no separator is needed. Conditions of a body are separated by commas, alternatives in parentheses by `or`.',
  ],
  ['&&', 'Write `and`. Conditions of a body are separated by commas.'],
  [':=', 'Write `let x = …` to name a value.'],
]);
const HINTS_OF_UNKNOWN: ReadonlyMap<string, string> = new Map([
  ['#', 'Comments start with `//`.'],
  ['|', 'Write `T?` for an optional type, `or` between values, or `bitOr(a, b)`.'],
  ['&', 'Write `and` between values, or `bitAnd(a, b)`.'],
  ['~', 'Write `matches(t, pattern)` to test a text, or `-x - 1` for the other bits.'],
  ['\\', 'Write `not` for negation.'],
  ['^', 'Write `pow(a, n)` for a power, or `bitXor(a, b)`.'],
]);
/** Closing quotes of word processors, by opening quote. */
const CURVED_QUOTES: ReadonlyMap<string, string> = new Map([
  ['“', '”“"'],
  ['”', '”"'],
  ['„', '“”"'],
  ['‘', '’‘'],
  ['’', '’'],
  ['«', '»'],
  ['»', '«'],
]);
const MERGE_MARKS = ['<<<<<<<', '|||||||', '=======', '>>>>>>>'];
const LONGEST_FIRST = [
  ...['===', '!=='],
  ...['::', '->', '=>', '==', '!=', '<=', '>=', '??', '++', '..', '&&', '||', '<>', ':='],
  ...['{', '}', '(', ')', '[', ']', ',', ':', '.', '?', '=', '<', '>', '+', '-', '*', '/', '@', '!', '%', ';'],
];
const PUNCTUATION_BY_FIRST = new Map<string, string[]>();
for (const symbol of LONGEST_FIRST) {
  const first = symbol.charAt(0);
  PUNCTUATION_BY_FIRST.set(first, [...(PUNCTUATION_BY_FIRST.get(first) ?? []), symbol]);
}

/**
 * Tokenizes `text` from `from` on. Never throws. Reports a malformed token and makes it an `error` token, about which the parser
 * reports nothing.
 */
export function tokenize(file: string, text: string, from?: Position): Tokens {
  return new Lexer(file, text, from ?? { line: 1, column: 1, offset: 0 }, text.length, false).run();
}

/** Tokenizes an expression between the braces of a message, up to `to`, with positions in the whole file. */
export function tokenizeInMessage(file: string, text: string, from: Position, to: number): Tokens {
  return new Lexer(file, text, from, to, true).run();
}

export function isWordStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isWordPart(code: number): boolean {
  return isWordStart(code) || isDigit(code);
}

class Lexer {
  private readonly file: string;
  private readonly text: string;
  private readonly to: number;
  private readonly isInMessage: boolean;
  private at: number;
  private line: number;
  /** The offset of column 1, which may be before the start of an embedded text. */
  private lineStart: number;
  /** Between the markers of a merge conflict. */
  private isInConflict = false;
  private readonly tokens: Token[] = [];
  private readonly comments: Comment[] = [];
  private readonly documentation: Documentation[] = [];
  private readonly diagnostics: Finding[] = [];

  constructor(file: string, text: string, from: Position, to: number, isInMessage: boolean) {
    this.file = file;
    this.text = text;
    this.to = to;
    this.isInMessage = isInMessage;
    this.at = from.offset;
    this.line = from.line;
    this.lineStart = from.offset - (from.column - 1);
    if (this.at === 0 && text.charCodeAt(0) === 0xfeff) this.at = 1;
  }

  run(): Tokens {
    while (this.at < this.to) this.next();
    this.push('end', this.to);
    const { tokens, comments, documentation, diagnostics } = this;
    return { tokens, comments, documentation, diagnostics };
  }

  private next(): void {
    const code = this.text.charCodeAt(this.at);
    if (code === 32 || code === 9) this.at += 1;
    else if (code === 10 || code === 13) this.newline(code);
    else if (isWordStart(code)) this.push('word', this.endOfWord(this.at));
    else if (isDigit(code)) this.number();
    else if (code === 34) this.literal();
    else if (code === 92 && this.isInMessage && this.text.charCodeAt(this.at + 1) === 34) this.innerLiteral();
    else if (code === 39 || code === 96) this.quoted(this.text.charAt(this.at));
    else if (code > 127 && CURVED_QUOTES.has(this.text.charAt(this.at))) {
      this.quoted(CURVED_QUOTES.get(this.text.charAt(this.at)) ?? '');
    } else if (this.atMergeMark()) this.mergeMark();
    else if (code === 47 && this.text.charCodeAt(this.at + 1) === 47) this.lineComment();
    else if (code === 47 && this.text.charCodeAt(this.at + 1) === 42) this.blockComment();
    else this.punctuation();
  }

  private newline(code: number): void {
    this.at += code === 13 && this.text.charCodeAt(this.at + 1) === 10 ? 2 : 1;
    this.line += 1;
    this.lineStart = this.at;
  }

  /** Advances to an offset, counting line ends. */
  private passOver(end: number): void {
    while (this.at < end) {
      const code = this.text.charCodeAt(this.at);
      if (isLineEnd(code)) this.newline(code);
      else this.at += 1;
    }
  }

  private endOfWord(from: number): number {
    let at = from;
    while (at < this.to && isWordPart(this.text.charCodeAt(at))) at += 1;
    return at;
  }

  private number(): void {
    const start = this.at;
    let at = this.digits(start);
    let kind: 'int' | 'decimal' = 'int';
    let problem: string | undefined;
    if (this.text.charAt(at) === '.' && at < this.to && this.text.charAt(at + 1) !== '.') {
      if (isDigit(this.text.charCodeAt(at + 1))) {
        kind = 'decimal';
        at = this.digits(at + 1);
      } else if (!isWordStart(this.text.charCodeAt(at + 1))) {
        kind = 'decimal';
        at += 1;
        problem = `Write \`${this.text.slice(start, at)}0\`: digits on both sides of the point.`;
      }
    }
    const end = this.endOfWord(at);
    if (end > at) problem = 'Write plain digits, without exponent, separator or unit. Put a space before a word.';
    if (problem !== undefined) {
      this.report('E0005', `\`${this.text.slice(start, end)}\` is not a number`, start, end, problem);
    }
    this.push(kind, end);
  }

  private digits(from: number): number {
    let at = from;
    while (at < this.to && isDigit(this.text.charCodeAt(at))) at += 1;
    return at;
  }

  private literal(): void {
    const start = this.at;
    let at = start + 1;
    while (at < this.to) {
      const code = this.text.charCodeAt(at);
      if (code === 34) {
        this.push('text', at + 1);
        return;
      }
      if (code === 10 || code === 13) break;
      if (code === 92 && at + 1 < this.to && !isLineEnd(this.text.charCodeAt(at + 1))) at = this.escape(at);
      else at += 1;
    }
    this.report(
      'E0002',
      'the text is not closed on this line',
      start,
      at,
      'Add `"` at the end. Write `\\n` for a line break.',
    );
    this.push('text', at);
    this.passOver(endOverLines(this.text, at, this.to) ?? at);
  }

  /** A text between the braces of a message. Its quotes are escaped. */
  private innerLiteral(): void {
    const start = this.at;
    const end = innerTextEnd(this.text, start, this.to);
    const contentEnd = end === undefined ? this.to : end - 2;
    if (end === undefined) {
      this.report('E0002', 'the text in the braces is not closed', start, this.to, 'Add `\\"` at the end.');
    }
    this.push('text', end ?? this.to, `"${unescapeAll(this.text.slice(start + 2, contentEnd))}"`);
  }

  /** Reports a text in the quotes of another language and reads it as a text, if it ends on its line. */
  private quoted(closing: string): void {
    const start = this.at;
    const isClosing = (at: number): boolean => closing.includes(this.text.charAt(at));
    let end = start + 1;
    while (end < this.to && !isClosing(end) && !isLineEnd(this.text.charCodeAt(end))) end += 1;
    if (end >= this.to || !isClosing(end)) {
      this.unknown();
      return;
    }
    const text = `"${this.text.slice(start + 1, end).replaceAll('"', '\\"')}"`;
    this.report('E0009', 'texts use straight double quotes', start, end + 1, `Write \`${text}\`.`);
    this.push('text', end + 1, text);
  }

  /** Checks the escape at `at` and returns the offset after it. */
  private escape(at: number): number {
    const end = escapeEnd(this.text, at);
    if (escapedCharacter(this.text.slice(at, end)) === undefined) {
      const hint = 'The escapes are `\\n`, `\\t`, `\\"`, `\\\\` and `\\u{…}`. Write `\\\\` for a backslash.';
      this.report('E0003', `\`${this.text.slice(at, end)}\` is not an escape`, at, end, hint);
    }
    return end;
  }

  private lineComment(): void {
    const start = this.at;
    let end = start;
    while (end < this.to && !isLineEnd(this.text.charCodeAt(end))) end += 1;
    if (this.text.charAt(start + 2) === '/' && this.text.charAt(start + 3) !== '/') this.document(start, end);
    this.at = end;
    this.keepComment(start, this.line);
  }

  private document(start: number, end: number): void {
    const text = this.text
      .slice(start + 3, end)
      .replace(/^ /, '')
      .trimEnd();
    const span = this.span(start, end);
    const last = this.documentation.at(-1);
    if (last !== undefined && last.before === this.tokens.length) {
      const joined = { start: last.span.start, end: span.end, file: this.file };
      this.documentation[this.documentation.length - 1] = { ...last, text: `${last.text}\n${text}`, span: joined };
      return;
    }
    const before = this.tokens.at(-1);
    const isTrailing = before !== undefined && before.line === this.line && !'([{'.includes(before.text);
    this.documentation.push({ before: this.tokens.length, text, span, isTrailing });
  }

  /** The comment that has just been read. */
  private keepComment(start: number, line: number): void {
    const { at: end, line: endLine } = this;
    this.comments.push({ before: this.tokens.length, text: this.text.slice(start, end), start, end, line, endLine });
  }

  private blockComment(): void {
    const [start, line] = [this.at, this.line];
    const found = this.text.indexOf('*/', this.at + 2);
    const end = found < 0 || found + 2 > this.to ? this.to : found + 2;
    if (end === this.to && (found < 0 || found + 2 > this.to)) {
      this.report('E0004', 'the comment is never closed', this.at, this.at + 2, 'Add `*/` where it ends.');
    }
    this.passOver(end);
    this.keepComment(start, line);
  }

  private punctuation(): void {
    const symbols = PUNCTUATION_BY_FIRST.get(this.text.charAt(this.at));
    const symbol = symbols?.find((each) => this.text.startsWith(each, this.at) && this.at + each.length <= this.to);
    if (symbol === undefined) this.unknown();
    else if (FOREIGN_OPERATORS.has(symbol)) this.foreign(symbol, FOREIGN_OPERATORS.get(symbol) ?? '');
    else this.push('punctuation', this.at + symbol.length);
  }

  /** Reports an operator of another language and reads it as ours, so that parsing continues. */
  private foreign(symbol: string, meant: string): void {
    const end = this.at + symbol.length;
    const hint = FOREIGN_HINTS.get(symbol) ?? `Write \`${meant}\`.`;
    // `:=` alone would still not name a value.
    const remedies = symbol === ':=' ? [] : [{ kind: 'operator', text: meant } as const];
    this.report('E0008', `\`${symbol}\` is not an operator`, this.at, end, hint, remedies);
    if (meant !== '') this.push(isWordStart(meant.charCodeAt(0)) ? 'word' : 'punctuation', end, meant);
    this.at = end;
  }

  private atMergeMark(): boolean {
    if (this.at !== this.lineStart) return false;
    return MERGE_MARKS.some(
      (mark) => this.text.startsWith(mark, this.at) && !this.text.startsWith(mark.charAt(0), this.at + 7),
    );
  }

  /** A merge conflict: reports its first marker, and reads both sides. */
  private mergeMark(): void {
    const start = this.at;
    const mark = this.text.charAt(start);
    const isFirst = mark === '<' || !this.isInConflict;
    this.isInConflict = mark !== '>';
    if (isFirst) {
      const hint = `Keep one of the two sides, and remove the lines that start with ${MERGE_MARKS.map((mark) => `\`${mark}\``).join(', ')}.`;
      this.report('E0008', 'unresolved merge conflict', start, start + 7, hint);
    }
    while (this.at < this.to && !isLineEnd(this.text.charCodeAt(this.at))) this.at += 1;
  }

  private unknown(): void {
    const start = this.at;
    let end = start;
    while (end < this.to && this.isUnknown(end)) end += 1;
    end = Math.max(end, start + 1);
    // What `#` begins is a comment elsewhere.
    const isComment = this.text.charAt(start) === '#';
    while (isComment && end < this.to && !isLineEnd(this.text.charCodeAt(end))) end += 1;
    const found = this.text.slice(start, end);
    const isUnseen = /^[\s\p{Cf}\p{Cc}]*$/u.test(found);
    const shown = isUnseen ? `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}` : found.trim();
    const hint = isUnseen
      ? 'This character is invisible: remove it, or replace it with a space.'
      : (HINTS_OF_UNKNOWN.get(shown.charAt(0)) ??
        'Names use the letters a to z and A to Z, digits and `_`. Other characters are only allowed in texts.');
    this.report('E0001', `unexpected character \`${shown.slice(0, 20)}\``, start, end, hint);
    if (isComment || isUnseen) this.at = end;
    else this.push('error', end);
  }

  private isUnknown(at: number): boolean {
    const code = this.text.charCodeAt(at);
    const isBlank = code === 32 || code === 9 || isLineEnd(code);
    return !isBlank && code !== 34 && !isWordPart(code) && !PUNCTUATION_BY_FIRST.has(this.text.charAt(at));
  }

  private push(kind: TokenKind, end: number, text: string = this.text.slice(this.at, end)): void {
    const column = this.at - this.lineStart + 1;
    this.tokens.push({ kind, text, start: this.at, end, line: this.line, column });
    this.at = end;
  }

  private span(start: number, end: number): Span {
    const { file, line, lineStart } = this;
    return {
      file,
      start: { line, column: start - lineStart + 1, offset: start },
      end: { line, column: end - lineStart + 1, offset: end },
    };
  }

  private report(
    code: CodeName,
    message: string,
    start: number,
    end: number,
    hint: string,
    remedies: readonly Remedy[] = [],
  ): void {
    const span = this.span(start, end);
    this.diagnostics.push({ code, severity: 'error', message, span, hint, ...(remedies.length > 0 && { remedies }) });
  }
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13;
}

/** Most lines of an unclosed text. A quote further down more likely opens another text. */
const TEXT_LINES = 8;

/** The end of an unclosed text that spans lines: after the quote of the first line with quotes, if those are not pairs. */
function endOverLines(text: string, from: number, to: number): number | undefined {
  const quote = text.indexOf('"', from);
  if (quote < 0 || quote >= to || text.slice(from, quote).split('\n').length > TEXT_LINES) return undefined;
  const lineEnd = text.slice(quote, to).search(/[\r\n]/);
  const line = text.slice(quote, lineEnd < 0 ? to : quote + lineEnd);
  const quotes = line.replace(/\\./g, '').split('"').length - 1;
  return quotes % 2 === 1 ? quote + 1 : undefined;
}
