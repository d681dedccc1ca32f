/**
 * A text of a megabyte is shown in part, because laying it out would freeze the page. The whole can be copied and
 * saved.
 */

import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from './support/served-workbench.js';
import { show } from './support/steps.js';

const MODULE = `module notes
pub concept Note {
  body: Text
}
pub relation said(note: Note, words: Text)
pub fn shout(words: Text) -> Text = words ++ "!"
pub query body() -> Text? {
  select n.body where Note(n)
}
pub query bodies() -> [Text] {
  select n.body where Note(n)
}
pub mutation write(body: Text) -> Note {
  let n = insert Note { body: body }
  insert said(n, body)
  return n
}
`;

const LONG = 'lorem ipsum '.repeat(100_000);
/** Far more than these pages show without the long text. */
const CHARACTERS_MAX = 100_000;

test.use({ modules: { 'notes.entail': MODULE } });

test.beforeEach(async ({ page, workbench, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const response = await fetch(`${workbench.url}/v1/dispatch/mutation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${workbench.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ path: 'notes::write', args: { body: LONG } }),
  });
  expect(response.status).toBe(200);
  await page.goto(workbench.address);
});

test('shows a long text of a result in part, and copies and saves the whole', async ({ page, workbench }) => {
  await page.goto(`${workbench.url}/invoke?call=notes::body`);
  const outcome = page.getByRole('region', { name: 'Result', exact: true });
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await run.click();
  const more = outcome.getByRole('button', { name: 'Show more of 1,200,000 characters' });
  await more.click();
  await expect(outcome.getByRole('paragraph')).toContainText(LONG.slice(0, 20_500));
  await expectBounded(page);
  const downloading = page.waitForEvent('download');
  await outcome.getByRole('paragraph').getByRole('button', { name: 'Save…' }).click();
  expect(readFileSync(await (await downloading).path(), 'utf8')).toBe(LONG);
  await outcome.getByRole('button', { name: 'Copy all' }).click();
  await expect(page.getByText('Copied: lorem ipsum')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(LONG);
  await outcome.getByText('Envelope').click();
  await expect(outcome.getByRole('region', { name: 'JSON' })).toContainText('"result"');
  await expectBounded(page);

  await page.goto(`${workbench.url}/invoke?call=notes::bodies`);
  await run.click();
  const row = outcome.getByRole('row').nth(1);
  await expect(row).toContainText('lorem ipsum');
  await expectBounded(page);
  await row.click();
  await expect(page.getByRole('region', { name: 'Row', exact: true })).toContainText('of 1,200,000 characters');
  await expectBounded(page);
  await page.getByRole('radiogroup', { name: 'Result as' }).getByText('JSON').click();
  await outcome.getByRole('treeitem').first().click();
  await expect(outcome.getByRole('button', { name: 'Copy value' })).toBeVisible();
  await expect(outcome.getByRole('button', { name: 'Save value…' })).toBeVisible();
  await expectBounded(page);
});

test('edits, clears and sends a long argument whole, without a text area', async ({ page, workbench }) => {
  await page.goto(`${workbench.url}/invoke?call=notes::shout`);
  const words = page.getByRole('textbox', { name: 'words', exact: true });
  await words.fill('Now: ');
  await page.evaluate((text) => navigator.clipboard.writeText(text), LONG);
  await words.press('Control+v');
  const field = page.getByRole('group', { name: 'words' });
  await expect(field).toContainText('Now: lorem ipsum');
  await expect(field.getByRole('button', { name: 'Edit' })).toBeFocused();
  await expect(words).toHaveCount(0);
  const sent = page.waitForRequest('**/v1/dispatch/compute');
  await page.keyboard.press('Control+Enter');
  expect((await sent).postDataJSON().args.words).toBe(`Now: ${LONG}`);
  await expect(page.getByRole('region', { name: 'Result', exact: true })).toContainText('of 1,200,006 characters');
  await expectBounded(page);
  await show(page, 'History');
  await expect(page.getByRole('button', { name: /^succeeded shout/ })).toBeVisible();
  await expectBounded(page);
  await page.getByRole('radiogroup', { name: 'Arguments as' }).getByText('JSON').click();
  await expect(page.getByRole('group', { name: 'Arguments as JSON' })).toContainText('"words"');
  await expectBounded(page);
  await page.getByRole('radiogroup', { name: 'Arguments as' }).getByText('Form').click();
  await field.getByRole('button', { name: 'Edit' }).click();
  await expect(words).toBeFocused();
  await expect(words).toHaveValue(`Now: ${LONG}`);
  await page.reload();
  await field.getByRole('button', { name: 'Clear' }).click();
  await expect(words).toHaveValue('');
});

test('shows a long text in part in a list, in an individual and in the log', async ({ page, workbench }) => {
  await page.goto(`${workbench.url}/data?path=notes::Note&individual=%23i1`);
  const fields = page.getByRole('region', { name: 'Individual' }).getByRole('region', { name: 'Fields' });
  await expect(page.getByRole('grid', { name: 'Rows' }).getByRole('link').first()).toContainText('lorem ipsum');
  await expect(fields).toContainText('of 1,200,000 characters');
  await expectBounded(page);
  await fields.getByRole('button', { name: 'Edit body' }).click();
  await expect(page.getByRole('group', { name: 'body' })).toContainText('of 1,200,000 characters');
  await expectBounded(page);

  await page.goto(`${workbench.url}/data?path=notes::said`);
  await expect(page.getByRole('grid', { name: 'Rows' }).getByRole('link').first()).toContainText('lorem ipsum');
  await expectBounded(page);
  await page.goto(`${workbench.url}/explain?relation=notes::said`);
  await page.getByRole('region', { name: 'Tuples' }).getByRole('listitem').getByRole('link').click();
  await expect(page.getByRole('region', { name: 'Explanation' })).toContainText('lorem ipsum');
  await expectBounded(page);

  await page.getByRole('link', { name: 'Log', exact: true }).click();
  await page
    .getByText(/^write\(/)
    .first()
    .click();
  await expect(page.getByText('Truncated by the log').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show more of 65,536 characters' }).first()).toBeVisible();
  await expectBounded(page);

  await page.goto(`${workbench.url}/forks?show=main&view=history`);
  const transaction = page.getByRole('list', { name: 'Transactions, newest first' }).locator('> li > button').first();
  await expect(transaction).toContainText('lorem ipsum');
  await transaction.click();
  await expect(page.getByRole('region', { name: 'Changes', exact: true })).toContainText('lorem ipsum');
  await expectBounded(page);
});

/** Limits all text of the page, including fields and tooltips. */
async function expectBounded(page: Page, charactersMax = CHARACTERS_MAX): Promise<void> {
  const characters = await page.evaluate(() => {
    const fields = [...document.querySelectorAll('input, textarea')] as (HTMLInputElement | HTMLTextAreaElement)[];
    const titles = [...document.querySelectorAll('[title]')].map((element) => element.getAttribute('title') ?? '');
    const texts = [document.body.textContent ?? '', ...fields.map(({ value }) => value), ...titles];
    return texts.reduce((sum, text) => sum + text.length, 0);
  });
  expect(characters).toBeLessThan(charactersMax);
}
