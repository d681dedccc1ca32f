/** Placeholder of a graph during its layout. */

// A separate style sheet: the styles of graphs must come after the library's, which load with the graph.
import './graph-pending.css';

export function GraphPending() {
  return <p className="graph-pending dim">Laying out the graph…</p>;
}
