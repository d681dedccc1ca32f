/** LANGUAGE "Names": what every JavaScript object inherits is an ordinary name, in every place and over a restart. */

import { describe, expect, it } from 'vitest';
import { headerOfContextField } from '../api/headers.js';
import type { TestResult } from '../api/schemas/test-schemas.js';
import { canonicalText } from '../base/canonical.js';
import type { TestResponse } from './testing/http.js';
import { type RealServer, serversOfTests } from './testing/real.js';

/** As many as the module below needs, so that each name is used everywhere once. */
const NAMES = Object.getOwnPropertyNames(Object.prototype);

const KINDS = ['Color', 'Thing', 'link', 'one', 'reach', 'Linked', 'loops', 'named', 'make', 'twice'] as const;

/** A module with every kind of declaration. All names but `tenantId` are taken from the list, starting at `shift`. */
function moduleOf(shift: number, ends?: readonly [string, string]) {
  const name = (place: number): string => NAMES[(shift + place) % NAMES.length] as string;
  const module = name(0);
  const [Color, Thing, link, one, reach, Linked, loops, named, make, twice] = KINDS.map((_, at) => name(at + 1));
  const adhoc = name(11);
  const [a, b, c, d, e] = [0, 1, 2, 3, 4].map(name) as [string, string, string, string, string];
  const [from, to] = ends ?? [a, b];
  const text = `module ${module}
enum ${Color} { ${a}, ${b} }
context tenantId: Text?
context ${a}: Text
context ${b}: Int?
pub concept ${Thing} {
  ${a}: Text unique, ${b}: ${Color} = ${a}, ${c}: Int? where value > 0, ${d}: ${Thing}?, ${e}: [${Thing}] via ${link}.${to}
}
pub relation ${link}(${from}: ${Thing}, ${to}: ${Thing})
pub individual ${one}: ${Thing} { ${a}: "one", ${b}: ${b} }
pub derive ${reach}(${a}: ${Thing}, ${b}: ${Thing}) when ${link}(${a}, ${b})
pub derive ${reach}(${a}, ${b}) when ${reach}(${a}, ${c}), ${link}(${c}, ${b})
pub define ${Linked}(${c}: ${Thing}) when (${link}(_, ${c}) or ${link}(${c}, ${d}), ${d} == ${c})
pub check ${loops}(${a}: ${Thing}, ${b}: Text)
  when ${reach}(${a}, ${a}), let ${b} = ${a}.${a}, let ${c} = ${a}.${b}
  severity warning message "{${a}.${a}} {${b}} {${c} == ${Color}::${a}}"
pub query ${named}(${a}: Text = "one", ${b}: { ${a}: Text, ${c}: Int? }? = none)
  -> [{ ${a}: ${Thing}, ${b}: Text, ${c}: ${Color}, ${d}: Text?, ${e}: Text }] {
  select { ${a}: ${e}, ${b}: ${e}.${a}, ${c}: ${e}.${b}, ${d}: if exists(${b}) then ${b}.${a} else none, ${e}: context.${a} }
  where ${Thing}(${e}), (${e}.${a} == ${a} or ${Linked}(${e}), let ${d} = ${a}, ${d} == "")
  order by ${e}.${a}
}
pub mutation ${make}(${a}: Text, ${b}: ${Thing}? = none, ${c}: Int = 1) -> ${Thing} {
  require ${a} != "", let ${d} = ${a} ++ "!", length(${d}) > 2 message "refused: {${a}} {${d}}"
  let ${e} = insert ${Thing} { ${a}: ${a}, ${c}: ${c}, ${d}: ${b} }
  if exists(${b}) {
    insert ${link}(${e}, ${b})
    for ${d} in [${b}] { if ${d} != @${one} { insert ${link}(${d}, ${e}) } }
  }
  return ${e}
}
pub fn ${twice}(${a}: Int where value < 100, ${b}: Int = 2) -> { ${a}: Int, ${b}: Int } =
  { ${a}: ${a} * ${b}, ${b}: 100 div (${a} - 1) }
test "holds" {
  expect error SVC_RUNTIME_MISSING_CONTEXT from ${make}("no context")
  set context.${a} = "given"
  let ${a} = ${make}("in a test")
  for ${b} in [1, 2] { if ${Thing}(${a}), let ${c} = ${b} * 2, ${c} > ${b} { expect ${b} < 3 } }
  expect ${a}.${b} == ${Color}::${a}, not ${Linked}(${a})
  expect exists(context.${b}) == false
  let ${d} = ${named}("in a test")
  expect count(for ${e} where ${Thing}(${e})) == 2
}
test "fails" { set context.${a} = "given" let ${a} = ${make}("in a test") expect ${a}.${c} == 7 }
`;
  return { text, module, Color, Thing, link, one, reach, Linked, loops, named, make, twice, adhoc, a, b, c, d, e };
}

/** Renames of stored declarations from one module to the other. */
function renamed(from: ReturnType<typeof moduleOf>, to: typeof from): { from: string; to: string }[] {
  const paths = (m: typeof from) => {
    const own = [m.Color, m.Thing, m.link, m.one].map((name) => `${m.module}::${name}`);
    const fields = [m.a, m.b, m.c, m.d].map((name) => `${m.module}::${m.Thing}.${name}`);
    const colors = [m.a, m.b].map((name) => `${m.module}::${m.Color}.${name}`);
    return [m.module, ...own, ...fields, ...colors];
  };
  const now = paths(to);
  return paths(from).map((path, at) => ({ from: path, to: now[at] ?? '' }));
}

const serve = serversOfTests();

/** The body of a success. */
function success({ status, body }: TestResponse): TestResponse['body'] {
  expect([status, body.error?.message]).toEqual([expect.toBeOneOf([200, 201]), undefined]);
  return body;
}

/** An object with exactly these members, whatever they are called. */
function members(...pairs: readonly (readonly [string | undefined, unknown])[]): object {
  return Object.fromEntries(pairs);
}

/** Vitest compares by members of the same names. */
function expectSame(actual: unknown, expected: unknown): void {
  expect(canonicalText(actual)).toBe(canonicalText(expected));
}

describe('names of inherited members', () => {
  it.each(NAMES.map((name, shift) => [name, shift] as const))(
    'work as names of all declarations, starting with the module %s',
    async (_name, shift) => {
      const m = moduleOf(shift);
      const { a, b, c, d, e } = m;
      const path = (local: string | undefined): string => `${m.module}::${local}`;
      let server = await serve(m.text, { onDisk: true });
      const header = { [headerOfContextField(a)]: 'by header' };
      const bodyContext = members([a, 'by body']);
      const post = async (route: string, body: object, headers: Record<string, string> = header) =>
        success(await server.call('POST', route, body, headers));
      const get = async (route: string) => success(await server.call('GET', route, undefined, header));
      const make = (args: object) => post('/v1/dispatch/mutation', { path: path(m.make), args });
      const one = `@${path(m.one)}`;

      // A required context field is reported as missing, and read from header and body.
      const without = await server.call('POST', '/v1/dispatch/query', { path: path(m.named), args: {} });
      expect(without.body.error).toMatchObject({ code: 'SVC_RUNTIME_MISSING_CONTEXT', details: { field: a } });
      const byDefault = await post('/v1/dispatch/query', { path: path(m.named) });
      const entityOfOne = members(
        ['$id', one],
        ['$meta', { type: path(m.Thing), classes: [path(m.Thing)] }],
        [a, 'one'],
        [b, b],
        [c, null],
        [d, null],
        [e, []],
      );
      expectSame(byDefault.result, [members([a, entityOfOne], [b, 'one'], [c, b], [d, null], [e, 'by header'])]);
      const record = members([a, 'in a record']);
      const request = { path: path(m.named), args: members([a, 'one'], [b, record]), context: bodyContext };
      const [row] = (await post('/v1/dispatch/query', request, {})).result;
      expect([row[d], row[e]]).toEqual(['in a record', 'by body']);

      // Functions, with a default, a refinement and a fault that reports values.
      const compute = { path: path(m.twice), args: members([a, 5]) };
      expectSame((await post('/v1/dispatch/compute', compute)).result, members([a, 10], [b, 25]));
      const faulty = await server.call('POST', '/v1/dispatch/compute', { ...compute, args: members([a, 1]) }, header);
      expect(faulty.body.error.code).toBe('SVC_RUNTIME_COMPUTE_EVAL_FAILED');
      expectSame(faulty.body.error.details.bindings, members([a, 1], [b, 2]));

      // Mutations, alone, refused, in a dry run, in a batch and in an import by key.
      const made = await make(members([a, 'first']));
      expectSame(made.result, {
        ...entityOfOne,
        $id: '#i1',
        ...members([a, 'first'], [b, a], [c, 1], [d, null], [e, []]),
      });
      const refused = await server.call(
        'POST',
        '/v1/dispatch/mutation?explain=true',
        { path: path(m.make), args: members([a, 'x']) },
        header,
      );
      expect(refused.body.error.details.diagnostics[0].message).toBe('refused: x x!');
      const steps = [
        { mutation: path(m.make), args: members([a, 'second'], [b, '#i1']) },
        { mutation: path(m.make), args: members([a, 'third'], [b, { $step: 0 }]) },
      ];
      const batch = await post('/v1/batch', { steps, context: bodyContext }, {});
      expect(batch.result.map(({ result }: { result: object }) => Reflect.get(result, a))).toEqual(['second', 'third']);
      expect(batch.result[1].warnings[0].message).toMatch(/^(first|second|third) \1 true$/);
      const rows = [members([a, 'fourth'], [b, 'third'], [c, 4])];
      await post('/v1/import', { mutation: path(m.make), rows, keys: members([b, a]) });
      await post('/v1/mutation/adhoc', {
        source: `mutation ${m.adhoc}(${d}: Text) { let ${c} = ${m.make}(${d}) set ${c}.${c} = 9 }`,
        args: members([d, 'fifth']),
      });
      const changed = await post('/v1/dispatch/mutation?dryRun=true&effects=true', {
        path: path(m.make),
        args: members([a, 'tried'], [b, '#i1']),
      });
      expect(changed.effects.facts.length).toBeGreaterThan(0);

      // Lists, with filters, order and labels.
      const filter = encodeURIComponent(JSON.stringify([[a, 'startsWith', 'f']]));
      const route = `/v1/individuals?class=${path(m.Thing)}&filter=${filter}&sort=-${a}&include=labels`;
      const list = await get(route);
      expect(list.result.map((entity: object) => Reflect.get(entity, a))).toEqual(['fourth', 'first', 'fifth']);
      const tuples = await get(`/v1/relations/${path(m.link)}?sort=${a}.${a},${b}.${a}`);
      expect(tuples.result.length).toBe(6);
      expect((await get(`/v1/individuals?class=${path(m.Linked)}`)).result.length).toBe(4);
      const first = (await get('/v1/individuals/%23i1')).result;
      expect(Reflect.get(first, e)).toEqual(['#i2']);

      // Checks: parameters, and the message, which uses a variable of the body.
      const firings = (await get(`/v1/checks?check=${path(m.loops)}`)).result;
      expect(firings.find(({ tuple }: { tuple: object }) => Reflect.get(tuple, b) === 'first')).toMatchObject({
        message: 'first first true',
        tuple: members([a, '#i1'], [b, 'first']),
      });

      // Proofs, with bindings by name, why-nots, suggestions, and rows of queries.
      const proof = await post('/v1/explain', { relation: path(m.reach), tuple: ['#i3', '#i1'] });
      expect(proof.result).toMatchObject({ holds: true, proof: { bindings: members([a, '#i3'], [b, '#i1']) } });
      const whyNot = await post('/v1/explain?suggest=true', { relation: path(m.reach), tuple: [one, '#i1'] });
      expect(whyNot.result.holds).toBe(false);
      expectSame(whyNot.result.whyNot.clauses[1].bindings, members([a, one], [b, '#i1'], [c, '#i2']));
      const given = { clause: 1, values: members([c, '#i3']) };
      const asGiven = await post('/v1/explain', { relation: path(m.reach), tuple: [one, '#i1'], given });
      expectSame(asGiven.result.whyNot.clauses[1].bindings, members([a, one], [b, '#i1'], [c, '#i3']));
      await post('/v1/explain', { relation: path(m.loops), tuple: ['#i1', 'first'] });
      const ofRow = await post('/v1/dispatch/query/explain', { ...request, row }, {});
      expect(ofRow.result.holds).toBe(true);
      await post('/v1/dispatch/query/profile', { path: path(m.named), args: members([a, 'one']) });
      await get('/v1/derived/individuals/%23i1/explain');

      // Ad-hoc queries and derives.
      const source = `query ${m.adhoc}(${d}: Text) -> [{ ${e}: Text }] { select { ${e}: ${c}.${a} } where ${m.Thing}(${c}), ${c}.${a} == ${d} }`;
      const adhoc = await post('/v1/query/adhoc', { source, args: members([d, 'first']) });
      expectSame(adhoc.result, [members([e, 'first'])]);
      const derive = await post('/v1/query/adhoc', {
        source: `derive ${m.adhoc}(${d}: ${m.Thing}) when ${m.link}(${d}, @${m.one})`,
      });
      expectSame(derive.result, []);

      // Forks, whose ids begin with a letter.
      const fork = '/v1/forks/constructor';
      await post('/v1/forks', { id: 'constructor' });
      await post(`${fork}/dispatch/mutation`, { path: path(m.make), args: members([a, 'in a fork'], [b, '#i1']) });
      await post(`${fork}/derive`, {});
      expect((await get(`${fork}/diff/main?derived=true`)).result.length).toBeGreaterThan(0);
      await post(`${fork}/promote?dryRun=true`, {});
      await post(`${fork}/promote`, {});
      const undone = (await get('/v1/events')).result.at(-1).txn;
      await post(`/v1/transactions/${undone}/undo`, {});

      // Tests.
      const tests: TestResult[] = (await post('/v1/tests/run', {})).result;
      expect(tests.map(({ name, passed, failure }) => [name, passed, failure?.message])).toEqual([
        ['holds', true, undefined],
        ['fails', false, expect.stringContaining('is false')],
      ]);
      expectSame(tests[1]?.failure?.values, members([a, '#i1'], [`${a}.${c}`, 1]));
      await get('/v1/tests/coverage');

      // Files beside the module, and the description of the module.
      const variables = members([a, 'one'], [b, 'two']);
      await put(server, '/v1/module/environments/constructor', { variables, revision: null });
      expectSame((await get('/v1/module/environments')).result.environments[0].variables, variables);
      const call = { name: a, query: path(m.named), args: members([a, 'one'], [b, record]), context: bodyContext };
      const calls = [{ ...call, sets: members([a, '$.x']) }];
      await put(server, '/v1/module/collections/constructor', { calls, revision: null });
      expectSame((await get('/v1/module/collections')).result.collections[0].calls, calls);
      await get('/v1/openapi.json');
      await get('/v1/module');
      const schema = JSON.stringify((await get('/v1/schema')).result);
      for (const kind of KINDS) expect(schema).toContain(`"${path(m[kind])}"`);

      // Rows as a table.
      const csv = await server.call('GET', `/v1/individuals?class=${path(m.Thing)}`, undefined, {
        ...header,
        accept: 'text/csv',
      });
      expect(String(csv.body).split('\n')[0]?.trim().split(',')).toEqual(expect.arrayContaining([a, b, c, d]));

      // The artifact, uploaded as bytes, and the data directory, read again.
      const before = (await get('/v1/snapshot')).result;
      const artifact = Buffer.from(JSON.stringify((await get('/v1/module/artifact')).result));
      const asArtifact = { 'content-type': 'application/vnd.entail.artifact+json' };
      success(await server.call('PUT', '/v1/module', artifact, asArtifact));
      expectSame((await get('/v1/snapshot')).result, before);
      await server.stop();
      const { folder } = server;
      server = await serve(m.text, { onDisk: true, folder });
      expectSame((await get('/v1/snapshot')).result, before);
      expectSame((await get(route)).result, list.result);

      // All stored facts under the next name, which another declaration had before.
      const next = moduleOf(shift + 1, [a, b]);
      const renames = renamed(m, next);
      const files = (await get('/v1/module/sources')).result.files;
      const saved = { files: [{ ...files[0], text: next.text }], renames };
      const { result } = success(await server.call('PUT', '/v1/module/sources', saved, header));
      expect([result.reloaded, result.failure?.message]).toEqual([true, undefined]);
      const query = { path: `${next.module}::${next.named}`, args: members([next.a, 'first']) };
      const nextHeader = { [headerOfContextField(next.a)]: 'by header' };
      const [found] = (await post('/v1/dispatch/query', query, nextHeader)).result;
      expect([found[next.a][next.a], found[next.a][next.b], found[next.b], found[next.c]]).toEqual([
        'first',
        next.a,
        'first',
        next.a,
      ]);
      const history = (await server.call('GET', '/v1/events', undefined, nextHeader)).body.result;
      expect(history[0]).toMatchObject({ kind: 'insertIndividual', concept: `${next.module}::${next.Thing}` });
    },
  );
});

async function put(server: RealServer, route: string, body: object): Promise<void> {
  success(await server.call('PUT', route, body));
}
