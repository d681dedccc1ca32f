/** The timeline of the top bar: picks the moment that every panel reads. Loaded when it is first opened. */

import { Slider } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { clsx } from 'clsx';
import { type ReactElement, useCallback, useMemo, useState } from 'react';
import type { ListedTransaction } from '../../../src-runtime/api/schemas/schemas.js';
import { currentMoment, MomentOfPart, timelineOpen } from '../../model/calls/place.js';
import { useStore } from '../../state/store.js';
import { ButtonPopover } from '../../ui/button-popover.js';
import { Cut } from '../../ui/cut.js';
import { RowScroll } from '../../ui/row-scroll.js';
import { LoadFailure, LoadingRows } from '../failure/states.js';
import styles from './timeline.module.css';
import { TransactionLine } from './transaction-line.js';
import { momentWords, readMoment, useLastTransaction, useTransactionsUntil } from './use-moments.js';

export function TimelinePopover({ button }: { button: ReactElement }) {
  const opened = useStore(timelineOpen) === true;
  return (
    <ButtonPopover className={styles.popover} onChange={timelineOpen.set} {...{ button, opened }}>
      <div className={styles.timeline}>
        {/* Names as they are now: reading each at its moment would replay the history for each row. */}
        <MomentOfPart value={null}>
          <Timeline />
        </MomentOfPart>
      </div>
    </ButtonPopover>
  );
}

function Timeline() {
  const moment = useStore(currentMoment);
  const last = useLastTransaction();
  const [slid, setSlid] = useState<number>();
  const [until, setUntil] = useState<number>();
  if (last.error !== null) return <LoadFailure error={last.error} onRetry={() => void last.refetch()} />;
  if (last.data === undefined) return <LoadingRows />;
  if (last.data === null)
    return <p className={styles.empty}>No transactions yet. The first one starts the timeline.</p>;
  const { txn } = last.data;
  return (
    <>
      <MomentSlider last={txn} value={slid ?? moment ?? txn} onSlide={setSlid} onJump={setUntil} />
      <Moments last={txn} until={until} onAll={() => setUntil(undefined)} />
    </>
  );
}

interface MomentSliderProps {
  readonly last: number;
  readonly value: number;
  /** Undefined once the slider is released. */
  readonly onSlide: (value: number | undefined) => void;
  readonly onJump: (value: number | undefined) => void;
}

/** The numbers between two transactions of this fork belong to other forks; the earlier of the two is read. */
function MomentSlider({ last, value, onSlide, onJump }: MomentSliderProps) {
  const [settled] = useDebouncedValue(value, SETTLE_MS);
  const { data } = useLastTransaction(settled);
  const words = value >= last ? 'now' : momentWords(value);
  return (
    <div className={styles.slider}>
      <span className="dim">Start</span>
      <Slider
        className={styles.track}
        min={0}
        max={last}
        value={value}
        label={words}
        thumbLabel="Moment"
        thumbValueText={words}
        onChange={onSlide}
        onChangeEnd={(end) => {
          onSlide(undefined);
          onJump(end >= last ? undefined : end);
          readMoment(end, last);
        }}
      />
      <span className="dim">Now</span>
      <div className={styles.shown} aria-hidden>
        {settled === 0 || data === null ? (
          <span className="dim">Only the facts that the module declares</span>
        ) : (
          data && <TransactionLine row={data} />
        )}
      </div>
    </div>
  );
}

const SETTLE_MS = 150;

/** A moment in the list: now, after a transaction, or before the first. */
interface MomentRow {
  readonly txn: number | undefined;
  readonly row: ListedTransaction | undefined;
}

interface MomentsProps {
  readonly last: number;
  /** The newest transaction in the list; undefined for all. */
  readonly until: number | undefined;
  readonly onAll: () => void;
}

function Moments({ last, until, onAll }: MomentsProps) {
  const moment = useStore(currentMoment);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useTransactionsUntil(until);
  const rows = useMemo(() => {
    const listed = data?.pages.flatMap(({ result }) => result) ?? [];
    // The state after the last transaction is now.
    const moments = listed.map((row): MomentRow => ({ txn: row.txn === last ? undefined : row.txn, row }));
    return hasNextPage ? moments : [...moments, { txn: 0, row: undefined }];
  }, [data, hasNextPage, last]);
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  if (error !== null) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingRows />;
  return (
    <div className={styles.moments}>
      {until !== undefined && (
        <button type="button" className={clsx('plain', 'link', styles.newer)} onClick={onAll}>
          Show newer transactions
        </button>
      )}
      <RowScroll
        label="Transactions, newest first"
        rows={rows}
        count={rows.length}
        keyOf={({ txn }) => txn ?? 'now'}
        extraHeight={8}
        wanted={rows.findIndex(({ txn }) => txn === moment)}
        onMore={hasNextPage && !isFetchingNextPage ? more : undefined}
        renderRow={({ txn, row }) => (
          <button
            type="button"
            className={clsx('plain', styles.row)}
            aria-current={txn === moment}
            onClick={() => currentMoment.set(txn)}
          >
            <span className={styles.mark} aria-hidden />
            {row === undefined ? (
              <span className={styles.start}>Before the first transaction</span>
            ) : (
              <>
                <TransactionLine row={row} />
                <span className={clsx('dim', styles.who)}>
                  {txn === undefined ? 'now' : <Cut>{row.principal ?? ''}</Cut>}
                </span>
              </>
            )}
          </button>
        )}
      />
    </div>
  );
}
