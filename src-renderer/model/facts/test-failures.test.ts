/** A test failure shows the expected value, the actual value, and the message. */

import { expect, it } from 'vitest';
import { failureWords, foundText, valueWords } from './test-failures.js';

it.each([
  ['expect linked(p, p)', '`linked(p, p)` is false', 'Expected', 'linked(p, p)', 'it is false'],
  ['expect p.age > 9, p.tall', '`p.age > 9` is false', 'Expected', 'p.age > 9, p.tall', 'p.age > 9 is false'],
  ['expect error E from add("")', 'it was accepted', 'Expected', 'error E from add("")', 'it was accepted'],
  ['insert Person { name: "x" }', 'refused', 'Statement', 'insert Person { name: "x" }', 'refused'],
])('describes the failure of %s', (text, message, wanted, statement, found) => {
  expect(failureWords({ text, message })).toEqual({ wanted, statement, found });
});

it('shows individuals by their names in the test, else by label', () => {
  const values = { 'twice(2)': '4', 'people()': ['#i7', '@friends::ada'], 'size()': { all: '1', first: null } };
  expect(valueWords({ values, names: { '#i7': 'Bo' } })).toEqual([
    'twice(2) = 4',
    'people() = [Bo, ada]',
    'size() = { all: 1, first: none }',
  ]);
});

it('shows individuals by name in the actual value', () => {
  const found = { text: 'expect linked(p, q)', message: 'm::linked(#i7, @m::ada) is true', names: { '#i7': 'Bo' } };
  expect(foundText(found)).toBe('m::linked(Bo, ada) is true');
});
