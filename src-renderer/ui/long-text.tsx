/** Shows the start of a long text, with actions to show more or save it: laying out a megabyte would freeze the page. */

import { type ReactNode, useState } from 'react';
import type { JsonValue } from '../../src-runtime/api/schemas/schemas.js';
import { SHOWN_LETTERS_MAX } from '../model/facts/labels.js';
import { saveFile } from '../state/save-file.js';
import { copyValue } from './copy-value.js';

const SHOWN_FIRST = 500;
/** Characters added per click. */
const SHOWN_MORE = 20_000;

/** True if the text is not shown in full elsewhere. */
export function isLongText(value: JsonValue): value is string {
  return typeof value === 'string' && value.length > SHOWN_LETTERS_MAX;
}

interface LongTextProps {
  readonly children: string;
  /** Characters shown at first. */
  readonly first?: number;
  /** Renders the shown part; plain by default. */
  readonly draw?: (text: string) => ReactNode;
  /** File name for *Save…*. */
  readonly fileName?: string;
}

export function LongText({ children: text, first = SHOWN_FIRST, draw, fileName = 'text.txt' }: LongTextProps) {
  const [shown, setShown] = useState(0);
  const end = Math.max(first, shown);
  const drawn = draw ?? ((part: string): ReactNode => part);
  if (text.length <= Math.max(end, SHOWN_LETTERS_MAX)) return drawn(text);
  const count = text.length.toLocaleString('en');
  return (
    <>
      {drawn(text.slice(0, end))}…{' '}
      <span className="long-text-rest">
        <button type="button" className="plain link" onClick={() => setShown(end + SHOWN_MORE)}>
          {text.length <= end + SHOWN_MORE ? `Show all ${count} characters` : `Show more of ${count} characters`}
        </button>{' '}
        <button type="button" className="plain link" onClick={() => void copyValue(text)}>
          Copy all
        </button>{' '}
        <button type="button" className="plain link" onClick={() => saveFile(fileName, text, 'text/plain')}>
          Save…
        </button>
      </span>
    </>
  );
}
