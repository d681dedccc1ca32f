/** `npm start` without a display prints an address, even if this checkout's workbench already runs. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@playwright/test';

const ROOT = join(import.meta.dirname, '..');

const running: ChildProcess[] = [];

test.afterEach(async () => {
  for (const child of running.splice(0)) {
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await ended;
  }
});

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

async function start(): Promise<{ readonly address: string; readonly lines: readonly string[] }> {
  const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, npm_lifecycle_event: _npm, ...env } = process.env;
  const child = spawn(process.execPath, [join(ROOT, 'scripts/start.mjs')], { cwd: ROOT, env });
  running.push(child);
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    const address = /^Open (http:\S+)$/.exec(line)?.[1];
    if (address !== undefined) return { address, lines };
  }
  throw new Error(`It ended without an address:\n${lines.join('\n')}`);
}
