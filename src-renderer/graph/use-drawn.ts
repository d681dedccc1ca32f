/** Level of detail of a graph: the visible nodes and edges when zoomed in, one overview when zoomed out. */

import { type Edge, type Node, Position, useStore } from '@xyflow/react';
import { useMemo } from 'react';
import { AFAR_ID, type AfarShown } from './graph-afar.js';
import type { Direction } from './graph-route.js';
import { type GraphShape, pathsByKind } from './graph-shapes.js';
import { inSight, useSight } from './graph-sight.js';

/**
 * @param nodes one of them with `REACHED`
 * @param shape of the same nodes and edges
 * @param farZoom below this, the text of nodes is unreadable
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

/** The overview node. It has the size of the whole graph, so that fitting and the minimap see all of it. */
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

/** A click selects the node drawn in the overview, so this element must not take it. */
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
 * The measurements of a node, with edge ends in the middle of a side. Without them the library renders every node once
 * to measure it: a second for a thousand nodes.
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
