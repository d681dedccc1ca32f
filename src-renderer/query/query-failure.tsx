/** What an ad-hoc text came to that failed: its findings, or the envelope, with a field for the context that is missing, as no form here has one. */

import { ContextMissing } from '../components/context-missing.js';
import { FailureView } from '../components/failure-view.js';
import { wantedContext } from '../data/failure.js';
import { ownValue } from '../data/own-value.js';
import { placeContext } from '../data/place.js';
import { useStore } from '../data/store.js';
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
          <span className="mono">{wanted.field}</span> is <strong>{given}</strong> by now: run it again.
        </p>
      )}
      <FailureView error={error} />
    </>
  );
}
