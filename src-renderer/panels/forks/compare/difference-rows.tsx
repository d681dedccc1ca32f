/** The differing rows of one relation as sentences with links to proofs; a virtual list. */

import { clsx } from 'clsx';
import { useEffect, useMemo, useRef } from 'react';
import { Link } from 'react-router';
import type { ForkDiffCount } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { LoadFailure, LoadingRows } from '../../../domain/failure/states.js';
import { SentenceView } from '../../../domain/proof/sentence-view.js';
import { ForkOfPart } from '../../../model/calls/place.js';
import { inBrief, SHOWN_LETTERS_MAX } from '../../../model/facts/labels.js';
import { explainLocation } from '../../../model/facts/locations.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { rawFact } from '../../../model/sentences/sentence.js';
import { useForkNames } from '../../../server-state/forks.js';
import { LettersMax } from '../../../ui/brief.js';
import { Cut } from '../../../ui/cut.js';
import { CutMiddle } from '../../../ui/cut-middle.js';
import { Glyph } from '../../../ui/glyph.js';
import { useRowVirtualizer } from '../../../ui/use-row-virtualizer.js';
import styles from './compare-view.module.css';
import { type ChangeCounts, changeCounts, linesIn, nameOf, ofKinds } from './comparison-filter.js';
import { type Change, type ComparisonRow, comparisonRows } from './comparison-rows.js';
import type { RelationIndex } from './difference-list.js';
import { useMergeDryRunText } from './merge-dry-run.js';
import { type Sides, useDifferences } from './use-comparison.js';

interface DifferenceRowsProps {
  readonly sides: Sides;
  readonly relation: string;
  /** Undefined until known. */
  readonly count: ForkDiffCount | undefined;
  /** Shown kinds; empty for all. */
  readonly kinds: readonly Change[];
  readonly index: RelationIndex;
}

/** Loads the next page when this many rows are left below the viewport. */
const ROWS_AHEAD = 40;

export function DifferenceRows({ sides, relation, count, kinds, index }: DifferenceRowsProps) {
  const nameOfFork = useForkNames();
  const [left, right] = [nameOfFork(sides.left.id), nameOfFork(sides.right.id)];
  const tried = useMergeDryRunText(sides);
  const differences = useDifferences(sides, relation, kinds);
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = differences;
  const facts = useMemo(() => data?.pages.flatMap((page) => page.result), [data]);
  const rows = useMemo(() => comparisonRows(facts ?? [], (path) => index.get(path)), [facts, index]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useRowVirtualizer({
    count: rows.length,
    scroller,
    extraHeight: 4,
    keyOf: (at) => rows[at]?.key ?? at,
  });
  const items = virtualizer.getVirtualItems();
  const lastInView = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && lastInView >= rows.length - ROWS_AHEAD) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, lastInView, rows.length, fetchNextPage]);
  const counts = count && ofKinds(changeCounts(count), kinds);
  // A change is two facts, and the server counts facts.
  const all = counts && linesIn(counts) + counts.changed;
  return (
    <section
      className={clsx('pane', styles.differenceRows)}
      aria-label="Differing rows"
      data-sides={sidesWithFacts(counts)}
    >
      <div className={clsx(styles.differenceHead, 'above-scroller')} aria-hidden>
        <Cut className={styles.differenceRelation}>{nameOf(count ?? { relation })}</Cut>
        <CutMiddle>{sides.of === 'forks' ? `only in ${left}` : `${left} now`}</CutMiddle>
        <CutMiddle>{sides.of === 'forks' ? `only in ${right}` : `${left} afterwards`}</CutMiddle>
      </div>
      {differences.isError && <LoadFailure error={differences.error} onRetry={() => void differences.refetch()} />}
      {data !== undefined && rows.length === 0 && <p className="pane-padded dim">No differences left</p>}
      <div className={styles.differenceScroller} ref={scroller}>
        {differences.isPending && <LoadingRows rows={6} />}
        <ul className={styles.differenceRowsList} style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {items.map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            return (
              <li
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                className={styles.differenceRow}
                aria-setsize={hasNextPage ? -1 : rows.length}
                aria-posinset={item.index + 1}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <RowView row={row} sides={sides} info={index.get(row.relation)} tried={tried} />
              </li>
            );
          })}
        </ul>
      </div>
      {facts !== undefined && (hasNextPage || (all ?? 0) > facts.length) && (
        <p className={clsx(styles.differenceFoot, 'dim', 'numeric')} role="status">
          {facts.length.toLocaleString('en')} of {all?.toLocaleString('en') ?? 'more'} loaded
          {isFetchingNextPage ? ', loading' : ', scroll for more'}
        </p>
      )}
    </section>
  );
}

/** An empty side leaves its room to the other. */
function sidesWithFacts(counts: ChangeCounts | undefined): 'left' | 'right' | 'both' {
  if (counts === undefined || counts.changed > 0 || (counts.removed > 0 && counts.added > 0)) return 'both';
  return counts.removed > 0 ? 'left' : 'right';
}

interface RowViewProps {
  readonly row: ComparisonRow;
  readonly sides: Sides;
  readonly info: RelationInfo | undefined;
  /** The dry run after which the right side exists, if it does not exist yet. */
  readonly tried: string | undefined;
}

function RowView({ row, sides, info, tried }: RowViewProps) {
  const { left, right } = sides;
  return (
    <>
      <span className={clsx(styles.differenceChange, `is-${row.change}`)}>
        <Glyph kind={row.change} />
        {row.change}
      </span>
      <SideCell row={row} tuple={row.left} fork={left.id} info={info} proof={{ fork: left.id }} />
      <SideCell
        row={row}
        tuple={row.right}
        fork={right.id}
        info={info}
        proof={tried === undefined ? { fork: right.id } : { fork: left.id, after: tried }}
      />
    </>
  );
}

interface SideCellProps {
  readonly row: ComparisonRow;
  readonly tuple: readonly JsonValue[] | undefined;
  /** Fork that knows the labels of the individuals. */
  readonly fork: string;
  readonly info: RelationInfo | undefined;
  readonly proof: ProofPlace;
}

function SideCell({ row, tuple, fork, info, proof }: SideCellProps) {
  const { relation, kind, violation } = row;
  if (tuple === undefined) {
    const absent = row.left ?? row.right ?? [];
    return (
      <span className={clsx(styles.differenceSide, styles.differenceAbsent, 'dim')}>
        <span aria-hidden>–</span>
        {kind !== 'stored' && <ProofLink text="Why not?" relation={relation} tuple={absent} {...proof} />}
      </span>
    );
  }
  return (
    <span className={styles.differenceSide}>
      <ForkOfPart.Provider value={fork}>
        <Cut tip={<span className="mono">{inBrief(rawFact(relation, tuple), SHOWN_LETTERS_MAX)}</span>}>
          {violation === undefined ? (
            <LettersMax value={SIDE_LETTERS_MAX}>
              <SentenceView relation={relation} tuple={tuple} info={info} />
            </LettersMax>
          ) : (
            <>
              <Glyph kind={violation.severity} label={violation.severity} /> {violation.message}
            </>
          )}
        </Cut>
      </ForkOfPart.Provider>
      <ProofLink text="Why?" relation={relation} tuple={tuple} {...proof} />
    </span>
  );
}

/** Per value. */
const SIDE_LETTERS_MAX = 32;

/** Where a side is explained: on a fork, or after a dry run. */
interface ProofPlace {
  readonly fork: string;
  readonly after?: string;
}

interface ProofLinkProps extends ProofPlace {
  readonly text: string;
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
}

function ProofLink({ text, relation, tuple, fork, after }: ProofLinkProps) {
  const name = useForkNames()(fork);
  const state = after === undefined ? `on ${name}` : 'afterwards';
  return (
    <Link
      className={clsx('link', styles.differenceWhy)}
      to={explainLocation(relation, tuple, fork, { after })}
      title={`Explain on ${name}${after === undefined ? '' : ' with these changes'}, and switch to it`}
    >
      {text}
      <span className="visually-hidden"> {state}</span>
    </Link>
  );
}
