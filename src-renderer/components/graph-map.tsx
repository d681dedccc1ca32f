/** Where in a graph one is, of one that is too large to be read as a whole: what is in sight is moved in it by the pointer. */

import { MiniMap, type MiniMapNodeProps } from '@xyflow/react';
import type { ComponentType } from 'react';

interface GraphMapProps {
  readonly label: string;
  readonly size: { readonly width: number; readonly height: number };
  /** Draws a node where not each is a box. */
  readonly nodeComponent?: ComponentType<MiniMapNodeProps>;
}

export function GraphMap({ label, size, nodeComponent }: GraphMapProps) {
  return (
    <MiniMap
      className="graph-map"
      position="bottom-left"
      style={size}
      pannable
      zoomable
      ariaLabel={label}
      nodeColor="var(--line-strong)"
      {...(nodeComponent && { nodeComponent })}
    />
  );
}
