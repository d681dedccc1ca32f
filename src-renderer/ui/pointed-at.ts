/** Where a tooltip is made only once it is shown, as in lists that have hundreds. */

import { useTimeout } from '@mantine/hooks';
import { useState } from 'react';
import { TIP_DELAY_MS } from '../theme/theme.js';

/** What is told of the whole comes first, so that its parts leave it to that. */
const WHOLE_FIRST_MS = 50;

interface PointedAt {
  readonly isPointedAt: boolean;
  readonly handlers: { onPointerEnter(): void; onPointerLeave(): void };
}

/** Of an element with these handlers: whether the pointer rests there, and `isTold` says so of what there is then. */
export function usePointedAt(isTold: () => boolean = () => true): PointedAt {
  const [isPointedAt, setPointedAt] = useState(false);
  const { start, clear } = useTimeout(() => setPointedAt(isTold()), TIP_DELAY_MS - WHOLE_FIRST_MS);
  return {
    isPointedAt,
    handlers: {
      onPointerEnter: start,
      onPointerLeave() {
        clear();
        setPointedAt(false);
      },
    },
  };
}
