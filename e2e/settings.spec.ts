/** Settings: connection, limits and grants, search, shortcuts, row height, and data stored in the browser. */

import type { Locator, Page } from '@playwright/test';
import { expect, type ServedWorkbench, test } from './support/served-workbench.js';

test('shows how to connect without the token, and copies the token', async ({ page, workbench, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openSettings(page, workbench);
  await expect(page.getByRole('region', { name: 'Address', exact: true })).toContainText(workbench.url);
  await expect(page.getByRole('region', { name: 'curl', exact: true })).toContainText('Bearer $ENTAIL_TOKEN');
  expect(await page.locator('body').innerText()).not.toContain(workbench.token);
  await page.getByRole('button', { name: 'Copy token' }).click();
  await expect(page.getByText('Token copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(workbench.token);
});

test('lists limits and grants with the options that change them', async ({ page, workbench }) => {
  await openSettings(page, workbench, 'Limits and grants');
  const limits = page.getByRole('table', { name: 'Limits' });
  await expect(limits.getByRole('row', { name: /Request timeout/ })).toContainText('10 s');
  await expect(limits.getByRole('row', { name: /Request timeout/ })).toContainText('ENTAIL_TIMEOUT_MS');
  await expect(page.getByRole('table', { name: 'Grants' }).getByRole('row', { name: /Erase/ })).toContainText(
    'not granted',
  );
});

test('finds a setting in any section by its name, option or keys', async ({ page, workbench }) => {
  await openSettings(page, workbench);
  const find = page.getByRole('textbox', { name: 'Find in Settings' });
  await find.fill('entail_timeout');
  await page.getByRole('link', { name: 'Request timeout' }).click();
  await expect(page.getByRole('row', { name: /Request timeout/ })).toBeInViewport();
  await expect(page).toHaveURL(/section=limits/);
  await find.fill('alt f');
  await page.getByRole('link', { name: 'Switch the fork' }).click();
  const shortcuts = page.getByRole('list', { name: 'Shortcuts' });
  await expect(shortcuts.getByRole('listitem').filter({ hasText: 'Switch the fork' })).toBeInViewport();
  await find.fill('no such thing');
  await expect(page.getByText('No matches')).toBeVisible();
  await find.clear();
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible();

  const filter = page.getByRole('textbox', { name: 'Filter shortcuts by name or keys' });
  await filter.fill('alt f');
  await expect(shortcuts.getByRole('listitem')).toHaveText([/Switch the fork/]);
  await filter.clear();
  await page.getByText('Changed 0').click();
  await expect(page.getByText('No changed shortcuts')).toBeVisible();
});

test('rebinds a shortcut, names the command that had it, and resets it', async ({ page, workbench }) => {
  await openSettings(page, workbench, 'Keyboard');
  const row = page.getByRole('list', { name: 'Shortcuts' }).getByRole('listitem').filter({ hasText: 'Go to Invoke' });
  await row.getByRole('button', { name: 'Change shortcut: Go to Invoke' }).click();
  await page.keyboard.press('a');
  await expect(row).toContainText('That key types text');
  await page.keyboard.press('Alt+1');
  await expect(row).toContainText('runs “Go to Module”');
  await row.getByRole('button', { name: 'Reassign' }).click();
  await page.reload();
  await expect(row).toContainText('Alt 1');
  await page.keyboard.press('Alt+1');
  await expect(page.getByRole('heading', { name: 'Callables' })).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Reset all shortcuts' }).click();
  await expect(row).toContainText('Alt 2');
});

test('applies the compact row height to tables, trees and lists, also after a reload', async ({ page, workbench }) => {
  const heightOf = async (row: Locator) => (await row.boundingBox())?.height;
  const tableRow = page.getByRole('grid').getByRole('row', { name: /ELM-12/ });
  const listRow = page.getByRole('region', { name: 'Derived' }).getByRole('link', { name: 'liable' });
  const treeRow = page.getByRole('tree').getByRole('treeitem').first();
  await openSettings(page, workbench, 'Appearance');
  await page.getByRole('radio', { name: 'Compact' }).check();
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await expect(tableRow).toBeVisible();
  expect(await heightOf(tableRow)).toBe(22);
  await page.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name: 'Explain' }).click();
  await expect(treeRow).toBeVisible();
  await page.reload();
  await expect(treeRow).toBeVisible();
  expect([await heightOf(listRow), await heightOf(treeRow)]).toEqual([22, 22]);
  await page.goto(`${workbench.url}/settings?section=appearance`);
  await page.getByRole('radio', { name: 'Comfortable' }).check();
  await page.goBack();
  expect([await heightOf(listRow), await heightOf(treeRow)]).toEqual([28, 28]);
});

test('clears drafts, and restores them on undo', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Invoke', exact: true }).click();
  await page.getByRole('link', { name: 'register', exact: true }).click();
  await page.getByRole('textbox', { name: 'name' }).fill('Half a name');
  await page.goto(`${workbench.url}/settings?section=kept`);
  await page.getByRole('button', { name: 'Clear: Arguments and queries' }).click();
  await expect(page.getByText('Cleared.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Clear: Arguments and queries' })).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Clear: Arguments and queries' })).toBeVisible();
  await page.goto(`${workbench.url}/invoke?call=lease::register`);
  await expect(page.getByRole('textbox', { name: 'name' })).toHaveValue('Half a name');
});

async function openSettings(page: Page, workbench: ServedWorkbench, section?: string): Promise<void> {
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  if (section !== undefined) await page.getByRole('link', { name: section, exact: true }).click();
}
