/** The graphics settings that come before Electron is ready. */

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

/**
 * Keeps GTK from loading OpenGL, which Electron's menus and dialogs do not use: Mesa and LLVM take 30 MB of the main process
 * (bench:desktop). GTK reads the variable before Electron is ready. Call the result to unset it afterwards, because programs that the
 * application starts inherit it.
 */
export function keepOpenGlFromToolkit(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): () => void {
  if (platform !== 'linux' || env['GDK_GL'] !== undefined) return () => undefined;
  env['GDK_GL'] = 'disable';
  return () => {
    delete env['GDK_GL'];
  };
}
