/** Starting in a browser: `npm start` without a display, and `npx entail` from the package of `npm pack`. */

import { type ChildProcess, type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@playwright/test';
import { withTemporaryFolder } from './support/temporary-folder.js';

const ROOT = join(import.meta.dirname, '..');

const running: ChildProcess[] = [];

test.afterEach(stopAll);

async function stopAll(): Promise<void> {
  for (const child of running.splice(0)) {
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await ended;
  }
}

test('prints a separate address at a second start', async () => {
  const first = await start();
  const second = await start();
  expect(second.address).not.toBe(first.address);
  for (const { address } of [first, second]) {
    const { origin, hash } = new URL(address);
    const authorization = `Bearer ${hash.replace('#token=', '')}`;
    const response = await fetch(`${origin}/v1/health`, { headers: { authorization } });
    expect((await response.json()).result.module.modules).toEqual(['lease']);
  }
  expect(second.lines.join('\n')).toMatch(/Another one is running; the facts of this one are kept in .*data-\d/);
});

test('opens the workbench and serves a module from an installed package', async ({ page }) => {
  await withTemporaryFolder(async (folder) => {
    const npm = (...args: string[]) => execFileSync('npm', args, { cwd: folder, shell: process.platform === 'win32' });
    npm('pack', ROOT, '--ignore-scripts');
    const [tarball = ''] = readdirSync(folder);
    npm('init', '--yes');
    npm('install', '--prefer-offline', '--no-audit', `./${tarball}`);
    const command = join(folder, 'node_modules/entail/out/main/entail.js');
    const environment = { ...process.env, XDG_DATA_HOME: folder, LOCALAPPDATA: folder, HOME: folder };
    const { address } = await addressOf(spawn(process.execPath, [command], { cwd: folder, env: environment }));
    await page.goto(address);
    await expect(page.getByText('In sync with server')).toBeVisible();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('link', { name: 'About' }).click();
    const licences = page.getByRole('region', { name: 'Built with' });
    await licences.getByText('elkjs').click();
    await expect(licences.getByText('Eclipse Public License').first()).toBeVisible();

    const sample = join(folder, 'node_modules/entail/resources/modules/access.entail');
    const server = spawn(process.execPath, [command, 'serve', sample, '--memory'], { cwd: folder });
    running.push(server);
    for await (const line of createInterface({ input: server.stdout })) {
      expect(JSON.parse(line)).toMatchObject({ event: 'ready', data: 'memory' });
      break;
    }
    await stopAll();
  });
});

test('keeps its address over starts, because the browser keeps drafts for it, unless another server took the port', async () => {
  const first = new URL((await start()).address);
  await stopAll();
  expect(new URL((await start()).address).origin).toBe(first.origin);
  await stopAll();
  const other = createServer().listen(Number(first.port), '127.0.0.1');
  await once(other, 'listening');
  const moved = new URL((await start()).address);
  other.close();
  expect(moved.origin).not.toBe(first.origin);
});

async function start(): Promise<{ readonly address: string; readonly lines: readonly string[] }> {
  const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, npm_lifecycle_event: _npm, ...env } = process.env;
  return await addressOf(spawn(process.execPath, [join(ROOT, 'scripts/start.mjs')], { cwd: ROOT, env }));
}

async function addressOf(child: ChildProcessWithoutNullStreams) {
  running.push(child);
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    const address = /^Open (http:\S+)$/.exec(line)?.[1];
    if (address !== undefined) return { address, lines };
  }
  throw new Error(`It ended without an address:\n${lines.join('\n')}`);
}
