/** Beside a stored step: what stored it, when and for whom, and all that was written with it. */

import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'react-router';
import type { WireEvent, WireTransaction } from '../../src-runtime/api/schemas.js';
import { EventList } from '../components/event-words.js';
import { LoadFailure, LoadingRows } from '../components/states.js';
import { api } from '../data/api.js';
import { forksLocation, invokeLocation, shortName } from '../data/locations.js';
import { optionsAt, usePlace } from '../data/place.js';
import { momentText } from '../data/time-text.js';

const PAGE_EVENTS = 50;

export function StoredBy({ event }: { event: WireEvent }) {
  const place = usePlace();
  const { txn } = event;
  const answer = useInfiniteQuery({
    queryKey: ['facts', 'transaction', txn, place],
    queryFn: ({ pageParam, signal }) =>
      api.transaction(txn, {
        limit: PAGE_EVENTS,
        ...(pageParam !== undefined && { page: pageParam }),
        ...optionsAt(place, signal),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor,
    // What is written stays as it is.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [first] = answer.data?.pages ?? [];
  const events = answer.data?.pages.flatMap(({ result }) => result) ?? [];
  return (
    <section className="excerpt" aria-label="Stored by">
      {answer.isPending && <LoadingRows rows={2} />}
      {answer.isError && <LoadFailure error={answer.error} onRetry={() => void answer.refetch()} />}
      {first !== undefined && (
        <>
          <p className="excerpt-head">
            <span className="dim">stored by</span> <Cause cause={first.transaction.cause} />
            <Circumstances transaction={first.transaction} />
          </p>
          <EventList events={events} marked={event.seq} />
          {answer.hasNextPage && (
            <Button
              variant="subtle"
              size="compact-xs"
              loading={answer.isFetchingNextPage}
              onClick={() => void answer.fetchNextPage()}
            >
              Show more of its {first.transaction.events.toLocaleString('en')} events
            </Button>
          )}
        </>
      )}
    </section>
  );
}

function Circumstances({ transaction: { at, principal, fork, txn } }: { transaction: WireTransaction }) {
  const words = [
    momentText(at),
    `transaction ${txn}`,
    `on ${fork}`,
    ...(principal === null ? [] : [`for ${principal}`]),
  ];
  return (
    <span className="dim numeric">
      {words.map((word) => (
        <Fragment key={word}> · {word}</Fragment>
      ))}
    </span>
  );
}

/** Where the cause is: the mutation, or the fork that was promoted. */
function Cause({ cause }: { cause: string }) {
  const ofFork = /^(promote|undo) (.+)$/.exec(cause);
  if (ofFork !== null) {
    return (
      <Link className="link" to={forksLocation(ofFork[2])}>
        {ofFork[1] === 'promote' ? 'the promotion of' : 'the undoing of'} {ofFork[2]}
      </Link>
    );
  }
  if (cause === 'adhoc') return <span>a mutation that was sent as text</span>;
  if (cause === 'batch') return <span>a batch</span>;
  return (
    <Link className="link" to={invokeLocation(cause)}>
      {shortName(cause)}
    </Link>
  );
}
