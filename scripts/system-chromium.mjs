/** Finds the Chromium that journeys, demos and icons are made with: the one that is named, or the system's own. Downloads none. */

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Without a window: what Playwright's own is too, and a fifth less work than the whole browser. */
const HEADLESS = 'chromium-headless-shell';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const MAC_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * The executable's path; undefined where there is none, which leaves Playwright to its own.
 * @param {boolean} isWhole whether it has to be the browser with its windows
 * @returns {string | undefined}
 */
export function systemChromium(isWhole = false) {
  const named = process.env['ENTAIL_CHROMIUM'];
  if (named) return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const names = isWhole ? NAMES : [HEADLESS, ...NAMES];
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...MAC_PATHS].find(isExecutable);
}

/**
 * How Playwright is to launch it. Chromium's own sandbox refuses to run as root, which is what containers run as.
 * @param {boolean} isWhole whether it has to be the browser with its windows
 */
export function chromiumOptions(isWhole = false) {
  const executablePath = systemChromium(isWhole);
  return { ...(executablePath === undefined ? {} : { executablePath }), chromiumSandbox: process.getuid?.() !== 0 };
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
