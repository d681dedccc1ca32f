/** A number in a column of decimals: what it lacks behind its last digit is kept free, and there for the eye alone. */

import type { ReactNode } from 'react';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { decimalPadding } from '../../model/text/decimal-places.js';

/** A function rather than a component: of those a grid would have hundreds more. */
export function decimalText(shown: ReactNode, value: JsonValue, places: number): ReactNode {
  const padding = decimalPadding(value, places);
  if (padding === '') return shown;
  return (
    <span className="decimal" data-padding={padding}>
      <span className="cut">{shown}</span>
    </span>
  );
}
