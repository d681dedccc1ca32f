/** Which arguments of the application are a command line. */

import { expect, it } from 'vitest';
import { commandArguments, refusedSwitch } from './command-line.js';

it.each([
  [
    ['--cli', '--', 'check', 'a.entail'],
    ['check', 'a.entail'],
  ],
  [
    ['--no-sandbox', '--ozone-platform=headless', '--cli', '--', 'serve', '--memory'],
    ['serve', '--memory'],
  ],
  [['--cli', '--'], []],
])('runs a command for %j', (args, expected) => {
  expect(commandArguments(args)).toEqual(expected);
});

it.each([
  [[]],
  [['lease.entail']],
  [['--cli', 'serve']],
  [['--', '--cli', '--', 'serve']],
  [['lease.entail', '--cli', '--', 'serve']],
  [['entail://data', '--cli', '--', 'serve', '--allow-remote']],
])('opens the application for %j', (args) => {
  expect(commandArguments(args)).toBeUndefined();
});

const RELEASE = { platform: 'linux', isPackaged: true, isInspected: false } as const;

it.each([
  ['remote-debugging-port', '--remote-debugging-port'],
  ['remote-debugging-port', '--remote-debugging-port=9222'],
  ['remote-debugging-pipe', '--remote-debugging-pipe'],
  ['remote-debugging-address', '-remote-debugging-address=0.0.0.0'],
  ['remote-allow-origins', '--remote-allow-origins=*'],
  ['inspect', '--inspect'],
  ['inspect', '--inspect=0'],
  ['inspect-brk', '--inspect-brk=9229'],
  ['inspect-port', '--inspect-port=1'],
  ['js-flags', '--js-flags=--allow-natives-syntax'],
  ['gpu-launcher', '--gpu-launcher=sh'],
  ['renderer-cmd-prefix', '--renderer-cmd-prefix=sh'],
  ['browser-subprocess-path', '--browser-subprocess-path=/tmp/other'],
  ['disable-web-security', '--disable-web-security'],
])('refuses %s in a release, as %s', (name, arg) => {
  expect(refusedSwitch(['--no-sandbox', '/home/ada/lease.entail', arg], RELEASE)).toBe(name);
  expect(refusedSwitch([arg, '--cli', '--', 'check'], RELEASE), 'for a command').toBe(name);
});

it.each(['/REMOTE-DEBUGGING-PORT=1', ' --Inspect', '-js-flags=x'])('refuses %j on Windows', (arg) => {
  expect(refusedSwitch([arg], { ...RELEASE, platform: 'win32' })).toBeDefined();
});

it.each([
  [['--no-sandbox', '--log-level=3', '--enable-features=UseOzonePlatform']],
  [['/inspect', 'inspect', 'remote-debugging-port', 'entail://log?filter=--inspect']],
  [['--inspected', '--x--inspect', '--title=--inspect']],
  [['--cli', '--', 'check', '--inspect', '--remote-debugging-port=1']],
])('starts a release with %j', (args) => {
  expect(refusedSwitch(args, RELEASE)).toBeUndefined();
});

it('refuses no switch in a checkout, nor in the package for tests, where the debugger is open', () => {
  const args = ['--inspect=0', '--remote-debugging-port=0'];
  expect(refusedSwitch(args, { ...RELEASE, isPackaged: false })).toBeUndefined();
  expect(refusedSwitch(args, { ...RELEASE, isInspected: true })).toBeUndefined();
});
