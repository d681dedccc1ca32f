/**
 * `npm test`: lints, type-checks and builds in parallel, and runs every test that can run on this machine. A failed step does not
 * prevent the next ones, except that end-to-end tests need a build. The last line is the total of all suites.
 */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { electronBinary, hasDisplay } from './electron-binary.mjs';
import { systemChromium } from './system-chromium.mjs';

const root = join(import.meta.dirname, '..');
const results = join(root, 'test-results');
/** The number of characters of a failure that the summary repeats: the counterexample with its seed and path. */
const MESSAGE_MAX = 4_000;
/** @type {string[]} */
const failures = [];
/** @type {string[]} */
const notes = [];

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

// These steps are independent, and each uses little more than one core.
const checks = ['lint', 'typecheck', 'build'].map((script) => ({ script, ended: npm(script) }));
for (const { script, ended } of checks) tell(script, await ended);
const built = !failures.includes('build');
await prepared();
step('unit tests', 'npx', ['vitest', 'run']);
if (built) journeys();
else notes.push('Not run: the journeys, for there is no build.');

// Printed again, since the end of a long log is read first, or is all that is stored of it.
for (const { test, message } of [...vitestFailures(), ...playwrightFailures()]) {
  const lines = stripVTControlCharacters(message).split('\n');
  const told = lines.filter((each) => !each.includes('/node_modules/')).join('\n');
  console.log(`\n✗ ${test}\n${told.slice(0, MESSAGE_MAX).trimEnd()}\n`);
}
const totals = sum([...vitestTotals(), ...playwrightTotals()]);
for (const note of notes) console.log(note);
if (failures.length > 0) console.log(`Failed: ${failures.join(', ')}.`);
const line = `${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`;
writeFileSync(join(results, 'totals.txt'), `${line}\n`);
console.log(line);
process.exitCode = failures.length === 0 && totals.failed === 0 ? 0 : 1;

/** `.ci/run` installs programs meanwhile, and then writes the path of Electron, if there is one, into this file. */
async function prepared() {
  const file = process.env['ENTAIL_PREPARED'];
  if (file === undefined) return;
  while (!existsSync(file)) await setTimeout(500);
  const electron = readFileSync(file, 'utf8').trim();
  if (electron !== '') process.env['ENTAIL_ELECTRON'] = electron;
  rmSync(file);
}

function journeys() {
  /** @type {string[]} */
  const projects = [];
  if (chromiumIsThere()) projects.push('--project=chromium');
  else notes.push('Skipped: the journeys in Chromium. Install it, or name one in ENTAIL_CHROMIUM.');
  const screen = hasDisplay() ? [] : virtualScreen();
  if (electronBinary() === undefined) {
    notes.push(
      'Skipped: the desktop. There is no Electron here; `npm start` fetches it, or ENTAIL_ELECTRON names one.',
    );
  } else if (screen === undefined) {
    notes.push('Skipped: the desktop. There is neither a display nor xvfb-run here.');
  } else {
    projects.push('--project=electron');
  }
  if (projects.length === 0) return;
  const [command = 'npx', ...before] = [...(screen ?? []), 'npx'];
  step('journeys', command, [...before, 'playwright', 'test', ...projects]);
}

/** The system's Chromium or Playwright's own; otherwise the system's is installed if that is allowed. */
function chromiumIsThere() {
  if (systemChromium() !== undefined) return true;
  const { chromium } = createRequire(import.meta.url)('@playwright/test');
  if (existsSync(chromium.executablePath())) return true;
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !onPath('apt-get')) return false;
  console.log('Installing Chromium from the packages of the system …');
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { stdio: 'inherit' });
  return onPath('chromium');
}

/** The command that runs another command on a virtual screen; undefined if it is not installed. */
function virtualScreen() {
  return onPath('xvfb-run') ? ['xvfb-run', '-a'] : undefined;
}

/** @param {string} name */
function onPath(name) {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}

/** @typedef {{ isOk: boolean, output: Buffer }} Ended */

/**
 * Runs a script and prints its output when it ends, since several scripts run in parallel.
 * @param {string} script
 * @returns {Promise<Ended>}
 */
async function npm(script) {
  const child = spawn('npm', ['run', '--silent', script], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its output goes to a terminal, although not directly, so that colours are allowed.
    env: { ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), ...process.env },
    shell: process.platform === 'win32',
  });
  /** @type {Buffer[]} */
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
  const [code] = await once(child, 'close');
  return { isOk: code === 0, output: Buffer.concat(said) };
}

/**
 * @param {string} name
 * @param {Ended} ended
 */
function tell(name, { isOk, output }) {
  console.log(`\n— ${name}`);
  process.stdout.write(output);
  if (!isOk) failures.push(name);
}

/**
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 */
function step(name, command, args) {
  console.log(`\n— ${name}`);
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ENTAIL_TEST_RESULTS: results },
    shell: process.platform === 'win32',
  });
  if (status !== 0) failures.push(name);
}

/** @typedef {{ passed: number, failed: number, skipped: number }} Totals */

/** @returns {Totals[]} */
function vitestTotals() {
  const report = readReport('vitest.json');
  if (report === undefined) return [];
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests, numTodoTests } = report;
  return [{ passed, failed, skipped: numPendingTests + numTodoTests }];
}

/** @returns {Totals[]} */
function playwrightTotals() {
  const report = readReport('playwright.json');
  if (report === undefined) return [];
  const { expected, unexpected, flaky, skipped } = report.stats;
  return [{ passed: expected, failed: unexpected + flaky, skipped }];
}

/** @typedef {{ test: string, message: string }} Failure */

/** @returns {Failure[]} */
function vitestFailures() {
  /** @type {import('vitest/node').JsonTestResults | undefined} */
  const report = readReport('vitest.json');
  return (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((each) => each.status === 'failed');
    // A file that could not be read has no tests.
    if (failed.length === 0 && status === 'failed') return [{ test: file, message: message ?? '' }];
    return failed.map(({ fullName, failureMessages }) => ({
      test: `${file} › ${fullName}`,
      message: (failureMessages ?? []).join('\n'),
    }));
  });
}

/** @returns {Failure[]} */
function playwrightFailures() {
  /** @type {import('@playwright/test/reporter').JSONReport | undefined} */
  const report = readReport('playwright.json');
  return (report?.suites ?? []).flatMap(failuresOf);
}

/**
 * @param {import('@playwright/test/reporter').JSONReportSuite} suite
 * @returns {Failure[]}
 */
function failuresOf({ file, title, specs, suites = [] }) {
  const failed = specs.filter(({ ok }) => !ok);
  const own = failed.map((spec) => ({
    test: [file, ...(title === file ? [] : [title]), spec.title].join(' › '),
    message: spec.tests.flatMap(({ results }) => results.flatMap(({ error }) => error?.message ?? [])).join('\n'),
  }));
  return [...own, ...suites.flatMap(failuresOf)];
}

/** @param {string} name */
function readReport(name) {
  const file = join(results, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/**
 * @param {Totals[]} suites
 * @returns {Totals}
 */
function sum(suites) {
  return suites.reduce(
    (all, one) => ({
      passed: all.passed + one.passed,
      failed: all.failed + one.failed,
      skipped: all.skipped + one.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}
