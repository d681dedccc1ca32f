import { expect, it } from 'vitest';
import { countText, countTip } from './count-text.js';

it('distinguishes current, outdated and unknown counts', () => {
  expect(countText({ facts: 1234, isCurrent: true, declared: 0 })).toBe('1,234');
  expect(countText({ facts: 12, isCurrent: false, declared: 0 })).toBe('~12');
  expect(countText({ facts: null, isCurrent: false, declared: 0 })).toBe('?');
  expect(countTip({ facts: null, isCurrent: false, declared: 0 })).toBe('not evaluated yet');
  expect(countTip({ facts: 1, isCurrent: true, declared: 1 })).toBe('1 fact, 1 of them declared');
});
