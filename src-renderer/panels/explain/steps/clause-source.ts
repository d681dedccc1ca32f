/** The source of a clause as highlighted lines, with one premise marked. */

import type { Span } from '../../../../src-runtime/base/span.js';
import { type Step, UNMET } from '../../../domain/proof/proof-outline.js';
import { shortName } from '../../../model/facts/locations.js';
import { stretchesOf } from '../../../ui/highlighted.js';

/** Offsets in the file, end exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface ExcerptLine {
  /** Line number in the file, from 1. */
  readonly number: number;
  readonly stretches: readonly { readonly text: string; readonly kind: string | null; readonly marked: boolean }[];
}

export interface Excerpt {
  readonly file: string;
  readonly clause: Span;
  readonly marked: Range | undefined;
}

/** The clause of a step: its own if it is derived, else that of the nearest ancestor. */
export function excerptFor(
  step: Step,
  parents: ReadonlyMap<string, Step>,
  source: (file: string) => string | undefined,
): Excerpt | undefined {
  if (step.rule !== undefined && step.span !== undefined) return whole(step.span);
  let premise = step;
  for (let at = parents.get(step.id); at !== undefined; premise = at, at = parents.get(at.id)) {
    if (at.rule === undefined || at.span === undefined) continue;
    if (UNMET.has(premise.kind) && premise.span !== undefined) {
      const { start, end } = premise.span;
      return { ...whole(at.span), marked: { start: start.offset, end: end.offset } };
    }
    const text = source(at.span.file);
    return { ...whole(at.span), marked: text === undefined ? undefined : premiseRange(text, at, premise) };
  }
  return step.span === undefined ? undefined : whole(step.span);
}

function whole(clause: Span): Excerpt {
  return { file: clause.file, clause, marked: undefined };
}

/** Empty if the source is not the loaded one, because its positions would be wrong. */
export function excerptLines(source: string | undefined, { clause, marked }: Excerpt): ExcerptLine[] {
  if (source === undefined) return [];
  const lines = source.split('\n');
  const shown = lines.slice(clause.start.line - 1, clause.end.line);
  if (!/^\s*(pub\s+)?(derive|define|check|concept|relation|individual|fact)\b/.test(shown[0] ?? '')) return [];
  const indents = shown.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const shared = indents.length === 0 ? 0 : Math.min(...indents);
  let offset = lines.slice(0, clause.start.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  return shown.map((line, index) => {
    const from = offset + shared;
    offset += line.length + 1;
    return {
      number: clause.start.line + index,
      stretches: markedStretches(line.slice(shared).trimEnd(), from, marked),
    };
  });
}

function markedStretches(line: string, from: number, marked: Range | undefined): ExcerptLine['stretches'] {
  const result: ExcerptLine['stretches'][number][] = [];
  let at = from;
  for (const { text, kind } of stretchesOf(line)) {
    const borders = [marked?.start ?? -1, marked?.end ?? -1].filter(
      (border) => at < border && border < at + text.length,
    );
    const cuts = [at, ...borders, at + text.length];
    for (const [index, start] of cuts.slice(0, -1).entries()) {
      const end = cuts[index + 1] ?? start;
      const isMarked = marked !== undefined && marked.start <= start && end <= marked.end;
      result.push({ text: text.slice(start - at, end - at), kind, marked: isMarked });
    }
    at += text.length;
  }
  return result;
}

/**
 * The position of a premise in its clause. Proofs keep the order of the body, so names and texts are compared only if
 * there are fewer premises.
 */
function premiseRange(source: string, parent: Step, premise: Step): Range | undefined {
  if (parent.span === undefined) return undefined;
  const literals = literalsOf(source, parent.span);
  const place = parent.children.indexOf(premise);
  const isLike = (literal: Range): boolean => matches(source.slice(literal.start, literal.end), premise);
  const inPlace = literals[place];
  if (inPlace !== undefined && isLike(inPlace)) return inPlace;
  const alike = literals.filter(isLike);
  return alike.length === 1 ? alike[0] : undefined;
}

function matches(literal: string, { kind, relation, text }: Step): boolean {
  const plain = literal.replace(/\s+/g, ' ');
  if (text !== undefined) return plain === text.replace(/\s+/g, ' ');
  if (relation === undefined) return false;
  const name = plain.replace(/^not /, '');
  const called = name.slice(0, Math.max(0, name.search(/\s*\(/)));
  return shortName(called) === shortName(relation) && plain.startsWith('not ') === (kind === 'absent');
}

/** The literals of the body: after `when`, up to the end or to `severity`. */
function literalsOf(source: string, { start, end }: Span): Range[] {
  const literals: Range[] = [];
  let from: number | undefined;
  let depth = 0;
  const close = (to: number): void => {
    if (from === undefined) return;
    const text = source.slice(from, to);
    const lead = text.length - text.trimStart().length;
    if (text.trim() !== '') literals.push({ start: from + lead, end: from + text.trimEnd().length });
    from = to + 1;
  };
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\])*"|[A-Za-z_]\w*|[^\s]/g;
  token.lastIndex = start.offset;
  let bodyEnd = end.offset;
  for (let match = token.exec(source); match !== null && match.index < end.offset; match = token.exec(source)) {
    const [word] = match;
    if ('([{'.includes(word)) depth += 1;
    else if (')]}'.includes(word)) depth -= 1;
    else if (depth > 0) continue;
    else if (from === undefined && word === 'when') from = match.index + word.length;
    else if (word === ',') close(match.index);
    else if (from !== undefined && word === 'severity') {
      bodyEnd = match.index;
      break;
    }
  }
  close(bodyEnd);
  return literals;
}
