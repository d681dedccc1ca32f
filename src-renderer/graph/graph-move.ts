/** Arrow keys in a layered graph: along an edge forwards and backwards, and to the neighbours in the layer. */

import type { Positions } from './graph-layout.js';
import type { Direction } from './graph-route.js';

export interface WalkedGraph {
  /** The first is the root. */
  readonly ids: readonly string[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  readonly positions: Positions;
}

interface Way {
  readonly ahead: string;
  readonly back: string;
  readonly before: string;
  readonly after: string;
  /** The axis that the nodes of a layer share, and the axis along the layer. */
  readonly layer: 'x' | 'y';
  readonly along: 'x' | 'y';
}

/** Keyed by the direction of the edges. */
const WAYS: Readonly<Record<Direction, Way>> = {
  down: { ahead: 'ArrowDown', back: 'ArrowUp', before: 'ArrowLeft', after: 'ArrowRight', layer: 'y', along: 'x' },
  right: { ahead: 'ArrowRight', back: 'ArrowLeft', before: 'ArrowUp', after: 'ArrowDown', layer: 'x', along: 'y' },
};

/** The node that the key leads to, or undefined. */
export function graphMove(
  { ids, edges, positions }: WalkedGraph,
  direction: Direction,
  current: string,
  key: string,
): string | undefined {
  const at = positions[current];
  if (at === undefined) return ids[0];
  const { ahead, back, before, after, layer, along } = WAYS[direction];
  const distance = (id: string): number => Math.abs((positions[id]?.[along] ?? 0) - at[along]);
  const nearest = (found: readonly string[]): string | undefined =>
    [...found].sort((a, b) => distance(a) - distance(b))[0];
  const neighbours = (side: (place: number) => boolean): string[] =>
    ids.filter((id) => positions[id]?.[layer] === at[layer] && side(positions[id]?.[along] ?? at[along]));
  switch (key) {
    case ahead:
      return nearest(edges.filter(({ from }) => from === current).map(({ to }) => to));
    case back:
      return nearest(edges.filter(({ to }) => to === current).map(({ from }) => from));
    case before:
      return nearest(neighbours((place) => place < at[along]));
    case after:
      return nearest(neighbours((place) => place > at[along]));
    case 'Home':
      return ids[0];
    default:
      return undefined;
  }
}
