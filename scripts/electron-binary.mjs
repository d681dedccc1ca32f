/** Finds the Electron to run: the one that is named, or the one that the `electron` package has fetched before. Fetches none. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const electronPackage = join(import.meta.dirname, '../node_modules/electron');

/** @returns {string | undefined} the executable's path */
export function electronBinary() {
  const named = process.env['ENTAIL_ELECTRON'];
  if (named) return process.platform === 'win32' ? named : join(import.meta.dirname, 'electron-entry-first.sh');
  const pathFile = join(electronPackage, 'path.txt');
  if (!existsSync(pathFile)) return undefined;
  const binary = join(electronPackage, 'dist', readFileSync(pathFile, 'utf8'));
  return existsSync(binary) ? binary : undefined;
}

/** Whether a window could be shown here. */
export function hasDisplay() {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

/** Arguments that Electron needs on this machine: its sandbox refuses to run as root, which is what containers run as. */
export function electronArguments() {
  return process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}
