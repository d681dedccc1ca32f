/** Finds the Chromium for end-to-end tests, demos and icons: the configured one, or the system's. Downloads nothing. */

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Without a window, like Playwright's own: a fifth less work than the whole browser. */
const HEADLESS = 'chromium-headless-shell';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const MAC_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * The executable's path, or undefined if none exists, so that Playwright uses its own.
 * @param {boolean} isWhole whether a browser with windows is needed
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
 * Playwright's launch options. Chromium's own sandbox refuses to run as root, the user of most containers.
 * @param {boolean} isWhole whether a browser with windows is needed
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
