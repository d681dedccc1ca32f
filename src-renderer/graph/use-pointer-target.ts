/** The node under the pointer in an overview, where nodes are no elements. */

import { useReactFlow } from '@xyflow/react';
import { type MouseEvent, useState } from 'react';
import { nodeAt, type ShapedNode } from './graph-shapes.js';

interface PointerHandlers {
  readonly onClick: (id: string) => void;
  readonly onDoubleClick: (id: string) => void;
}

/** How many pixels the pointer may miss a small node by. */
const TOLERANCE = 4;

export function usePointerTarget(nodes: readonly ShapedNode[], pointerHandlers: PointerHandlers) {
  const flow = useReactFlow();
  const [id, setId] = useState<string>();
  const nodeUnder = ({ clientX: x, clientY: y }: MouseEvent): string | undefined =>
    nodeAt(nodes, flow.screenToFlowPosition({ x, y }), TOLERANCE / flow.getZoom());
  return {
    id,
    handlers: {
      onPaneMouseMove: (event: MouseEvent) => setId(nodeUnder(event)),
      onPaneMouseLeave: () => setId(undefined),
      onPaneClick: (event: MouseEvent) => {
        const clicked = nodeUnder(event);
        if (clicked !== undefined) pointerHandlers.onClick(clicked);
      },
      onDoubleClick: (event: MouseEvent) => {
        const isSurface = event.target instanceof Element && event.target.classList.contains('react-flow__pane');
        const clicked = isSurface ? nodeUnder(event) : undefined;
        if (clicked !== undefined) pointerHandlers.onDoubleClick(clicked);
      },
    },
  };
}
