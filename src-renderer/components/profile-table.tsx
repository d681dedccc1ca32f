/** The profile of a derive: each clause with its share of the time, what it found and visited, its plan, and what to do about it. */

import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { DerivedProjection } from '../../src-runtime/api/fork-schemas.js';
import { Glyph } from '../components/glyph.js';
import { moduleLocation, shortName } from '../data/locations.js';
import { durationText, type ProfileRow, profileRows } from './profile.js';

type Column = 'ms' | 'newFacts' | 'heads' | 'rowsVisited' | 'runs';

const COLUMNS: readonly { readonly column: Column; readonly name: string; readonly tip: string }[] = [
  { column: 'ms', name: 'Time', tip: 'Time inside the clause, and its share of all' },
  { column: 'newFacts', name: 'New facts', tip: 'Facts that were not there yet' },
  { column: 'heads', name: 'Matches', tip: 'Times that its conditions held' },
  { column: 'rowsVisited', name: 'Rows visited', tip: 'Rows that its loops came by' },
  { column: 'runs', name: 'Runs', tip: 'Once a round, for each of its plans' },
];

export function ProfileTable({ projection }: { projection: DerivedProjection }) {
  const [by, setBy] = useState<Column>('ms');
  const rows = useMemo(() => profileRows(projection), [projection]);
  const sorted = useMemo(() => [...rows].sort((left, right) => right[by] - left[by]), [rows, by]);
  if (rows.length === 0) return <p className="pane-padded dim">The module has no rules.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
    <section className="fork-profile-scroller" tabIndex={0} aria-label="Profile by rule">
      <table className="fork-profile numeric">
        <thead>
          <tr>
            <th scope="col">Rule</th>
            {COLUMNS.map(({ column, name, tip }) => (
              <th
                key={column}
                scope="col"
                className="fork-profile-number"
                {...(by === column ? { 'aria-sort': 'descending' } : {})}
              >
                <button type="button" className="plain fork-profile-sort" title={tip} onClick={() => setBy(column)}>
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
    <tbody className="fork-profile-clause">
      <tr>
        <th scope="row" className="fork-profile-rule">
          <button
            type="button"
            className="plain fork-profile-toggle"
            aria-expanded={open}
            onClick={() => setOpen((value) => !value)}
          >
            <span aria-hidden>{open ? '▾' : '▸'}</span>
            <span className="visually-hidden">Plan of</span> {shortName(rule)}
            {hasSiblings && <span className="dim"> clause {clause + 1}</span>}
          </button>
          <Link className="link mono fork-profile-place" to={moduleLocation(span)}>
            {span.file}:{span.start.line}
          </Link>
        </th>
        <td className="fork-profile-number fork-profile-time">
          <span className="fork-profile-bar" style={{ inlineSize: `${Math.round(share * 100)}%` }} aria-hidden />
          {durationText(ms)} <span className="dim fork-profile-share">{Math.round(share * 100)} %</span>
        </td>
        {COLUMNS.slice(1).map(({ column }) => (
          <td key={column} className="fork-profile-number">
            {row[column].toLocaleString('en')}
          </td>
        ))}
      </tr>
      {remarks.length > 0 && (
        <tr>
          <td colSpan={COLUMNS.length + 1} className="fork-profile-remarks">
            {remarks.map((remark) => (
              <p key={remark}>
                <Glyph kind="warning" label="Remark" />
                <span>{remark}</span>
              </p>
            ))}
          </td>
        </tr>
      )}
      {open && (
        <tr>
          <td colSpan={COLUMNS.length + 1} className="fork-profile-plans">
            {joinOrders.length === 0 ? (
              <p className="dim">It reads no relation.</p>
            ) : (
              joinOrders.map((order) => <Plan key={order} order={order} />)
            )}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** One plan, a step a line, the outermost loop first. */
function Plan({ order }: { order: string }) {
  return (
    <ol className="fork-plan mono">
      {order.split(' → ').map((step, depth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity but their place.
        <li key={depth} style={{ paddingInlineStart: depth * 16 }}>
          {step}
        </li>
      ))}
    </ol>
  );
}
