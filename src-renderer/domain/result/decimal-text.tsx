/** A number in a decimal column, padded on the right so that decimal points align. */

import type { ReactNode } from 'react';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { decimalPadding } from '../../model/text/decimal-places.js';

/** A function, because a component per cell would cost hundreds of components in a grid. */
export function decimalText(shown: ReactNode, value: JsonValue, places: number): ReactNode {
  const padding = decimalPadding(value, places);
  if (padding === '') return shown;
  return (
    <span className="decimal" data-padding={padding}>
      <span className="cut">{shown}</span>
    </span>
  );
}
