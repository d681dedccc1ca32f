/** The graphics settings that come before Electron is ready. */

import { expect, it } from 'vitest';
import { hasNoGraphics, keepOpenGlFromToolkit } from './graphics-device.js';

const machineWith = (...devices: readonly string[]) => hasNoGraphics('linux', (path) => devices.includes(path));

it('finds no graphics on Linux without a device, and leaves other systems to Chromium', () => {
  expect(machineWith()).toBe(true);
  expect(machineWith('/dev/dri')).toBe(false);
  expect(machineWith('/dev/nvidiactl')).toBe(false);
  expect(hasNoGraphics('darwin', () => false)).toBe(false);
  expect(hasNoGraphics('win32', () => false)).toBe(false);
});

it('sets the variable of GTK until Electron is ready, on Linux only, and keeps a value of the user', () => {
  const env: NodeJS.ProcessEnv = {};
  const unset = keepOpenGlFromToolkit('linux', env);
  expect(env).toEqual({ GDK_GL: 'disable' });
  unset();
  expect(env).toEqual({});

  const chosen: NodeJS.ProcessEnv = { GDK_GL: 'always' };
  keepOpenGlFromToolkit('linux', chosen)();
  expect(chosen).toEqual({ GDK_GL: 'always' });

  const other: NodeJS.ProcessEnv = {};
  keepOpenGlFromToolkit('win32', other);
  expect(other).toEqual({});
});
