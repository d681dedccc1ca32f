/** A failure as the envelope says it: code, status, message, firings, details, why it came and what to do. */

import { useMemo } from 'react';
import { Link } from 'react-router';
import type { ErrorWords } from '../../src-runtime/api/error-words.js';
import type { JsonValue } from '../../src-runtime/api/schemas.js';
import {
  type ApiFailure,
  bindingsOf,
  ConnectionFailure,
  diagnosticsOf,
  failureOf,
  firingsOf,
  namesOf,
  spanOf,
  wordsOfCode,
} from '../data/failure.js';
import { codeLocation, dataLocation, logLocation, moduleLocation } from '../data/locations.js';
import { BreakingName } from './breaking-name.js';
import { DiagnosticList } from './diagnostic-list.js';
import { Glyph, type GlyphKind } from './glyph.js';
import { JsonView } from './json-view.js';
import { NamedText } from './named-text.js';
import { KnownLabels, ReferenceLabel, useLabels } from './reference-label.js';
import { ViolationList } from './violation-list.js';
import './failure-view.css';

interface FailureViewProps {
  readonly error: unknown;
  /** How it is marked, where it stands beside others that are marked by how bad they are. */
  readonly glyph?: GlyphKind;
}

export function FailureView({ error, glyph = 'blocking' }: FailureViewProps) {
  const failure = failureOf(error);
  if (failure === undefined) {
    return (
      <div className="failure" role="alert">
        <div className="failure-head">
          <Glyph kind={glyph} />
          <strong>{error instanceof Error ? error.message : String(error)}</strong>
        </div>
        {error instanceof ConnectionFailure && (
          <p className="failure-message">
            What you typed is kept. The status line tells once the server answers again; then try again.
          </p>
        )}
      </div>
    );
  }
  return <Envelope failure={failure} glyph={glyph} />;
}

function Envelope({ failure, glyph }: { failure: ApiFailure; glyph: GlyphKind }) {
  const words = wordsOfCode(failure.code);
  const firings = firingsOf(failure);
  const diagnostics = diagnosticsOf(failure);
  const names = useMemo(() => namesOf(failure.details), [failure]);
  // What is shown in words above is not shown again as JSON.
  const details = Object.fromEntries(
    Object.entries(failure.details).filter(
      ([name]) => !['diagnostics', 'explanations', 'names', 'span'].includes(name),
    ),
  );
  return (
    <div className="failure" role="alert">
      <div className="failure-head">
        <Glyph kind={glyph} />
        {words === undefined ? (
          <strong className="mono failure-code">{failure.code}</strong>
        ) : (
          <Link className="mono failure-code" to={codeLocation(failure.code)}>
            <BreakingName>{failure.code}</BreakingName>
          </Link>
        )}
        <span className="dim numeric failure-status">{failure.status}</span>
      </div>
      <p className="failure-message">
        <KnownLabels value={names}>
          <NamedText text={failure.message} />
        </KnownLabels>
      </p>
      {firings.length > 0 && <ViolationList failure={failure} />}
      {diagnostics.length > 0 && <DiagnosticList diagnostics={diagnostics} />}
      {words !== undefined && <Facts failure={failure} words={words} names={names} />}
      {Object.keys(details).length > 0 && (
        <details className="failure-details" open={firings.length === 0}>
          <summary>Details</summary>
          <JsonView value={details} label={`Details of request ${failure.requestId}`} />
        </details>
      )}
    </div>
  );
}

interface FactsProps {
  readonly failure: ApiFailure;
  readonly words: ErrorWords;
  readonly names: ReadonlyMap<string, string>;
}

/** What the code means and what to do, and what the failure is about. */
function Facts({ failure, words, names }: FactsProps) {
  const span = spanOf(failure);
  const bindings = bindingsOf(failure);
  return (
    <dl className="failure-facts">
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
          <dt>With</dt>
          <dd className="failure-bindings">
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

/** Leads to an individual that is here: one of another fork, say, cannot be opened on this one. */
function BoundValue({ value }: { value: JsonValue }) {
  const labels = useLabels();
  const isHere = typeof value === 'string' && labels.get(value) !== undefined;
  return <ReferenceLabel value={value} to={isHere ? dataLocation(undefined, value) : undefined} />;
}
