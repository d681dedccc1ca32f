/** Shows a long list in portions, because thousands of items would freeze the page. */

import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';

const PORTION = 50;

/** `more` is a button for the next portion; null if all are shown. `first` is the size of the first portion. */
export function usePortion<T>(
  items: readonly T[],
  first: number = PORTION,
): { readonly shown: readonly T[]; readonly more: ReactNode } {
  const [further, setFurther] = useState(0);
  const shown = items.slice(0, first + further * PORTION);
  const left = items.length - shown.length;
  if (left === 0) return { shown, more: null };
  const more = (
    <Button variant="subtle" size="compact-xs" onClick={() => setFurther((current) => current + 1)}>
      Show {Math.min(left, PORTION)} of {left.toLocaleString('en')} more
    </Button>
  );
  return { shown, more };
}
