/** A sheet over the right side of the page, for what is done beside the work; Escape closes it, and who opened it has the focus again. */

import { Drawer } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import './side-sheet.css';

interface SideSheetProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function SideSheet({ title, onClose, children }: SideSheetProps) {
  const [openers] = useState(openersNow);
  const head = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const own = head.current;
    return () => {
      // However it is closed, it is not there any more to give the focus back by itself.
      if (own?.isConnected !== true) openers.find((each) => each.isConnected)?.focus();
    };
  }, [openers]);
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size="lg"
      lockScroll={false}
      shadow="md"
      classNames={{ inner: 'sheet-place' }}
    >
      <Drawer.Content>
        {/* Mantine's own head of a drawer is a second banner of the page. */}
        <div className="sheet-head" ref={head}>
          <Drawer.Title>{title}</Drawer.Title>
          <span className="pane-spacer" />
          <Drawer.CloseButton aria-label="Close" />
        </div>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** What has the focus, and the field that it belongs to: a button that is of no use any more after the sheet is gone with it. */
function openersNow(): readonly HTMLElement[] {
  const opener = document.activeElement;
  if (!(opener instanceof HTMLElement)) return [];
  const field = opener.closest('.field')?.querySelector<HTMLElement>('input, textarea');
  return field === null || field === undefined ? [opener] : [opener, field];
}
