/** The canonical text equals the output of the library that RFC 8785 names, for every code path. */

import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalText, inCanonicalOrder } from './canonical.js';

const name = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.constantFrom('op', 'text', 'span', '10', '9', '01', '1e3', '-1', '$', '__proto__', 'toString', 'é', '😀'),
);
const scalar = fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.constant(null),
    fc.array(tie('document'), { maxLength: 4 }),
    fc.dictionary(name, tie('document'), { maxKeys: 5 }),
  ),
}));

it('writes every document as the RFC requires', () => {
  fc.assert(
    fc.property(document, (each) => {
      expect(canonicalText(each)).toBe(canonicalize(each));
    }),
  );
});

it('copies a document without undefined members', () => {
  fc.assert(
    fc.property(document, (each) => {
      expect(inCanonicalOrder(each)).toEqual(each);
    }),
  );
  expect(Object.keys(inCanonicalOrder({ b: undefined, c: 1, a: { z: undefined } }))).toEqual(['a', 'c']);
  expect(canonicalText({ b: undefined, c: 1, a: { z: undefined } })).toBe('{"a":{},"c":1}');
});
