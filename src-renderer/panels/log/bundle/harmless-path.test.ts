/** A request from a bundle is sent without side effects, or not at all. */

import { expect, it } from 'vitest';
import { harmlessPath } from './harmless-path.js';

it('keeps reads, turns writes into dry runs, and rejects writes without a dry run', () => {
  const at = (method: string, path: string) => harmlessPath({ method, path });
  expect(at('GET', '/v1/relations/m::a?limit=2')).toBe('/v1/relations/m::a?limit=2');
  expect(at('POST', '/v1/forks/f/dispatch/query')).toBe('/v1/forks/f/dispatch/query');
  expect(at('POST', '/v1/dispatch/mutation')).toBe('/v1/dispatch/mutation?dryRun=true');
  expect(at('POST', '/v1/forks/f/promote?dryRun=false&effects=true')).toBe(
    '/v1/forks/f/promote?dryRun=true&effects=true',
  );
  expect(at('POST', '/v1/forks/f/pick')).toBe('/v1/forks/f/pick?dryRun=true');
  expect(at('POST', '/v1/transactions/7/undo')).toBe('/v1/transactions/7/undo?dryRun=true');
  expect(at('PUT', '/v1/module/sources')).toBe('/v1/module/sources?dryRun=true');
  expect(at('POST', '/v1/forks')).toBeUndefined();
  expect(at('DELETE', '/v1/forks/f')).toBeUndefined();
  expect(at('PUT', '/v1/module')).toBeUndefined();
});

it.each([
  ['/v1/dispatch/mutation#/query/adhoc', '/v1/dispatch/mutation?dryRun=true'],
  ['/v1/forks/explain/../../forks', undefined],
  ['*', undefined],
])('resolves POST %s as a browser does', (path, sent) => {
  expect(harmlessPath({ method: 'POST', path })).toBe(sent);
});
