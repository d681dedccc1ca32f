/** `entail workbench`: the user's copy of the sample, and the address. */

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runProgram } from './program.js';
import { testTerminal } from './testing/terminal.js';
import { userFolder } from './workbench.js';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'entail-workbench-'));
  await mkdir(join(folder, 'page'));
  await writeFile(join(folder, 'page/index.html'), '<title>Entail</title>');
  await writeFile(join(folder, 'lease.entail'), 'module lease\npub concept Party { name: Text }\n');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('serves a copy of the sample, and keeps the copy at the next start', async () => {
  const installation = { version: '1.2.3', page: join(folder, 'page'), sample: join(folder, 'lease.entail') };
  // One of them applies, by platform.
  const environment = { XDG_DATA_HOME: folder, LOCALAPPDATA: folder, ENTAIL_LOG_LEVEL: 'silent' };
  const start = async (): Promise<string> => {
    const terminal = testTerminal(environment);
    const ended = runProgram(['workbench'], installation, terminal);
    const line = await terminal.firstLine;
    const [, url = '', token = ''] = /^Open (http:.*)\/#token=(.*)$/.exec(line) ?? [];
    const response = await fetch(`${url}/v1/module`, { headers: { authorization: `Bearer ${token}` } });
    terminal.stop();
    expect(await ended).toBe(0);
    return await response.text();
  };
  expect(await start()).toContain('Party');
  const copy = join(userFolder(process.platform, environment, folder), 'modules/lease.entail');
  await writeFile(copy, `${await readFile(copy, 'utf8')}pub concept Place { name: Text }\n`);
  expect(await start()).toContain('Place');
});

it('says what to do in a checkout without a build', async () => {
  const terminal = testTerminal();
  expect(await runProgram(['workbench'], { version: '1.2.3', page: undefined }, terminal)).toBe(1);
  expect(terminal.complaints).toBe('error: The workbench is not built. Run npm run build.\n');
});

it.each([
  ['linux', {}, '/home/ada/.local/share/entail-workbench'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/entail-workbench'],
  ['darwin', {}, '/home/ada/Library/Application Support/entail-workbench'],
  ['win32', { LOCALAPPDATA: '/local' }, '/local/entail-workbench'],
] as const)("uses the system's folder on %s with %j", (platform, environment, expected) => {
  expect(userFolder(platform, environment, '/home/ada').replaceAll('\\', '/')).toBe(expected);
});
