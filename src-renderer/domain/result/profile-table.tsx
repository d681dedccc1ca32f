/** The profile of an evaluation or query: time, facts, rows, plan and advice per clause. */

import { clsx } from 'clsx';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { moduleLocation, shortName } from '../../model/facts/locations.js';
import { durationText, type ProfileRow } from '../../model/facts/profile.js';
import { Glyph } from '../../ui/glyph.js';
import styles from './profile-table.module.css';

type Column = 'ms' | 'newFacts' | 'heads' | 'rowsVisited' | 'runs';

const COLUMNS: readonly { readonly column: Column; readonly name: string; readonly tip: string }[] = [
  { column: 'ms', name: 'Time', tip: 'Time in the clause, and its share of the total' },
  { column: 'newFacts', name: 'New facts', tip: 'Facts derived for the first time' },
  { column: 'heads', name: 'Matches', tip: 'Times that all conditions were met' },
  { column: 'rowsVisited', name: 'Rows visited', tip: 'Rows that the joins read' },
  { column: 'runs', name: 'Runs', tip: 'Once per round and plan' },
];

export function ProfileTable({ rows }: { rows: readonly ProfileRow[] }) {
  const [by, setBy] = useState<Column>('ms');
  const sorted = useMemo(() => rows.toSorted((left, right) => (right[by] ?? 0) - (left[by] ?? 0)), [rows, by]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
    <section className={styles.profileScroller} tabIndex={0} aria-label="Profile by rule">
      <table className={clsx(styles.profile, 'numeric')}>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            {COLUMNS.map(({ column, name, tip }) => (
              <th
                key={column}
                scope="col"
                className={styles.profileNumber}
                {...(by === column ? { 'aria-sort': 'descending' } : {})}
              >
                <button
                  type="button"
                  className={clsx('plain', styles.profileSort)}
                  title={tip}
                  onClick={() => setBy(column)}
                >
                  {name}
                  <span aria-hidden>{by === column ? ' ↓' : ''}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        {sorted.map((row) => (
          <ClauseRows
            key={row.key}
            row={row}
            hasSiblings={rows.some((other) => other !== row && other.rule === row.rule)}
          />
        ))}
      </table>
    </section>
  );
}

function ClauseRows({ row, hasSiblings }: { row: ProfileRow; hasSiblings: boolean }) {
  const [open, setOpen] = useState(false);
  const { rule, clause, span, ms, share, joinOrders, remarks } = row;
  return (
    <tbody className={styles.profileClause}>
      <tr>
        <th scope="row" className={styles.profileRule}>
          <button
            type="button"
            className={clsx('plain', styles.profileToggle)}
            aria-expanded={open}
            onClick={() => setOpen((value) => !value)}
          >
            <span aria-hidden>{open ? '▾' : '▸'}</span>
            <span className="visually-hidden">Plan of</span> {shortName(rule)}
            {hasSiblings && <span className="dim"> clause {clause + 1}</span>}
          </button>
          {span === undefined ? (
            <span className="dim">ad hoc</span>
          ) : (
            <Link className={clsx('link', 'mono', styles.profilePlace)} to={moduleLocation(span)}>
              {span.file}:{span.start.line}
            </Link>
          )}
        </th>
        <td className={clsx(styles.profileNumber, styles.profileTime)}>
          <span className={styles.profileBar} style={{ inlineSize: `${Math.round(share * 100)}%` }} aria-hidden />
          {durationText(ms)} <span className={clsx('dim', styles.profileShare)}>{Math.round(share * 100)} %</span>
        </td>
        {COLUMNS.slice(1).map(({ column }) => (
          <td key={column} className={styles.profileNumber}>
            {row[column]?.toLocaleString('en') ?? <span className="dim">–</span>}
          </td>
        ))}
      </tr>
      {remarks.length > 0 && (
        <tr>
          <td colSpan={COLUMNS.length + 1} className={styles.profileRemarks}>
            {remarks.map((remark) => (
              <p key={remark}>
                <Glyph kind="warning" label="Note" />
                <span>{remark}</span>
              </p>
            ))}
          </td>
        </tr>
      )}
      {open && (
        <tr>
          <td colSpan={COLUMNS.length + 1} className={styles.profilePlans}>
            {joinOrders.length === 0 ? (
              <p className="dim">Reads no relations</p>
            ) : (
              joinOrders.map((order) => <Plan key={order} order={order} />)
            )}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** One plan, a step per line, outermost loop first. */
function Plan({ order }: { order: string }) {
  return (
    <ol className={clsx(styles.profilePlan, 'mono')}>
      {order.split(' → ').map((step, depth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity but their place.
        <li key={depth} style={{ paddingInlineStart: depth * 16 }}>
          {step}
        </li>
      ))}
    </ol>
  );
}
