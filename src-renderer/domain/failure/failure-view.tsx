/** A failure: code, status, message, violations, diagnostics, cause and advice. */

import { clsx } from 'clsx';
import { lazy, Suspense, useMemo } from 'react';
import { Link } from 'react-router';
import {
  type ApiFailure,
  ConnectionFailure,
  diagnosticsOf,
  failureOf,
  namesOf,
  statusOfCode,
  violationsOf,
} from '../../model/facts/failure.js';
import { codeLocation } from '../../model/facts/locations.js';
import { loadPart } from '../../server-state/load-part.js';
import { BreakingName } from '../../ui/breaking-name.js';
import { Glyph, type GlyphKind } from '../../ui/glyph.js';
import { NamedText } from '../../ui/named-text.js';
import { KnownLabels } from '../../ui/reference-label.js';
import { DiagnosticList } from './diagnostic-list.js';
import styles from './failure-view.module.css';

/** Loaded on demand: the texts of all codes are not part of the first chunk. */
export const loadFailureFacts = () => import('./failure-facts.js');

const FailureFacts = lazy(async () => ({ default: (await loadPart(loadFailureFacts)).FailureFacts }));

const FailureDetails = lazy(async () => ({ default: (await loadPart(loadFailureFacts)).FailureDetails }));

const ViolationList = lazy(async () => ({
  default: (await loadPart(() => import('./failure-violations.js'))).FailureViolations,
}));

const ArgumentRepairs = lazy(async () => ({
  default: (await loadPart(() => import('./argument-repairs.js'))).ArgumentRepairs,
}));

/** The advice alone. */
export const CodeAdvice = lazy(async () => ({ default: (await loadPart(loadFailureFacts)).CodeAdvice }));

interface FailureViewProps {
  readonly error: unknown;
  /** Glyph of the severity, in a list with other severities. */
  readonly glyph?: GlyphKind;
}

export function FailureView({ error, glyph = 'blocking' }: FailureViewProps) {
  const failure = failureOf(error);
  if (failure === undefined) {
    return (
      <div className={styles.failure} role="alert">
        <div className={styles.failureHead}>
          <Glyph kind={glyph} />
          <strong>{error instanceof Error ? error.message : String(error)}</strong>
        </div>
        {error instanceof ConnectionFailure && (
          <p className={styles.failureMessage}>
            Your input is kept. Try again when the status line shows that the server is back.
          </p>
        )}
      </div>
    );
  }
  return <Refusal failure={failure} glyph={glyph} />;
}

function Refusal({ failure, glyph }: { failure: ApiFailure; glyph: GlyphKind }) {
  const firings = violationsOf(failure);
  const diagnostics = diagnosticsOf(failure);
  const names = useMemo(() => namesOf(failure.details), [failure]);
  return (
    <div className={styles.failure} role="alert">
      <div className={styles.failureHead}>
        <Glyph kind={glyph} />
        {statusOfCode(failure.code) === undefined ? (
          <strong className={clsx('mono', styles.failureCode)}>{failure.code}</strong>
        ) : (
          <Link className={clsx('mono', styles.failureCode)} to={codeLocation(failure.code)}>
            <BreakingName>{failure.code}</BreakingName>
          </Link>
        )}
        <span className={clsx('dim', 'numeric', styles.failureStatus)}>{failure.status}</span>
      </div>
      <p className={styles.failureMessage}>
        <KnownLabels value={names}>
          <NamedText text={failure.message} />
        </KnownLabels>
      </p>
      {firings.length > 0 && (
        <Suspense>
          <ViolationList failure={failure} />
        </Suspense>
      )}
      {failure.code === 'SVC_RUNTIME_VALIDATION_FAILED' && (
        <Suspense>
          <ArgumentRepairs failure={failure} />
        </Suspense>
      )}
      {diagnostics.length > 0 && <DiagnosticList diagnostics={diagnostics} />}
      <Suspense>
        <FailureFacts failure={failure} names={names} />
      </Suspense>
      <Suspense>
        <FailureDetails failure={failure} isOpen={firings.length === 0} />
      </Suspense>
    </div>
  );
}
