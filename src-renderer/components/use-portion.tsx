/** A list in the page of which the first are shown, and more of them when they are asked for: thousands would freeze it. */

import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';

const PORTION = 50;

/** `more` asks for the next ones; null where all are shown. */
export function usePortion<T>(items: readonly T[]): { readonly shown: readonly T[]; readonly more: ReactNode } {
  const [portions, setPortions] = useState(1);
  const shown = items.slice(0, portions * PORTION);
  const left = items.length - shown.length;
  if (left === 0) return { shown, more: null };
  const more = (
    <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setPortions((current) => current + 1)}>
      Show {Math.min(left, PORTION)} of {left.toLocaleString('en')} more
    </Button>
  );
  return { shown, more };
}
