/** A failure as the envelope says it: code, status, message, firings, details, and from the registry what to do. */

import { useMemo } from 'react';
import { Link } from 'react-router';
import {
  type ApiFailure,
  ConnectionFailure,
  diagnosticsOf,
  failureOf,
  firingsOf,
  namesOf,
  registryRow,
  spanOf,
} from '../data/failure.js';
import { codeLocation, logLocation, moduleLocation } from '../data/locations.js';
import { DiagnosticList } from './diagnostic-list.js';
import { ViolationList } from './firing-list.js';
import { Glyph, type GlyphKind } from './glyph.js';
import { JsonView } from './json-view.js';
import { NamedText } from './named-text.js';
import { KnownLabels } from './reference-label.js';
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
  const row = registryRow(failure.code);
  const firings = firingsOf(failure);
  const diagnostics = diagnosticsOf(failure);
  const span = spanOf(failure);
  const names = useMemo(() => namesOf(failure.details), [failure]);
  // What is shown in words above is not shown again as JSON.
  const details = Object.fromEntries(
    Object.entries(failure.details).filter(([name]) => !['diagnostics', 'names', 'span'].includes(name)),
  );
  return (
    <div className="failure" role="alert">
      <div className="failure-head">
        <Glyph kind={glyph} />
        {row === undefined ? (
          <strong className="mono failure-code">{failure.code}</strong>
        ) : (
          <Link className="mono failure-code" to={codeLocation(failure.code)}>
            {failure.code}
          </Link>
        )}
        <span className="dim numeric">{failure.status}</span>
      </div>
      <p className="failure-message">
        <KnownLabels value={names}>
          <NamedText text={failure.message} />
        </KnownLabels>
      </p>
      {firings.length > 0 && <ViolationList failure={failure} />}
      {diagnostics.length > 0 && <DiagnosticList diagnostics={diagnostics} />}
      {row !== undefined && (
        <dl className="failure-facts">
          <dt>When</dt>
          <dd>{row.condition}</dd>
          <dt>What to do</dt>
          <dd>{row.remedy}</dd>
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
      )}
      {Object.keys(details).length > 0 && (
        <details className="failure-details" open={firings.length === 0}>
          <summary>Details</summary>
          <JsonView value={details} />
        </details>
      )}
    </div>
  );
}
