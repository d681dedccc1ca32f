/** Cause, advice, place, bindings and details of a failure. */

import { Link } from 'react-router';
import { ERROR_WORDS, type ErrorWords } from '../../../src-runtime/api/error-words.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { type ApiFailure, bindingsOf, spanOf } from '../../model/facts/failure.js';
import { dataLocation, logLocation, moduleLocation } from '../../model/facts/locations.js';
import { Envelope, JsonView } from '../../ui/json-view.js';
import { KnownLabels, ReferenceLabel, useLabels } from '../../ui/reference-label.js';
import styles from './failure-view.module.css';

interface FailureFactsProps {
  readonly failure: ApiFailure;
  readonly names: ReadonlyMap<string, string>;
}

/** Renders nothing for a code that is newer than this page. */
export function FailureFacts({ failure, names }: FailureFactsProps) {
  const words = wordsOfCode(failure.code);
  const span = spanOf(failure);
  const bindings = bindingsOf(failure);
  if (words === undefined) return null;
  return (
    <dl className={styles.failureFacts}>
      <dt>Cause</dt>
      <dd>{words.cause}</dd>
      <dt>What to do</dt>
      <dd>{words.advice}</dd>
      {span !== undefined && (
        <>
          <dt>Where</dt>
          <dd>
            <Link className="link mono" to={moduleLocation(span)}>
              {span.file}:{span.start.line}
            </Link>
          </dd>
        </>
      )}
      {bindings.length > 0 && (
        <>
          <dt>Bindings</dt>
          <dd className={styles.failureBindings}>
            {bindings.map(([name, value]) => (
              <span key={name}>
                <span className="mono dim">{name}</span>{' '}
                <KnownLabels value={names}>
                  <BoundValue value={value} />
                </KnownLabels>
              </span>
            ))}
          </dd>
        </>
      )}
      {failure.requestId !== '' && (
        <>
          <dt>Request</dt>
          <dd>
            <Link className="link mono" to={logLocation(failure.requestId)}>
              {failure.requestId}
            </Link>
          </dd>
        </>
      )}
    </dl>
  );
}

/** Links an individual only if it exists on this fork. */
function BoundValue({ value }: { value: JsonValue }) {
  const labels = useLabels();
  const isHere = typeof value === 'string' && labels.get(value) !== undefined;
  return <ReferenceLabel value={value} to={isHere ? dataLocation(undefined, value) : undefined} />;
}

/** The advice alone. */
export function CodeAdvice({ code }: { code: string }) {
  return wordsOfCode(code)?.advice;
}

function wordsOfCode(code: string): ErrorWords | undefined {
  return (ERROR_WORDS as Readonly<Record<string, ErrorWords>>)[code];
}

/** The details that are not shown elsewhere, and the whole response. */
export function FailureDetails({ failure, isOpen }: { failure: ApiFailure; isOpen: boolean }) {
  const details = Object.fromEntries(Object.entries(failure.details).filter(([name]) => !SHOWN_ABOVE.has(name)));
  return (
    <>
      {Object.keys(details).length > 0 && (
        <details className={styles.failureDetails} open={isOpen}>
          <summary>Details</summary>
          <JsonView value={details} label={`Details of request ${failure.requestId}`} />
        </details>
      )}
      <Envelope envelope={failure.envelope} className={styles.failureDetails} />
    </>
  );
}

const SHOWN_ABOVE: ReadonlySet<string> = new Set(['diagnostics', 'explanations', 'names', 'span']);
