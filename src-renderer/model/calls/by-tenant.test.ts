/** Drafts are separate by tenant and survive a reload. */

import { describe, expect, it } from 'vitest';
import { createStore } from '../../state/store.js';
import { keepByTenant, withoutIndividuals, withoutIndividualsInText } from './by-tenant.js';
import { switchTenant } from './place.js';

type Typed = Readonly<Record<string, unknown>>;
const isTyped = (value: unknown): value is Typed => typeof value === 'object';

describe('a draft', () => {
  it('loses its individuals in another tenant, and regains them in the first', () => {
    switchTenant('north');
    const typed = createStore<Typed>({ patient: '#i2', weight: '71' });
    keepByTenant('test.typed', typed, isTyped, withoutIndividuals);
    switchTenant('south');
    expect(typed.get()).toEqual({ patient: '', weight: '71' });
    typed.set({ patient: '#i1', weight: '80' });
    switchTenant('north');
    expect(typed.get()).toEqual({ patient: '#i2', weight: '71' });
    switchTenant('south');
    expect(typed.get()).toEqual({ patient: '#i1', weight: '80' });
  });

  it('does not exist yet for a tenant named like an inherited member of objects', () => {
    switchTenant('north');
    const typed = createStore<Typed>({ patient: '#i2', weight: '71' });
    keepByTenant('test.inherited', typed, isTyped, withoutIndividuals);
    switchTenant('constructor');
    expect(typed.get()).toEqual({ patient: '', weight: '71' });
  });

  it('is shared by all tenants if it contains only declared individuals', () => {
    switchTenant('north');
    const typed = createStore<Typed>({ site: '@trial::oslo', weights: ['71', '72'] });
    keepByTenant('test.plain', typed, isTyped, withoutIndividuals);
    switchTenant('south');
    typed.set({ site: '@trial::oslo', weights: ['71', '73'] });
    switchTenant('north');
    expect(typed.get()).toEqual({ site: '@trial::oslo', weights: ['71', '73'] });
  });

  it('loses individuals in nested values, and keeps other text', () => {
    expect(withoutIndividuals({ all: ['#i1', { one: '#i2' }], text: 'of #i3' })).toEqual({
      all: ['', { one: '' }],
      text: 'of #i3',
    });
    expect(withoutIndividualsInText('{ "a": "#i12", "b": "x #i1" }')).toBe('{ "a": "", "b": "x #i1" }');
  });
});
