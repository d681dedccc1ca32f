/** A list in the page of which the first are shown, and more of them when they are asked for: thousands would freeze it. */

import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';

const PORTION = 50;

/** `more` asks for the next ones; null where all are shown. Of `first` there are fewer where something else has to be seen beside them. */
export function usePortion<T>(
  items: readonly T[],
  first: number = PORTION,
): { readonly shown: readonly T[]; readonly more: ReactNode } {
  const [further, setFurther] = useState(0);
  const shown = items.slice(0, first + further * PORTION);
  const left = items.length - shown.length;
  if (left === 0) return { shown, more: null };
  const more = (
    <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setFurther((current) => current + 1)}>
      Show {Math.min(left, PORTION)} of {left.toLocaleString('en')} more
    </Button>
  );
  return { shown, more };
}
