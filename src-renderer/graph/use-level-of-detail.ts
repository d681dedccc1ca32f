/** Level of detail of a graph: the visible nodes and edges when zoomed in, one overview when zoomed out. */

import { type Edge, type Node, Position, useStore } from '@xyflow/react';
import { useMemo } from 'react';
import { useVisibleRect, visibleParts } from './graph-culling.js';
import { OVERVIEW_ID, type OverviewContent } from './graph-overview.js';
import type { Direction } from './graph-route.js';
import { type GraphShape, pathsByKind } from './graph-shapes.js';

/**
 * @param nodes one of them with `TAB_STOP`
 * @param shape of the same nodes and edges
 * @param overviewZoom below this, the text of nodes is unreadable
 */
export function useLevelOfDetail<N extends Node, E extends Edge>(
  nodes: readonly N[],
  edges: readonly E[],
  shape: GraphShape,
  overviewZoom: number,
): { readonly isOverview: boolean; readonly nodes: Node[]; readonly edges: E[]; readonly overview: OverviewContent } {
  const isOverview = useStore(({ transform }) => transform[2] < overviewZoom);
  const visible = useVisibleRect();
  const tabStop = nodes.find(({ focusable }) => focusable);
  const drawn = useMemo<{ nodes: Node[]; edges: E[] }>(() => {
    const all = overviewNode(shape);
    if (isOverview) return { nodes: tabStop === undefined ? [all] : [all, tabStopNode(tabStop)], edges: [] };
    const detail = visibleParts(nodes, edges, shape.nodes, visible);
    return { nodes: [all, ...detail.nodes], edges: detail.edges };
  }, [isOverview, shape, nodes, edges, tabStop, visible]);
  const paths = useMemo(
    () => ({ kinds: pathsByKind(shape.nodes), edges: shape.edges.map(({ path }) => path).join('') }),
    [shape],
  );
  const overview = useMemo<OverviewContent>(
    () => ({
      zoomMax: overviewZoom,
      bounds: shape.bounds,
      ...paths,
      tabStop: tabStop && overviewTabStop(shape, tabStop),
    }),
    [overviewZoom, shape, paths, tabStop],
  );
  return { isOverview, ...drawn, overview };
}

/** The overview node. It has the size of the whole graph, so that fitting and the minimap see all of it. */
function overviewNode({ bounds }: GraphShape): Node {
  const { width, height } = bounds;
  return {
    id: OVERVIEW_ID,
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
function tabStopNode(node: Node): Node {
  return { ...node, type: 'reached', selectable: false };
}

function overviewTabStop({ nodes, edges }: GraphShape, { id, selected = false }: Node): OverviewContent['tabStop'] {
  const box = nodes.find((node) => node.id === id);
  if (box === undefined) return undefined;
  const detail = selected ? edges.filter(({ from, to }) => from === id || to === id) : [];
  return { box, selected, edges: detail.map(({ path }) => path).join('') };
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
