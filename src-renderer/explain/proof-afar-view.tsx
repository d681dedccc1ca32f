/** What `proof-afar.ts` tells of a graph, as one node of it: it lies under the chosen step, which the keyboard has to reach. */

import { type MiniMapNodeProps, type Node, type NodeProps, type Rect, useStore } from '@xyflow/react';
import { createContext, useContext, useId, useMemo } from 'react';
import { useNodeFocus } from '../components/graph-focus.js';
import { StepShape } from '../components/step-view.js';
import type { ProofPlaces } from './graph-layout.js';
import { type Afar, afarOf } from './proof-afar.js';
import { edgePath } from './proof-edges.js';
import type { ProofGraph } from './proof-graph.js';
import './proof-afar.css';

interface AfarShown extends Afar {
  /** The step that the keyboard comes to, and the edges that begin or end at it. */
  readonly reached: { readonly box: Rect; readonly selected: boolean; readonly edges: string } | undefined;
}

/** Not a place of the node's data, so that the map, which is given no data of a node, has it too. */
export const AfarContext = createContext<AfarShown | undefined>(undefined);

const AFAR_ID = 'afar';

/** Below this, text is dust that costs time to draw, of hundreds of nodes at once: only shapes are left. */
const FAR_ZOOM = 0.4;

/** Whether the graph is seen from afar. */
export function useIsFar(): boolean {
  return useStore(({ transform }) => transform[2] < FAR_ZOOM);
}

/** What is drawn from afar, where the node that the keyboard comes to is `reached`. */
export function useAfar(graph: ProofGraph, places: ProofPlaces, bounds: Rect, reached: Node | undefined): AfarShown {
  const afar = useMemo(() => afarOf(graph, places, bounds), [graph, places, bounds]);
  return useMemo(
    () => ({ ...afar, reached: reached && reachedOf(reached, graph, places) }),
    [afar, graph, places, reached],
  );
}

/** Has the size of the whole graph, however little of it is drawn: what is shown whole, and in the map, is this. */
export function afarNode(bounds: Rect): Node {
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

/** A click means the step that is drawn there, which the surface knows: this cannot be selected by one. */
export function reachedNode(node: Node): Node {
  return { ...node, type: 'reached', selectable: false };
}

function reachedOf({ id, position, selected = false }: Node, graph: ProofGraph, places: ProofPlaces) {
  const { nodeWidth: width, nodeHeight: height } = places.form;
  const edges = graph.edges.filter(({ from, to }) => from === id || to === id);
  return {
    box: { ...position, width, height },
    selected,
    edges: selected ? edges.map((edge) => edgePath(edge, places)).join('') : '',
  };
}

/** Pixels on the screen, however small the graph is. */
const EDGE_WIDTH = 0.75;
const RING_WIDTH = 3;
const GLYPH_SIZE = 14;
/** From here on a glyph is more than a dot. */
const GLYPH_ZOOM = 0.12;
/** Of a glyph, in a node. */
const GLYPH_SCALE = 2.5;

export function AfarView() {
  const shown = useContext(AfarContext);
  const zoom = useStore(({ transform }) => Math.min(transform[2], FAR_ZOOM));
  const id = useId();
  if (shown === undefined || zoom === FAR_ZOOM) return null;
  const { bounds, edges, kinds, reached } = shown;
  const { x, y, width, height } = bounds;
  return (
    <svg className="afar" aria-hidden="true" width={width} height={height} viewBox={`${x} ${y} ${width} ${height}`}>
      <path className="afar-edge" d={edges} strokeWidth={EDGE_WIDTH / zoom} />
      {reached && <path className="afar-edge afar-edge-near" d={reached.edges} strokeWidth={(2 * EDGE_WIDTH) / zoom} />}
      {kinds.map(({ kind, boxes, middles }) => {
        const glyph = `url(#${id}${kind})`;
        return (
          <g key={kind} data-kind={kind}>
            <marker
              id={`${id}${kind}`}
              markerUnits="userSpaceOnUse"
              markerWidth={GLYPH_SCALE * GLYPH_SIZE}
              markerHeight={GLYPH_SCALE * GLYPH_SIZE}
              viewBox={`0 0 ${GLYPH_SIZE} ${GLYPH_SIZE}`}
              refX={GLYPH_SIZE / 2}
              refY={GLYPH_SIZE / 2}
            >
              <StepShape kind={kind} color="var(--surface)" />
            </marker>
            <path className="afar-box" d={boxes} />
            {zoom >= GLYPH_ZOOM && (
              <path d={middles} fill="none" markerStart={glyph} markerMid={glyph} markerEnd={glyph} />
            )}
          </g>
        );
      })}
      {reached && (
        <rect className="afar-ring" data-selected={reached.selected} {...reached.box} strokeWidth={RING_WIDTH / zoom} />
      )}
    </svg>
  );
}

/** The step is drawn with all others; this is what has the focus of the keyboard and a name. */
export function ReachedView({ selected }: NodeProps<Node>) {
  return <div ref={useNodeFocus(selected)} />;
}

/** In the map all steps are drawn at once, from near too, where the others that there are are only those in sight. */
export function MapShape({ id }: MiniMapNodeProps) {
  const shown = useContext(AfarContext);
  if (id !== AFAR_ID) return null;
  return <path d={shown?.kinds.map(({ boxes }) => boxes).join('')} fill="var(--text-faint)" />;
}
