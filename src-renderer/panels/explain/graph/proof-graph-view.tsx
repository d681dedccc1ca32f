/**
 * The interactive proof graph: pan, zoom, select steps, show and hide premises. A shared fact is one node with several
 * edges. One tab stop, the selected node; arrow keys follow the edges.
 */

import { Button, useComputedColorScheme } from '@mantine/core';
import { type EdgeProps, Handle, type NodeProps, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react';
import { clsx } from 'clsx';
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef } from 'react';
import type { Step } from '../../../domain/proof/proof-outline.js';
import { SENSE } from '../../../domain/proof/proof-outline.js';
import { StepGlyph, StepSentence } from '../../../domain/proof/step-view.js';
import { GraphControls } from '../../../graph/graph-controls.js';
import { useIsCropped, viewportSize } from '../../../graph/graph-fit.js';
import { FocusRequest, isOnNode, useNodeFocus } from '../../../graph/graph-focus.js';
import { arrowTarget } from '../../../graph/graph-keyboard.js';
import { type Positions, startLayoutWorker, useGraphLayout } from '../../../graph/graph-layout.js';
import { GraphMinimap } from '../../../graph/graph-minimap.js';
import { GRAPH_OPTIONS } from '../../../graph/graph-options.js';
import { OVERVIEW_NODE_TYPES, OverviewContext } from '../../../graph/graph-overview.js';
import graphOverviewStyles from '../../../graph/graph-overview.module.css';
import { GraphPending } from '../../../graph/graph-pending.js';
import { SIDES, useLevelOfDetail } from '../../../graph/use-level-of-detail.js';
import { usePointerTarget } from '../../../graph/use-pointer-target.js';
import { inBrief } from '../../../model/facts/labels.js';
import { valueText } from '../../../model/facts/value-text.js';
import type { SentencePart } from '../../../model/sentences/sentence.js';
import { sentenceIn } from '../../../model/sentences/sentence.js';
import { LettersMax } from '../../../ui/brief.js';
import { ReferenceLabel, valueClass } from '../../../ui/reference-label.js';
import { type Naming, NODE_LETTERS_MAX, stepText } from '../steps/step-text.js';
import { initialViewOf, layoutToFit, MINIMAP_SIZE, minimapHeightAt } from './initial-view.js';
import type { ProofGraph } from './proof-graph.js';
import styles from './proof-graph.module.css';
import { layoutProof, type ProofForm, type ProofLayout } from './proof-layout.js';
import { type ProofEdge, type StepNode, useProofEdges, useShape, useStepNodes } from './proof-nodes.js';

interface ProofGraphViewProps {
  readonly graph: ProofGraph;
  readonly naming: Naming;
  readonly selected: string | undefined;
  readonly onSelect: (step: Step) => void;
  /** Shows or hides the premises of a step. */
  readonly onToggle: (step: Step) => void;
  readonly onOpenAll: () => void;
}

export { startLayoutWorker };

export function ProofGraphView(props: ProofGraphViewProps) {
  const frame = useRef<HTMLDivElement>(null);
  const layout = useGraphLayout(props.graph, useLayout(frame));
  return (
    <div className={styles.graphFrame} ref={frame}>
      {layout.state === 'failed' && (
        <p className="pane-padded dim">Cannot draw the graph: {layout.message} Use the outline instead.</p>
      )}
      {layout.state === 'pending' && <GraphPending />}
      {layout.state === 'ready' && (
        <ReactFlowProvider>
          <Flow {...props} graph={layout.graph} layout={layout.positions} isStale={layout.graph !== props.graph} />
        </ReactFlowProvider>
      )}
    </div>
  );
}

/** The form is chosen once, for the initial graph, and kept as it grows. */
function useLayout(frame: RefObject<HTMLDivElement | null>): (graph: ProofGraph) => Promise<ProofLayout> {
  const fitted = useRef<{ root: Step | undefined; form: ProofForm } | undefined>(undefined);
  return useCallback(
    async (graph) => {
      const [root] = graph.steps;
      if (frame.current === null) return layoutProof(graph);
      const before = fitted.current;
      if (before !== undefined && before.root === root) return layoutProof(graph, before.form);
      const layout = await layoutToFit(graph, viewportSize(frame.current));
      fitted.current = { root, form: layout.form };
      return layout;
    },
    [frame],
  );
}

const NODE_TYPES = { step: StepNodeView, ...OVERVIEW_NODE_TYPES };
const EDGE_TYPES = { way: ProofEdgeView };
/** Below this zoom, text is unreadable. */
const OVERVIEW_ZOOM = 0.6;
/** The arrow key that leads from a conclusion to its premises. */
const FORWARD_KEY = { down: 'ArrowDown', right: 'ArrowRight' } as const;
/** Screen readers read this after the name of a node. */
const KEYS = {
  'node.a11yDescription.default':
    'Arrow keys follow the edges. Enter shows or hides premises. Plus and minus zoom, 0 shows all.',
  'edge.a11yDescription.default': '',
};

interface FlowProps extends ProofGraphViewProps {
  readonly layout: ProofLayout;
  /** A new layout is being computed. */
  readonly isStale: boolean;
}

function Flow(props: FlowProps) {
  const { graph, layout, selected, onSelect, onToggle, onOpenAll, isStale } = props;
  const { positions, form } = layout;
  const scheme = useComputedColorScheme('light');
  const shape = useShape(graph, layout);
  const drawn = useLevelOfDetail(useStepNodes(props), useProofEdges(graph, shape, selected), shape, OVERVIEW_ZOOM);
  const isCropped = useIsCropped(shape.bounds);
  const frame = useRef<HTMLDivElement>(null);
  const focusRequest = useRef(false);
  useViewport(frame, graph, layout, selected);
  const stepOf = (id: string | undefined): Step | undefined => graph.steps.find((step) => step.id === id);
  const notified = (answer: (step: Step) => void, id: string): void => {
    const step = stepOf(id);
    if (step !== undefined) answer(step);
  };
  const onDoubleClick = (id: string): void => notified(onToggle, id);
  const pointerTarget = usePointerTarget(shape.nodes, { onClick: (id) => notified(onSelect, id), onDoubleClick });
  const hovered = drawn.isOverview ? stepOf(pointerTarget.id) : undefined;
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = stepOf(selected) ?? graph.steps[0];
    if (step === undefined || !isOnNode(event)) return;
    if (event.key === 'Enter') onToggle(step);
    else {
      const navigable = { ids: graph.steps.map(({ id }) => id), edges: graph.edges, positions };
      const target = arrowTarget(navigable, form.direction, step.id, event.key);
      const next = stepOf(target);
      if (next !== undefined) {
        focusRequest.current = true;
        onSelect(next);
      } else if (event.key === FORWARD_KEY[form.direction] && graph.hidden.has(step.id)) onToggle(step);
      else return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const isOpenable = graph.hidden.size > 0 && !graph.isFull;
  return (
    <FocusRequest value={focusRequest}>
      <OverviewContext value={drawn.overview}>
        <ReactFlow
          {...GRAPH_OPTIONS}
          aria-label="Graph of the explanation"
          className={hovered === undefined ? undefined : graphOverviewStyles.graphOver}
          data-direction={form.direction}
          title={hovered && stepText(hovered, props.naming)}
          ariaLabelConfig={KEYS}
          nodes={drawn.nodes}
          edges={drawn.edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          colorMode={scheme}
          ref={frame}
          onKeyDownCapture={onKeyDown}
          {...(drawn.isOverview
            ? pointerTarget.handlers
            : { onNodeDoubleClick: (_event, { id }) => onDoubleClick(id) })}
          // Selection by pointer. The outline owns the selection.
          onNodesChange={(changes) => {
            const change = changes.find((each) => each.type === 'select' && each.selected);
            if (change?.type === 'select') notified(onSelect, change.id);
          }}
        >
          {isCropped && <GraphMinimap label="Map of the graph" size={MINIMAP_SIZE} />}
          <GraphControls>
            <span className="numeric">{graph.steps.length.toLocaleString('en')}</span>{' '}
            {graph.steps.length === 1 ? 'step' : 'steps'}
            {isCropped && !isStale && <span> (zoom out to see all)</span>}
            {isStale && <span>, laying out more…</span>}
            {graph.isFull && !isStale && <span>, the most a graph shows. The outline shows all.</span>}
            {isOpenable && !isStale && (
              <Button variant="subtle" size="compact-xs" onClick={onOpenAll}>
                Show all
              </Button>
            )}
          </GraphControls>
        </ReactFlow>
      </OverviewContext>
    </FocusRequest>
  );
}

/** Opens on what fits. Later the viewport stays, and moves only to show the selected step, or the conclusion. */
function useViewport(
  frame: RefObject<HTMLDivElement | null>,
  graph: ProofGraph,
  layout: ProofLayout,
  selected: string | undefined,
): void {
  const flow = useReactFlow();
  const root = graph.steps[0];
  const shown = useRef<{ root: Step; positions: Positions } | undefined>(undefined);
  useEffect(() => {
    const { positions, form } = layout;
    const { nodeWidth, nodeHeight } = form;
    const room = frame.current === null ? undefined : viewportSize(frame.current);
    const at = root === undefined ? undefined : positions[root.id];
    if (room === undefined || root === undefined || at === undefined) return;
    const before = shown.current;
    shown.current = { root, positions };
    if (before?.root !== root) {
      void flow.setViewport(initialViewOf(graph, layout, room).viewport);
      return;
    }
    const viewport = flow.getViewport();
    const { zoom } = viewport;
    const isDrawn = selected !== undefined && positions[selected] !== undefined;
    if (!isDrawn && before.positions === positions) return;
    const step = isDrawn ? selected : root.id;
    const old = before.positions[step];
    const now = positions[step] ?? at;
    // After a new layout, the selected step keeps its place on the screen.
    const anchor =
      before.positions === positions || old === undefined
        ? viewport
        : { x: viewport.x + (old.x - now.x) * zoom, y: viewport.y + (old.y - now.y) * zoom };
    const intoView = (start: number, length: number, space: number): number =>
      start < EDGE ? EDGE - start : start + length > space - EDGE ? space - EDGE - start - length : 0;
    const x = anchor.x + intoView(anchor.x + now.x * zoom, nodeWidth * zoom, room.width);
    const space = room.height - minimapHeightAt(x + now.x * zoom);
    void flow.setViewport({ x, y: anchor.y + intoView(anchor.y + now.y * zoom, nodeHeight * zoom, space), zoom });
  }, [flow, frame, graph, layout, root, selected]);
}

/** Distance in pixels between the selected node and the border. */
const EDGE = 24;

function ProofEdgeView({ data }: EdgeProps<ProofEdge>) {
  return <path className="react-flow__edge-path" d={data?.path} />;
}

function StepNodeView({ data, selected }: NodeProps<StepNode>) {
  const { step, naming, hidden, form, onToggle } = data;
  const { source, target } = SIDES[form.direction];
  const element = useNodeFocus(selected);
  return (
    <div className="graph-node" data-kind={step.kind} data-selected={selected} ref={element}>
      {/* React Flow measures the handles of a visible node even if they are given, and omits edges without handles. */}
      <Handle type="target" position={target} isConnectable={false} />
      <Handle type="source" position={source} isConnectable={false} />
      <div
        className={styles.graphNodeText}
        style={{ WebkitLineClamp: form.lines }}
        onPointerEnter={({ currentTarget: text }) => {
          text.title = text.scrollHeight > text.clientHeight ? stepText(step, naming) : '';
        }}
      >
        <StepGlyph kind={step.kind} />
        <NodeSentence step={step} naming={naming} />
      </div>
      {hidden > 0 && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on the node does the same.
        // biome-ignore lint/a11y/noStaticElementInteractions: a pointer's shortcut for Enter.
        <span
          className={clsx(styles.graphFrontier, 'numeric')}
          onClick={(event) => {
            event.stopPropagation();
            onToggle(step);
          }}
        >
          {/* To the right there is no room for a word before the next layer. */}
          {form.direction === 'right' ? `+${hidden}` : `${hidden} more`}
        </span>
      )}
    </div>
  );
}

/** The sentence of a step as in the outline, but without a tooltip for each value: a graph has thousands. */
function NodeSentence({ step, naming }: { step: Step; naming: Naming }) {
  const { kind, relation, reason } = step;
  if (
    relation === undefined ||
    step.tuple === undefined ||
    reason !== undefined ||
    kind === 'open' ||
    kind === 'test' ||
    kind === 'aggregate'
  ) {
    return (
      <LettersMax value={NODE_LETTERS_MAX}>
        <StepSentence step={step} index={naming.index} />
      </LettersMax>
    );
  }
  const sentence = sentenceIn(SENSE[kind], relation, step.tuple, naming.index.get(relation));
  return (
    <span>
      {sentence.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their index.
        <Part key={place} part={part} naming={naming} />
      ))}
    </span>
  );
}

function Part({ part, naming }: { part: SentencePart; naming: Naming }) {
  if (part.kind !== 'value') return <span className={`sentence-${part.kind}`}>{part.text}</span>;
  const { value, reference } = part;
  const label =
    reference && typeof value === 'string'
      ? naming.label(value)
      : valueText(value, false, (id) => naming.label(id) ?? id);
  // Requests labels that are not loaded.
  if (label === undefined) return <ReferenceLabel value={value} reference />;
  const name = inBrief(label, NODE_LETTERS_MAX);
  const mark = reference && typeof value === 'string' ? naming.mark(value) : undefined;
  return (
    <span className={valueClass(name)}>
      {name}
      {mark !== undefined && <span className="name-mark"> ({mark})</span>}
    </span>
  );
}
