/** The foldable ranges: brackets over several lines, comments, imports, and rules without brackets. */

import type { Analysis } from '../analyse.js';
import type { Comment, Token } from '../lexer.js';
import { tokensOf } from './tokens.js';
import type { FoldingRange } from './types.js';

/** Sorted by start. A range begins at the end of the visible part and ends at the end of the hidden part. */
export function foldingRanges(analysis: Analysis, file: string): readonly FoldingRange[] {
  const at = analysis.sources.findIndex((source) => source.file === file);
  const [source, module] = [analysis.sources[at], analysis.modules[at]];
  const read = tokensOf(analysis, file);
  if (source === undefined || module === undefined || read === undefined) return [];
  const { tokens, comments } = read;
  const brackets = bracketRanges(tokens);
  const covered = new Set(brackets.map(({ from }) => lineEnd(source.text, from)));
  const rules = module.items.flatMap((item): FoldingRange[] => {
    const from = lineEnd(source.text, item.span.start.offset);
    const to = item.span.end.offset;
    return from < to && item.kind !== 'use' && !covered.has(from) ? [{ from, to, kind: 'block' }] : [];
  });
  const ranges = [...brackets, ...rules, ...commentRanges(comments, source.text), ...importRanges(analysis, at)];
  return ranges.sort((a, b) => a.from - b.from || b.to - a.to);
}

function bracketRanges(tokens: readonly Token[]): FoldingRange[] {
  const open: Token[] = [];
  const ranges: FoldingRange[] = [];
  for (const token of tokens) {
    if (token.kind !== 'punctuation') continue;
    if (token.text === '{' || token.text === '(' || token.text === '[') open.push(token);
    if (token.text !== '}' && token.text !== ')' && token.text !== ']') continue;
    const start = open.pop();
    if (start !== undefined && start.line < token.line)
      ranges.push({ from: start.end, to: token.start, kind: 'block' });
  }
  return ranges;
}

/** Comments over several lines, and consecutive line comments. */
function commentRanges(comments: readonly Comment[], text: string): FoldingRange[] {
  const ranges: FoldingRange[] = [];
  let [first, last] = [comments[0], comments[0]];
  const close = () => {
    if (first === undefined || last === undefined || first.line === last.endLine) return;
    ranges.push({ from: Math.min(lineEnd(text, first.start), last.end), to: last.end, kind: 'comment' });
  };
  for (const comment of comments.slice(1)) {
    const joins = last !== undefined && comment.line === last.endLine + 1 && comment.before === last.before;
    if (!joins) {
      close();
      first = comment;
    }
    last = comment;
  }
  close();
  return ranges;
}

function importRanges(analysis: Analysis, at: number): FoldingRange[] {
  const uses = analysis.modules[at]?.items.filter((item) => item.kind === 'use') ?? [];
  const [first, last] = [uses[0], uses[uses.length - 1]];
  if (first === undefined || last === undefined || first === last) return [];
  return [{ from: first.span.end.offset, to: last.span.end.offset, kind: 'imports' }];
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
