/** The node under the pointer in an overview, where nodes are no elements. */

import { useReactFlow } from '@xyflow/react';
import { type MouseEvent, useState } from 'react';
import { nodeAt, type ShapedNode } from './graph-shapes.js';

interface Answers {
  readonly onClick: (id: string) => void;
  readonly onDoubleClick: (id: string) => void;
}

/** How many pixels the pointer may miss a small node by. */
const REACH = 4;

export function usePointed(nodes: readonly ShapedNode[], answers: Answers) {
  const flow = useReactFlow();
  const [id, setId] = useState<string>();
  const under = ({ clientX: x, clientY: y }: MouseEvent): string | undefined =>
    nodeAt(nodes, flow.screenToFlowPosition({ x, y }), REACH / flow.getZoom());
  return {
    id,
    handlers: {
      onPaneMouseMove: (event: MouseEvent) => setId(under(event)),
      onPaneMouseLeave: () => setId(undefined),
      onPaneClick: (event: MouseEvent) => {
        const clicked = under(event);
        if (clicked !== undefined) answers.onClick(clicked);
      },
      onDoubleClick: (event: MouseEvent) => {
        const isSurface = event.target instanceof Element && event.target.classList.contains('react-flow__pane');
        const clicked = isSurface ? under(event) : undefined;
        if (clicked !== undefined) answers.onDoubleClick(clicked);
      },
    },
  };
}
