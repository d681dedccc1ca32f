/** Texts that are equal if case is ignored. */

import { expect, it } from 'vitest';
import { folded } from './folded.js';

it.each([
  ['Straße', 'STRASSE'],
  ['İstanbul', 'istanbul'],
  ['I\u0307stanbul', 'İSTANBUL'],
  ['Diyarbakır', 'DIYARBAKIR'],
  ['Οδός', 'ΟΔΌΣ'],
  ['Σίσυφος', 'σίσυφοσ'],
  ['Zo\u00e9', 'ZOE\u0301'],
  ['ﬁnal', 'FINAL'],
  ['plain', 'PLAIN'],
])('treats %s and %s as equal', (one, other) => {
  expect(folded(one)).toBe(folded(other));
});

it('distinguishes letters that only look alike', () => {
  expect(folded('Zoé')).not.toBe(folded('Zoe'));
  expect(folded('Σ')).not.toBe(folded('S'));
});
