/** Whether Chromium may use the graphics device. */

import { expect, it } from 'vitest';
import { hasNoGraphics } from './graphics-device.js';

const machineWith = (...devices: readonly string[]) => hasNoGraphics('linux', (path) => devices.includes(path));

it('finds no graphics on Linux without a device, and leaves other systems to Chromium', () => {
  expect(machineWith()).toBe(true);
  expect(machineWith('/dev/dri')).toBe(false);
  expect(machineWith('/dev/nvidiactl')).toBe(false);
  expect(hasNoGraphics('darwin', () => false)).toBe(false);
  expect(hasNoGraphics('win32', () => false)).toBe(false);
});
