/** Environments over HTTP: the values that calls share, in plain files beside the module. `collections.test.ts` tests how such files are kept. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RealServer, serversOfTests } from '../testing/real.js';

const MODULE = 'module lease\npub concept Party { name: Text }\n';
const DEMO = { tenant: 'acme', lease: 'L1' };

const started = serversOfTests();

const list = async (server: RealServer) =>
  (await server.call('GET', '/v1/module/environments')).body.result.environments;
const save = (server: RealServer, name: string, variables: unknown, revision: string | null = null) =>
  server.call('PUT', `/v1/module/environments/${encodeURIComponent(name)}`, { variables, revision });

describe('environments', () => {
  it('are readable files beside the module, replaced and deleted only if unchanged', async () => {
    const server = await started(MODULE);
    const saved = await save(server, 'acme as Vera', DEMO);
    expect(saved).toMatchObject({ status: 200, body: { result: { name: 'acme as Vera', variables: DEMO } } });
    const file = join(server.folder, 'acme as Vera.environment.json');
    expect(await readFile(file, 'utf8')).toBe(
      `${JSON.stringify({ format: 'entail-environment', formatVersion: 1, variables: DEMO }, null, 2)}\n`,
    );
    const changed = { format: 'entail-environment', formatVersion: 1, variables: { tenant: 'other' } };
    await writeFile(file, JSON.stringify(changed));
    const { revision } = saved.body.result;
    expect((await save(server, 'acme as Vera', DEMO, revision)).body.error.message).toMatch(
      /environment "acme as Vera" has changed/,
    );
    const [now] = await list(server);
    expect(now).toMatchObject({ name: 'acme as Vera', variables: { tenant: 'other' } });
    const path = `/v1/module/environments/acme%20as%20Vera?revision=${now.revision}`;
    expect(await server.call('DELETE', path)).toMatchObject({ status: 200 });
    expect(await list(server)).toEqual([]);
  });

  it('refuse values that are not texts, and names that cannot be used between braces', async () => {
    const server = await started(MODULE);
    for (const variables of [{ '': 'x' }, { 'a b': 'x' }, { '{{a}}': 'x' }, { '1a': 'x' }, { a: 1 }, 'x']) {
      const { body } = await save(server, 'x', variables);
      expect([variables, body.error.code]).toEqual([variables, 'SVC_RUNTIME_VALIDATION_FAILED']);
    }
    expect((await save(server, 'x', { 'a b': 'x' })).body.error.message).toBe(
      'The body does not fit the route: the name must be 1 to 64 letters, digits or . _ -, and begin with a letter or _ ($.variables["a b"]).',
    );
    const broken = { format: 'entail-environment', formatVersion: 2, variables: { '1a': 'x' } };
    await writeFile(join(server.folder, 'broken.environment.json'), JSON.stringify(broken));
    const [{ problem, variables }] = await list(server);
    expect(variables).toEqual({});
    expect(problem).toMatch(
      /^broken\.environment\.json cannot be read: expected 1, got 2 \(\$\.formatVersion\); the name must be .* \(\$\.variables\["?1a"?\]\)/,
    );
  });

  it('require the capability of saving sources', async () => {
    const server = await started(MODULE, { grant: [] });
    expect((await save(server, 'x', DEMO)).body.error.code).toBe('SVC_RUNTIME_CAPABILITY_DENIED');
  });
});
