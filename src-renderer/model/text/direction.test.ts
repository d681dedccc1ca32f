/** The direction of a message depends on its text, not on names in it. */

import { expect, it } from 'vitest';
import { directionOfTemplate } from './direction.js';

it.each([
  ['{p.name} knows nobody', 'ltr'],
  ['"{p.name}", 3: {owed} is owed', 'ltr'],
  ['{p.name} لا يعرف أحدا', 'rtl'],
  ['{p.name}: {owed}', 'auto'],
  ['', 'auto'],
])('gives %s the direction %s', (template, direction) => {
  expect(directionOfTemplate(template)).toBe(direction);
});
