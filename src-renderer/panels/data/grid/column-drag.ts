/** Moves columns by dragging their headers: where a column would go, and whether a press is a drag or a click. */

import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { GridColumn } from '../rows/grid-columns.js';
import { moveColumn } from '../rows/grid-layout.js';

/** A shorter movement is a click. */
const DRAG_PIXELS = 5;

export interface DragState {
  readonly id: string;
  /** The drop position: before the visible column with this index, or after the last. */
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
    // On the window, because a fast pointer leaves the header before its first move event.
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
    /** For the header of the visible column at an index. */
    handlers: (id: string, place: number) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => begin(event, id, place),
      /** The click that ends a drag must not sort. */
      onClickCapture: (event: MouseEvent): void => {
        if (!wasDragged.current) return;
        wasDragged.current = false;
        event.stopPropagation();
        event.preventDefault();
      },
    }),
  };
}

/** The visible edges of each header. Frozen headers cover others. */
function edgesOf(head: HTMLElement): { readonly left: number; readonly right: number }[] {
  const heads = [...(head.closest('[role="row"]')?.querySelectorAll('[data-place]') ?? [])];
  let covered = 0;
  return heads.map((each) => {
    const { left, right } = each.getBoundingClientRect();
    if (each.closest('[data-frozen]') === null)
      return { left: Math.max(left, covered), right: Math.max(right, covered) };
    covered = right;
    return { left, right };
  });
}

/** The gap nearest to `x`: before a column in its first half, after it in its second. */
export function gapAt(edges: readonly { readonly left: number; readonly right: number }[], x: number): number {
  const at = edges.findIndex(({ left, right }) => x < (left + right) / 2);
  return at < 0 ? edges.length : at;
}

/** The index of a column after it moves to a gap. Columns after its old place move up. */
export function placeOfGap(place: number, gap: number): number {
  return gap > place ? gap - 1 : gap;
}
