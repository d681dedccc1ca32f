/**
 * The frozen part of a row: its origin and the first columns. One element for all of them, because each sticky element is a separate
 * layer in the browser.
 */

import type { ReactNode } from 'react';
import styles from './grid.module.css';

export function Frozen({ columns, children }: { columns: number; children: ReactNode }) {
  if (columns === 0) return children;
  return (
    <span className={styles.gridFrozen} data-frozen role="presentation" style={{ gridColumn: `span ${columns + 1}` }}>
      {children}
    </span>
  );
}
