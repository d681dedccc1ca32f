/** Requests as rows of one line: one tab stop, arrows inside it, only the rows in view on the page. */

import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import type { RequestSummary } from '../../src-runtime/api/request-log.js';
import { Cut } from '../components/cut.js';
import { Glyph } from '../components/glyph.js';
import { useRowVirtualizer } from '../components/use-row-virtualizer.js';
import { clockText } from '../data/time-text.js';
import type { RequestOrder } from './log-address.js';
import { routeText, sizeText, timeText, titleOf } from './request-text.js';

interface RequestListProps {
  readonly rows: readonly RequestSummary[];
  readonly chosen: string | undefined;
  readonly onChoose: (row: RequestSummary) => void;
  readonly order: RequestOrder;
  /** Undefined for the order in which they came. */
  readonly onOrder: (order: RequestOrder | undefined) => void;
}

export function RequestList({ rows, chosen, onChoose, order, onOrder }: RequestListProps) {
  const listId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useRowVirtualizer({
    count: rows.length,
    scroller,
    overscan: 20,
    keyOf: (index) => rows[index]?.seq ?? index,
  });
  const chosenIndex = rows.findIndex(({ requestId }) => requestId === chosen);
  // Only a choice scrolls: rows that come in on top must not pull the list along.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    if (chosenIndex >= 0) virtualizer.scrollToIndex(chosenIndex, { align: 'auto' });
  }, [chosen]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = targetOf(event.key, chosenIndex, rows.length);
    const row = target === undefined ? undefined : rows[target];
    if (row === undefined) return;
    event.preventDefault();
    onChoose(row);
  };

  return (
    <div className="log-table">
      <div className="log-row log-head">
        <span aria-hidden>Status</span>
        <span aria-hidden>Method</span>
        <span aria-hidden>What</span>
        <OrderButton name="Size" tip="The largest answers first" by="large" {...{ order, onOrder }} />
        <OrderButton name="Time" tip="The slowest first" by="slow" {...{ order, onOrder }} />
        <span aria-hidden>Fork</span>
        <OrderButton name="At" tip="The newest first" by="new" {...{ order, onOrder }} />
      </div>
      <div className="log-scroller" ref={scroller}>
        <div
          role="listbox"
          aria-label={`Requests, ${ORDER_WORDS[order]} first`}
          tabIndex={0}
          aria-activedescendant={chosenIndex < 0 ? undefined : `${listId}${rows[chosenIndex]?.seq}`}
          className="log-rows"
          style={{ height: virtualizer.getTotalSize() }}
          onKeyDown={onKeyDown}
        >
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the list itself handles the keys.
              // biome-ignore lint/a11y/useFocusableInteractive: the list is the one tab stop; this is its active descendant.
              <div
                key={item.key}
                id={`${listId}${row.seq}`}
                role="option"
                aria-selected={item.index === chosenIndex}
                aria-setsize={rows.length}
                aria-posinset={item.index + 1}
                className="log-row"
                style={{ transform: `translateY(${item.start}px)` }}
                onClick={() => onChoose(row)}
              >
                <Row row={row} />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

const ORDER_WORDS = { new: 'newest', slow: 'slowest', large: 'largest' };

interface OrderButtonProps extends Pick<RequestListProps, 'order' | 'onOrder'> {
  readonly name: string;
  readonly tip: string;
  readonly by: RequestOrder;
}

/** Once more leads back to the newest. */
function OrderButton({ name, tip, by, order, onOrder }: OrderButtonProps) {
  const isOn = order === by;
  return (
    <button
      type="button"
      className="plain log-right log-order"
      title={tip}
      aria-pressed={isOn}
      onClick={() => onOrder(isOn || by === 'new' ? undefined : by)}
    >
      {name}
      <span aria-hidden>{isOn ? ' ↓' : ''}</span>
    </button>
  );
}

function targetOf(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(count - 1, index + 1);
    case 'ArrowUp':
      return Math.max(0, index - 1);
    case 'PageDown':
      return Math.min(count - 1, index + 10);
    case 'PageUp':
      return Math.max(0, index - 10);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

function Row({ row }: { row: RequestSummary }) {
  const { status, code, method, path, subject, ms, bytes, fork, at, client, unfinished } = row;
  return (
    <>
      <span className="log-status numeric">
        <Glyph
          kind={unfinished === true ? 'pending' : status >= 500 ? 'blocking' : status >= 400 ? 'warning' : 'good'}
        />
        {unfinished === true ? 'left' : status}
      </span>
      <span className="mono dim">{method}</span>
      <Cut>
        <span className={subject === undefined ? 'mono' : ''}>{titleOf(row)}</span>
        {code !== undefined && (
          <span className="log-code mono" data-failed={status >= 500}>
            {' '}
            {code.replace('SVC_RUNTIME_', '')}
          </span>
        )}
        {code === undefined && subject !== undefined && <span className="dim"> {routeText(path)}</span>}
        {client !== undefined && <span className="visually-hidden">, from {client}</span>}
      </Cut>
      <span className="dim numeric log-right">{sizeText(bytes)}</span>
      <span className="numeric log-right">{timeText(ms)}</span>
      <Cut className="dim">{fork ?? ''}</Cut>
      <time className="dim numeric log-right" dateTime={at}>
        {clockText(at)}
      </time>
    </>
  );
}
