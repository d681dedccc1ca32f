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
  // Heights that it has seen before are kept until it is told.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is what makes it measure anew.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  const scrolls = virtualizer.getTotalSize() > (virtualizer.scrollRect?.height ?? Number.POSITIVE_INFINITY);
  // For a header above the list, which leaves room for the scrollbar.
  useLayoutEffect(() => {
    const element = scroller.current;
    element?.toggleAttribute('data-scrolls', scrolls && element.offsetWidth > element.clientWidth);
  }, [scroller, scrolls]);
  return virtualizer;
}
