/** Pins or unpins a query. */

import { Button } from '@mantine/core';
import type { CallRequest } from '../../model/calls/calls.js';
import { isPinnedRequest, pinnedQueries, pinQuery, unpinRequest } from '../../server-state/pinned-queries.js';
import { useStore } from '../../state/store.js';

interface PinButtonProps {
  /** Undefined while the draft is not a valid call. */
  readonly request: CallRequest | undefined;
  /** Whether the result is a list. */
  readonly paged: boolean;
  readonly name?: string;
  readonly onPin?: () => void;
}

export function PinButton({ request, paged, name, onPin }: PinButtonProps) {
  const pinned = useStore(pinnedQueries);
  const isPinned = request !== undefined && isPinnedRequest(pinned, request);
  const toggle = (): void => {
    if (request === undefined) return;
    if (isPinned) {
      unpinRequest(request);
      return;
    }
    pinQuery(request, paged, name);
    onPin?.();
  };
  return (
    <Button variant="subtle" disabled={request === undefined} onClick={toggle}>
      {isPinned ? 'Unpin' : 'Pin'}
    </Button>
  );
}
