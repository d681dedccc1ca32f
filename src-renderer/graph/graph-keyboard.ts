/** Arrow keys in a layered graph: along an edge forwards and backwards, and to the neighbours in the layer. */

import type { Positions } from './graph-layout.js';
import type { Direction } from './graph-route.js';

export interface NavigableGraph {
  /** The first is the root. */
  readonly ids: readonly string[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  readonly positions: Positions;
}

interface ArrowKeys {
  readonly forward: string;
  readonly backward: string;
  readonly previous: string;
  readonly next: string;
  /** The axis that the nodes of a layer share, and the axis along the layer. */
  readonly layer: 'x' | 'y';
  readonly along: 'x' | 'y';
}

/** Keyed by the direction of the edges. */
const ARROW_KEYS: Readonly<Record<Direction, ArrowKeys>> = {
  down: {
    forward: 'ArrowDown',
    backward: 'ArrowUp',
    previous: 'ArrowLeft',
    next: 'ArrowRight',
    layer: 'y',
    along: 'x',
  },
  right: {
    forward: 'ArrowRight',
    backward: 'ArrowLeft',
    previous: 'ArrowUp',
    next: 'ArrowDown',
    layer: 'x',
    along: 'y',
  },
};

/** The node that the key leads to, or undefined. */
export function arrowTarget(
  { ids, edges, positions }: NavigableGraph,
  direction: Direction,
  current: string,
  key: string,
): string | undefined {
  const at = positions[current];
  if (at === undefined) return ids[0];
  const { forward, backward, previous, next, layer, along } = ARROW_KEYS[direction];
  const distance = (id: string): number => Math.abs((positions[id]?.[along] ?? 0) - at[along]);
  const nearest = (found: readonly string[]): string | undefined =>
    [...found].sort((a, b) => distance(a) - distance(b))[0];
  const neighbours = (side: (position: number) => boolean): string[] =>
    ids.filter((id) => positions[id]?.[layer] === at[layer] && side(positions[id]?.[along] ?? at[along]));
  switch (key) {
    case forward:
      return nearest(edges.filter(({ from }) => from === current).map(({ to }) => to));
    case backward:
      return nearest(edges.filter(({ to }) => to === current).map(({ from }) => from));
    case previous:
      return nearest(neighbours((position) => position < at[along]));
    case next:
      return nearest(neighbours((position) => position > at[along]));
    case 'Home':
      return ids[0];
    default:
      return undefined;
  }
}
