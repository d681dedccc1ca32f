/** The pane that shows what the declaration at the cursor gives, while the user types. */

import type { Page } from '@playwright/test';
import { openPalette } from './support/palette.js';
import { expect, test } from './support/served-workbench.js';

const PEOPLE = `module people

pub concept Person { name: Text, age: Int }
pub relation knows(a: Person, b: Person)

pub individual ada: Person { name: "Ada", age: 30 }
pub individual bo: Person { name: "Bo", age: 65 }
pub individual cy: Person { name: "Cy", age: 70 }
fact knows(@ada, @bo)
fact knows(@bo, @cy)

pub derive elder(p: Person) when Person(p), p.age > 60
pub derive known(p: Person) when knows(_, p)
pub query friends(p: Person) -> [Person] { select b where knows(p, b) }
pub fn next(age: Int) -> Int = age + 1

test "everybody knows Bo" { expect knows(@cy, @bo) }
`;

test.use({ modules: { 'people.entail': PEOPLE } });

const pane = (page: Page) => page.getByRole('region', { name: 'Live', exact: true });
const rows = (page: Page) => pane(page).getByRole('grid').getByRole('row');
const counts = (page: Page) => page.locator('.live-counts');

/** Puts the cursor at the end of the line that starts with the text. */
async function toEndOf(page: Page, start: string): Promise<void> {
  await page.locator('.cm-line').filter({ hasText: start }).click();
  // Where the pointer rests, the card of a name opens, and may cover the next line to click.
  await page.mouse.move(0, 0);
  await page.keyboard.press('End');
}

test.beforeEach(async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await expect(page.getByRole('textbox', { name: 'Source of people.entail' })).toContainText('module people');
  await page.getByRole('button', { name: 'Live', exact: true }).click();
});

test('shows rows, their changes and the bindings left after each condition while typing', async ({ page }) => {
  await toEndOf(page, 'pub derive elder');
  await expect(rows(page)).toHaveCount(3);
  await expect(counts(page)).toHaveText('3 → 2');
  await page.keyboard.type(', p.age < 68');
  await expect(counts(page)).toHaveText('3 → 2 → 1');
  await expect(rows(page).filter({ hasText: 'Cy' })).toHaveAttribute('data-mark', 'removed');
  await expect(pane(page).getByRole('status')).toHaveText('1 row 1');
  await page.keyboard.type('5');
  await expect(pane(page).getByRole('status')).toHaveText('2 rows');

  await test.step('with the condition that empties the rule', async () => {
    await page.keyboard.type(', p.age < 0');
    await expect(counts(page)).toHaveText('3 → 2 → 2 → 0');
    await expect(counts(page).locator('.live-none')).toHaveText('→ 0');
    const condition = pane(page).getByRole('list', { name: 'Clause 1' }).getByRole('listitem').first();
    await condition.getByText('Examples').click();
    await expect(condition).toContainText('p = Ada');
    await counts(page).hover();
    await expect(page.locator('.live-examples')).toContainText('p = Cy');
  });

  await test.step('and says why an unfinished declaration gives nothing, while others go on', async () => {
    await toEndOf(page, 'pub derive elder');
    await page.keyboard.type(', nosuch(p)');
    await expect(pane(page)).toContainText('Not available until this is fixed');
    await expect(pane(page)).toContainText('nosuch');
    await toEndOf(page, 'pub derive known');
    await expect(rows(page)).toHaveCount(3);
  });
});

test('opens the proof of a row under the unsaved text', async ({ page }) => {
  await toEndOf(page, 'pub derive elder');
  for (let key = 0; key < 2; key++) await page.keyboard.press('Backspace');
  await page.keyboard.type('20');
  await expect(rows(page).filter({ hasText: 'Ada' })).toHaveAttribute('data-mark', 'added');
  await rows(page).filter({ hasText: 'Ada' }).getByText('Why?').click();
  await expect(page.getByRole('tree').getByRole('treeitem').first()).toContainText('Ada');
  await expect(page).toHaveURL(/\/explain/);
  await page.goBack();
  await expect(pane(page)).toBeVisible();
  await toEndOf(page, 'pub query friends');
  await pane(page).getByRole('button', { name: 'JSON' }).or(pane(page).getByText('JSON')).first().click();
  await pane(page).getByRole('textbox', { name: 'Arguments as JSON' }).fill('{ "p": "@people::ada" }');
  await rows(page).filter({ hasText: 'Bo' }).getByText('Why?').click();
  await expect(pane(page).getByRole('tree', { name: 'Row proof' })).toContainText('knows');
});

test('runs queries and functions on their last arguments, and tests', async ({ page }) => {
  await toEndOf(page, 'pub fn next');
  await expect(pane(page)).toContainText('Enter age to see the result.');
  await pane(page).getByRole('textbox', { name: 'age' }).fill('7');
  await expect(pane(page).getByRole('definition').first()).toHaveText('8');
  await toEndOf(page, 'test "everybody');
  await expect(pane(page)).toContainText('Failed');
  await toEndOf(page, 'pub fn next');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('2');
  await expect(pane(page).getByRole('definition')).toHaveText(['9', '8']);
  await page.reload();
  await toEndOf(page, 'pub fn next');
  await expect(pane(page).getByRole('textbox', { name: 'age' })).toHaveValue('7');
});

test('opens and closes with the keyboard and the palette, and stays open over a reload', async ({ page }) => {
  await page.reload();
  await expect(pane(page)).toBeVisible();
  await page.keyboard.press('Alt+j');
  await expect(pane(page)).toBeHidden();
  const palette = await openPalette(page);
  await palette.getByLabel('Go to or run', { exact: true }).fill('live results');
  await page.keyboard.press('Enter');
  await expect(pane(page)).toBeVisible();
  await pane(page).getByRole('button', { name: 'Close live' }).press('Enter');
  await expect(pane(page)).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Source of people.entail' })).toBeFocused();
});
