/** A chart of a result: bars, or a line over dates or numbers. Its table shows the same values. */

import { Select } from '@mantine/core';
import { clsx } from 'clsx';
import { type CSSProperties, useMemo, useState } from 'react';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { numberText } from '../../model/text/count-text.js';
import { useLabels } from '../../ui/reference-label.js';
import { type Chart, type ChartChoice, type ChartPoint, chartOf, ticksOf } from './chart-data.js';
import styles from './result-drawing.module.css';
import { NotDrawn } from './result-forms.js';
import { ENTITY_COLUMN, resultTable } from './result-table.js';

export function ResultChart({ rows }: { rows: readonly JsonValue[] }) {
  const nameOf = useLabels().get;
  const [choice, setChoice] = useState<ChartChoice>({});
  const chart = useMemo(() => chartOf(resultTable(rows), nameOf, choice), [rows, nameOf, choice]);
  if (typeof chart === 'string') return <NotDrawn>{chart}</NotDrawn>;
  return (
    <div className={styles.chart}>
      <div className={styles.chartColumns}>
        <ColumnSelect
          label="Label"
          columns={chart.labels}
          column={chart.label}
          onSelect={(label) => setChoice({ ...choice, label })}
        />
        <ColumnSelect
          label="Number"
          columns={chart.values}
          column={chart.value}
          onSelect={(value) => setChoice({ ...choice, value })}
        />
        <p className={clsx('dim', styles.drawingNote)}>{noteOf(chart)}</p>
      </div>
      {chart.kind === 'bars' ? <Bars chart={chart} /> : <Line chart={chart} />}
    </div>
  );
}

function noteOf({ points, total, without }: Chart): string {
  const part = points.length < total ? `First ${numberText(points.length)} of ${numberText(total)} rows.` : '';
  const none = without > 0 ? `${numberText(without)} ${without === 1 ? 'row has' : 'rows have'} no number.` : '';
  return `${part} ${none}`.trim();
}

interface ColumnSelectProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly column: string;
  readonly onSelect: (column: string) => void;
}

/** Renders nothing if there is only one column. */
function ColumnSelect({ label, columns, column, onSelect }: ColumnSelectProps) {
  if (columns.length < 2) return null;
  return (
    <Select
      className={styles.chartColumn}
      label={label}
      size="xs"
      // An option needs a value, and the column of the individuals has no name.
      data={columns.map((each) => ({ value: `column ${each}`, label: each === ENTITY_COLUMN ? 'individual' : each }))}
      value={`column ${column}`}
      allowDeselect={false}
      onChange={(selected) => onSelect(selected?.slice('column '.length) ?? column)}
    />
  );
}

/** The place of a value between the ends of an axis, in per cent. */
function shareIn([least = 0, most = 1]: readonly number[]) {
  return (value: number): number => (100 * (value - least)) / (most - least || 1);
}

/** Plain elements in a list: labels wrap, and a screen reader reads label and number. */
function Bars({ chart: { points, label, value } }: { chart: Chart }) {
  const shareOf = useMemo(() => {
    const values = points.map((point) => point.value);
    return shareIn([Math.min(0, ...values), Math.max(0, ...values)]);
  }, [points]);
  const zero = shareOf(0);
  return (
    <ul className={styles.bars} aria-label={`${value} by ${label === ENTITY_COLUMN ? 'individual' : label}`}>
      {points.map((point, at) => {
        const end = shareOf(point.value);
        const bar = { '--from': `${Math.min(zero, end)}%`, '--size': `${Math.abs(end - zero)}%` } as CSSProperties;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place.
          <li key={at} className={styles.barRow}>
            <span className={styles.barLabel} title={point.label}>
              {point.label}
            </span>
            <span className={styles.barTrack} style={{ '--zero': `${zero}%` } as CSSProperties} aria-hidden>
              <span className={styles.bar} data-negative={point.value < 0} style={bar} />
            </span>
            <span className={clsx('numeric', styles.barValue)}>{shownNumber(point.value)}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** Up to this many points are far enough apart for each to have a mark with its values. */
const MARKED_MAX = 100;

function Line({ chart: { points, label, value } }: { chart: Chart }) {
  const ticks = useMemo(() => ticksOf(points.map((point) => point.value)), [points]);
  const shareOf = shareIn([ticks[0] ?? 0, ticks.at(-1) ?? 1]);
  const [first, last] = [points[0], points.at(-1)];
  const [start, end] = [first?.at ?? 0, last?.at ?? 1];
  const acrossOf = ({ at }: ChartPoint): number => (end === start ? 50 : (100 * (at - start)) / (end - start));
  const path = points.map((point) => `${acrossOf(point)},${100 - shareOf(point.value)}`).join(' ');
  const numbers = points.map((point) => point.value);
  const words = `${value} by ${label}: ${numberText(points.length)} points from ${first?.label} to ${last?.label}, least ${shownNumber(Math.min(...numbers))}, greatest ${shownNumber(Math.max(...numbers))}`;
  return (
    <div className={styles.line} role="img" aria-label={words}>
      <div className={styles.lineSurface}>
        {ticks.map((tick) => (
          <span key={tick} className={styles.tick} data-zero={tick === 0} style={{ bottom: `${shareOf(tick)}%` }}>
            <span className={clsx('numeric', 'dim', styles.tickLabel)}>{shownNumber(tick)}</span>
          </span>
        ))}
        <svg className={styles.linePath} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <polyline points={path} vectorEffect="non-scaling-stroke" />
        </svg>
        {points.length <= MARKED_MAX &&
          points.map((point, at) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place.
              key={at}
              className={styles.lineMark}
              title={`${point.label}: ${shownNumber(point.value)}`}
              style={{ left: `${acrossOf(point)}%`, bottom: `${shareOf(point.value)}%` }}
            />
          ))}
      </div>
      <div className={clsx('numeric', 'dim', styles.lineEnds)}>
        <span>{first?.label}</span>
        <span>{last?.label}</span>
      </div>
    </div>
  );
}

function shownNumber(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 6 });
}
