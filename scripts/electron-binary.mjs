/**
 * Finds the Electron to run and the one to package: the configured one, or the one that the `electron` package has already
 * downloaded. Only `fetchElectron` downloads anything.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const electronPackage = join(import.meta.dirname, '../node_modules/electron');

/** @returns {string | undefined} the executable's path */
export function electronBinary() {
  const named = process.env['ENTAIL_ELECTRON'];
  if (named) return process.platform === 'win32' ? named : join(import.meta.dirname, 'electron-entry-first.sh');
  return fetchedElectron()?.binary;
}

/** @returns {string | undefined} the folder that a release of Electron is unpacked to */
export function electronDistribution() {
  const [folder, binary] = [process.env['ENTAIL_ELECTRON_DIST'], process.env['ENTAIL_ELECTRON']];
  if (folder || !binary) return folder || fetchedElectron()?.folder;
  // The binary of macOS is in a bundle, and that in the folder.
  return join(dirname(binary), process.platform === 'darwin' ? '../../..' : '.');
}

/**
 * Downloads the binary of the `electron` package.
 * @returns {string | undefined} the reason and the way out if it failed
 */
export function fetchElectron() {
  console.log('Fetching Electron (once) …');
  const script = join(import.meta.dirname, 'download-electron.mjs');
  const fetched = spawnSync(process.execPath, [script], { encoding: 'utf8', stdio: ['ignore', 'inherit', 'pipe'] });
  if (fetched.status === 0) return undefined;
  return `${firstLine(fetched.stderr) ?? 'no reason given'}. ${WAY_OUT}`;
}

const WAY_OUT =
  'Set HTTPS_PROXY behind a proxy, ELECTRON_MIRROR to a mirror of its releases, or ENTAIL_ELECTRON to an Electron on this machine';

/** @param {string | null} text */
export function firstLine(text) {
  return (text ?? '')
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim();
}

function fetchedElectron() {
  const pathFile = join(electronPackage, 'path.txt');
  if (!existsSync(pathFile)) return undefined;
  const folder = join(electronPackage, 'dist');
  const binary = join(folder, readFileSync(pathFile, 'utf8'));
  return existsSync(binary) ? { folder, binary } : undefined;
}

/** Whether a window could be shown here. */
export function hasDisplay() {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

/** Electron's arguments on this machine: its sandbox refuses to run as root, the user of most containers. */
export function electronArguments() {
  return process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}
