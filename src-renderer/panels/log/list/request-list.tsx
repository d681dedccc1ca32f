/** Requests as rows. */

import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import type { RequestSummary } from '../../../../src-runtime/api/schemas/request-log.js';
import { ForkName } from '../../../domain/fork/fork-name.js';
import { placeContext } from '../../../model/calls/place.js';
import { sizeText } from '../../../model/text/count-text.js';
import { clockText } from '../../../model/text/time-text.js';
import { useStore } from '../../../state/store.js';
import { ChoiceList } from '../../../ui/choice-list.js';
import { Cut } from '../../../ui/cut.js';
import { CutMiddle } from '../../../ui/cut-middle.js';
import { Glyph } from '../../../ui/glyph.js';
import { routeOfCall, useCallText } from '../call-text.js';
import styles from '../log.module.css';
import type { RequestOrder } from '../log-address.js';
import { glyphOfStatus, isDryRun, timeText } from '../request-text.js';
import { barOf, barWords, scaleWords, spanText, type TimeScale, timeScale } from './timeline.js';

interface RequestListProps {
  readonly rows: readonly RequestSummary[];
  readonly selected: string | undefined;
  /** The first request of a comparison. */
  readonly compared: string | undefined;
  readonly onSelect: (row: RequestSummary) => void;
  readonly onEndComparison: () => void;
  /** Whether to show the tenant. */
  readonly hasTenants: boolean;
  /** Whether to show the timeline. */
  readonly hasTimeline: boolean;
  readonly order: RequestOrder;
  /** Undefined for the default order. */
  readonly onOrder: (order: RequestOrder | undefined) => void;
}

export function RequestList(props: RequestListProps) {
  const { rows, selected, compared, onSelect, onEndComparison, hasTenants, hasTimeline, order, onOrder } = props;
  const scale = hasTimeline ? timeScale(rows) : undefined;
  const table = useFocusOnComparison(compared !== undefined);
  const callTextOf = useCallText();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the list inside has the focus.
    <div
      ref={table}
      className={styles.logTable}
      data-tenants={hasTenants}
      data-timeline={scale !== undefined}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && compared !== undefined) onEndComparison();
      }}
    >
      <div className={clsx(styles.logRow, styles.logHead, 'above-scroller')}>
        <span aria-hidden>Status</span>
        <span aria-hidden>Call</span>
        <span aria-hidden>Request</span>
        <OrderButton name="Size" tip="Sort by size" by="large" {...{ order, onOrder }} />
        <OrderButton name="Time" tip="Sort by time" by="slow" {...{ order, onOrder }} />
        <span aria-hidden>Fork</span>
        {hasTenants && <span aria-hidden>Tenant</span>}
        <OrderButton name="At" tip="Sort by date" by="new" {...{ order, onOrder }} />
        {scale !== undefined && <TimelineHead scale={scale} />}
      </div>
      <ChoiceList
        label={`Requests, ${ORDER_WORDS[order]} first`}
        rows={rows}
        keyOf={({ seq }) => seq}
        selected={rows.find(({ requestId }) => requestId === selected)?.seq}
        onChoose={onSelect}
        className={styles.logRow}
        renderRow={(row) => (
          <Row {...{ row, hasTenants, scale }} call={callTextOf(row)} isCompared={row.requestId === compared} />
        )}
      />
    </div>
  );
}

/** The button that started or ended the comparison is gone; the second request is selected in the list. */
function useFocusOnComparison(isComparing: boolean) {
  const table = useRef<HTMLDivElement>(null);
  const was = useRef(isComparing);
  useEffect(() => {
    if (was.current === isComparing) return;
    was.current = isComparing;
    table.current?.querySelector<HTMLElement>('[role="listbox"]')?.focus();
  }, [isComparing]);
  return table;
}

const ORDER_WORDS = { new: 'newest', slow: 'slowest', large: 'largest' };

interface OrderButtonProps extends Pick<RequestListProps, 'order' | 'onOrder'> {
  readonly name: string;
  readonly tip: string;
  readonly by: RequestOrder;
}

/** Pressing it again restores the default order. */
function OrderButton({ name, tip, by, order, onOrder }: OrderButtonProps) {
  const isOn = order === by;
  return (
    <button
      type="button"
      className={clsx('plain', styles.logRight, styles.logOrder)}
      title={tip}
      aria-pressed={isOn}
      onClick={() => onOrder(isOn || by === 'new' ? undefined : by)}
    >
      {name}
      <span aria-hidden>{isOn ? ' ↓' : ''}</span>
    </button>
  );
}

interface RowProps extends Pick<RequestListProps, 'hasTenants'> {
  readonly row: RequestSummary;
  readonly call: string;
  readonly isCompared: boolean;
  readonly scale: TimeScale | undefined;
}

function Row({ row, call, isCompared, hasTenants, scale }: RowProps) {
  const { status, code, ms, bytes, fork, tenant, at, client, unfinished } = row;
  // Another tenant may have a fork with the same name.
  const isElsewhere = tenant !== useStore(placeContext)['tenantId'];
  const route = routeOfCall(row);
  return (
    <>
      <span className={clsx(styles.logStatus, 'numeric')}>
        <Glyph kind={glyphOfStatus({ status, unfinished })} />
        {unfinished === true ? 'cancelled' : status}
      </span>
      <span className={styles.logWhat}>
        {isCompared && <span className={styles.logMark}>First</span>}
        {route === undefined ? (
          <CutMiddle className={clsx(styles.logTitle, 'mono')}>{call}</CutMiddle>
        ) : (
          <Cut className={styles.logTitle}>{call}</Cut>
        )}
        {isDryRun(row) && <span className={styles.logMark}>dry run</span>}
        {code !== undefined && (
          <span className={clsx(styles.logCode, 'mono')} data-failed={status >= 500}>
            {code.replace('SVC_RUNTIME_', '')}
          </span>
        )}
        {client !== undefined && <span className="visually-hidden">, from {client}</span>}
      </span>
      <CutMiddle className="mono dim">{route ?? ''}</CutMiddle>
      <span className={clsx('dim', 'numeric', styles.logRight)}>{sizeText(bytes)}</span>
      <span className={clsx('numeric', styles.logRight)}>{timeText(ms)}</span>
      {fork === undefined || isElsewhere ? (
        <CutMiddle className="dim">{fork ?? ''}</CutMiddle>
      ) : (
        <ForkName id={fork} cut className="dim" />
      )}
      {hasTenants && <CutMiddle className="dim">{tenant ?? ''}</CutMiddle>}
      <time className={clsx('dim', 'numeric', styles.logRight)} dateTime={at}>
        {clockText(at)}
      </time>
      {scale !== undefined && <TimelineCell row={row} scale={scale} />}
    </>
  );
}

/** More marks would form a solid line. */
const PAUSES_SHOWN_MAX = 40;

/** Header of the timeline column. */
function TimelineHead({ scale }: { scale: TimeScale }) {
  const { spanMs, pauses } = scale;
  return (
    <span className={clsx(styles.logSpan, 'numeric')} title={scaleWords(scale)} aria-hidden>
      <span>Timeline</span>
      <span>{spanText(spanMs)}</span>
      {pauses.length <= PAUSES_SHOWN_MAX &&
        pauses.map(({ at }) => <span key={at} className={styles.logPause} style={{ left: percent(at) }} />)}
    </span>
  );
}

/** The bar has a text for screen readers, shown to others on hover and selection. */
function TimelineCell({ row, scale }: { row: RequestSummary; scale: TimeScale }) {
  const bar = barOf(row, scale);
  const words = barWords(row, bar);
  return (
    <span className={styles.logSpan} title={words}>
      <span
        className={styles.logBar}
        data-unfinished={row.unfinished === true}
        style={{ left: `min(${percent(bar.from)}, 100% - 3px)`, width: percent(bar.length) }}
      />
      <span
        className={clsx(styles.logBegan, 'numeric')}
        data-side={bar.from + bar.length / 2 < 0.5 ? 'right' : 'left'}
        aria-hidden
      >
        +{spanText(bar.offsetMs)}
      </span>
      <span className="visually-hidden">, {words}</span>
    </span>
  );
}

function percent(part: number): string {
  return `${(part * 100).toFixed(3)}%`;
}
