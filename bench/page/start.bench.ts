/** Measures each panel's start without a cache: from the navigation to the first paint, the rail and the first control. */

import type { Browser } from '@playwright/test';
import { expect, type ServedWorkbench, test } from '../../e2e/support/served-workbench.js';
import { printed } from './measuring.js';

const RUNS = 9;

/** Each panel's address, and the first control that a user would click or type into. */
const PANELS = [
  { name: 'Module', path: '/', control: '.cm-content[contenteditable="true"]' },
  { name: 'Invoke', path: '/invoke', control: 'main form input, main form button' },
  { name: 'Query', path: '/query', control: 'main .cm-content[contenteditable="true"]' },
  { name: 'Data', path: '/data?path=lease::Lease', control: '[role="grid"] [role="row"] a' },
  { name: 'Explain', path: '/explain', control: 'main a[href*="relation="]' },
  { name: 'Forks', path: '/forks', control: 'main [role="tree"] [role="treeitem"]' },
  { name: 'Checks', path: '/checks', control: 'main a[href*="check="]' },
  { name: 'Tests', path: '/tests', control: 'main [role="tree"] [role="treeitem"]' },
  { name: 'Log', path: '/log', control: 'main input' },
  { name: 'Settings', path: '/settings', control: 'main input, main button' },
] as const;

interface Times {
  readonly paint: number;
  readonly rail: number;
  readonly control: number;
  /** From the first paint to the first control. */
  readonly wait: number;
}

test.setTimeout(300_000);

for (const { name, path, control } of PANELS) {
  test(`measures the start of ${name}`, async ({ browser, workbench }) => {
    const runs: Times[] = [];
    for (let run = 0; run < RUNS; run++) runs.push(await opened(browser, workbench, path, control));
    const at = (of: keyof Times): string => {
      const sorted = runs.map((times) => times[of]).toSorted((left, right) => left - right);
      return `${median(sorted).toFixed(0).padStart(5)} ms (${sorted[0]?.toFixed(0)} to ${sorted.at(-1)?.toFixed(0)})`;
    };
    printed(
      name,
      `paint ${at('paint')}, rail ${at('rail')}, first control ${at('control')}, paint to control ${at('wait')}`,
    );
    expect(runs).toHaveLength(RUNS);
  });
}

function median(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The page checks this in each frame, because polling from outside would slow it down. */
async function opened(
  browser: Browser,
  { url, token }: ServedWorkbench,
  path: string,
  control: string,
): Promise<Times> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.addInitScript((selector) => {
      const seen: { rail?: number; control?: number } = {};
      Object.assign(window, { seen });
      const look = (): void => {
        if (document.querySelector('nav a') !== null) seen.rail ??= performance.now();
        if (document.querySelector(selector) !== null) seen.control ??= performance.now();
        if (seen.control === undefined) requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }, control);
    await page.goto(`${url}${path}#token=${token}`);
    await page.waitForFunction(() => 'seen' in window && (window.seen as { control?: number }).control !== undefined);
    return await page.evaluate(() => {
      const { rail = 0, control: first = 0 } = (window as unknown as { seen: { rail?: number; control?: number } })
        .seen;
      const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
      return { paint, rail, control: first, wait: first - paint };
    });
  } finally {
    await context.close();
  }
}
