/** The history of a fork: its transactions, newest first, and the selected one with its cause and effects. */

import { ActionIcon, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useMemo } from 'react';
import type { ForkInfo } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { ListedTransaction } from '../../../../src-runtime/api/schemas/schemas.js';
import { EventWords } from '../../../domain/calls/event-words.js';
import { Empty, LoadFailure, LoadingRows } from '../../../domain/failure/states.js';
import { ForkName } from '../../../domain/fork/fork-name.js';
import { ForkOfPart, optionsAt, usePlace } from '../../../model/calls/place.js';
import { causeWords } from '../../../model/facts/cause-words.js';
import { namesOf } from '../../../model/facts/locations.js';
import { relationIndex } from '../../../model/facts/relation-index.js';
import { sortedByName } from '../../../model/text/natural-order.js';
import { shortTimeText } from '../../../model/text/time-text.js';
import { api } from '../../../server-state/api.js';
import { useForkNames } from '../../../server-state/forks.js';
import { keyHash } from '../../../state/plain-values.js';
import { ChoiceList } from '../../../ui/choice-list.js';
import { Cut } from '../../../ui/cut.js';
import { CutMiddle } from '../../../ui/cut-middle.js';
import { Panes } from '../../../ui/panes/panes.js';
import { ReferenceLabel } from '../../../ui/reference-label.js';
import type { RelationIndex } from '../compare/comparison-rows.js';
import { type ForksAddress, isOfTransaction } from '../panel-address.js';
import styles from './history-view.module.css';
import { revertedIn } from './reverted.js';
import { Transaction } from './transaction-pane.js';

interface HistoryViewProps {
  readonly fork: ForkInfo;
  readonly schema: ServedSchema;
  readonly address: ForksAddress;
  readonly change: (change: Partial<ForksAddress>) => void;
}

export function HistoryView(props: HistoryViewProps) {
  return (
    <ForkOfPart.Provider value={props.fork.id}>
      <History {...props} />
    </ForkOfPart.Provider>
  );
}

function History({ fork, schema, address, change }: HistoryViewProps) {
  const { about, changed } = address;
  const transactions = useTransactions({ about, changed }, fork.events);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = transactions;
  const index = useMemo(() => relationIndex(schema), [schema]);
  const rows = useMemo(() => data?.pages.flatMap(({ result }) => result), [data]);
  const reverted = useMemo(() => revertedIn(rows ?? []), [rows]);
  const isNarrowed = about !== undefined || changed !== undefined;
  const shown = address.txn ?? rows?.[0]?.txn;
  const sheet = isOfTransaction(address.sheet) ? undefined : address.sheet;
  if (rows?.length === 0 && !isNarrowed) {
    return (
      <Empty title="No transactions yet">
        <p>
          <ForkName id={fork.id} /> has only the facts that the module declares. Each mutation that changes facts is
          listed here, with its conclusions.
        </p>
      </Empty>
    );
  }
  return (
    <Panes
      id="fork-history"
      panes={[
        {
          id: 'transactions',
          size: 320,
          minSize: 200,
          stackedHeight: 240,
          content: (
            <section className={clsx('pane', styles.historyList)} aria-label="Transactions">
              <HistoryFilter
                filter={{ about, changed }}
                index={index}
                onChange={(filter) => change({ ...filter, txn: undefined, sheet })}
              />
              {error !== null && <LoadFailure error={error} onRetry={() => void refetch()} />}
              {rows === undefined && error === null && <LoadingRows />}
              {rows?.length === 0 && (
                <p className="pane-padded dim" role="status">
                  No matches in the history of <ForkName id={fork.id} />.
                </p>
              )}
              {rows !== undefined && rows.length > 0 && (
                <ChoiceList
                  label="Transactions, newest first"
                  rows={rows}
                  keyOf={(row) => row.txn}
                  selected={shown}
                  onChoose={(row) => change({ txn: row.txn, sheet })}
                  className={styles.historyRow}
                  extraHeight={20}
                  onEnd={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
                  renderRow={(row) => <TransactionLines row={row} fork={fork.id} isReverted={reverted.has(row.txn)} />}
                />
              )}
            </section>
          ),
        },
        {
          id: 'transaction',
          minSize: 280,
          stackedHeight: 400,
          content:
            shown === undefined ? null : (
              <Transaction
                key={shown}
                {...{ fork, schema, address, change }}
                txn={shown}
                row={rows?.find(({ txn }) => txn === shown)}
              />
            ),
        },
      ]}
    />
  );
}

interface TransactionLinesProps {
  readonly row: ListedTransaction;
  readonly fork: string;
  readonly isReverted: boolean;
}

function TransactionLines({ row, fork, isReverted }: TransactionLinesProps) {
  const { cause, at, first, events, principal } = row;
  const { words, fork: source } = causeWords(cause);
  const nameOf = useForkNames();
  return (
    <>
      <span className={styles.historyRowLine}>
        <Cut className={styles.historyRowCause}>{source === undefined ? words : `${words} ${nameOf(source)}`}</Cut>
        {isReverted && <span className={styles.historyUndone}>reverted</span>}
        <span className="pane-spacer" />
        {row.fork !== fork && <CutMiddle className="dim">{`on ${nameOf(row.fork)}`}</CutMiddle>}
        <time className="dim numeric" dateTime={at}>
          {shortTimeText(at)}
        </time>
      </span>
      <span className={clsx(styles.historyRowLine, 'dim')}>
        <Cut>
          {first?.map((event) => (
            <EventWords key={event.seq} event={event} />
          ))}
          {events > 1 && ` and ${(events - 1).toLocaleString('en')} more`}
        </Cut>
        <span className="pane-spacer" />
        {principal !== null && <Cut className={styles.historyRowWho}>{principal}</Cut>}
      </span>
    </>
  );
}

/** The option for all relations. No path is empty. */
const EVERYTHING = '';

interface HistoryFilterProps {
  readonly filter: Filter;
  readonly index: RelationIndex;
  readonly onChange: (change: Partial<Filter>) => void;
}

/** Filters the history by relation or field, and by individual. */
function HistoryFilter({ filter: { about, changed }, index, onChange }: HistoryFilterProps) {
  const options = useMemo(() => {
    const nameOf = namesOf([...index.keys()]);
    const stored = [...index.values()].filter(
      ({ kind }) => kind === 'stored' || kind === 'field' || kind === 'concept',
    );
    const paths = sortedByName(stored, ({ path }) => nameOf(path)).map(({ path }) => ({
      value: path,
      label: nameOf(path),
    }));
    return [{ value: EVERYTHING, label: 'everything' }, ...paths];
  }, [index]);
  return (
    <div className={styles.historyFilter}>
      <Select
        size="xs"
        aria-label="Changes of"
        leftSection={<span className="dim">changes of</span>}
        leftSectionWidth={84}
        data={options}
        value={changed ?? EVERYTHING}
        allowDeselect={false}
        searchable
        limit={100}
        onChange={(value) => onChange({ changed: value === EVERYTHING ? undefined : (value ?? undefined) })}
      />
      {about !== undefined && (
        <span className={styles.historyAbout}>
          <span className="dim">about</span> <ReferenceLabel value={about} reference />
          <ActionIcon size="xs" aria-label="Any individual" onClick={() => onChange({ about: undefined })}>
            <IconX size={12} />
          </ActionIcon>
        </span>
      )}
    </div>
  );
}

const PAGE_TRANSACTIONS = 100;

/** Selects the transactions that mention an individual or changed a relation; all if both are undefined. */
interface Filter {
  readonly about: string | undefined;
  readonly changed: string | undefined;
}

/**
 * Newest first, each with its first matching event. `events` is the number of events of the fork, and part of the key: the event
 * stream covers only the current fork, so a new number shows that another one was written to.
 */
function useTransactions({ about, changed }: Filter, events: number) {
  const place = usePlace();
  const question = ['facts', 'transactions', place, about ?? null, changed ?? null];
  return useInfiniteQuery({
    queryKey: [...question, events],
    queryFn: ({ pageParam, signal }) =>
      api.transactions({
        first: 1,
        limit: PAGE_TRANSACTIONS,
        ...(about !== undefined && { individual: about }),
        ...(changed !== undefined && { relation: changed }),
        ...(pageParam !== undefined && { page: pageParam }),
        ...optionsAt(place, signal),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: (previous, query) =>
      keyHash(query?.queryKey.slice(0, question.length) ?? []) === keyHash(question) ? previous : undefined,
  });
}
