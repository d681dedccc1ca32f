/** Labels of individuals in a repro bundle. */

import { expect, it } from 'vitest';
import type { ReproBundle } from '../../../../src-runtime/api/repro-bundle.js';
import type { WireEvent } from '../../../../src-runtime/api/schemas/schemas.js';
import { namesInBundle } from './bundle-names.js';

const text = { kind: 'scalar', name: 'Text' };
const ARTIFACT = {
  integrity: '',
  schemaHash: '',
  schema: {
    concepts: [
      {
        fields: [
          { name: 'note', path: 'm::Ship.note', type: { kind: 'optional', of: text } },
          { name: 'name', path: 'm::Ship.name', type: text },
          { name: 'built', path: 'm::Ship.built', type: { kind: 'scalar', name: 'Date' } },
        ],
      },
    ],
  },
  individuals: [{ path: 'm::aurora', fields: [{ field: 'm::Ship.name', value: 'Aurora' }] }],
};

let seq = 0;
function event(rest: Partial<WireEvent> & Pick<WireEvent, 'kind'>): WireEvent {
  seq += 1;
  return { seq, txn: seq, at: '2026-01-01T00:00:00.000Z', ...rest };
}

function namesOf(events: readonly WireEvent[], names: Record<string, string> = {}): Record<string, string> {
  const fork = { id: 'main', baseSeq: 0, status: 'open', createdAt: '2026-01-01T00:00:00.000Z' } as const;
  const bundle: Pick<ReproBundle, 'artifact' | 'scope' | 'proof'> = {
    artifact: ARTIFACT,
    scope: { tenant: null, fork, events: [...events] },
    proof: { asOf: 'request', explanations: [], names },
  };
  return Object.fromEntries(namesInBundle(bundle));
}

it('labels individuals from the module, the history and the proof', () => {
  const made = [
    event({ kind: 'insertIndividual', id: '#i1', concept: 'm::Ship' }),
    event({ kind: 'setField', id: '#i1', field: 'm::Ship.note', value: 'a note' }),
    event({ kind: 'setField', id: '#i1', field: 'm::Ship.name', value: 'Borea' }),
  ];
  expect(namesOf(made, { '#i9': 'Never' })).toEqual({ '@m::aurora': 'Aurora', '#i1': 'Borea', '#i9': 'Never' });
  const renamed = event({ kind: 'setField', id: '#i1', field: 'm::Ship.name', value: 'Boreas' });
  expect(namesOf([...made, renamed])['#i1']).toBe('Boreas');
});

it('labels an individual without a text field by concept and number', () => {
  const made = [
    event({ kind: 'insertIndividual', id: '#i2', concept: 'm::Ship' }),
    event({ kind: 'setField', id: '#i2', field: 'm::Ship.built', value: '1931-01-01' }),
    event({ kind: 'setField', id: '#i2', field: 'm::Ship.note', value: 'gone again' }),
    event({ kind: 'setField', id: '#i2', field: 'm::Ship.note', value: null }),
  ];
  expect(namesOf(made)['#i2']).toBe('Ship 2');
});
