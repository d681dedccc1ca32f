/** The edge of a column in the head of a grid: dragged, it sets how wide the column is. The keyboard does so in the cells. */

import { type PointerEvent, useRef } from 'react';
import { setColumnWidth } from '../rows/grid-layout.js';
import { fitColumn } from './column-fit.js';

export function ColumnEdge({ path, id }: { path: string; id: string }) {
  const start = useRef<{ readonly at: number; readonly width: number }>(undefined);
  const begin = (event: PointerEvent<HTMLSpanElement>): void => {
    const cell = event.currentTarget.parentElement;
    if (event.button !== 0 || cell === null) return;
    event.preventDefault();
    // The head around it would begin to move the column.
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { at: event.clientX, width: cell.offsetWidth };
  };
  const drag = (event: PointerEvent): void => {
    const from = start.current;
    if (from !== undefined) setColumnWidth(path, id, from.width + event.clientX - from.at);
  };
  return (
    <span
      aria-hidden
      className="grid-edge"
      title={
        'Drag to set the width; click twice to fit what is in sight, and once more to have it back.\nIn a cell: Shift with ← or →'
      }
      onPointerDown={begin}
      onPointerMove={drag}
      onLostPointerCapture={() => {
        start.current = undefined;
      }}
      onDoubleClick={({ currentTarget }) => {
        const cell = currentTarget.parentElement;
        if (cell !== null) fitColumn(path, id, cell);
      }}
    />
  );
}
