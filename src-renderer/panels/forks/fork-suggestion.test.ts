/** Suggested names and labels of new forks. */

import { describe, expect, it } from 'vitest';
import type { ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import type { Cause } from '../../../src-runtime/api/schemas/schemas.js';
import { nameById } from '../../model/facts/fork-names.js';
import { forkSuggestion, transactionText, withLabels } from './fork-suggestion.js';

const fork = (id: string, label?: string, status: ForkInfo['status'] = 'open'): ForkInfo => ({
  id,
  ...(label !== undefined && { label }),
  parent: id === 'main' ? null : 'main',
  baseSeq: 0,
  status,
  createdAt: '',
  events: 0,
});

const NOW = { asOf: null, description: '' };
const PAST = { asOf: 7, description: 'end NEW-1' };

describe('the suggestion for a new fork', () => {
  it('is named after its parent and starting transaction', () => {
    const forks = [fork('main'), fork('sale', 'Winter sale')];
    expect(forkSuggestion({ from: 'main', ...NOW }, forks)).toEqual({ name: 'what-if', label: '' });
    expect(forkSuggestion({ from: 'sale', ...NOW }, forks)).toEqual({
      name: 'sale-what-if',
      label: 'Winter sale – what if',
    });
    expect(forkSuggestion({ from: 'sale', ...PAST }, forks)).toEqual({
      name: 'sale-at-7',
      label: 'Winter sale – after end NEW-1',
    });
    expect(forkSuggestion({ from: 'main', ...PAST, description: '' }, forks).label).toBe('main – at 7');
  });

  it('has a label that no open fork has, within the length limit', () => {
    const after = 'main – after end NEW-1';
    const closed = [fork('main'), fork('a', after, 'aborted')];
    expect(forkSuggestion({ from: 'main', ...PAST }, closed).label).toBe(after);
    expect(forkSuggestion({ from: 'main', ...PAST }, [...closed, fork('b', after)]).label).toBe(`${after} 2`);
    expect(forkSuggestion({ from: 'main', ...NOW }, [fork('main'), fork('what-if')]).name).toBe('what-if-2');
    const long = forkSuggestion({ from: 'main', asOf: 7, description: 'x'.repeat(300) }, closed).label;
    expect(
      forkSuggestion({ from: 'main', asOf: 7, description: 'x'.repeat(300) }, [...closed, fork('c', long)]).label,
    ).toMatch(/x 2$/);
  });
});

it('summarizes a transaction', () => {
  const label = (id: string) => ({ '#i1': 'NEW-1' })[id] ?? id;
  const born = { seq: 1, txn: 1, at: '', kind: 'insertIndividual', id: '#i1', concept: 'lease::Lease' } as const;
  const inserted = { ...born, kind: 'insertFact', id: undefined, relation: 'r', tuple: [3, '#i1'] } as const;
  const text = (cause: Cause, ...first: object[]) => transactionText({ cause, first } as never, label, nameById);
  const call = (path: string): Cause => ({ kind: 'mutation', path });
  expect(text(call('lease::raiseRent'), born)).toBe('raise rent NEW-1');
  expect(text(call('lease::pay'), inserted)).toBe('pay NEW-1');
  expect(text(call('lease::nightly'))).toBe('nightly');
  expect(text({ kind: 'promote', fork: 'sale' }, born)).toBe('the promotion of sale');
  expect(text({ kind: 'batch' }, born)).toBe('a batch');
});

it('replaces an id by its label, and is empty until the label is known', () => {
  expect(withLabels('sign #i1', (id) => (id === '#i1' ? 'QUAY-7' : undefined))).toBe('sign QUAY-7');
  expect(withLabels('sign #i1', () => undefined)).toBe('');
  expect(withLabels('sign @m::acme', () => 'Acme')).toBe('sign Acme');
  expect(withLabels('the promotion of sale #1', () => undefined)).toBe('the promotion of sale #1');
});
