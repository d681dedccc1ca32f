/** Options that all graphs share: read-only, with their own keys, and only visible nodes in the document. */

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
 * Marks the tab stop of a graph. The library keeps only nodes that are being dragged in the document, so the tab stop
 * pretends to be dragged: otherwise the focus would be lost when it scrolls out of view.
 */
export const TAB_STOP = { focusable: true, dragging: true } as const;
