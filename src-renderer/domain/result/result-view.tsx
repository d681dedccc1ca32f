/** A result: a list as a table, graph or chart, an entity or record as fields, other values as they are; all also as JSON. */

import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { isEntity } from '../../model/facts/labels.js';
import type { EarlierRows } from '../../model/facts/row-change.js';
import { clockText } from '../../model/text/time-text.js';
import { loadPart } from '../../server-state/load-part.js';
import { keysText, useKeysOf, useShortcuts } from '../../state/shortcuts.js';
import { createPersistentStore, useStore } from '../../state/store.js';
import { BreakingName } from '../../ui/breaking-name.js';
import { Cut } from '../../ui/cut.js';
import { type Find, FindBar } from '../../ui/find-bar.js';
import { Glyph } from '../../ui/glyph.js';
import { isLongText, LongText } from '../../ui/long-text.js';
import { NamedText } from '../../ui/named-text.js';
import { ReferenceLabel, useLabels } from '../../ui/reference-label.js';
import { LoadingRows } from '../failure/states.js';
import { JsonTree } from './json-tree.js';
import { findNodes, jsonNodes } from './json-tree-model.js';
import { Cell, type WhyOf, whyOf } from './result-cell.js';
import { ResultFormSwitch, useResultForm } from './result-forms.js';
import { findCells, type ShownRows, shownRows, sortedPlaces } from './result-order.js';
import { ResultRows, type RowSelection } from './result-rows.js';
import { type ColumnSort, resultSorts, sortBy } from './result-sort.js';
import { resultTable } from './result-table.js';
import styles from './result-view.module.css';

interface ResultViewProps {
  readonly result: JsonValue;
  readonly schema: ServedSchema;
  readonly more: boolean;
  /** Absent if no more rows can be loaded. */
  readonly onLoadMore: (() => void) | undefined;
  /** Set while more rows are loading, or after loading failed. */
  readonly reading?: { readonly error?: unknown } | undefined;
  /** Key for the sort order; without it, rows cannot be sorted. */
  readonly sortKey?: string | undefined;
  readonly earlier?: EarlierRows | undefined;
  /** Actions beside the format switch. */
  readonly actions?: ReactNode;
  /** Makes rows selectable by click or arrow keys. */
  readonly selection?: RowSelection | undefined;
}

const ResultChart = lazy(async () => ({
  default: (await loadPart(() => import('./result-chart.js'))).ResultChart,
}));

const ResultGraph = lazy(async () => ({
  default: (await loadPart(() => import('./result-graph.js'))).ResultGraph,
}));

/** Whether changes since the same call was last run are highlighted. */
const comparesRows = createPersistentStore(
  'entail.result-changes',
  true,
  (value): value is boolean => typeof value === 'boolean',
);

const NO_FIND: Find = { text: '', at: 0, asked: 0 };

export function ResultView(props: ResultViewProps) {
  const { result, schema, more, actions } = props;
  const rows = Array.isArray(result) ? result : undefined;
  const as = useResultForm(rows !== undefined);
  const [find, setFind] = useState<Find>();
  const [found, setFound] = useState(0);
  const ask = (): void => setFind((before) => ({ ...(before ?? NO_FIND), asked: (before?.asked ?? 0) + 1 }));
  const isSearched = as === 'json' || (as === 'table' && rows !== undefined);
  useShortcuts(isSearched ? { find: ask } : {});
  const shown = useMemo(() => shownRows(rows ?? [], props.earlier), [rows, props.earlier]);
  const looked = { find, onFound: setFound };
  return (
    <>
      <div className={styles.resultHead}>
        <h3>{rows === undefined ? 'Result' : rowsText(rows.length, more)}</h3>
        <SortWords {...props} />
        <Changes shown={shown} earlier={props.earlier} />
        <span className="pane-spacer" />
        {isSearched && <FindButton onFind={ask} />}
        {actions}
        <ResultFormSwitch
          label="Result as"
          plain={rows === undefined ? 'Value' : 'Table'}
          isList={rows !== undefined}
        />
      </div>
      {find !== undefined && isSearched && (
        <FindBar find={find} found={found} onFind={setFind} onClose={() => setFind(undefined)} />
      )}
      <div className={styles.resultBody}>
        {as === 'json' ? (
          <ResultJson value={result} {...looked} />
        ) : rows !== undefined && as !== 'table' ? (
          <Suspense fallback={<LoadingRows rows={4} />}>
            {as === 'chart' ? <ResultChart rows={rows} /> : <ResultGraph rows={rows} />}
          </Suspense>
        ) : rows !== undefined ? (
          <SortedRows {...props} shown={shown} {...looked} />
        ) : (
          <Single value={result} schema={schema} onWhy={props.selection?.onWhy} />
        )}
      </div>
      {more && props.onLoadMore !== undefined && <More {...props} onLoadMore={props.onLoadMore} />}
    </>
  );
}

export function rowsText(count: number, more: boolean): string {
  return `${count}${more ? '+' : ''} ${count === 1 && !more ? 'row' : 'rows'}`;
}

interface ResultPartProps {
  readonly result: JsonValue;
  readonly schema: ServedSchema;
  readonly label: string;
}

/** One of several results: limited height, without sort or search. */
export function ResultPart({ result, schema, label }: ResultPartProps) {
  const isJson = useResultForm(false) === 'json';
  const nameOf = useLabels().get;
  const { rows } = useMemo(() => shownRows(Array.isArray(result) ? result : [], undefined), [result]);
  const table = useMemo(() => resultTable(rows.map(({ row }) => row)), [rows]);
  const nodes = useMemo(() => (isJson ? jsonNodes(result) : []), [isJson, result]);
  if (isJson) return <JsonTree label={label} nodes={nodes} rowsMax={PART_ROWS_MAX} />;
  if (!Array.isArray(result)) return <Single value={result} schema={schema} />;
  return (
    <div className={styles.resultPart}>
      <ResultRows
        {...{ label, rows, table, schema, nameOf }}
        selection={undefined}
        sort={undefined}
        onSort={undefined}
        isCompared={false}
        found={undefined}
        onEnd={undefined}
      />
    </div>
  );
}

const PART_ROWS_MAX = 12;

function More({ reading, onLoadMore }: Pick<ResultViewProps, 'reading'> & { readonly onLoadMore: () => void }) {
  const error = reading?.error;
  return (
    <div className={styles.resultMore}>
      <Button variant="default" loading={reading !== undefined && error === undefined} onClick={onLoadMore}>
        {error === undefined ? 'Load more rows' : 'Try again'}
      </Button>
      {error !== undefined && (
        <span role="alert">
          <Glyph kind="warning" /> Loading more rows failed:{' '}
          <NamedText text={error instanceof Error ? error.message : String(error)} />
        </span>
      )}
    </div>
  );
}

function FindButton({ onFind }: { onFind: () => void }) {
  const keys = keysText(useKeysOf('find'));
  return (
    <Tooltip label={`Find in the result (${keys})`}>
      <ActionIcon aria-label="Find in the result" onClick={onFind}>
        <IconSearch size={14} />
      </ActionIcon>
    </Tooltip>
  );
}

function useSort(key: string | undefined): ColumnSort | undefined {
  const sorts = useStore(resultSorts);
  return key === undefined ? undefined : sorts[key];
}

/** Only loaded rows are sorted. */
function SortWords({ result, sortKey, more }: ResultViewProps) {
  const sort = useSort(sortKey);
  if (sort === undefined || !Array.isArray(result)) return null;
  return <Cut className={clsx('dim', styles.resultNote)}>{more ? 'only loaded rows are sorted' : 'sorted'}</Cut>;
}

function Changes({ shown, earlier }: { shown: ShownRows; earlier: EarlierRows | undefined }) {
  const isOn = useStore(comparesRows);
  const { added, removed, changed } = shown;
  if (earlier === undefined || added + removed + changed === 0) return null;
  const words = [
    added > 0 ? `${added} added` : '',
    removed > 0 ? `${removed} removed` : '',
    changed > 0 ? `${changed} changed` : '',
  ].filter((each) => each !== '');
  const part = Number.isFinite(earlier.comparedMax) ? ` in the first ${earlier.comparedMax} rows` : '';
  return (
    <Tooltip label={`Highlight changes since ${clockText(earlier.at)}${part}`}>
      <Button
        variant={isOn ? 'light' : 'subtle'}
        size="compact-xs"
        aria-pressed={isOn}
        onClick={() => comparesRows.set(!isOn)}
      >
        {words.join(', ')}
      </Button>
    </Tooltip>
  );
}

interface Looked {
  readonly find: Find | undefined;
  readonly onFound: (found: number) => void;
}

function SortedRows({
  schema,
  selection,
  sortKey,
  shown,
  find,
  onFound,
  more,
  reading,
  onLoadMore,
}: ResultViewProps & Looked & { shown: ShownRows }) {
  const sort = useSort(sortKey);
  const isCompared = useStore(comparesRows) && shown.added + shown.removed + shown.changed > 0;
  const nameOf = useLabels().get;
  const compared = useMemo(
    () => (isCompared ? shown.rows : shown.rows.filter(({ index }) => index !== undefined)),
    [shown, isCompared],
  );
  const rows = useMemo(() => {
    if (sort === undefined) return compared;
    const table = resultTable(compared.map(({ row }) => row));
    const at = table.columns.indexOf(sort.column);
    if (at < 0) return compared;
    const places = sortedPlaces(
      table.rows.map((cells) => cells[at] ?? null),
      sort.isDown,
      nameOf,
    );
    return places.flatMap((place) => compared[place] ?? []);
  }, [compared, sort, nameOf]);
  const table = useMemo(() => resultTable(rows.map(({ row }) => row)), [rows]);
  const text = find?.text ?? '';
  const cells = useMemo(() => findCells(table.rows, text, nameOf), [table, text, nameOf]);
  useTold(cells.length, onFound);
  return (
    <ResultRows
      {...{ rows, table, schema, selection, sort, isCompared, nameOf }}
      onSort={sortKey === undefined ? undefined : (column) => sortBy(sortKey, column)}
      found={find === undefined ? undefined : cells[Math.min(find.at, cells.length - 1)]}
      // In a sorted table, new rows would appear anywhere.
      onEnd={more && reading === undefined && sort === undefined ? onLoadMore : undefined}
    />
  );
}

function ResultJson({ value, find, onFound }: Looked & { value: JsonValue }) {
  const nodes = useMemo(() => jsonNodes(value), [value]);
  const text = find?.text ?? '';
  const found = useMemo(() => findNodes(nodes, text), [nodes, text]);
  useTold(found.length, onFound);
  return <JsonTree label="Result as JSON" nodes={nodes} found={found[Math.min(find?.at ?? 0, found.length - 1)]?.id} />;
}

function useTold(found: number, onFound: (found: number) => void): void {
  useEffect(() => onFound(found), [found, onFound]);
}

interface SingleProps {
  readonly value: JsonValue;
  readonly schema: ServedSchema;
  readonly onWhy?: RowSelection['onWhy'];
}

function Single({ value, schema, onWhy }: SingleProps) {
  if (value === null) return <p className={clsx(styles.resultPad, 'dim')}>none</p>;
  if (typeof value !== 'object' || Array.isArray(value)) {
    return (
      <p className={clsx(styles.resultPad, styles.resultValue)}>
        <WholeValue value={value} />
        {onWhy !== undefined && (
          <button type="button" className={clsx('plain', 'link', styles.resultWhy)} onClick={() => onWhy('whole')}>
            Why?
          </button>
        )}
      </p>
    );
  }
  return (
    <dl className={clsx(styles.resultPad, styles.resultFields)}>
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

/** Shows long text in full. */
function WholeValue({ value, whyOf }: { readonly value: JsonValue; readonly whyOf?: WhyOf }) {
  return isLongText(value) ? <LongText>{value}</LongText> : <Cell value={value} whyOf={whyOf} />;
}

function FieldLine({ field, value, whyOf }: { field: string; value: JsonValue; whyOf: WhyOf }) {
  return (
    <>
      <dt className="dim">
        <BreakingName>{field}</BreakingName>
      </dt>
      <dd>
        <WholeValue value={value} whyOf={whyOf} />
      </dd>
    </>
  );
}
