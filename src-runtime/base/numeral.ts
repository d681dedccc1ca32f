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
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return whole === '' ? text : '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
