/** Records without a prototype accept every name and have only the members that were set. */

import { expect, it } from 'vitest';
import { bareRecord, withMember } from './bare-record.js';

it('preserves every name when it is copied with another member', () => {
  const record = withMember(withMember(bareRecord<number>(), '__proto__', 1), 'toString', 2);
  expect(Object.entries(record)).toEqual([
    ['__proto__', 1],
    ['toString', 2],
  ]);
  expect(record['constructor']).toBeUndefined();
});

it('has only the names that were set', () => {
  const record = bareRecord<number>();
  const inherited = ['constructor', 'toString', '__proto__'];
  for (const name of inherited) expect(record[name]).toBeUndefined();
  for (const [index, name] of inherited.entries()) record[name] = index;
  expect(Object.entries(record)).toEqual(inherited.map((name, index) => [name, index]));
});
