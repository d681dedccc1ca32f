/** A graph from afar, as one node of it: it lies under the one that the keyboard comes to, which has to be there. */

import { type MiniMapNodeProps, type Node, type NodeProps, type Rect, useStore } from '@xyflow/react';
import { createContext, useContext, useId } from 'react';
import { GlyphShape, glyphColor } from '../ui/glyph.js';
import { useNodeFocus } from './graph-focus.js';
import type { KindPaths } from './graph-shapes.js';
import './graph-afar.css';

export interface AfarShown {
  /** Only below this it is drawn. */
  readonly farZoom: number;
  readonly bounds: Rect;
  readonly kinds: readonly KindPaths[];
  readonly edges: string;
  /** The node that the keyboard comes to, and the edges that begin or end at it. */
  readonly reached: { readonly box: Rect; readonly selected: boolean; readonly edges: string } | undefined;
}

/** Not in the node's data, so that the map, which is given no data of a node, has it too. */
export const AfarContext = createContext<AfarShown | undefined>(undefined);

export const AFAR_ID = 'afar';

export const AFAR_TYPES = { afar: AfarView, reached: ReachedView };

/** Pixels on the screen, however small the graph is. */
const EDGE_WIDTH = 0.75;
const RING_WIDTH = 3;
const GLYPH_SIZE = 14;
/** From here on a glyph is more than a dot. */
const GLYPH_ZOOM = 0.12;
/** Of a glyph, in a node. */
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

/** It is drawn with all others; this is what has the focus of the keyboard and a name. */
function ReachedView({ selected }: NodeProps<Node>) {
  return <div ref={useNodeFocus(selected)} />;
}

/** In the map all nodes are drawn at once, from near too, where the others that there are are only those in sight. */
export function MapShape({ id }: MiniMapNodeProps) {
  const shown = useContext(AfarContext);
  if (id !== AFAR_ID) return null;
  return <path d={shown?.kinds.map(({ boxes }) => boxes).join('')} fill="var(--text-faint)" />;
}
