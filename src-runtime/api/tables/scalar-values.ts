/** Reads wire values of scalar types from texts in forms and cells. */

import { isDate, isFinerThanMilliseconds, parseDateTime } from '../../base/dates.js';
import { decimalLimit, wireDecimal } from '../../base/decimal.js';
import { isBeyondDoubles } from '../../base/numeral.js';
import type { JsonValue } from '../schemas/schemas.js';

export type ScalarReading =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly message: string };

/** A first check; the server decides what is well-formed. */
export function readScalar(name: string, text: string): ScalarReading {
  const trimmed = text.trim();
  switch (name) {
    case 'Bool':
      return { ok: true, value: trimmed === 'true' };
    case 'Int':
      return readInt(trimmed);
    case 'Decimal': {
      // A text, because a JSON number would lose digits.
      const value = wireDecimal(trimmed);
      if (value === undefined) {
        return wrong(trimmed === '' ? 'A number is needed.' : `"${trimmed}" is not a decimal number like 12.50.`);
      }
      const limit = decimalLimit(value);
      return limit === undefined ? { ok: true, value } : wrong(`Expected ${limit}.`);
    }
    case 'Date':
      if (isDate(trimmed)) return { ok: true, value: trimmed };
      return wrong(trimmed === '' ? 'A date is needed.' : 'Not a valid date. Use YYYY-MM-DD.');
    case 'DateTime': {
      const instant = withZone(trimmed);
      if (parseDateTime(instant) === undefined) return wrong('An instant is needed, like 2026-01-31T10:00:00Z.');
      if (isFinerThanMilliseconds(instant)) return wrong('Expected an instant without digits below a millisecond.');
      return { ok: true, value: instant };
    }
    default:
      return { ok: true, value: text };
  }
}

/** A Boolean; undefined for any other text. */
export function truthOf(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (['true', 'yes', 't', 'y', '1'].includes(word)) return true;
  return ['false', 'no', 'f', 'n', '0'].includes(word) ? false : undefined;
}

/** Spreadsheets also write integers as `1E+03` and `1.0`. */
function readInt(text: string): ScalarReading {
  const written = wireDecimal(text);
  const number = Number(written);
  const isExact = written !== undefined && !isBeyondDoubles(written.replace('-', ''));
  // The API writes -0 as 0.
  if (isExact && Number.isSafeInteger(number)) return { ok: true, value: number + 0 };
  if (/^[+-]?\d+$/.test(text)) return wrong(`"${text}" is beyond the range of Int, ±(2⁵³−1).`);
  return wrong(text === '' ? 'A whole number is needed.' : `"${text}" is not a whole number.`);
}

/** A time without an offset is UTC, as in the module's literals. Missing seconds are 0. */
function withZone(text: string): string {
  const withT = text.replace(/^(\d{4}-\d{2}-\d{2}) +(?=\d)/, '$1T');
  const withSeconds = /T\d{2}:\d{2}$/.test(withT) ? `${withT}:00` : withT;
  return /(Z|[+-]\d{2}:?\d{2})$/.test(withSeconds) ? withSeconds : `${withSeconds}Z`;
}

function wrong(message: string): ScalarReading {
  return { ok: false, message };
}
