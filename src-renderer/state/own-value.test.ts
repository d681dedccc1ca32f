/** A module may call a parameter, a field or a member what every object has, such as `constructor`. */

import { expect, it } from 'vitest';
import { ownValue } from './own-value.js';

it('finds what was given alone', () => {
  expect(ownValue({}, 'constructor')).toBeUndefined();
  expect(ownValue({ constructor: 'Acme' }, 'constructor')).toBe('Acme');
});
