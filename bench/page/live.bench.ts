/** Measures the time from a key to the updated live pane: on the samples, and on 100,000 facts. */

import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, type ServedWorkbench, test } from '../../e2e/support/served-workbench.js';
import { dispatched, printed } from './measuring.js';

const FACTS = 100_000;
const MANY = `module many
pub relation edge(from: Int, to: Int)
pub mutation fill(count: Int) { for i in (select i where i in range(0, count)) { insert edge(i, i * 7 mod count) } }
pub derive far(a: Int, b: Int) when edge(a, b), a != b
pub derive twice(a: Int, c: Int) when far(a, b), far(b, c)
`;

const sample = (name: string): string =>
  readFileSync(new URL(`../../resources/modules/${name}.entail`, import.meta.url), 'utf8');

/** A condition is added to the line that starts with this. */
const SAMPLES: readonly (readonly [name: string, line: string])[] = [
  ['access', 'pub derive carries(role: Role, a: Action) when permits'],
  ['lease', 'pub derive active'],
  ['licences', 'pub derive includes(product: Product, package: Package) when'],
  ['pointsto', 'pub derive aliased'],
  ['supply', 'pub derive incomplete'],
  ['transit', 'pub derive fastest(from: Stop, to: Stop, least minutes: Int) when'],
];

test.use({ actionTimeout: 120_000 });
test.setTimeout(600_000);

for (const [name, line] of SAMPLES) {
  test.describe(() => {
    test.use({ modules: { [`${name}.entail`]: sample(name) } });
    test(`measures the live pane on the sample ${name}`, ({ page, workbench }) =>
      keysToPane(page, workbench, name, line));
  });
}

test.describe(() => {
  test.use({ modules: { 'many.entail': MANY } });
  for (const [name, line] of [
    ['filter', 'pub derive far'],
    ['join', 'pub derive twice'],
  ] as const) {
    test(`measures the live pane of a ${name} over 100,000 facts`, async ({ page, workbench }) => {
      await dispatched(workbench, 'many::fill', { count: FACTS });
      await keysToPane(page, workbench, `${name} over ${FACTS} facts`, line);
    });
  }
});

/** Valid and unfinished texts in turn. */
const TYPED = ', 1 < 2';
const ROUNDS = 4;

async function keysToPane(page: Page, workbench: ServedWorkbench, name: string, line: string): Promise<void> {
  await page.goto(workbench.address);
  await expect(page.getByRole('textbox', { name: /^Source of/ })).toContainText('module ');
  await page.getByRole('button', { name: 'Live', exact: true }).click();
  // The editor renders only the lines in view.
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+f');
  await page.keyboard.insertText(line);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('End');
  await expect(
    page.getByRole('region', { name: 'Live', exact: true }).getByRole('heading', { level: 3 }).first(),
  ).toBeVisible();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const key of [...TYPED].map((each) => (each === ' ' ? 'Space' : each))) times.push(await keyToPane(page, key));
    for (const _ of TYPED) times.push(await keyToPane(page, 'Backspace'));
  }
  const sorted = times.toSorted((left, right) => left - right);
  const at = (part: number): string => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(0);
  printed(`live pane, ${name}`, `${times.length} keys, median ${at(0.5)} ms, p95 ${at(0.95)} ms, worst ${at(1)} ms`);
}

/** The time from the key to the frame after its response is rendered. The pane is busy until then. */
async function keyToPane(page: Page, key: string): Promise<number> {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  const measured = await page.evaluateHandle(() => {
    const ms = new Promise<number>((resolve) => {
      let pressed: number | undefined;
      let wasBusy = false;
      addEventListener('keydown', ({ timeStamp }) => (pressed = timeStamp), { capture: true, once: true });
      const observer = new MutationObserver(() => {
        const isBusy = document.querySelector('[aria-label="Live"] [aria-busy="true"]') !== null;
        wasBusy ||= isBusy;
        if (pressed === undefined || !wasBusy || isBusy) return;
        observer.disconnect();
        requestAnimationFrame((now) => resolve(now - (pressed ?? now)));
      });
      observer.observe(document.body, { attributes: true, attributeFilter: ['aria-busy'], subtree: true });
    });
    return { ms };
  });
  await page.keyboard.press(key);
  return await measured.evaluate(({ ms }) => ms);
}
