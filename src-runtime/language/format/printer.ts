/** Prints tokens and comments, with the line breaks of the layout. */

import type { Comment } from '../lexer.js';
import { type Group, type Layout, WIDTH } from './layout.js';

/** A group that is being printed. */
interface OpenGroup {
  readonly group: Group;
  readonly broken: boolean;
  /** Of the line on which it began. */
  readonly indent: number;
}

/** The white space before a token. */
interface Gap {
  /** The layout begins a line here. */
  readonly breaks: boolean;
  readonly isClosing: boolean;
  readonly keepsBlank: boolean;
  readonly isAfterOpening: boolean;
  readonly indent: number;
  readonly commentIndent: number;
}

/** The indentation of the lines that continue an item outside all groups. */
const CONTINUATION = 2;

export class Printer {
  private readonly layout: Layout;
  private readonly open: OpenGroup[] = [];
  private readonly pieces: string[] = [];
  private column = 0;
  private indent = 0;

  constructor(layout: Layout) {
    this.layout = layout;
  }

  print(): string {
    this.layout.tokens.forEach((token, index) => {
      while ((this.open.at(-1)?.group.to ?? Number.POSITIVE_INFINITY) <= index) this.open.pop();
      const comments = this.layout.commentsBefore(index);
      if (comments.length > 0) this.commented(index, comments);
      else if (token.kind !== 'end') this.plain(index);
      for (const group of this.layout.groupsFrom(index)) {
        this.open.push({ group, broken: !this.fits(group), indent: this.indent });
      }
      if (token.kind !== 'end') this.write(token.text);
    });
    return `${this.pieces.join('')}\n`;
  }

  // The text between two tokens

  private plain(index: number): void {
    const gap = this.gapAt(index);
    if (gap.breaks && index > 0) this.newline(gap.indent, this.hasBlank(gap, this.lineBefore(index), index));
    else this.write(spaceBetween(this.layout, index));
  }

  private commented(index: number, comments: readonly Comment[]): void {
    const gap = this.gapAt(index);
    const token = this.layout.tokens[index];
    const line = token?.line ?? 0;
    let endLine = this.lineBefore(index);
    let end = this.layout.tokens[index - 1]?.end ?? 0;
    // A comment on the line of both tokens belongs to the second, and goes with it to a new line.
    const isInline = index > 0 && endLine === line;
    let isFresh = isInline && gap.breaks;
    if (isFresh) this.newline(gap.commentIndent, false);
    comments.forEach((comment, nth) => {
      const begins = comment.line > endLine;
      const allowsBlank = gap.keepsBlank && !(nth === 0 && gap.isAfterOpening);
      if (begins && this.pieces.length > 0) {
        this.newline(gap.commentIndent, allowsBlank && comment.line > endLine + 1);
      } else if (this.column > this.indent) this.write(' '.repeat(gapWidth(comment, end)));
      isFresh ||= begins;
      this.write(comment.text.startsWith('//') ? comment.text.trimEnd() : comment.text);
      [endLine, end] = [comment.endLine, comment.end];
    });
    if (token?.kind === 'end') return;
    const last = comments.at(-1);
    const isBelow = line > endLine && (isFresh || gap.breaks);
    if (last?.text.startsWith('//') === true || isBelow || (gap.breaks && !isFresh)) {
      this.newline(gap.indent, gap.keepsBlank && !gap.isClosing && line > endLine + 1);
    } else this.write(' ');
  }

  private gapAt(index: number): Gap {
    const { layout } = this;
    if (layout.isItem(index) || layout.tokens[index]?.kind === 'end') {
      const indents = { indent: 0, commentIndent: 0 };
      return { breaks: true, isClosing: false, keepsBlank: true, isAfterOpening: false, ...indents };
    }
    const found = layout.breakAt(index);
    const owner = found === undefined ? this.open.at(-1) : this.open.find((each) => each.group === found.group);
    const outer = owner?.indent ?? 0;
    const inner = outer + (owner?.group.step ?? CONTINUATION);
    const isClosing = found?.isClosing === true;
    return {
      breaks: found !== undefined && owner?.broken === true,
      isClosing,
      keepsBlank: owner !== undefined && layout.textAt(owner.group.from) === '{',
      isAfterOpening: owner?.group.from === index - 1,
      indent: isClosing ? outer : inner,
      commentIndent: inner,
    };
  }

  private hasBlank(gap: Gap, lineBefore: number, index: number): boolean {
    const line = this.layout.tokens[index]?.line ?? 0;
    return gap.keepsBlank && !gap.isClosing && !gap.isAfterOpening && line > lineBefore + 1;
  }

  /** The line of the token before; 0 before the first. */
  private lineBefore(index: number): number {
    return this.layout.tokens[index - 1]?.line ?? 0;
  }

  // What fits

  /** Whether the group, and the tokens after it up to the next break, fit on the rest of this line. */
  private fits(group: Group): boolean {
    const { layout } = this;
    if (group.forced) return false;
    let column = this.column;
    for (let index = group.from; index < layout.tokens.length; index += 1) {
      const isInside = index < group.to;
      if (index > group.from) {
        if (this.forcesLine(index)) return !isInside;
        if (!isInside && this.mayBreak(index)) return true;
        column += this.flatGap(index);
      }
      if (isInside && layout.groupsFrom(index).some((each) => each.forced && each.to <= group.to)) return false;
      column += layout.textAt(index).length;
      if (column > WIDTH) return false;
    }
    return true;
  }

  private forcesLine(index: number): boolean {
    if (this.layout.isItem(index) || this.layout.tokens[index]?.kind === 'end') return true;
    let line = this.lineBefore(index);
    return this.layout.commentsBefore(index).some((comment) => {
      const begins = comment.line > line || comment.endLine > comment.line || comment.text.startsWith('//');
      line = comment.endLine;
      return begins;
    });
  }

  /** A break of a group that is broken, or that has not begun and can still be. */
  private mayBreak(index: number): boolean {
    const found = this.layout.breakAt(index);
    if (found === undefined) return false;
    return this.open.find((each) => each.group === found.group)?.broken ?? true;
  }

  private flatGap(index: number): number {
    const comments = this.layout.commentsBefore(index);
    if (comments.length === 0) return spaceBetween(this.layout, index).length;
    return comments.reduce((sum, comment) => sum + comment.text.length + 1, 1);
  }

  // Writing

  private write(text: string): void {
    this.pieces.push(text);
    const lineEnd = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
    this.column = lineEnd < 0 ? this.column + text.length : text.length - lineEnd - 1;
  }

  private newline(indent: number, blank: boolean): void {
    this.pieces.push(blank ? '\n\n' : '\n', ' '.repeat(indent));
    [this.column, this.indent] = [indent, indent];
  }
}

/** A comment after code keeps the author's distance, which may align it with others; a comment within code has one space. */
function gapWidth(comment: Comment, end: number): number {
  return comment.text.startsWith('//') ? Math.max(1, comment.start - end) : 1;
}

const TOUCHES_BEFORE = new Set([',', ')', ']', '.', '..', '::', ':', '?']);
const TOUCHES_AFTER = new Set(['(', '[', '.', '..', '::', '@']);
/** Two marks that would be read as one token without a space. */
const JOINED = new Set(['::', '->', '=>', '==', '!=', '<=', '>=', '??', '++', '..']);

/** The white space between the token at `index` and the one before it; empty for the first. */
function spaceBetween(layout: Layout, index: number): '' | ' ' {
  if (index === 0) return '';
  const [before, text] = [layout.textAt(index - 1), layout.textAt(index)];
  const touches = layout.isGlued(index) || TOUCHES_BEFORE.has(text) || TOUCHES_AFTER.has(before);
  return touches && !JOINED.has(`${before.slice(-1)}${text.slice(0, 1)}`) ? '' : ' ';
}
