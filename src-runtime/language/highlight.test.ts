/** Syntax highlighting in editors. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tokenKinds } from './highlight.js';

function check(text: string, expected: string): void {
  const shown = tokenKinds(text).map(({ kind, start, end }) => `${kind}=${text.slice(start, end)}`);
  expect(shown.filter((each) => !each.startsWith('punctuation')).join(' ')).toBe(expected);
}

it.each([
  ['pub concept Lease {', 'keyword=pub contextual=concept type=Lease'],
  ['rent: Decimal where value > 0.5', 'property=rent type=Decimal keyword=where name=value operator=> number=0.5'],
  ['least km: Int, least: Int', 'contextual=least property=km type=Int property=least type=Int'],
  ['where: Text', 'property=where type=Text'],
  ['active(@lease::acme) // why', 'function=active individual=@lease::acme comment=// why'],
  ['/// doc\n/* a\nb */ none', 'documentation=/// doc comment=/* a comment=b */ constant=none'],
  ['message "open', 'contextual=message text="open'],
])('%s', (text, expected) => check(text, expected));

it('has ordered, non-empty ranges within the text, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'a1."/*@\\ \n{:#é') }), (text) => {
      let last = 0;
      for (const { start, end } of tokenKinds(text)) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        last = end;
      }
      expect(last).toBeLessThanOrEqual(text.length);
    }),
  );
});
