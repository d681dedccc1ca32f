/** A popover that is loaded when its button is first pressed. */

import { Popover } from '@mantine/core';
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';

interface ButtonPopoverProps {
  /** Takes the place of the button that was pressed, and its focus. */
  readonly button: ReactElement;
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function ButtonPopover({ button, opened, onChange, className, children }: ButtonPopoverProps) {
  const [isReady, setReady] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.querySelector('button')?.focus();
    setReady(true);
  }, []);
  return (
    <div ref={place} style={{ minWidth: 0 }}>
      <Popover
        opened={isReady && opened}
        onChange={onChange}
        position="bottom-end"
        // In a low window the popover scrolls.
        middlewares={{ flip: true, shift: true, size: true }}
        trapFocus
        returnFocus
        withinPortal
      >
        <Popover.Target>{button}</Popover.Target>
        <Popover.Dropdown {...(className !== undefined && { className })} p={0}>
          {children}
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}
