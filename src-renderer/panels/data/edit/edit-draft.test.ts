/** Unsaved input is restored. */

import { afterEach, expect, it } from 'vitest';
import type { FormParameter } from '../../../model/calls/form-model.js';
import { currentFork } from '../../../model/calls/place.js';
import { editedIn, forgetEdit, keepEdit, storedEdit } from './edit-draft.js';

const RENT: FormParameter = { name: 'rent', type: { kind: 'scalar', scalar: 'Text' } } as never;

afterEach(() => {
  for (const place of ['list', 'individual'] as const) forgetEdit(place);
  currentFork.set('main');
});

it('keeps separate drafts for a cell and for the individual beside the list', () => {
  keepEdit('individual', '#i1', 'rent', { typed: 'beside', known: 'x' });
  keepEdit('list', '#i2', 'rent', { typed: 'in the list', known: 'y' });
  expect(storedEdit('individual', '#i1', RENT)).toEqual({ typed: 'beside', known: 'x' });
  expect(storedEdit('list', '#i2', RENT)).toEqual({ typed: 'in the list', known: 'y' });
  forgetEdit('list');
  expect(editedIn('list')).toBeUndefined();
  expect(editedIn('individual')).toMatchObject({ id: '#i1', field: 'rent' });
});

it('restores a draft only on the fork where it was typed', () => {
  keepEdit('list', '#i1', 'rent', { typed: 'here', known: 'x' });
  currentFork.set('what-if');
  expect(storedEdit('list', '#i1', RENT)).toBeUndefined();
});
