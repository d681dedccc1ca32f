/**
 * What drawings have in common: they are looked at and gone through, nothing in them is moved, joined or deleted, and as any of
 * them may be large, only what is in sight is on the page. Their keys are their own.
 */

import type { ReactFlowProps } from '@xyflow/react';

export const GRAPH_OPTIONS = {
  nodesDraggable: false,
  nodesConnectable: false,
  edgesFocusable: false,
  autoPanOnNodeFocus: false,
  onlyRenderVisibleElements: true,
  minZoom: 0.05,
  maxZoom: 1.5,
  zoomOnDoubleClick: false,
  deleteKeyCode: null,
} as const satisfies ReactFlowProps;
