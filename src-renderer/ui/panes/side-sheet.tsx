/** A sheet over the right side. Escape closes it, and the opener gets the focus back. */

import { Drawer } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../../state/shortcuts.js';
import styles from './side-sheet.module.css';

interface SideSheetProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function SideSheet({ title, onClose, children }: SideSheetProps) {
  const [openers] = useState(openersNow);
  const head = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
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
      <Drawer.Content ref={sheet}>
        <CloseKeys sheet={sheet} onClose={onClose} />
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

/** Closes the sheet with the keys of a tab. Rendered within the sheet, which exists only then. */
function CloseKeys({ sheet, onClose }: { sheet: RefObject<HTMLDivElement | null>; onClose: () => void }) {
  useShortcuts({ closeTab: onClose }, sheet);
  return null;
}

/** The focused element and its field: a menu item may be gone after the sheet. */
function openersNow(): readonly HTMLElement[] {
  const opener = document.activeElement;
  if (!(opener instanceof HTMLElement)) return [];
  const field = opener.closest('[data-field]')?.querySelector<HTMLElement>('input, textarea');
  return field === null || field === undefined ? [opener] : [opener, field];
}
