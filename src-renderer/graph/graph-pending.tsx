/** Where a graph will be, while it is being laid out; said only when that takes a moment. */

// Not with the styles of graphs: those have to come after the library's own, which come with the drawing.
import './graph-pending.css';

export function GraphPending() {
  return <p className="graph-pending dim">Laying out the graph…</p>;
}
