/** The main journey in Chromium, on the page that `entail serve` offers. */

import { readFile } from 'node:fs/promises';
import { mainJourney } from './support/main-journey.js';
import { expect, test } from './support/served-workbench.js';

test('edit, mend, save, invoke and explain', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await mainJourney(page, { savedText: () => readFile(workbench.moduleFile, 'utf8') });
});

test('what was typed survives a reload of the page', async ({ page, workbench }) => {
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

test('the page says that the server is gone, and goes on when it is back', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await expect(page.getByText('Connected')).toBeVisible();
  await workbench.kill();
  await expect(page.getByText('Reconnecting')).toBeVisible();
  await workbench.start();
  await expect(page.getByText('Connected')).toBeVisible();
  await page.getByRole('link', { name: 'Invoke' }).click();
  await page.getByRole('link', { name: 'leaseCount' }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Outcome' })).toContainText('6');
});
