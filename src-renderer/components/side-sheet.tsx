/** A sheet over the right side of the page, for what is done beside the work; Escape closes it, and who opened it has the focus again. */

import { Drawer } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import './side-sheet.css';

interface SideSheetProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function SideSheet({ title, onClose, children }: SideSheetProps) {
  const [opener] = useState(() => (document.activeElement instanceof HTMLElement ? document.activeElement : undefined));
  return (
    <Drawer.Root
      opened
      onClose={() => {
        onClose();
        // The sheet is not there any more to give the focus back by itself.
        opener?.focus();
      }}
      position="right"
      size="lg"
      lockScroll={false}
      shadow="md"
      classNames={{ inner: 'sheet-place' }}
    >
      <Drawer.Content>
        {/* Mantine's own head of a drawer is a second banner of the page. */}
        <div className="sheet-head">
          <Drawer.Title>{title}</Drawer.Title>
          <span className="pane-spacer" />
          <Drawer.CloseButton aria-label="Close" />
        </div>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
