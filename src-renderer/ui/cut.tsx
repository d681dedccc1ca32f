/** Truncates text with an ellipsis; the tooltip has the full text if truncated. */

import { Tooltip } from '@mantine/core';
import { createContext, type ReactNode, useRef } from 'react';
import { usePointedAt } from './pointed-at.js';

/** Lets nested texts use the tooltip of the outer one, so that two tooltips do not overlap. */
export const TooltipOwner = createContext<'itself' | 'whole' | 'tooltip'>('itself');

interface CutProps {
  readonly children: ReactNode;
  /** Tooltip; the text itself by default. */
  readonly tip?: ReactNode;
  readonly className?: string | undefined;
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
        // Right-to-left text is truncated on the left.
        dir="auto"
        className={className === undefined ? 'cut' : `cut ${className}`}
        {...handlers}
      >
        <TooltipOwner value={opened ? 'whole' : 'itself'}>{children}</TooltipOwner>
      </span>
      {/* The tooltip is created only when shown, because lists have hundreds of these. */}
      {opened && (
        <Tooltip target={element} label={<TooltipOwner value="tooltip">{tip ?? children}</TooltipOwner>} opened />
      )}
    </>
  );
}

function isCut({ scrollWidth, clientWidth }: Element): boolean {
  return scrollWidth > clientWidth;
}
