/**
 * The failure of an ad-hoc text: its findings, or the error. Asks for a missing context field, because this panel has
 * no context form.
 */

import type { Diagnostic } from '../../../src-runtime/base/diagnostic.js';
import { ContextMissing } from '../../domain/failure/context-missing.js';
import { FailureView } from '../../domain/failure/failure-view.js';
import { placeContext } from '../../model/calls/place.js';
import { type ApiFailure, diagnosticsOf, failureOf, wantedContext } from '../../model/facts/failure.js';
import { ownValue } from '../../state/own-value.js';
import { useStore } from '../../state/store.js';
import { Glyph } from '../../ui/glyph.js';
import styles from './query.module.css';

interface QueryFailureProps {
  readonly error: unknown;
  /** The context of the failed request. */
  readonly context: Readonly<Record<string, string>>;
  /** Moves the cursor to an offset. */
  readonly onGo: (offset: number) => void;
}

export function QueryFailure({ error, context, onGo }: QueryFailureProps) {
  const pageContext = useStore(placeContext);
  if (hasFindings(error)) return <QueryFindings error={error} onGo={onGo} />;
  const missing = wantedContext(error);
  if (missing === undefined) return <FailureView error={error} />;
  const current = ownValue(pageContext, missing.field);
  return (
    <>
      {current === undefined || current === ownValue(context, missing.field) ? (
        <ContextMissing {...missing} />
      ) : (
        <p role="status" className={styles.queryContext}>
          <span className="mono">{missing.field}</span> is <strong>{current}</strong> now. Run again.
        </p>
      )}
      <FailureView error={error} />
    </>
  );
}

interface QueryFindingsProps {
  readonly error: unknown;
  /** Moves the cursor to an offset. */
  readonly onGo: (offset: number) => void;
}

function QueryFindings({ error, onGo }: QueryFindingsProps) {
  const refusal = refusalOf(error);
  if (refusal === undefined) return null;
  const { failure, findings } = refusal;
  return (
    <div role="alert">
      <p>
        <strong>Not run: the text has errors.</strong> <span className="dim mono">{failure.code}</span>
      </p>
      <ul className={styles.queryFindings}>
        {findings.map(({ code, severity, message, hint, span }) => (
          <li key={`${code} ${span.start.offset}`}>
            <Glyph kind={severity === 'error' ? 'blocking' : 'warning'} label={severity} />
            <span>
              {message}
              {hint !== undefined && <span className="dim"> · {hint}</span>}
              <span className="dim"> · </span>
              <button type="button" className="plain link numeric" onClick={() => onGo(span.start.offset)}>
                line {span.start.line}, column {span.start.column}
              </button>
              <span className="dim">, {code}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Undefined if the failure has no findings. */
export function refusalOf(
  error: unknown,
): { readonly failure: ApiFailure; readonly findings: readonly Diagnostic[] } | undefined {
  const failure = failureOf(error);
  if (failure === undefined || !REFUSALS.has(failure.code)) return undefined;
  return { failure, findings: diagnosticsOf(failure) };
}

function hasFindings(error: unknown): boolean {
  return (refusalOf(error)?.findings.length ?? 0) > 0;
}

const REFUSALS = new Set(['SVC_RUNTIME_ADHOC_TYPE_ERROR', 'SVC_RUNTIME_ADHOC_PREPARATION_FAILED']);
