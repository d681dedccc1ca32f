/** Minimap of a graph that is too large to read whole. Dragging in it moves the viewport. */

import { MiniMap } from '@xyflow/react';
import { MapShape } from './graph-afar.js';

interface GraphMapProps {
  readonly label: string;
  readonly size: { readonly width: number; readonly height: number };
}

export function GraphMap({ label, size }: GraphMapProps) {
  return (
    <MiniMap
      className="graph-map"
      position="bottom-left"
      style={size}
      pannable
      zoomable
      ariaLabel={label}
      nodeComponent={MapShape}
    />
  );
}
