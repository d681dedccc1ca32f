/** What a sheet shows once it has done its work takes the focus that went with the button of that work. */

import { type RefObject, useEffect, useRef } from 'react';

/** For a button of what has just appeared; whoever is elsewhere meanwhile stays there, and who comes back goes where they were. */
export function useFocusIfLost(isNew: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isNew && document.activeElement === document.body) button.current?.focus();
  }, [isNew]);
  return button;
}
