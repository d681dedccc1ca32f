/** Of an individual that there is not: what deleted it and when, where the history of the fork tells. */

import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { optionsAt, usePlace } from '../../model/calls/place.js';
import { causeWords } from '../../model/facts/cause-words.js';
import { historyLocation } from '../../model/facts/locations.js';
import { timeText } from '../../model/text/time-text.js';
import { api } from '../../server-state/api.js';

/** `name` is what it was called, where that is known. */
export function Gone({ id, name = id }: { id: string; name?: string | undefined }) {
  const place = usePlace();
  const history = useQuery({
    queryKey: ['facts', 'transactions', 'last', place, id],
    // What wrote of it last is what deleted it.
    queryFn: ({ signal }) => api.transactions({ individual: id, limit: 1, ...optionsAt(place, signal) }),
  });
  if (history.isPending) return <LoadingRows rows={1} />;
  if (history.isError) return <LoadFailure error={history.error} onRetry={() => void history.refetch()} />;
  const [last] = history.data.result;
  if (last === undefined) {
    return <p className="pane-padded">{name} does not exist on this fork, and is not in its history.</p>;
  }
  return (
    <p className="pane-padded">
      {name} was deleted by{' '}
      <Link className="link" to={historyLocation(place.fork, last.txn)}>
        {causeWords(last.cause).words} at {timeText(last.at)}
      </Link>
      .
    </p>
  );
}
