/**
 * The interactive diagram: pan, zoom, select and open declarations. One tab stop, the selected box; arrow keys select a
 * neighbour. Loaded on demand.
 */

import { useComputedColorScheme } from '@mantine/core';
import {
  getViewportForBounds,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  type ReactFlowState,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import { clsx } from 'clsx';
import { type CSSProperties, type KeyboardEvent, type RefObject, useEffect, useMemo, useRef } from 'react';
import { GraphControls } from '../../../graph/graph-controls.js';
import { FIT_PADDING, viewportSize } from '../../../graph/graph-fit.js';
import { FocusRequest, isOnNode, useNodeFocus } from '../../../graph/graph-focus.js';
import { useGraphLayout } from '../../../graph/graph-layout.js';
import { GraphMinimap } from '../../../graph/graph-minimap.js';
import { GRAPH_OPTIONS, TAB_STOP } from '../../../graph/graph-options.js';
import { OVERVIEW_NODE_TYPES, OverviewContext } from '../../../graph/graph-overview.js';
import graphOverviewStyles from '../../../graph/graph-overview.module.css';
import { routePath } from '../../../graph/graph-route.js';
import type { GraphShape } from '../../../graph/graph-shapes.js';
import { measureText } from '../../../graph/svg-drawing.js';
import { measured, useLevelOfDetail } from '../../../graph/use-level-of-detail.js';
import { usePointerTarget } from '../../../graph/use-pointer-target.js';
import { Glyph } from '../../../ui/glyph.js';
import { DIAGRAM_GLYPH, type Diagram, type DiagramNode, KIND_NAME } from './diagram.js';
import { boxInDirection } from './diagram-keyboard.js';
import { type LaidOutDiagram, layoutDiagram } from './diagram-layout.js';
import { DiagramLineView, type LineEdge } from './diagram-lines.js';
import styles from './diagram-view.module.css';

interface DiagramViewProps {
  readonly diagram: Diagram;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  /** Opens the source of the declaration. Absent without sources. */
  readonly onOpen: ((node: DiagramNode) => void) | undefined;
  /** The source is visible beside the diagram, so one click opens it. */
  readonly opensOnClick: boolean;
}

export function DiagramView(props: DiagramViewProps) {
  const layout = useGraphLayout(props.diagram, drawn);
  if (layout.state === 'failed') {
    return <p className="pane-padded dim">Cannot draw the diagram: {layout.message} Use the outline instead.</p>;
  }
  if (layout.state === 'pending') {
    return (
      <p className="pane-padded dim" role="status">
        Drawing {props.diagram.nodes.length} declarations…
      </p>
    );
  }
  return (
    <ReactFlowProvider>
      <Flow {...props} diagram={layout.graph} places={layout.positions} isStale={layout.graph !== props.diagram} />
    </ReactFlowProvider>
  );
}

const drawn = (diagram: Diagram): Promise<LaidOutDiagram> => layoutDiagram(diagram, measureText);

type BoxNode = Node<{ node: DiagramNode }, 'box'>;

const NODE_TYPES = { box: BoxView, ...OVERVIEW_NODE_TYPES };
const EDGE_TYPES = { line: DiagramLineView };
/** Text on the screen is never smaller, in pixels. */
const TEXT_SIZE = 12;
/** Below this zoom, only names are drawn. They grow against the zoom. Not exactly 1, to which zoom steps add up. */
const OVERVIEW_ZOOM = 0.99;
/** Below this zoom, names would no longer fit their boxes, so that only shapes are drawn. */
const SHAPES_ZOOM = 0.6;
/** From this number of boxes on, a minimap shows the viewport. */
const MAPPED_FROM = 60;
const MAP_SIZE = { width: 200, height: 150 };
/** Distance in pixels between the selected box and the border. */
const EDGE = 24;
/** Screen readers read this after the name of a box. */
const KEYS = {
  'node.a11yDescription.default': 'Arrow keys select the next declaration in that direction. Enter opens its source.',
  'edge.a11yDescription.default': '',
};

interface FlowProps extends DiagramViewProps {
  readonly places: LaidOutDiagram;
  /** A new layout is being computed. */
  readonly isStale: boolean;
}

function Flow({ diagram, places, selected, onSelect, onOpen, opensOnClick, isStale }: FlowProps) {
  const scheme = useComputedColorScheme('light');
  const nameSize = useStore(nameSizeOf);
  const shape = useShape(diagram, places);
  const drawn = useLevelOfDetail(
    useBoxes(diagram, places, selected),
    useLines(diagram, places, selected),
    shape,
    SHAPES_ZOOM,
  );
  const frame = useRef<HTMLDivElement>(null);
  const focusRequest = useRef(false);
  useViewport(frame, places, selected, hubOf(diagram));
  const nodeOf = (id: string | undefined): DiagramNode | undefined => diagram.nodes.find((node) => node.id === id);
  const onDoubleClick = (id: string): void => {
    const node = nodeOf(id);
    if (node !== undefined) onOpen?.(node);
  };
  const onClick = (id: string): void => {
    if (opensOnClick && onOpen !== undefined) onDoubleClick(id);
    else onSelect(id);
  };
  const pointerTarget = usePointerTarget(shape.nodes, { onClick, onDoubleClick });
  const hovered = drawn.isOverview ? nodeOf(pointerTarget.id) : undefined;
  const onKeyDown = (event: KeyboardEvent): void => {
    const current = nodeOf(selected) ?? diagram.nodes[0];
    if (current === undefined || !isOnNode(event)) return;
    const target = boxInDirection(places, current.id, event.key);
    if (event.key === 'Enter') onOpen?.(current);
    else if (target !== undefined) {
      focusRequest.current = true;
      onSelect(target);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <FocusRequest value={focusRequest}>
      <OverviewContext value={drawn.overview}>
        <ReactFlow
          {...GRAPH_OPTIONS}
          aria-label="Schema diagram"
          className={clsx(
            nameSize === undefined ? '' : styles.diagramFar,
            hovered === undefined ? '' : graphOverviewStyles.graphOver,
          )}
          style={{ '--name-size': `${nameSize}px` } as CSSProperties}
          title={hovered && `${hovered.name}, ${KIND_NAME[hovered.kind]}`}
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
            : {
                onNodeClick: (_event, { id }) => onClick(id),
                onNodeDoubleClick: (_event, { id }) => onDoubleClick(id),
              })}
          elementsSelectable={false}
        >
          <GraphControls>
            {isStale ? <span role="status">Laying out…</span> : nameSize !== undefined && 'Zoom in to see fields'}
          </GraphControls>
          {diagram.nodes.length > MAPPED_FROM && <GraphMinimap label="Map of the diagram" size={MAP_SIZE} />}
        </ReactFlow>
      </OverviewContext>
    </FocusRequest>
  );
}

function useShape(diagram: Diagram, places: LaidOutDiagram): GraphShape {
  return useMemo(() => {
    const { positions, sizes, lines } = places;
    return {
      bounds: boundsOf(places),
      nodes: diagram.nodes.map(({ id, kind }) => ({
        id,
        glyph: DIAGRAM_GLYPH[kind],
        ...(positions[id] ?? { x: 0, y: 0 }),
        ...(sizes[id] ?? { width: 0, height: 0 }),
      })),
      edges: diagram.edges.map(({ id, from, to }) => ({ from, to, path: routePath(lines[id]?.points ?? []) })),
    };
  }, [diagram, places]);
}

function useBoxes(diagram: Diagram, { positions, sizes }: LaidOutDiagram, selected: string | undefined): BoxNode[] {
  const plain = useMemo<BoxNode[]>(
    () =>
      diagram.nodes.map((node) => ({
        id: node.id,
        type: 'box',
        position: positions[node.id] ?? { x: 0, y: 0 },
        ...measured(sizes[node.id]?.width ?? 0, sizes[node.id]?.height ?? 0, 'right'),
        focusable: false,
        data: { node },
        ariaRole: 'group',
        ariaLabel: boxLabel(node, diagram),
      })),
    [diagram, positions, sizes],
  );
  // Unselected nodes keep their identity, so that a selection renders two boxes instead of hundreds. Without a
  // selection, the first box is the tab stop.
  return useMemo(() => {
    const stop = plain.some(({ id }) => id === selected) ? selected : plain[0]?.id;
    return plain.map((node) => (node.id === stop ? { ...node, ...TAB_STOP, selected: node.id === selected } : node));
  }, [plain, selected]);
}

function useLines(diagram: Diagram, { lines }: LaidOutDiagram, selected: string | undefined): LineEdge[] {
  return useMemo(
    () =>
      diagram.edges.map((edge): LineEdge => {
        const isNear = edge.from === selected || edge.to === selected;
        return {
          id: edge.id,
          type: 'line',
          source: edge.from,
          target: edge.to,
          focusable: false,
          selectable: false,
          className: isNear ? 'edge-near' : '',
          zIndex: isNear ? 1 : 0,
          data: { edge, points: lines[edge.id]?.points ?? [], label: lines[edge.id]?.label },
        };
      }),
    [diagram, lines, selected],
  );
}

/** The label of a box for screen readers, with its edges in words. */
function boxLabel({ id, name, kind, lines }: DiagramNode, { edges }: Diagram): string {
  const above = edges.find((edge) => edge.kind === 'is' && edge.to === id);
  const ends = edges.filter((edge) => edge.kind === 'end' && (edge.from === id || edge.to === id));
  const own = kind === 'stored' || kind === 'derived' ? ends.map(({ label }) => label) : [];
  const parts = [...lines.map((line) => `${line.name} ${line.type}`.trim()), ...own];
  return [`${name}, ${KIND_NAME[kind]}`, above && `is ${above.from.split('::').at(-1)}`, ...parts]
    .filter(Boolean)
    .join(', ');
}

/**
 * Opens on the whole diagram if its names are readable, else on the selected box or the one with most edges. Later the
 * viewport stays, and moves only to show the selected box with its name.
 */
function useViewport(
  frame: RefObject<HTMLDivElement | null>,
  places: LaidOutDiagram,
  selected: string | undefined,
  hub: string | undefined,
): void {
  const flow = useReactFlow();
  const shown = useRef<LaidOutDiagram | undefined>(undefined);
  useEffect(() => {
    const room = frame.current === null ? undefined : viewportSize(frame.current);
    if (room === undefined || room.width === 0) return;
    const before = shown.current;
    shown.current = places;
    const now = selected === undefined ? undefined : places.positions[selected];
    const size = selected === undefined ? undefined : places.sizes[selected];
    if (before === undefined) {
      const whole = getViewportForBounds(boundsOf(places), room.width, room.height, 0.05, 1, FIT_PADDING);
      const at = whole.zoom >= SHAPES_ZOOM ? undefined : (selected ?? hub);
      const { x = 0, y = 0 } = (at && places.positions[at]) || {};
      const { width = 0, height = 0 } = (at && places.sizes[at]) || {};
      if (at === undefined) void flow.setViewport(whole);
      else void flow.setCenter(x + width / 2, y + height / 2, { zoom: 1 });
      return;
    }
    if (now === undefined || size === undefined) return;
    const { x, y, zoom } = flow.getViewport();
    if (zoom < SHAPES_ZOOM) {
      void flow.setCenter(now.x + size.width / 2, now.y + size.height / 2, { zoom: SHAPES_ZOOM });
      return;
    }
    const old = selected === undefined ? undefined : before.positions[selected];
    const kept =
      before === places || old === undefined
        ? { x, y }
        : { x: x + (old.x - now.x) * zoom, y: y + (old.y - now.y) * zoom };
    const intoView = (start: number, length: number, space: number): number =>
      start < EDGE
        ? EDGE - start
        : start + length > space - EDGE
          ? Math.max(space - EDGE - start - length, EDGE - start)
          : 0;
    void flow.setViewport({
      x: kept.x + intoView(kept.x + now.x * zoom, size.width * zoom, room.width),
      y: kept.y + intoView(kept.y + now.y * zoom, size.height * zoom, room.height),
      zoom,
    });
  }, [flow, frame, places, selected, hub]);
}

/** The node with most edges. */
function hubOf({ nodes, edges }: Diagram): string | undefined {
  const lines = new Map<string, number>();
  for (const { from, to } of edges) for (const id of [from, to]) lines.set(id, (lines.get(id) ?? 0) + 1);
  const [most] = [...lines].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? nodes[0]?.id;
}

function boundsOf({ positions, sizes }: LaidOutDiagram) {
  const corners = Object.entries(positions).map(([id, { x, y }]) => {
    const { width = 0, height = 0 } = sizes[id] ?? {};
    return { right: x + width, bottom: y + height };
  });
  return {
    x: 0,
    y: 0,
    width: Math.max(1, ...corners.map(({ right }) => right)),
    height: Math.max(1, ...corners.map(({ bottom }) => bottom)),
  };
}

/** Shortened text has a plain title: hundreds of tooltip components would take seconds to render. */
function BoxView({ data: { node }, selected }: NodeProps<BoxNode>) {
  const { kind, name, lines, more } = node;
  const element = useNodeFocus(selected);
  const hidesLines = useStore(nameSizeOf) !== undefined;
  return (
    <div className={clsx('graph-node', styles.diagramBox)} data-kind={kind} data-selected={selected} ref={element}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <div className={styles.diagramName}>
        <Glyph kind={DIAGRAM_GLYPH[kind]} />
        <span className="cut" title={name}>
          {name}
        </span>
      </div>
      {lines.length > 0 && !hidesLines && (
        <ul className={styles.diagramLines}>
          {lines.map((line) => (
            <li key={line.name} title={`${line.name} ${line.type}`}>
              <span className="cut">{line.name}</span>
              {line.type !== '' && <span className={clsx('cut', 'dim', styles.diagramType)}>{line.type}</span>}
            </li>
          ))}
          {more > 0 && <li className="dim">{more} more</li>}
        </ul>
      )}
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
}

/** Whole pixels, so that the boxes change seldom. Undefined where names have their own size and lines are drawn. */
function nameSizeOf({ transform: [, , zoom] }: ReactFlowState): number | undefined {
  return zoom < OVERVIEW_ZOOM ? Math.ceil(TEXT_SIZE / Math.max(zoom, SHAPES_ZOOM)) : undefined;
}
