/** Names, paths, and lists of things between brackets. */

import type { Name, Path } from '../ast.js';
import { type FindingDetails, suggestion } from '../finding.js';
import { RESERVED_WORDS } from '../lexer.js';
import type { Cursor } from './cursor.js';

/**
 * The name of a declaration. `what` names it in messages. A reserved word is reported, but still read as the name if nothing else
 * could follow, so that its uses are known.
 */
export function declaredName(p: Cursor, what: string): Name {
  if (p.atName() || !isReserved(p.current.text) || !/^[:({=,}]$/.test(p.peek(1).text)) return plainName(p, what);
  reportReserved(p, what);
  p.misnamed.add(p.current.text);
  return anyWord(p, what);
}

/** The use of a name, or a name that declares nothing. */
export function plainName(p: Cursor, what: string): Name {
  const { current } = p;
  if (p.atName() || p.misnamed.has(current.text)) return anyWord(p, what);
  if (current.kind !== 'word') return p.failExpected(what);
  if (isReserved(current.text)) reportReserved(p, what);
  else p.report('E0012', `the wildcard \`_\` cannot be ${what}`, p.tokenSpan(current), { hint: 'Give it a name.' });
  return p.giveUp();
}

function reportReserved(p: Cursor, what: string): void {
  const { text } = p.current;
  p.report('E0012', `the reserved word \`${text}\` cannot be ${what}`, p.tokenSpan(p.current), {
    hint: `Choose another name, for example \`${text}_\`.`,
  });
}

/** Fields, endpoints and record keys may be any word. */
export function anyWord(p: Cursor, what: string): Name {
  if (p.current.kind !== 'word' || p.atItemHead()) return p.failExpected(what);
  const token = p.take();
  return { text: token.text, span: p.tokenSpan(token) };
}

export function path(p: Cursor, what: string): Path {
  const start = p.index;
  const segments = [plainName(p, what)];
  while (p.at('::')) {
    p.take();
    segments.push(plainName(p, 'a name after `::`'));
  }
  return { segments, span: p.spanFrom(start) };
}

export function isReserved(word: string): boolean {
  return RESERVED_WORDS.has(word);
}

/**
 * `open element, element, close`, with an optional trailing comma. Skips malformed elements. With `commas` optional, the next
 * element may follow directly if it starts with a key. `isAfter` recognises tokens that can only follow the closing bracket.
 */
export function bracketed<T>(
  p: Cursor,
  [open, close]: readonly [string, string],
  where: string,
  element: () => T,
  commas: 'required' | 'optional' = 'required',
  isAfter: () => boolean = () => false,
): T[] {
  const opening = open === '{' ? p.openBrace(where) : p.expect(open, where);
  const elements: T[] = [];
  let isLost = false;
  const isSafe = (): boolean => p.at(',') || isAfter() || (p.atKey() && p.isFirstOnLine());
  while (!p.at(close) && !isAfter() && !p.atEnd() && !p.atItemStart()) {
    const start = p.index;
    const { start: from } = p.current;
    const [first, ...others] = p.diagnosticsOf(() => {
      const read = p.attempt(element, () => undefined, isSafe);
      if (read !== undefined) elements.push(read);
    });
    // After a token that cannot start an element, an earlier bracket is wrong. Later ones follow from that and are not reported.
    const isNone = first?.span.start.offset === from;
    if (first !== undefined && !(isNone && isLost)) p.diagnostics.push(first, ...others);
    isLost ||= isNone;
    if (p.accept(',')) continue;
    if (p.index !== start && p.isAfterSemicolon()) continue;
    if (p.index === start || commas === 'required' || p.current.kind !== 'word') break;
  }
  if (isAfter()) p.reportUnclosed(opening, close);
  else p.close(opening, close);
  return elements;
}

/** A hint, preceded by the keyword most similar to a misspelt one. */
export function withSuggestion(word: string, words: Iterable<string>, hint: string): FindingDetails {
  const meant = suggestion(word, words, '`');
  return meant === undefined ? { hint } : { ...meant, hint: `${meant.hint} ${hint}` };
}
