/**
 * Overview of a graph that is zoomed out: one node of the flow that draws all nodes and edges. It lies below the
 * focusable node.
 */

import { type MiniMapNodeProps, type Node, type NodeProps, type Rect, useStore } from '@xyflow/react';
import { createContext, useContext, useId } from 'react';
import { GlyphShape, glyphColor } from '../ui/glyph.js';
import { useNodeFocus } from './graph-focus.js';
import type { KindPaths } from './graph-shapes.js';
import './graph-afar.css';

export interface AfarShown {
  /** The zoom below which the overview is shown. */
  readonly farZoom: number;
  readonly bounds: Rect;
  readonly kinds: readonly KindPaths[];
  readonly edges: string;
  /** The tab stop of the graph, and the edges at it if it is selected. */
  readonly reached: { readonly box: Rect; readonly selected: boolean; readonly edges: string } | undefined;
}

/** A context, because the minimap gets no node data. */
export const AfarContext = createContext<AfarShown | undefined>(undefined);

export const AFAR_ID = 'afar';

export const AFAR_TYPES = { afar: AfarView, reached: ReachedView };

/** Screen pixels at any zoom. */
const EDGE_WIDTH = 0.75;
const RING_WIDTH = 3;
const GLYPH_SIZE = 14;
/** Below this zoom a glyph is only a dot. */
const GLYPH_ZOOM = 0.12;
/** Size of a glyph within a node. */
const GLYPH_SCALE = 2.5;

function AfarView() {
  const shown = useContext(AfarContext);
  const farZoom = shown?.farZoom ?? 0;
  const zoom = useStore(({ transform }) => Math.min(transform[2], farZoom));
  const id = useId();
  if (shown === undefined || zoom === farZoom) return null;
  const { bounds, edges, kinds, reached } = shown;
  const { x, y, width, height } = bounds;
  return (
    <svg className="afar" aria-hidden="true" width={width} height={height} viewBox={`${x} ${y} ${width} ${height}`}>
      <path className="afar-edge" d={edges} strokeWidth={EDGE_WIDTH / zoom} />
      {reached && <path className="afar-edge afar-edge-near" d={reached.edges} strokeWidth={(2 * EDGE_WIDTH) / zoom} />}
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
            <path className="afar-box" d={boxes} fill={glyphColor(glyph)} />
            {zoom >= GLYPH_ZOOM && (
              <path d={middles} fill="none" markerStart={marker} markerMid={marker} markerEnd={marker} />
            )}
          </g>
        );
      })}
      {reached && (
        <rect
          className="afar-ring"
          data-selected={reached.selected}
          x={reached.box.x}
          y={reached.box.y}
          width={reached.box.width}
          height={reached.box.height}
          strokeWidth={RING_WIDTH / zoom}
        />
      )}
    </svg>
  );
}

/** The overview draws this node too. This element only provides focus and name. */
function ReachedView({ selected }: NodeProps<Node>) {
  return <div ref={useNodeFocus(selected)} />;
}

/** The minimap shows all nodes at any zoom, although the flow contains only the visible ones. */
export function MapShape({ id }: MiniMapNodeProps) {
  const shown = useContext(AfarContext);
  if (id !== AFAR_ID) return null;
  return <path d={shown?.kinds.map(({ boxes }) => boxes).join('')} fill="var(--text-faint)" />;
}
