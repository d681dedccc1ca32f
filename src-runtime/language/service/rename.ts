/** Renames declarations and all their uses, and refuses a name that would change the meaning of the sources. */

import type { Span } from '../../base/span.js';
import type { Analysis } from '../analyse.js';
import { analyse } from '../analyse.js';
import type { LinkTarget } from '../check/program/checked.js';
import { RESERVED_WORDS } from '../lexer.js';
import { applyEdits } from './edits.js';
import type { Occurrence } from './symbol-index.js';
import { indexOf, occurrenceAt } from './symbol-index.js';
import { tokensOf } from './tokens.js';
import type { RenameOutcome, TextEdit } from './types.js';

/** The name to rename and its span, or the reason why nothing can be renamed here. */
export type RenamePlace =
  | { readonly ok: true; readonly span: Span; readonly name: string }
  | { readonly ok: false; readonly reason: string };

export function renameAt(analysis: Analysis, file: string, offset: number): RenamePlace {
  const found = occurrenceAt(analysis, file, offset);
  if (found === undefined) return { ok: false, reason: 'Put the cursor on a name.' };
  const reason = unchangeable(found);
  return reason === undefined ? { ok: true, span: found.span, name: found.entity.name } : { ok: false, reason };
}

/**
 * The edits that rename the symbol at `offset` everywhere. Analyses the renamed sources, and refuses a name after which any name would
 * mean something else or a new error would appear.
 */
export function rename(analysis: Analysis, file: string, offset: number, newName: string): RenameOutcome {
  const place = renameAt(analysis, file, offset);
  const found = occurrenceAt(analysis, file, offset);
  if (!place.ok || found === undefined) return { ok: false, reason: place.ok ? '' : place.reason };
  const { target, name, occurrences } = found.entity;
  const malformed = malformedName(target, newName);
  if (malformed !== undefined) return { ok: false, reason: malformed };
  if (newName === name) return { ok: true, edits: [] };
  const unclear = unclearPlace(analysis, name);
  if (unclear !== undefined) return { ok: false, reason: unclear };
  const edits = occurrences.map(({ span }): TextEdit => ({ span, text: newName }));
  const renamed = analyse(
    analysis.sources.map((source) => applyEdits(source, edits)),
    analysis,
  );
  const reason = firstDifference(analysis, renamed, edits, newName);
  return reason === undefined ? { ok: true, edits } : { ok: false, reason };
}

function unchangeable({ entity: { target, name, occurrences } }: Occurrence): string | undefined {
  if (target.kind === 'builtIn') return `"${name}" is part of the language and cannot be renamed.`;
  if (target.kind === 'variable' && target.variable.implicit)
    return '`value` is a keyword of refinements and cannot be renamed.';
  if (occurrences.some(({ isDeclaration }) => isDeclaration)) return undefined;
  return `"${name}" is not declared in these sources. Open the file that declares it.`;
}

/** A use of the name that errors hide: in a file with errors, an unresolved occurrence may mean the renamed symbol. */
function unclearPlace(analysis: Analysis, name: string): string | undefined {
  const files = new Set(
    analysis.diagnostics.flatMap(({ severity, span }) => (severity === 'error' ? [span.file] : [])),
  );
  for (const file of files) {
    const named = new Set((indexOf(analysis).occurrences.get(file) ?? []).map(({ span }) => span.start.offset));
    const token = tokensOf(analysis, file)?.tokens.find(({ text, start }) => text === name && !named.has(start));
    if (token === undefined) continue;
    return `${file} has errors, so the meaning of "${name}" in line ${token.line} is not known. Correct them first.`;
  }
  return undefined;
}

function malformedName(target: LinkTarget, name: string): string | undefined {
  const words = target.kind === 'module' ? name.split('::') : [name];
  for (const word of words) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(word) || word === '_') {
      return `"${name}" is not a name. Use letters, digits and \`_\`, and start with a letter.`;
    }
    const isFree = target.kind === 'field' || (target.kind === 'endpoint' && target.of.kind === 'relation');
    if (RESERVED_WORDS.has(word) && !isFree)
      return `"${word}" is a reserved word. Use another name, for example \`${word}_\`.`;
  }
  return undefined;
}

/** Why the renamed sources have another meaning; undefined if they have the same. */
function firstDifference(
  before: Analysis,
  after: Analysis,
  edits: readonly TextEdit[],
  name: string,
): string | undefined {
  const known = countByCode(before);
  const added = after.diagnostics.find(({ code, severity }) => {
    if (severity !== 'error') return false;
    const left = known.get(code) ?? 0;
    known.set(code, left - 1);
    return left <= 0;
  });
  if (added !== undefined) {
    const { file, start } = added.span;
    return `The name "${name}" causes a new error in ${file}, line ${start.line}: ${added.message}. Use another name.`;
  }
  const changed = changedMeaning(before, after, edits);
  if (changed === undefined) return undefined;
  const { file, start } = changed;
  return `"${name}" already means something else in ${file}, line ${start.line}. Use another name.`;
}

/** The first span where the name would change its meaning. */
function changedMeaning(before: Analysis, after: Analysis, edits: readonly TextEdit[]): Span | undefined {
  const shifted = shifter(edits);
  for (const { file } of before.sources) {
    const [old, now] = [indexOf(before).occurrences.get(file) ?? [], indexOf(after).occurrences.get(file) ?? []];
    for (let i = 0; i < Math.max(old.length, now.length); i += 1) {
      const [was, is] = [old[i], now[i]];
      if (was === undefined || is === undefined) return (was ?? is)?.span;
      const [first, firstNow] = [was.entity.occurrences[0], is.entity.occurrences[0]];
      const isSame =
        shifted(was.span) === is.span.start.offset &&
        first !== undefined &&
        firstNow !== undefined &&
        first.span.file === firstNow.span.file &&
        shifted(first.span) === firstNow.span.start.offset &&
        was.entity.occurrences.length === is.entity.occurrences.length;
      if (!isSame) return was.span;
    }
  }
  return undefined;
}

/** Maps the start of a span to its offset after the edits. */
function shifter(edits: readonly TextEdit[]): (span: Span) => number {
  const byFile = new Map<string, { readonly from: number; readonly by: number }[]>();
  for (const { span, text } of edits.toSorted((a, b) => a.span.start.offset - b.span.start.offset)) {
    const own = byFile.get(span.file) ?? [];
    const by = (own[own.length - 1]?.by ?? 0) + text.length - (span.end.offset - span.start.offset);
    byFile.set(span.file, [...own, { from: span.end.offset, by }]);
  }
  return ({ file, start }) => start.offset + (byFile.get(file)?.findLast(({ from }) => from <= start.offset)?.by ?? 0);
}

function countByCode(analysis: Analysis): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { code } of analysis.diagnostics) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}
