/** Virtual rows of one height, by the density of the page. */

import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect } from 'react';
import { useRowHeight } from '../state/density.js';

export interface RowsOptions {
  readonly count: number;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly overscan?: number;
  /** Extra row height in pixels. */
  readonly extraHeight?: number;
  readonly keyOf?: (index: number) => string | number;
}

export function useRowVirtualizer({ count, scroller, overscan = 16, extraHeight = 0, keyOf }: RowsOptions) {
  const rowHeight = useRowHeight() + extraHeight;
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    ...(keyOf !== undefined && { getItemKey: keyOf }),
  });
  // The virtualizer caches row heights until `measure()` is called.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed row height requires a new measurement.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  const scrolls = virtualizer.getTotalSize() > (virtualizer.scrollRect?.height ?? Number.POSITIVE_INFINITY);
  // A header above the list uses this attribute to leave space for the scrollbar.
  useLayoutEffect(() => {
    const element = scroller.current;
    element?.toggleAttribute('data-scrolls', scrolls && element.offsetWidth > element.clientWidth);
  }, [scroller, scrolls]);
  return virtualizer;
}
