/** The main journey in Chromium, on the page that `entail serve` offers. */

import { readFile } from 'node:fs/promises';
import { mainJourney } from './support/main-journey.js';
import { expect, test } from './support/served-workbench.js';

test('edits, fixes and saves a module, invokes and explains', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await mainJourney(page, { savedText: () => readFile(workbench.moduleFile, 'utf8') });
});

test('keeps a draft over a reload of the page', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  const source = page.getByRole('textbox', { name: 'Source of lease.entail' });
  await source.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('// not saved yet');
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await source.click();
  await page.keyboard.press('Control+End');
  await expect(source).toContainText('// not saved yet');
});

test.describe('with a server that is killed', () => {
  test.use({ ownProcess: true });

  test('reports a lost server, keeps drafts and data visible, and continues when it is back', async ({
    page,
    workbench,
  }) => {
    await page.goto(workbench.address);
    await expect(page.getByText('Connected')).toBeVisible();
    await page.getByRole('link', { name: 'Forks', exact: true }).click();
    await expect(page.getByRole('tree', { name: 'Forks' })).toBeVisible();
    await page.getByRole('link', { name: 'Module', exact: true }).click();
    const source = page.getByRole('textbox', { name: 'Source of lease.entail' });
    await source.press('Control+End');
    await page.keyboard.type('// not saved yet');
    // The page retries once, and then waits until the server is back.
    const givenUp = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/v1/module/sources'));
    await workbench.kill();
    await expect(page.getByText('Reconnecting')).toBeVisible();
    await givenUp;
    await page.getByRole('link', { name: 'Forks', exact: true }).click();
    await expect(page.getByRole('tree', { name: 'Forks' })).toBeVisible();
    await page.getByRole('link', { name: 'Module', exact: true }).click();
    await source.press('Control+End');
    await page.keyboard.type(', nor this');
    await expect(source).toContainText('// not saved yet, nor this');
    await workbench.start();
    await expect(page.getByText('Connected')).toBeVisible();
    await page.getByRole('link', { name: 'Invoke' }).click();
    await page.getByRole('link', { name: 'leaseCount' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Result', exact: true })).toContainText('6');
  });
});
