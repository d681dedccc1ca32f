/** The history of a fork: its transactions, newest first, each of which opens to its cause and effects. */

import { ActionIcon, Select } from '@mantine/core';
import { IconChevronRight, IconX } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useCallback, useMemo } from 'react';
import type { ForkInfo } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { ListedTransaction } from '../../../../src-runtime/api/schemas/schemas.js';
import { Empty, LoadFailure, LoadingRows } from '../../../domain/failure/states.js';
import { ForkName } from '../../../domain/fork/fork-name.js';
import { FIRST_EVENTS, TransactionLine } from '../../../domain/past/transaction-line.js';
import { ForkOfPart, optionsAt, usePlace } from '../../../model/calls/place.js';
import { namesOf } from '../../../model/facts/locations.js';
import { relationIndex } from '../../../model/facts/relation-index.js';
import { sortedByName } from '../../../model/text/natural-order.js';
import { api } from '../../../server-state/api.js';
import { useForkNames } from '../../../server-state/forks.js';
import { keyHash } from '../../../state/plain-values.js';
import { Cut } from '../../../ui/cut.js';
import { CutMiddle } from '../../../ui/cut-middle.js';
import { ReferenceLabel } from '../../../ui/reference-label.js';
import { RowScroll } from '../../../ui/row-scroll.js';
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
  const expanded = address.txn;
  const at = rows?.findIndex(({ txn }) => txn === expanded) ?? -1;
  const sheet = isOfTransaction(address.sheet) ? undefined : address.sheet;
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
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
  const details = (txn: number, row: ListedTransaction | undefined) => (
    <Transaction {...{ fork, schema, address, change, txn, row }} />
  );
  return (
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
      {/* A link may lead to a transaction that is not loaded yet. */}
      {rows !== undefined && expanded !== undefined && at < 0 && (
        <div className={styles.historyLinked}>{details(expanded, undefined)}</div>
      )}
      {rows !== undefined && rows.length > 0 && (
        <RowScroll
          label="Transactions, newest first"
          rows={rows}
          count={rows.length}
          keyOf={({ txn }) => txn}
          extraHeight={8}
          wanted={at}
          onMore={hasNextPage && !isFetchingNextPage ? more : undefined}
          renderRow={(row) => (
            <>
              <TransactionButton
                row={row}
                fork={fork.id}
                isReverted={reverted.has(row.txn)}
                isExpanded={row.txn === expanded}
                onToggle={() => change({ txn: row.txn === expanded ? undefined : row.txn, sheet })}
              />
              {row.txn === expanded && details(row.txn, row)}
            </>
          )}
        />
      )}
    </section>
  );
}

interface TransactionButtonProps {
  readonly row: ListedTransaction;
  readonly fork: string;
  readonly isReverted: boolean;
  readonly isExpanded: boolean;
  readonly onToggle: () => void;
}

/** A transaction, and for whom it was. */
function TransactionButton({ row, fork, isReverted, isExpanded, onToggle }: TransactionButtonProps) {
  const { principal } = row;
  const nameOf = useForkNames();
  return (
    <button type="button" className={clsx('plain', styles.historyRow)} aria-expanded={isExpanded} onClick={onToggle}>
      <IconChevronRight className={styles.historyChevron} size={14} aria-hidden />
      <TransactionLine row={row} />
      <span className={clsx(styles.historyRowMore, 'dim')}>
        {isReverted && <span>reverted</span>}
        {row.fork !== fork && <CutMiddle>{`on ${nameOf(row.fork)}`}</CutMiddle>}
        {principal !== null && <Cut>{principal}</Cut>}
      </span>
    </button>
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
 * Newest first, each with its first matching events. `events` is the number of events of the fork, and part of the key: the event
 * stream covers only the current fork, so a new number shows that another one was written to.
 */
function useTransactions({ about, changed }: Filter, events: number) {
  const place = usePlace();
  const question = ['facts', 'transactions', place, about ?? null, changed ?? null];
  return useInfiniteQuery({
    queryKey: [...question, events],
    queryFn: ({ pageParam, signal }) =>
      api.transactions({
        first: FIRST_EVENTS,
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
