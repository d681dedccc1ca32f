/** Text that may not fit its place: cut with an ellipsis, whole in a tooltip when it was cut. */

import { Tooltip } from '@mantine/core';
import { createContext, type ReactNode, useRef } from 'react';
import { usePointedAt } from './pointed-at.js';

/**
 * How text in a cut place is told on hover: each part for itself, or by the tooltip of the whole, in which it stands then. Two
 * tooltips at once would cover each other.
 */
export const ToldBy = createContext<'itself' | 'whole' | 'tooltip'>('itself');

interface CutProps {
  readonly children: ReactNode;
  /** What the tooltip says; where it is absent, the text itself. */
  readonly tip?: ReactNode;
  readonly className?: string;
}

export function Cut({ children, tip, className }: CutProps) {
  const element = useRef<HTMLSpanElement>(null);
  const { isPointedAt: opened, handlers } = usePointedAt(() => {
    const span = element.current;
    return tip !== undefined || (span !== null && [span, ...span.querySelectorAll(':scope > a')].some(isCut));
  });
  return (
    <>
      <span
        ref={element}
        // Names in scripts that run from right to left are cut at their end, which is on the left.
        dir="auto"
        className={className === undefined ? 'cut' : `cut ${className}`}
        {...handlers}
      >
        <ToldBy value={opened ? 'whole' : 'itself'}>{children}</ToldBy>
      </span>
      {/* Lists have hundreds of these: a tooltip that is not shown is not made. */}
      {opened && <Tooltip target={element} label={<ToldBy value="tooltip">{tip ?? children}</ToldBy>} opened />}
    </>
  );
}

function isCut({ scrollWidth, clientWidth }: Element): boolean {
  return scrollWidth > clientWidth;
}
