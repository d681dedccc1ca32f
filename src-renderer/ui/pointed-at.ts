/** Creates tooltips only when shown, for lists with hundreds. */

import { useTimeout } from '@mantine/hooks';
import { useState } from 'react';
import { TIP_DELAY_MS } from '../theme/theme.js';

/** An outer tooltip takes precedence over nested ones. */
const WHOLE_FIRST_MS = 50;

interface PointedAt {
  readonly isPointedAt: boolean;
  readonly handlers: { onPointerEnter(): void; onPointerLeave(): void };
}

/** Handlers for an element, and whether the pointer rests on it; `hasTooltip` decides whether there is a tooltip. */
export function usePointedAt(hasTooltip: () => boolean = () => true): PointedAt {
  const [isPointedAt, setPointedAt] = useState(false);
  const { start, clear } = useTimeout(() => setPointedAt(hasTooltip()), TIP_DELAY_MS - WHOLE_FIRST_MS);
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
