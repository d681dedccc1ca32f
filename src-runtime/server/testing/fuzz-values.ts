/** Random values and texts for fuzzed requests: invalid, or close to what a type expects. */

import fc from 'fast-check';
import type { WireType } from '../../api/schemas/schemas.js';

/** Four of five values are valid. */
export function mostly<T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

export function seldom<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return mostly(fc.constant(undefined), arbitrary as fc.Arbitrary<T | undefined>);
}

const ODD_TEXTS = [
  ...['', ' ', '.', '..', '../../etc/passwd', '%00', '%', '%zz', '%c3%28', '%2F..%2F', '\u0000', '\ud800', 'a\udfffb'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'main', 'null', 'NaN', '#i1', '#i0', '#i-1', '#i1e9'],
  ...['#i99999999999999999999', '@', '@lease::ada', 'lease::', '::', 'ada', '💥', '\u202e', '\ufeff', '1e400', '-0'],
  ...['\r\nx-injected: 1', '\n\n', "'; drop table facts; --", '<script>', '{"$id":"#i1"}', 'x'.repeat(5_000)],
];

/** Text with every known difficulty. */
export const oddText = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: 'binary', maxLength: 12 }));

const oddNumber = fc.constantFrom(
  ...[0, -0, -1, 0.1, 1e21, -1e308, Number.MAX_SAFE_INTEGER + 2, Number.MIN_VALUE, 2 ** 31, 2 ** 63],
);

export const oddJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, false, [], {}),
    oddText,
    oddNumber,
    fc.array(tie('json'), { maxLength: 4 }),
    // `__proto__` would set the prototype, so bodies add it to their bytes.
    fc.dictionary(
      fc.oneof(oddText, fc.constantFrom('$id', '$step', '$meta', 'path', 'args')).filter((key) => key !== '__proto__'),
      tie('json'),
      { maxKeys: 4 },
    ),
  ),
})).json;

/** A value of the type, or one close to it. */
export function wireValueOf(type: WireType): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case 'optional':
      return fc.option(wireValueOf(type.of));
    case 'list':
      return fc.array(wireValueOf(type.of), { maxLength: 3 });
    case 'record':
      return fc.record(Object.fromEntries(type.fields.map((field) => [field.name, wireValueOf(field.type)])));
    case 'scalar':
      return SCALARS[type.name];
    default:
      return fc.constantFrom('#i1', '#i2', '@ada', '@acme', 'draft', '#i77');
  }
}

const SCALARS: Readonly<Record<(WireType & { kind: 'scalar' })['name'], fc.Arbitrary<unknown>>> = {
  Bool: fc.boolean(),
  Int: fc.oneof(fc.integer(), oddNumber, fc.constantFrom('9007199254740993', '1'.repeat(400))),
  Decimal: fc.oneof(fc.double({ noNaN: true }), fc.constantFrom('0.1', '-0', '1e-400', '9'.repeat(400), '1e999999999')),
  Text: fc.oneof(fc.string({ unit: 'binary' }), oddText),
  Date: fc.constantFrom('2026-01-31', '2026-02-30', '0000-00-00', '9999-12-31', '-000001-01-01'),
  DateTime: fc.constantFrom('2026-01-31T10:00:00Z', '2026-01-31T25:00:00Z', '1-1-1'),
};
