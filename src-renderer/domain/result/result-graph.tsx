/** A result as a graph of individuals. One tab stop; arrow keys move along edges, and Enter opens the individual. */

import { useComputedColorScheme } from '@mantine/core';
import {
  BaseEdge,
  type Edge,
  type EdgeProps,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { GraphControls } from '../../graph/graph-controls.js';
import { viewportSize } from '../../graph/graph-fit.js';
import { FocusRequest, isOnNode, useNodeFocus } from '../../graph/graph-focus.js';
import { arrowTarget } from '../../graph/graph-keyboard.js';
import { boundsOf, type LayeredLayout, layoutGraph, type Positions, useGraphLayout } from '../../graph/graph-layout.js';
import { GRAPH_OPTIONS, TAB_STOP } from '../../graph/graph-options.js';
import { GraphPending } from '../../graph/graph-pending.js';
import { type Point, smoothPath } from '../../graph/graph-route.js';
import { measured, SIDES } from '../../graph/use-level-of-detail.js';
import { idLabel } from '../../model/facts/labels.js';
import { dataLocation } from '../../model/facts/locations.js';
import { numberText } from '../../model/text/count-text.js';
import { Cut } from '../../ui/cut.js';
import { useLabels } from '../../ui/reference-label.js';
import { graphOf, type ResultEdge, type ResultGraph as ResultGraphData } from './graph-data.js';
import styles from './result-drawing.module.css';
import { NotDrawn } from './result-forms.js';

export function ResultGraph({ rows }: { rows: readonly JsonValue[] }) {
  const graph = useMemo(() => graphOf(rows), [rows]);
  if (typeof graph === 'string') return <NotDrawn>{graph}</NotDrawn>;
  return <DrawnGraph graph={graph} />;
}

const WIDTH = 168;
const HEIGHT = 32;

/** From left to right, because a result is wider than high. That is top to bottom with x and y swapped. */
async function layout({ nodes, edges }: ResultGraphData): Promise<LayeredLayout> {
  const size = { nodeWidth: HEIGHT, nodeHeight: WIDTH, gap: 16, layerGap: 72 };
  const { positions, waypoints } = await layoutGraph({ nodes, edges: edges.filter(isDrawn) }, size);
  const swap = ({ x, y }: Point): Point => ({ x: y, y: x });
  return {
    positions: Object.fromEntries(Object.entries(positions).map(([id, point]) => [id, swap(point)])),
    waypoints: Object.fromEntries(Object.entries(waypoints).map(([id, points]) => [id, points.map(swap)])),
  };
}

/** An edge from a node to itself would be behind the node. */
function isDrawn({ from, to }: ResultEdge): boolean {
  return from !== to;
}

function DrawnGraph({ graph }: { graph: ResultGraphData }) {
  const drawn = useGraphLayout<ResultGraphData, LayeredLayout>(graph, layout);
  if (drawn.state === 'pending') return <GraphPending />;
  if (drawn.state === 'failed') return <NotDrawn>{drawn.message}</NotDrawn>;
  return (
    <ReactFlowProvider>
      <Flow graph={drawn.graph} layout={drawn.positions} />
    </ReactFlowProvider>
  );
}

type FlowNode = Node<{ label: string }, 'individual'>;

type FlowEdge = Edge<{ path: string; middle: Point }, 'pair'>;

const NODE_TYPES = { individual: IndividualNode };
const EDGE_TYPES = { pair: PairEdge };
const KEYS = {
  'node.a11yDescription.default':
    'Arrow keys move along the edges. Enter opens the individual. Plus and minus zoom, 0 shows all.',
  'edge.a11yDescription.default': '',
};

function Flow({ graph, layout: { positions, waypoints } }: { graph: ResultGraphData; layout: LayeredLayout }) {
  const scheme = useComputedColorScheme('light');
  const navigate = useNavigate();
  const nameOf = useLabels().get;
  const [selected = graph.nodes[0]?.id ?? '', setSelected] = useState<string>();
  const nodes = useMemo<FlowNode[]>(
    () =>
      graph.nodes.map(({ id, label }) => ({
        id,
        type: 'individual',
        position: positions[id] ?? { x: 0, y: 0 },
        ...measured(WIDTH, HEIGHT, 'right'),
        selected: id === selected,
        focusable: false,
        ...(id === selected && TAB_STOP),
        data: { label: label ?? nameOf(id) ?? idLabel(id) },
        ariaLabel: label ?? nameOf(id) ?? idLabel(id),
      })),
    [graph, positions, selected, nameOf],
  );
  const edges = useMemo(
    () => flowEdges(graph.edges.filter(isDrawn), { positions, waypoints }, selected),
    [graph, positions, waypoints, selected],
  );
  const wantsFocus = useRef(false);
  const frame = useRef<HTMLDivElement>(null);
  useFirstViewport(frame, positions);
  const open = (id: string): void => void navigate(dataLocation(undefined, id));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOnNode(event)) return;
    const walked = { ids: graph.nodes.map(({ id }) => id), edges: graph.edges, positions };
    const target = arrowTarget(walked, 'right', selected, event.key);
    if (event.key === 'Enter') open(selected);
    else if (target === undefined) return;
    else {
      wantsFocus.current = true;
      setSelected(target);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const { leftOut } = graph;
  return (
    <FocusRequest value={wantsFocus}>
      <ReactFlow
        {...GRAPH_OPTIONS}
        aria-label="Result as graph"
        ariaLabelConfig={KEYS}
        ref={frame}
        onKeyDownCapture={onKeyDown}
        onNodeDoubleClick={(_event, { id }) => open(id)}
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        colorMode={scheme}
        onNodesChange={(changes) => {
          const change = changes.find((each) => each.type === 'select' && each.selected);
          if (change?.type === 'select') setSelected(change.id);
        }}
      >
        <GraphControls>
          {leftOut > 0
            ? `${numberText(leftOut)} more pairs are in the table`
            : `${numberText(graph.nodes.length)} individuals, ${numberText(graph.edges.length)} pairs`}
        </GraphControls>
      </ReactFlow>
    </FocusRequest>
  );
}

/** Shows the whole graph, or the start of one that is larger at readable size. */
function useFirstViewport(frame: RefObject<HTMLDivElement | null>, positions: Positions): void {
  const flow = useReactFlow();
  useEffect(() => {
    if (frame.current === null) return;
    const room = viewportSize(frame.current);
    const bounds = boundsOf(positions, { nodeWidth: WIDTH, nodeHeight: HEIGHT });
    const whole = Math.min((room.width - 2 * MARGIN) / bounds.width, (room.height - 2 * MARGIN) / bounds.height);
    const zoom = Math.min(1, Math.max(READABLE_ZOOM, whole));
    const start = (length: number, size: number): number => Math.max(MARGIN, (length - size * zoom) / 2);
    void flow.setViewport({
      x: start(room.width, bounds.width) - bounds.x * zoom,
      y: start(room.height, bounds.height) - bounds.y * zoom,
      zoom,
    });
  }, [flow, frame, positions]);
}

const MARGIN = 16;

/** Text of at least 12 pixels. */
const READABLE_ZOOM = 12 / 13;

/** More labels would cover each other. */
const LABELLED_MAX = 60;

function flowEdges(
  edges: readonly ResultEdge[],
  { positions, waypoints }: LayeredLayout,
  selected: string,
): FlowEdge[] {
  const side = (id: string, across: number): Point => {
    const { x, y } = positions[id] ?? { x: 0, y: 0 };
    return { x: x + across, y: y + HEIGHT / 2 };
  };
  return edges.map(({ id, from, to, label }) => {
    const isNear = from === selected || to === selected;
    const [start, end] = [side(from, WIDTH), side(to, 0)];
    return {
      id,
      type: 'pair',
      data: {
        path: smoothPath(start, waypoints[id] ?? [], end, WIDTH, 'right'),
        middle: { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 },
      },
      source: from,
      target: to,
      focusable: false,
      className: isNear ? 'edge-near' : '',
      ...(label !== '' && edges.length <= LABELLED_MAX && { label }),
      markerEnd: {
        type: MarkerType.ArrowClosed,
        width: 16,
        height: 16,
        color: `var(${isNear ? '--accent' : '--xy-edge-stroke'})`,
      },
    };
  });
}

function PairEdge({ data, label, markerEnd }: EdgeProps<FlowEdge>) {
  const { x, y } = data?.middle ?? { x: 0, y: 0 };
  return (
    <BaseEdge
      path={data?.path ?? ''}
      labelX={x}
      labelY={y}
      interactionWidth={0}
      {...(label !== undefined && { label })}
      {...(markerEnd !== undefined && { markerEnd })}
    />
  );
}

function IndividualNode({ data: { label }, selected }: NodeProps<FlowNode>) {
  const element = useNodeFocus(selected);
  return (
    <div className="graph-node" data-selected={selected} ref={element}>
      <Handle type="target" position={SIDES.right.target} isConnectable={false} />
      <Cut className={styles.nodeLabel}>{label}</Cut>
      <Handle type="source" position={SIDES.right.source} isConnectable={false} />
    </div>
  );
}
