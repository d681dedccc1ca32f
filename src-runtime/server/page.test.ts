/** The workbench page: served without a token, under a content policy, beside the API. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeRuntime } from './testing/fake-runtime.js';
import { serveFake, type TestServer } from './testing/http.js';

const HTML = '<meta name="style-nonce" content="__STYLE_NONCE__"><div id="root"></div>';
let folder: string;
let server: TestServer;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'entail-page-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), HTML);
  await writeFile(join(folder, 'assets', 'index-Ab3_x-9Z.js'), 'export {};');
  server = await serveFake(createFakeRuntime(), { page: folder });
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const browse = (path: string) => server.call('GET', path, undefined, { authorization: '', accept: 'text/html' });

describe('the page', () => {
  it('requires no token and has a content policy with a fresh nonce', async () => {
    const first = await browse('/');
    const policy = first.headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    expect(first.status).toBe(200);
    expect(first.body).toBe(HTML.replace('__STYLE_NONCE__', nonce));
    expect(policy).toContain("default-src 'self'; script-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect((await browse('/')).headers.get('content-security-policy')).not.toBe(policy);
  });

  it('is served for the paths that it routes', async () => {
    expect((await browse('/explain/lease')).body).toContain('<div id="root">');
  });

  it('has assets that browsers may cache forever', async () => {
    const { status, body, headers } = await server.call('GET', '/assets/index-Ab3_x-9Z.js', undefined, {
      authorization: '',
    });
    expect([status, body]).toEqual([200, 'export {};']);
    expect(headers.get('cache-control')).toContain('immutable');
    expect(headers.get('content-type')).toContain('javascript');
  });

  it('reports a missing asset instead of serving the page for it', async () => {
    await rm(join(folder, 'assets', 'index-Ab3_x-9Z.js'));
    const { status, body } = await browse('/assets/index-Ab3_x-9Z.js');
    expect([status, body.error.code]).toEqual([404, 'SVC_RUNTIME_UNKNOWN_ROUTE']);
    expect(body.error.message).toContain('/assets/index-Ab3_x-9Z.js no longer exists');
  });

  it.each([
    ['another build has taken its place', () => writeFile(join(folder, 'index.html'), `${HTML}<p>`)],
    ['its files are gone', () => rm(join(folder, 'index.html'))],
  ])('asks for a restart instead of loading missing files if %s', async (_, change) => {
    await change();
    const { body } = await browse('/data');
    expect(body).toContain('Restart the server');
    expect(body).not.toContain('id="root"');
  });

  it.each(['/assets/none.js', '/../package.json', '/assets/%2e%2e/%2e%2e/secret.txt', '/v1/nothing'])(
    'is not served for %s, an unknown route',
    async (path) => {
      const { status, body } = await server.call('GET', path, undefined, { accept: 'text/html' });
      expect([status, body.error.code]).toEqual([404, 'SVC_RUNTIME_UNKNOWN_ROUTE']);
    },
  );
});
