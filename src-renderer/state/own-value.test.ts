/** A module may name a parameter or a field `constructor`, which every object inherits. */

import { expect, it } from 'vitest';
import { ownValue } from './own-value.js';

it('ignores inherited members', () => {
  expect(ownValue({}, 'constructor')).toBeUndefined();
  expect(ownValue({ constructor: 'Acme' }, 'constructor')).toBe('Acme');
});
