/** Details of the selected step: tuple, rule, source, and the change that stored it. */

import { CopyButton, Tooltip, UnstyledButton } from '@mantine/core';
import { clsx } from 'clsx';
import { type ReactNode, useContext } from 'react';
import { Link } from 'react-router';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { takenText, workedOut } from '../../../src-runtime/base/aggregation-words.js';
import type { Span } from '../../../src-runtime/base/span.js';
import { inBrief, plainText, SHOWN_LETTERS_MAX } from '../../model/facts/labels.js';
import { explainLocation, moduleLocation, type OtherState, shortName } from '../../model/facts/locations.js';
import { rawFact } from '../../model/sentences/sentence.js';
import { momentText } from '../../model/text/time-text.js';
import { LocalNames, ReferenceLabel } from '../../ui/reference-label.js';
import { clauseName, kindWord, type Step, type StepKind, UNMET, unmetLetOf } from './proof-outline.js';
import styles from './step-details.module.css';
import { type Index, StepGlyph, StepSentence } from './step-view.js';

interface StepDetailsProps {
  readonly step: Step | undefined;
  readonly index: Index;
  /** False if the loaded source is not the one of the step. */
  readonly hasSource?: boolean;
  /** State of the explanation; undefined for the current one. */
  readonly other?: OtherState | undefined;
}

export function StepDetails({ step, index, hasSource = true, other }: StepDetailsProps) {
  const ofTheScope = useContext(LocalNames) === undefined;
  if (step === undefined) return <p className={clsx(styles.detailsHint, 'dim')}>Select a step to see its details.</p>;
  const raw = step.relation === undefined ? undefined : rawFact(step.relation, step.tuple ?? []);
  const bindings = Object.entries(step.bindings);
  const { aggregation } = step;
  const worked = aggregation && workedOut<JsonValue>(aggregation, plainText);
  return (
    <div className={styles.details} aria-live="polite">
      <p className={styles.detailsSentence}>
        <StepGlyph kind={step.kind} />
        <span className="dim">{kindWord(step)}</span>
        <StepSentence step={step} index={index} />
      </p>
      <dl className={styles.detailsFacts}>
        {raw !== undefined && (
          <>
            <dt>Tuple</dt>
            <dd>
              <CopyButton value={raw}>
                {({ copied, copy }) => (
                  <Tooltip label={copied ? 'Copied' : 'Copy'}>
                    <UnstyledButton className={clsx('mono', styles.detailsRaw)} onClick={copy}>
                      {inBrief(raw, SHOWN_LETTERS_MAX)}
                    </UnstyledButton>
                  </Tooltip>
                )}
              </CopyButton>
            </dd>
          </>
        )}
        {SPELLED.has(step.kind) && step.text !== undefined && (
          <>
            <dt>Premise</dt>
            <dd className="mono">{step.text}</dd>
          </>
        )}
        {/* The sentence above shows the values of a `let`. */}
        {step.reason !== undefined && unmetLetOf(step) === undefined && (
          <>
            <dt>Found</dt>
            <dd>{step.reason}</dd>
          </>
        )}
        {aggregation !== undefined && (
          <>
            <dt>Aggregates</dt>
            <dd className="numeric">{takenText(aggregation)}</dd>
          </>
        )}
        {worked !== undefined && (
          <>
            <dt>Value</dt>
            <dd className="numeric">{worked}</dd>
          </>
        )}
        {step.rule !== undefined && step.span !== undefined && (
          <>
            <dt>Rule</dt>
            <dd>
              <Source className="link" span={hasSource ? step.span : undefined}>
                {shortName(step.rule.path)}, {clauseName(step.rule)}
              </Source>{' '}
              <span className="mono dim">
                {step.span.file}:{step.span.start.line}
              </span>
            </dd>
          </>
        )}
        {step.rule === undefined && step.span !== undefined && (
          <>
            <dt>Source</dt>
            <dd>
              <Source className="link mono" span={hasSource ? step.span : undefined}>
                {step.span.file}:{step.span.start.line}
              </Source>
            </dd>
          </>
        )}
        {step.event !== undefined && (
          <>
            <dt>Change</dt>
            <dd className="numeric">
              {step.event.seq}, transaction {step.event.txn}, {momentText(step.event.at)}
            </dd>
          </>
        )}
        {bindings.length > 0 && (
          <>
            <dt>Bindings</dt>
            <dd className={styles.detailsBindings}>
              {bindings.map(([name, value]) => (
                <span key={name}>
                  <span className="mono dim">{name}</span> <ReferenceLabel value={value} />
                </span>
              ))}
            </dd>
          </>
        )}
        {step.cut && (
          <>
            <dt>Truncated</dt>
            <dd>
              {isShortened(step) ? (
                <>Only {shownOf(step).toLocaleString('en')} are shown. The value includes all.</>
              ) : step.cutBy === 'levels' ? (
                <>The proof is deeper than 1,000 levels. Explain this fact to see the rest.</>
              ) : (
                <>
                  The proof reached the node limit. Explain this fact to see the rest, or start the server with a higher{' '}
                  <code className="mono">--explain-nodes</code>.
                </>
              )}
            </dd>
          </>
        )}
        {ofTheScope && NOT_THERE.has(step.kind) && wholeTuple(step) !== undefined && (
          <>
            <dt>Explain</dt>
            <dd>
              <Link className="link" to={explainLocation(step.relation, wholeTuple(step), undefined, other)}>
                Why not?
              </Link>
            </dd>
          </>
        )}
      </dl>
    </div>
  );
}

function shownOf({ aggregation }: Step): number {
  return aggregation?.contributions.length ?? 0;
}

/** The aggregate has more contributions than shown. */
function isShortened(step: Step): boolean {
  const { aggregation } = step;
  return aggregation !== undefined && shownOf(step) < aggregation.taken + (aggregation.skipped ?? 0);
}

/** Steps whose source text differs from their sentence. */
const SPELLED: ReadonlySet<StepKind> = new Set([...UNMET, 'test', 'aggregate']);

/** Missing facts, which can be explained. */
const NOT_THERE: ReadonlySet<StepKind> = new Set(['missing', 'missingToo', 'absent']);

interface SourceProps {
  readonly className: string | undefined;
  /** Undefined if the source does not match. */
  readonly span: Span | undefined;
  readonly children: ReactNode;
}

function Source({ className, span, children }: SourceProps) {
  if (span === undefined) return <span>{children}</span>;
  return (
    <Link className={className} to={moduleLocation(span)}>
      {children}
    </Link>
  );
}

function wholeTuple(step: Step): JsonValue[] | undefined {
  if (step.relation === undefined || step.tuple === undefined || step.tuple.length === 0) return undefined;
  return step.tuple.every((value) => value !== null) ? [...step.tuple] : undefined;
}
