/** An identifier that can wrap between its words. */

import { Fragment } from 'react';

const WORDS = /(?<=_|\.|::)|(?<=[a-z0-9])(?=[A-Z])/;

export function BreakingName({ children: name }: { children: string }) {
  return name.split(WORDS).map((word, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: words have no identity but their place.
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {word}
    </Fragment>
  ));
}
