/** A sheet over the right side. Escape closes it, and the opener gets the focus back. */

import { Drawer } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './side-sheet.module.css';

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
      // Restores the focus on unmount, because Mantine's own restore does not run.
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
      classNames={{ inner: styles.sheetPlace }}
    >
      <Drawer.Content>
        {/* Mantine's drawer header would be a second banner landmark. */}
        <div className={styles.sheetHead} ref={head}>
          <Drawer.Title>{title}</Drawer.Title>
          <span className="pane-spacer" />
          <Drawer.CloseButton aria-label="Close" />
        </div>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** The focused element and its field: a menu item may be gone after the sheet. */
function openersNow(): readonly HTMLElement[] {
  const opener = document.activeElement;
  if (!(opener instanceof HTMLElement)) return [];
  const field = opener.closest('[data-field]')?.querySelector<HTMLElement>('input, textarea');
  return field === null || field === undefined ? [opener] : [opener, field];
}
