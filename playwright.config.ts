/** Journeys through the workbench: `chromium` on the page of `entail serve`, `electron` on the desktop application; `bench` measures. */

import { defineConfig, type ReporterDescription } from '@playwright/test';
import type { ServedOptions } from './e2e/support/served-workbench.js';
import { chromiumOptions } from './scripts/system-chromium.mjs';

/** Passed to the workers in the environment, because they do not get this command line. */
if (process.argv.includes('--headed') || process.argv.includes('--debug')) process.env['ENTAIL_JOURNEYS_SHOWN'] = '1';
const areShown = process.env['ENTAIL_JOURNEYS_SHOWN'] === '1';

const results = process.env['ENTAIL_TEST_RESULTS'];
const list: ReporterDescription = ['list'];

export default defineConfig<ServedOptions>({
  testDir: 'e2e',
  outputDir: 'test-results/journeys',
  // Each journey starts its own server or window, with its own data directory.
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
    // Traces take a tenth of the time. `--trace on` records them.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    // Windows on one screen take the focus from each other, so they run one at a time. They start first, in parallel with the pages.
    { name: 'electron', testMatch: /\.desktop\.spec\.ts$/, workers: 1 },
    {
      name: 'chromium',
      testIgnore: /\.desktop\.spec\.ts$/,
      use: {
        browserName: 'chromium',
        // The optimizing compilers of V8 take more time than they save on a page that is open for seconds.
        launchOptions: { ...chromiumOptions(areShown), args: ['--js-flags=--no-maglev --no-opt'] },
        // One journey shows the transitions (`page.spec.ts`). Drawing them in all costs about a twentieth of the time.
        reducedMotion: 'reduce',
      },
    },
    {
      // `npm run demo`: its steps take as long as the page works (e2e/support/teller.ts).
      name: 'demo',
      testMatch: /demo\.spec\.ts$/,
      grep: /plays the story/,
      timeout: 0,
      expect: { timeout: 0 },
      use: { browserName: 'chromium', launchOptions: chromiumOptions(areShown), prefetch: true },
    },
    {
      name: 'bench',
      testDir: 'bench/page',
      testMatch: /\.bench\.ts$/,
      // One at a time, because parallel work would distort the measurements.
      workers: 1,
      // The full browser: benchmarks drag the thumb of the scrollbar, which the headless shell hides.
      use: {
        browserName: 'chromium',
        launchOptions: { ...chromiumOptions(true), ignoreDefaultArgs: ['--hide-scrollbars'] },
        // Each benchmark gets a new server, and the page as users get it.
        ownProcess: true,
        prefetch: true,
      },
    },
  ],
});
