/**
 * Aggregates whose totals are maintained, under long random sequences of inserts, deletes and rollbacks. Compared after
 * every step with the oracle.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import { runs } from '../../base/testing/property-runs.js';
import {
  absent,
  aggregate,
  arithmetic,
  artifact,
  atom,
  bind,
  clause,
  condition,
  functionalRelation,
  INT,
  relation,
  rule,
  v,
} from '../testing/ir.js';
import type { RandomProgram } from '../testing/random-program.js';
import { deriveNaively, encode, type RandomFact, storeOf, toggle } from '../testing/random-store.js';
import type { View } from '../types.js';

const ITEM = atom('item', 'g', 'i', 'n');
const PRESENT = condition([ITEM, absent('gone', 'i')], {}, ['g']);
const WEIGHED = condition([ITEM, atom('weight', 'i', 'w')], {}, ['g']);
const PAIRS = condition([ITEM, atom('item', 'g', 'j', 'm')], {}, ['g']);
const ALL = condition([ITEM]);

const RULES = [
  rule('there', [INT, INT], [ofGroups(aggregate('count', null, ['i', 'n'], PRESENT))]),
  rule('sum', [INT, INT], [ofGroups(aggregate('sum', v('n'), ['i', 'n'], PRESENT))]),
  rule('least', [INT, INT], [ofGroups(aggregate('min', v('n'), ['i', 'n'], PRESENT))]),
  rule('greatest', [INT, INT], [ofGroups(aggregate('max', v('n'), ['i', 'n'], condition([ITEM], {}, ['g'])))]),
  rule('weighed', [INT, INT], [ofGroups(aggregate('sum', arithmetic('*', v('n'), v('w')), ['i', 'n', 'w'], WEIGHED))]),
  rule('pairs', [INT, INT], [ofGroups(aggregate('count', null, ['i', 'n', 'j', 'm'], PAIRS))]),
  rule(
    'all',
    [INT, INT],
    [
      clause(
        ['c', 's'],
        [
          bind('c', aggregate('count', null, ['g', 'i', 'n'], ALL)),
          bind('s', aggregate('sum', v('n'), ['g', 'i', 'n'], ALL)),
        ],
      ),
    ],
  ),
];

/** One head for each group with items. */
function ofGroups(total: ReturnType<typeof aggregate>) {
  return clause(['g', 'x'], [atom('item', 'g', '_', '_'), bind('x', total)]);
}

const RANDOM: RandomProgram = {
  artifact: artifact({
    rules: RULES,
    schema: {
      relations: [relation('item', INT, INT, INT), relation('gone', INT), functionalRelation('weight', INT, INT)],
    },
  }),
  levels: [RULES],
  facts: [],
};

const small = fc.nat({ max: 3 });
const fact: fc.Arbitrary<RandomFact> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.nat({ max: 1 }), small, small).map((tuple): RandomFact => ['item', tuple]) },
  { weight: 1, arbitrary: small.map((item): RandomFact => ['gone', [item]]) },
  { weight: 2, arbitrary: small.map((item): RandomFact => ['weight', [item, item + 1]]) },
);

const step = fc.record({
  toggled: fc.array(fact, { minLength: 1, maxLength: 3 }),
  ends: fc.constantFrom('go on' as const, 'commit' as const, 'commit' as const, 'roll back' as const),
  /** Whether the next steps run on a fork of the committed state. */
  forks: fc.nat({ max: 4 }).map((drawn) => drawn === 0),
});

describe('totals of groups', () => {
  it.each([1, 3])(
    "equal the oracle's if maintained from %i values",
    async (maintainedCountMin) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), async (steps) => {
          let store = storeOf(RANDOM, {
            maintenanceCostMin: Number.POSITIVE_INFINITY,
            maintainedCountMin,
            searchedRowsMin: 0,
          });
          let committed = new Map<string, RandomFact>();
          let written = new Map(committed);
          let transaction = store.begin();
          await expectDerived(transaction.view, written);
          for (const { toggled, ends, forks } of steps) {
            for (const each of toggled) toggle(transaction, written, each);
            await expectDerived(transaction.view, written);
            if (ends === 'go on') continue;
            if (ends === 'commit') transaction.commit();
            else transaction.rollback();
            if (ends === 'commit') committed = written;
            written = new Map(committed);
            if (forks) store = store.fork();
            transaction = store.begin();
          }
          transaction.rollback();
        }),
        { numRuns: runs(30) },
      );
    },
    120_000,
  );
});

async function expectDerived(view: View, stored: ReadonlyMap<string, RandomFact>): Promise<void> {
  const expected = deriveNaively(RANDOM, stored.values());
  if (expected instanceof Error) throw expected;
  for (const { path } of RULES) {
    const reader = await view.materialise(path, noDeadline);
    const tuples = expected.tuples(path).map((tuple) => encode(view, path, tuple).join());
    expect([path, [...reader.rows()].map(String).sort()]).toEqual([path, tuples.sort()]);
  }
}
