/**
 * The fork graph: edges lead from parent to fork, and back if promoted. One tab stop, on the selected fork; arrow keys move along
 * edges.
 */

import { useComputedColorScheme } from '@mantine/core';
import {
  BaseEdge,
  type Edge,
  type EdgeProps,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import { clsx } from 'clsx';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import type { ForkInfo } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import { ForkName } from '../../../domain/fork/fork-name.js';
import { GraphControls } from '../../../graph/graph-controls.js';
import { viewportSize } from '../../../graph/graph-fit.js';
import { FocusRequest, isOnNode, useNodeFocus } from '../../../graph/graph-focus.js';
import { arrowTarget } from '../../../graph/graph-keyboard.js';
import type { Positions } from '../../../graph/graph-layout.js';
import { GRAPH_OPTIONS, TAB_STOP } from '../../../graph/graph-options.js';
import { routePath } from '../../../graph/graph-route.js';
import { currentFork } from '../../../model/calls/place.js';
import { FORK_STATUS_WORDS } from '../../../model/facts/fork-names.js';
import { useForkNames } from '../../../server-state/forks.js';
import { useStore } from '../../../state/store.js';
import { FORK_STATUS_GLYPH, Glyph } from '../../../ui/glyph.js';
import type { ForkNode } from '../fork-tree.js';
import { stateText } from '../fork-words.js';
import forksStyles from '../forks.module.css';
import { FORK_LAYOUT, type ForkEdge, type ForkGraph, forkGraph, forkViewport, wayBack } from './fork-graph.js';
import styles from './fork-graph.module.css';

interface ForkGraphViewProps {
  readonly roots: readonly ForkNode[];
  readonly shown: string;
  readonly onShow: (id: string) => void;
}

export function ForkGraphView({ roots, shown, onShow }: ForkGraphViewProps) {
  const graph = useMemo(() => forkGraph(roots, shown), [roots, shown]);
  return (
    <ReactFlowProvider>
      <Flow graph={graph} shown={shown} onShow={onShow} />
    </ReactFlowProvider>
  );
}

type FlowNode = Node<{ fork: ForkInfo; isCurrent: boolean }, 'fork'>;

type BackEdge = Edge<{ path: string }, 'back'>;

const NODE_TYPES = { fork: ForkNodeView };
const EDGE_TYPES = { back: BackView };
/** Announced after the name of a node. */
const KEYS = {
  'node.a11yDescription.default':
    'Arrow keys move along the edges. Enter switches to the fork. Plus and minus zoom, 0 shows all.',
  'edge.a11yDescription.default': '',
};

interface FlowProps extends Omit<ForkGraphViewProps, 'roots'> {
  readonly graph: ForkGraph;
}

function Flow({ graph, shown, onShow }: FlowProps) {
  const { positions } = graph;
  const scheme = useComputedColorScheme('light');
  const current = useStore(currentFork);
  const nameOf = useForkNames();
  const nodes = useMemo<FlowNode[]>(
    () =>
      graph.forks.map((fork) => ({
        id: fork.id,
        type: 'fork',
        position: positions[fork.id] ?? { x: 0, y: 0 },
        width: FORK_LAYOUT.nodeWidth,
        height: FORK_LAYOUT.nodeHeight,
        selected: fork.id === shown,
        focusable: false,
        ...(fork.id === (positions[shown] === undefined ? graph.forks[0]?.id : shown) && TAB_STOP),
        data: { fork, isCurrent: fork.id === current },
        ariaLabel: `${nameOf(fork.id)}, ${FORK_STATUS_WORDS[fork.status]}`,
      })),
    [graph, positions, shown, current, nameOf],
  );
  const edges = useMemo(
    () => graph.edges.flatMap((edge) => flowEdges(edge, positions, shown)),
    [graph, positions, shown],
  );
  const frame = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(false);
  useViewport(frame, positions, shown);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOnNode(event)) return;
    const walked = { ids: graph.forks.map(({ id }) => id), edges: graph.edges, positions };
    const target = arrowTarget(walked, 'right', shown, event.key);
    if (event.key === 'Enter') currentFork.set(shown);
    else if (target === undefined) return;
    else if (target !== shown) {
      wantsFocus.current = true;
      onShow(target);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <FocusRequest value={wantsFocus}>
      <ReactFlow
        {...GRAPH_OPTIONS}
        aria-label="Fork graph"
        ariaLabelConfig={KEYS}
        onKeyDownCapture={onKeyDown}
        onNodeDoubleClick={(_event, { id }) => currentFork.set(id)}
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        colorMode={scheme}
        ref={frame}
        // The selection of the graph follows that of the list.
        onNodesChange={(changes) => {
          const change = changes.find((each) => each.type === 'select' && each.selected);
          if (change?.type === 'select' && change.id !== shown) onShow(change.id);
        }}
      >
        <GraphControls>
          {graph.leftOut > 0 &&
            (graph.leftOut === 1
              ? '1 more fork in the list'
              : `${graph.leftOut.toLocaleString('en')} more forks in the list`)}
        </GraphControls>
      </ReactFlow>
    </FocusRequest>
  );
}

function flowEdges({ id, from, to, promoted }: ForkEdge, positions: Positions, shown: string): Edge[] {
  const isNear = from === shown || to === shown;
  const common = {
    focusable: false,
    className: isNear ? 'edge-near' : '',
    markerEnd: {
      type: MarkerType.ArrowClosed,
      width: 16,
      height: 16,
      color: `var(${isNear ? '--accent' : '--xy-edge-stroke'})`,
    },
  };
  const edges: Edge[] = [{ ...common, id, type: 'smoothstep', source: from, target: to }];
  const [parent, fork] = [positions[from], positions[to]];
  if (promoted && parent !== undefined && fork !== undefined) {
    const path = routePath(wayBack(fork, parent));
    edges.push({
      ...common,
      id: `${id} back`,
      type: 'back',
      source: to,
      target: from,
      data: { path },
    } satisfies BackEdge);
  }
  return edges;
}

function BackView({ data, markerEnd }: EdgeProps<BackEdge>) {
  return <BaseEdge path={data?.path ?? ''} interactionWidth={0} {...(markerEnd !== undefined && { markerEnd })} />;
}

function useViewport(frame: { readonly current: HTMLDivElement | null }, positions: Positions, shown: string): void {
  const flow = useReactFlow();
  const framed = useRef<Positions | undefined>(undefined);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const show = (): void => {
      const room = viewportSize(element);
      if (room.width > 0 && room.height > 0) void flow.setViewport(forkViewport(positions, shown, room));
    };
    if (framed.current !== positions) show();
    framed.current = positions;
    const observer = new ResizeObserver(show);
    observer.observe(element);
    return () => observer.disconnect();
  }, [flow, frame, positions, shown]);
}

function ForkNodeView({ data, selected }: NodeProps<FlowNode>) {
  const { fork, isCurrent } = data;
  const element = useNodeFocus(selected);
  return (
    <div
      className={clsx('graph-node', styles.forkNode)}
      data-status={fork.status}
      data-selected={selected}
      ref={element}
    >
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <Glyph kind={FORK_STATUS_GLYPH[fork.status]} />
      <div className={styles.forkNodeText}>
        <ForkName id={fork.id} cut className={styles.forkNodeName} />
        <span className={styles.forkNodeLine}>
          <span className={clsx('cut', 'dim', 'numeric', styles.forkNodeMore)}>{stateText(fork)}</span>
          {isCurrent && <span className={forksStyles.forkHere}>current</span>}
        </span>
      </div>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
}
