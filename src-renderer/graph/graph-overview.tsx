/**
 * Overview of a graph that is zoomed out: one node of the flow that draws all nodes and edges. It lies below the
 * focusable node.
 */

import { type MiniMapNodeProps, type Node, type NodeProps, type Rect, useStore } from '@xyflow/react';
import { clsx } from 'clsx';
import { createContext, useContext, useId } from 'react';
import { GlyphShape, glyphColor } from '../ui/glyph.js';
import { useNodeFocus } from './graph-focus.js';
import styles from './graph-overview.module.css';
import type { KindPaths } from './graph-shapes.js';

export interface OverviewContent {
  /** The zoom below which the overview is shown. */
  readonly zoomMax: number;
  readonly bounds: Rect;
  readonly kinds: readonly KindPaths[];
  readonly edges: string;
  /** The tab stop of the graph, and the edges at it if it is selected. */
  readonly tabStop: { readonly box: Rect; readonly selected: boolean; readonly edges: string } | undefined;
}

/** A context, because the minimap gets no node data. */
export const OverviewContext = createContext<OverviewContent | undefined>(undefined);

export const OVERVIEW_ID = 'afar';

export const OVERVIEW_NODE_TYPES = { afar: OverviewNode, reached: TabStopNode };

/** Screen pixels at any zoom. */
const EDGE_WIDTH = 0.75;
const RING_WIDTH = 3;
const GLYPH_SIZE = 14;
/** Below this zoom a glyph is only a dot. */
const GLYPH_ZOOM = 0.12;
/** Size of a glyph within a node. */
const GLYPH_SCALE = 2.5;

function OverviewNode() {
  const shown = useContext(OverviewContext);
  const zoomMax = shown?.zoomMax ?? 0;
  const zoom = useStore(({ transform }) => Math.min(transform[2], zoomMax));
  const id = useId();
  if (shown === undefined || zoom === zoomMax) return null;
  const { bounds, edges, kinds, tabStop } = shown;
  const { x, y, width, height } = bounds;
  return (
    <svg
      className={styles.overview}
      data-overview
      aria-hidden="true"
      width={width}
      height={height}
      viewBox={`${x} ${y} ${width} ${height}`}
    >
      <path className={styles.edge} d={edges} strokeWidth={EDGE_WIDTH / zoom} />
      {tabStop && (
        <path className={clsx(styles.edge, styles.nearEdge)} d={tabStop.edges} strokeWidth={(2 * EDGE_WIDTH) / zoom} />
      )}
      {kinds.map(({ glyph, boxes, middles }) => {
        const marker = `url(#${id}${glyph})`;
        return (
          <g key={glyph} data-glyph={glyph}>
            <marker
              id={`${id}${glyph}`}
              markerUnits="userSpaceOnUse"
              markerWidth={GLYPH_SCALE * GLYPH_SIZE}
              markerHeight={GLYPH_SCALE * GLYPH_SIZE}
              viewBox={`0 0 ${GLYPH_SIZE} ${GLYPH_SIZE}`}
              refX={GLYPH_SIZE / 2}
              refY={GLYPH_SIZE / 2}
            >
              <GlyphShape kind={glyph} color="var(--surface)" />
            </marker>
            <path d={boxes} fill={glyphColor(glyph)} />
            {zoom >= GLYPH_ZOOM && (
              <path d={middles} fill="none" markerStart={marker} markerMid={marker} markerEnd={marker} />
            )}
          </g>
        );
      })}
      {tabStop && (
        <rect
          className={styles.ring}
          data-selected={tabStop.selected}
          x={tabStop.box.x}
          y={tabStop.box.y}
          width={tabStop.box.width}
          height={tabStop.box.height}
          strokeWidth={RING_WIDTH / zoom}
        />
      )}
    </svg>
  );
}

/** The overview draws this node too. This element only provides focus and name. */
function TabStopNode({ selected }: NodeProps<Node>) {
  return <div ref={useNodeFocus(selected)} />;
}

/** The minimap shows all nodes at any zoom, although the flow contains only the visible ones. */
export function MinimapShapes({ id }: MiniMapNodeProps) {
  const shown = useContext(OverviewContext);
  if (id !== OVERVIEW_ID) return null;
  return <path d={shown?.kinds.map(({ boxes }) => boxes).join('')} fill="var(--text-faint)" />;
}
