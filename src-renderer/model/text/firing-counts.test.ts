import { expect, it } from 'vitest';
import { worstOfFirings } from './firing-counts.js';

it('the worst of firings are checks that cannot be evaluated, then what blocks', () => {
  expect(worstOfFirings({ blocking: 2, warning: 3, failed: 1 })).toEqual(['absent', 1]);
  expect(worstOfFirings({ blocking: 2, warning: 3, failed: 0 })).toEqual(['blocking', 2]);
  expect(worstOfFirings({ blocking: 0, warning: 3, failed: 0 })).toEqual(['warning', 3]);
});
