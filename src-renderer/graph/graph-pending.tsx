/** Placeholder of a graph during its layout. */

import { clsx } from 'clsx';
// Apart from graph.css, which must come after the styles of the library that load with the graph.
import styles from './graph-pending.module.css';

export function GraphPending() {
  return <p className={clsx(styles.graphPending, 'dim')}>Laying out the graph…</p>;
}
