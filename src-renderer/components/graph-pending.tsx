/** Where a graph will be, while it is being laid out; said only when that takes a moment. */

import './graph.css';

export function GraphPending() {
  return <p className="graph-pending dim">Laying out the graph…</p>;
}
