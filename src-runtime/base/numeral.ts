/**
 * A number of a JSON text that no double equals, as it was written: 12345678901234567890.5, 1e400. It is used in JSON values instead
 * of the nearest double that JSON.parse would return, so that a Decimal keeps all its digits.
 */
export class Numeral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): string {
    return this.text;
  }
}

/** True of a JSON number of which the nearest double, written down, is another number. */
export function isBeyondDoubles(text: string): boolean {
  if (text.length <= DIGITS_OF_A_DOUBLE && !/[eE]/.test(text)) return false;
  const written = String(Number(text));
  return written !== text && plainForm(text) !== plainForm(written);
}

/** The number of digits that every double preserves. */
const DIGITS_OF_A_DOUBLE = 15;

/** The significant digits and the exponent: equal for all notations of one number. */
function plainForm(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?([0-9]+)\.?([0-9]*)(?:[eE]\+?(-?[0-9]+))?$/.exec(text) ?? [];
  const digits = whole + fraction;
  const [from, to] = significantPart(digits);
  if (from === to) return whole === '' ? text : '0';
  return `${digits.slice(from, to)}e${Number(exponent) - fraction.length + digits.length - to}`;
}

/** How many digits a number has from the first to the last that is not zero: 3 in `0.01020`, 0 in `0.0`. */
export function significantDigits(text: string): number {
  const [from, to] = significantPart(text.replace(/[eE].*/, '').replace(/[^0-9]/g, ''));
  return to - from;
}

/** A loop instead of `/0+$/`, whose time grows with the square of a run of zeros. */
function significantPart(digits: string): readonly [from: number, to: number] {
  let [from, to] = [0, digits.length];
  while (from < to && digits.charCodeAt(from) === ZERO) from++;
  while (to > from && digits.charCodeAt(to - 1) === ZERO) to--;
  return [from, to];
}

const ZERO = 48;
