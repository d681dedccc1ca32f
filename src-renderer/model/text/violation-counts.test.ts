import { expect, it } from 'vitest';
import { worstViolations } from './violation-counts.js';

it('ranks checks that cannot be evaluated first, then blocking violations', () => {
  expect(worstViolations({ blocking: 2, warning: 3, failed: 1 })).toEqual(['absent', 1]);
  expect(worstViolations({ blocking: 2, warning: 3, failed: 0 })).toEqual(['blocking', 2]);
  expect(worstViolations({ blocking: 0, warning: 3, failed: 0 })).toEqual(['warning', 3]);
});
