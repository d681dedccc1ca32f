/** How long it takes from a key to the screen: in a long source, and in the filters of lists that are long. */

import type { Page } from '@playwright/test';
import { expect, test } from '../support/served-workbench.js';
import { keysWhile } from './measuring.js';

const PARTS = 1_000;

/** Five lines for each part: 5,000 in all, with as many relations and queries as there are parts. */
const MODULE = `module long
pub concept Thing { name: Text }
${Array.from(
  { length: PARTS },
  (_, at) => `/// What part ${at} has to do with another thing.
pub relation near${at}(one: Thing, other: Thing)
pub derive far${at}(one: Thing, other: Thing) when near${at}(one, other), not near${at}(other, one)
pub query things${at}(one: Thing) -> [Thing] { select other where far${at}(one, other) }
`,
).join('\n')}`;

test.use({ modules: { 'long.entail': MODULE } });
test.use({ actionTimeout: 120_000 });
test.setTimeout(300_000);

test('from a key to the screen', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  const source = page.getByRole('textbox', { name: 'Source of long.entail' });
  await expect(source).toContainText('module long');
  await source.click();
  await page.keyboard.press('Control+End');
  await keysWhile(page, `a source of ${MODULE.split('\n').length} lines, at its end`, () =>
    typed(
      page,
      '// Whatever is written here is checked as it is typed.\npub derive last(one: Thing) when near1(one, x)',
    ),
  );
  await page.keyboard.press('Control+Home');
  await keysWhile(page, 'the same, at its beginning', () => typed(page, '// Whatever is written here is no code.\n'));
  for (const [panel, label] of [
    ['Invoke', 'Filter callables'],
    ['Data', 'Filter concepts and relations'],
    ['Explain', 'Filter relations'],
  ] as const) {
    await page.getByRole('link', { name: panel, exact: true }).click();
    const filter = page.getByRole('textbox', { name: label });
    await filter.focus();
    await expect(page.locator('.row', { hasText: String(PARTS - 1) }).first()).toBeAttached();
    await keysWhile(page, `${label.toLowerCase()}, of ${PARTS} and more`, async () => {
      await typed(page, '99');
      for (let at = 0; at < 2; at++) await typed(page, undefined);
      await typed(page, '123');
      for (let at = 0; at < 3; at++) await typed(page, undefined);
    });
  }
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('searchbox').or(page.getByPlaceholder(/./)).last()).toBeVisible();
  await keysWhile(page, 'the palette', () => typed(page, 'near123'));
});

/** As fast as a quick typist; `undefined` takes back what was typed last. */
async function typed(page: Page, text: string | undefined): Promise<void> {
  for (const key of text ?? ['Backspace']) {
    await page.keyboard.press(key === '\n' ? 'Enter' : key);
    await page.waitForTimeout(60);
  }
}
