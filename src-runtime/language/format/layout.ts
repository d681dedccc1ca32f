/**
 * The layout of a text's tokens, collected by a walk over the tree: which line breaks occur together, and which tokens have no space
 * between them.
 */

import type { Span } from '../../base/span.js';
import type { Comment, Token, Tokens } from '../lexer.js';

const STEP = 2;
/** Columns of the longest line that something is laid out on. */
export const WIDTH = 120;

/** Tokens that are on one line if they fit, and otherwise break at all of their breaks. */
export interface Group {
  /** Index of the first token, and of the one after the last. */
  readonly from: number;
  readonly to: number;
  /** The indentation of its parts relative to the line on which it begins. */
  readonly step: number;
  /** It is never on one line. */
  readonly forced: boolean;
}

interface Break {
  readonly group: Group;
  /** A closing bracket has the indentation of the line that opens it, everything else one step more. */
  readonly isClosing: boolean;
}

interface GroupOptions {
  readonly step?: number;
  readonly forced?: boolean;
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

export class Layout {
  readonly tokens: readonly Token[];
  /** Groups by their first token, the widest first once `sorted`. */
  private readonly groups = new Map<number, Group[]>();
  private readonly breaks = new Map<number, Break>();
  private readonly items = new Set<number>();
  private readonly glued = new Set<number>();
  private readonly comments = new Map<number, Comment[]>();
  private readonly byStart = new Map<number, number>();
  private readonly byEnd = new Map<number, number>();
  /** The opening bracket by the closing one, and the other way round. */
  private readonly partners = new Map<number, number>();

  constructor({ tokens, comments }: Tokens) {
    this.tokens = tokens;
    tokens.forEach((token, index) => {
      this.byStart.set(token.start, index);
      if (token.kind !== 'end') this.byEnd.set(token.end, index);
    });
    for (const comment of comments) {
      const together = this.comments.get(comment.before);
      if (together === undefined) this.comments.set(comment.before, [comment]);
      else together.push(comment);
    }
    this.matchBrackets();
  }

  private matchBrackets(): void {
    const open: number[] = [];
    this.tokens.forEach(({ kind, text }, index) => {
      if (kind !== 'punctuation') return;
      if (text === '(' || text === '[' || text === '{') open.push(index);
      const partner = CLOSING.has(text) ? open.pop() : undefined;
      if (partner === undefined) return;
      this.partners.set(partner, index);
      this.partners.set(index, partner);
      if (text !== '}') this.list(partner);
    });
  }

  // Finding tokens

  startOf(span: Span): number {
    return this.byStart.get(span.start.offset) ?? this.tokens.length - 1;
  }

  /** Index of the last token of the node with this span. */
  endOf(span: Span): number {
    return this.byEnd.get(span.end.offset) ?? this.tokens.length - 1;
  }

  /** The opening bracket of a node that ends with a closing bracket. */
  openOf(span: Span): number {
    return this.partners.get(this.endOf(span)) ?? this.startOf(span);
  }

  /** The first of the parentheses around an expression that follows a word or an operator, or else its first token. */
  outerStartOf(span: Span): number {
    let index = this.startOf(span);
    while (this.textAt(index - 1) === '(') index -= 1;
    return index;
  }

  isFirstOnLine(index: number): boolean {
    const before = this.tokens[index - 1];
    return before === undefined || before.line < (this.tokens[index]?.line ?? 0);
  }

  textAt(index: number): string {
    return this.tokens[index]?.text ?? '';
  }

  commentsBefore(index: number): readonly Comment[] {
    return this.comments.get(index) ?? [];
  }

  // Saying how it is laid out

  group(from: number, to: number, breaks: readonly number[], options: GroupOptions = {}): Group {
    const { step = STEP, forced = false } = options;
    const group = { from, to, step, forced };
    this.groups.set(from, [...(this.groups.get(from) ?? []), group]);
    for (const at of breaks) this.breaks.set(at, { group, isClosing: false });
    return group;
  }

  /** A bracket with elements separated by commas; `starts` are the elements that can follow without a comma. */
  list(open: number, starts: readonly number[] = [], forced = false): void {
    const close = this.partners.get(open);
    if (close === undefined || close === open + 1) {
      this.empty(open);
      return;
    }
    const breaks = [open + 1, ...starts];
    for (let index = open + 1; index < close; index += 1) {
      const partner = this.partners.get(index);
      if (partner !== undefined) index = partner;
      else if (this.textAt(index) === '..') return;
      else if (this.textAt(index) === ',' && index + 1 < close) breaks.push(index + 1);
    }
    this.bracket(open, close, breaks, forced);
  }

  /** Braces whose contents begin at `starts`, without commas between them. */
  block(open: number, starts: readonly number[], forced: boolean): void {
    const close = this.partners.get(open);
    if (close === undefined || close === open + 1) this.empty(open);
    else this.bracket(open, close, starts, forced);
  }

  /** Whether the author started a new line after this opening bracket, which is then preserved. */
  isOpened(open: number): boolean {
    return this.isFirstOnLine(open + 1);
  }

  private bracket(open: number, close: number, breaks: readonly number[], forced: boolean): void {
    const group = this.group(open, close + 1, breaks, { forced });
    this.breaks.set(close, { group, isClosing: true });
  }

  /** Only a comment can break an empty group. */
  private empty(open: number): void {
    const close = this.partners.get(open);
    if (close === undefined) return;
    this.glue(close);
    if (this.commentsBefore(close).length > 0) this.bracket(open, close, [], false);
  }

  item(index: number): void {
    this.items.add(index);
  }

  /** No space before this token. */
  glue(index: number): void {
    this.glued.add(index);
  }

  // Asking

  isItem(index: number): boolean {
    return this.items.has(index);
  }

  isGlued(index: number): boolean {
    return this.glued.has(index);
  }

  breakAt(index: number): Break | undefined {
    return this.breaks.get(index);
  }

  /** The groups that start here, outer ones first. */
  groupsFrom(index: number): readonly Group[] {
    const found = this.groups.get(index);
    return found === undefined ? [] : found.sort((a, b) => b.to - a.to);
  }
}
