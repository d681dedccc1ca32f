/** The tuples of a relation, loaded page by page, with a form for any other tuple. */

import { ActionIcon, Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { Fact, JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { LoadFailure, LoadingRows } from '../../../domain/failure/states.js';
import { useFirstDefined } from '../../../domain/result/content-width.js';
import { decimalText } from '../../../domain/result/decimal-text.js';
import { explainLocation, shortName } from '../../../model/facts/locations.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { explainTogetherLocation, keyOfFact, type NamedFact, TOGETHER_MAX } from '../../../model/facts/together.js';
import { endpointWords } from '../../../model/sentences/sentence.js';
import { decimalPlaces } from '../../../model/text/decimal-places.js';
import { useCountedAnew } from '../../../server-state/counts.js';
import { useRelation } from '../../../server-state/facts.js';
import { useStoredText } from '../../../state/stored-text.js';
import { Cut } from '../../../ui/cut.js';
import { ListFilter } from '../../../ui/list-filter.js';
import { Pane, PaneTitle } from '../../../ui/panes/panes.js';
import { KnownLabels, type LabelsById, ReferenceLabel, useLabels } from '../../../ui/reference-label.js';
import { useRowVirtualizer } from '../../../ui/use-row-virtualizer.js';
import styles from '../explain.module.css';
import { filterOf, wordsOf } from './fact-search.js';
import { TupleForm } from './tuple-form.js';
import { useWhyNotForm } from './why-not-form.js';

interface TupleListProps {
  readonly info: RelationInfo;
  readonly schema: ServedSchema;
  readonly selected: readonly JsonValue[] | undefined;
  /** The explained facts, the selected one first. */
  readonly together: readonly NamedFact[];
}

export function TupleList({ info, schema, selected, together }: TupleListProps) {
  const [filter, setFilter] = useStoredText(`tuples of ${info.path}`);
  const [query] = useDebouncedValue(filter, DEBOUNCE_MS);
  const [isFormOpen, setFormOpen] = useWhyNotForm(info.path);
  const conditions = useMemo(() => filterOf(wordsOf(query)), [query]);
  const relation = useRelation(info.path, conditions);
  useCountedAnew(info, relation.dataUpdatedAt);
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = relation;
  const facts = useMemo(() => data?.pages.flatMap((page) => page.result) ?? [], [data]);
  const labels = useMemo(() => new Map(data?.pages.flatMap((page) => Object.entries(page.labels ?? {}))), [data]);
  const total = data?.pages[0]?.total;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <Pane
      label="Tuples"
      title={
        <PaneTitle>
          {shortName(info.path)}{' '}
          <span className={clsx('dim', 'numeric', styles.tupleCount)} title={total?.toLocaleString('en')}>
            {total !== undefined && countText(total)}
          </span>
        </PaneTitle>
      }
      actions={
        <Button variant="subtle" size="compact-xs" aria-expanded={isFormOpen} onClick={() => setFormOpen(!isFormOpen)}>
          Why not…?
        </Button>
      }
    >
      <div className={styles.tuples}>
        {isFormOpen && <TupleForm key={info.path} info={info} schema={schema} start={selected} />}
        <ListFilter label="Filter tuples" value={filter} onChange={setFilter} />
        {relation.isPending && <LoadingRows rows={5} />}
        {relation.isError && <LoadFailure error={relation.error} onRetry={() => void relation.refetch()} />}
        {data !== undefined && (
          <KnownLabels value={labels}>
            <Tuples info={info} facts={facts} together={together} filtered={query.trim() !== ''} onEnd={loadMore} />
          </KnownLabels>
        )}
      </div>
    </Pane>
  );
}

const MILLIONS = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Six digits fit beside the name and the button. */
function countText(count: number): string {
  return count < 1_000_000 ? count.toLocaleString('en') : MILLIONS.format(count);
}

/** Debounce of the filter. */
const DEBOUNCE_MS = 150;

interface TuplesProps {
  readonly info: RelationInfo;
  readonly facts: readonly Fact[];
  readonly filtered: boolean;
  readonly together: readonly NamedFact[];
  /** The last rows are visible. */
  readonly onEnd: () => void;
}

function Tuples({ info, facts, filtered, together, onEnd }: TuplesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useRowVirtualizer({ count: facts.length, scroller });
  const isAtEnd = (virtualizer.getVirtualItems().at(-1)?.index ?? 0) === facts.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd();
  }, [isAtEnd, onEnd]);
  const decimals = useMemo(() => info.endpoints.map((_, at) => decimalPlacesOf(info, facts, at)), [info, facts]);
  const selected = new Map(together.map((fact) => [keyOfFact(fact), fact]));
  const labels = useLabels();
  const isKnown = labels.ready && facts.length > 0;
  const shares =
    useFirstDefined(info.path, () => (isKnown ? sharesOf(info, facts, labels) : undefined)) ??
    info.endpoints.map(() => 1);
  if (facts.length === 0) {
    return (
      <p className={clsx(styles.tupleNone, 'dim')}>
        {filtered
          ? 'No matches'
          : info.kind === 'stored' || info.kind === 'concept' || info.kind === 'field'
            ? 'No facts yet. Call a public mutation in Invoke to add some.'
            : 'No conclusions yet. Choose Why not…? to see the reason.'}
      </p>
    );
  }
  const columns = { gridTemplateColumns: shares.map((share) => `minmax(0, ${share}fr)`).join(' ') };
  return (
    <>
      {info.endpoints.length > 1 && (
        <div className={clsx(styles.tupleHead, 'above-scroller', 'dim')} style={columns} aria-hidden>
          {info.endpoints.map((endpoint, position) => (
            <Cut key={endpoint.name} className={alignmentOf(info, position)}>
              {endpointWords(info, position)}
            </Cut>
          ))}
        </div>
      )}
      <div className={styles.tupleScroller} ref={scroller}>
        <ul className={styles.tupleRows} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const fact = facts[item.index];
            if (fact === undefined) return null;
            const named = { relation: info.path, tuple: fact.tuple };
            const key = keyOfFact(named);
            return (
              <li key={fact.factId} style={{ transform: `translateY(${item.start}px)` }} className={styles.tupleItem}>
                <Link
                  id={`tuple-${fact.factId}`}
                  className={clsx('row', styles.tupleRow)}
                  style={columns}
                  to={explainLocation(info.path, fact.tuple)}
                  aria-current={selected.has(key)}
                >
                  {fact.tuple.map((value, position) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: positions of a tuple.
                    <Cut key={position} className={alignmentOf(info, position)}>
                      {decimalText(
                        <ReferenceLabel value={value} reference={info.endpoints[position]?.type.kind === 'class'} />,
                        value,
                        decimals[position] ?? 0,
                      )}
                    </Cut>
                  ))}
                </Link>
                <TogetherButton
                  isIn={selected.has(key)}
                  isAlone={selected.has(key) && selected.size === 1}
                  isFull={selected.size >= TOGETHER_MAX}
                  describedBy={`tuple-${fact.factId}`}
                  to={explainTogetherLocation(
                    selected.has(key) ? together.filter((each) => each !== selected.get(key)) : [...together, named],
                  )}
                />
              </li>
            );
          })}
        </ul>
      </div>
    </>
  );
}

interface TogetherButtonProps {
  readonly isIn: boolean;
  /** The only explained fact cannot be removed. */
  readonly isAlone: boolean;
  readonly isFull: boolean;
  /** Id of the element with the tuple. */
  readonly describedBy: string;
  /** The location with the new set of facts. */
  readonly to: string;
}

/** Adds a tuple to the explanation, or removes it. */
function TogetherButton({ isIn, isAlone, isFull, describedBy, to }: TogetherButtonProps) {
  const navigate = useNavigate();
  if (isAlone) return null;
  return (
    <ActionIcon
      className={styles.tupleTogether}
      aria-label="Add to explanation"
      aria-describedby={describedBy}
      aria-pressed={isIn}
      title={isIn ? 'Remove from explanation' : 'Explain together'}
      disabled={isFull && !isIn}
      onClick={() => void navigate(to)}
    >
      {isIn ? <IconMinus size={14} /> : <IconPlus size={14} />}
    </ActionIcon>
  );
}

/** Aligns numbers at the decimal point. */
function alignmentOf(info: RelationInfo, position: number): string {
  return isNumber(info, position) ? clsx('numeric', styles.tupleNumber) : '';
}

/** The largest number of decimal places in a column. */
function decimalPlacesOf(info: RelationInfo, facts: readonly Fact[], position: number): number {
  if (!isNumber(info, position)) return 0;
  return facts.reduce((most, { tuple }) => Math.max(most, decimalPlaces(tuple[position] ?? null)), 0);
}

/** The share of the line for each column, so that no name is cut while another column has space to spare. */
function sharesOf(info: RelationInfo, facts: readonly Fact[], labels: LabelsById): readonly number[] {
  const lettersOf = (value: JsonValue | undefined): number => {
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
    return (labels.get(text) ?? text).length;
  };
  return info.endpoints.map((_, at) => {
    const letters = facts.slice(0, SHARED_BY).map(({ tuple }) => lettersOf(tuple[at]));
    return Math.min(LETTERS_MAX, Math.max(LETTERS_MIN, endpointWords(info, at).length, ...letters));
  });
}

/** Rows measured for the column widths. */
const SHARED_BY = 50;
/** Upper limit of a share, so that a long name leaves numbers readable. */
const LETTERS_MIN = 8;
const LETTERS_MAX = 22;

function isNumber({ endpoints }: RelationInfo, position: number): boolean {
  const type = endpoints[position]?.type;
  return type?.kind === 'scalar' && (type.name === 'Int' || type.name === 'Decimal');
}
