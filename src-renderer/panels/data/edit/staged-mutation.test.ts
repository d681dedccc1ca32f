/** Staged changes are one mutation: requirements, inserts, sets, deletes; and errors are mapped to changes. */

import { describe, expect, it } from 'vitest';
import { ApiFailure } from '../../../model/facts/failure.js';
import { changeKey, type StagedChange, type StagedDelete, type StagedInsert, type StagedSet } from '../rows/staged.js';
import { savingOfAll } from './staged-mutation.js';
import { refusedChanges } from './staged-refusal.js';

const TEXT = { kind: 'scalar', name: 'Text' } as const;
const DECIMAL = { kind: 'scalar', name: 'Decimal' } as const;
const LATER = { kind: 'optional', of: { kind: 'scalar', name: 'Date' } } as const;
const LEASE = { kind: 'class', path: 'lease::Lease' } as const;
const PERSON = { kind: 'class', path: 'lease::Person' } as const;

const rent = (id: string, label: string, next: string): StagedSet => ({
  ...{ kind: 'set', id, label, concept: 'lease::Lease', field: 'rent', type: DECIMAL, known: '640', next },
});
const ends: StagedSet = { ...rent('#i1', 'QUAY-7', ''), field: 'ends', type: LATER, known: null, next: '2027-01-01' };
const lease = (number: number, code: string, value: string): StagedInsert => ({
  ...{ kind: 'insert', number, of: 'individual', path: 'lease::Lease', label: code, labels: {} },
  values: [
    { name: 'code', type: TEXT, value: code },
    { name: 'rent', type: DECIMAL, value },
  ],
});
const tenant = { name: 'tenant', type: PERSON, value: '@lease::ada' } as const;
const tenancy: StagedInsert = {
  ...{ kind: 'insert', number: 3, of: 'fact', path: 'lease::tenantOf', label: 'tenantOf(QUAY-7, Ada)', labels: {} },
  values: [{ name: 'lease', type: LEASE, value: '#i1' }, tenant],
};
const noTenancy: StagedDelete = {
  ...{ kind: 'delete', row: '/explain?of=tenantOf', of: 'fact', path: 'lease::tenantOf', label: 'tenantOf(Q, Ada)' },
  values: [{ name: 'lease', type: LEASE, value: '#i2' }, tenant],
};
const gone: StagedDelete = {
  ...{ kind: 'delete', row: '#i3', of: 'individual', path: 'lease::Lease', label: 'QUAY-9' },
  values: [
    { name: 'code', type: TEXT, value: 'QUAY-9' },
    { name: 'ends', type: LATER, value: null },
  ],
};

describe('the mutation for staged changes', () => {
  it('requires the old values first, then inserts, sets and deletes, and deletes individuals last', () => {
    const changes = [gone, noTenancy, rent('#i1', 'QUAY-7', '700'), ends, tenancy, lease(1, 'QUAY-10', '5')];
    const { source, args } = savingOfAll(changes);
    expect(source).toBe(`mutation saveStaged(${[
      'rows0: [{ told: Text, one: Lease, v0: Text }]',
      'rows1: [{ told: Text, v0: Lease, v1: Person }]',
      'rows2: [{ told: Text, one: Lease, next: Decimal, known: Decimal }]',
      'rows3: [{ told: Text, one: Lease, next: Date? }]',
      'rows4: [{ told: Text, v0: Lease, v1: Person }]',
      'rows5: [{ told: Text, v0: Text, v1: Decimal }]',
    ].join(', ')}) {
  for row in rows0 {
    require row.one.code == row.v0 message "code of {row.told} has changed since"
    require row.one.ends == none message "ends of {row.told} has changed since"
  }
  for row in rows1 {
    require tenantOf(row.v0, row.v1) message "{row.told} has been deleted since"
  }
  for row in rows2 {
    require row.one.rent == row.known message "rent of {row.told} has changed since"
  }
  for row in rows3 {
    require row.one.ends == none message "ends of {row.told} has changed since"
  }
  for row in rows4 {
    insert tenantOf(row.v0, row.v1)
  }
  for row in rows5 {
    insert Lease { code: row.v0, rent: row.v1 }
  }
  for row in rows2 {
    set row.one.rent = row.next
  }
  for row in rows3 {
    set row.one.ends = row.next
  }
  for row in rows1 {
    delete tenantOf(row.v0, row.v1)
  }
  for row in rows0 {
    delete row.one
  }
}`);
    expect(args).toEqual({
      rows0: [{ told: 'QUAY-9', one: '#i3', v0: 'QUAY-9' }],
      rows1: [{ told: 'tenantOf(Q, Ada)', v0: '#i2', v1: '@lease::ada' }],
      rows2: [{ told: 'QUAY-7', one: '#i1', next: '700', known: '640' }],
      rows3: [{ told: 'QUAY-7', one: '#i1', next: '2027-01-01' }],
      rows4: [{ told: 'tenantOf(QUAY-7, Ada)', v0: '#i1', v1: '@lease::ada' }],
      rows5: [{ told: 'QUAY-10', v0: 'QUAY-10', v1: '5' }],
    });
  });

  it('has one statement per kind of change, and gives each row a unique name', () => {
    const one = savingOfAll([rent('#i1', 'QUAY', '700')]);
    const many = savingOfAll(Array.from({ length: 100 }, (_, at) => rent(`#i${at}`, 'QUAY', '700')));
    expect(many.source).toBe(one.source);
    expect(many.args['rows0']).toMatchObject(Array.from({ length: 100 }, (_, at) => ({ told: `QUAY (#i${at})` })));
  });
});

describe('an error for staged changes', () => {
  const changes: readonly StagedChange[] = [
    rent('#i1', 'QUAY-7', '700'),
    rent('#i2', 'QUAY-8', '-5'),
    lease(1, 'QUAY-10', '-5'),
    lease(2, 'QUAY-11', '5'),
    noTenancy,
  ];
  const messagesFor = (code: string, message: string, details: Record<string, unknown>) => {
    const envelope = { error: { code, message, details }, requestId: 'r', moduleHash: '' };
    const refused = refusedChanges(changes, new ApiFailure(400, envelope));
    return changes.flatMap((each) => {
      const text = refused.get(changeKey(each));
      return text === undefined ? [] : [`${each.label}: ${text}`];
    });
  };
  const violation = (message: string, tuple: object = {}) => ({
    check: 'lease::c',
    severity: 'blocking',
    message,
    tuple,
  });

  it('is shown at the change whose old value is outdated', () => {
    const message = 'rent of QUAY-8 has changed since';
    const details = { diagnostics: [violation(message)] };
    expect(messagesFor('SVC_RUNTIME_CHECK_VIOLATION', 'requires otherwise', details)).toEqual([`QUAY-8: ${message}`]);
  });

  it('is shown at the change of a deleted individual, or with a value of the wrong type', () => {
    const gone = { path: '$.args.rows0[1].one', expected: 'a Lease', received: '#i2' };
    expect(messagesFor('SVC_RUNTIME_VALIDATION_FAILED', 'no', gone)).toEqual(['QUAY-8: QUAY-8 has been deleted since']);
    const wrong = { path: '$.args.rows1[1].v1', expected: 'a decimal number', received: '"abc"' };
    expect(messagesFor('SVC_RUNTIME_VALIDATION_FAILED', 'no', wrong)).toEqual([
      'QUAY-11: Expected a decimal number, got "abc" (rent).',
    ]);
  });

  it('is shown at every change that sets the invalid value', () => {
    const details = { field: 'lease::Lease.rent', refinement: 'value > 0', value: '-5' };
    expect(messagesFor('SVC_RUNTIME_VALIDATION_FAILED', 'too little', details)).toEqual([
      'QUAY-8: too little',
      'QUAY-10: too little',
    ]);
  });

  it('is shown at the changes of the individuals in a violation, existing or not yet inserted', () => {
    const details = {
      diagnostics: [violation('she has too many', { p: '@lease::ada' }), violation('twice', { l: '#i9' })],
      names: { '#i9': 'QUAY-11' },
    };
    expect(messagesFor('SVC_RUNTIME_CHECK_VIOLATION', 'Blocked by check few', details)).toEqual([
      'QUAY-11: twice',
      'tenantOf(Q, Ada): she has too many',
    ]);
  });

  it('is shown at no change if it is about something else', () => {
    expect(
      messagesFor('SVC_RUNTIME_CHECK_VIOLATION', 'no', { diagnostics: [violation('full', { u: '#i7' })] }),
    ).toEqual([]);
    expect(refusedChanges(changes.slice(0, 1), new Error('no response')).size).toBe(0);
  });
});
