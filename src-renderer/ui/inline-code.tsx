/** A message in which text between backticks is source. */

import { Fragment } from 'react';

export function InlineCode({ children }: { readonly children: string }) {
  return children.split('`').map((part, at) => {
    const key = `${at} ${part}`;
    return at % 2 === 0 ? (
      <Fragment key={key}>{part}</Fragment>
    ) : (
      <code key={key} className="mono">
        {part}
      </code>
    );
  });
}
