/** The schema diagram: a developer sees what a module declares, follows it to the text, sees it follow the typing, and saves it. */

import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from './support/served-workbench.js';

test('the diagram shows the module, leads to its text, follows the typing and is saved', async ({
  page,
  workbench,
}) => {
  await page.goto(workbench.address);
  const source = page.getByRole('textbox', { name: 'Source of lease.entail' });
  await expect(source).toContainText('module lease');
  const about = page.getByRole('region', { name: 'Chosen declaration' });

  await test.step('concepts, relations and what is derived are boxes with names and words', async () => {
    await view(page, 'Diagram');
    await expect(about).toContainText('21 declarations');
    await expect(box(page, /^Lease, concept, code Text, rent Decimal/)).toBeVisible();
    await expect(box(page, /^Person, concept, is Party/)).toBeVisible();
    await expect(box(page, /^worksFor, relation, person \*, company 0\.\.1/)).toBeVisible();
    await expect(box(page, /^liable, derived relation/)).toBeVisible();
  });

  await test.step('what is chosen says what it is, and its surroundings alone can be looked at', async () => {
    await page.getByRole('combobox', { name: 'Find in the diagram' }).fill('paid');
    await page.getByRole('option', { name: 'paid', exact: true }).click();
    await expect(about).toContainText('At most one payment a lease and month');
    await about.getByRole('button', { name: 'Only around it' }).click();
    await expect(box(page, /^Person, concept/)).toHaveCount(0);
    await expect(box(page, /^Lease, concept/)).toBeVisible();
    await expect(page).toHaveURL(/around=lease%3A%3Apaid/);
    await page.reload();
    await expect(about).toContainText('At most one payment a lease and month');
    await about.getByRole('button', { name: 'Show all' }).click();
    await expect(box(page, /^Person, concept/)).toBeVisible();
  });

  await test.step('arrows go from box to box, and Enter opens the text beside the diagram', async () => {
    await box(page, /^paid, relation/).focus();
    await page.keyboard.press('ArrowLeft');
    await expect(box(page, /^Lease, concept/)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/view=split/);
    await expect(source).toBeFocused();
    await expect(page.locator('.cm-activeLine')).toContainText('concept Lease');
  });

  await test.step('what is typed is drawn, and a mistake elsewhere hides nothing', async () => {
    await page.keyboard.press('Control+End');
    await page.keyboard.type('concept Garage { places: Int } derive broken(x: ');
    await expect(page.getByRole('combobox', { name: 'Find in the diagram' })).toBeVisible();
    await page.getByRole('combobox', { name: 'Find in the diagram' }).fill('Garage');
    await page.getByRole('option', { name: 'Garage', exact: true }).click();
    await expect(box(page, /^Garage, concept, places Int/)).toBeVisible();
  });

  await test.step('parts are left out, and the drawing is a file', async () => {
    await page.getByRole('checkbox', { name: 'Derived' }).uncheck();
    await expect(page).toHaveURL(/hide=derived/);
    await expect(box(page, /^liable, derived relation/)).toHaveCount(0);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'SVG' }).click();
    const drawing = readFileSync(await (await saved).path(), 'utf8');
    expect(drawing).toContain('<title>Garage: concept</title>');
    expect(drawing).not.toContain('<title>liable');
  });
});

function view(page: Page, name: string): Promise<void> {
  return page.getByRole('radiogroup', { name: 'View' }).getByText(name, { exact: true }).click();
}

function box(page: Page, name: RegExp) {
  return page.getByRole('application', { name: 'Schema diagram' }).getByRole('group', { name });
}
