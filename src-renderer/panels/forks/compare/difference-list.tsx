/** The differing relations by layer, with counts per kind. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import { LoadingRows } from '../../../domain/failure/states.js';
import { failureOf } from '../../../model/facts/failure.js';
import { shortName } from '../../../model/facts/locations.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { Cut } from '../../../ui/cut.js';
import { Glyph, type GlyphKind } from '../../../ui/glyph.js';
import { ListFilter } from '../../../ui/list-filter.js';
import styles from './compare-view.module.css';
import {
  CHANGES,
  type ChangeCounts,
  type ComparisonFilter,
  isNamed,
  shownCounts,
  summed,
} from './comparison-filter.js';
import type { LayerState } from './use-layers.js';

export type RelationIndex = ReadonlyMap<string, RelationInfo>;

interface DifferenceListProps {
  readonly layers: readonly LayerState[];
  /** For a layer that cannot be counted as a whole. */
  readonly index: RelationIndex;
  readonly filter: ComparisonFilter;
  readonly selected: string | undefined;
  readonly onSelect: (relation: string) => void;
  readonly onFind: (find: string) => void;
}

const LAYER_WORDS = { stored: 'Stored', derived: 'Derived', firings: 'Violations' } as const;
const LAYER_GLYPH: Readonly<Record<LayerState['layer'], GlyphKind>> = {
  stored: 'stored',
  derived: 'derived',
  firings: 'warning',
};

export function DifferenceList({ layers, filter, onFind, ...list }: DifferenceListProps) {
  return (
    <nav className={styles.differenceList} data-opens="next" aria-label="Differences">
      <ListFilter label="Filter relations" value={filter.find} onChange={onFind} />
      {layers.map(({ layer, counts, error, retry }) => {
        const shown = counts && shownCounts(counts.relations, filter);
        return (
          <section key={layer} aria-label={LAYER_WORDS[layer]}>
            <h3 className={clsx('group-title', styles.differenceLayer)}>
              <Glyph kind={LAYER_GLYPH[layer]} />
              {LAYER_WORDS[layer]}
              <span className="pane-spacer" />
              {shown !== undefined && <Counts lines={summed(shown.map(({ lines }) => lines))} />}
            </h3>
            {shown !== undefined ? (
              shown.length === 0 ? (
                <p className={clsx(styles.differenceNone, 'dim')}>
                  {counts?.relations.length === 0 ? 'no differences' : 'no matches'}
                </p>
              ) : (
                <Choices
                  choices={shown.map(({ count, name, lines }) => ({ relation: count.relation, name, lines }))}
                  {...list}
                />
              )
            ) : error === null ? (
              <LoadingRows rows={2} />
            ) : (
              <Uncounted layer={layer} {...{ error, retry, filter }} {...list} />
            )}
          </section>
        );
      })}
    </nav>
  );
}

interface UncountedProps extends Omit<DifferenceListProps, 'layers' | 'onFind'>, Omit<LayerState, 'counts'> {}

/** A layer that cannot be counted; its relations can still be compared one by one. */
function Uncounted({ layer, error, retry, index, filter, ...list }: UncountedProps) {
  // If the server does not respond, single relations fail too.
  const isAnswered = failureOf(error) !== undefined;
  return (
    <>
      <div className={styles.differenceFailure} role="alert">
        <p>{error instanceof Error ? error.message : String(error)}</p>
        <Button variant="default" size="compact-xs" onClick={retry}>
          Try again
        </Button>
        {isAnswered && <p className="dim">Or compare one relation:</p>}
      </div>
      {isAnswered && (
        <Choices
          choices={[...index.values()]
            .filter(({ kind }) => layerOf(kind) === layer)
            .map(({ path }) => ({ relation: path, name: shortName(path), lines: undefined }))
            .filter(({ name }) => isNamed(name, filter.find))}
          {...list}
        />
      )}
    </>
  );
}

interface ChoicesProps extends Pick<DifferenceListProps, 'selected' | 'onSelect'> {
  readonly choices: readonly {
    readonly relation: string;
    readonly name: string;
    readonly lines: ChangeCounts | undefined;
  }[];
}

function Choices({ choices, selected, onSelect }: ChoicesProps) {
  return (
    <ul>
      {choices.map(({ relation, name, lines }) => (
        <li key={relation}>
          <button
            type="button"
            className="plain row"
            aria-current={relation === selected}
            ref={relation === selected ? intoView : undefined}
            onClick={() => onSelect(relation)}
          >
            <Cut>{name}</Cut>
            <span className="pane-spacer" />
            {lines !== undefined && <Counts lines={lines} />}
          </button>
        </li>
      ))}
    </ul>
  );
}

function layerOf(kind: RelationInfo['kind']): LayerState['layer'] {
  if (kind === 'check') return 'firings';
  return kind === 'derived' || kind === 'define' ? 'derived' : 'stored';
}

function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

const SIGNS = { removed: '−', added: '+', changed: '±' } as const;

/** `−3 +12 ±1`: removed, added and changed lines. */
function Counts({ lines }: { lines: ChangeCounts }) {
  return (
    <span className={clsx(styles.differenceCounts, 'numeric')}>
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
