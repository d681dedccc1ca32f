/** Staged changes: one a field, none that changes nothing, and one mutation that sets all of them or none. */

import { expect, it } from 'vitest';
import type { StagedChange } from './staged.js';
import { settingOfAll, stagedByIndividual, withStaged } from './staged.js';

const change = (more: Partial<StagedChange> = {}): StagedChange => ({
  id: '#i1',
  label: 'QUAY-7',
  concept: 'lease::Lease',
  field: 'rent',
  type: { kind: 'scalar', name: 'Decimal' },
  known: '640',
  next: '700',
  ...more,
});

it('a field is changed once, and not at all where it is given its value back', () => {
  const first = withStaged([], change());
  const second = withStaged(first, change({ next: '720' }));
  expect(second.map(({ next }) => next)).toEqual(['720']);
  expect(withStaged(second, change({ next: '640' }))).toEqual([]);
  const both = withStaged(second, change({ field: 'code', known: 'QUAY-7', next: 'Q' }));
  expect(Object.keys(stagedByIndividual(both).get('#i1') ?? {})).toEqual(['rent', 'code']);
});

it('all of them are one mutation, which sets nothing where one is something else by then', () => {
  const ends = change({
    field: 'ends',
    type: { kind: 'optional', of: { kind: 'scalar', name: 'Date' } },
    known: null,
    next: '2027-01-01',
  });
  expect(settingOfAll([change({ label: 'a "{b}"' }), ends])).toEqual({
    kind: 'adhoc',
    source: `mutation setFields(one0: Lease, new0: Decimal, known0: Decimal, one1: Lease, new1: Date?) {
  require one0.rent == known0 message "rent of a \\"b\\" was set to something else meanwhile"
  require one1.ends == none message "ends of QUAY-7 was set to something else meanwhile"
  set one0.rent = new0
  set one1.ends = new1
}`,
    args: { one0: '#i1', new0: '700', known0: '640', one1: '#i1', new1: '2027-01-01' },
  });
});
