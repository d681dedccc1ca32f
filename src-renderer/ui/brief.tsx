/** Truncates a text in the middle by number of characters. Screen readers, search and copy get the full text. */

import { createContext, type ReactNode, useContext } from 'react';
import { inBrief, SHOWN_LETTERS_MAX } from '../model/facts/labels.js';

/** Maximum length of a value where a sentence has little room. The tooltip has the full value. */
export const LettersMax = createContext(Number.POSITIVE_INFINITY);

/** Maximum length of a value in a list or tree. */
export const LINE_LETTERS_MAX = 48;

export function Brief({ children }: { children: string }): ReactNode {
  const text = inBrief(children, SHOWN_LETTERS_MAX);
  const brief = inBrief(text, useContext(LettersMax));
  if (brief === text) return text;
  return (
    <span className="brief" data-shown={brief}>
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
