/** Detects machines without a graphics device. */

import { existsSync } from 'node:fs';

/** The files of the kernel's graphics drivers, NVIDIA's driver, and Windows Subsystem for Linux. */
const DEVICES = ['/dev/dri', '/dev/nvidiactl', '/dev/dxg'];

/**
 * True on Linux without a graphics device, as in many virtual machines. There, Chromium's graphics process fails and starts again
 * without hardware, and the page waits for it. Without the first attempt, a start takes 100 to 200 ms less (bench:desktop).
 */
export function hasNoGraphics(platform: NodeJS.Platform, exists: (path: string) => boolean = existsSync): boolean {
  return platform === 'linux' && !DEVICES.some((device) => exists(device));
}
