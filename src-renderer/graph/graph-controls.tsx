/** The controls of every graph, with their keys: zoom out, zoom in, fit, and a remark beside them. */

import { ActionIcon } from '@mantine/core';
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react';
import { Panel, useReactFlow, useStore } from '@xyflow/react';
import { type ReactNode, useEffect } from 'react';
import { FIT_PADDING } from './graph-fit.js';
import { GRAPH_OPTIONS } from './graph-options.js';
import '@xyflow/react/dist/base.css';
import './graph.css';

export function GraphControls({ children }: { readonly children?: ReactNode }) {
  const flow = useReactFlow();
  const surface = useStore(({ domNode }) => domNode);
  const zoomBy = (factor: number): void => {
    const middle = focusedNodeCentre(surface);
    if (middle === undefined) return void (factor > 1 ? flow.zoomIn() : flow.zoomOut());
    const { x, y, zoom } = flow.getViewport();
    const to = Math.min(Math.max(zoom * factor, GRAPH_OPTIONS.minZoom), GRAPH_OPTIONS.maxZoom);
    const anchored = (at: number, start: number): number => at - ((at - start) * to) / zoom;
    void flow.setViewport({ x: anchored(middle.x, x), y: anchored(middle.y, y), zoom: to });
  };
  const zoomOut = (): void => zoomBy(1 / ZOOM_STEP);
  const zoomIn = (): void => zoomBy(ZOOM_STEP);
  // Fits the graph even if that takes a lower zoom than the steps allow.
  const showAll = (): void => void flow.fitView({ padding: FIT_PADDING, minZoom: 0.001, maxZoom: 1 });
  useGraphKeys({ '-': zoomOut, '+': zoomIn, '=': zoomIn, '0': showAll });
  return (
    <Panel position="bottom-left" className="graph-foot">
      <span className="graph-remark">{children}</span>
      <ActionIcon aria-label="Zoom out" aria-keyshortcuts="-" title="Zoom out (-)" onClick={zoomOut}>
        <IconMinus size={14} />
      </ActionIcon>
      <ActionIcon aria-label="Zoom in" aria-keyshortcuts="+" title="Zoom in (+)" onClick={zoomIn}>
        <IconPlus size={14} />
      </ActionIcon>
      <ActionIcon
        aria-label="Show the whole graph"
        aria-keyshortcuts="0"
        title="Show the whole graph (0)"
        onClick={showAll}
      >
        <IconFocusCentered size={14} />
      </ActionIcon>
    </Panel>
  );
}

/** The step of the library's own controls. */
const ZOOM_STEP = 1.2;

/** The middle of the focused node, which stays in place while zooming. */
function focusedNodeCentre(surface: HTMLElement | null): { readonly x: number; readonly y: number } | undefined {
  const node = surface?.querySelector('.react-flow__node:focus');
  if (!surface || !node) return undefined;
  const [box, frame] = [node.getBoundingClientRect(), surface.getBoundingClientRect()];
  return { x: box.x + box.width / 2 - frame.x, y: box.y + box.height / 2 - frame.y };
}

/** Listens on the whole graph, wherever in it the focus is. */
function useGraphKeys(commands: Readonly<Partial<Record<string, () => void>>>): void {
  const surface = useStore(({ domNode }) => domNode);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const command = event.altKey || event.ctrlKey || event.metaKey ? undefined : commands[event.key];
      if (command === undefined) return;
      event.preventDefault();
      command();
    };
    surface?.addEventListener('keydown', onKeyDown);
    return () => surface?.removeEventListener('keydown', onKeyDown);
  });
}
