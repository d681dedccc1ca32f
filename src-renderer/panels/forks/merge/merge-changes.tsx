/** The facts that a promotion or a rebase would change: how many of which relation, and the first ones with links to their proofs. */

import { clsx } from 'clsx';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { FailureView } from '../../../domain/failure/failure-view.js';
import { LoadingRows } from '../../../domain/failure/states.js';
import { SentenceView } from '../../../domain/proof/sentence-view.js';
import { ForkOfPart } from '../../../model/calls/place.js';
import { explainLocation } from '../../../model/facts/locations.js';
import { relationIndex } from '../../../model/facts/relation-index.js';
import { useSchema } from '../../../server-state/module.js';
import { Glyph } from '../../../ui/glyph.js';
import { CHANGES, linesIn, namedCounts, summed } from '../compare/comparison-filter.js';
import { type Change, comparisonRows, layerCounts, type RelationIndex } from '../compare/comparison-rows.js';
import { useMergeDryRunText } from '../compare/merge-dry-run.js';
import { type Sides, useDifferenceCounts, useFirstDifferences } from '../compare/use-comparison.js';
import styles from './merge-sheet.module.css';

interface MergeChangesProps {
  readonly layer: 'stored' | 'derived';
  readonly sides: Sides;
  readonly onRelation: (relation: string) => void;
}

const TEXTS = {
  stored: { title: 'Stored facts', none: 'No stored facts change.' },
  derived: { title: 'Conclusions', none: 'No conclusions change.' },
} as const;

export function MergeChanges({ layer, sides, onRelation }: MergeChangesProps) {
  const counts = useDifferenceCounts(sides, layer);
  const schema = useSchema().data;
  const index = useMemo(() => relationIndex(schema), [schema]);
  const { title, none } = TEXTS[layer];
  if (counts.data === undefined) {
    return (
      <section className={styles.forkSheetPart} aria-label={title}>
        <h3>{title}</h3>
        {counts.isError ? <FailureView error={counts.error} /> : <LoadingRows rows={2} />}
      </section>
    );
  }
  const shown = namedCounts(layerCounts(layer, counts.data).relations);
  const all = summed(shown.map(({ lines }) => lines));
  return (
    <section className={styles.forkSheetPart} aria-label={title}>
      <h3>{title}</h3>
      {linesIn(all) === 0 && <p className="dim">{none}</p>}
      {CHANGES.filter((change) => all[change] > 0).map((change) => (
        <div key={change} className={styles.forkComing}>
          <p className={clsx(styles.forkConclusionsHead, `is-${change}`)}>
            <Glyph kind={change} />
            {all[change].toLocaleString('en')} {change}
          </p>
          <ul className={styles.forkConclusions}>
            {shown
              .filter(({ lines }) => lines[change] > 0)
              .map(({ count, name, lines }) => (
                <li key={count.relation}>
                  <button type="button" className="plain link" onClick={() => onRelation(count.relation)}>
                    {name}
                  </button>{' '}
                  <span className="dim numeric">{lines[change].toLocaleString('en')}</span>
                </li>
              ))}
          </ul>
          <FirstRows {...{ layer, sides, change, index }} count={all[change]} />
        </div>
      ))}
    </section>
  );
}

/** The rest of the sheet has to stay in sight. The comparison beside it has all rows. */
const ROWS_FIRST = 3;

interface FirstRowsProps extends Pick<MergeChangesProps, 'layer' | 'sides'> {
  readonly change: Change;
  readonly count: number;
  readonly index: RelationIndex;
}

function FirstRows({ layer, sides, change, count, index }: FirstRowsProps) {
  const first = useFirstDifferences(sides, layer, change, ROWS_FIRST);
  const tried = useMergeDryRunText(sides);
  const { left, right } = sides;
  if (first.data === undefined) return first.isError ? null : <LoadingRows rows={Math.min(count, ROWS_FIRST)} />;
  const rows = comparisonRows(first.data.result, (path) => index.get(path)).slice(0, ROWS_FIRST);
  const [fork, place] = change === 'removed' ? [left.id, {}] : [right.id, { after: tried }];
  return (
    <ForkOfPart.Provider value={fork}>
      <ul className={styles.forkFirst}>
        {rows.map((row) => {
          const tuple = row.right ?? row.left ?? [];
          return (
            <li key={row.key}>
              <span>
                <SentenceView relation={row.relation} tuple={tuple} info={index.get(row.relation)} />
              </span>
              <Link className="link" to={explainLocation(row.relation, tuple, left.id, place)}>
                Why?
                <span className="visually-hidden"> {change === 'removed' ? 'now' : 'afterwards'}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </ForkOfPart.Provider>
  );
}
