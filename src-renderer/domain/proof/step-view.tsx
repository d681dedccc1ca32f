/** One step of an explanation: glyph and sentence. */

import { testPieces } from '../../../src-runtime/base/test-words.js';
import { looksLikeReference, piecesOf } from '../../model/facts/labels.js';
import { shortName } from '../../model/facts/locations.js';
import type { RelationInfo } from '../../model/facts/relation-index.js';
import { LettersMax, LINE_LETTERS_MAX } from '../../ui/brief.js';
import { Glyph, type GlyphKind } from '../../ui/glyph.js';
import { ReferenceLabel } from '../../ui/reference-label.js';
import {
  clauseName,
  givenBy,
  hasFound,
  KIND_WORD,
  letOf,
  SENSE,
  type Step,
  type StepKind,
  type UnmetLet,
  unmetLetOf,
} from './proof-outline.js';
import { SentenceView } from './sentence-view.js';

export type Index = ReadonlyMap<string, RelationInfo>;

export const STEP_GLYPH: Readonly<Record<StepKind, GlyphKind>> = {
  declared: 'declared',
  stored: 'stored',
  derived: 'derived',
  absent: 'absent',
  test: 'test',
  aggregate: 'aggregate',
  contribution: 'contribution',
  ref: 'ref',
  whyNot: 'absent',
  clause: 'class',
  missing: 'blocking',
  fails: 'blocking',
  missingToo: 'absent',
  failsToo: 'absent',
  open: 'pending',
};

export function StepGlyph({ kind }: { kind: StepKind }) {
  return <Glyph kind={STEP_GLYPH[kind]} />;
}

const FAILS: ReadonlySet<StepKind> = new Set(['fails', 'failsToo']);

/** Sentence in a tree row, truncated. The details have it in full. */
export function StepLine({ step, index }: { step: Step; index: Index }) {
  return (
    <LettersMax value={LINE_LETTERS_MAX}>
      <StepSentence step={step} index={index} />
    </LettersMax>
  );
}

/** Sentence without the glyph. */
export function StepSentence({ step, index }: { step: Step; index: Index }) {
  if (step.kind === 'clause' && step.rule !== undefined) {
    return (
      <span>
        {shortName(step.rule.path)}, {clauseName(step.rule)}
      </span>
    );
  }
  if (step.kind === 'contribution') return <Contribution step={step} />;
  const unmet = unmetLetOf(step);
  if (unmet !== undefined) return <UnmetLetWords unmet={unmet} values={step.values} />;
  // The values of a comparison say more than its source, which is in the details.
  if (step.reason !== undefined) return <Reason reason={step.reason} values={step.values} />;
  if (step.kind === 'open') return <span className="mono dim">{step.text}</span>;
  if (FAILS.has(step.kind) && (step.relation === undefined || step.tuple === undefined)) {
    return (
      <span>
        <span className="dim">nothing satisfies </span>
        <span className="mono">{step.text}</span>
      </span>
    );
  }
  if (step.kind === 'test' || step.kind === 'aggregate' || step.relation === undefined) {
    const named = letOf(step);
    if (named !== undefined && hasFound(step.value)) {
      return (
        <span>
          <span className="mono">{named.name}</span>
          <span className="dim"> = </span>
          <ReferenceLabel value={step.value} />{' '}
          <span className="dim">
            <Tested text={named.expression} values={step.values} />
          </span>
        </span>
      );
    }
    const text = step.text ?? step.factId ?? KIND_WORD[step.kind];
    if (!hasFound(step.value)) return <Tested text={text} values={step.values} />;
    return (
      <span>
        <span className="mono">{text}</span>
        <span className="dim"> = </span>
        <ReferenceLabel value={step.value} />
      </span>
    );
  }
  return (
    <SentenceView
      relation={step.relation}
      tuple={step.tuple ?? []}
      info={index.get(step.relation)}
      sense={SENSE[step.kind]}
    />
  );
}

/** `P-1 adds 30`. */
function Contribution({ step }: { step: Step }) {
  const { words, value } = givenBy(step);
  return (
    <span>
      {Object.values(step.bindings).map((each, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: variables have no identity but their place.
        <span key={place}>
          {place > 0 && <span className="dim">, </span>}
          <ReferenceLabel value={each} />
        </span>
      ))}
      <span className="dim"> {words}</span>
      {value !== undefined && (
        <>
          {' '}
          <ReferenceLabel value={value} />
        </>
      )}
    </span>
  );
}

/** Values first: the expression may be truncated. */
function UnmetLetWords({
  unmet: { name, value, needed, expression },
  values,
}: {
  unmet: UnmetLet;
  values: Step['values'];
}) {
  return (
    <span>
      <span className="mono">{name}</span> would be <Reason reason={value} values={values} />, not{' '}
      <Reason reason={needed} values={values} /> <span className="mono dim">{expression}</span>
    </span>
  );
}

/** Replaces ids by labels. */
function Reason({ reason, values }: { reason: string; values: Step['values'] }) {
  const pieces = piecesOf(
    reason,
    values.map(({ value }) => value),
  );
  return (
    <span>
      {pieces.map((piece, place) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: words have no identity but their place.
        looksLikeReference(piece) ? <ReferenceLabel key={place} value={piece} /> : <span key={place}>{piece}</span>,
      )}
    </span>
  );
}

/** A comparison with its values. */
function Tested({ text, values }: { text: string; values: Step['values'] }) {
  return (
    <span>
      {testPieces(text, values).map((piece, place) => {
        // biome-ignore-start lint/suspicious/noArrayIndexKey: words have no identity but their place.
        if (piece.kind === 'value') return <ReferenceLabel key={place} value={piece.value} />;
        return (
          <span key={place} className={piece.kind === 'source' ? 'mono' : 'dim'}>
            {piece.text}
          </span>
        );
        // biome-ignore-end lint/suspicious/noArrayIndexKey: words have no identity but their place.
      })}
    </span>
  );
}
