/** The relations that differ, by layer, with how many facts each side has for itself. */

import { Button } from '@mantine/core';
import type { ForkDiffCount } from '../../src-runtime/api/fork-schemas.js';
import { Cut } from '../components/cut.js';
import { Glyph, type GlyphKind } from '../components/glyph.js';
import { LoadingRows } from '../components/states.js';
import { shortName } from '../data/locations.js';
import type { RelationInfo } from '../data/relation-index.js';
import type { LayerState } from './use-layers.js';

export type RelationIndex = ReadonlyMap<string, RelationInfo>;

interface DifferenceListProps {
  readonly layers: readonly LayerState[];
  /** For a layer that cannot be counted as a whole. */
  readonly index: RelationIndex;
  readonly chosen: string | undefined;
  readonly onChoose: (relation: string) => void;
}

const LAYER_WORDS = { stored: 'Stored', derived: 'Derived', firings: 'Firings' } as const;
const LAYER_GLYPH: Readonly<Record<LayerState['layer'], GlyphKind>> = {
  stored: 'stored',
  derived: 'derived',
  firings: 'warning',
};

export function DifferenceList({ layers, ...list }: DifferenceListProps) {
  return (
    <nav className="difference-list" aria-label="Differences">
      {layers.map((layer) => (
        <section key={layer.layer} aria-label={LAYER_WORDS[layer.layer]}>
          <h3 className="group-title difference-layer">
            <Glyph kind={LAYER_GLYPH[layer.layer]} />
            {LAYER_WORDS[layer.layer]}
            <span className="pane-spacer" />
            {layer.counts !== undefined && <Counts left={layer.counts.left} right={layer.counts.right} />}
          </h3>
          <LayerBody layer={layer} {...list} />
        </section>
      ))}
    </nav>
  );
}

function LayerBody({
  layer,
  index,
  chosen,
  onChoose,
}: Omit<DifferenceListProps, 'layers'> & { readonly layer: LayerState }) {
  const { counts, error, retry } = layer;
  if (counts === undefined && error !== null) {
    return (
      <>
        <div className="difference-failure" role="alert">
          <p>{error instanceof Error ? error.message : String(error)}</p>
          <Button variant="default" size="compact-xs" onClick={retry}>
            Try again
          </Button>
          <p className="dim">Or look at them one by one:</p>
        </div>
        <Choices
          choices={[...index.values()]
            .filter(({ kind }) => layerOf(kind) === layer.layer)
            .map(({ path }) => ({ relation: path, name: shortName(path), counts: undefined }))}
          chosen={chosen}
          onChoose={onChoose}
        />
      </>
    );
  }
  if (counts === undefined) return <LoadingRows rows={2} />;
  if (counts.relations.length === 0) return <p className="difference-none dim">the same</p>;
  return (
    <Choices
      choices={counts.relations.map((count) => ({ relation: count.relation, name: nameOf(count), counts: count }))}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}

interface ChoicesProps extends Pick<DifferenceListProps, 'chosen' | 'onChoose'> {
  readonly choices: readonly {
    readonly relation: string;
    readonly name: string;
    readonly counts: ForkDiffCount | undefined;
  }[];
}

function Choices({ choices, chosen, onChoose }: ChoicesProps) {
  return (
    <ul>
      {choices.map(({ relation, name, counts }) => (
        <li key={relation}>
          <button
            type="button"
            className="plain row"
            aria-current={relation === chosen}
            ref={relation === chosen ? intoView : undefined}
            onClick={() => onChoose(relation)}
          >
            <Cut>{name}</Cut>
            <span className="pane-spacer" />
            {counts !== undefined && <Counts left={counts.left} right={counts.right} />}
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

export function nameOf({ relation, check }: Pick<ForkDiffCount, 'relation' | 'check'>): string {
  return shortName(check ?? relation);
}

/** `−3 +12`: facts that only the left side has, and only the right. */
function Counts({ left, right }: { left: number; right: number }) {
  return (
    <span className="difference-counts numeric">
      {left > 0 && (
        <span className="is-removed">
          <span className="visually-hidden">{left} removed</span>
          <span aria-hidden>−{left.toLocaleString('en')}</span>
        </span>
      )}
      {right > 0 && (
        <span className="is-added">
          <span className="visually-hidden">{right} added</span>
          <span aria-hidden>+{right.toLocaleString('en')}</span>
        </span>
      )}
    </span>
  );
}
