/** Escapes in texts, and texts inside the braces of a message. */

/** The offset after the escape whose backslash is at `at`. */
export function escapeEnd(text: string, at: number): number {
  const isUnicode = text.startsWith('u{', at + 1);
  if (!isUnicode) return at + 2;
  let end = at + 3;
  while (/[0-9A-Fa-f]/.test(text.charAt(end))) end += 1;
  return text.charAt(end) === '}' ? end + 1 : end;
}

/** The character of one escape, or undefined for an unknown escape. */
export function escapedCharacter(written: string): string | undefined {
  if (written === '\\n') return '\n';
  if (written === '\\t') return '\t';
  if (written === '\\"') return '"';
  if (written === '\\\\') return '\\';
  const digits = /^\\u\{([0-9A-Fa-f]+)\}$/.exec(written)?.[1];
  if (digits === undefined || digits.length > 8) return undefined;
  const point = Number.parseInt(digits, 16);
  const isSurrogate = point >= 0xd800 && point <= 0xdfff;
  return point > 0x10ffff || isSurrogate ? undefined : String.fromCodePoint(point);
}

/** The offset in a text literal's content at which this offset of its value is written. */
export function writtenOffset(content: string, offset: number): number {
  let [at, units] = [0, 0];
  while (units < offset && at < content.length) {
    const end = content.charAt(at) === '\\' ? escapeEnd(content, at) : at + 1;
    units += unescapeAll(content.slice(at, end)).length;
    at = end;
  }
  return at;
}

/** The value of a text literal's content. Unknown escapes, which the lexer has reported, stay as they are. */
export function unescapeAll(content: string): string {
  if (!content.includes('\\')) return content;
  let value = '';
  let at = 0;
  while (at < content.length) {
    const end = content.charAt(at) === '\\' ? escapeEnd(content, at) : at + 1;
    const piece = content.slice(at, end);
    value += content.charAt(at) === '\\' ? (escapedCharacter(piece) ?? piece) : piece;
    at = end;
  }
  return value;
}

/**
 * The offset after the text whose `\"` is at `at`, inside the braces of a message; undefined if it is not closed before `to`. Its
 * quotes are escaped because the message is a text itself: `"{p.email ?? \"none\"}"`.
 */
export function innerTextEnd(text: string, at: number, to: number): number | undefined {
  let next = at + 2;
  while (next < to) {
    if (text.startsWith('\\"', next)) return next + 2 <= to ? next + 2 : undefined;
    // A backslash of the inner text is written twice, and escapes the next character.
    if (text.startsWith('\\\\', next)) next = text.charAt(next + 2) === '\\' ? escapeEnd(text, next + 2) : next + 3;
    else next = text.charAt(next) === '\\' ? escapeEnd(text, next) : next + 1;
  }
  return undefined;
}
