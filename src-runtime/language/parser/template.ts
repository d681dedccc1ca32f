/** The text of a `message`, with expressions between braces. */

import type { Position } from '../../base/span.js';
import type { Template, TemplatePart } from '../ast.js';
import { escapeEnd, innerTextEnd, unescapeAll } from '../escapes.js';
import { tokenizeInMessage } from '../lexer.js';
import { Cursor } from './cursor.js';
import { expression } from './expressions.js';

export function template(p: Cursor): Template {
  if (p.current.kind !== 'text') p.failExpected('the text of the message', 'Write `message "…"`.');
  const token = p.current;
  const span = p.tokenSpan(token);
  const isClosed = token.text.length > 1 && token.text.endsWith('"');
  const end = token.end - (isClosed ? 1 : 0);
  const parts = readParts(p, span.start, token.start + 1, end);
  p.take();
  return { parts, span };
}

function readParts(p: Cursor, tokenStart: Position, from: number, end: number): TemplatePart[] {
  const place = (offset: number): Position => ({
    line: tokenStart.line,
    column: tokenStart.column + offset - tokenStart.offset,
    offset,
  });
  const spanOf = (start: number, stop: number) => ({ file: p.file, start: place(start), end: place(stop) });
  const parts: TemplatePart[] = [];
  let value = '';
  let textStart = from;
  let at = from;
  const flush = (): void => {
    if (value !== '') parts.push({ kind: 'text', value, span: spanOf(textStart, at) });
    value = '';
  };
  while (at < end) {
    const symbol = p.text.charAt(at);
    if (symbol === '\\') {
      const next = Math.min(escapeEnd(p.text, at), end);
      value += unescapeAll(p.text.slice(at, next));
      at = next;
    } else if ((symbol === '{' || symbol === '}') && p.text.charAt(at + 1) === symbol && at + 1 < end) {
      value += symbol;
      at += 2;
    } else if (symbol === '{') {
      flush();
      const close = closingBrace(p.text, at, end);
      if (close === undefined) {
        p.report('E0029', 'the brace is not closed', spanOf(at, at + 1), {
          hint: 'Add `}`, or write `{{` to print a brace. Write a text inside the braces as `\\"…\\"`.',
        });
        return parts;
      }
      parts.push(expressionPart(p, place(at), close));
      at = close + 1;
      textStart = at;
    } else {
      if (symbol === '}')
        p.report('E0029', 'unexpected `}` in the message', spanOf(at, at + 1), {
          hint: 'Write `}}` to print a brace.',
        });
      value += symbol;
      at += 1;
    }
  }
  flush();
  return parts;
}

function closingBrace(text: string, open: number, end: number): number | undefined {
  let depth = 0;
  let at = open;
  while (at < end) {
    if (text.charAt(at) === '{') depth += 1;
    else if (text.charAt(at) === '}') depth -= 1;
    if (depth === 0) return at;
    // A brace in a text inside the braces is part of that text.
    at = text.startsWith('\\"', at) ? (innerTextEnd(text, at, end) ?? end) : at + 1;
  }
  return undefined;
}

function expressionPart(p: Cursor, open: Position, close: number): TemplatePart {
  const from = { line: open.line, column: open.column + 1, offset: open.offset + 1 };
  const tokens = tokenizeInMessage(p.file, p.text, from, close);
  const inner = new Cursor(p.file, p.text, tokens, p.nestingDepth);
  const read = inner.attempt(
    () => {
      const value = expression(inner);
      if (!inner.atEnd()) inner.failExpected('`}` after the expression');
      return value;
    },
    (span) => ({ kind: 'error' as const, span }),
    () => false,
  );
  p.diagnostics.push(...tokens.diagnostics, ...inner.diagnostics);
  const end = { line: open.line, column: open.column + close + 1 - open.offset, offset: close + 1 };
  return { kind: 'expression', expression: read, span: { file: p.file, start: open, end } };
}
