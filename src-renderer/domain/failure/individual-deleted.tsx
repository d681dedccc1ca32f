/** What deleted an individual and when, if the history of the fork has it, with a way to undo that. */

import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { optionsAt, sentContext, usePastReason, usePlace } from '../../model/calls/place.js';
import { causeWords } from '../../model/facts/cause-words.js';
import { historyLocation } from '../../model/facts/locations.js';
import { timeText } from '../../model/text/time-text.js';
import { api } from '../../server-state/api.js';
import { useMissingGrant } from '../../server-state/health.js';
import { undoWrite } from '../../server-state/undo-write.js';
import { notifyFailure } from './notify-failure.js';

interface IndividualDeletedProps {
  readonly id: string;
  /** Its former label, if known. */
  readonly name?: string | undefined;
}

export function IndividualDeleted({ id, name = id }: IndividualDeletedProps) {
  const place = usePlace();
  const history = useQuery({
    queryKey: ['facts', 'transactions', 'last', place, id],
    // The last transaction that wrote it deleted it.
    queryFn: ({ signal }) => api.transactions({ individual: id, limit: 1, first: 9, ...optionsAt(place, signal) }),
  });
  if (history.isPending) return <p className="dim">{name} does not exist.</p>;
  // A whole failure view would show this view again.
  if (history.isError)
    return (
      <p>
        {name} does not exist. Its history could not be read: {history.error.message}{' '}
        <Button variant="default" size="compact-xs" onClick={() => void history.refetch()}>
          Try again
        </Button>
      </p>
    );
  const [last] = history.data.result;
  if (last === undefined) return <p>{name} does not exist on this fork, and is not in its history.</p>;
  const isErased = last.first?.some(({ kind }) => kind === 'forgetIndividual') === true;
  return (
    <p>
      {name} was deleted by{' '}
      <Link className="link" to={historyLocation(place.fork, last.txn)}>
        {last.principal !== null && `${last.principal}, with `}
        {causeWords(last.cause).words} at {timeText(last.at)}
      </Link>
      . {!isErased && <UndoDeletion txn={last.txn} fork={place.fork} />}
    </p>
  );
}

/** Reverts the whole transaction. If later changes are in the way, the user decides in its sheet. */
function UndoDeletion({ txn, fork }: { readonly txn: number; readonly fork: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const missingGrant = useMissingGrant('fork');
  const past = usePastReason();
  const undo = useMutation({
    mutationFn: () => {
      const action = { kind: 'revert', txn } as const;
      return undoWrite(client, { action, fork, context: sentContext(), txns: [txn], events: [] }, action);
    },
    onSuccess: ({ decision }) => decision !== undefined && navigate(decision),
    onError: (error) => notifyFailure('Undo failed', error),
  });
  if (missingGrant !== undefined) return null;
  return (
    <Button
      variant="default"
      size="compact-xs"
      loading={undo.isPending}
      disabled={past !== undefined}
      title={past}
      onClick={() => undo.mutate()}
    >
      Undo
    </Button>
  );
}
