/** Tests the properties that the front end has for every text, and reduces a text that violates one. */

import { encodeArtifact } from '../../artifact/index.js';
import { hasErrors } from '../../base/diagnostic.js';
import { format } from '../../language/format/index.js';
import { parseModule } from '../../language/index.js';
import { compile } from '../index.js';

const FILE = 'm.entail';

/**
 * Throws an Error that names the violated property: the result is diagnostics or an artifact, never an exception; every span is
 * within the text; and formatting a text without syntax errors preserves its meaning and is idempotent.
 */
export function examine(text: string): void {
  const { artifact, diagnostics } = compile([{ file: FILE, text }]);
  require(hasErrors(diagnostics) === (artifact === undefined), 'an artifact exists exactly if no error is reported');
  for (const { code, span, notes = [] } of diagnostics) {
    for (const { start, end } of [span, ...notes.map((note) => note.span)]) {
      require(start.offset <= end.offset && end.offset <= text.length, `the span of ${code} is within the text`);
    }
  }
  if (artifact) encodeArtifact(artifact);
  if (hasErrors(parseModule(FILE, text).diagnostics)) return;
  const once = format(FILE, text).value;
  require(meaningOf(once) === meaningOf(text), 'formatting preserves the meaning');
  require(format(FILE, once).value === once, 'formatting is idempotent');
}

/** The tree without places; an unreadable text differs from every readable one. */
function meaningOf(text: string): string {
  const { value, diagnostics } = parseModule(FILE, text);
  if (hasErrors(diagnostics)) return 'unreadable';
  return JSON.stringify(value, (key, item: unknown) => (/^span$|Span$/.test(key) ? undefined : item));
}

function require(holds: boolean, property: string): void {
  if (!holds) throw new Error(`Violated property: ${property}.`);
}

/** A smaller failing text. Without any one line, word or character it passes. */
export function minimised(text: string, fails: (text: string) => boolean): string {
  let parts = [text];
  for (const separator of [/(?<=\n)/, /\b/, /(?:)/u]) {
    parts = withoutNeedless(parts.join('').split(separator), fails);
  }
  return parts.join('');
}

/** Removes halves, then quarters and so on, for as long as the remaining text still fails. */
function withoutNeedless(all: readonly string[], fails: (text: string) => boolean): string[] {
  let parts = [...all];
  for (let size = Math.ceil(parts.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < parts.length; ) {
      const without = [...parts.slice(0, at), ...parts.slice(at + size)];
      if (fails(without.join(''))) parts = without;
      else at += size;
    }
  }
  return parts;
}
