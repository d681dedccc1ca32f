/** The tokens of a file, read at the first request. */

import type { Analysis } from '../analyse.js';
import type { Tokens } from '../lexer.js';
import { tokenize } from '../lexer.js';

/** Undefined for a missing file. */
export function tokensOf(analysis: Analysis, file: string): Tokens | undefined {
  const files = TOKENS.get(analysis) ?? new Map<string, Tokens>();
  TOKENS.set(analysis, files);
  const known = files.get(file);
  if (known !== undefined) return known;
  const text = analysis.sources.find((source) => source.file === file)?.text;
  if (text === undefined) return undefined;
  const read = tokenize(file, text);
  files.set(file, read);
  return read;
}

const TOKENS = new WeakMap<Analysis, Map<string, Tokens>>();
