/** What an ad-hoc text came to that failed: its findings, or the envelope, with a field for the context that is missing, as no form here has one. */

import { ContextMissing } from '../components/context-missing.js';
import { FailureView } from '../components/failure-view.js';
import { missingField } from '../data/failure.js';
import { ownValue } from '../data/own-value.js';
import { placeContext } from '../data/place.js';
import { useStore } from '../data/store.js';
import { hasFindings, QueryFindings } from './query-findings.js';

interface QueryFailureProps {
  readonly error: unknown;
  /** Goes to a place in the text. */
  readonly onGo: (offset: number) => void;
}

export function QueryFailure({ error, onGo }: QueryFailureProps) {
  if (hasFindings(error)) return <QueryFindings error={error} onGo={onGo} />;
  const field = missingField(error);
  return (
    <>
      {field !== undefined && <MissingContext field={field} />}
      <FailureView error={error} />
    </>
  );
}

function MissingContext({ field }: { field: string }) {
  const given = ownValue(useStore(placeContext), field) ?? '';
  if (given === '') return <ContextMissing field={field} />;
  return (
    <p role="status" className="query-context">
      <span className="mono">{field}</span> is <strong>{given}</strong> by now: run it again.
    </p>
  );
}
