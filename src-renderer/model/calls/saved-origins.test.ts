import { expect, it } from 'vitest';
import { renamedOrigins } from './saved-origins.js';

const origins = {
  one: { collection: 'smoke', name: 'first' },
  two: { collection: 'smoke', name: 'second' },
  other: { collection: 'daily', name: 'first' },
};

it('follows a renamed call', () => {
  expect(renamedOrigins(origins, { collection: 'smoke', name: 'first' }, 'renamed')).toEqual({
    ...origins,
    one: { collection: 'smoke', name: 'renamed' },
  });
});

it('follows a renamed collection', () => {
  expect(renamedOrigins(origins, { collection: 'smoke' }, 'nightly')).toEqual({
    one: { collection: 'nightly', name: 'first' },
    two: { collection: 'nightly', name: 'second' },
    other: origins.other,
  });
});
