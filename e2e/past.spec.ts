/** The timeline: every panel at an earlier moment, read-only, with a link to it, and what changed since. */

import type { Page } from '@playwright/test';
import { openPalette } from './support/palette.js';
import { expect, type ServedWorkbench, test } from './support/served-workbench.js';

test('reads the past in every panel, refuses changes, and shows what changed since', async ({ page, workbench }) => {
  await sign(workbench, 'PAST-1', '@lease::dana');
  await sign(workbench, 'PAST-2', '@lease::emil');
  await page.goto(`${workbench.url}/data#token=${workbench.token}`);
  const rows = page.getByRole('row');
  await expect(rows.filter({ hasText: 'PAST-2' })).toBeVisible();
  const past = page.getByRole('region', { name: 'Past' });

  await test.step('the timeline lists the transactions, and keys choose one', async () => {
    await page.getByRole('button', { name: 'Timeline' }).click();
    const timeline = page.getByRole('dialog', { name: 'Timeline' });
    await expect(timeline.getByRole('button')).toHaveText([
      /sign.*PAST-2.*now/,
      /sign.*PAST-1/,
      'Before the first transaction',
    ]);
    await timeline.getByRole('button').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(timeline.getByRole('button', { name: /PAST-1/ })).toHaveAttribute('aria-current', 'true');
    await page.keyboard.press('Escape');
    await expect(past.getByRole('status')).toContainText('after transaction 1 (sign,');
    await expect(rows.filter({ hasText: 'PAST-1' })).toBeVisible();
    await expect(rows.filter({ hasText: 'PAST-2' })).toHaveCount(0);
  });

  await test.step('controls that write are disabled with the reason', async () => {
    await expect(page.getByRole('button', { name: 'Import' })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Add…' })).toHaveAttribute('title', /Go back to now/);
    await page.getByRole('link', { name: 'Invoke', exact: true }).click();
    await page.getByRole('link', { name: 'sign', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Dry run' })).toBeDisabled();
  });

  await test.step('a link shows the same, also after a write', async () => {
    await expect(page).toHaveURL(/[?&]asOf=1(&|$)/);
    await page.goto(`${workbench.url}/query?asOf=1`);
    await past.getByRole('status').waitFor();
    await sign(workbench, 'PAST-3', '@lease::bruno');
    await page.getByRole('textbox', { name: 'Ad-hoc text' }).click();
    await page.keyboard.insertText('query codes() -> [Text] { select l.code where Lease(l) }');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const result = page.getByRole('region', { name: 'Result' });
    await expect(result).toContainText('PAST-1');
    await expect(result).toContainText('as of transaction 1');
    await expect(result).not.toContainText('PAST-2');
  });

  await test.step('the slider moves through the history', async () => {
    await past.getByRole('button', { name: 'Other moment…' }).click();
    const slider = page.getByRole('slider', { name: 'Moment' });
    await slider.press('ArrowRight');
    await expect(past.getByRole('status')).toContainText('after transaction 2');
    await slider.press('Home');
    await expect(past.getByRole('status')).toContainText('before the first transaction');
    await expect(page.getByRole('region', { name: 'Result' })).not.toContainText('PAST-1');
    await page.keyboard.press('Escape');
  });

  await test.step('the changes since then have proofs at both moments', async () => {
    await past.getByRole('link', { name: 'Changes since' }).click();
    const stored = page.getByRole('region', { name: 'Stored' });
    for (const code of ['PAST-1', 'PAST-2', 'PAST-3']) {
      await expect(stored.getByRole('button', { name: `new Lease ${code}` })).toBeVisible();
    }
    await page.getByRole('combobox', { name: 'Compare from' }).click();
    await page.getByRole('option', { name: /^transaction 2/ }).click();
    await expect(stored.getByRole('button', { name: 'PAST-2' })).toHaveCount(0);
    await stored.getByRole('button', { name: /PAST-3/ }).click();
    await stored
      .getByRole('link', { name: /^Why\?/ })
      .first()
      .click();
    await expect(past).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Explanation' })).toContainText('True');
  });

  await test.step('the palette leads there and back', async () => {
    await runCommand(page, 'Timeline');
    await page
      .getByRole('dialog', { name: 'Timeline' })
      .getByRole('button', { name: /PAST-1/ })
      .click();
    await page.keyboard.press('Escape');
    await expect(past).toBeVisible();
    await runCommand(page, 'Back to now');
    await expect(past).toHaveCount(0);
    await expect(page).not.toHaveURL(/asOf/);
  });

  await test.step('the undo of a change that the page has just made is disabled too', async () => {
    const args = JSON.stringify({ name: 'Zoe Hart', email: null });
    await page.goto(`${workbench.url}/invoke?${new URLSearchParams({ call: 'lease::register', args })}`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const undo = page.getByRole('group', { name: 'Last change' }).getByRole('button', { name: 'Undo' });
    await expect(undo).toBeEnabled();
    await runCommand(page, 'Timeline');
    await page
      .getByRole('dialog', { name: 'Timeline' })
      .getByRole('button', { name: /PAST-1/ })
      .click();
    await expect(undo).toBeDisabled();
    await expect(undo).toHaveAttribute('title', /Go back to now/);
  });

  await test.step('a moment that the scope has not reached is refused once', async () => {
    await page.goto(`${workbench.url}/data?asOf=99`);
    await expect(page.getByRole('heading', { name: 'No facts at this moment' })).toBeVisible();
    await expect(page.getByText(/"asOf" names 99/)).toHaveCount(1);
  });
});

async function runCommand(page: Page, name: string): Promise<void> {
  const palette = await openPalette(page);
  await palette.getByLabel('Go to or run', { exact: true }).fill(name);
  await page.keyboard.press('Enter');
}

async function sign({ url, token }: ServedWorkbench, code: string, tenant: string): Promise<void> {
  const response = await fetch(`${url}/v1/dispatch/mutation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ path: 'lease::sign', args: { tenant, code, rent: '700' } }),
  });
  expect(response.status).toBe(200);
}
