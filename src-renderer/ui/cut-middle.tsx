/** Truncates a name in the middle, because names with the same start differ at their end. */

import { Tooltip } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { usePointedAt } from './pointed-at.js';

interface CutMiddleProps {
  readonly children: string;
  readonly className?: string | undefined;
  /** Tooltip; by default the full name if truncated. */
  readonly tip?: ReactNode;
}

/** The full name stays in the document for screen readers, search and copy; the truncated one is painted over it. */
export function CutMiddle({ children: name, className = '', tip }: CutMiddleProps) {
  const frame = useRef<HTMLSpanElement>(null);
  const text = useRef<HTMLSpanElement>(null);
  const [shown, setShown] = useState<string>();
  const { isPointedAt, handlers } = usePointedAt();
  useLayoutEffect(() => {
    const [outer, inner] = [frame.current, text.current];
    if (outer === null || inner === null) return undefined;
    const measure = (): void => setShown(shownOf(name, inner, outer.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(outer);
    return () => observer.disconnect();
  }, [name]);
  return (
    <>
      <span ref={frame} dir="auto" className={`cut-middle ${className}`} data-shown={shown} {...handlers}>
        <span ref={text} className="cut">
          {name}
        </span>
      </span>
      {isPointedAt && (tip ?? shown) !== undefined && <Tooltip target={frame} label={tip ?? name} opened />}
    </>
  );
}

/** The end keeps more characters. */
const END_SHARE = 0.6;

/** The visible start and end; undefined if all fits. */
function shownOf(name: string, text: HTMLElement, width: number): string | undefined {
  const node = text.firstChild;
  if (node === null || text.scrollWidth <= width) return undefined;
  const range = document.createRange();
  const measured = (from: number, to: number): number => {
    range.setStart(node, from);
    range.setEnd(node, to);
    return range.getBoundingClientRect().width;
  };
  // In a zoomed graph, measured and layout sizes differ.
  const scale = measured(0, name.length) / text.scrollWidth;
  // Width estimate of an ellipsis.
  const room = (width - Number.parseFloat(getComputedStyle(text).fontSize)) * scale;
  const ends: number[] = [];
  for (const letter of name) ends.push((ends.at(-1) ?? 0) + letter.length);
  const from = ends[firstWhere(ends, (at) => measured(at, name.length) <= room * END_SHARE)] ?? name.length;
  const left = room - measured(from, name.length);
  const to = ends[firstWhere(ends, (at) => measured(0, at) > left) - 1] ?? 0;
  return `${name.slice(0, to)}…${name.slice(from)}`;
}

/** Binary search, because each probe triggers layout: first index that satisfies the predicate, or the length. */
function firstWhere(ends: readonly number[], isSo: (end: number) => boolean): number {
  let [first, end] = [0, ends.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    if (isSo(ends[middle] as number)) end = middle;
    else first = middle + 1;
  }
  return first;
}
