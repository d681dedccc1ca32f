/**
 * Regular expressions in RE2 syntax, which take time linear in the text. Compiled patterns are cached, because rules apply
 * one pattern to many facts.
 */

import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';

export interface Pattern {
  /** Capturing groups, without the whole match. */
  readonly groups: number;
  /** Whether the pattern matches anywhere in the text. */
  matches(text: string): boolean;
  /** What a group of the first match holds; 0 is the whole match. Null without a match, or if the group took no part in it. */
  capture(text: string, group: number): string | null;
  /** The text with every match replaced. */
  replaceAll(text: string, replacement: Replacement): string;
}

/** Texts and groups by turns. */
export type Replacement = readonly (string | number)[];

/** A pattern or replacement that has no meaning. `part` is the faulty part of it, if it is known. */
export class PatternError extends Error {
  readonly part: string | undefined;

  constructor(message: string, part?: string) {
    super(message);
    this.part = part;
  }
}

/** Characters of a pattern, at most. A pattern may come from a request. */
const SOURCE_MAX = 10_000;

/** Instructions of a compiled pattern, at most. */
const INSTRUCTIONS_MAX = 20_000;

/** Instructions times characters of one search, at most: a few seconds. Nothing can interrupt a search. */
const STEPS_MAX = 200_000_000;

/** A compiled pattern may keep some megabytes of states. */
const CACHE_MAX = 64;

const cache = new Map<string, Pattern>();

/** Compiles a pattern, or throws a `PatternError`. */
export function patternOf(source: string): Pattern {
  const known = cache.get(source);
  if (known !== undefined) return known;
  const pattern = compiled(source);
  if (cache.size >= CACHE_MAX) cache.clear();
  cache.set(source, pattern);
  return pattern;
}

function compiled(source: string): Pattern {
  if (source.length > SOURCE_MAX)
    throw new PatternError(`it has more than ${SOURCE_MAX.toLocaleString('en')} characters`);
  const pattern = parsed(source);
  const instructions = pattern.programSize();
  if (instructions > INSTRUCTIONS_MAX) throw new PatternError('it repeats too much');
  const refuseLong = (text: string): void => {
    if (instructions * text.length <= STEPS_MAX) return;
    throw new PatternError(`it takes too long on a text of ${text.length.toLocaleString('en')} characters`);
  };
  return {
    groups: pattern.groupCount(),
    matches: (text) => {
      refuseLong(text);
      return pattern.test(text);
    },
    capture: (text, group) => {
      refuseLong(text);
      const matcher = pattern.matcher(text);
      return matcher.find() ? matcher.group(group) : null;
    },
    replaceAll: (text, replacement) => {
      refuseLong(text);
      const matcher = pattern.matcher(text);
      let result = '';
      let from = 0;
      while (matcher.find()) {
        result += text.slice(from, matcher.start());
        for (const part of replacement) result += typeof part === 'string' ? part : (matcher.group(part) ?? '');
        from = matcher.end();
      }
      return result + text.slice(from);
    },
  };
}

function parsed(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) throw new PatternError(error.error, error.input ?? undefined);
    if (error instanceof RE2JSException) throw new PatternError(error.message);
    // The parser recurses into parentheses.
    if (error instanceof RangeError) throw new PatternError('it is nested too deeply');
    throw error;
  }
}

/** `$1` and `${1}` are groups, `$$` is a dollar; any other `$` is a plain character. */
const REFERENCE = /\$(?:(\d+)|\{(\d+)\}|\$)/g;

/** Reads the replacement of a pattern, or throws a `PatternError` if it refers to a group that the pattern lacks. */
export function replacementOf(text: string, { groups }: Pattern): Replacement {
  const parts: (string | number)[] = [];
  let from = 0;
  for (const match of text.matchAll(REFERENCE)) {
    parts.push(text.slice(from, match.index));
    from = match.index + match[0].length;
    const digits = match[1] ?? match[2];
    if (digits === undefined) {
      parts.push('$');
      continue;
    }
    if (Number(digits) > groups) throw new PatternError(missingGroup(Number(digits), groups), match[0]);
    parts.push(Number(digits));
  }
  return [...parts, text.slice(from)];
}

/** Says that a pattern has no group of this number. */
export function missingGroup(group: number, groups: number): string {
  if (groups === 0) return `it has no group ${group}, because it has no groups`;
  return `it has no group ${group}, only ${groups === 1 ? 'group 1' : `groups 1 to ${groups}`}`;
}
