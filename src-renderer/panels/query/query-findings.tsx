/** The findings of a refused ad-hoc text. The editor marks them too. */

import type { Diagnostic } from '../../../src-runtime/base/diagnostic.js';
import { type ApiFailure, diagnosticsOf, failureOf } from '../../model/facts/failure.js';
import { Glyph } from '../../ui/glyph.js';

const REFUSALS = new Set(['SVC_RUNTIME_ADHOC_TYPE_ERROR', 'SVC_RUNTIME_ADHOC_PREPARATION_FAILED']);

/** Undefined if the failure has no findings. */
export function refusalOf(
  error: unknown,
): { readonly failure: ApiFailure; readonly findings: readonly Diagnostic[] } | undefined {
  const failure = failureOf(error);
  if (failure === undefined || !REFUSALS.has(failure.code)) return undefined;
  return { failure, findings: diagnosticsOf(failure) };
}

export function hasFindings(error: unknown): boolean {
  return (refusalOf(error)?.findings.length ?? 0) > 0;
}

interface QueryFindingsProps {
  readonly error: unknown;
  /** Moves the cursor to an offset. */
  readonly onGo: (offset: number) => void;
}

export function QueryFindings({ error, onGo }: QueryFindingsProps) {
  const refusal = refusalOf(error);
  if (refusal === undefined) return null;
  const { failure, findings } = refusal;
  return (
    <div role="alert">
      <p>
        <strong>Not run: the text has errors.</strong> <span className="dim mono">{failure.code}</span>
      </p>
      <ul className="query-findings">
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
