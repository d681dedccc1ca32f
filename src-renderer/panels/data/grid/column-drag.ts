/** Columns are moved by dragging their heads: where a column would come to stand, and when a press is a drag and no click. */

import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { GridColumn } from '../rows/grid-columns.js';
import { moveColumn } from '../rows/grid-layout.js';

/** A hand that trembles clicks. */
const DRAG_PIXELS = 5;

export interface DragState {
  readonly id: string;
  /** The gap where it would be dropped: before the shown column of that place, behind the last at their number. */
  readonly gap: number;
}

export function useColumnDrag(path: string, columns: readonly GridColumn[]) {
  const wasDragged = useRef(false);
  const stop = useRef<() => void>(undefined);
  const [drag, setDrag] = useState<DragState>();
  useEffect(() => () => stop.current?.(), []);

  const begin = (event: PointerEvent<HTMLElement>, id: string, place: number): void => {
    wasDragged.current = false;
    if (event.button !== 0) return;
    const { clientX: start, currentTarget: head } = event;
    let gap: number | undefined;
    const onMove = ({ clientX }: globalThis.PointerEvent): void => {
      if (gap === undefined && Math.abs(clientX - start) < DRAG_PIXELS) return;
      wasDragged.current = true;
      gap = gapAt(edgesOf(head), clientX);
      setDrag({ id, gap });
    };
    const onUp = (): void => {
      const to = gap === undefined ? place : placeOfGap(place, gap);
      if (to !== place) moveColumn(path, columns, id, to);
      stop.current?.();
    };
    const onKeyDown = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') stop.current?.();
    };
    // Over the whole window: a pointer in a hurry leaves the head before it is told to have moved.
    const listening = new AbortController();
    window.addEventListener('pointermove', onMove, listening);
    window.addEventListener('pointerup', onUp, listening);
    window.addEventListener('pointercancel', () => stop.current?.(), listening);
    window.addEventListener('keydown', onKeyDown, listening);
    stop.current = () => {
      listening.abort();
      setDrag(undefined);
    };
  };
  return {
    drag,
    /** For the head of the column that is shown at a place. */
    handlers: (id: string, place: number) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => begin(event, id, place),
      /** What ends a drag sorts nothing. */
      onClickCapture: (event: MouseEvent): void => {
        if (!wasDragged.current) return;
        wasDragged.current = false;
        event.stopPropagation();
        event.preventDefault();
      },
    }),
  };
}

/** Left and right of what can be seen of each head that can be moved: those that are frozen cover others. */
function edgesOf(head: HTMLElement): { readonly left: number; readonly right: number }[] {
  const heads = [...(head.closest('.grid-head')?.querySelectorAll('[data-place]') ?? [])];
  let covered = 0;
  return heads.map((each) => {
    const { left, right } = each.getBoundingClientRect();
    if (each.closest('.grid-frozen') === null)
      return { left: Math.max(left, covered), right: Math.max(right, covered) };
    covered = right;
    return { left, right };
  });
}

/** The gap between columns that is nearest: each column has a half that is before and one that is behind it. */
export function gapAt(edges: readonly { readonly left: number; readonly right: number }[], x: number): number {
  const at = edges.findIndex(({ left, right }) => x < (left + right) / 2);
  return at < 0 ? edges.length : at;
}

/** Where a column stands after it has gone from a place to a gap: those behind it move up. */
export function placeOfGap(place: number, gap: number): number {
  return gap > place ? gap - 1 : gap;
}
