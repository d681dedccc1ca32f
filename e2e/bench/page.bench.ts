/**
 * `npm run bench:page`: what it costs the page to scroll a list of a million rows, frame by frame. It prints and asserts no
 * times, since they are the machine's as much as the page's; the runtime is built before, as for the journeys.
 */

import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/served-workbench.js';

const ROWS = Number(process.env['ENTAIL_BENCH_ROWS'] ?? 1_000_000);
/** As many as one mutation stores within the time that a request has. */
const FILLED_AT_ONCE = 10_000;

const MODULE = `module big
pub concept City { name: Text }
pub individual rome: City { name: "Rome" }
pub relation road(from: Int, to: Int, length: Decimal, start: City)
pub mutation fill(low: Int, high: Int) {
  for i in (select i where i in range(low, high)) { insert road(i, i * 7919 mod 1000003, i, @rome) }
}
`;

test.use({ modules: { 'big.entail': MODULE }, viewport: { width: 1280, height: 800 } });
test.setTimeout(600_000);

test('frames while a long list is scrolled', async ({ page, workbench }) => {
  for (let low = 0; low < ROWS; low += FILLED_AT_ONCE) {
    const response = await fetch(`${workbench.url}/v1/dispatch/mutation`, {
      method: 'POST',
      headers: { authorization: `Bearer ${workbench.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ path: 'big::fill', args: { low, high: Math.min(ROWS, low + FILLED_AT_ONCE) } }),
    });
    expect(response.status, await response.text()).toBe(200);
  }
  await page.goto(`${workbench.url}/data?path=big::road#token=${workbench.token}`);
  const grid = page.getByRole('grid', { name: 'Rows' });
  await expect(grid).toHaveAttribute('aria-rowcount', String(ROWS + 1), { timeout: 60_000 });
  await expect(grid.getByRole('gridcell', { name: '7919', exact: true })).toBeVisible();
  await scrolled(page, grid, '');
  // A processor that is four times slower tells how much room there is.
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await scrolled(page, grid, ' at a quarter of the speed');
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await grid.getByRole('button', { name: 'to', exact: true }).click();
  await expect(grid).toHaveAttribute('aria-busy', 'false', { timeout: 60_000 });
  await scrolled(page, grid, ' in another order');
});

async function scrolled(page: Page, grid: Locator, how: string): Promise<void> {
  await grid.evaluate((element) => element.scrollTo(0, 0));
  await grid.hover();
  await measured(page, `wheel${how}`, async () => {
    for (let turn = 0; turn < 120; turn++) await page.mouse.wheel(0, 400);
  });
  await grid.focus();
  await measured(page, `PageDown${how}`, async () => {
    for (let press = 0; press < 100; press++) await page.keyboard.press('PageDown');
  });
  await grid.evaluate((element) => element.scrollTo(0, 0));
  const { x, y, width, height } = (await grid.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const bar = x + width - 5;
  // Behind the arrow at the end of the scrollbar begins its thumb.
  await page.mouse.move(bar, y + 17);
  await page.mouse.down();
  await measured(page, `thumb to the middle${how}`, () => page.mouse.move(bar, y + height / 2, { steps: 120 }));
  const half = await grid.evaluate((element) => element.scrollTop / element.scrollHeight);
  await measured(page, `thumb to the end${how}`, () => page.mouse.move(bar, y + height + 40, { steps: 120 }));
  await page.mouse.up();
  // What was measured is that the list was dragged, and that its end can be read.
  expect(half).toBeGreaterThan(0.3);
  await expect(grid.locator(`[aria-rowindex="${ROWS + 1}"] a`).first()).toBeVisible();
}

interface Frames {
  readonly times: number[];
  readonly long: { readonly ms: number; readonly scriptMs: number }[];
}

/** The time from frame to frame, and of frames of 50 ms and more how much of it ran scripts of the page. */
async function measured(page: Page, name: string, scroll: () => Promise<void>): Promise<void> {
  const frames = await page.evaluateHandle(() => {
    const times: number[] = [];
    const long: { ms: number; scriptMs: number }[] = [];
    let last = performance.now();
    let running = true;
    const next = (now: number): void => {
      times.push(now - last);
      last = now;
      if (running) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { scripts = [] } = entry as PerformanceEntry & { scripts?: readonly PerformanceEntry[] };
        long.push({ ms: entry.duration, scriptMs: scripts.reduce((sum, script) => sum + script.duration, 0) });
      }
    });
    observer.observe({ type: 'long-animation-frame' });
    return {
      end: (): Frames => {
        running = false;
        observer.disconnect();
        return { times: times.slice(1), long };
      },
    };
  });
  await scroll();
  // The rows that came into sight last are asked for and drawn too.
  await expect(page.locator('.grid-waiting')).toHaveCount(0);
  const { times, long } = await frames.evaluate(({ end }) => end());
  const sorted = times.toSorted((left, right) => left - right);
  const at = (part: number): string => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1);
  const [worst] = long.toSorted((left, right) => right.ms - left.ms);
  const words =
    worst === undefined
      ? 'none of 50 ms'
      : `${long.length} of 50 ms and more, the longest ${worst.ms.toFixed(0)} ms, of which scripts ${worst.scriptMs.toFixed(0)} ms`;
  process.stdout.write(
    `${name.padEnd(46)} ${String(sorted.length).padStart(4)} frames, median ${at(0.5)} ms, p99 ${at(0.99)} ms, ` +
      `worst ${at(1)} ms; ${words}\n`,
  );
}
