/**
 * Reads JSON as a careful server does. JSON.parse alone lets three things through that would hurt later: nesting that
 * overflows the stack of whoever walks the value, a key given twice (readers disagree on which counts), and `__proto__`.
 */

import { badRequest } from './envelope.js';

/** Deeper than any value that a module can declare. */
export const NESTING_MAX = 128;

/** The value of a JSON text in UTF-8. Throws VALIDATION_FAILED that says what is wrong with it. */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  if (text.trim() === '') throw badRequest('The body is empty; send a JSON object.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw badRequest(`The body is no JSON: ${(cause as SyntaxError).message}.`);
  }
  inspect(text);
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('The body is not UTF-8; send JSON in UTF-8.');
  }
}

/** Walks a text that is known to be JSON: only strings and brackets matter. Keys stand behind `{` or `,` in an object. */
function inspect(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  let keyNext = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (keyNext && keys !== undefined) noteKey(JSON.parse(text.slice(at, end + 1)) as string, keys);
      keyNext = false;
      at = end;
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : undefined);
      keyNext = character === '{';
      if (open.length > NESTING_MAX) throw badRequest(`The body nests deeper than ${NESTING_MAX} levels.`);
    } else if (character === '}' || character === ']') {
      open.pop();
      keyNext = false;
    } else if (character === ',') {
      keyNext = open.at(-1) !== undefined;
    }
  }
}

function noteKey(key: string, keys: Set<string>): void {
  if (key === '__proto__') throw badRequest('The body has the key "__proto__", which no request needs.');
  if (keys.has(key)) throw badRequest(`The body gives the key "${key}" twice in one object; give it once.`);
  keys.add(key);
}

/** The index of the quote that closes the string opened at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
