/** Measures the time from a save to the report of its changes, in the sample and in a module with many rules and facts. */

import type { Page } from '@playwright/test';
import { expect, type ServedWorkbench, test } from '../../e2e/support/served-workbench.js';
import { dispatched, keyUntilTold, printed } from './measuring.js';

const RULES = 500;
const FACTS = 50_000;
/** The number of facts that one mutation stores within the request timeout. */
const FILLED_AT_ONCE = 10_000;

const MODULE = `module many
pub relation edge(from: Int, to: Int)
pub mutation fill(low: Int, high: Int) { for i in (select i where i in range(low, high)) { insert edge(i, i * 7 mod 50021) } }
${Array.from({ length: RULES }, (_, at) => `pub derive near${at}(a: Int, b: Int) when edge(a, b), a mod ${RULES} == ${at}`).join('\n')}
`;

test.use({ actionTimeout: 120_000 });
test.setTimeout(600_000);

test.describe('in the sample', () => {
  test('measures a save until its changes are shown', async ({ page, workbench }) => {
    await saved(page, workbench, 'lease.entail', (turn) => `pub derive fresh${turn}(l: Lease) when active(l)\n`);
  });
});

test.describe('with many rules and facts', () => {
  test.use({ modules: { 'many.entail': MODULE } });

  test('measures a save until its changes are shown', async ({ page, workbench }) => {
    for (let low = 0; low < FACTS; low += FILLED_AT_ONCE) {
      await dispatched(workbench, 'many::fill', { low, high: low + FILLED_AT_ONCE });
    }
    await saved(page, workbench, 'many.entail', (turn) => `pub derive fresh${turn}(a: Int) when near${turn}(a, b)\n`);
  });
});

/** Each save adds one more rule than the last, and the page reports that rule's facts as gained. */
async function saved(page: Page, workbench: ServedWorkbench, file: string, ruleOf: (turn: number) => string) {
  await page.goto(workbench.address);
  const source = page.getByRole('textbox', { name: `Source of ${file}` });
  await expect(source).toContainText('module ');
  for (let turn = 1; turn <= 5; turn++) {
    await source.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText(Array.from({ length: turn }, (_, at) => ruleOf(turn * 10 + at)).join(''));
    await expect(page.getByText('Unsaved changes', { exact: true })).toBeVisible({ timeout: 60_000 });
    // Users look at the text before they save, so the editor has compiled it by then.
    await page.waitForTimeout(1_500);
    const report = new RegExp(`^Reloaded: .*\\b${turn} declarations? added`);
    const ms = await keyUntilTold(page, report, () => page.keyboard.press('Control+s'));
    printed(`${file}, save ${turn}`, `${ms.toFixed(0)} ms`);
  }
}
