/** Headlines of requests: calls with their arguments, and other requests by method and path. */

import { expect, it } from 'vitest';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { compile } from '../../../src-runtime/compiler/index.js';
import { servedSchema } from '../../../src-runtime/world/wire/served-schema.js';
import { callText, type NamedRequest, routeOfCall } from './call-text.js';

const { artifact } = compile([
  {
    file: 'm.entail',
    text: `module m
pub concept Person { name: Text }
pub relation liable(p: Person, amount: Decimal)
pub mutation sign(tenant: Person, code: Text?, rent: Decimal) { insert liable(tenant, rent) }
`,
  },
]);
if (artifact === undefined) throw new Error('the module has errors');
const SCHEMA = servedSchema(artifact);

const request = (path: string, subject?: string, args?: Readonly<Record<string, JsonValue>>): NamedRequest => ({
  method: 'POST',
  path,
  ...(subject !== undefined && { subject }),
  ...(args !== undefined && { args: Object.entries(args).map(([name, value]) => ({ name, value })) }),
});
const headline = (...given: Parameters<typeof request>) =>
  callText(request(...given), SCHEMA, (id) => (id === '#i1' ? 'Dana' : id));

const DISPATCH = '/v1/dispatch/mutation?dryRun=true';

it('shows a call with its arguments in the order of its parameters, individuals by label', () => {
  expect(headline(DISPATCH, 'm::sign', { rent: '700.50', code: 'DANA-1', tenant: '#i1' })).toBe(
    'sign(Dana, "DANA-1", 700.50)',
  );
  expect(headline(DISPATCH, 'm::sign', { tenant: 'nobody', code: null, rent: 7, more: ['…'] })).toBe(
    'sign(nobody, none, 7, […])',
  );
});

it('shows a call without arguments, and one with unknown arguments', () => {
  expect(headline(DISPATCH, 'm::all', {})).toBe('all()');
  expect(headline(DISPATCH, 'm::sign')).toBe('sign(…)');
});

it('names the subject of other requests with a body', () => {
  expect(headline('/v1/explain', 'm::liable', { 0: '#i1', 1: '900' })).toBe('explain liable(Dana, 900)');
  expect(headline('/v1/import', 'm::sign')).toBe('import sign');
  expect(headline('/v1/forks/plan/mutation/adhoc?effects=true')).toBe('ad-hoc mutation');
  expect(headline('/v1/batch')).toBe('batch');
});

it('shows other requests by method and path, without modules', () => {
  const read = { method: 'GET', path: '/v1/relations/land%3A%3Alease%3A%3Aliable?limit=2' };
  expect(callText(read, undefined, String)).toBe('GET /v1/relations/liable?limit=2');
  expect(routeOfCall(read)).toBeUndefined();
  expect(routeOfCall(request(DISPATCH, 'm::sign'))).toBe('POST dispatch/mutation?dryRun=true');
});
