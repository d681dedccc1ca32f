/** What an ad-hoc text came to that failed: its findings, or the envelope, with a field for the context that is missing, as no form here has one. */

import { ContextMissing } from '../../domain/failure/context-missing.js';
import { FailureView } from '../../domain/failure/failure-view.js';
import { placeContext } from '../../model/calls/place.js';
import { wantedContext } from '../../model/facts/failure.js';
import { ownValue } from '../../state/own-value.js';
import { useStore } from '../../state/store.js';
import { hasFindings, QueryFindings } from './query-findings.js';

interface QueryFailureProps {
  readonly error: unknown;
  /** That it was asked with. */
  readonly context: Readonly<Record<string, string>>;
  /** Goes to a place in the text. */
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
