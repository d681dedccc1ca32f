/** What the library is given of a graph to draw: from near what is in sight, from afar one drawing of it all. */

import { type Edge, type Node, Position, useStore } from '@xyflow/react';
import { useMemo } from 'react';
import { AFAR_ID, type AfarShown } from './graph-afar.js';
import type { Direction } from './graph-route.js';
import { type GraphShape, pathsByKind } from './graph-shapes.js';
import { inSight, useSight } from './graph-sight.js';

/**
 * @param nodes one of them with `REACHED`
 * @param shape of the same nodes and edges
 * @param farZoom below this, the text of nodes is dust
 */
export function useDrawn<N extends Node, E extends Edge>(
  nodes: readonly N[],
  edges: readonly E[],
  shape: GraphShape,
  farZoom: number,
): { readonly isFar: boolean; readonly nodes: Node[]; readonly edges: E[]; readonly afar: AfarShown } {
  const isFar = useStore(({ transform }) => transform[2] < farZoom);
  const sight = useSight();
  const reached = nodes.find(({ focusable }) => focusable);
  const drawn = useMemo<{ nodes: Node[]; edges: E[] }>(() => {
    const all = wholeOf(shape);
    if (isFar) return { nodes: reached === undefined ? [all] : [all, fromAfar(reached)], edges: [] };
    const near = inSight(nodes, edges, shape.nodes, sight);
    return { nodes: [all, ...near.nodes], edges: near.edges };
  }, [isFar, shape, nodes, edges, reached, sight]);
  const paths = useMemo(
    () => ({ kinds: pathsByKind(shape.nodes), edges: shape.edges.map(({ path }) => path).join('') }),
    [shape],
  );
  const afar = useMemo<AfarShown>(
    () => ({ farZoom, bounds: shape.bounds, ...paths, reached: reached && reachedIn(shape, reached) }),
    [farZoom, shape, paths, reached],
  );
  return { isFar, ...drawn, afar };
}

/** Has the size of the whole graph, however little of it is drawn: what is shown whole, and in the map, is this. */
function wholeOf({ bounds }: GraphShape): Node {
  const { width, height } = bounds;
  return {
    id: AFAR_ID,
    type: 'afar',
    position: bounds,
    width,
    height,
    measured: { width, height },
    selectable: false,
    focusable: false,
    data: {},
  };
}

/** A click means the node that is drawn there, which the surface knows: this cannot be selected by one. */
function fromAfar(node: Node): Node {
  return { ...node, type: 'reached', selectable: false };
}

function reachedIn({ nodes, edges }: GraphShape, { id, selected = false }: Node): AfarShown['reached'] {
  const box = nodes.find((node) => node.id === id);
  if (box === undefined) return undefined;
  const near = selected ? edges.filter(({ from, to }) => from === id || to === id) : [];
  return { box, selected, edges: near.map(({ path }) => path).join('') };
}

/**
 * The size of a node, whose edges begin and end in the middle of a side. Without being told so, the library draws all nodes
 * once to measure them, in sight or not: a thousand take a second.
 */
export function measured(width: number, height: number, direction: Direction) {
  const [x, y] = direction === 'down' ? [width / 2, height] : [width, height / 2];
  const { source, target } = SIDES[direction];
  return {
    measured: { width, height },
    width,
    height,
    handles: [
      { type: 'target' as const, position: target, x: width - x, y: height - y, width: 0, height: 0 },
      { type: 'source' as const, position: source, x, y, width: 0, height: 0 },
    ],
  };
}

export const SIDES = {
  down: { source: Position.Bottom, target: Position.Top },
  right: { source: Position.Right, target: Position.Left },
} as const;
