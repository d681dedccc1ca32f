/** The Data panel: lists, sorting, filters, individuals, edits in place, staged changes, and imports from files. */

import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { holdResponses } from './support/held-responses.js';
import { expect, type ServedWorkbench, test } from './support/served-workbench.js';

test('lists, sorts and filters rows, and opens an individual with all facts that mention it', async ({
  page,
  workbench,
}) => {
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  const facts = page.getByRole('region', { name: 'Facts' });
  await expect(facts.getByRole('link', { name: 'Person 5 facts, 5 of them declared' })).toBeVisible();
  await expect(facts.getByRole('link', { name: /^liable \d+ facts$/ })).toBeVisible();
  await facts.getByRole('link', { name: /^Lease / }).click();
  const list = page.getByRole('region', { name: 'List' });
  await expect(list.getByRole('status')).toHaveText('6 rows');
  await expect(cells(list, 0)).toHaveText(['ELM-12', 'ELM-14', 'MILL-1', 'MILL-2', 'QUAY-3', 'QUAY-5']);
  await list.getByRole('button', { name: 'rent' }).click();
  await list.getByRole('button', { name: 'rent' }).click();
  await expect(list.getByRole('columnheader', { name: 'rent' })).toHaveAttribute('aria-sort', 'descending');
  await expect(cells(list, 0).first()).toHaveText('QUAY-5');
  await expect(list.getByRole('gridcell', { name: '980.5', exact: true })).toBeVisible();
  expect(await unitsEnd(list, '1250'), 'the position of the units digit').toBeCloseTo(await unitsEnd(list, '980.5'), 1);

  await list.getByRole('button', { name: 'Filter' }).click();
  const filter = page.getByRole('form', { name: 'New filter' });
  const choose = async (field: string, option: string): Promise<void> => {
    await filter.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose('Column', 'rent');
  await choose('Condition', 'at least');
  const value = filter.getByRole('textbox', { name: 'Value' });
  await value.fill('cheap');
  await value.press('Enter');
  await expect(filter).toContainText('"cheap" is not a decimal number');
  // The same value is valid for a text column.
  await choose('Column', 'code');
  await expect(value).not.toHaveAttribute('aria-invalid');
  await choose('Column', 'rent');
  await value.fill('980.50');
  await filter.getByRole('button', { name: 'Add' }).click();
  await expect(list.getByRole('status')).toHaveText('4 rows found');
  await list.getByRole('textbox', { name: 'Find in any column' }).fill('elm');
  await expect(cells(list, 0)).toHaveText(['ELM-12', 'ELM-14']);

  await list.getByRole('link', { name: 'ELM-12' }).click();
  const individual = page.getByRole('region', { name: 'Individual' });
  await expect(individual.getByRole('region', { name: 'Fields' })).toContainText('1250');
  const stored = individual.getByRole('region', { name: 'Stored facts that mention it' });
  await expect(stored).toContainText('Ada Lindqvist is a tenant of ELM-12');
  const derived = individual.getByRole('region', { name: 'Conclusions that mention it' });
  await page.reload();
  await expect(cells(list, 0)).toHaveText(['ELM-12', 'ELM-14']);
  await derived.getByRole('link', { name: /Northgate Group is liable for ELM-12/ }).click();
  await expect(page.getByRole('region', { name: 'Explanation' })).toContainText('Northgate Group is liable for ELM-12');
  // A panel keeps its state, even if the page was reloaded on another panel.
  await page.reload();
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await expect(cells(list, 0)).toHaveText(['ELM-12', 'ELM-14']);
});

/** The x coordinate at which the integer part of a number in the list ends. */
function unitsEnd(list: Locator, number: string): Promise<number> {
  const cell = list.getByRole('gridcell', { name: number, exact: true }).first();
  return cell.getByText(number, { exact: true }).evaluate((element) => {
    const range = document.createRange();
    range.setStart(element.firstChild as Text, 0);
    range.setEnd(element.firstChild as Text, (element.textContent ?? '').split('.', 1)[0]?.length ?? 0);
    return range.getBoundingClientRect().right;
  });
}

test('moves through the grid by keyboard, and Enter opens the individual or proof in the cell', async ({
  page,
  workbench,
}) => {
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page
    .getByRole('region', { name: 'Facts' })
    .getByRole('link', { name: /^liable / })
    .click();
  const grid = page.getByRole('grid', { name: 'Rows' });
  await expect(grid.getByRole('link', { name: 'Harbour Bank' })).toBeVisible();
  await expect(grid).toHaveAttribute('aria-rowcount', '14');
  await grid.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Individual' })).toContainText('@lease::northgate');
  await grid.focus();
  await page.keyboard.press('Control+Home');
  await expect(grid).toHaveAttribute('aria-activedescendant', 'cell-0-0');
  await page.keyboard.press('Control+End');
  await expect(grid).toHaveAttribute('aria-activedescendant', 'cell-12-2');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/explain\?relation=lease%3A%3Aliable&tuple=.*quay3Lease/);
});

test('copies, filters by and opens cells, and sizes, moves, hides and freezes columns', async ({
  page,
  workbench,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${workbench.url}/data?path=lease::Lease#token=${workbench.token}`);
  const list = page.getByRole('region', { name: 'List' });
  const grid = page.getByRole('grid', { name: 'Rows' });
  await expect(grid.getByRole('link', { name: 'ELM-12' })).toBeVisible();
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  // With Caps Lock on, the key arrives as a capital letter.
  await page.keyboard.press('Control+C');
  await expect(page.getByText('Copied: 1250')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('1250');

  await page.keyboard.press('Shift+ArrowDown');
  const selected = page.getByRole('toolbar', { name: 'Selected rows' });
  await expect(selected.getByRole('status')).toHaveText('2 rows selected');
  await expect(selected).toContainText('These rows are declared in the module');
  await expect(selected.getByRole('link', { name: 'Explain together' })).toHaveAttribute(
    'href',
    /^\/explain\?.*elm12Lease.*&with=.*elm14Lease/,
  );
  const summary = page.getByRole('group', { name: 'Summary of rent' });
  await expect(summary.getByRole('button')).toContainText(['rent', 'values 2', 'distinct 2', 'sum 2230.5']);
  await summary.getByRole('button', { name: 'mean 1115.25' }).click();
  await expect(page.getByText('Copied: 1115.25')).toBeVisible();
  await selected.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('menuitem', { name: 'As module source' }).click();
  await expect(page.getByText('2 rows copied as module source.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /^pub individual elm12Lease: Lease { code: "ELM-12", rent: 1250, .*\npub individual elm14Lease: /,
  );
  await grid.focus();
  await page.keyboard.press('Escape');
  await expect(selected).toHaveCount(0);
  // A link in a cell still has the focus after it is followed, so Ctrl+A must work from there.
  await grid.getByRole('link', { name: 'ELM-12' }).focus();
  await page.keyboard.press('Control+a');
  await expect(selected.getByRole('status')).toHaveText(/rows selected/);
  await grid.focus();
  await page.keyboard.press('Escape');
  await expect(selected).toHaveCount(0);
  await page.keyboard.press('ArrowUp');

  await page.keyboard.press('Control+Shift+ArrowRight');
  await expect(grid.getByRole('columnheader')).toContainText(['code', 'status', 'rent', 'starts']);
  await grid.getByRole('columnheader', { name: 'rent' }).dragTo(grid.getByRole('columnheader', { name: 'status' }), {
    targetPosition: { x: 8, y: 8 },
  });
  await expect(grid.getByRole('columnheader')).toContainText(['code', 'rent', 'status', 'starts']);
  await expect(grid.getByRole('columnheader', { name: 'rent' })).toHaveAttribute('aria-sort', 'none');
  await grid.focus();
  await page.keyboard.press('ArrowLeft');

  const rent = grid.getByRole('columnheader', { name: 'rent' });
  const before = (await rent.boundingBox())?.width ?? 0;
  await page.keyboard.press('Shift+ArrowRight');
  // The width of a sized column is a whole number of pixels.
  await expect.poll(async () => (await rent.boundingBox())?.width).toBe(Math.round(before + 16));

  await page.keyboard.press('Shift+F10');
  const menu = page.getByRole('menu', { name: 'Cell' });
  await menu.getByRole('menuitem', { name: 'Only where rent is not 1250' }).click();
  await expect(list.getByRole('status')).toHaveText('5 rows found');
  await expect(grid).toBeFocused();
  await list.getByRole('button', { name: 'Remove the filter rent is not 1250' }).click();
  await grid.getByRole('link', { name: 'Ada Lindqvist' }).first().click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Open Ada Lindqvist' }).click();
  const individual = page.getByRole('region', { name: 'Individual' });
  await expect(individual).toContainText('@lease::ada');

  await list.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'status' }).click();
  await expect(grid.getByRole('columnheader', { name: 'status' })).toHaveCount(0);
  await page.reload();
  await expect(grid.getByRole('columnheader')).toContainText(['code', 'rent', 'starts']);
  await expect(grid.getByRole('columnheader', { name: 'status' })).toHaveCount(0);

  await test.step('the first column stays visible while scrolling sideways, unless unfrozen', async () => {
    await page.setViewportSize({ width: 900, height: 800 });
    await grid.evaluate((element) => element.scrollTo(400, 0));
    await expect(grid.getByRole('link', { name: 'ELM-12' })).toBeInViewport({ ratio: 1 });
    await expect(rent).not.toBeInViewport();
    await grid.getByRole('link', { name: 'ELM-12' }).click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Unfreeze columns' }).click();
    await expect(grid.getByRole('columnheader', { name: 'code' })).not.toBeInViewport();
  });

  await test.step('the header of the list stays one line beside an individual', async () => {
    await page.setViewportSize({ width: 1200, height: 800 });
    const heightOf = (pane: Locator) => pane.locator('header').evaluate(({ clientHeight }) => clientHeight);
    await expect.poll(() => heightOf(list)).toBe(await heightOf(individual));
    await expect(list.getByRole('link', { name: 'Import', exact: true })).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await individual.getByRole('button', { name: 'Use in call' }).click();
  await page.getByRole('menuitem', { name: 'sign as tenant' }).click();
  await expect(page.getByRole('combobox', { name: 'tenant' })).toHaveValue(/Ada Lindqvist/);
});

test('keeps the draft of a filter over a reload, and accepts only members for an enum', async ({ page, workbench }) => {
  await page.goto(`${workbench.address}`);
  await page.goto(`${workbench.url}/data?path=lease::Lease`);
  const list = page.getByRole('region', { name: 'List' });
  const filter = page.getByRole('form', { name: 'New filter' });
  await list.getByRole('button', { name: 'Filter' }).click();
  await filter.getByRole('textbox', { name: 'Value' }).fill('ELM');
  await page.getByRole('link', { name: 'Invoke', exact: true }).click();
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await expect(filter.getByRole('textbox', { name: 'Value' })).toHaveValue('ELM');
  await page.reload();
  await expect(filter.getByRole('textbox', { name: 'Value' })).toHaveValue('ELM');

  await filter.getByRole('combobox', { name: 'Column' }).click();
  await page.getByRole('option', { name: 'status' }).click();
  const member = filter.getByRole('combobox', { name: 'Value' });
  await filter.getByRole('button', { name: 'Add' }).click();
  await expect(filter).toContainText('"ELM" is no Status; there are');
  await member.fill('gone');
  await expect(page.getByText('No matches')).toBeVisible();
  await member.fill('dra');
  await page.getByRole('option', { name: 'draft' }).click();
  await filter.getByRole('button', { name: 'Add' }).press('Enter');
  await expect(list.getByRole('status')).toHaveText('1 row found');
  await expect(filter).toBeHidden();
  const opener = list.getByRole('button', { name: 'Filter', exact: true });
  await expect(opener).toBeFocused();
  await list.getByRole('button', { name: 'Remove the filter status is draft' }).press('Enter');
  await expect(list.getByRole('status')).toHaveText('6 rows');
  await expect(opener).toBeFocused();
  await list.getByRole('textbox', { name: 'Find in any column' }).fill('nothing like it');
  await page.getByRole('link', { name: 'Show all', exact: true }).press('Enter');
  await expect(list.getByRole('status')).toHaveText('6 rows');
  await expect(list.getByRole('textbox', { name: 'Find in any column' })).toHaveValue('');
  await expect(opener).toBeFocused();
});

test('sorts a list by several columns, and edits a filter in place', async ({ page, workbench }) => {
  await page.goto(`${workbench.url}/data?path=lease::Lease#token=${workbench.token}`);
  const list = page.getByRole('region', { name: 'List' });
  await test.step('a click sorts by one column, and Shift adds another', async () => {
    await list.getByRole('button', { name: 'status' }).click();
    await expect(cells(list, 0)).toHaveText(['MILL-1', 'ELM-12', 'ELM-14', 'MILL-2', 'QUAY-3', 'QUAY-5']);
    await list.getByRole('button', { name: 'rent' }).focus();
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.press('Shift+Enter');
    await expect(page).toHaveURL(/sort=status%2C-rent/);
    await expect(list.getByRole('columnheader', { name: 'rent' })).toHaveAttribute('aria-sort', 'descending');
    await expect(cells(list, 0)).toHaveText(['MILL-1', 'QUAY-5', 'QUAY-3', 'ELM-12', 'ELM-14', 'MILL-2']);
  });
  await test.step('a filter accepts several members, and can be changed', async () => {
    const form = page.getByRole('form', { name: /filter/ });
    const choose = async (field: string, option: string): Promise<void> => {
      await form.getByRole('combobox', { name: field, exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await list.getByRole('button', { name: 'Filter', exact: true }).click();
    await choose('Column', 'status');
    await choose('Condition', 'is one of');
    await choose('Values', 'draft');
    await page.getByRole('option', { name: 'ended', exact: true }).click();
    await form.getByRole('button', { name: 'Add' }).click();
    await expect(list.getByRole('status')).toHaveText('1 row found');
    await list.getByRole('button', { name: 'Change the filter status is one of draft, ended' }).press('Enter');
    await choose('Condition', 'is not one of');
    await form.getByRole('button', { name: 'Change' }).press('Enter');
    await expect(list.getByRole('status')).toHaveText('5 rows found');
    await expect(list.getByRole('button', { name: /^Change the filter/ })).toHaveText([
      'status is not one of draft, ended',
    ]);
    await expect(list.getByRole('button', { name: 'Filter', exact: true })).toBeFocused();
  });
  await test.step('an alternative is added to the filter, and rows match either', async () => {
    await list.getByRole('button', { name: 'Add an alternative to status is not one of draft, ended' }).press('Enter');
    const form = page.getByRole('form', { name: 'Add an alternative' });
    await form.getByRole('textbox', { name: 'Value' }).fill('MILL');
    await form.getByRole('textbox', { name: 'Value' }).press('Enter');
    await expect(list.getByRole('status')).toHaveText('6 rows found');
    await expect(list.getByRole('group', { name: 'Alternatives' })).toHaveText(
      'status is not one of draft, endedorcode contains MILLor…',
    );
    await page.reload();
    await list.getByRole('button', { name: 'Remove the filter status is not one of draft, ended' }).press('Enter');
    await expect(list.getByRole('status')).toHaveText('2 rows found');
    await expect(list.getByRole('group', { name: 'Alternatives' })).toHaveCount(0);
  });
  await test.step('an individual is picked by its name', async () => {
    await page.goto(`${workbench.url}/data?path=lease::tenantOf`);
    await list.getByRole('button', { name: 'Filter', exact: true }).click();
    const form = page.getByRole('form', { name: 'New filter' });
    await form.getByRole('combobox', { name: 'Column' }).click();
    await page.getByRole('option', { name: 'tenant', exact: true }).click();
    await form.getByRole('combobox', { name: 'Condition' }).click();
    await page.getByRole('option', { name: 'is', exact: true }).click();
    await form.getByRole('combobox', { name: 'Value' }).fill('Ada L');
    await expect(page.getByRole('option', { name: 'Ada Lindqvist' })).toBeVisible();
    await page.keyboard.press('Enter');
    await form.getByRole('button', { name: 'Add' }).click();
    await expect(list.getByRole('button', { name: 'Change the filter tenant is Ada Lindqvist' })).toBeVisible();
    await expect(list.getByRole('status')).toHaveText('3 rows found');
  });
});

test('stages changes, reviews them together, and saves them as one mutation', async ({ page, context, workbench }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await sign(workbench, 'QUAY-7', '640');
  await sign(workbench, 'QUAY-8', '660');
  await page.goto(`${workbench.url}/data?path=lease::Lease&sort=-code#token=${workbench.token}`);
  const grid = page.getByRole('grid', { name: 'Rows' });
  const form = page.getByRole('form', { name: 'Edit rent' });
  const rent = form.getByRole('textbox', { name: 'rent' });
  for (const [current, next] of [
    ['640', '700'],
    ['660', '-5'],
  ] as const) {
    await grid.getByRole('gridcell', { name: current, exact: true }).dblclick();
    await rent.fill(next);
    await rent.press('Alt+Enter');
    await expect(form).toBeHidden();
    await expect(grid).toBeFocused();
    await expect(grid.getByRole('gridcell', { name: `staged: ${next}`, exact: true })).toBeVisible();
  }
  const bar = page.getByRole('toolbar', { name: 'Staged changes' });
  await expect(bar).toContainText('2 fields of 2 individuals staged');
  await page.reload();
  await bar.getByRole('button', { name: 'Review…' }).click();
  const sheet = page.getByRole('region', { name: 'Staged changes' });
  const changes = sheet.getByRole('list', { name: 'Staged changes' }).getByRole('listitem');
  await expect(changes.nth(1)).toContainText('to satisfy value > 0');
  await expect(changes.nth(0)).not.toContainText('to satisfy');
  await expect(sheet.getByRole('button', { name: 'Save 2 changes' })).toBeDisabled();

  await grid.getByRole('gridcell', { name: 'staged: -5' }).dblclick();
  await expect(rent).toHaveValue('-5');
  await rent.fill('680');
  await form.getByRole('button', { name: 'Stage' }).click();
  await expect(changes.nth(1)).toContainText('QUAY-8 · rent660 → 680');
  await sheet.getByRole('button', { name: 'Save 2 changes' }).click();
  const toast = page.getByRole('group', { name: 'Last change' });
  await expect(toast).toContainText('2 facts changed');
  await expect(bar).toHaveCount(0);
  await expect(sheet).toHaveCount(0);
  await expect(grid.getByRole('gridcell', { name: '680', exact: true })).toBeVisible();
  await expect(grid.getByRole('gridcell', { name: '700', exact: true })).toBeVisible();

  await test.step('Ctrl+Z undoes the save and Ctrl+Shift+Z redoes it, but a text field has its own undo', async () => {
    await page.keyboard.press('Control+Z');
    await expect(toast).toContainText('Undone: 2 facts changed');
    await expect(grid.getByRole('gridcell', { name: '680', exact: true })).toHaveCount(0);
    const find = page.getByRole('textbox', { name: 'Find in any column' });
    await find.focus();
    await find.press('Control+Shift+Z');
    await expect(toast).toContainText('Undone');
    await grid.focus();
    await page.keyboard.press('Control+Shift+Z');
    await expect(toast).toContainText('Redone: 2 facts changed');
    await expect(grid.getByRole('gridcell', { name: '680', exact: true })).toBeVisible();
  });

  await test.step('pasted spreadsheet cells are staged from the active cell, or rejected as a whole, and can be undone', async () => {
    const paste = (text: string): Promise<void> =>
      grid.evaluate((element, pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', pasted);
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }, text);
    await grid.getByRole('gridcell', { name: '680', exact: true }).click();
    await paste('690\tcheap');
    await expect(page.getByRole('alert').filter({ hasText: 'status of QUAY-8' })).toBeVisible();
    await expect(bar).toHaveCount(0);
    await paste('690\r\n1.710,50\r\n');
    await expect(bar).toContainText('2 fields of 2 individuals staged');
    await expect(grid.getByRole('gridcell', { name: 'staged: 1710.5', exact: true })).toBeVisible();
    await page.keyboard.press('Control+Z');
    await expect(bar).toHaveCount(0);
    await page.keyboard.press('Control+Shift+Z');
    await expect(bar).toContainText('2 fields of 2 individuals staged');
    await bar.getByRole('button', { name: 'Discard' }).click();
    await page.keyboard.press('Control+Z');
    await expect(bar, 'undo restores discarded changes').toContainText('2 fields of 2 individuals staged');
    await page.keyboard.press('Control+Z');
    await page.keyboard.press('7');
    await expect(rent, 'typing on a cell replaces its value').toHaveValue('7');
    await page.keyboard.press('Escape');
    await expect(form).toBeHidden();

    // Copied cells start with a header row and end with ids. Pasting skips both.
    const first = grid.getByRole('gridcell', { name: '680', exact: true });
    await first.click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+C');
    await expect(page.getByText('2 rows copied as spreadsheet cells.')).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^code\t.*\t\$id\nQUAY-8\t/);
    await first.click();
    await paste(copied);
    await expect(page.getByRole('alert').filter({ hasText: 'No changes: the cells have these values.' })).toBeVisible();
    await paste('$id\trent\n#i1\t711\n#i2\t712\n');
    await expect(bar).toContainText('2 fields of 2 individuals staged');
    await expect(grid.getByRole('gridcell', { name: 'staged: 711', exact: true })).toBeVisible();
    await page.keyboard.press('Control+Z');
    await expect(bar).toHaveCount(0);
  });

  await test.step('new rows and deletions are staged too, and a change of another client is shown beside the staged one', async () => {
    const list = page.getByRole('region', { name: 'List' });
    await list.getByRole('button', { name: 'Add…' }).click();
    const addition = page.getByRole('form', { name: 'Add to Lease' });
    await addition.getByRole('textbox', { name: 'code' }).fill('QUAY-9');
    await addition.getByRole('textbox', { name: 'rent' }).fill('590');
    await addition.getByRole('textbox', { name: 'rent' }).press('Alt+Enter');
    await expect(addition).toHaveCount(0);
    await expect(grid).toBeFocused();
    await expect(grid.getByRole('row').nth(1)).toContainText('newQUAY-9');
    await expect(list.getByRole('status').first()).toHaveText('8 rows');

    await grid.getByRole('gridcell', { name: '700', exact: true }).dblclick();
    await rent.fill('710');
    await rent.press('Alt+Enter');
    await expect(bar).toContainText('1 new row, 1 field of 1 individual staged');
    await expect(grid).toBeFocused();
    await page.keyboard.press('Delete');
    await expect(bar).toContainText('1 new row, 1 deletion staged');
    const deleted = grid.getByRole('row').filter({ hasText: 'to deleteQUAY-7' });
    await expect(deleted.getByRole('gridcell', { name: '700', exact: true })).toBeVisible();
    await page.keyboard.press('F2');
    const reason = page.getByRole('alert').filter({ hasText: 'This row will be deleted' });
    // Hovering keeps the toast from closing while it is measured.
    await reason.hover();
    expect(bottomOf(await reason.boundingBox()), 'it covers no button').toBeLessThan((await bar.boundingBox())?.y ?? 0);
    await expect(form).toHaveCount(0);
    await page.keyboard.press('ArrowLeft');
    await expect(reason, 'the next key closes it').toHaveCount(0);

    await page.reload();
    await expect(deleted).toBeVisible();
    await grid.getByRole('gridcell', { name: 'new QUAY-9' }).dblclick();
    await expect(addition.getByRole('textbox', { name: 'rent' })).toHaveValue('590');
    await addition.getByRole('textbox', { name: 'rent' }).fill('600');
    await addition.getByRole('button', { name: 'Stage' }).click();
    await post(workbench, 'mutation/adhoc', {
      source: 'mutation raise() { for l in (select l where Lease(l), l.rent == 700) { set l.rent = 800 } }',
      args: {},
    });
    await bar.getByRole('button', { name: 'Review…' }).click();
    await expect(changes.nth(0)).toContainText('QUAY-9 · new Leasenone → code QUAY-9, rent 600');
    await expect(changes.nth(1)).toContainText('rent of QUAY-7 has changed since');
    await changes.nth(1).getByRole('button', { name: 'Unstage deletion of QUAY-7' }).click();
    await expect(grid.getByRole('gridcell', { name: '800', exact: true })).toBeVisible();
    await grid.getByRole('gridcell', { name: 'QUAY-7', exact: true }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Stage deletion' }).click();
    const save = sheet.getByRole('button', { name: 'Save 2 changes' });
    await expect(save).toBeEnabled();
    const release = await holdResponses(page, '**/mutation/adhoc*');
    await save.click();
    // The save continues after the sheet is closed, and then clears the staged changes.
    await sheet.getByRole('button', { name: 'Close the sheet' }).click();
    release();
    await expect(bar).toHaveCount(0);
    await expect(list.getByRole('status').first()).toHaveText('8 rows');
    await expect(grid.getByRole('gridcell', { name: 'QUAY-9', exact: true })).toBeVisible();
    await expect(grid.getByRole('gridcell', { name: 'QUAY-7', exact: true })).toHaveCount(0);
  });
});

test('keeps text in fields while other clients write, across panels and over a reload', async ({ page, workbench }) => {
  await page.goto(`${workbench.url}/data?path=lease::Person#token=${workbench.token}`);
  const list = page.getByRole('region', { name: 'List' });
  const find = list.getByRole('textbox', { name: 'Find in any column' });
  const filter = page.getByRole('form', { name: 'New filter' });
  const facts = page.getByRole('textbox', { name: 'Filter concepts and relations' });
  await test.step('rows of another client are loaded without losing typed text or the focus', async () => {
    const typed = [
      { field: find, text: 'new' },
      { field: facts, text: 'per' },
    ];
    await list.getByRole('button', { name: 'Filter', exact: true }).click();
    await filter.getByRole('textbox', { name: 'Value' }).fill('Ch');
    let rows = 5;
    for (const { field, text } of typed) {
      await field.click();
      for (const [place, letter] of [...text].entries()) {
        await page.keyboard.type(letter);
        await register(workbench, `New ${text} ${place}`);
        rows += 1;
        await expect(page.getByRole('link', { name: new RegExp(`^Person ${rows} facts`) })).toBeVisible();
        await expect(field).toBeFocused();
        await expect(field).toHaveValue(text.slice(0, place + 1));
      }
    }
    await expect(find).toHaveValue('new');
    await expect(filter.getByRole('textbox', { name: 'Value' })).toHaveValue('Ch');
    await expect(list.getByRole('status')).toHaveText('6 rows found');
  });
  await test.step('a reload or a panel change before the debounced request keeps the text', async () => {
    await find.fill('ada');
    await page.reload();
    await expect(find).toHaveValue('ada');
    await expect(cells(list, 0)).toHaveText(['Ada Lindqvist']);
    await expect(page).toHaveURL(/find=ada/);
    await find.fill('');
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    await page.getByRole('textbox', { name: 'Path, callable or request id' }).fill('regis');
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await expect(find).toHaveValue('');
    await expect(list.getByRole('status')).toHaveText('11 rows');
    await expect(facts).toHaveValue('per');
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    await expect(page.getByRole('textbox', { name: 'Path, callable or request id' })).toHaveValue('regis');
    await expect(page).toHaveURL(/text=regis/);
  });
});

test('does not return to the panel when a debounced filter applies after leaving it', async ({ page, workbench }) => {
  const load = await holdResponses(page, '**/assets/settings-panel-*.js');
  await page.clock.install();
  await page.goto(`${workbench.url}/data?path=lease::Person#token=${workbench.token}`);
  const find = page.getByRole('textbox', { name: 'Find in any column' });
  await expect(find).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);
  await find.fill('ada');
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.clock.runFor(1_000);
  load();
  await expect(page).toHaveURL(/\/settings/);
});

test('imports all rows of a CSV file through a mutation, or none', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  const panel = await openLeaseImport(page);
  const source = panel.getByRole('textbox', { name: 'CSV or JSON' });
  const file = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['Tenant,lease,rent\nchidi,NEW-1,700\nada,NEW-2,cheap\n'], 'leases.csv'));
    return data;
  });
  await source.dispatchEvent('drop', { dataTransfer: file });
  await expect(panel.getByText('leases.csv')).toBeVisible();
  await panel.getByRole('combobox', { name: 'Column for code' }).click();
  await page.getByRole('option', { name: 'lease' }).click();
  const rowErrors = panel.getByRole('region', { name: 'Rows with errors' });
  await expect(panel.getByRole('button', { name: 'Import 2 rows into Lease' })).toBeEnabled();
  await expect(rowErrors, 'before the first import').toHaveCount(0);
  await panel.getByRole('button', { name: 'Import 2 rows into Lease' }).click();
  await expect(rowErrors).toContainText('"cheap" is not a decimal number');

  await source.fill('Tenant,lease,rent\nchidi,NEW-1,700\nada,NEW-2,640\nghost,NEW-3,640\n');
  await panel.getByRole('button', { name: 'Import 3 rows' }).click();
  const rejected = panel.getByRole('region', { name: 'Rejected rows' });
  await expect(rejected.getByRole('row', { name: /^2 whole row .*Ada Lindqvist holds 4 leases/ })).toBeVisible();
  await expect(rejected.getByRole('row', { name: /^3 tenant .*"ghost"/ })).toBeVisible();
  await rejected.getByRole('button', { name: 'Why?' }).press('Enter');
  await expect(rejected.getByRole('tree', { name: 'Why it is true' })).toContainText('Ada Lindqvist');
  // Her leases are declared in the module, so deleting stored facts cannot resolve the violation.
  await expect(rejected.getByRole('region', { name: 'How to make it false' })).toContainText('declared in the module');

  await source.fill('Tenant,lease,rent\nChidi Okafor,NEW-1,700\n');
  await panel.getByRole('combobox', { name: 'Identify tenant by' }).click();
  await page.getByRole('option', { name: 'by name' }).click();
  await panel.getByRole('button', { name: 'Dry run' }).click();
  await expect(panel.getByRole('region', { name: 'Outcome' })).toContainText('1 row ready to import');
  await panel.getByRole('combobox', { name: 'Identify tenant by' }).click();
  await page.getByRole('option', { name: 'by id' }).click();

  await source.fill('Tenant,lease,rent\nchidi,NEW-1,700\nemil,NEW-2,640\n');
  await panel.getByRole('button', { name: 'Dry run' }).click();
  const outcome = panel.getByRole('region', { name: 'Outcome' });
  await expect(outcome).toContainText('2 rows ready to import (dry run)');
  const warning = outcome.getByRole('listitem').filter({ hasText: 'lease NEW-1 has nobody who' });
  const active = outcome
    .getByRole('region', { name: 'Conclusions' })
    .getByRole('listitem')
    .filter({ hasText: 'NEW-1 is active' });
  const importButton = panel.getByRole('button', { name: 'Import 2 rows' });
  for (const why of [warning, active].map((item) => item.getByRole('link', { name: 'Why?' }))) {
    await why.press('Enter');
    await expect(page.getByRole('region', { name: 'Tried state' })).toContainText('after importing 2 rows with sign');
    await expect(page.getByRole('tree', { name: 'Proof' })).toContainText('NEW-1');
    await page.goBack();
    await expect(why, 'returns to the link').toBeFocused();
    await expect(source).toHaveValue(/emil/);
  }
  await expect(importButton, 'after a dry run of these rows').toHaveAttribute('data-variant', 'filled');
  await importButton.click();
  await expect(outcome).toContainText('2 rows imported in one transaction');
  await expect(outcome).toContainText('lease NEW-1 has nobody who guarantees it');

  await page
    .getByRole('region', { name: 'Facts' })
    .getByRole('link', { name: /^Lease 8 facts, 6 of/ })
    .click();
  const list = page.getByRole('region', { name: 'List' });
  await list.getByRole('textbox', { name: 'Find in any column' }).fill('NEW-');
  await expect(cells(list, 0)).toHaveText(['NEW-1', 'NEW-2']);
  await expect(list.getByRole('img', { name: 'stored' })).toHaveCount(2);
  expect(await exported(page, list)).toMatch(/^\$id,code,.*\r\n#i1,NEW-1,700,/);

  await page.getByRole('grid', { name: 'Rows' }).focus();
  // With Caps Lock on, the key arrives as a capital letter.
  await page.keyboard.press('Control+A');
  await page.getByRole('button', { name: 'Remove…' }).click();
  const sheet = page.getByRole('region', { name: 'Remove rows' });
  await expect(sheet.getByRole('region', { name: 'Changes' })).toContainText('deleted Lease NEW-2');
  await sheet.getByRole('button', { name: 'Delete 2 rows' }).click();
  await expect(sheet).toContainText('Saved');
  await expect(page.getByText('The filter hides all rows of Lease.')).toBeVisible();
});

test('imports rows in parts if they exceed one request, and skips imported rows in the next attempt', async ({
  page,
  workbench,
}) => {
  await page.route('**/v1/health', async (route) => {
    const response = await route.fetch();
    const health = await response.json();
    health.result.limits.bodyBytes = 180;
    await route.fulfill({ response, json: health });
  });
  await page.goto(workbench.address);
  const panel = await openLeaseImport(page);
  const source = panel.getByRole('textbox', { name: 'CSV or JSON' });
  await source.fill('tenant,code,rent\nchidi,NEW-1,700\nemil,NEW-2,640\nghost,NEW-3,640\n');
  await panel.getByRole('button', { name: 'Import 3 rows' }).click();
  const outcome = panel.getByRole('region', { name: 'Outcome' });
  await expect(outcome.getByRole('alert')).toContainText('The server accepts 180 in one request');
  await outcome.getByRole('button', { name: 'Import in 2 parts' }).click();
  await expect(outcome.getByRole('status')).toContainText('2 rows imported. The next attempt skips them.');
  await expect(outcome.getByRole('row', { name: /^3 tenant .*"ghost"/ })).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Import 1 row' })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Lease 8 facts/ })).toBeVisible();

  await source.fill('tenant,code,rent\ndana,NEW-4,700\nemil,NEW-5,640\ndana,NEW-6,640\n');
  await panel.getByRole('button', { name: 'Import 3 rows' }).click();
  await outcome.getByRole('button', { name: 'Import in 2 parts' }).click();
  await expect(outcome).toContainText('3 rows imported in 2 transactions');
  // The reloaded page still has these rows as its draft. Importing them again must be asked for.
  await page.reload();
  await expect(panel.getByRole('button', { name: 'Import 0 rows' })).toBeDisabled();
  await panel.getByRole('button', { name: 'Import again' }).click();
  await expect(panel.getByRole('button', { name: 'Import 3 rows' })).toBeEnabled();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('reads files of spreadsheet programs, and skips rows with errors on demand', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  const panel = await openLeaseImport(page);
  const choose = (name: string, text: string) =>
    panel
      .locator('input[type="file"]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') });
  await choose('nothing.csv', '');
  await expect(panel.getByRole('alert')).toHaveText('nothing.csv is empty.');
  await choose('twice.csv', 'code,rent,rent\nNEW-1,700,710\n');
  await expect(panel.getByRole('alert')).toContainText('Two columns are named "rent"');
  const large = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(5 * 2 ** 20)], 'large.xlsx'));
    return data;
  });
  await panel.getByRole('textbox', { name: 'CSV or JSON' }).dispatchEvent('drop', { dataTransfer: large });
  await expect(panel.getByRole('alert')).toHaveText('This is not text. Save a workbook as CSV first.');
  const text =
    'tenant;code;rent\r\nchidi;N\u00c4W-1;1.700,50\r\nemil;NEW-2;cheap\r\nada;NEW-3;640;x\r\nada;NEW-4;640\r\n';
  await choose('leases.csv', text);
  await expect(panel.getByText('read as Windows-1252')).toBeVisible();
  await expect(panel.getByRole('combobox', { name: 'Numbers' })).toHaveValue('1.234,50');
  const preview = panel.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('row', { name: /^1 chidi NÄW-1 1700\.50$/ })).toBeVisible();
  await panel.getByRole('button', { name: 'Dry run' }).click();
  await expect(preview.getByRole('row', { name: /^2 rent "cheap" is not a decimal number/ })).toBeVisible();
  await expect(preview.getByRole('row', { name: /^3 whole row Expected 3 cells, got 4/ })).toBeVisible();
  await preview.getByRole('button', { name: 'Skip these 2 rows' }).click();
  await panel.getByRole('button', { name: 'Import 2 rows' }).click();
  const rejected = panel.getByRole('region', { name: 'Rejected rows' });
  await expect(rejected.getByRole('row', { name: /^4 whole row .*Ada Lindqvist holds 4 leases/ })).toBeVisible();
  await rejected.getByRole('button', { name: 'Skip this row' }).click();
  await expect(panel.getByText('3 rows skipped')).toBeVisible();
  await panel.getByRole('button', { name: 'Import 1 row' }).click();
  await expect(panel.getByRole('region', { name: 'Outcome' })).toContainText('1 row imported in one transaction');

  await panel.getByRole('combobox', { name: 'Separator' }).click();
  await page.getByRole('option', { name: 'comma' }).click();
  await expect(preview).toContainText('Map tenant, code, rent to continue.');
  await panel.getByRole('button', { name: 'Dry run' }).click();
  await expect(panel.getByRole('combobox', { name: 'Column for tenant' })).toBeFocused();
  await expect(panel.getByText('Choose a column').first()).toBeVisible();
});

test.describe('with a module without mutations', () => {
  const text = `module rooms
pub concept Room { name: Text unique, seats: Int where value > 0, projector: Bool = false }
pub relation near(room: Room, other: Room)
`;
  test.use({ modules: { 'rooms.entail': text } });

  test('imports rows into a concept and a relation, and matches columns by similar names', async ({
    page,
    workbench,
  }) => {
    await page.goto(`${workbench.url}/data?path=rooms::Room#token=${workbench.token}`);
    await page.getByRole('link', { name: 'Import', exact: true }).press('Enter');
    const panel = page.getByRole('region', { name: 'Import' });
    await expect(panel.getByRole('combobox', { name: 'For each row' })).toHaveValue('insert into Room');
    const source = panel.getByRole('textbox', { name: 'CSV or JSON' });
    await source.fill('Room Name,Capacity\nAtlas,8\nBorneo,4\n');
    const seats = panel.getByRole('combobox', { name: 'Column for seats' });
    await expect(panel.getByRole('combobox', { name: 'Column for name' })).toHaveValue('Room Name');
    await expect(seats).toHaveValue('');
    await expect(panel.getByText('Choose a column')).toHaveCount(0);
    await panel.getByRole('button', { name: 'Import 2 rows into Room' }).click();
    await expect(seats).toBeFocused();
    await expect(panel.getByText('Choose a column')).toBeVisible();
    await seats.press('ArrowDown');
    await page.getByRole('option', { name: 'Capacity' }).click();
    await panel.getByRole('button', { name: 'Import 2 rows into Room' }).click();
    const outcome = panel.getByRole('region', { name: 'Outcome' });
    await expect(outcome).toContainText('2 rows imported in one transaction');

    await panel.getByRole('combobox', { name: 'Into' }).click();
    await page.getByRole('option', { name: 'near' }).click();
    await source.fill('room_name,other\nAtlas,Borneo\n');
    await expect(panel.getByRole('combobox', { name: 'Column for room' })).toHaveValue('room_name');
    await panel.getByRole('button', { name: 'Import 1 row into near' }).click();
    await expect(outcome).toContainText('1 row imported in one transaction');
    await panel.getByRole('link', { name: 'Back to facts' }).click();

    const grid = page.getByRole('grid', { name: 'Rows' });
    const details = page.getByRole('region', { name: 'Fact', exact: true });
    // A click on the link would open the individual.
    await grid.getByRole('gridcell', { name: 'Borneo' }).click({ position: { x: 2, y: 4 } });
    await expect(details).toContainText('Stored by an ad-hoc mutation in transaction 2');
    await expect(page.getByText('Why?'), 'a stored fact has no proof').toHaveCount(0);
    await grid.focus();
    await page.keyboard.press('Escape');
    await expect(details).toHaveCount(0);
    await page.getByRole('link', { name: /^Room / }).click();
    await grid.getByRole('gridcell', { name: '8', exact: true }).click();
    const individual = page.getByRole('region', { name: 'Individual' });
    await expect(individual).toContainText('Stored by an ad-hoc mutation in transaction 1');
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(individual.getByRole('heading', { name: 'Borneo' })).toBeVisible();
  });
});

test.describe('with a large file', () => {
  const text = 'module m\npub concept Reading { sensor: Text, n: Int where value >= 0 }\n';
  test.use({ modules: { 'm.entail': text } });

  test('imports it in parts, goes on after a stop, and saves rejected rows as a file', async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/data?path=m::Reading#token=${workbench.token}`);
    await page.getByRole('link', { name: 'Import', exact: true }).press('Enter');
    const panel = page.getByRole('region', { name: 'Import' });
    const file = await page.evaluateHandle(() => {
      const lines = Array.from({ length: 45_000 }, (_, at) => `sensor ${'s'.repeat(100)} ${at % 1000};${at}`);
      lines[7] = 'seven;x';
      lines[40_000] = 'minus;-1';
      const data = new DataTransfer();
      data.items.add(new File(['sensor;n\n', lines.join('\n')], 'readings.csv'));
      return data;
    });
    await panel.getByRole('textbox', { name: 'CSV or JSON' }).dispatchEvent('drop', { dataTransfer: file });
    await expect(panel.getByText('too large to edit here')).toBeVisible();
    await expect(panel.getByRole('combobox', { name: 'Separator' })).toHaveValue('semicolon');
    await expect(panel.getByRole('region', { name: 'Preview' })).toContainText(/First [0-9,]+ rows of CSV/);
    await panel.getByRole('button', { name: 'Dry run of the first rows' }).click();
    await expect(panel.getByText('rows ready to import (dry run)')).toBeVisible();
    // The first part waits, so that the import can be stopped during it.
    const release = await holdResponses(page, '**/v1/import');
    await panel.getByRole('button', { name: 'Import all rows into Reading' }).click();
    await panel.getByRole('button', { name: 'Stop' }).click();
    release();
    const outcome = panel.getByRole('region', { name: 'Outcome' }).first();
    await expect(outcome.getByRole('status')).toContainText('in 1 transaction. The next attempt continues after them.');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await panel.getByRole('button', { name: 'Import the other rows into Reading' }).click();
    await expect(outcome.getByRole('status')).toContainText(/44,998 rows imported in \d+ transactions/, {
      timeout: 30_000,
    });
    await expect(outcome.getByRole('alert')).toHaveText('2 rows were rejected.');
    await expect(outcome.getByRole('alert')).toBeInViewport({ ratio: 1 });
    const download = page.waitForEvent('download');
    await outcome.getByRole('button', { name: 'Save rejected rows' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe('$reason;sensor;n');
    expect(lines[1]).toContain(';seven;x');
    expect(lines[2]).toContain(';minus;-1');
    await expect(page.getByRole('link', { name: /^Reading 44,998 facts/ })).toBeVisible();
  });
});

test('edits a field of an individual in place, with a dry run, and rejects a value outside its type', async ({
  page,
  workbench,
}) => {
  const code = 'QUAY-7, the long berth behind the old customs house';
  const id = await sign(workbench, code, '640');
  await page.goto(
    `${workbench.url}/data?path=lease::Lease&individual=${encodeURIComponent(id)}#token=${workbench.token}`,
  );
  const fields = page.getByRole('region', { name: 'Individual' }).getByRole('region', { name: 'Fields' });
  const top = async (element: Locator) => (await element.boundingBox())?.y ?? 0;
  const long = fields.getByText(code).first();
  await expect(long).toBeVisible();
  // The actions of a long value are beside its first line.
  expect((await top(fields.getByRole('button', { name: 'Edit code' }))) - (await top(long))).toBeLessThan(8);
  const edit = fields.getByRole('button', { name: 'Edit rent' });
  await edit.press('Enter');
  const form = fields.getByRole('form', { name: 'Edit rent' });
  const rent = form.getByRole('textbox', { name: 'rent' });
  await expect(rent).toHaveValue('640');
  await expect(rent).toBeFocused();
  await rent.fill('-5');
  await rent.press('Enter');
  await expect(form).toContainText('Expected "rent" to satisfy value > 0');
  await rent.fill('720');
  await page.reload();
  await expect(rent).toHaveValue('720');
  await rent.fill('720.5');
  await form.getByRole('button', { name: 'Dry run' }).click();
  await expect(form).toContainText('nothing saved');
  await expect(form.getByRole('region', { name: 'Changes' })).toContainText('720.5');
  await expect(
    form.getByRole('region', { name: 'Changes' }).locator('.brief'),
    'a long name is shortened to leave room for the change',
  ).toHaveAttribute('data-shown', /^QUAY-7, .*….*customs house$/);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
  await expect(edit).toBeFocused();
  await expect(fields).toContainText('720.5');
  await expect(page.getByRole('gridcell', { name: '720.5', exact: true })).toBeVisible();

  await page.getByRole('grid', { name: 'Rows' }).getByRole('link', { name: 'ELM-12' }).click();
  await expect(fields).toContainText('1250');
  await expect(fields.getByRole('button', { name: /^Edit/ })).toHaveCount(0);
});

test('edits a cell in place by key, double click or menu, and says why a declared cell is read-only', async ({
  page,
  workbench,
}) => {
  await sign(workbench, 'QUAY-7', '640');
  await page.goto(`${workbench.url}/data?path=lease::Lease&sort=-code#token=${workbench.token}`);
  const grid = page.getByRole('grid', { name: 'Rows' });
  await expect(grid.getByRole('gridcell', { name: '640', exact: true })).toBeVisible();
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('F2');
  const form = page.getByRole('form', { name: 'Edit rent' });
  const rent = form.getByRole('textbox', { name: 'rent' });
  await expect(rent).toBeFocused();
  await rent.press('Escape');
  await expect(form).toBeHidden();
  await expect(grid).toBeFocused();

  await page.keyboard.press('F2');
  await rent.fill('-5');
  await rent.press('Enter');
  await expect(form).toContainText('Expected "rent" to satisfy value > 0');
  await expect(form, 'the message of the field is enough').not.toContainText('SVC_RUNTIME');
  await expect(rent).toHaveAccessibleDescription(/to satisfy/);
  await rent.fill('72');
  await page.reload();
  await expect(rent).toHaveValue('72');
  await page.getByRole('link', { name: 'Log', exact: true }).click();
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await expect(rent).toHaveValue('72');
  await rent.press('Escape');
  await page.reload();
  await expect(grid.getByRole('gridcell', { name: '640', exact: true })).toBeVisible();
  await expect(form, 'a cancelled editor stays closed').toBeHidden();
  await grid.getByRole('gridcell', { name: '640', exact: true }).dblclick();
  await rent.fill('720.5');
  await rent.press('Enter');
  await expect(form, 'Enter starts a dry run').toContainText('nothing saved');
  await rent.press('Control+Enter');
  await expect(form).toBeHidden();
  await expect(grid).toBeFocused();
  await expect(grid.locator('[data-active="true"]')).toHaveText('720.5');

  await grid.getByRole('gridcell', { name: '720.5' }).dblclick();
  await rent.fill('730');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(grid.getByRole('gridcell', { name: '730', exact: true })).toBeVisible();

  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Edit code' }).click();
  const code = page.getByRole('form', { name: 'Edit code' }).getByRole('textbox', { name: 'code' });
  await expect(code).toBeFocused();
  await code.fill('QUAY-8');
  await code.press('Control+Enter');
  await expect(grid.getByRole('link', { name: 'QUAY-8' })).toBeVisible();

  for (const _ of ['rent', 'status', 'starts']) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('F2');
  await expect(page.getByRole('button', { name: 'Set value of starts' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('starts', { exact: true })).toBeFocused();
  await page.keyboard.press('Escape');

  await test.step('a field that is backed by a relation is set by its fact', async () => {
    await register(workbench, 'Oskar');
    await page.goto(`${workbench.url}/data?path=lease::Person&find=Oskar`);
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    const headers = await grid.getByRole('columnheader').allInnerTexts();
    for (let column = 1; column < headers.indexOf('employer'); column++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('F2');
    await page.getByRole('button', { name: 'Set value of employer' }).press('Enter');
    const employer = page.getByRole('form', { name: 'Edit employer' }).getByRole('combobox', { name: 'employer' });
    await employer.fill('Acme');
    await expect(page.getByRole('option', { name: /^Acme/ })).toBeVisible();
    await employer.press('Enter');
    await employer.press('Control+Enter');
    await expect(grid.getByRole('link', { name: /^Acme/ })).toBeVisible();
    await page.goBack();
  });

  await grid.focus();
  await grid.getByRole('gridcell', { name: 'QUAY-5', exact: true }).click({ button: 'right' });
  await page.keyboard.press('Escape');
  for (const _ of ['rent', 'status', 'starts']) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('F2');
  await expect(page.getByText('QUAY-5 is declared in the module. Edit it there.')).toBeVisible();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Copy starts' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: /^Edit/ })).toHaveCount(0);
});

test('adds a row from its columns, and a similar row from an existing one', async ({ page, workbench }) => {
  await page.goto(`${workbench.url}/data?path=lease::Lease&sort=-code#token=${workbench.token}`);
  const list = page.getByRole('region', { name: 'List' });
  await list.getByRole('button', { name: 'Add…' }).click();
  const form = page.getByRole('form', { name: 'Add to Lease' });
  const code = form.getByRole('textbox', { name: 'code' });
  await expect(code).toBeFocused();
  await code.fill('QUAY-7');
  await form.getByRole('button', { name: 'Add' }).press('Enter');
  await expect(form).toContainText('A number is needed.');
  await form.getByRole('textbox', { name: 'rent' }).fill('-5');
  await form.getByRole('button', { name: 'Dry run' }).click();
  const sheet = page.getByRole('region', { name: 'Add to Lease' });
  await expect(sheet).toContainText('to satisfy value > 0');
  await page.reload();
  await list.getByRole('button', { name: 'Add…' }).click();
  await expect(code, 'a reload keeps the draft').toHaveValue('QUAY-7');
  await form.getByRole('textbox', { name: 'rent' }).fill('640');
  await form.getByRole('textbox', { name: 'rent' }).press('Enter');
  await expect(sheet, 'Enter starts a dry run').toContainText('nothing saved');
  await form.getByRole('textbox', { name: 'rent' }).press('Control+Enter');
  const toast = page.getByRole('group', { name: 'Last change' });
  await expect(toast).toContainText('new Lease QUAY-7');
  await expect(sheet).toHaveCount(0);
  await expect(list.getByRole('status')).toHaveText('7 rows');

  const grid = page.getByRole('grid', { name: 'Rows' });
  await grid.getByRole('gridcell', { name: '640', exact: true }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Add a similar row…' }).click();
  await expect(form.getByRole('textbox', { name: 'rent' })).toHaveValue('640');
  await code.fill('QUAY-8');
  await code.press('Escape');
  await expect(sheet).toHaveCount(0);

  await list.getByRole('button', { name: 'Add…' }).click();
  await expect(code, 'the added row is no longer the draft').toHaveValue('');
  await form.getByRole('button', { name: 'Cancel' }).click();

  await page.goto(`${workbench.url}/data?path=lease::tenantOf`);
  await list.getByRole('button', { name: 'Add…' }).click();
  const tuple = page.getByRole('form', { name: 'Add to tenantOf' });
  await tuple.getByRole('combobox', { name: 'lease' }).fill('QUAY-7');
  const tenant = tuple.getByRole('combobox', { name: 'tenant' });
  await tenant.fill('Emil Novak');
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(tenant).toHaveValue(/^Emil /);
  await expect(page.getByRole('option'), 'Enter in a list only selects').toHaveCount(0);
  await tuple.getByRole('button', { name: 'Add' }).click();
  await expect(toast).toContainText('Emil Novak is a tenant of QUAY-7');

  await page.goto(`${workbench.url}/data?path=lease::liable`);
  await expect(list.getByRole('status')).toContainText('rows');
  await expect(list.getByRole('button', { name: 'Add…' })).toHaveCount(0);
});

test('reports a field that another client changed or deleted before overwriting it', async ({ page, workbench }) => {
  const id = await sign(workbench, 'QUAY-7', '640');
  const setRent = (next: string) =>
    post(workbench, 'mutation/adhoc', {
      source: 'mutation raise(one: Lease, next: Decimal) { set one.rent = next }',
      args: { one: id, next },
    });
  await page.goto(`${workbench.url}/data?path=lease::Lease&sort=-code#token=${workbench.token}`);
  const grid = page.getByRole('grid', { name: 'Rows' });
  await grid.getByRole('gridcell', { name: '640', exact: true }).dblclick();
  const form = page.getByRole('form', { name: 'Edit rent' });
  const rent = form.getByRole('textbox', { name: 'rent' });
  await rent.fill('700');
  await setRent('650');
  const conflict = form.getByRole('alert').filter({ hasText: 'Someone else' });
  await expect(conflict).toContainText('Someone else changed it to 650');
  await rent.press('Enter');
  await expect(conflict.getByRole('button', { name: 'Keep mine' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(conflict).toBeHidden();
  await expect(rent).toBeFocused();
  // The decision survives a reload.
  await page.reload();
  await expect(rent).toHaveValue('700');
  await rent.press('Control+Enter');
  await expect(form).toBeHidden();
  await expect(grid.getByRole('gridcell', { name: '700', exact: true })).toBeVisible();

  await grid.getByRole('gridcell', { name: '700', exact: true }).dblclick();
  await rent.fill('720');
  await setRent('660');
  await conflict.getByRole('button', { name: 'Take theirs' }).click();
  await expect(rent).toHaveValue('660');
  await expect(conflict).toBeHidden();

  // The server knows changes that the page has not received yet.
  await page.route('**/v1/individuals/**', (route) => route.abort());
  await rent.fill('730');
  await setRent('670');
  await rent.press('Enter');
  await expect(form).toContainText('rent has changed since');
  await page.unroute('**/v1/individuals/**');

  await post(workbench, 'mutation/adhoc', { source: 'mutation raze(one: Lease) { delete one }', args: { one: id } });
  await expect(form.getByText('Someone else deleted it')).toBeVisible();
  await expect(rent).toHaveValue('730');
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();

  await test.step('the page of a deleted individual names the deletion, and requests nothing else about it', async () => {
    // Requests of the form above end with its page.
    await page.goto('about:blank');
    const failed = new Set<string>();
    page.on('response', (response) => {
      if (response.status() >= 400) failed.add(new URL(response.url()).pathname);
    });
    await page.goto(`${workbench.url}/data?path=lease::Lease&individual=${encodeURIComponent(id)}`);
    const individual = page.getByRole('region', { name: 'Individual' });
    await expect(individual).toContainText(`${id} was deleted by an ad-hoc mutation at `);
    await individual.getByRole('link', { name: /^an ad-hoc mutation/ }).click();
    await expect(page.getByRole('region', { name: /^Transaction [0-9]/ })).toContainText('deleted');
    expect([...failed]).toEqual([`/v1/individuals/${encodeURIComponent(id)}`]);
  });
});

async function sign(workbench: ServedWorkbench, code: string, rent: string): Promise<string> {
  const body = { path: 'lease::sign', args: { tenant: '@chidi', code, rent } };
  const { result } = (await post(workbench, 'dispatch/mutation', body)) as { result: { $id: string } };
  return result.$id;
}

async function register(workbench: ServedWorkbench, name: string): Promise<void> {
  await post(workbench, 'dispatch/mutation', { path: 'lease::register', args: { name, email: null } });
}

async function post({ url, token }: ServedWorkbench, route: string, body: object): Promise<unknown> {
  const response = await fetch(`${url}/v1/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  return response.json();
}

test.describe('with a low row cap', () => {
  test.use({ rowCap: 4 });

  test('lists all rows and labels all individuals', async ({ page, workbench }) => {
    await page.goto(workbench.address);
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    const list = page.getByRole('region', { name: 'List' });
    await page.getByRole('link', { name: /^Lease / }).click();
    await expect(cells(list, 0)).toHaveText(['ELM-12', 'ELM-14', 'MILL-1', 'MILL-2', 'QUAY-3', 'QUAY-5']);
    await page.getByRole('link', { name: 'Checks', exact: true }).click();
    const unguaranteed = page.getByRole('region', { name: 'unguaranteed' });
    await expect(unguaranteed.getByRole('listitem')).toContainText(['lease QUAY-5']);
    await page.getByRole('link', { name: 'Invoke', exact: true }).click();
    await page.getByRole('link', { name: 'activeLeases', exact: true }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('button', { name: 'Load more rows' }).click();
    await expect(page.getByRole('region', { name: 'Result', exact: true })).toContainText('5 rows');
  });
});

test('says how to show rows if a filter hides all of them', async ({ page, workbench }) => {
  await page.goto(`${workbench.url}/data?path=lease::Lease&find=nowhere#token=${workbench.token}`);
  await expect(page.getByText('The filter hides all rows of Lease.')).toBeVisible();
  await page.getByRole('link', { name: 'Show all', exact: true }).click();
  await expect(page.getByRole('link', { name: 'ELM-12' })).toBeVisible();
});

test.describe('with empty first concepts', () => {
  const text = `module harbour
pub concept Anchorage { name: Text }
pub concept Berth { name: Text }
pub concept Ship { name: Text }
pub individual aurora: Ship { name: "Aurora" }
`;
  test.use({ modules: { 'harbour.entail': text } });

  test('opens the first concept that has rows, and names it in the address', async ({ page, workbench }) => {
    await page.goto(workbench.address);
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await expect(page.getByRole('region', { name: 'List' }).getByRole('link', { name: 'Aurora' })).toBeVisible();
    expect(new URL(page.url()).searchParams.get('path')).toBe('harbour::Ship');
  });
});

test.describe('with empty texts', () => {
  const text = `module notes
pub concept Note { name: Text, body: Text? }
pub individual blank: Note { name: "", body: "a body" }
pub individual bare: Note { name: "Bare" }
pub individual empty: Note { name: "Empty", body: "" }
`;
  test.use({ modules: { 'notes.entail': text } });

  test('distinguishes an empty text from a missing value', async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/data?path=notes::Note#token=${workbench.token}`);
    const list = page.getByRole('region', { name: 'List' });
    await expect(cells(list, 0)).toHaveText(['Bare', '""', 'Empty']);
    await expect(cells(list, 1)).toHaveText(['–', 'a body', '""']);
    await list.getByRole('link', { name: 'Empty' }).click();
    await expect(page.getByRole('region', { name: 'Fields' })).toContainText('""');
  });
});

test.describe('with long numbers', () => {
  const digits = '1234567890123456789012345.678901';
  const text = `module ledger
pub concept Entry { name: Text, amount: Decimal }
pub individual one: Entry { name: "One", amount: ${digits} }
`;
  test.use({ modules: { 'ledger.entail': text } });

  test('fits a narrow column to its content from the menu', async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/data?path=ledger::Entry#token=${workbench.token}`);
    const grid = page.getByRole('grid', { name: 'Rows' });
    const cell = grid.getByRole('gridcell', { name: digits });
    const isWhole = () =>
      cell.evaluate((element) =>
        [element, ...element.querySelectorAll('*')].every(
          ({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth + 1,
        ),
      );
    for (const _ of Array.from({ length: 24 })) await narrow(page, grid);
    await expect.poll(isWhole).toBe(false);
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Fit width to content' }).click();
    await expect.poll(isWhole).toBe(true);
  });

  async function narrow(page: Page, grid: Locator): Promise<void> {
    await grid.focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowLeft');
  }
});

test.describe('with thousands of rows', () => {
  const text = `module many
pub relation next(from: Int, to: Int)
pub mutation fill(rows: Int) { for i in (select i where i in range(0, rows)) { insert next(i, rows - i) } }
`;
  test.use({ modules: { 'many.entail': text } });

  test('loads rows while scrolling, in any order', async ({ page, workbench }) => {
    await post(workbench, 'dispatch/mutation', { path: 'many::fill', args: { rows: 5_000 } });
    await page.goto(`${workbench.url}/data?path=many::next&sort=-to#token=${workbench.token}`);
    const grid = page.getByRole('grid', { name: 'Rows' });
    for (const { order, first, last } of [
      { order: '-to', first: '0', last: '4999' },
      { order: 'to,-from', first: '4999', last: '0' },
    ]) {
      await page.goto(`${workbench.url}/data?path=many::next&sort=${order}`);
      await expect(grid).toHaveAttribute('aria-rowcount', '5001');
      await expect(grid.locator('#cell-0-0')).toHaveText(first);
      await grid.evaluate((element) => {
        element.scrollTop = element.scrollHeight / 2;
      });
      await expect(grid.locator('[id$="-0"]').first()).toBeVisible();
      await grid.focus();
      await page.keyboard.press('Control+End');
      await expect(grid.locator('#cell-4999-0')).toHaveText(last);
    }
  });
});

test.describe('with many columns', () => {
  const fields = Array.from({ length: 40 }, (_, index) => `field${index}`);
  const values = fields.map((field, index) => `${field}: ${index + 1000}`).join(', ');
  const text = `module wide
pub concept Row { name: Text ${fields.map((field) => `${field}: Int`).join(' ')} }
pub individual one: Row { name: "One", ${values} }
`;
  test.use({ modules: { 'wide.entail': text } });

  test('renders visible columns only, and reaches the last by keyboard', async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/data?path=wide::Row#token=${workbench.token}`);
    const grid = page.getByRole('grid', { name: 'Rows' });
    await expect(grid.getByRole('link', { name: 'One' })).toBeVisible();
    await expect(grid).toHaveAttribute('aria-colcount', '44');
    // The proof column is visible at any scroll position.
    await expect(grid.getByRole('columnheader', { name: 'proof' })).toBeInViewport({ ratio: 1 });
    expect(await grid.getByRole('gridcell').count()).toBeLessThan(20);
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    for (const _ of fields) await page.keyboard.press('ArrowRight');
    const last = grid.getByRole('gridcell', { name: '1039' });
    await expect(last).toBeInViewport({ ratio: 1 });
    await expect(last).toHaveAttribute('aria-colindex', '42');
    await expect(grid.getByRole('gridcell', { name: '1000' })).toHaveCount(0);
    await page.keyboard.press('Shift+F10');
    await expect(page.getByRole('menuitem', { name: 'Copy field39' })).toBeVisible();
  });
});

/** The cells of one column, in row order. */
function cells(list: Locator, column: number): Locator {
  return list.locator(`[role="row"] [id$="-${column}"][role="gridcell"]`);
}

async function exported(page: Page, list: Locator): Promise<string> {
  await list.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'As CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Lease.csv');
  return readFile(await download.path(), 'utf8');
}

/** Opens the import panel for leases, which calls `sign` for each row. */
async function openLeaseImport(page: Page): Promise<Locator> {
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  const facts = page.getByRole('region', { name: 'Facts' });
  await facts.getByRole('link', { name: /^Lease / }).click();
  await expect(page).toHaveURL(/path=lease%3A%3ALease/);
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Import' });
  await expect(panel.getByRole('combobox', { name: 'For each row' })).toHaveValue('call sign');
  await expect(panel.getByText('sign adds to Lease and takes code and rent.')).toBeVisible();
  return panel;
}

test.describe('with facts per tenant', () => {
  const text = `module notes
context tenantId: Text
pub concept Note { text: Text }
pub individual shared: Note { text: "Everybody's" }
pub mutation write(text: Text) -> Note { return insert Note { text: text } }
`;
  test.use({ modules: { 'notes.entail': text } });

  test('closes an individual when the tenant changes, since its id means another individual there', async ({
    page,
    workbench,
  }) => {
    for (const tenantId of ['acme', 'other']) {
      const response = await fetch(`${workbench.url}/v1/dispatch/mutation`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${workbench.token}` },
        body: JSON.stringify({ path: 'notes::write', args: { text: `of ${tenantId}` }, context: { tenantId } }),
      });
      expect(response.status, await response.text()).toBe(200);
    }
    await page.goto(`${workbench.url}/data?path=notes::Note&individual=%23i1#token=${workbench.token}`);
    const switchTo = async (tenant: string): Promise<void> => {
      await page.getByRole('button', { name: /^Scope/ }).click();
      await page.getByRole('textbox', { name: 'Tenant' }).fill(tenant);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('button', { name: `Scope ${tenant}` })).toBeVisible();
    };
    await switchTo('acme');
    const individual = page.getByRole('region', { name: 'Individual' });
    await expect(individual.getByRole('heading', { name: 'of acme' })).toBeVisible();
    await switchTo('other');
    await expect(page.getByRole('grid', { name: 'Rows' })).toContainText('of other');
    await expect(individual).toHaveCount(0);
    await page.getByRole('grid', { name: 'Rows' }).getByRole('link', { name: "Everybody's" }).click();
    await switchTo('acme');
    await expect(page.getByRole('grid', { name: 'Rows' })).toContainText('of acme');
    await expect(individual).toContainText('@notes::shared');
  });
});

test.describe('values of lists and records', () => {
  const TRIPS = `module trips
pub concept Stop { name: Text unique }
pub individual quay: Stop { name: "Quayside" }
pub individual hill: Stop { name: "Hill" }
pub concept Trip { code: Text unique, stops: [Stop], price: { amount: Decimal, seller: Stop? } }
pub mutation add(code: Text, stops: [Stop]) -> Trip {
  return insert Trip { code: code, stops: stops, price: { amount: 1, seller: @hill } }
}
`;
  test.use({ modules: { 'trips.entail': TRIPS } });

  test('adds, edits and searches them, and shows a conflict over them with labels', async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/data?path=trips::Trip#token=${workbench.token}`);
    const list = page.getByRole('region', { name: 'List' });
    await list.getByRole('button', { name: 'Add…' }).click();
    const form = page.getByRole('form', { name: 'Add to Trip' });
    await form.getByRole('textbox', { name: 'code' }).fill('T1');
    for (const [at, stop] of ['Hill', 'Quayside'].entries()) {
      await form.getByRole('button', { name: 'Add Stop to stops' }).click();
      await form.getByRole('combobox', { name: `stops ${at + 1}` }).fill(stop);
      await expect(page.getByRole('option')).toHaveCount(1);
      await page.keyboard.press('Enter');
    }
    await form.getByRole('textbox', { name: 'price amount' }).fill('2.50');
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'T1' });
    await expect(row.getByRole('gridcell', { name: 'Hill, Quayside' })).toBeVisible();
    await expect(row.getByRole('gridcell', { name: '{ amount: 2.5, seller: none }' })).toBeVisible();

    await page.getByLabel('Find in any column').fill('side');
    await expect(list.getByRole('status')).toHaveText('1 row found');
    await page.getByLabel('Find in any column').fill('');

    const put = async (source: string, fork: string) => {
      const response = await fetch(`${workbench.url}/v1/mutation/adhoc`, {
        method: 'POST',
        headers: { authorization: `Bearer ${workbench.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ source, args: { t: '#i1' }, fork }),
      });
      expect(response.status, await response.text()).toBe(200);
    };
    const created = await fetch(`${workbench.url}/v1/forks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${workbench.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'what-if' }),
    });
    expect(created.status).toBe(201);
    await put('mutation m(t: Trip) { set t.price = { amount: 3, seller: @hill } set t.stops = [@hill] }', 'what-if');
    await put('mutation m(t: Trip) { set t.price = { amount: 4, seller: @quay } set t.stops = [] }', 'main');
    await expect(row.getByRole('gridcell', { name: '{ amount: 4, seller: Quayside }' })).toBeVisible();

    await page.getByRole('link', { name: 'Forks', exact: true }).click();
    await page.getByRole('treeitem', { name: /^what-if/ }).click();
    await page.getByRole('button', { name: 'Promote…' }).click();
    const sheet = page.getByRole('region', { name: 'Promote what-if' });
    await expect(sheet).toContainText('2 fields were changed on both sides');
    await expect(sheet).toContainText('{ amount: 3, seller: Hill }');
    await expect(sheet).toContainText('[Hill, Quayside]');
  });
});

function bottomOf(box: { readonly y: number; readonly height: number } | null): number {
  return box === null ? Number.NaN : box.y + box.height;
}
