/** Decimals as people and JSON write them, the way the API and the language do. */

/** What the API takes for a number that was typed, `.5`, `+5` and `007` too; undefined for what is none. */
export function wireDecimal(typed: string): string | undefined {
  const [whole, sign, digits = '', fraction, exponent = ''] =
    /^([+-]?)(\d*)(?:\.(\d+))?([eE][+-]?\d{1,16})?$/.exec(typed) ?? [];
  if (whole === undefined || (digits === '' && fraction === undefined)) return undefined;
  const point = fraction === undefined ? '' : `.${fraction}`;
  return `${sign === '-' ? '-' : ''}${digits.replace(/^0+(?=\d)/, '') || '0'}${point}${exponent}`;
}

/** Larger than that of any Decimal. */
const EXPONENT_MAX = 7_000;

/** Without an exponent: `1e-7`, as JSON writes it, is `0.0000001`. What is no number is itself. */
export function plainDecimal(text: string): string {
  const [, sign, before, after = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d+)$/.exec(text) ?? [];
  const places = Number(exponent);
  if (before === undefined || Math.abs(places) > EXPONENT_MAX) return text;
  const zeros = '0'.repeat(Math.abs(places));
  const digits = zeros + before + after + zeros;
  const point = zeros.length + before.length + places;
  const whole = digits.slice(0, point).replace(/^0+/, '') || '0';
  const fraction = digits.slice(point).replace(/0+$/, '');
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
