/**
 * A number of a JSON text that no double is, as it was written: 12345678901234567890.5, 1e400. It stands among JSON values
 * where JSON.parse would have put its nearest double, so that a Decimal keeps all its digits.
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

/** As many digits as every double keeps. */
const DIGITS_OF_A_DOUBLE = 15;

/** The significant digits and the exponent behind them, the same for each way to write one number. */
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

/** Counted from both ends: `/0+$/` takes time with the square of a run of zeros. */
function significantPart(digits: string): readonly [from: number, to: number] {
  let [from, to] = [0, digits.length];
  while (from < to && digits.charCodeAt(from) === ZERO) from++;
  while (to > from && digits.charCodeAt(to - 1) === ZERO) to--;
  return [from, to];
}

const ZERO = 48;
