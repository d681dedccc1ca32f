/** Measures the page's frames while it scrolls a list of a million rows. */

import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../../e2e/support/served-workbench.js';
import { dispatched, framesWhile } from './measuring.js';

const ROWS = Number(process.env['ENTAIL_BENCH_ROWS'] ?? 1_000_000);
/** The number of facts that one mutation stores within the request timeout. */
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

test('measures frames while a long list is scrolled', async ({ page, workbench }) => {
  for (let low = 0; low < ROWS; low += FILLED_AT_ONCE) {
    await dispatched(workbench, 'big::fill', { low, high: Math.min(ROWS, low + FILLED_AT_ONCE) });
  }
  await page.goto(`${workbench.url}/data?path=big::road#token=${workbench.token}`);
  const grid = page.getByRole('grid', { name: 'Rows' });
  await expect(grid).toHaveAttribute('aria-rowcount', String(ROWS + 1), { timeout: 60_000 });
  await expect(grid.getByRole('gridcell', { name: '7919', exact: true })).toBeVisible();
  await scrolled(page, grid, '');
  // A CPU at a quarter of its speed shows the page's headroom.
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await scrolled(page, grid, ', CPU throttled 4×');
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await grid.getByRole('button', { name: 'to', exact: true }).click();
  await expect(grid).toHaveAttribute('aria-busy', 'false', { timeout: 60_000 });
  await scrolled(page, grid, ', sorted by another column');
});

async function scrolled(page: Page, grid: Locator, how: string): Promise<void> {
  await grid.evaluate((element) => element.scrollTo(0, 0));
  await grid.hover();
  await scrolling(page, `wheel${how}`, async () => {
    for (let turn = 0; turn < 120; turn++) await page.mouse.wheel(0, 400);
  });
  await grid.focus();
  await scrolling(page, `PageDown${how}`, async () => {
    for (let press = 0; press < 100; press++) await page.keyboard.press('PageDown');
  });
  await grid.evaluate((element) => element.scrollTo(0, 0));
  const { x, y, width, height } = (await grid.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const bar = x + width - 5;
  // The thumb begins behind the arrow of the scrollbar.
  await page.mouse.move(bar, y + 17);
  await page.mouse.down();
  await scrolling(page, `thumb to the middle${how}`, () => page.mouse.move(bar, y + height / 2, { steps: 120 }));
  const half = await grid.evaluate((element) => element.scrollTop / element.scrollHeight);
  await scrolling(page, `thumb to the end${how}`, () => page.mouse.move(bar, y + height + 40, { steps: 120 }));
  await page.mouse.up();
  // Checks that the list scrolled, and that its last row is visible.
  expect(half).toBeGreaterThan(0.3);
  await expect(grid.locator(`[aria-rowindex="${ROWS + 1}"] a`).first()).toBeVisible();
}

async function scrolling(page: Page, name: string, scroll: () => Promise<void>): Promise<void> {
  await framesWhile(page, name, async () => {
    await scroll();
    // The rows that became visible last are also requested and drawn.
    await expect(page.getByRole('gridcell', { name: 'Loading' })).toHaveCount(0);
  });
}
