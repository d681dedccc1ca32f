/** The graph of an explanation: pan, zoom, choose a node. Shared facts are one node with several edges. */

import { ActionIcon, useComputedColorScheme } from '@mantine/core';
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react';
import { type Edge, Handle, type Node, type NodeProps, Panel, Position, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react';
import { useEffect, useMemo, useState } from 'react';
import '@xyflow/react/dist/base.css';
import { layoutGraph, NODE_HEIGHT, NODE_WIDTH, type Positions } from './graph-layout.js';
import { type ProofGraph, proofGraph } from './proof-graph.js';
import type { Step } from './proof-outline.js';
import { type Index, KIND_WORD, StepGlyph, StepSentence } from './step-view.js';
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
  const layout = useLayout(graph);
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

type Layout =
  | { readonly state: 'pending' }
  | { readonly state: 'ready'; readonly graph: ProofGraph; readonly positions: Positions }
  | { readonly state: 'failed'; readonly message: string };

/** The layout of `graph`; until it is there, the one before stays. */
function useLayout(graph: ProofGraph): Layout {
  const [layout, setLayout] = useState<Layout>({ state: 'pending' });
  useEffect(() => {
    let wanted = true;
    layoutGraph(graph).then(
      (positions) => wanted && setLayout({ state: 'ready', graph, positions }),
      (error: unknown) => wanted && setLayout({ state: 'failed', message: String(error) }),
    );
    return () => {
      wanted = false;
    };
  }, [graph]);
  return layout;
}

const NODE_TYPES = { step: StepNodeView };

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
        width: NODE_WIDTH,
        height: NODE_HEIGHT,
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
  // The whole graph where it is legible, else its conclusion: a small tree is not blown up, a large one not shrunk to dust.
  useEffect(() => {
    void flow.fitView({ padding: 0.12, maxZoom: 1, minZoom: 0.35 });
  }, [flow, positions]);
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
      minZoom={0.1}
      maxZoom={1.5}
      fitView
      fitViewOptions={{ padding: 0.12, maxZoom: 1, minZoom: 0.35 }}
      deleteKeyCode={null}
      onNodeClick={(_, node) => onSelect(node.data.step)}
      onSelectionChange={({ nodes: chosen }) => {
        const [only] = chosen;
        if (chosen.length === 1 && only !== undefined && only.id !== selected) onSelect((only as StepNode).data.step);
      }}
    >
      <Panel position="top-right" className="graph-controls">
        <ActionIcon aria-label="Zoom out" onClick={() => void flow.zoomOut()}>
          <IconMinus size={14} />
        </ActionIcon>
        <ActionIcon aria-label="Zoom in" onClick={() => void flow.zoomIn()}>
          <IconPlus size={14} />
        </ActionIcon>
        <ActionIcon aria-label="Show the whole graph" onClick={() => void flow.fitView({ padding: 0.12, maxZoom: 1 })}>
          <IconFocusCentered size={14} />
        </ActionIcon>
      </Panel>
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
