/** One transaction: cause, time, principal and all of its changes. */

import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { Cause, WireTransaction } from '../../../src-runtime/api/schemas/schemas.js';
import { optionsAt, usePlace } from '../../model/calls/place.js';
import { causeWords } from '../../model/facts/cause-words.js';
import { forksLocation, historyLocation, invokeLocation } from '../../model/facts/locations.js';
import { momentText } from '../../model/text/time-text.js';
import { api } from '../../server-state/api.js';
import { LoadFailure, LoadingRows } from '../failure/states.js';
import { ForkName } from '../fork/fork-name.js';
import { EventList } from './event-words.js';
import styles from './transaction-view.module.css';

const PAGE_EVENTS = 50;

interface TransactionViewProps {
  readonly txn: number;
  /** `seq` of the change to highlight. The transaction then links to the history. */
  readonly marked?: number;
  /** Content between cause and changes. */
  readonly children?: ReactNode;
}

export function TransactionView({ txn, marked, children }: TransactionViewProps) {
  const place = usePlace();
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
    // Transactions are immutable.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [first] = answer.data?.pages ?? [];
  const events = answer.data?.pages.flatMap(({ result }) => result) ?? [];
  return (
    <>
      {answer.isPending && <LoadingRows rows={2} />}
      {answer.isError && <LoadFailure error={answer.error} onRetry={() => void answer.refetch()} />}
      {first !== undefined && (
        <>
          <p className={styles.transactionHead}>
            <span className="dim">stored by</span> <CauseLink cause={first.transaction.cause} on={place.fork} />
            <Circumstances transaction={first.transaction} fork={place.fork} linked={marked !== undefined} />
          </p>
          {children}
          <EventList events={events} {...(marked !== undefined && { marked })} />
          {answer.hasNextPage && (
            <Button
              variant="subtle"
              size="compact-xs"
              loading={answer.isFetchingNextPage}
              onClick={() => void answer.fetchNextPage()}
            >
              Show more of {first.transaction.events.toLocaleString('en')} changes
            </Button>
          )}
        </>
      )}
    </>
  );
}

interface CircumstancesProps {
  readonly transaction: WireTransaction;
  /** The fork whose history is shown. */
  readonly fork: string;
  readonly linked: boolean;
}

function Circumstances({ transaction: { at, principal, fork: writtenTo, txn }, fork, linked }: CircumstancesProps) {
  const number = `transaction ${txn.toLocaleString('en')}`;
  const words = [
    momentText(at),
    linked ? (
      <Link key="number" className="link" to={historyLocation(fork, txn)}>
        {number}
      </Link>
    ) : (
      number
    ),
    <Fragment key="fork">
      on <ForkName id={writtenTo} />
    </Fragment>,
    ...(principal === null ? [] : [`for ${principal}`]),
  ];
  return (
    <span className="dim numeric">
      {words.map((word, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words of one line.
        <Fragment key={index}> · {word}</Fragment>
      ))}
    </span>
  );
}

/** Links to the mutation, the promoted fork, or the reverted or cherry-picked transaction. */
function CauseLink({ cause, on }: { cause: Cause; on: string }) {
  const { words, fork, mutation, txn } = causeWords(cause);
  if (txn !== undefined && txn > 0) {
    return (
      <Link className="link" to={historyLocation(fork ?? on, txn)}>
        {words} {fork !== undefined && <ForkName id={fork} />}
      </Link>
    );
  }
  if (fork !== undefined) {
    return (
      <Link className="link" to={forksLocation(fork)}>
        {words} <ForkName id={fork} />
      </Link>
    );
  }
  if (mutation === undefined) return <span>{words}</span>;
  return (
    <Link className="link" to={invokeLocation(mutation)}>
      {words}
    </Link>
  );
}
