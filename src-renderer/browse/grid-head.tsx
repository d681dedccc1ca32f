/** The head of a grid: names, types on hover, and the order by which a click sorts. */

// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed by hand are no table to a browser, so the roles are spelled out.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus for all of its cells.

import { useNavigate } from 'react-router';
import { typeText } from '../data/type-text.js';
import type { GridLayout } from './grid.js';
import { type GridColumn, isNumeric } from './grid-columns.js';
import { type ListState, listLocation, nextSort } from './list-state.js';

export function GridHead({
  columns,
  layout,
  state,
}: {
  columns: readonly GridColumn[];
  layout: GridLayout;
  state: ListState;
}) {
  const navigate = useNavigate();
  return (
    <div className="grid-head" role="row" aria-rowindex={1} style={layout}>
      <span role="columnheader" className="grid-cell">
        <span className="visually-hidden">origin</span>
      </span>
      {columns.map((column) => (
        <span
          key={column.id}
          role="columnheader"
          className={isNumeric(column) ? 'grid-cell grid-number' : 'grid-cell'}
          aria-sort={sortOf(column, state.sort)}
        >
          {column.sort === undefined ? (
            <span className="cut" title={headTip(column)}>
              {column.title}
            </span>
          ) : (
            <button
              type="button"
              className="plain grid-sort"
              title={headTip(column)}
              onClick={() => void navigate(listLocation({ ...state, sort: nextSort(column.sort ?? '', state.sort) }))}
            >
              <span className="cut">{column.title}</span>
              <span aria-hidden>{SORT_SIGNS[sortOf(column, state.sort)]}</span>
            </button>
          )}
        </span>
      ))}
      <span role="columnheader" className="grid-cell">
        <span className="visually-hidden">proof</span>
      </span>
    </div>
  );
}

const SORT_SIGNS = { none: '', ascending: '↑', descending: '↓' };

function sortOf({ sort }: GridColumn, current: string | undefined): keyof typeof SORT_SIGNS {
  if (sort === undefined || current === undefined) return 'none';
  if (current === sort) return 'ascending';
  return current === `-${sort}` ? 'descending' : 'none';
}

function headTip({ title, type, doc, sort }: GridColumn): string {
  const note = sort === undefined ? 'Read from a relation; not sorted or filtered here.' : undefined;
  return [`${title}: ${typeText(type)}`, doc, note].filter((line) => line !== undefined).join('\n');
}
