/** Checks the patterns of `matches`, `capture` and `replaceAll` that are known at compile time. */

import { missingGroup, type Pattern, PatternError, patternOf, replacementOf } from '../../../base/patterns.js';
import type { Span } from '../../../base/span.js';
import type * as syntax from '../../ast.js';
import { writtenOffset } from '../../escapes.js';
import type { Environment } from '../names/environment.js';
import { report } from '../names/environment.js';
import type { Expression } from '../program/checked.js';
import { constantOf } from './evaluate.js';

/** One argument: as it is written, and checked. */
export interface PatternArgument {
  readonly node: syntax.Expression;
  readonly checked: Expression;
}

/** Reports a faulty pattern, a group that it lacks, and a replacement that refers to such a group. */
export function checkPattern(env: Environment, name: string, args: readonly PatternArgument[]): void {
  const [, pattern, third] = args;
  if (pattern === undefined || !TAKE_PATTERNS.has(name)) return;
  const source = constantOf(pattern.checked);
  if (typeof source !== 'string') return;
  const compiled = checked(env, pattern, source, () => patternOf(source));
  if (compiled === undefined || third === undefined) return;
  const value = constantOf(third.checked);
  if (typeof value === 'string') checked(env, third, value, () => replacementOf(value, compiled));
  if (typeof value === 'number') checkGroup(env, third, value, compiled);
}

const TAKE_PATTERNS: ReadonlySet<string> = new Set(['matches', 'capture', 'replaceAll']);

function checked<T>(env: Environment, argument: PatternArgument, text: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const span = partSpan(argument.node, text, error.part) ?? argument.node.span;
    report(env.session, 'E0230', span, `faulty pattern: ${error.message}`, { hint: patternHint(error) });
    return undefined;
  }
}

function checkGroup(env: Environment, argument: PatternArgument, group: number, { groups }: Pattern): void {
  if (group >= 0 && group <= groups) return;
  report(env.session, 'E0230', argument.node.span, `faulty pattern: ${missingGroup(group, groups)}`, {
    hint: 'Put the part to capture in parentheses. 0 is the whole match.',
  });
}

/** The span of a part of a literal; undefined if it has no such part or several. */
function partSpan(node: syntax.Expression, text: string, part: string | undefined): Span | undefined {
  if (node.kind !== 'text' || part === undefined || part === '') return undefined;
  const [from, content] = [text.indexOf(part), node.escaped ?? text];
  const { start, end, file } = node.span;
  // In a message, the quotes and escapes are escaped once more.
  const isWhole = end.offset - start.offset === content.length + 2 && start.line === end.line;
  if (from < 0 || from !== text.lastIndexOf(part) || !isWhole) return undefined;
  const at = (offset: number) => {
    const units = 1 + (node.escaped === undefined ? offset : writtenOffset(content, offset));
    return { line: start.line, column: start.column + units, offset: start.offset + units };
  };
  return { file, start: at(from), end: at(from + part.length) };
}

function patternHint({ part, message }: PatternError): string {
  if (part !== undefined && /^\(\?(?:[=!]|<[=!])/.test(part)) {
    return 'RE2 has no lookahead and no lookbehind. Capture a group, or test twice.';
  }
  if (part !== undefined && /^\\[1-9]/.test(part))
    return 'RE2 has no back-references. Capture both parts, and compare them.';
  if (/^missing|^unexpected/.test(message)) {
    return 'Write `\\\\` before a character that has a meaning in patterns, such as `.`, `*`, `(` and `)`.';
  }
  return 'Write it in the syntax of RE2.';
}
