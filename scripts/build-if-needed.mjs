/** Builds into `out/` unless the build is newer than all of its sources. */

import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const sources = [
  'src-main',
  'src-renderer',
  'src-runtime',
  'scripts/licences.ts',
  'electron.vite.config.ts',
  'package-lock.json',
];
const outputs = [
  'main/index.js',
  'main/desktop/runtime-worker.cjs',
  'main/entail.js',
  'preload/index.cjs',
  'renderer/index.html',
];

/** @returns {boolean} whether an up-to-date build exists now */
export function buildIfNeeded() {
  if (isUpToDate()) return true;
  console.log('Building …');
  const vite = join(root, 'node_modules/electron-vite/bin/electron-vite.js');
  const build = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' });
  return build.status === 0;
}

function isUpToDate() {
  const built = outputs.map((path) => modified(join(root, 'out', path)));
  const oldest = Math.min(...built.map((time) => time ?? 0));
  return sources.every((path) => newest(join(root, path)) <= oldest);
}

/**
 * The latest time at which a file under `path` was changed, in milliseconds.
 * @param {string} path
 * @returns {number}
 */
function newest(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const inside = readdirSync(path).map((name) => newest(join(path, name)));
  return Math.max(found.mtimeMs, ...inside);
}

/** @param {string} path */
function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
