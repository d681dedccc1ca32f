/** The column of the list that has requests as bars on one scale of time. */

import type { RequestSummary } from '../../../../src-runtime/api/schemas/request-log.js';
import { barOf, barWords, scaleWords, spanText, type TimeScale } from './timeline.js';

/** More of them than this would be a row of dots. */
const PAUSES_SHOWN_MAX = 40;

export function TimelineHead({ scale }: { scale: TimeScale }) {
  const { spanMs, pauses } = scale;
  return (
    <span className="log-span numeric" title={scaleWords(scale)} aria-hidden>
      <span>Timeline</span>
      <span>{spanText(spanMs)}</span>
      {pauses.length <= PAUSES_SHOWN_MAX &&
        pauses.map(({ at }) => <span key={at} className="log-pause" style={{ left: percent(at) }} />)}
    </span>
  );
}

/** What is drawn is said in words, too: beside the bar of the row that is chosen or under the pointer, and to who hears the row. */
export function TimelineCell({ row, scale }: { row: RequestSummary; scale: TimeScale }) {
  const bar = barOf(row, scale);
  const words = barWords(row, bar);
  return (
    <span className="log-span" title={words}>
      <span
        className="log-bar"
        data-unfinished={row.unfinished === true}
        style={{ left: `min(${percent(bar.from)}, 100% - 3px)`, width: percent(bar.length) }}
      />
      <span className="log-began numeric" data-side={bar.from + bar.length / 2 < 0.5 ? 'right' : 'left'} aria-hidden>
        +{spanText(bar.offsetMs)}
      </span>
      <span className="visually-hidden">, {words}</span>
    </span>
  );
}

function percent(part: number): string {
  return `${(part * 100).toFixed(3)}%`;
}
