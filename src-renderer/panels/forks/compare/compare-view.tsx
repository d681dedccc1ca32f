/** Compares a fork with another: violations, conclusions and stored facts that differ, in one scroll. */

import { Button } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import type { ForkInfo } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { Empty } from '../../../domain/failure/states.js';
import { ForkSelect } from '../../../domain/fork/fork-select.js';
import { MomentSelect } from '../../../domain/past/moment-select.js';
import { sortedForks } from '../../../model/facts/fork-names.js';
import { shortName } from '../../../model/facts/locations.js';
import { type RelationInfo, relationIndex } from '../../../model/facts/relation-index.js';
import { useForkNames } from '../../../server-state/forks.js';
import { useUrlText } from '../../../state/url-text.js';
import { Glyph } from '../../../ui/glyph.js';
import { ListFilter } from '../../../ui/list-filter.js';
import { newestOpenFork, updateTarget } from '../fork-tree.js';
import type { ForksAddress } from '../panel-address.js';
import { useForksGranted } from '../use-fork-actions.js';
import { wholeIndividuals } from './change-groups.js';
import { ChangeSection, type Layer, layerOf } from './change-section.js';
import styles from './compare-view.module.css';
import type { ChangeCounts } from './comparison-filter.js';
import { CHANGES, changeCounts, ofKinds, summed, toggled } from './comparison-filter.js';
import { type Change, comparisonRows, type RelationIndex } from './comparison-rows.js';
import { keepText, usePromotionDraft, useUpdateDraft } from './promotion-draft.js';
import { lostIn, type Sides, useDifferences, useMergeDryRun } from './use-comparison.js';
import { useLayers } from './use-layers.js';

interface CompareViewProps {
  readonly fork: ForkInfo;
  readonly forks: readonly ForkInfo[];
  readonly schema: ServedSchema;
  readonly address: ForksAddress;
  readonly change: (change: Partial<ForksAddress>) => void;
}

export function CompareView({ fork, forks, schema, address, change }: CompareViewProps) {
  const nameOf = useForkNames();
  const others = useMemo(() => sortedForks(forks).filter(({ id }) => id !== fork.id), [forks, fork.id]);
  const wanted = address.other ?? fork.parent ?? newestOpenFork(forks)?.id;
  const other = others.find(({ id }) => id === wanted);
  const merge = useMergeOfSheet(fork, other, updateTarget(fork, forks), address);
  if (address.since !== undefined && merge === undefined) {
    const moments = { since: address.since, until: address.until };
    return (
      <div className={styles.forkCompare}>
        <Comparison
          key="moments"
          head={<MomentsHead {...{ fork, moments, change }} isAlone={others.length === 0} />}
          note={undefined}
          sides={{ of: 'forks', left: fork, right: fork, moments }}
          {...{ schema, address, change }}
        />
      </div>
    );
  }
  const head =
    merge !== undefined ? (
      <p className={styles.forkCompareWhat}>
        {merge.of === 'promotion'
          ? `What the promotion would change on ${nameOf(merge.left.id)}`
          : 'What the rebase would change on this fork'}
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
        {address.other !== undefined && other === undefined && <span className="dim">No fork {address.other}.</span>}
        <Button variant="subtle" size="compact-xs" onClick={() => change({ since: 0 })}>
          Compare moments
        </Button>
      </>
    );
  return (
    <div className={styles.forkCompare}>
      {other === undefined ? (
        <>
          {others.length > 0 && <div className={styles.forkCompareHead}>{head}</div>}
          <NothingSelected alone={others.length === 0} onMoments={() => change({ since: 0 })} />
        </>
      ) : (
        <Comparison
          key={`${other.id} ${merge?.of}`}
          head={head}
          note={
            merge === undefined && other.id === fork.parent && fork.behind !== undefined
              ? sinceThen(nameOf(fork.id), nameOf(other.id))
              : undefined
          }
          sides={merge ?? { of: 'forks', left: other, right: fork }}
          {...{ schema, address, change }}
        />
      )}
    </div>
  );
}

interface MomentsHeadProps extends Pick<CompareViewProps, 'fork' | 'change'> {
  readonly moments: NonNullable<Sides['moments']>;
  /** There is no other fork to compare with. */
  readonly isAlone: boolean;
}

/** Selects the two moments. */
function MomentsHead({ fork, moments: { since, until }, isAlone, change }: MomentsHeadProps) {
  return (
    <>
      <MomentSelect label="from" fork={fork.id} value={since} onChange={(txn = 0) => change({ since: txn })} />
      <MomentSelect label="to" fork={fork.id} value={until} hasNow onChange={(txn) => change({ until: txn })} />
      {!isAlone && (
        <Button variant="subtle" size="compact-xs" onClick={() => change({ since: undefined, until: undefined })}>
          Compare forks
        </Button>
      )}
    </>
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
  return `${parent} has changed since ${fork} was created. Its later changes show here as removed. Promote… shows only the changes of ${fork}.`;
}

function NothingSelected({ alone, onMoments }: { alone: boolean; onMoments: () => void }) {
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
      <Button variant="default" onClick={onMoments}>
        Compare two moments of main
      </Button>
    </Empty>
  );
}

interface ComparisonProps extends Pick<CompareViewProps, 'schema' | 'address' | 'change'> {
  readonly head: ReactNode;
  readonly note: string | undefined;
  readonly sides: Sides;
}

/** In reading order. */
const LAYERS: readonly Layer[] = ['firings', 'derived', 'stored'];

function Comparison({ head, note, sides, schema, address, change }: ComparisonProps) {
  const { relation, kinds, find } = address;
  const [, setFind] = useUrlText('find');
  const index = useMemo(() => relationIndex(schema), [schema]);
  const layers = useLayers(sides);
  const info = relation === undefined ? undefined : index.get(relation);
  const differences = useLayerDifferences(sides, info, kinds);
  const whole = useWhole(differences.stored.data, index);
  const counted = layers.flatMap(({ counts }) => counts?.relations ?? []);
  const isCounted = layers.every(({ counts }) => counts !== undefined);
  if (isCounted && counted.length === 0 && info === undefined) {
    return (
      <>
        <div className={styles.forkCompareHead}>{head}</div>
        <Same sides={sides} />
      </>
    );
  }
  const countsOf = (layer: Layer): ChangeCounts | undefined => {
    const ofLayer = layers.find((each) => each.layer === layer)?.counts?.relations;
    const ofShown = ofLayer?.filter((each) => info === undefined || each.relation === info.path);
    return ofShown && summed(ofShown.map(changeCounts));
  };
  return (
    <>
      <div className={styles.forkCompareHead}>
        {head}
        <ListFilter label="Filter changes" value={find} onChange={setFind} />
        {info !== undefined && (
          <span className={styles.forkCompareOnly}>
            <span className="dim">only</span> {shortName(info.path)}
            <Button variant="subtle" size="compact-xs" onClick={() => change({ relation: undefined })}>
              Show all
            </Button>
          </span>
        )}
        <DifferenceKinds
          counts={isCounted ? summed(LAYERS.flatMap((layer) => countsOf(layer) ?? [])) : undefined}
          kinds={kinds}
          onChange={(wanted) => change({ kinds: wanted })}
        />
      </div>
      <div className={styles.changes}>
        {note !== undefined && <p className={styles.changeNote}>{note}</p>}
        {LAYERS.filter((layer) => info === undefined || layerOf(info.kind) === layer).map((layer) => {
          const counts = countsOf(layer);
          return (
            <ChangeSection
              key={layer}
              {...{ layer, sides, schema, index, whole, find }}
              counts={counts && ofKinds(counts, kinds)}
              differences={differences[layer]}
              onRelation={(path) => change({ relation: path })}
            />
          );
        })}
      </div>
    </>
  );
}

/** Loads layers separately, because conclusions may take longer. With a relation, only its layer is loaded. */
function useLayerDifferences(sides: Sides, info: RelationInfo | undefined, kinds: readonly Change[]) {
  const ofLayer = (layer: Layer) =>
    [
      info === undefined ? { layer } : { relation: info.path },
      kinds,
      info === undefined || layerOf(info.kind) === layer,
    ] as const;
  return {
    stored: useDifferences(sides, ...ofLayer('stored')),
    derived: useDifferences(sides, ...ofLayer('derived')),
    firings: useDifferences(sides, ...ofLayer('firings')),
  };
}

/** The individuals that the loaded stored rows create or delete. */
function useWhole(data: ReturnType<typeof useDifferences>['data'], index: RelationIndex): ReadonlySet<string> {
  return useMemo(() => {
    const infoOf = (path: string) => index.get(path);
    const facts = data?.pages.flatMap(({ result }) => result) ?? [];
    return wholeIndividuals(comparisonRows(facts, infoOf), infoOf);
  }, [data, index]);
}

function Same({ sides: { of, keep, moments, ...sides } }: { sides: Sides }) {
  const nameOf = useForkNames();
  if (moments !== undefined) {
    return (
      <Empty title="No differences">
        <p>
          <Glyph kind="good" /> The same facts and violations at both moments.
        </p>
      </Empty>
    );
  }
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
  /** For the shown relations; undefined until every layer is counted. */
  readonly counts: ChangeCounts | undefined;
  readonly kinds: readonly Change[];
  readonly onChange: (kinds: readonly Change[]) => void;
}

/** Filter buttons per kind of difference, with counts. */
function DifferenceKinds({ counts, kinds, onChange }: DifferenceKindsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons of one kind, which are no form.
    <div className={styles.differenceKinds} role="group" aria-label="Kinds of difference">
      {CHANGES.map((change) => {
        const isOn = kinds.includes(change);
        return (
          <Button
            key={change}
            className="difference-kind numeric"
            variant={isOn ? 'light' : 'subtle'}
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
