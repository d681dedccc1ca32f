/** Random bodies for each route, made from the declarations of a module, with a few faults, as bytes that may be damaged. */

import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { ServedSchema } from '../../api/schemas/module-schemas.js';
import type { WireType } from '../../api/schemas/schemas.js';
import { mostly, oddJson, oddText, seldom, wireValueOf } from './fuzz-values.js';

/** Small, so that a body beyond the limit is written quickly. */
export const FUZZ_BODY_MAX = 20_000;

/** A body for the route with this path pattern. `name` generates names of declarations. */
export function bodyFor(path: string, schema: ServedSchema, name: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> {
  const body = fc
    .tuple(bodiesOf(schema, name)[path.replace('/v1/forks/{fork}', '/v1')] ?? fc.object(), seldom(extra))
    .map(([main, more]) => ({ ...main, ...more }));
  return bytesOf(mostly(body, body.chain(bent)));
}

/** Context and fork, which any body may contain. */
const extra = fc.record(
  {
    fork: fc.constantFrom('main', 'a', 'b'),
    context: fc.dictionary(mostly(fc.constantFrom('tenantId', 'now'), oddText), fc.oneof(oddText, oddJson), {
      maxKeys: 2,
    }),
  },
  { requiredKeys: [] },
);

function bodiesOf(schema: ServedSchema, name: fc.Arbitrary<string>): Record<string, fc.Arbitrary<object>> {
  const calls = {
    query: callOf(schema.queries),
    mutation: callOf(schema.mutations),
    compute: callOf(schema.functions),
  };
  const step = fc.oneof(
    ...Object.entries(calls).map(([kind, call]) =>
      call.map(({ path: callable, args }) => ({ [kind]: callable, args })),
    ),
  );
  const heads = ['query q() -> [Text] { select ', 'mutation m() { insert ', 'derive d(x: Person) when '];
  const source = fc.tuple(fc.constantFrom(...heads), name).map(([head, of]) => `${head}${of}(x, _) }`);
  const element = mostly(fc.constantFrom<unknown>('#i1', '@ada', 1), oddJson);
  const file = fc.record({ file: mostly(fc.constant('lease.entail'), oddText), text: oddText });
  return {
    '/v1/dispatch/query': calls.query,
    '/v1/dispatch/mutation': calls.mutation,
    '/v1/dispatch/compute': calls.compute,
    '/v1/query/adhoc': fc.record({ source: mostly(source, oddText) }),
    '/v1/mutation/adhoc': fc.record({ source: mostly(source, oddText) }),
    '/v1/batch': fc.record({ steps: fc.array(step, { maxLength: 4 }) }),
    '/v1/explain': fc.record({ relation: name, tuple: fc.array(element, { maxLength: 3 }) }),
    '/v1/forks': fc.record(
      { id: mostly(fc.constantFrom('a', 'b'), oddText), from: fc.constantFrom('main', 'a') },
      { requiredKeys: [] },
    ),
    '/v1/module/sources': fc.record({ files: fc.array(file, { maxLength: 2 }) }),
  };
}

function callOf(declared: readonly { path: string; parameters: readonly { name: string; type: WireType }[] }[]) {
  return fc.constantFrom(...declared).chain(({ path, parameters }) =>
    fc.record({
      path: fc.constant(path),
      args: fc.record(
        Object.fromEntries(parameters.map((each) => [each.name, mostly(wireValueOf(each.type), oddJson)])),
      ),
    }),
  );
}

/** Changes, removes or adds one member. */
function bent(body: object): fc.Arbitrary<object> {
  const keys = fc.constantFrom(...Object.keys(body), 'surplus', 'constructor', 'toString');
  return fc.tuple(keys, seldom(oddJson)).map(([key, value]) => ({ ...body, [key]: value }));
}

type Spoil = (text: string) => Uint8Array;

const asText =
  (change: (text: string) => string): Spoil =>
  (text) =>
    Buffer.from(change(text));

/** Faults that only bytes can have: encodings, duplicate keys, excessive numbers and depths, a truncated end. */
const SPOILS: readonly Spoil[] = [
  asText((text) => text.slice(0, -1)),
  asText((text) => text.replace('{', '{"__proto__":{"x":1},')),
  asText((text) => text.replace(/\{("[^"]*":)/, '{$1 0,$1')),
  asText((text) => text.replace(/:[^,}]*/, ':1e400')),
  asText((text) => text.replace(/:[^,}]*/, `:${'9'.repeat(10_000)}`)),
  asText((text) => text.replace(/:[^,}]*/, ':"\\ud800"')),
  asText((text) => text.replace(/:[^,}]*/, `:${'['.repeat(3_000)}${']'.repeat(3_000)}`)),
  asText((text) => text.replace(/:[^,}]*/, `:${'{"a":'.repeat(3_000)}`)),
  asText((text) => `\ufeff${text}`),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  (text) => Buffer.from(text.replace(/":"/, '":"\u00e9\u00ff'), 'latin1'),
  (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])]),
  (text) => gzipSync(text),
];

/** JSON as bytes, sometimes damaged. */
export function bytesOf(json: fc.Arbitrary<unknown>): fc.Arbitrary<Uint8Array> {
  const text = json.map((value) => JSON.stringify(value ?? null));
  const spoilt = fc.tuple(text, fc.constantFrom(...SPOILS)).map(([whole, spoil]): Uint8Array => spoil(whole));
  const odd: fc.Arbitrary<Uint8Array> = fc.oneof(
    fc.constantFrom(Buffer.from(''), Buffer.from('null'), Buffer.from('x'.repeat(FUZZ_BODY_MAX + 1))),
    fc.uint8Array({ maxLength: 40 }),
  );
  return mostly(
    text.map((whole): Uint8Array => Buffer.from(whole)),
    mostly(spoilt, odd),
  );
}
