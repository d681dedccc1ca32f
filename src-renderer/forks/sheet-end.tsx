/** How a sheet ends once it has written. */

import { Button } from '@mantine/core';
import { useFocusIfLost } from './focus-if-lost.js';

/** Behind the words for what was written; empty where no check fires that did not before. */
export function newWarningsText(count: number): string {
  return count === 0 ? '' : ` ${count} new ${count === 1 ? 'warning' : 'warnings'}; the Checks panel has them.`;
}

/** Has the focus where that went with the button that wrote. */
export function CloseButton({ onClose }: { readonly onClose: () => void }) {
  const close = useFocusIfLost();
  return (
    <Button variant="default" ref={close} onClick={onClose}>
      Close
    </Button>
  );
}
