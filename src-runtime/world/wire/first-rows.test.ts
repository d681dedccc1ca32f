import fc from 'fast-check';
import { expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import { runs } from '../../base/testing/property-runs.js';
import { FirstRows } from './first-rows.js';

const row = fc.record({ key: fc.nat({ max: 5_000 }), name: fc.nat({ max: 3_000 }) });
type Row = { readonly key: number; readonly name: number };

const byKey = (left: Row, right: Row): number => left.key - right.key || left.name - right.name;

it('keeps the same rows as a full sort', async () => {
  const rows = fc.array(row, { minLength: 1_500, maxLength: 6_000, size: 'max' });
  await fc.assert(
    fc.asyncProperty(rows, fc.nat({ max: 300 }), async (found, most) => {
      const kept = new FirstRows(byKey, most);
      for (const each of found) kept.add(each, ({ name }) => `${name}`);
      const lowest = new Map<number, Row>();
      for (const each of [...found].sort(byKey)) if (!lowest.has(each.name)) lowest.set(each.name, each);
      expect(kept.size).toBeLessThanOrEqual(2 * most + 1_024);
      expect(await kept.inOrder(noDeadline)).toEqual([...lowest.values()].slice(0, most));
    }),
    { numRuns: runs(30) },
  );
});
