/** Renames what the sources declare, and refuses whatever would change what they mean. */

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

/** What a rename at a place is about: the name to select and its text, or why nothing there can be renamed. */
export type RenamePlace =
  | { readonly ok: true; readonly span: Span; readonly name: string }
  | { readonly ok: false; readonly reason: string };

export function renameAt(analysis: Analysis, file: string, offset: number): RenamePlace {
  const found = occurrenceAt(analysis, file, offset);
  if (found === undefined) return { ok: false, reason: 'Nothing is named here. Put the cursor on a name.' };
  const reason = unchangeable(found);
  return reason === undefined ? { ok: true, span: found.span, name: found.entity.name } : { ok: false, reason };
}

/**
 * The edits that give what is named at `offset` another name, everywhere. Refused are names that are none, and those
 * after which any name would mean something else or a new error appear: the renamed sources are analysed to see.
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
    return '`value` is the word of refinements and cannot be renamed.';
  if (occurrences.some(({ isDeclaration }) => isDeclaration)) return undefined;
  return `"${name}" is not declared in these sources. Open the file that declares it as well.`;
}

/** Where a file with errors has the word without a meaning: what cannot be read now may mean it once it can. */
function unclearPlace(analysis: Analysis, name: string): string | undefined {
  const files = new Set(
    analysis.diagnostics.flatMap(({ severity, span }) => (severity === 'error' ? [span.file] : [])),
  );
  for (const file of files) {
    const named = new Set((indexOf(analysis).occurrences.get(file) ?? []).map(({ span }) => span.start.offset));
    const token = tokensOf(analysis, file)?.tokens.find(({ text, start }) => text === name && !named.has(start));
    if (token === undefined) continue;
    return `${file} has errors, and what "${name}" in line ${token.line} means is not known. Correct them first.`;
  }
  return undefined;
}

function malformedName(target: LinkTarget, name: string): string | undefined {
  const words = target.kind === 'module' ? name.split('::') : [name];
  for (const word of words) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(word) || word === '_') {
      return `"${name}" is no name. Use letters, digits and \`_\`, and begin with a letter.`;
    }
    const isFree = target.kind === 'field' || (target.kind === 'endpoint' && target.of.kind === 'relation');
    if (RESERVED_WORDS.has(word) && !isFree)
      return `"${word}" is a reserved word. Use another one, for example \`${word}_\`.`;
  }
  return undefined;
}

/** Why the renamed sources mean something else; undefined where they mean the same. */
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
    return `With the name "${name}" there is a new error in ${file}, line ${start.line}: ${added.message}. Use another name.`;
  }
  const changed = changedMeaning(before, after, edits);
  if (changed === undefined) return undefined;
  const { file, start } = changed;
  return `"${name}" is a name already in reach of ${file}, line ${start.line}, and would mean something else there. Use another name.`;
}

/** The first place whose name means something else than before. */
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

/** Where the start of a span comes to stand by the edits before it. */
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
