/**
 * What drawings have in common: they are looked at and gone through, nothing in them is moved, joined or deleted, and as any of
 * them may be large, only what is in sight is on the page. Their keys are their own.
 */

import type { ReactFlowProps } from '@xyflow/react';

export const GRAPH_OPTIONS = {
  nodesDraggable: false,
  nodesConnectable: false,
  edgesFocusable: false,
  autoPanOnNodeFocus: true,
  onlyRenderVisibleElements: true,
  minZoom: 0.05,
  maxZoom: 1.5,
  zoomOnDoubleClick: false,
  deleteKeyCode: null,
} as const satisfies ReactFlowProps;

/**
 * Of the node that the keyboard comes to. It stays on the page out of sight too, so that a graph is never without one, nor a
 * reader without the focus: what is being moved is all that the library then keeps.
 */
export const REACHED = { focusable: true, dragging: true } as const;
