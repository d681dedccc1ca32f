/** Text that may not fit its place: cut with an ellipsis, whole in a tooltip when it was cut. */

import { Tooltip } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';

interface CutProps {
  readonly children: ReactNode;
  /** What the tooltip says; where it is absent, the text itself. */
  readonly tip?: ReactNode;
  readonly className?: string;
}

export function Cut({ children, tip, className }: CutProps) {
  const element = useRef<HTMLSpanElement>(null);
  const [opened, setOpened] = useState(false);
  const show = (): void => {
    const span = element.current;
    setOpened(tip !== undefined || (span !== null && span.scrollWidth > span.clientWidth));
  };
  return (
    <>
      <span
        ref={element}
        // Names in scripts that run from right to left are cut at their end, which is on the left.
        dir="auto"
        className={className === undefined ? 'cut' : `cut ${className}`}
        onPointerEnter={show}
        onPointerLeave={() => setOpened(false)}
      >
        {children}
      </span>
      {/* Lists have hundreds of these: a tooltip that is not shown is not made. */}
      {opened && <Tooltip target={element} label={tip ?? children} opened />}
    </>
  );
}
