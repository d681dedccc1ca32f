/** What drawings have in common: they are looked at and gone through, and nothing in them is moved, joined or deleted. */

import type { ReactFlowProps } from '@xyflow/react';

export const GRAPH_OPTIONS = {
  nodesDraggable: false,
  nodesConnectable: false,
  edgesFocusable: false,
  maxZoom: 1.5,
  deleteKeyCode: null,
} as const satisfies ReactFlowProps;

/** Of one that may be large, and whose keys are the drawing's own. */
export const LARGE_GRAPH_OPTIONS = {
  ...GRAPH_OPTIONS,
  autoPanOnNodeFocus: false,
  onlyRenderVisibleElements: true,
  minZoom: 0.05,
  zoomOnDoubleClick: false,
} as const satisfies ReactFlowProps;
