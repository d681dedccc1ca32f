/** Measures drawing and navigating a proof of a thousand steps and a module of many declarations. */

import type { Page } from '@playwright/test';
import { expect, test } from '../../e2e/support/served-workbench.js';
import { dispatched, framesWhile } from './measuring.js';

/** Leaves of a binary tree of conclusions. Each conclusion has two premises. */
const LEAVES = 250;

const DRAWN = `${4 * LEAVES - 2} steps`;

const MODULE = `module tall
pub relation leaf(at: Int)
pub relation pair(at: Int, left: Int, right: Int)
pub derive holds(at: Int) when leaf(at)
pub derive holds(at: Int) when pair(at, a, b), holds(a), holds(b)
pub mutation fill(leaves: Int) {
  for i in (select i where i in range(1, leaves)) { insert pair(i, i * 2, i * 2 + 1) }
  for i in (select i where i in range(leaves, leaves * 2)) { insert leaf(i) }
}
`;

/** Concepts that refer to each other, each with a relation and a derived relation. */
const CONCEPTS = 400;
const WIDE = Array.from({ length: CONCEPTS }, (_, place) => {
  const [next, other] = [(place * 7 + 1) % CONCEPTS, (place * 13 + 5) % CONCEPTS];
  return `pub concept C${place} { name: Text, amount: Decimal, at: Date?, next: C${next}? }
pub relation r${place}(x: C${place}, y: C${other})
pub derive d${place}(x: C${place}) when r${place}(x, _)`;
});

test.use({
  modules: { 'tall.entail': MODULE, 'wide.entail': `module wide\n${WIDE.join('\n')}\n` },
  viewport: { width: 1440, height: 900 },
});
test.setTimeout(300_000);

test('measures frames while a proof of a thousand steps is drawn and navigated', async ({ page, workbench }) => {
  await dispatched(workbench, 'tall::fill', { leaves: LEAVES });
  await page.goto(`${workbench.url}/explain?relation=tall::holds&tuple=[1]#token=${workbench.token}`);
  await page.getByRole('radiogroup', { name: 'Show' }).getByText('Graph').click();
  await expect(page.getByRole('button', { name: 'Show all' })).toBeVisible();
  const remark = page.locator('.graph-remark');
  await framesWhile(page, 'all steps laid out and drawn', async () => {
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(remark).toContainText(DRAWN, { timeout: 60_000 });
  });
  const selected = page.locator('.react-flow__node.selected');
  await framesWhile(page, 'a step collapsed and expanded', async () => {
    await selected.focus();
    await page.keyboard.press('Enter');
    await expect(remark).toContainText('1 step');
    await page.keyboard.press('Enter');
    await expect(remark).toContainText(DRAWN, { timeout: 60_000 });
  });
  await navigate(page, '');
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await navigate(page, ', CPU throttled 4×');
});

test('measures frames while a diagram of many declarations is drawn and navigated', async ({ page, workbench }) => {
  await page.goto(`${workbench.url}/module?file=wide.entail#token=${workbench.token}`);
  await framesWhile(page, 'all declarations laid out and drawn', async () => {
    await page.getByRole('radiogroup', { name: 'View' }).getByText('Diagram').click();
    await expect(page.locator('.react-flow__node').first()).toBeVisible({ timeout: 120_000 });
  });
  await navigate(page, '');
});

async function navigate(page: Page, how: string): Promise<void> {
  const graph = page.locator('.react-flow__pane');
  const { x, y, width, height } = (await graph.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const [middle, low] = [x + width / 2, y + height - 30];
  await page.mouse.move(middle, low);
  await framesWhile(page, `graph panned${how}`, async () => {
    for (const to of [-500, 500, -500]) {
      await page.mouse.move(middle - to / 2, low);
      await page.mouse.down();
      await page.mouse.move(middle + to / 2, low - 40, { steps: 60 });
      await page.mouse.up();
    }
  });
  await page.mouse.move(middle, y + height / 2);
  await framesWhile(page, `zoom out${how}`, async () => {
    for (let turn = 0; turn < 40; turn++) await page.mouse.wheel(0, 60);
  });
  await framesWhile(page, `zoom in${how}`, async () => {
    for (let turn = 0; turn < 40; turn++) await page.mouse.wheel(0, -60);
  });
  await framesWhile(page, `whole graph${how}`, async () => {
    await page.getByRole('button', { name: 'Show the whole graph' }).click();
    await expect(page.locator('[data-overview]')).toBeVisible();
  });
  await framesWhile(page, `whole graph panned${how}`, async () => {
    await page.mouse.move(middle, low);
    await page.mouse.down();
    await page.mouse.move(middle + 100, low - 40, { steps: 60 });
    await page.mouse.up();
  });
}
