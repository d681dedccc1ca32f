/** The files that the desktop's protocol handler serves: only those of the page. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { servePage } from './page-files.js';

let root = '';
let page = '';

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'entail-page-'));
  page = join(root, 'renderer');
  mkdirSync(join(page, 'assets'), { recursive: true });
  writeFileSync(join(page, 'index.html'), '<meta name="style-nonce" content="__STYLE_NONCE__" />');
  writeFileSync(join(page, 'assets/main.js'), 'export {};');
  writeFileSync(join(root, 'secret.txt'), 'secret');
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

it('uses a new nonce for each response with the page, in the policy and in the page', async () => {
  const nonces = new Set<string>();
  for (const path of ['/', '/index.html', '/explain', '/explain/lease::liable']) {
    const response = await servePage(page, path, 'p');
    const nonce = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1] ?? '(none)';
    expect(await response.text()).toContain(`content="${nonce}"`);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(4);
});

it('sends assets with their type', async () => {
  const response = await servePage(page, '/assets/main.js', 'p');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
});

it.each([
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/..%5csecret.txt',
  '/a%00.js',
  '/%E0%A4.js',
  '/none.js',
])('responds with 404 to %s', async (path) => {
  expect((await servePage(page, path, 'p')).status).toBe(404);
});
