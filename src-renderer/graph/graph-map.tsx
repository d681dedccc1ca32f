/** Where in a graph one is, of one that is too large to be read as a whole: what is in sight is moved in it by the pointer. */

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
