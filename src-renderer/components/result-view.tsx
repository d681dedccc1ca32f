/** A result: a list as a table, one entity or record as its fields, anything else as the value; and all as JSON. */

import { Button, SegmentedControl } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useMemo, useRef } from 'react';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { isEntity } from '../data/labels.js';
import { explainLocation } from '../data/locations.js';
import { navigationFact } from '../data/row-facts.js';
import { createKeptStore, useStore } from '../data/store.js';
import { copyValue } from './copy-value.js';
import { Cut } from './cut.js';
import { JsonView } from './json-view.js';
import { ReferenceLabel } from './reference-label.js';
import { ENTITY_COLUMN, movedRow, type ResultTable, resultTable } from './result-table.js';
import './result-view.css';
import { useRowVirtualizer } from './use-row-virtualizer.js';

interface ResultViewProps {
  readonly result: JsonValue;
  readonly schema: ServedSchema;
  readonly more: boolean;
  readonly onLoadMore: () => void;
  /** Controls beside the choice of the form. */
  readonly actions?: ReactNode;
  /** With it a row of a list can be chosen, by a click or the arrows. */
  readonly selection?: RowSelection | undefined;
}

export interface RowSelection {
  readonly index: number | undefined;
  readonly onSelect: (index: number | undefined) => void;
}

/** The form that was chosen last, of any result. */
const resultForm = createKeptStore<'table' | 'json'>(
  'entail.result-form',
  'table',
  (value): value is 'table' | 'json' => value === 'table' || value === 'json',
);

export function ResultView({ result, schema, more, onLoadMore, actions, selection }: ResultViewProps) {
  const as = useStore(resultForm);
  const rows = Array.isArray(result) ? result : undefined;
  return (
    <>
      <div className="result-head">
        <h3>
          {rows === undefined ? 'Result' : `${rows.length}${more ? '+' : ''} ${rows.length === 1 ? 'row' : 'rows'}`}
        </h3>
        <span className="pane-spacer" />
        {actions}
        <SegmentedControl
          aria-label="Result as"
          value={as}
          onChange={(form) => resultForm.set(form === 'json' ? 'json' : 'table')}
          data={[
            { value: 'table', label: rows === undefined ? 'Value' : 'Table' },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </div>
      <div className="result-body">
        {as === 'json' ? (
          <div className="result-pad">
            <JsonView value={result} />
          </div>
        ) : rows !== undefined ? (
          <RowsTable rows={rows} schema={schema} selection={selection} />
        ) : (
          <Single value={result} schema={schema} />
        )}
      </div>
      {more && (
        <div className="result-more">
          <Button variant="default" onClick={onLoadMore}>
            Load more rows
          </Button>
        </div>
      )}
    </>
  );
}

interface RowsTableProps {
  readonly rows: readonly JsonValue[];
  readonly schema: ServedSchema;
  readonly selection: RowSelection | undefined;
}

function RowsTable({ rows, schema, selection }: RowsTableProps) {
  const table = useMemo(() => resultTable(rows), [rows]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useRowVirtualizer({ count: table.rows.length, scroller, overscan: 20 });
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = selection?.index === undefined ? undefined : rows[selection.index];
    if (event.key === 'c' && (event.ctrlKey || event.metaKey)) {
      // Text that is marked is the browser's to copy.
      if (row !== undefined && getSelection()?.isCollapsed !== false) void copyValue(row);
      return;
    }
    const next = selection === undefined ? undefined : movedRow(selection.index, event.key, rows.length);
    if (next === undefined) return;
    event.preventDefault();
    selection?.onSelect(next.index);
    if (next.index !== undefined) virtualizer.scrollToIndex(next.index, { align: 'auto' });
  };
  if (rows.length === 0) return <p className="result-pad dim">No rows.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
    <section className="table-scroller" ref={scroller} tabIndex={0} aria-label="Rows" onKeyDown={onKeyDown}>
      <table
        className="table"
        {...(selection === undefined ? {} : { role: 'grid', 'aria-label': 'Rows to choose from' })}
      >
        <TableHead table={table} />
        <tbody>
          {before > 0 && <Spacer height={before} columns={table.columns.length} />}
          {items.map((item) => (
            <tr
              key={item.index}
              aria-rowindex={item.index + 2}
              {...(selection === undefined
                ? {}
                : {
                    'aria-selected': selection.index === item.index,
                    onClick: () => selection.onSelect(item.index),
                  })}
            >
              {(table.rows[item.index] ?? []).map((value, column) => (
                <td key={table.columns[column]} className={isNumeric(value) ? 'table-number' : undefined}>
                  <Cell value={value} whyOf={whyOf(schema, rows[item.index] ?? null, table.columns[column])} />
                </td>
              ))}
            </tr>
          ))}
          {after > 0 && <Spacer height={after} columns={table.columns.length} />}
        </tbody>
      </table>
    </section>
  );
}

function TableHead({ table }: { table: ResultTable }) {
  return (
    <thead>
      <tr>
        {table.columns.map((column, index) => (
          <th
            key={column}
            scope="col"
            className={isNumeric(table.rows[0]?.[index] ?? null) ? 'table-number' : undefined}
          >
            {column === ENTITY_COLUMN ? <span className="visually-hidden">individual</span> : column}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Spacer({ height, columns }: { height: number; columns: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

function Single({ value, schema }: { value: JsonValue; schema: ServedSchema }) {
  if (value === null) return <p className="result-pad dim">none</p>;
  if (typeof value !== 'object' || Array.isArray(value)) {
    return (
      <p className="result-pad result-value">
        <Cell value={value} />
      </p>
    );
  }
  return (
    <dl className="result-pad result-fields">
      {isEntity(value) && (
        <>
          <dt className="dim">{value.$meta.classes.map((path) => path.split('::').at(-1)).join(', ')}</dt>
          <dd>
            <ReferenceLabel value={value} /> <span className="mono dim">{value.$id}</span>
          </dd>
        </>
      )}
      {Object.entries(value)
        .filter(([field]) => field !== '$id' && field !== '$meta')
        .map(([field, member]) => (
          <FieldLine
            key={field}
            field={field}
            value={member as JsonValue}
            whyOf={whyOf(schema, value as JsonValue, field)}
          />
        ))}
    </dl>
  );
}

/** By what a cell refers to, where one sees why: the fact behind a navigation field, stored or derived. */
type WhyOf = ((value: JsonValue) => string | undefined) | undefined;

function whyOf(schema: ServedSchema, row: JsonValue, column: string | undefined): WhyOf {
  if (column === undefined || !isEntity(row)) return undefined;
  return (value) => {
    const fact = navigationFact(schema, row, column, value);
    return fact === undefined ? undefined : explainLocation(fact.relation, fact.tuple);
  };
}

function FieldLine({ field, value, whyOf }: { field: string; value: JsonValue; whyOf: WhyOf }) {
  return (
    <>
      <dt className="dim">{field}</dt>
      <dd>
        <Cell value={value} whyOf={whyOf} />
      </dd>
    </>
  );
}

/** One cell. An absent value is a dash, so that it is not taken for an empty text. */
function Cell({ value, whyOf }: { value: JsonValue; whyOf?: WhyOf }) {
  if (value === null) {
    return (
      <span className="dim" title="none">
        –
      </span>
    );
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className="dim">none</span>;
    return (
      <Cut>
        {value.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items have no identity but their place.
          <span key={index}>
            {index > 0 && ', '}
            <ReferenceLabel value={item} to={whyOf?.(item)} />
          </span>
        ))}
      </Cut>
    );
  }
  if (typeof value === 'object' && !isEntity(value)) return <Cut className="mono">{JSON.stringify(value)}</Cut>;
  return (
    <Cut>
      <ReferenceLabel value={value} to={whyOf?.(value)} />
    </Cut>
  );
}

function isNumeric(value: JsonValue): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
}
