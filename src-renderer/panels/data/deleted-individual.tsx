/** For an individual that does not exist: what deleted it and when, if it is in the history of the fork. */

import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { optionsAt, usePlace } from '../../model/calls/place.js';
import { causeWords } from '../../model/facts/cause-words.js';
import { historyLocation } from '../../model/facts/locations.js';
import { timeText } from '../../model/text/time-text.js';
import { api } from '../../server-state/api.js';

/** `name` is its former label, if known. */
export function DeletedIndividual({ id, name = id }: { id: string; name?: string | undefined }) {
  const place = usePlace();
  const history = useQuery({
    queryKey: ['facts', 'transactions', 'last', place, id],
    // The last transaction that wrote it deleted it.
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
