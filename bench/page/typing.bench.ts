/** Measures the time from a key to its paint: in a source of 500 rules, and in filters over long lists. */

import type { Page } from '@playwright/test';
import { expect, test } from '../../e2e/support/served-workbench.js';
import { dispatched, keysWhile } from './measuring.js';

const RULES = 500;
const CALLABLES = 300;
const ROWS = 5_000;

const RULE = (at: number): string => `
/// Of every edge the ones in the class ${at}.
pub derive near${at}(a: Int, b: Int) when
  edge(a, b),
  a mod ${RULES} == ${at}
`;
const MODULE = `module many
pub relation edge(from: Int, to: Int)
pub mutation fill(high: Int) { for i in (select i where i in range(0, high)) { insert edge(i, i * 7) } }
${Array.from({ length: CALLABLES }, (_, at) => `pub query near${at}s(a: Int) -> [Int] { select b where near${at}(a, b) }`).join('\n')}
${Array.from({ length: RULES }, (_, at) => RULE(at)).join('')}`;

test.use({ modules: { 'many.entail': MODULE }, actionTimeout: 120_000 });
test.setTimeout(600_000);

test('measures the time from a key to its paint', async ({ page, workbench }) => {
  await dispatched(workbench, 'many::fill', { high: ROWS });
  await page.goto(workbench.address);
  const source = page.getByRole('textbox', { name: 'Source of many.entail' });
  await expect(source).toContainText('module ');
  await expect(page.getByText('near499', { exact: true })).toBeAttached({ timeout: 60_000 });
  for (const place of ['End', 'Home']) {
    await source.click();
    await page.keyboard.press(`Control+${place}`);
    await keysWhile(page, `source of ${MODULE.split('\n').length} lines, at its ${place.toLowerCase()}`, () =>
      page.keyboard.type('// what is typed here is seen at once', { delay: 80 }),
    );
  }
  await filtered(page, `outline of ${RULES + CALLABLES}`, 'Filter the outline');
  await page.getByRole('link', { name: 'Invoke', exact: true }).click();
  await filtered(page, `callables, ${CALLABLES}`, 'Filter callables');
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await filtered(page, `relations, ${RULES}`, 'Filter concepts and relations');
  await page.getByRole('link', { name: /^edge/ }).click();
  await filtered(page, `rows, ${ROWS}`, 'Find in any column', '123456');
  for (let at = 0; at < 300; at++) await dispatched(workbench, 'many::fill', { high: 1 });
  await page.getByRole('link', { name: 'Log', exact: true }).click();
  await filtered(page, 'requests, 300', 'Path, callable or request id', 'fill health');
});

/** Types a text and deletes it again. */
async function filtered(page: Page, name: string, label: string, text = 'near12near'): Promise<void> {
  const filter = page.getByLabel(label, { exact: true });
  await filter.click();
  await keysWhile(page, name, async () => {
    await page.keyboard.type(text, { delay: 120 });
    for (const _ of text) await page.keyboard.press('Backspace', { delay: 60 });
  });
}
