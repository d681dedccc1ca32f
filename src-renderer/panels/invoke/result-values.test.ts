import { expect, it } from 'vitest';
import { resultValues, variableName } from './result-values.js';

it('lists scalar values with their paths, ids first, and names the variable after the concept', () => {
  const lease = { $id: '#i3', $meta: { type: 'l::Lease', classes: [] }, code: 'L1', 'a b': null, tenants: ['#i2'] };
  expect(resultValues([lease])).toEqual([
    { path: 'result[0].$id', text: '#i3' },
    { path: 'result[0].code', text: 'L1' },
    { path: 'result[0].tenants[0]', text: '#i2' },
  ]);
  expect(resultValues(7)).toEqual([{ path: 'result', text: '7' }]);
  const names = [[lease], lease, [], 7].map((result) => variableName(result, {}));
  expect(names).toEqual(['lease', 'lease', 'value', 'value']);
  expect(variableName(lease, { lease: 'L1', lease2: 'L2' })).toBe('lease3');
});
