/** Where an arrow key leads in a graph: along an edge down and up, and to the neighbour of the same layer. */

import type { Positions } from '../components/graph-layout.js';
import type { ProofGraph } from './proof-graph.js';

/** The step to go to; undefined where there is none that way. */
export function graphMove(graph: ProofGraph, positions: Positions, current: string, key: string): string | undefined {
  const at = positions[current];
  if (at === undefined) return graph.steps[0]?.id;
  const nearest = (ids: readonly string[]): string | undefined => [...ids].sort((a, b) => distance(a) - distance(b))[0];
  const distance = (id: string): number => Math.abs((positions[id]?.x ?? 0) - at.x);
  const layer = (side: (x: number) => boolean): string[] =>
    graph.steps.map(({ id }) => id).filter((id) => positions[id]?.y === at.y && side(positions[id]?.x ?? at.x));
  switch (key) {
    case 'ArrowDown':
      return nearest(graph.edges.filter(({ from }) => from === current).map(({ to }) => to));
    case 'ArrowUp':
      return nearest(graph.edges.filter(({ to }) => to === current).map(({ from }) => from));
    case 'ArrowLeft':
      return nearest(layer((x) => x < at.x));
    case 'ArrowRight':
      return nearest(layer((x) => x > at.x));
    case 'Home':
      return graph.steps[0]?.id;
    default:
      return undefined;
  }
}
