/** Installing the `entail` command on each system. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CommandSystem, commandFile, commandScript, installCommand } from './install-command.js';

vi.mock('electron', () => ({ app: { isPackaged: true } }));

let home = '';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'entail-command-'));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

const system = (given: Partial<CommandSystem> = {}): CommandSystem => ({
  platform: 'linux',
  home,
  environment: { PATH: '/usr/bin' },
  program: '/opt/Entail/entail-workbench',
  ...given,
});

// On Windows the folders of other systems do not exist.
describe.skipIf(process.platform === 'win32')('on Linux', () => {
  it('writes a script, replaces its own one, and says whether a shell finds it', async () => {
    const file = join(home, '.local/bin/entail');
    expect(await installCommand(system())).toEqual({ installed: true, file, isOnPath: false });
    expect(statSync(file).mode & 0o777).toBe(0o755);
    const moved = system({
      program: '/new/entail-workbench',
      environment: { PATH: `/bin:${join(home, '.local/bin')}` },
    });
    expect(await installCommand(moved)).toEqual({ installed: true, file, isOnPath: true });
    expect(readFileSync(file, 'utf8')).toContain('/new/entail-workbench');
  });

  it('keeps a file that it did not write', async () => {
    const file = join(home, '.local/bin/entail');
    mkdirSync(join(home, '.local/bin'), { recursive: true });
    writeFileSync(file, '#!/bin/sh\necho mine\n');
    expect(await installCommand(system())).toEqual({
      installed: false,
      file,
      reason: `${file} is another program. Remove or rename it first.`,
    });
    expect(readFileSync(file, 'utf8')).toBe('#!/bin/sh\necho mine\n');
  });

  it('says why a folder cannot be used', async () => {
    writeFileSync(join(home, '.local'), 'a file');
    expect(await installCommand(system())).toMatchObject({
      installed: false,
      reason: expect.stringMatching(/\.local/),
    });
  });
});

it.each([
  ['darwin', {}, '/usr/local/bin/entail'],
  ['linux', {}, '/home/ada/.local/bin/entail'],
  ['win32', { LOCALAPPDATA: 'C:\\L' }, 'C:\\L\\Microsoft\\WindowsApps\\entail.cmd'],
] as const)('puts the command into a folder of the path on %s', (platform, environment, expected) => {
  expect(commandFile(system({ platform, environment, home: '/home/ada' }))).toBe(expected);
});

it.each([
  ['darwin', {}, "/A'p/Entail", `exec '/A'\\''p/Entail' --log-level=3 --cli -- "$@"\n`],
  ['linux', { APPIMAGE: '/a/E.AppImage' }, '/tmp/m/x', "exec '/a/E.AppImage' --no-sandbox"],
  ['win32', {}, 'C:\\100%\\Entail.exe', '@"C:\\100%%\\Entail.exe" --log-level=3 --cli -- %*\r\n'],
] as const)('quotes the program on %s', (platform, environment, program, expected) => {
  expect(commandScript(system({ platform, environment, program }))).toContain(expected);
});
