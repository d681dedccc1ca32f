/** Minimap of a graph that is too large to read whole. Dragging in it moves the viewport. */

import { MiniMap } from '@xyflow/react';
import { MinimapShapes } from './graph-overview.js';

interface GraphMinimapProps {
  readonly label: string;
  readonly size: { readonly width: number; readonly height: number };
}

export function GraphMinimap({ label, size }: GraphMinimapProps) {
  return (
    <MiniMap
      className="graph-map"
      position="bottom-left"
      style={size}
      pannable
      zoomable
      ariaLabel={label}
      nodeComponent={MinimapShapes}
    />
  );
}
