/** The graph of an explanation: pan, zoom, choose a node. Shared facts are one node with several edges. */

import { useComputedColorScheme } from '@mantine/core';
import {
  type Edge,
  getViewportForBounds,
  Handle,
  type Node,
  type NodeProps,
  Panel,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import { useEffect, useMemo, useRef } from 'react';
import { GraphControls } from '../components/graph-controls.js';
import { boundsOf, type Positions, useGraphLayout } from '../components/graph-layout.js';
import type { Step } from '../components/proof-outline.js';
import { type Index, KIND_WORD, StepGlyph, StepSentence } from '../components/step-view.js';
import { layoutProof, PROOF_LAYOUT } from './graph-layout.js';
import { type ProofGraph, proofGraph } from './proof-graph.js';
import './proof-graph.css';

type StepNode = Node<{ step: Step; index: Index }, 'step'>;

interface ProofGraphViewProps {
  readonly roots: readonly Step[];
  readonly index: Index;
  readonly selected: string | undefined;
  readonly onSelect: (step: Step) => void;
}

export function ProofGraphView(props: ProofGraphViewProps) {
  const graph = useMemo(() => proofGraph(props.roots), [props.roots]);
  const layout = useGraphLayout(graph, layoutProof);
  if (layout.state === 'failed') {
    return <p className="pane-padded dim">The graph could not be drawn: {layout.message} The outline has it all.</p>;
  }
  if (layout.state === 'pending') return null;
  return (
    <ReactFlowProvider>
      <Flow {...props} graph={layout.graph} positions={layout.positions} />
    </ReactFlowProvider>
  );
}

const NODE_TYPES = { step: StepNodeView };
/** Text is readable from here on. */
const LEGIBLE_ZOOM = 0.75;

function Flow({
  graph,
  positions,
  index,
  selected,
  onSelect,
}: ProofGraphViewProps & { readonly graph: ProofGraph; readonly positions: Positions }) {
  const scheme = useComputedColorScheme('light');
  const flow = useReactFlow();
  const nodes = useMemo<StepNode[]>(
    () =>
      graph.steps.map((step) => ({
        id: step.id,
        type: 'step',
        position: positions[step.id] ?? { x: 0, y: 0 },
        width: PROOF_LAYOUT.nodeWidth,
        height: PROOF_LAYOUT.nodeHeight,
        selected: step.id === selected,
        data: { step, index },
        ariaLabel: KIND_WORD[step.kind],
      })),
    [graph, positions, index, selected],
  );
  const edges = useMemo<Edge[]>(
    () =>
      graph.edges.map((edge) => ({
        id: edge.id,
        source: edge.from,
        target: edge.to,
        focusable: false,
        className: edge.from === selected || edge.to === selected ? 'edge-near' : '',
      })),
    [graph, selected],
  );
  const root = graph.steps[0]?.id;
  const frame = useRef<HTMLDivElement>(null);
  // The whole graph where it stays legible, else its conclusion at the top: nothing is shrunk to dust.
  useEffect(() => {
    const at = root === undefined ? undefined : positions[root];
    const box = frame.current?.getBoundingClientRect();
    if (at === undefined || box === undefined) return;
    const whole = getViewportForBounds(boundsOf(positions, PROOF_LAYOUT), box.width, box.height, 0.1, 1, 0.08);
    const legible = {
      x: box.width / 2 - (at.x + PROOF_LAYOUT.nodeWidth / 2) * LEGIBLE_ZOOM,
      y: 24,
      zoom: LEGIBLE_ZOOM,
    };
    void flow.setViewport(whole.zoom >= LEGIBLE_ZOOM ? whole : legible);
  }, [flow, positions, root]);
  return (
    <ReactFlow
      aria-label="Graph of the explanation"
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      colorMode={scheme}
      nodesDraggable={false}
      nodesConnectable={false}
      edgesFocusable={false}
      ref={frame}
      minZoom={0.1}
      maxZoom={1.5}
      deleteKeyCode={null}
      // Asked for by pointer or keyboard; what is selected here is always what the outline has selected.
      onNodesChange={(changes) => {
        const change = changes.find((each) => each.type === 'select' && each.selected);
        const step = change?.type === 'select' ? graph.steps.find(({ id }) => id === change.id) : undefined;
        if (step !== undefined) onSelect(step);
      }}
    >
      <GraphControls />
      {graph.leftOut > 0 && (
        <Panel position="top-left" className="graph-remark">
          {graph.leftOut} or more deeper steps are not drawn; the outline has them.
        </Panel>
      )}
    </ReactFlow>
  );
}

function StepNodeView({ data, selected }: NodeProps<StepNode>) {
  const { step, index } = data;
  return (
    <div className="graph-node" data-kind={step.kind} data-selected={selected}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <StepGlyph kind={step.kind} />
      <div className="graph-node-text">
        <StepSentence step={step} index={index} />
      </div>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  );
}
