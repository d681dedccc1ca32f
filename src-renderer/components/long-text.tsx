/** A text in full, unless it is so long that it would push all else out of sight: then its beginning, until it is asked for. */

import { useState } from 'react';

const SHOWN_MAX = 1_000;
const SHOWN_FIRST = 500;

export function LongText({ children: text }: { children: string }) {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || text.length <= SHOWN_MAX) return text;
  return (
    <>
      {text.slice(0, SHOWN_FIRST)}…{' '}
      <button type="button" className="plain link" onClick={() => setWhole(true)}>
        Show all {text.length.toLocaleString('en')} characters
      </button>
    </>
  );
}
