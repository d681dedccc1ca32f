/** Compares a fork with another: number of differences per layer, and the rows of one relation. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import type { RefObject } from 'react';
import { useMemo, useRef } from 'react';
import type { ForkInfo } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import { Empty } from '../../../domain/failure/states.js';
import { ForkSelect } from '../../../domain/fork/fork-select.js';
import { sortedForks } from '../../../model/facts/fork-names.js';
import { useForkNames } from '../../../server-state/forks.js';
import { useUrlText } from '../../../state/url-text.js';
import { Cut } from '../../../ui/cut.js';
import { Glyph } from '../../../ui/glyph.js';
import { Panes } from '../../../ui/panes/panes.js';
import { updateTarget } from '../fork-tree.js';
import type { ForksAddress } from '../panel-address.js';
import { useForksGranted } from '../use-fork-actions.js';
import styles from './compare-view.module.css';
import type { ChangeCounts } from './comparison-filter.js';
import { CHANGES, changeCounts, linesIn, shownCounts, summed, toggled, UNFILTERED } from './comparison-filter.js';
import type { Change } from './comparison-rows.js';
import { DifferenceList, type RelationIndex } from './difference-list.js';
import { DifferenceRows } from './difference-rows.js';
import { keepText, usePromotionDraft, useUpdateDraft } from './promotion-draft.js';
import { lostIn, type Sides, useMergeDryRun } from './use-comparison.js';
import { useLayers } from './use-layers.js';

interface CompareViewProps {
  readonly fork: ForkInfo;
  readonly forks: readonly ForkInfo[];
  readonly index: RelationIndex;
  readonly address: ForksAddress;
  readonly change: (change: Partial<ForksAddress>) => void;
}

export function CompareView({ fork, forks, index, address, change }: CompareViewProps) {
  const nameOf = useForkNames();
  const others = useMemo(() => sortedForks(forks).filter(({ id }) => id !== fork.id), [forks, fork.id]);
  const wanted = address.other ?? fork.parent ?? undefined;
  const other = others.find(({ id }) => id === wanted);
  const merge = useMergeOfSheet(fork, other, updateTarget(fork, forks), address);
  const head =
    merge !== undefined ? (
      <p className={styles.forkCompareWhat}>
        {merge.of === 'promotion'
          ? `What promoting ${nameOf(fork.id)} would change on ${nameOf(merge.left.id)}`
          : `What rebasing ${nameOf(fork.id)} would change on it`}
      </p>
    ) : (
      <>
        <ForkSelect
          className={styles.forkCompareSelect}
          aria-label="Compare with"
          placeholder="Select a fork"
          data={others.map(({ id }) => id)}
          value={other?.id ?? null}
          allowDeselect={false}
          leftSection={<span className="dim">with</span>}
          leftSectionWidth={44}
          onChange={(value) => change({ other: value ?? undefined, relation: undefined })}
        />
        {other !== undefined && other.id === fork.parent && fork.status === 'open' && (
          <Cut className={clsx('dim', styles.forkCompareWhat)} tip={sinceThen(nameOf(fork.id), nameOf(other.id))}>
            {sinceThen(nameOf(fork.id), nameOf(other.id))}
          </Cut>
        )}
        {address.other !== undefined && other === undefined && <span className="dim">No fork {address.other}.</span>}
      </>
    );
  return (
    <div className={styles.forkCompare}>
      {other === undefined ? (
        <>
          {others.length > 0 && <div className={styles.forkCompareHead}>{head}</div>}
          <NothingSelected alone={others.length === 0} />
        </>
      ) : (
        <Comparison
          key={`${other.id} ${merge?.of}`}
          head={head}
          sides={merge ?? { of: 'forks', left: other, right: fork }}
          index={index}
          address={address}
          change={change}
        />
      )}
    </div>
  );
}

/** What the open sheet would do with the fork; undefined if it cannot be shown. */
function useMergeOfSheet(
  fork: ForkInfo,
  other: ForkInfo | undefined,
  target: ForkInfo | undefined,
  { sheet }: ForksAddress,
): Sides | undefined {
  const [promotion] = usePromotionDraft(fork);
  const [update] = useUpdateDraft(fork);
  const isPossible = fork.status === 'open' && other?.id === fork.parent && other?.status === 'open';
  const sides = ((): Sides => {
    if (isPossible && sheet === 'promote')
      return { of: 'promotion', left: other, right: fork, keep: keepText(promotion.ofParent) };
    if (sheet === 'update' && target !== undefined)
      return { of: 'update', left: fork, right: target, keep: keepText(update.ofParent) };
    return { of: 'forks', left: other ?? fork, right: fork };
  })();
  const dryRun = useMergeDryRun(sides);
  // A merge that the parent cannot take has no preview; the two forks can still be compared.
  return sides.of === 'forks' || lostIn(dryRun.error) !== undefined ? undefined : sides;
}

function sinceThen(fork: string, parent: string): string {
  return `Comparing current states. Changes made on ${parent} since the fork show as removed. Promote… shows only the changes of ${fork}.`;
}

function NothingSelected({ alone }: { alone: boolean }) {
  const granted = useForksGranted();
  if (!alone) {
    return (
      <Empty title="Nothing selected">
        <p>Select a fork to compare with.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No other forks">
      <p>
        {granted ? 'Create one with New fork, on the left.' : 'Forks are read-only on this server.'} Changes on a fork
        stay there. Compare shows how they differ from main, with conclusions and violations.
      </p>
    </Empty>
  );
}

interface ComparisonProps extends Pick<CompareViewProps, 'index' | 'address' | 'change'> {
  readonly head: React.ReactNode;
  readonly sides: Sides;
}

function Comparison({ head, sides, index, address, change }: ComparisonProps) {
  const { relation, kinds, find } = address;
  const [, setFind] = useUrlText('find');
  const kindButtons = useRef<HTMLDivElement>(null);
  const showAll = (): void => {
    change(UNFILTERED);
    // The button disappears, so move the focus first.
    kindButtons.current?.querySelector('button')?.focus();
  };
  const layers = useLayers(sides);
  const counted = layers.flatMap(({ counts }) => counts?.relations ?? []);
  const shown = shownCounts(counted, { kinds, find });
  const count = counted.find((each) => each.relation === relation);
  // If the filter hides the selected relation, the first shown one takes its place.
  const isHidden = relation !== undefined && count !== undefined && !shown.some((each) => each.count === count);
  const selected = relation === undefined || isHidden ? shown[0]?.count.relation : relation;
  const allRead = layers.every(({ counts }) => counts !== undefined);
  const isSame = allRead && counted.length === 0;
  return (
    <>
      <div className={styles.forkCompareHead}>
        {head}
        {!isSame && (
          <DifferenceKinds
            ref={kindButtons}
            counts={allRead ? summed(shownCounts(counted, { kinds: [], find }).map(({ lines }) => lines)) : undefined}
            kinds={kinds}
            onChange={(wanted) => change({ kinds: wanted })}
          />
        )}
      </div>
      <div className={styles.forkComparePanes}>
        {isSame && relation === undefined ? (
          <Same sides={sides} />
        ) : (
          <Panes
            id="comparison"
            panes={[
              {
                id: 'differences',
                size: 216,
                minSize: 160,
                fixed: true,
                content: (
                  <DifferenceList
                    layers={layers}
                    index={index}
                    filter={address}
                    selected={selected}
                    onSelect={(path) => change({ relation: path })}
                    onFind={setFind}
                  />
                ),
              },
              {
                ...{ id: 'difference-rows', name: 'rows' },
                minSize: 240,
                content:
                  selected !== undefined ? (
                    <DifferenceRows
                      key={selected}
                      sides={sides}
                      relation={selected}
                      count={counted.find((each) => each.relation === selected)}
                      kinds={kinds}
                      index={index}
                    />
                  ) : allRead ? (
                    <NothingShown all={linesIn(summed(counted.map(changeCounts)))} onShowAll={showAll} />
                  ) : null,
              },
            ]}
          />
        )}
      </div>
    </>
  );
}

function NothingShown({ all, onShowAll }: { all: number; onShowAll: () => void }) {
  return (
    <Empty title="No matches">
      <p>The filter hides {all === 1 ? '1 difference' : `${all.toLocaleString('en')} differences`}.</p>
      <Button variant="default" size="compact-xs" onClick={onShowAll}>
        Show all
      </Button>
    </Empty>
  );
}

function Same({ sides: { of, keep, ...sides } }: { sides: Sides }) {
  const nameOf = useForkNames();
  const [left, right] = [nameOf(sides.left.id), nameOf(sides.right.id)];
  const had =
    keep === undefined || of === 'update'
      ? `${left} already has all changes of ${right}.`
      : `${left} keeps its own values, and already has all other changes of ${right}.`;
  return (
    <Empty title={of === 'forks' ? 'No differences' : 'No changes'}>
      <p>
        <Glyph kind="good" /> {of !== 'forks' ? had : `${left} and ${right} have the same facts and violations.`}
      </p>
    </Empty>
  );
}

interface DifferenceKindsProps {
  readonly ref: RefObject<HTMLDivElement | null>;
  /** For the shown relations; undefined until every layer is counted. */
  readonly counts: ChangeCounts | undefined;
  readonly kinds: readonly Change[];
  readonly onChange: (kinds: readonly Change[]) => void;
}

/** Filter buttons per kind of difference, with counts. */
function DifferenceKinds({ ref, counts, kinds, onChange }: DifferenceKindsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons of one kind, which are no form.
    <div ref={ref} className={styles.differenceKinds} role="group" aria-label="Kinds of difference">
      {CHANGES.map((change) => {
        const isOn = kinds.includes(change);
        return (
          <Button
            key={change}
            className="difference-kind numeric"
            variant={isOn ? 'light' : 'subtle'}
            color={isOn ? 'accent' : 'gray'}
            size="compact-xs"
            aria-pressed={isOn}
            leftSection={<Glyph kind={change} />}
            onClick={() => onChange(toggled(kinds, change))}
          >
            {change}
            {counts !== undefined && (
              <span className={styles.differenceKindCount}>{counts[change].toLocaleString('en')}</span>
            )}
          </Button>
        );
      })}
    </div>
  );
}
