/** Finds the Chromium that journeys, demos and icons are made with: the one that is named, or the system's own. Downloads none. */

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const MAC_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * The executable's path; undefined where there is none, which leaves Playwright to its own.
 * @returns {string | undefined}
 */
export function systemChromium() {
  const named = process.env['ENTAIL_CHROMIUM'];
  if (named) return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...MAC_PATHS].find(isExecutable);
}

/** How Playwright is to launch it. Chromium's own sandbox refuses to run as root, which is what containers run as. */
export function chromiumOptions() {
  const executablePath = systemChromium();
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
