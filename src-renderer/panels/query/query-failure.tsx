/**
 * The failure of an ad-hoc text: its findings, or the error. Asks for a missing context field, because this panel has
 * no context form.
 */

import { ContextMissing } from '../../domain/failure/context-missing.js';
import { FailureView } from '../../domain/failure/failure-view.js';
import { placeContext } from '../../model/calls/place.js';
import { wantedContext } from '../../model/facts/failure.js';
import { ownValue } from '../../state/own-value.js';
import { useStore } from '../../state/store.js';
import { hasFindings, QueryFindings } from './query-findings.js';

interface QueryFailureProps {
  readonly error: unknown;
  /** The context of the failed request. */
  readonly context: Readonly<Record<string, string>>;
  /** Moves the cursor to an offset. */
  readonly onGo: (offset: number) => void;
}

export function QueryFailure({ error, context, onGo }: QueryFailureProps) {
  const current = useStore(placeContext);
  if (hasFindings(error)) return <QueryFindings error={error} onGo={onGo} />;
  const wanted = wantedContext(error);
  if (wanted === undefined) return <FailureView error={error} />;
  const given = ownValue(current, wanted.field);
  return (
    <>
      {given === undefined || given === ownValue(context, wanted.field) ? (
        <ContextMissing {...wanted} />
      ) : (
        <p role="status" className="query-context">
          <span className="mono">{wanted.field}</span> is <strong>{given}</strong> now. Run again.
        </p>
      )}
      <FailureView error={error} />
    </>
  );
}
