/** A place among the tokens of one text: looking, taking, reporting and recovering. What is parsed, others know. */

import type { Position, Span } from '../../base/span.js';
import type { CodeName } from '../codes/registry.js';
import { type Finding, type FindingDetails, suggestion } from '../finding.js';
import { RESERVED_WORDS, type Token, type Tokens } from '../lexer.js';

const NESTING_MAX = 256;

/** Thrown by `fail` and caught by `attempt`: unwinds to the nearest place that can go on. Never leaves the parser. */
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
  /** Reserved words that something was named by, which has been reported: where such a word is used, nothing more is wrong. */
  readonly misnamed = new Set<string>();
  private readonly tokens: readonly Token[];
  private readonly last: Token;
  private readonly docs: ReadonlyMap<number, string>;
  private readonly usedDocs = new Set<number>();
  /** A comment that is never closed takes the rest of the file, so that what is missing at its end is no mistake. */
  private readonly endsInComment: boolean;
  private depth: number;
  /** Where the last error was reported: a second one at the same token is a consequence of the first. */
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

  /** At this word, and it is not the key of what follows: a word before `:` never continues anything. */
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

  /** At what can only be the start of an item: one of the items' words, first on its line, before what may follow it. */
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
   * At the head of an item so surely that it can be nothing else. Words of items may be names as well; what is written
   * in front of `query leases(` is unfinished all the same, and the query is one.
   */
  atItemHead(): boolean {
    if (!this.atItemStart()) return false;
    const behind = this.peek(2);
    const isExtern = this.current.text === 'extern' && (this.peek(1).text === 'fn' || this.peek(1).text === 'type');
    return isExtern || this.current.text === 'test' || /^(?:[({]|::?|is)$/.test(behind.text);
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

  /** A misspelt word is reported and taken for the one that is meant. */
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
   * The closing bracket. Where something else stands, that is reported with the place of the opening one, and parsing
   * goes on behind the closing bracket, or at a block, statement or item if that comes first. `way` is the hint where another one
   * than to close it is meant.
   */
  close(open: Token, symbol: string, way?: string): void {
    if (this.accept(symbol)) return;
    this.reportUnclosed(open, symbol, way);
    this.losses += 1;
    this.skip(0, () => this.atWord('when') || (symbol === ')' && this.at('{')) || this.atStatementStart());
    this.accept(symbol);
  }

  /** As `close` does where something else stands, and goes on with that. */
  reportUnclosed(open: Token, symbol: string, way?: string): void {
    const notes = [{ message: `\`${open.text}\` is opened here`, span: this.tokenSpan(open) }];
    const hint = way ?? `Add \`${symbol}\`, or the comma or word missing before ${this.found()}.`;
    this.report('E0011', `expected \`${symbol}\`, found ${this.found()}`, this.tokenSpan(this.current), {
      hint,
      notes,
      remedies: [{ kind: 'insert', text: symbol }],
    });
  }

  /** The opening brace. Where only that is missing before the first key, it is reported and the rest is read. */
  openBrace(where: string): Token {
    const { current } = this;
    if (!this.atKey()) return this.expect('{', where);
    const message = `expected \`{\` ${where}, found ${this.found()}`;
    this.report('E0010', message, this.tokenSpan(current), { hint: `Write \`{\` ${where}.` });
    return current;
  }

  /** At the braces of a query or mutation, which begin with what is no key. */
  atBody(): boolean {
    const { kind, text } = this.peek(1);
    if (!this.at('{') || kind !== 'word' || this.peekIs(2, ':')) return false;
    return /^(?:select|value|require)$/.test(text) || STATEMENT_WORDS.has(text) || this.peekIs(2, '(');
  }

  /** The documentation before the current token, which is thereby attached to what starts here. */
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
    // What the lexer could not read, it has reported.
    if (isConsequence || this.current.kind === 'error') return;
    if (this.endsInComment && this.atEnd()) return;
    if (isUnclosed(this.current) || (this.index > 0 && isUnclosed(this.peek(-1)))) return;
    this.diagnostics.push({ code, severity: 'error', message, span, ...details });
  }

  /** A finding about something that is read all the same. */
  warn(code: CodeName, message: string, span: Span, details: FindingDetails): void {
    this.diagnostics.push({ code, severity: 'warning', message, span, ...details });
  }

  /** What is reported while this runs, which `diagnostics` then lacks. */
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

  /** Behind a `;`, which the lexer has reported and left out. */
  isBehindSemicolon(): boolean {
    return this.index > 0 && /^\s*;/.test(this.text.slice(this.peek(-1).end, this.current.start));
  }

  /** At an operator of another language, which the lexer has reported. */
  isForeign(): boolean {
    const { kind, text, start, end } = this.current;
    return kind === 'punctuation' && end - start !== text.length;
  }

  /** Goes on at the nearest recovery point, where what is wrong has been reported. */
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
   * What `parse` gives; where it fails, skips to the next token outside brackets at which `isSafe` says that parsing
   * can go on (a closing bracket or the start of an item always is), and gives `fallback` of the skipped span.
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

/** A text without its end takes what stands behind it on its line, so that what is missing there is no mistake. */
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
