/** The node under the pointer, where nodes are no elements of their own: which it is, and what a click on it does. */

import { useReactFlow } from '@xyflow/react';
import { type MouseEvent, useState } from 'react';
import { nodeAt, type ShapedNode } from './graph-shapes.js';

interface Answers {
  readonly onClick: (id: string) => void;
  readonly onDoubleClick: (id: string) => void;
}

/** Pixels by which a pointer may miss what is that small. */
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
