/** Journeys through the workbench: `chromium` on the page that `entail serve` offers, `electron` on the desktop application; `bench` measures. */

import { defineConfig, type ReporterDescription } from '@playwright/test';
import type { ServedOptions } from './e2e/support/served-workbench.js';
import { chromiumOptions } from './scripts/system-chromium.mjs';

/** Told to the workers by the environment, as they have the command line of their own. */
if (process.argv.includes('--headed') || process.argv.includes('--debug')) process.env['ENTAIL_JOURNEYS_SHOWN'] = '1';
const areShown = process.env['ENTAIL_JOURNEYS_SHOWN'] === '1';

const results = process.env['ENTAIL_TEST_RESULTS'];
const list: ReporterDescription = ['list'];

export default defineConfig<ServedOptions>({
  testDir: 'e2e',
  outputDir: 'test-results/journeys',
  // The journeys start servers and windows of their own, each with a data directory of its own.
  fullyParallel: false,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env['CI']),
  retries: 0,
  reporter: results ? [list, ['json', { outputFile: `${results}/playwright.json` }]] : [list],
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 10_000,
    // A tenth of the time, which nobody needs who sees no failure; `--trace on` asks for one.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    // Windows of one screen take the focus from each other, so that one comes after the other: they begin first, beside the pages.
    { name: 'electron', testMatch: /\.desktop\.spec\.ts$/, workers: 1 },
    {
      name: 'chromium',
      testIgnore: /\.desktop\.spec\.ts$/,
      use: { browserName: 'chromium', launchOptions: chromiumOptions(areShown) },
    },
    {
      // `npm run demo`: its steps take as long as the page works (e2e/support/teller.ts).
      name: 'demo',
      testMatch: /demo\.spec\.ts$/,
      grep: /plays the story/,
      timeout: 0,
      expect: { timeout: 0 },
      use: { browserName: 'chromium', launchOptions: chromiumOptions(areShown) },
    },
    {
      name: 'bench',
      testDir: 'bench/page',
      testMatch: /\.bench\.ts$/,
      // One at a time: what runs beside it would be measured too.
      workers: 1,
      // In the browser that users have. The thumb of a scrollbar is dragged, which Playwright hides.
      use: {
        browserName: 'chromium',
        launchOptions: { ...chromiumOptions(true), ignoreDefaultArgs: ['--hide-scrollbars'] },
        // Nor is a server measured that others have been before.
        ownProcess: true,
      },
    },
  ],
});
