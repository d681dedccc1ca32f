/** The history of a fork: its transactions, the last first, and of the chosen one what wrote it and what it came to. */

import { useMemo } from 'react';
import type { ForkInfo } from '../../src-runtime/api/fork-schemas.js';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { ListedTransaction } from '../../src-runtime/api/schemas.js';
import { ChoiceList } from '../components/choice-list.js';
import { Cut } from '../components/cut.js';
import { CutMiddle } from '../components/cut-middle.js';
import { EffectsView } from '../components/effects-view.js';
import { EventWords } from '../components/event-words.js';
import { Panes } from '../components/panes.js';
import { KnownLabels } from '../components/reference-label.js';
import { Empty, LoadFailure, LoadingRows } from '../components/states.js';
import { causeOf, TransactionView } from '../components/transaction-view.js';
import { namesOfEffects } from '../data/effects-model.js';
import { ForkOfPart, usePlace } from '../data/place.js';
import { shortTimeText } from '../data/time-text.js';
import { useTransactionEffects } from '../data/transaction-effects.js';
import { useTransactions } from './use-history.js';

interface HistoryViewProps {
  readonly fork: ForkInfo;
  readonly schema: ServedSchema;
  /** The transaction that is shown; undefined for the last. */
  readonly txn: number | undefined;
  readonly onChoose: (txn: number) => void;
}

export function HistoryView({ fork, ...rest }: HistoryViewProps) {
  return (
    <ForkOfPart.Provider value={fork.id}>
      <History fork={fork} {...rest} />
    </ForkOfPart.Provider>
  );
}

function History({ fork, schema, txn, onChoose }: HistoryViewProps) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useTransactions();
  if (error !== null) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingRows />;
  const rows = data.pages.flatMap(({ result }) => result);
  const shown = txn ?? rows[0]?.txn;
  if (shown === undefined) {
    return (
      <Empty title="Nothing was written yet">
        <p>
          {fork.id} has what the module declares. Every mutation that changes something is a line here, with what
          followed from it.
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
              <ChoiceList
                label="Transactions, the last first"
                rows={rows}
                keyOf={(row) => row.txn}
                chosen={shown}
                onChoose={(row) => onChoose(row.txn)}
                className="history-row"
                extraHeight={20}
                onEnd={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
                renderRow={(row) => <TransactionLines row={row} fork={fork.id} />}
              />
            </section>
          ),
        },
        {
          id: 'transaction',
          minSize: 280,
          stackedHeight: 400,
          content: <Transaction key={shown} txn={shown} schema={schema} />,
        },
      ]}
    />
  );
}

function TransactionLines({ row, fork }: { row: ListedTransaction; fork: string }) {
  const { cause, at, first, events, principal } = row;
  const { words, fork: promoted } = causeOf(cause);
  return (
    <>
      <span className="history-row-line">
        <Cut className="history-row-cause">{promoted === undefined ? words : `${words} ${promoted}`}</Cut>
        <span className="pane-spacer" />
        {row.fork !== fork && <CutMiddle className="dim">{`on ${row.fork}`}</CutMiddle>}
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

/** What has gone since is called here what it was called then. */
function Transaction({ txn, schema }: { txn: number; schema: ServedSchema }) {
  const effects = useTransactionEffects(txn, usePlace());
  const names = useMemo(() => namesOfEffects(schema, effects.data ?? NO_EFFECTS), [schema, effects.data]);
  return (
    <section className="pane history-transaction" aria-label={`Transaction ${txn}`}>
      <KnownLabels value={names}>
        <TransactionView txn={txn}>
          {effects.isPending && <LoadingRows rows={3} />}
          {effects.isError && <LoadFailure error={effects.error} onRetry={() => void effects.refetch()} />}
          {effects.data !== undefined && <EffectsView effects={effects.data} schema={schema} kept />}
          <h3 className="history-events">Events</h3>
        </TransactionView>
      </KnownLabels>
    </section>
  );
}
