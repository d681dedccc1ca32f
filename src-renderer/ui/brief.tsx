/** A text in as many letters as there is room for: seen cut in its middle, and there as a whole for whoever listens, finds or copies. */

import { createContext, type ReactNode, useContext } from 'react';
import { inBrief, SHOWN_LETTERS_MAX } from '../model/facts/labels.js';

/**
 * How many letters a value may have where a sentence has little room: of a fact about what has a long name, what it says is to be
 * seen too. The tooltip has it whole.
 */
export const LettersMax = createContext(Number.POSITIVE_INFINITY);

/** A few lines of a list or a tree have room for so many of each value. */
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
