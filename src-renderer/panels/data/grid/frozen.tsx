/**
 * What of a row stays in sight as one goes sideways: its origin and the first columns. One element for all of them, as each that
 * sticks to an edge is a layer of its own to a browser, in every row.
 */

import type { ReactNode } from 'react';

export function Frozen({ columns, children }: { columns: number; children: ReactNode }) {
  if (columns === 0) return children;
  return (
    <span className="grid-frozen" role="presentation" style={{ gridColumn: `span ${columns + 1}` }}>
      {children}
    </span>
  );
}
