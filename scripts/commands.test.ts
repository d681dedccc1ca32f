/** The messages of `npm run demo`, `npm run dist` and the download of Electron if they fail. End-to-end tests cover the rest. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'entail-commands-'));
  writeFileSync(join(folder, 'story.md'), '# Story\n\nModule: nothing.entail\n\n## Scene\n');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(script: string, args: readonly string[], environment: Record<string, string> = {}) {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, script), ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  return { status, stderr: stderr.replaceAll(folder, 'FOLDER') };
}

it.each([
  ['missing.md', 'FOLDER/missing.md cannot be read. Name the file of a story, or none to see the sample.\n'],
  [
    'story.md',
    'FOLDER/nothing.entail cannot be read. FOLDER/story.md names it as a module; write where it lies from there.\n',
  ],
])('rejects a demo of %s before a window opens', (file, stderr) => {
  expect(run('demo.mjs', [join(folder, file)])).toEqual({ status: 1, stderr });
});

it.each([
  ['ENTAIL_ELECTRON_DIST', () => ({ ENTAIL_ELECTRON_DIST: folder })],
  [
    'ENTAIL_ELECTRON',
    // On macOS it names the program in a bundle.
    () => {
      const program = process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron';
      return { ENTAIL_ELECTRON_DIST: '', ENTAIL_ELECTRON: join(folder, program) };
    },
  ],
])('packs nothing if the folder that %s names has no Electron, and says so', (_name, variables) => {
  const { status, stderr } = run('dist.mjs', ['--output', join(folder, 'dist')], variables());
  expect(status).toBe(1);
  expect(stderr).toBe(
    'Nothing was packed: FOLDER is no distribution of Electron: it has no file called version. ENTAIL_ELECTRON_DIST may name the folder that a release of Electron is unpacked to, for this system and processor.\n',
  );
});

/** Answers every request with 404, and records requests to be passed on, as a proxy gets them. */
async function withServer(use: (port: number, passedOn: readonly string[]) => Promise<void>): Promise<void> {
  const passedOn: string[] = [];
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.on('connect', ({ url }, socket) => {
    passedOn.push(url ?? '');
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use((server.address() as AddressInfo).port, passedOn);
  } finally {
    server.close();
  }
}

/** Not `spawnSync`, during which the server could not answer. */
async function download(environment: Record<string, string>) {
  const inherited = Object.entries(process.env).filter(([name]) => !/_proxy$|^electron_/i.test(name));
  const env = { ...Object.fromEntries(inherited), electron_config_cache: join(folder, 'cache'), ...environment };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'download-electron.mjs')], { env });
  const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)]);
  return { code, stderr };
}

it('names the status and the address if a mirror lacks Electron', () =>
  withServer(async (port) => {
    const { code, stderr } = await download({ ELECTRON_MIRROR: `http://127.0.0.1:${port}/` });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^Response code 404 \(Not Found\) for http:\/\/127\.0\.0\.1:\d+\/v[\d.]+\/electron-v\S+\.zip\n$/,
    );
  }));

it('names the reason if a mirror cannot be reached', async () => {
  let free = 0;
  await withServer(async (port) => {
    free = port;
  });
  const { code, stderr } = await download({ ELECTRON_MIRROR: `http://127.0.0.1:${free}/` });
  expect([code, stderr]).toEqual([1, `connect ECONNREFUSED 127.0.0.1:${free}\n`]);
});

it('downloads Electron through the proxy of HTTPS_PROXY', () =>
  withServer(async (port, passedOn) => {
    const { code, stderr } = await download({ HTTPS_PROXY: `http://127.0.0.1:${port}` });
    expect(code).toBe(1);
    expect(new Set(passedOn)).toEqual(new Set(['github.com:443']));
    expect(stderr).toContain('502');
  }));
