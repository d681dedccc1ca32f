/** The tests of a module over HTTP: listed, run one by one and in pages, stopped at the deadline, and never on a scope's facts. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../api/client.js';
import { encodeArtifact } from '../artifact/index.js';
import { RequestCancelled } from '../base/ports.js';
import { compile } from '../compiler/index.js';
import type { Runtime } from '../world/index.js';
import { DEFAULT_LIMITS } from './options.js';
import { expectCode } from './testing/expect-code.js';
import { createFakeRuntime } from './testing/fake-runtime.js';
import { serveFake } from './testing/http.js';
import { newFolder, type RealOptions, type RealServer, serversOfTests } from './testing/real.js';

const PEOPLE = `module people
pub concept Person { name: Text }
pub relation knows(a: Person, b: Person)
pub derive linked(a: Person, b: Person) when knows(a, b)
pub derive grow(n: Int) when Person(_), let n = 0
pub derive grow(n: Int) when grow(m), let n = m + 1
pub query everyone() -> [Person] { select p where Person(p) }
pub query names() -> [Text] { select p.name where Person(p) }
pub mutation add(name: Text) -> Person { return insert Person { name: name } }
test "adds" { let p = add("Bo") expect Person(p) }
test "links" {
  let p = add("Bo")
  expect linked(p, p)
}
`;
const RUNAWAY = 'test "never ends" { let p = add("Bo") expect grow(-1) }\n';

const started = serversOfTests();
const serve = (text: string | undefined = PEOPLE, options: RealOptions = {}) => started(text, options);

const run = (server: RealServer, body: object = {}, query = '') => server.call('POST', `/v1/tests/run${query}`, body);
const named = (name: string) => ({ tests: [{ module: 'people', name }] });

describe('POST /v1/tests/try', () => {
  const attempt = (server: RealServer, text: string, body: object = {}) =>
    server.call('POST', '/v1/tests/try', { files: [{ file: 'lease.entail', text }], ...body });

  it('runs tests of unsaved texts, and changes nothing', async () => {
    const server = await serve();
    const text = `${PEOPLE}test "two" { let n = names() expect n == ["Bo"] }\n`;
    const { body } = await attempt(server, text, named('two'));
    expect(body.result).toMatchObject({ tests: [{ name: 'two', passed: false }], isCut: false });
    expect((await attempt(server, text)).body.result.tests).toHaveLength(3);
    expect((await server.call('GET', '/v1/tests')).body.result).toHaveLength(2);
    expectCode(await attempt(server, PEOPLE, named('two')), 'SVC_RUNTIME_VALIDATION_FAILED');
  });

  it('reports errors of texts that do not compile', async () => {
    const { body } = await attempt(await serve(), `${PEOPLE}test "x" { expect nobody(1) }\n`);
    expect(body.result).toMatchObject({ diagnostics: [{ severity: 'error' }], tests: [] });
  });
});

describe('GET /v1/tests', () => {
  it('lists the tests of the sources with their positions', async () => {
    const server = await serve();
    const { status, body } = await server.call('GET', '/v1/tests');
    expect([status, body.available]).toEqual([200, true]);
    expect(body.result).toMatchObject([
      { module: 'people', name: 'adds', span: { file: 'lease.entail', start: { line: 10 } } },
      { module: 'people', name: 'links', span: { start: { line: 11 } } },
    ]);
  });

  it('pages them, and refuses a cursor from before a reload', async () => {
    const server = await serve();
    const first = await server.call('GET', '/v1/tests?limit=1');
    const path = `/v1/tests?limit=1&page=${first.body.nextCursor}`;
    const second = await server.call('GET', path);
    expect([first, second].map(({ body }) => body.result[0].name)).toEqual(['adds', 'links']);
    expect(second.body.nextCursor).toBeUndefined();
    await server.call('POST', '/v1/module/reload');
    expectCode(await server.call('GET', path), 'SVC_RUNTIME_INVALID_CURSOR');
  });

  it('lists an edited test even if the artifact is the same, and health reports the new load', async () => {
    const server = await serve();
    const before = await server.call('GET', '/v1/health');
    await writeFile(join(server.folder, 'lease.entail'), PEOPLE.replace('"links"', '"knows"'));
    const { body } = await server.call('POST', '/v1/module/reload');
    expect(body.moduleHash).toBe(before.body.moduleHash);
    const tests = await server.call('GET', '/v1/tests');
    expect(tests.body.result[1].name).toBe('knows');
    expect(tests.body.loadedAt).toBe((await server.call('GET', '/v1/health')).body.result.module.loadedAt);
  });

  it('reports the tests of an artifact as unknown, unless it carries its sources', async () => {
    const bare = await serveArtifact(false);
    expect((await bare.call('GET', '/v1/tests')).body).toMatchObject({ result: [], available: false });
    expectCode(await run(bare), 'SVC_RUNTIME_VALIDATION_FAILED', /start the server with the \.entail files/);
    const carrying = await serveArtifact(true);
    expect((await carrying.call('GET', '/v1/tests')).body).toMatchObject({ available: true, result: [{}, {}] });
    expect((await run(carrying, named('adds'))).body.result).toMatchObject([{ passed: true }]);
  });

  it('requires a module', async () => {
    const server = await started(undefined);
    expectCode(await server.call('GET', '/v1/tests'), 'SVC_RUNTIME_MODULE_NOT_LOADED');
  });
});

describe('POST /v1/tests/run', () => {
  it('runs all of them, and explains a failed expectation like /v1/explain', async () => {
    const server = await serve();
    const { status, body } = await run(server);
    expect(status).toBe(200);
    expect(body.result).toMatchObject([
      { module: 'people', name: 'adds', passed: true, ms: expect.any(Number) },
      {
        name: 'links',
        passed: false,
        failure: {
          message: 'people::linked(p, p) is false',
          text: 'expect linked(p, p)',
          span: { file: 'lease.entail', start: { line: 13 } },
          values: { p: '#i1' },
          facts: [
            { holds: false, whyNot: { relation: 'people::linked', clauses: [{ fails: { text: 'knows(a, b)' } }] } },
          ],
        },
      },
    ]);
  });

  it('runs the named tests, in that order, page by page', async () => {
    const server = await serve();
    const tests = ['links', 'adds'].map((name) => ({ module: 'people', name }));
    const first = await run(server, { tests }, '?limit=1');
    const second = await run(server, { tests }, `?limit=1&page=${first.body.nextCursor}`);
    expect([...first.body.result, ...second.body.result].map(({ name }) => name)).toEqual(['links', 'adds']);
    expect(second.body.nextCursor).toBeUndefined();
    expectCode(await run(server, {}, `?page=${first.body.nextCursor}`), 'SVC_RUNTIME_INVALID_CURSOR');
  });

  it('refuses an unknown test, and suggests the nearest name', async () => {
    const server = await serve();
    expectCode(await run(server, named('adsd')), 'SVC_RUNTIME_VALIDATION_FAILED', /did you mean "adds"/);
    expectCode(await run(server, { tests: [] }), 'SVC_RUNTIME_VALIDATION_FAILED');
  });

  it('leaves the facts of the scope unchanged', async () => {
    const server = await serve();
    await server.mutation('people::add', { name: 'Ada' });
    const events = (await server.call('GET', '/v1/events')).body.result;
    await run(server);
    expect((await server.query('people::names')).body.result).toEqual(['Ada']);
    expect((await server.call('GET', '/v1/events')).body.result).toEqual(events);
  });

  it('stops an endless test within the time of a request, continues with the next, and serves other requests meanwhile', async () => {
    const server = await serve(RUNAWAY_FIRST, { limits: { timeoutMs: 1000 } });
    let ended = false;
    const running = run(server).finally(() => {
      ended = true;
    });
    let answers = 0;
    while (!ended) {
      expect((await server.call('GET', '/v1/health')).status).toBe(200);
      if (!ended) answers += 1;
    }
    const { body } = await running;
    // During a run that never yields, at most one would get a response.
    expect(answers).toBeGreaterThanOrEqual(3);
    expect(body.result).toMatchObject([
      { name: 'never ends', passed: false, failure: { message: expect.stringMatching(/timed out: .*people::grow/) } },
    ]);
    const rest = await run(server, {}, `?page=${body.nextCursor}`);
    expect(rest.body.result.map(({ name }: { name: string }) => name)).toEqual(['adds', 'links']);
  });

  it('stops when the client disconnects', async () => {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let end = (_error: unknown) => {};
    const ended = new Promise<unknown>((resolve) => {
      end = resolve;
    });
    const endless: Runtime['runTests'] = async (_tests, _paging, { createDeadline }) => {
      const deadline = createDeadline();
      begin();
      try {
        for (;;) {
          await new Promise((resolve) => setImmediate(resolve));
          await deadline.checkpoint();
        }
      } catch (error) {
        end(error);
        throw error;
      }
    };
    const server = await serveFake(createFakeRuntime({}, { runTests: endless }), {
      limits: { ...DEFAULT_LIMITS, timeoutMs: 600_000 },
    });
    const abort = new AbortController();
    const call = createClient({ baseUrl: server.url, token: 'test-token' }).runTests({}, { signal: abort.signal });
    await begun;
    abort.abort();
    await expect(call).rejects.toThrow(/abort/);
    expect(await ended).toBeInstanceOf(RequestCancelled);
    await server.close();
  });
});

describe('GET /v1/tests/coverage', () => {
  it('reports coverage of clauses and callables page by page, and starts again with the next load', async () => {
    const server = await serve(LINKED);
    const first = await server.call('GET', '/v1/tests/coverage?limit=1');
    expect(first.body).toMatchObject({
      result: [{ path: 'people::linked', kind: 'rule', tests: [{ name: 'links' }], missedBy: { name: 'links' } }],
      total: 2,
      loadedAt: (await server.call('GET', '/v1/tests')).body.loadedAt,
    });
    const path = `/v1/tests/coverage?limit=1&page=${first.body.nextCursor}`;
    const { body } = await server.call('GET', path);
    expect(body.result).toMatchObject([{ path: 'people::add', kind: 'mutation', tests: [], missedBy: null }]);
    expect(body.nextCursor).toBeUndefined();
    await server.call('POST', '/v1/module/reload');
    expectCode(await server.call('GET', path), 'SVC_RUNTIME_INVALID_CURSOR');
  });

  it('requires the sources', async () => {
    const bare = await serveArtifact(false);
    expectCode(await bare.call('GET', '/v1/tests/coverage'), 'SVC_RUNTIME_VALIDATION_FAILED', /start the server with/);
  });

  it('continues in the next request after tests that use all of its time', async () => {
    const server = await serve(RUNAWAY_FIRST, { limits: { timeoutMs: 400 } });
    const first = await server.call('GET', '/v1/tests/coverage');
    expect(first.body.result).toEqual([]);
    const rest = await server.call('GET', `/v1/tests/coverage?page=${first.body.nextCursor}`);
    expect(rest.body.result).not.toEqual([]);
  });
});

const LINKED = `module people
pub concept Person { name: Text }
pub relation knows(a: Person, b: Person)
pub individual ada: Person { name: "Ada" }
pub derive linked(a: Person, b: Person) when knows(a, b)
pub mutation add(name: Text) -> Person { return insert Person { name: name } }
test "links" { insert knows(@ada, @ada) expect linked(@ada, @ada) }
`;

const RUNAWAY_FIRST = PEOPLE.replace('test "adds"', `${RUNAWAY}test "adds"`);

async function serveArtifact(includeSources: boolean): Promise<RealServer> {
  const { artifact } = compile([{ file: 'people.entail', text: PEOPLE }], { includeSources });
  if (artifact === undefined) throw new Error('the module of this test does not compile');
  const folder = await newFolder();
  const file = join(folder, 'people.entail.json');
  await writeFile(file, encodeArtifact(artifact));
  return serve(undefined, { folder, files: [file] });
}
