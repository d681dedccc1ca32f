/** One layer of a comparison: its changes grouped by individual, loaded in pages. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import { useMemo, useState } from 'react';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { LoadingRows } from '../../../domain/failure/states.js';
import { failureOf } from '../../../model/facts/failure.js';
import { shortName } from '../../../model/facts/locations.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { Glyph, type GlyphKind } from '../../../ui/glyph.js';
import { useLabels } from '../../../ui/reference-label.js';
import { usePortion } from '../../../ui/use-portion.js';
import { ChangeGroupView } from './change-group-view.js';
import { type ChangeGroup, changeGroups } from './change-groups.js';
import styles from './compare-view.module.css';
import { CHANGES, type ChangeCounts, linesIn } from './comparison-filter.js';
import { comparisonRows, type RelationIndex } from './comparison-rows.js';
import type { Sides, useDifferences } from './use-comparison.js';
import type { LayerState } from './use-layers.js';

export type Layer = LayerState['layer'];

const TITLES: Readonly<Record<Layer, string>> = { firings: 'Checks', derived: 'Conclusions', stored: 'Stored' };
const GLYPHS: Readonly<Record<Layer, GlyphKind>> = { firings: 'warning', derived: 'derived', stored: 'stored' };
const NONE: Readonly<Record<Layer, string>> = {
  firings: 'No violations differ.',
  derived: 'No conclusions differ.',
  stored: 'No stored facts differ.',
};

interface ChangeSectionProps {
  readonly layer: Layer;
  readonly sides: Sides;
  /** Undefined until counted, or if that failed. */
  readonly counts: ChangeCounts | undefined;
  readonly differences: ReturnType<typeof useDifferences>;
  readonly schema: ServedSchema;
  readonly index: RelationIndex;
  /** The individuals that the comparison creates or deletes. */
  readonly whole: ReadonlySet<string>;
  /** Part of a name or label; empty for all. */
  readonly find: string;
  readonly onRelation: (relation: string) => void;
}

export function ChangeSection({
  layer,
  sides,
  counts,
  differences,
  schema,
  index,
  whole,
  find,
  onRelation,
}: ChangeSectionProps) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = differences;
  // Kept here, because another attempt replaces the error for a moment.
  const [isListOpen, setListOpen] = useState(false);
  const facts = useMemo(() => data?.pages.flatMap(({ result }) => result), [data]);
  const groups = useMemo(() => {
    const infoOf = (path: string) => index.get(path);
    return facts && changeGroups(comparisonRows(facts, infoOf), schema, infoOf, whole);
  }, [facts, schema, index, whole]);
  const shown = useFound(groups ?? [], find);
  const title = TITLES[layer];
  // The sheet of a merge has regions with these names.
  const isBesideSheet = sides.of !== 'forks' && layer !== 'stored';
  return (
    <section className={styles.changeSection} aria-label={isBesideSheet ? `${title} compared` : title}>
      <h3 className={clsx('group-title', styles.changeTitle)}>
        <Glyph kind={GLYPHS[layer]} />
        {title}
        {counts !== undefined && <Counts lines={counts} />}
      </h3>
      {error !== null ? (
        <Unread
          {...{ layer, error, index, onRelation }}
          isOpen={isListOpen}
          onOpen={setListOpen}
          onRetry={() => void refetch()}
        />
      ) : groups === undefined || facts === undefined ? (
        <LoadingRows rows={2} />
      ) : groups.length === 0 ? (
        <p className={clsx(styles.changeNote, 'dim')}>{NONE[layer]}</p>
      ) : (
        <Groups key={find} groups={shown} {...{ layer, sides, index }} />
      )}
      {groups !== undefined && groups.length > 0 && shown.length === 0 && (
        <p className={clsx(styles.changeNote, 'dim')}>
          {hasNextPage ? 'No matches in the facts loaded so far.' : 'No matches'}
        </p>
      )}
      {hasNextPage && (
        <p className={clsx(styles.changeNote, 'dim', 'numeric')}>
          {facts?.length.toLocaleString('en')} facts loaded
          {counts !== undefined && ` of ${(linesIn(counts) + counts.changed).toLocaleString('en')}`}{' '}
          <Button variant="subtle" size="compact-xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        </p>
      )}
    </section>
  );
}

function Groups({
  groups,
  ...rest
}: { readonly groups: readonly ChangeGroup[] } & Pick<ChangeSectionProps, 'layer' | 'sides' | 'index'>) {
  const { shown, more } = usePortion(groups);
  return (
    <>
      <ul>
        {shown.map((group) => (
          <li key={group.key}>
            <ChangeGroupView group={group} {...rest} />
          </li>
        ))}
      </ul>
      {more !== null && <div className={styles.changeNote}>{more}</div>}
    </>
  );
}

/** Finds groups by the label of the individual, names of relations and fields, values, and messages. */
function useFound(groups: readonly ChangeGroup[], find: string): readonly ChangeGroup[] {
  const labels = useLabels();
  const wanted = find.trim().toLowerCase();
  return useMemo(() => {
    if (wanted === '') return groups;
    const named = (value: unknown): string => labels.get(String(value)) ?? String(value);
    return groups.filter(({ id, label = named(id ?? ''), of, parts, rows }) => {
      const told = parts.flatMap(({ name, before, after }) => [name, ...before.map(named), ...after.map(named)]);
      const messages = rows.map(({ violation }) => violation?.message ?? '');
      return [label, shortName(of), ...told, ...messages].join('\n').toLowerCase().includes(wanted);
    });
  }, [groups, wanted, labels]);
}

interface UnreadProps extends Pick<ChangeSectionProps, 'layer' | 'index' | 'onRelation'> {
  readonly error: unknown;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onRetry: () => void;
}

/** A layer that takes too long as a whole can be compared relation by relation. */
function Unread({ layer, error, index, isOpen, onOpen, onRelation, onRetry }: UnreadProps) {
  // If the server does not respond, single relations fail too.
  const isAnswered = failureOf(error) !== undefined;
  const relations = [...index.values()].filter(({ kind }) => layerOf(kind) === layer);
  return (
    <div className={styles.changeFailure} role="alert">
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <div className={styles.changeFailureActions}>
        {isAnswered && (
          <Button variant="subtle" size="compact-xs" aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
            Compare one relation
          </Button>
        )}
        <Button variant="default" size="compact-xs" onClick={onRetry}>
          Try again
        </Button>
      </div>
      {isAnswered && isOpen && (
        <ul className={styles.changeRelations}>
          {relations.map(({ path }) => (
            <li key={path}>
              <button type="button" className="plain link" onClick={() => onRelation(path)}>
                {shortName(path)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

export function layerOf(kind: RelationInfo['kind']): Layer {
  if (kind === 'check') return 'firings';
  return kind === 'derived' || kind === 'define' ? 'derived' : 'stored';
}

const SIGNS = { removed: '−', added: '+', changed: '±' } as const;

/** `−3 +12 ±1`: removed, added and changed facts. */
function Counts({ lines }: { lines: ChangeCounts }) {
  return (
    <span className={clsx(styles.changeCounts, 'numeric')}>
      {CHANGES.filter((change) => lines[change] > 0).map((change) => (
        <span key={change} className={`is-${change}`}>
          <span className="visually-hidden">
            {lines[change]} {change}
          </span>
          <span aria-hidden>
            {SIGNS[change]}
            {lines[change].toLocaleString('en')}
          </span>
        </span>
      ))}
    </span>
  );
}
