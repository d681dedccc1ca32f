/**
 * A text that is typed into a field, and asked for once there is a pause in the typing. Until then it is kept, so that whoever
 * goes to another panel or reloads the page in that moment finds it, and it is asked for then.
 */

import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { staysAt } from './heading.js';
import { dropKeptText, useKeptText } from './kept-text.js';

/** `name` tells it from every other on the page; `asked` is what is asked for now, and `ask` changes that. */
export function useTypedText(
  name: string,
  asked: string,
  ask: (text: string) => void,
  pauseMs: number,
): [string, (text: string) => void] {
  const [kept, setKept] = useKeptText(name);
  const typed = kept === '' ? undefined : kept.slice(MARK.length);
  const latest = useRef(ask);
  latest.current = ask;
  const { key } = useLocation();
  useEffect(() => {
    if (typed === undefined) return undefined;
    // It stays until the address says the same: to fall back to what was asked for before would move the caret. A letter more
    // may have been typed since.
    if (typed === asked) {
      dropKeptText(name, MARK + typed);
      return undefined;
    }
    const timer = setTimeout(() => {
      if (staysAt(key)) latest.current(typed);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [name, typed, asked, pauseMs, key]);
  return [typed ?? asked, (text) => setKept(MARK + text)];
}

/** An empty text that is still to be asked for is not the same as none. */
const MARK = '=';
