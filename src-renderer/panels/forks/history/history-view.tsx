/** The history of a fork: its transactions, the last first, and of the chosen one what wrote it and what it came to. */

import { ActionIcon, Button, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useContext, useMemo } from 'react';
import type { ForkInfo } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { ListedTransaction } from '../../../../src-runtime/api/schemas/schemas.js';
import { EffectsView } from '../../../domain/calls/effects-view.js';
import { EventWords } from '../../../domain/calls/event-words.js';
import { TransactionView } from '../../../domain/calls/transaction-view.js';
import { Empty, LoadFailure, LoadingRows } from '../../../domain/failure/states.js';
import { ForkName } from '../../../domain/fork/fork-name.js';
import { ForkOfPart, usePlace } from '../../../model/calls/place.js';
import { causeWords } from '../../../model/facts/cause-words.js';
import { idLabel } from '../../../model/facts/labels.js';
import { namesOf } from '../../../model/facts/locations.js';
import { relationIndex } from '../../../model/facts/relation-index.js';
import { namesOfEffects } from '../../../model/sentences/effects-model.js';
import { sortedByName } from '../../../model/text/natural-order.js';
import { shortTimeText } from '../../../model/text/time-text.js';
import { useTransactionEffects } from '../../../server-state/facts.js';
import { useForkNames } from '../../../server-state/forks.js';
import { ChoiceList } from '../../../ui/choice-list.js';
import { Cut } from '../../../ui/cut.js';
import { CutMiddle } from '../../../ui/cut-middle.js';
import { Panes } from '../../../ui/panes/panes.js';
import { KnownLabels, ReferenceLabel, useLabels } from '../../../ui/reference-label.js';
import type { RelationIndex } from '../compare/difference-list.js';
import { SHEET_BUTTONS } from '../fork-header.js';
import { deedText } from '../fork-suggestion.js';
import { newForkDraft } from '../new-fork-form.js';
import { type ForkSheet, type ForksAddress, isOfTransaction } from '../panel-address.js';
import { useForksGranted } from '../use-fork-actions.js';
import { revertedIn } from './reverted.js';
import type { HistoryWish } from './use-history.js';
import { useTransactions } from './use-history.js';

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
  const undone = useMemo(() => revertedIn(rows ?? []), [rows]);
  const isNarrowed = about !== undefined || changed !== undefined;
  const shown = address.txn ?? rows?.[0]?.txn;
  const sheet = isOfTransaction(address.sheet) ? undefined : address.sheet;
  if (rows?.length === 0 && !isNarrowed) {
    return (
      <Empty title="Nothing was written yet">
        <p>
          <ForkName id={fork.id} /> has what the module declares. Every mutation that changes something is a line here,
          with what followed from it.
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
            <section className="pane history-list" aria-label="Transactions">
              <HistoryFilter
                wish={{ about, changed }}
                index={index}
                onChange={(wish) => change({ ...wish, txn: undefined, sheet })}
              />
              {error !== null && <LoadFailure error={error} onRetry={() => void refetch()} />}
              {rows === undefined && error === null && <LoadingRows />}
              {rows?.length === 0 && (
                <p className="pane-padded dim" role="status">
                  No transaction in the history of <ForkName id={fork.id} /> has changed that.
                </p>
              )}
              {rows !== undefined && rows.length > 0 && (
                <ChoiceList
                  label="Transactions, the last first"
                  rows={rows}
                  keyOf={(row) => row.txn}
                  chosen={shown}
                  onChoose={(row) => change({ txn: row.txn, sheet })}
                  className="history-row"
                  extraHeight={20}
                  onEnd={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
                  renderRow={(row) => <TransactionLines row={row} fork={fork.id} isUndone={undone.has(row.txn)} />}
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
  readonly isUndone: boolean;
}

function TransactionLines({ row, fork, isUndone }: TransactionLinesProps) {
  const { cause, at, first, events, principal } = row;
  const { words, fork: promoted } = causeWords(cause);
  const nameOf = useForkNames();
  return (
    <>
      <span className="history-row-line">
        <Cut className="history-row-cause">{promoted === undefined ? words : `${words} ${nameOf(promoted)}`}</Cut>
        {isUndone && <span className="history-undone">undone</span>}
        <span className="pane-spacer" />
        {row.fork !== fork && <CutMiddle className="dim">{`on ${nameOf(row.fork)}`}</CutMiddle>}
        <time className="dim numeric" dateTime={at}>
          {shortTimeText(at)}
        </time>
      </span>
      <span className="history-row-line dim">
        <Cut>
          {first?.map((event) => (
            <EventWords key={event.seq} event={event} />
          ))}
          {events > 1 && ` and ${(events - 1).toLocaleString('en')} more`}
        </Cut>
        <span className="pane-spacer" />
        {principal !== null && <Cut className="history-row-who">{principal}</Cut>}
      </span>
    </>
  );
}

const NO_EFFECTS = { facts: [] };

interface TransactionProps extends HistoryViewProps {
  readonly txn: number;
  /** As it stands in the list, where it does. */
  readonly row: ListedTransaction | undefined;
}

/** What has gone since is called here what it was called then. */
function Transaction({ txn, schema, ...rest }: TransactionProps) {
  const effects = useTransactionEffects(txn, usePlace());
  const names = useMemo(() => namesOfEffects(schema, effects.data ?? NO_EFFECTS), [schema, effects.data]);
  return (
    <section className="pane history-transaction" aria-label={`Transaction ${txn}`}>
      <KnownLabels value={names}>
        <TransactionView txn={txn}>
          <Actions txn={txn} {...rest} />
          {effects.isPending && <LoadingRows rows={3} />}
          {effects.isError && <LoadFailure error={effects.error} onRetry={() => void effects.refetch()} />}
          {effects.data !== undefined && <EffectsView effects={effects.data} schema={schema} kept txn={txn} />}
          <h3 className="history-events">Events</h3>
        </TransactionView>
      </KnownLabels>
    </section>
  );
}

/** What can be done from here: the transaction taken back or picked onto another fork, or all that came after it taken back on one. */
function Actions({ txn, row, fork, address, change }: Omit<TransactionProps, 'schema'>) {
  const known = useContext(KnownLabels);
  const labels = useLabels();
  const nameOf = useForkNames();
  const granted = useForksGranted();
  const isOpen = fork.status === 'open';
  const opening = (sheet: ForkSheet) => ({
    id: SHEET_BUTTONS[sheet],
    disabled: !granted,
    'aria-expanded': address.sheet === sheet,
    // Its proofs may be on another fork, to which the page goes then: the sheet stays with this one.
    onClick: () => change({ show: fork.id, txn, sheet: address.sheet === sheet ? undefined : sheet, of: undefined }),
  });
  return (
    <div className="history-actions">
      {isOpen && (
        <Button variant="default" size="compact-xs" {...opening('undo-transaction')}>
          Undo…
        </Button>
      )}
      <Button variant="default" size="compact-xs" {...opening('pick')}>
        Pick…
      </Button>
      {isOpen && (
        <Button
          variant="default"
          size="compact-xs"
          disabled={!granted}
          onClick={() =>
            newForkDraft.update((draft) => ({
              ...draft,
              open: true,
              from: fork.id,
              asOf: txn,
              deed:
                row === undefined ? '' : deedText(row, (id) => known.get(id) ?? labels.get(id) ?? idLabel(id), nameOf),
              name: null,
              label: null,
            }))
          }
        >
          New fork as of here
        </Button>
      )}
    </div>
  );
}

/** No path is empty. */
const EVERYTHING = '';

interface HistoryFilterProps {
  readonly wish: HistoryWish;
  readonly index: RelationIndex;
  readonly onChange: (wish: Partial<HistoryWish>) => void;
}

/** Over the history of a fork: which relation or field, and which individual, its transactions are to tell of. */
function HistoryFilter({ wish: { about, changed }, index, onChange }: HistoryFilterProps) {
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
    <div className="history-filter">
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
        <span className="history-about">
          <span className="dim">about</span> <ReferenceLabel value={about} reference />
          <ActionIcon size="xs" aria-label="About anybody" onClick={() => onChange({ about: undefined })}>
            <IconX size={12} />
          </ActionIcon>
        </span>
      )}
    </div>
  );
}
