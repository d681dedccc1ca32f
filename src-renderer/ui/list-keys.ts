/** Arrows in a list of links, from row to row: each is a tab stop of its own, and Enter opens it. */

import type { KeyboardEvent } from 'react';

/** For whatever holds rows that are links. A list with keys of its own has prevented what it has handled. */
export function moveInList(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (event.defaultPrevented || altKey || ctrlKey || metaKey || shiftKey) return;
  if (!(target instanceof Element) || !target.matches(ROW)) return;
  const rows = [...currentTarget.querySelectorAll<HTMLElement>(ROW)].filter((row) => row.checkVisibility());
  const next = placeAfter(key, rows.indexOf(target as HTMLElement), rows.length);
  if (next === undefined) return;
  event.preventDefault();
  rows[next]?.focus();
}

const ROW = 'a.row';

function placeAfter(key: string, at: number, count: number): number | undefined {
  const places: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 };
  const wanted = places[key];
  return wanted === undefined ? undefined : Math.min(Math.max(wanted, 0), count - 1);
}
