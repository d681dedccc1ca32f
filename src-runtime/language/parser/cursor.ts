/** A cursor over the tokens of one text: lookahead, consuming, reporting and recovery. It knows no grammar. */

import type { Position, Span } from '../../base/span.js';
import type { CodeName } from '../codes/registry.js';
import { type Finding, type FindingDetails, suggestion } from '../finding.js';
import { FOREIGN_DIRECTIVES } from '../foreign-words.js';
import { RESERVED_WORDS, type Token, type Tokens } from '../lexer.js';

const NESTING_MAX = 256;

/** Thrown by `fail` and caught by `attempt`: unwinds to the nearest place that can continue. Never leaves the parser. */
class SyntaxStop extends Error {}
const stop = new SyntaxStop('the parser goes on at the nearest recovery point');

const OPENING = new Set(['(', '[', '{']);
const CLOSING = new Set([')', ']', '}']);
const ITEM_WORDS = new Set(
  'module use enum concept relation individual fact derive define check query mutation fn extern context test pub'.split(
    ' ',
  ),
);
const STATEMENT_WORDS = new Set('let insert set delete forget return for if'.split(' '));

export class Cursor {
  readonly file: string;
  readonly text: string;
  readonly diagnostics: Finding[] = [];
  index = 0;
  /** How often text was passed over, for a mistake, without being read. */
  losses = 0;
  /** Inside an expectation of a test, where `relation.endpoint(…)` names the firings of a built-in check. */
  inExpectation = false;
  /** Reserved words that were used as names, which has been reported. Their uses are not reported again. */
  readonly misnamed = new Set<string>();
  private readonly tokens: readonly Token[];
  private readonly last: Token;
  private readonly docs: ReadonlyMap<number, string>;
  private readonly usedDocs = new Set<number>();
  /** An unclosed comment extends to the end of the file, so anything missing there is not reported. */
  private readonly endsInComment: boolean;
  private depth: number;
  /** The token of the last error. A second error at the same token is a consequence of the first. */
  private lastErrorIndex = -1;

  constructor(file: string, text: string, tokens: Tokens, depth = 0) {
    this.file = file;
    this.text = text;
    this.tokens = tokens.tokens;
    this.last = tokens.tokens[tokens.tokens.length - 1] as Token;
    this.endsInComment = isUnclosedComment(tokens.comments.at(-1)?.text ?? '');
    this.docs = new Map(tokens.documentation.map((each) => [each.before, each.text]));
    this.depth = depth;
  }

  // Looking

  get current(): Token {
    return this.tokens[this.index] ?? this.last;
  }

  get nestingDepth(): number {
    return this.depth;
  }

  peek(distance: number): Token {
    return this.tokens[this.index + distance] ?? this.last;
  }

  atEnd(): boolean {
    return this.current.kind === 'end';
  }

  at(symbol: string): boolean {
    return this.current.kind === 'punctuation' && this.current.text === symbol;
  }

  peekIs(distance: number, symbol: string): boolean {
    const token = this.peek(distance);
    return token.kind === 'punctuation' && token.text === symbol;
  }

  /** At this keyword, and not at a key: a word before `:` never continues an expression. */
  atWord(word: string): boolean {
    return this.current.kind === 'word' && this.current.text === word && !this.peekIs(1, ':');
  }

  atKey(): boolean {
    return this.current.kind === 'word' && this.peekIs(1, ':');
  }

  /** At a word that can be the name of a variable or a declaration. */
  atName(): boolean {
    return this.current.kind === 'word' && this.current.text !== '_' && !RESERVED_WORDS.has(this.current.text);
  }

  isFirstOnLine(): boolean {
    return this.index === 0 || this.peek(-1).line < this.current.line;
  }

  /** At the start of an item: a keyword of items, first on its line, followed by something that can follow it. */
  atItemStart(): boolean {
    const { current } = this;
    if (current.kind !== 'word' || !ITEM_WORDS.has(current.text) || !this.isFirstOnLine()) return false;
    const next = this.peek(1);
    return current.text === 'test' ? next.kind === 'text' : next.kind === 'word' && next.line === current.line;
  }

  /** At a reserved word that begins a statement, first on its line. */
  atStatementStart(): boolean {
    return this.isFirstOnLine() && this.current.kind === 'word' && STATEMENT_WORDS.has(this.current.text);
  }

  /**
   * At the start of an item beyond doubt. Keywords of items are also names, but `query leases(` on a new line is always a query,
   * even if the item before it is unfinished.
   */
  atItemHead(): boolean {
    if (!this.atItemStart()) return false;
    const after = this.peek(2);
    const isExtern = this.current.text === 'extern' && (this.peek(1).text === 'fn' || this.peek(1).text === 'type');
    return isExtern || this.current.text === 'test' || /^(?:[({]|::?|is)$/.test(after.text);
  }

  /** At the `.` with which other rule languages end a declaration. */
  atFullStop(): boolean {
    if (!this.at('.')) return false;
    this.index += 1;
    const isBeforeItem = this.atEnd() || this.atItemStart() || (this.atWord('pub') && this.isFirstOnLine());
    this.index -= 1;
    return isBeforeItem;
  }

  /** At a directive of Soufflé, such as `.decl`, at the beginning of a line. */
  atDirective(): boolean {
    const isDirective = this.at('.') && this.current.column === 1 && FOREIGN_DIRECTIVES.has(this.peek(1).text);
    return isDirective && this.isFirstOnLine();
  }

  // Taking

  take(): Token {
    const token = this.current;
    if (token.kind !== 'end') this.index += 1;
    return token;
  }

  accept(symbol: string): boolean {
    if (!this.at(symbol)) return false;
    this.index += 1;
    return true;
  }

  acceptWord(word: string): boolean {
    if (!this.atWord(word)) return false;
    this.index += 1;
    return true;
  }

  expect(symbol: string, where: string, hint?: string): Token {
    return this.at(symbol) ? this.take() : this.failExpected(`\`${symbol}\` ${where}`, hint);
  }

  /** Reports a misspelt keyword and reads it as the right one. */
  expectWord(word: string, where: string, hint?: string): Token {
    if (this.atWord(word)) return this.take();
    const { current } = this;
    if (current.kind === 'word' && current.text === word && this.peekIs(1, ':')) {
      this.take();
      const span = this.tokenSpan(this.current);
      this.report('E0010', `unexpected \`:\` after \`${word}\``, span, { hint: 'Remove it.' });
      return this.take();
    }
    const meant = this.atName() ? suggestion(current.text, [word], '`') : undefined;
    if (meant === undefined) return this.failExpected(`\`${word}\` ${where}`, hint);
    const message = `expected \`${word}\` ${where}, found ${this.found()}`;
    this.report('E0010', message, this.tokenSpan(current), meant);
    return this.take();
  }

  /**
   * Consumes the closing bracket. Otherwise reports the opening one, and continues after the closing bracket, or at a block,
   * statement or item if that comes first. `hint` replaces the default hint.
   */
  close(open: Token, symbol: string, hint?: string): void {
    if (this.accept(symbol)) return;
    this.reportUnclosed(open, symbol, hint);
    this.losses += 1;
    this.skip(0, () => this.atWord('when') || (symbol === ')' && this.at('{')) || this.atStatementStart());
    this.accept(symbol);
  }

  /** Reports an unclosed bracket without skipping anything. */
  reportUnclosed(
    open: Token,
    symbol: string,
    hint = `Add \`${symbol}\`, or the comma or word missing before ${this.found()}.`,
  ): void {
    const notes = [{ message: `\`${open.text}\` is opened here`, span: this.tokenSpan(open) }];
    this.report('E0011', `expected \`${symbol}\`, found ${this.found()}`, this.tokenSpan(this.current), {
      hint,
      notes,
      remedies: [{ kind: 'insert', text: symbol }],
    });
  }

  /** Consumes the opening brace. Reports it if only the brace is missing before the first key, and continues. */
  openBrace(where: string): Token {
    const { current } = this;
    if (!this.atKey()) return this.expect('{', where);
    const message = `expected \`{\` ${where}, found ${this.found()}`;
    this.report('E0010', message, this.tokenSpan(current), { hint: `Write \`{\` ${where}.` });
    return current;
  }

  /** At the braces of a query or mutation, which do not start with a key. */
  atBody(): boolean {
    const { kind, text } = this.peek(1);
    if (!this.at('{') || kind !== 'word' || this.peekIs(2, ':')) return false;
    return /^(?:select|value|require)$/.test(text) || STATEMENT_WORDS.has(text) || this.peekIs(2, '(');
  }

  /** Attaches the doc comment before the current token to the item or part that starts here. */
  takeDoc(): string | null {
    this.usedDocs.add(this.index);
    return this.docs.get(this.index) ?? null;
  }

  isDocUsed(index: number): boolean {
    return this.usedDocs.has(index);
  }

  // Spans

  tokenSpan(token: Token): Span {
    return { file: this.file, start: startOf(token), end: endOf(token) };
  }

  /** From the token at `index` to the last one taken. */
  spanFrom(index: number): Span {
    const first = this.tokens[index] ?? this.last;
    if (this.index <= index) return { file: this.file, start: startOf(first), end: startOf(first) };
    return { file: this.file, start: startOf(first), end: endOf(this.peek(-1)) };
  }

  /** The empty place before the current token. */
  emptySpan(): Span {
    return this.spanFrom(this.index);
  }

  // Reporting

  found(): string {
    const { current } = this;
    if (current.kind === 'end') return 'the end of the file';
    const shown = current.text.length > 40 ? `${current.text.slice(0, 40)}…` : current.text;
    return current.kind === 'text' ? `the text ${shown}` : `\`${shown}\``;
  }

  report(code: CodeName, message: string, span: Span, details: FindingDetails): void {
    const isConsequence = this.lastErrorIndex === this.index;
    this.lastErrorIndex = this.index;
    // The lexer has reported this token.
    if (isConsequence || this.current.kind === 'error') return;
    if (this.endsInComment && this.atEnd()) return;
    if (isUnclosed(this.current) || (this.index > 0 && isUnclosed(this.peek(-1)))) return;
    this.diagnostics.push({ code, severity: 'error', message, span, ...details });
  }

  /** A finding about something that is read all the same. */
  warn(code: CodeName, message: string, span: Span, details: FindingDetails): void {
    this.diagnostics.push({ code, severity: 'warning', message, span, ...details });
  }

  /** Removes and returns the findings reported while `run` runs. */
  diagnosticsOf(run: () => void): Finding[] {
    const before = this.diagnostics.length;
    run();
    return this.diagnostics.splice(before);
  }

  fail(code: CodeName, message: string, details: FindingDetails, span = this.tokenSpan(this.current)): never {
    this.report(code, message, span, details);
    throw stop;
  }

  failExpected(expected: string, hint?: string): never {
    return this.fail('E0010', `expected ${expected}, found ${this.found()}`, { hint: hint ?? `Write ${expected}.` });
  }

  /** After a `;`, which the lexer has reported and dropped. */
  isAfterSemicolon(): boolean {
    return this.index > 0 && /^\s*;/.test(this.text.slice(this.peek(-1).end, this.current.start));
  }

  /** At an operator of another language, which the lexer has reported. */
  isForeign(): boolean {
    const { kind, text, start, end } = this.current;
    return kind === 'punctuation' && end - start !== text.length;
  }

  /** Continues at the nearest recovery point, without reporting. */
  giveUp(): never {
    throw stop;
  }

  // Recovering

  /** To the next item. */
  skipToItem(): void {
    this.skip(Number.POSITIVE_INFINITY, () => false);
  }

  /** Runs `parse` one level deeper; too deep a nesting is an error. */
  nested<T>(parse: () => T): T {
    if (this.depth >= NESTING_MAX) {
      const hint = 'Split it: name parts of it with `let`, a helper derive or a function.';
      this.fail('E0020', `nested more than ${NESTING_MAX} deep`, { hint });
    }
    this.depth += 1;
    try {
      return parse();
    } finally {
      this.depth -= 1;
    }
  }

  /**
   * Runs `parse`. If it fails, skips to the next token outside brackets at which `isSafe`, or to a closing bracket or the start of
   * an item, and returns `fallback` for the skipped span.
   */
  attempt<T, F>(parse: () => T, fallback: (span: Span) => F, isSafe: () => boolean): T | F {
    const start = this.index;
    const { depth } = this;
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof SyntaxStop)) throw error;
      this.depth = depth;
      this.losses += 1;
      this.skip(this.openBrackets(start), isSafe);
      return fallback(this.spanFrom(start));
    }
  }

  private openBrackets(from: number): number {
    let open = 0;
    for (let index = from; index < this.index; index += 1) {
      const token = this.tokens[index] ?? this.last;
      if (token.kind !== 'punctuation') continue;
      if (OPENING.has(token.text)) open += 1;
      else if (CLOSING.has(token.text)) open = Math.max(0, open - 1);
    }
    return open;
  }

  private skip(openBrackets: number, isSafe: () => boolean): void {
    let open = openBrackets;
    while (!this.atEnd() && !this.atItemStart()) {
      const { text, kind } = this.current;
      const isClosing = kind === 'punctuation' && CLOSING.has(text);
      if (open === 0 && (isClosing || isSafe())) return;
      if (isClosing) open -= 1;
      else if (kind === 'punctuation' && OPENING.has(text)) open += 1;
      this.usedDocs.add(this.index);
      this.index += 1;
    }
  }
}

/** An unclosed text extends to the end of its line, so anything missing there is not reported. */
function isUnclosed(token: Token): boolean {
  return token.kind === 'text' && (token.text.length < 2 || !token.text.endsWith('"'));
}

function isUnclosedComment(text: string): boolean {
  return text.startsWith('/*') && (text.length < 4 || !text.endsWith('*/'));
}

function startOf(token: Token): Position {
  return { line: token.line, column: token.column, offset: token.start };
}

function endOf(token: Token): Position {
  return { line: token.line, column: token.column + (token.end - token.start), offset: token.end };
}
