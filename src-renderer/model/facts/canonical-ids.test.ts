/** A URL may contain the short id of a declared individual; the rest of the page uses the full one. */

import { expect, it } from 'vitest';
import { canonicalFact, canonicalIds } from './canonical-ids.js';

const individuals = ['trials::saca', 'trials::ada', 'people::ada'].map((path) => ({
  ...{ path, name: path, concept: 'trials::Trial', visibility: 'pub' as const },
}));
const idOf = canonicalIds({ individuals } as never);

it('expands a unique short id, and keeps other text', () => {
  expect(['@saca', '@trials::saca', '@ada', '@nobody', '#i3'].map(idOf)).toEqual([
    ...['@trials::saca', '@trials::saca', '@ada', '@nobody', '#i3'],
  ]);
});

it('expands ids in a fact only where the type is a concept', () => {
  const endpoints = [
    { name: 'trial', type: { kind: 'class', path: 'trials::Trial' } },
    { name: 'handle', type: { kind: 'scalar', name: 'Text' } },
  ] as const;
  const info = { path: 'trials::known', kind: 'stored', endpoints, doc: undefined, span: undefined } as const;
  const fact = { relation: 'trials::known', tuple: ['@saca', '@saca'] };
  expect(canonicalFact(fact, new Map([[info.path, info]]), idOf).tuple).toEqual(['@trials::saca', '@saca']);
});
