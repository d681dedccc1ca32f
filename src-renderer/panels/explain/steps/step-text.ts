/** A step as plain text, for screen readers and exported files. */

import { useMemo } from 'react';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { testPieces } from '../../../../src-runtime/base/test-words.js';
import {
  allSteps,
  clauseName,
  givenBy,
  hasFound,
  KIND_WORD,
  letOf,
  SENSE,
  type Step,
  unmetLetOf,
} from '../../../domain/proof/proof-outline.js';
import type { Index } from '../../../domain/proof/step-view.js';
import { idLabel, inBrief, looksLikeReference, piecesOf, shownText } from '../../../model/facts/labels.js';
import { shortName } from '../../../model/facts/locations.js';
import { markedName, useNamesakes } from '../../../model/facts/namesakes.js';
import { sentenceIn, sentenceText } from '../../../model/sentences/sentence.js';
import type { LabelsById } from '../../../ui/reference-label.js';

export interface Naming {
  readonly index: Index;
  /** The label of an individual. Undefined if unknown. */
  readonly label: (id: string) => string | undefined;
  /** A mark that tells it from another individual with the same label on the page. */
  readonly mark: (id: string) => string | undefined;
}

export function stepText(step: Step, { index, label, mark }: Naming): string {
  const name = (id: string): string => markedName(label(id) ?? idLabel(id), mark(id));
  const named = (text: string): string =>
    piecesOf(
      text,
      step.values.map((each) => each.value),
    )
      .map((piece) => (looksLikeReference(piece) ? name(piece) : piece))
      .join('');
  if (step.kind === 'clause' && step.rule !== undefined) {
    return `${shortName(step.rule.path)}, ${clauseName(step.rule)}`;
  }
  const said = (found: JsonValue): string => (looksLikeReference(found) ? name(found) : shownText(found));
  if (step.kind === 'contribution') {
    const given = givenBy(step);
    const of = Object.values(step.bindings).map(said).join(', ');
    return [of, given.words, ...(given.value === undefined ? [] : [said(given.value)])].join(' ');
  }
  const { reason, value, values } = step;
  const unmet = unmetLetOf(step);
  if (unmet !== undefined) {
    return named(`${unmet.name} would be ${unmet.value}, not ${unmet.needed} (${unmet.expression})`);
  }
  if (reason !== undefined) return named(reason);
  if (step.kind === 'open') return step.text ?? '';
  if (
    (step.kind === 'fails' || step.kind === 'failsToo') &&
    (step.relation === undefined || step.tuple === undefined)
  ) {
    return `nothing satisfies ${step.text ?? ''}`;
  }
  if (step.kind === 'test' || step.kind === 'aggregate' || step.relation === undefined) {
    const text = step.text ?? step.factId ?? KIND_WORD[step.kind];
    const bound = letOf(step);
    const tested = (source: string): string =>
      testPieces(source, values)
        .map((piece) => (piece.kind === 'value' ? said(piece.value) : piece.text))
        .join('');
    if (bound !== undefined && hasFound(value)) return `${bound.name} = ${said(value)} (${tested(bound.expression)})`;
    return hasFound(value) ? `${text} = ${said(value)}` : tested(text);
  }
  return sentenceText(sentenceIn(SENSE[step.kind], step.relation, step.tuple ?? [], index.get(step.relation)), name);
}

/** Letters of each name, so that a sentence fits three lines of a node. */
export const NODE_LETTERS_MAX = 32;

/** The same with names shortened to fit a node. */
export function inBriefNaming(naming: Naming): Naming {
  const label = (id: string): string | undefined => {
    const whole = naming.label(id);
    return whole === undefined ? undefined : inBrief(whole, NODE_LETTERS_MAX);
  };
  return { ...naming, label };
}

/** The labels of the individuals in these steps, with marks for duplicates. */
export function useNaming(roots: readonly Step[], index: Index, labels: LabelsById): Naming {
  const mentioned = useMemo(() => mentionedIn(roots, labels), [roots, labels]);
  const alike = useNamesakes(mentioned);
  return useMemo(
    () => ({
      index,
      label: (id) => labels.get(id),
      mark: (id) => (alike.has(id) ? labels.markOf(id) : undefined),
    }),
    [index, labels, alike],
  );
}

function mentionedIn(roots: readonly Step[], labels: LabelsById): (readonly [id: string, label: string])[] {
  const mentioned = allSteps(roots).flatMap(({ tuple, value, values, kind, bindings }) =>
    [
      ...(tuple ?? []),
      value ?? null,
      ...values.map((read) => read.value),
      ...(kind === 'contribution' ? Object.values(bindings) : []),
    ].filter((each) => looksLikeReference(each)),
  );
  return [...new Set(mentioned)].map((id) => [id, labels.get(id) ?? idLabel(id)]);
}
