/**
 * A debounced text field. The text is stored until it is applied, so that it survives a change of panel or a reload during the pause,
 * and is applied then.
 */

import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { staysAt } from './heading.js';
import { dropStoredText, useStoredText } from './stored-text.js';

/** `name` is unique on the page; `applied` is the text in effect, and `apply` changes it. */
export function useTypedText(
  name: string,
  applied: string,
  apply: (text: string) => void,
  pauseMs: number,
): [string, (text: string) => void] {
  const [kept, setKept] = useStoredText(name);
  const typed = kept === '' ? undefined : kept.slice(MARK.length);
  const latest = useRef(apply);
  latest.current = apply;
  const { key } = useLocation();
  useEffect(() => {
    if (typed === undefined) return undefined;
    // The typed text stays until it is the applied one: showing the old one in between would move the caret.
    if (typed === applied) {
      dropStoredText(name, MARK + typed);
      return undefined;
    }
    const timer = setTimeout(() => {
      if (staysAt(key)) latest.current(typed);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [name, typed, applied, pauseMs, key]);
  return [typed ?? applied, (text) => setKept(MARK + text)];
}

/** Marks a stored text, so that an empty one that is still to be applied differs from none. */
const MARK = '=';
