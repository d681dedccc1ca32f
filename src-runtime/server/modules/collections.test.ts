/** Collections over HTTP: plain files beside the module, with safe names, never overwritten unseen. */

import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RealServer, type serveModule, serversOfTests } from '../testing/real.js';

const MODULE = 'module lease\npub concept Party { name: Text }\n';
const ADD = { name: 'Add Ada', mutation: 'lease::add', args: { name: 'Ada' } };

const started = serversOfTests();
const serve = (options: Parameters<typeof serveModule>[1] = {}, text: string | undefined = MODULE) =>
  started(text, options);

const list = async (server: RealServer) => (await server.call('GET', '/v1/module/collections')).body.result.collections;
const save = (server: RealServer, name: string, calls: unknown, revision: string | null = null) =>
  server.call('PUT', `/v1/module/collections/${encodeURIComponent(name)}`, { calls, revision });
const remove = (server: RealServer, name: string, revision: string) =>
  server.call('DELETE', `/v1/module/collections/${encodeURIComponent(name)}?revision=${revision}`);

describe('collections', () => {
  it('are readable files beside the module, listed as they are on disk', async () => {
    const server = await serve();
    expect(await list(server)).toEqual([]);
    const saved = await save(server, 'smoke tests', [ADD]);
    expect(saved).toMatchObject({ status: 200, body: { result: { name: 'smoke tests', calls: [ADD] } } });
    expect(await readFile(join(server.folder, 'smoke tests.calls.json'), 'utf8')).toBe(
      `${JSON.stringify({ format: 'entail-calls', formatVersion: 1, calls: [ADD] }, null, 2)}\n`,
    );
    const calls = [{ name: 'All', adhoc: 'query q() -> [Party] { select p where Party(p) }' }];
    await writeFile(
      join(server.folder, 'adhoc.calls.json'),
      `\ufeff${JSON.stringify({ format: 'entail-calls', formatVersion: 1, calls })}`,
    );
    expect(await list(server)).toMatchObject([{ name: 'adhoc', calls }, { name: 'smoke tests' }]);
  });

  it('are replaced and deleted only if unchanged since they were read', async () => {
    const server = await serve();
    const { revision } = (await save(server, 'smoke', [ADD])).body.result;
    expect(await save(server, 'smoke', [])).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'SVC_RUNTIME_VALIDATION_FAILED',
          message: expect.stringMatching(/exists already/),
          details: { revision },
        },
      },
    });
    const next = (await save(server, 'smoke', [ADD, ADD], revision)).body.result.revision;
    for (const late of [await save(server, 'smoke', [], revision), await remove(server, 'smoke', revision)]) {
      expect(late).toMatchObject({ status: 400, body: { error: { message: expect.stringMatching(/has changed/) } } });
    }
    expect((await list(server))[0].calls).toHaveLength(2);
    expect(await remove(server, 'smoke', next)).toMatchObject({ status: 200, body: { result: null } });
    expect(await readdir(server.folder)).toEqual(['lease.entail']);
    expect((await save(server, 'smoke', [], next)).body.error.message).toMatch(/does not exist any more/);
  });

  it('refuse names that are paths', async () => {
    const server = await serve();
    for (const name of ['../up', '..', '.hidden', 'a/b', 'a\\b', 'nul', 'COM1.x', 'dot.', 'x'.repeat(65)]) {
      const { status } = await save(server, name, [ADD]);
      expect([name, status]).toEqual([name, name === '..' ? 404 : 400]);
    }
    expect(await readdir(server.folder)).toEqual(['lease.entail']);
  });

  it('report an invalid file and keep it', async () => {
    const server = await serve();
    await writeFile(join(server.folder, 'broken.calls.json'), '{');
    await writeFile(join(server.folder, 'other.calls.json'), '{"format":"entail-calls","formatVersion":2,"calls":[]}');
    await mkdir(join(server.folder, 'folder.calls.json'));
    await symlink(join(server.folder, 'lease.entail'), join(server.folder, 'link.calls.json'));
    const found = await list(server);
    expect(found.map((each: { name: string }) => each.name)).toEqual(['broken', 'other']);
    expect(found[0].problem).toMatch(/^broken\.calls\.json cannot be read: it is not JSON/);
    expect(found[1].problem).toMatch(/formatVersion/);
    for (const name of ['broken', 'link', 'folder']) {
      const { body } = await save(server, name, [], found[0].revision);
      expect(body.error.message).toMatch(/cannot be read: .* Mend or move the file first/);
    }
    expect(await readFile(join(server.folder, 'lease.entail'), 'utf8')).toBe(MODULE);
  });

  it('refuse a malformed call, or one of no kind or several', async () => {
    const server = await serve();
    for (const call of [{ name: 'none' }, { ...ADD, query: 'lease::q' }, { ...ADD, surplus: 1 }, { mutation: 'm' }]) {
      expect((await save(server, 'x', [call])).body.error).toMatchObject({ code: 'SVC_RUNTIME_VALIDATION_FAILED' });
    }
  });

  it('require the capability of saving sources, and a module', async () => {
    const server = await serve({ grant: [] });
    expect((await save(server, 'x', [ADD])).body.error.code).toBe('SVC_RUNTIME_CAPABILITY_DENIED');
    expect((await remove(server, 'x', 'r')).body.error.code).toBe('SVC_RUNTIME_CAPABILITY_DENIED');
    const empty = await started(undefined);
    expect(await list(empty)).toEqual([]);
    expect((await save(empty, 'x', [ADD])).body.error.code).toBe('SVC_RUNTIME_MODULE_NOT_LOADED');
  });
});
