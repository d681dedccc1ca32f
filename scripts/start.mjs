/**
 * `npm start`: opens the workbench on the sample module and builds it first if needed. In Electron or, without Electron or a
 * display, in the browser; it prints the reason.
 */

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { buildIfNeeded } from './build-if-needed.mjs';
import { electronArguments, electronBinary, fetchElectron, firstLine, hasDisplay } from './electron-binary.mjs';
import { sampleCopy } from './sample-copy.mjs';

const root = join(import.meta.dirname, '..');

const INSTANCES_MAX = 9;

// npm forwards a signal only to the shell that it runs this script in, and the shell does not forward it.
const parent = process.ppid;
const isLeftBehind = () => process.env['npm_lifecycle_event'] === 'start' && process.ppid !== parent;

if (buildIfNeeded()) {
  if (isLeftBehind()) process.exit(1);
  const { binary, reason } = findElectron();
  if (binary === undefined) openInBrowser(reason);
  else openInElectron(binary);
} else {
  console.error('The build failed; see above.');
  process.exitCode = 1;
}

/** @returns {{ binary: string, reason?: undefined } | { binary?: undefined, reason: string }} */
function findElectron() {
  if (!hasDisplay()) return { reason: 'there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)' };
  const why = electronBinary() === undefined ? fetchElectron() : undefined;
  const binary = electronBinary();
  if (binary === undefined) return { reason: `Electron could not be fetched: ${why}; the next start tries again` };
  const probe = spawnSync(binary, [...electronArguments(), '--version'], { encoding: 'utf8', timeout: 20_000 });
  if (probe.status === 0) return { binary };
  const problem =
    probe.error?.message ?? firstLine(probe.stderr) ?? `it ended with ${probe.signal ?? `code ${probe.status}`}`;
  return { reason: `Electron at ${binary} does not run here: ${problem}` };
}

/** @param {string} binary */
function openInElectron(binary) {
  console.log('Opening the workbench in Electron.');
  const child = spawn(binary, [...electronArguments(), root], {
    cwd: root,
    stdio: 'inherit',
  });
  endWith(child);
}

/**
 * If another instance has locked the folder of the facts, the next free one of this checkout is used. An instance keeps its
 * port over starts: the browser keeps drafts and recent projects for each address.
 * @param {string} reason
 */
function openInBrowser(reason, instance = 1, isPortTaken = false) {
  const { module, projects, otherFacts } = sampleCopy();
  const folder = `${otherFacts}-${instance}`;
  const data = instance === 1 ? [] : ['--data', folder];
  const portFile = join(dirname(projects), `port-${instance}`);
  const port = isPortTaken ? undefined : lastPort(portFile);
  const listen = port === undefined ? [] : ['--port', port];
  const files = [module, ...data, ...listen, '--projects', projects];
  const args = [join(root, 'out/main/entail.js'), 'serve', ...files, '--watch'];
  // A line for each request would move the address out of sight.
  const env = { ENTAIL_LOG_LEVEL: 'warn', ...process.env };
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env });
  let [isTaken, isOtherPortNeeded] = [false, false];
  createInterface({ input: child.stderr }).on('line', (line) => {
    isTaken ||= instance < INSTANCES_MAX && /^error: The data directory .* is in use by /.test(line);
    isOtherPortNeeded ||= port !== undefined && /^error: Cannot listen on /.test(line);
    if (!isTaken && !isOtherPortNeeded) console.error(line);
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { url, token } = JSON.parse(line);
    writeFileSync(portFile, new URL(url).port);
    console.log(`Serving the workbench for a browser, not in Electron: ${reason}.`);
    if (instance > 1)
      console.log(`Another one is running; the facts of this one are kept in ${relative(root, folder)}.`);
    console.log(`Open ${url}/#token=${token}`);
    console.log('Ctrl+C stops it.');
  });
  endWith(child, () => {
    if (isTaken) return openInBrowser(reason, instance + 1);
    return isOtherPortNeeded && openInBrowser(reason, instance, true);
  });
}

/**
 * The port of this instance's last start; undefined before its first.
 * @param {string} file
 */
function lastPort(file) {
  try {
    return /^\d+$/.exec(readFileSync(file, 'utf8'))?.[0];
  } catch {
    return undefined;
  }
}

/**
 * This process ends with the process that it started.
 * @param {import('node:child_process').ChildProcess} child
 * @param {() => unknown} restart Starts a replacement; returns false if none is wanted.
 */
function endWith(child, restart = () => false) {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  setInterval(() => {
    if (isLeftBehind()) child.kill('SIGTERM');
  }, 500).unref();
  child.on('error', (error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
  // Only after its output is read completely.
  child.on('close', (code) => {
    if (restart() === false) process.exitCode = code ?? 1;
  });
}
