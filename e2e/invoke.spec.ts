/**
 * The Invoke panel: a mutation is tried before it is made, what was called is found again, kept in a file beside the module, put
 * together to one transaction, and becomes a test of the module.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './support/served-workbench.js';

test.beforeEach(async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Invoke', exact: true }).click();
});

test('a dry run shows what would change and what would follow; the run does it, and both can be called again', async ({
  page,
}) => {
  await fillSign(page, 'NEW-1');
  await page.getByRole('combobox', { name: 'tenant' }).fill('@lease::dana');
  await page.getByRole('button', { name: 'Dry run' }).click();
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await expect(outcome.getByRole('region', { name: 'Changes' })).toContainText('Dana Petrova is a tenant of NEW-1');
  await expect(outcome.getByRole('region', { name: 'What follows' })).toContainText('NEW-1 is active');
  await expect(outcome.getByRole('region', { name: 'Checks that begin to fire' })).toContainText(
    'lease NEW-1 has nobody who guarantees it',
  );
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(outcome).toContainText('Done and on disk');

  await page.reload();
  await show(page, 'History');
  await page.getByRole('link', { name: 'Explain', exact: true }).click();
  await page.getByRole('link', { name: 'Invoke', exact: true }).click();
  await page.getByRole('textbox', { name: 'Filter history' }).fill('sign dana dry');
  await page.getByRole('button', { name: /^answered sign.*tenant Dana Petrova, code NEW-1/ }).click();
  await expect(page.getByRole('textbox', { name: 'code' })).toHaveValue('NEW-1');
});

test('a call is copied as curl, and kept in a file beside the module', async ({ page, workbench, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await fillSign(page, 'NEW-1');
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await expect(page.getByText('Copied as curl.')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`curl -sS -X POST ${workbench.url}/v1/dispatch/mutation`);
  expect(copied).toContain('$ENTAIL_TOKEN');
  expect(copied).not.toContain(workbench.token);

  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Sign for Dana');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await show(page, 'Saved');
  const saved = page.getByRole('region', { name: 'saved' }).getByRole('button', { name: 'Sign for Dana', exact: true });
  await expect(saved).toBeVisible();
  const file = JSON.parse(readFileSync(join(dirname(workbench.moduleFile), 'saved.calls.json'), 'utf8'));
  expect(file.calls).toEqual([
    { name: 'Sign for Dana', mutation: 'lease::sign', args: { tenant: '@dana', code: 'NEW-1', rent: '700' } },
  ]);
  await page.getByRole('textbox', { name: 'code' }).fill('OTHER');
  await saved.click();
  await expect(page.getByRole('textbox', { name: 'code' })).toHaveValue('NEW-1');
});

test('what one page calls is in the history of another at once, and cleared there too', async ({
  page,
  workbench,
  context,
}) => {
  const other = await context.newPage();
  await other.goto(workbench.address);
  await other.getByRole('link', { name: 'Invoke', exact: true }).click();
  await show(other, 'History');
  await expect(other.getByText('What you run is listed here')).toBeVisible();
  await page.getByRole('link', { name: 'leaseCount', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(other.getByRole('button', { name: /^answered leaseCount/ })).toBeVisible();
  await show(page, 'History');
  await other.getByRole('button', { name: 'Clear history' }).click();
  await expect(page.getByText('What you run is listed here')).toBeVisible();
});

test('a kept call and its file are renamed, duplicated and deleted, and what was deleted comes back', async ({
  page,
  workbench,
}) => {
  const folder = dirname(workbench.moduleFile);
  const calls = ['first', 'second'].map((name) => ({ name, query: 'lease::leaseCount' }));
  writeFileSync(join(folder, 'smoke.calls.json'), JSON.stringify({ format: 'entail-calls', formatVersion: 1, calls }));
  writeFileSync(join(folder, 'other.calls.json'), '{"format":"entail-calls","formatVersion":1,"calls":[]}');
  const kept = (file: string): string[] =>
    JSON.parse(readFileSync(join(folder, `${file}.calls.json`), 'utf8')).calls.map(
      ({ name }: { name: string }) => name,
    );
  await show(page, 'Saved');
  const call = (name: string) => page.getByRole('button', { name, exact: true });
  const act = async (on: string, action: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions for ${on}` }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };

  await call('first').press('F2');
  const name = page.getByRole('textbox', { name: 'Name of first' });
  await name.fill('second');
  await expect(page.getByText('There is a call second in the file already.')).toBeVisible();
  await name.fill('renamed');
  await name.press('Enter');
  await expect(call('renamed')).toBeFocused();
  await act('renamed', 'Duplicate');
  await expect(call('renamed 2')).toBeFocused();
  expect(kept('smoke')).toEqual(['renamed', 'renamed 2', 'second']);
  await page.keyboard.press('Delete');
  await expect(call('renamed 2')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(call('renamed 2')).toBeVisible();
  expect(kept('smoke')).toEqual(['renamed', 'renamed 2', 'second']);

  await act('smoke.calls.json', 'Rename…');
  const file = page.getByRole('textbox', { name: 'Name of smoke.calls.json' });
  await file.fill('a/b');
  await expect(page.getByText('The name must be 1 to 64 letters')).toBeVisible();
  await file.fill('Other');
  await expect(page.getByText('There is one called other already.')).toBeVisible();
  await file.fill('daily');
  await file.press('Enter');
  await expect(page.getByRole('region', { name: 'daily' })).toBeVisible();
  expect(existsSync(join(folder, 'smoke.calls.json'))).toBe(false);
  await act('daily.calls.json', 'Duplicate');
  await expect(page.getByRole('region', { name: 'daily 2' })).toBeVisible();
  await act('daily.calls.json', 'Delete');
  await expect(page.getByRole('region', { name: 'daily', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('region', { name: 'daily', exact: true })).toBeVisible();
  expect(kept('daily')).toEqual(kept('daily 2'));
});

test('calls become one transaction, and a test of the module', async ({ page }) => {
  await fillSign(page, 'NEW-1');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await expect(outcome).toContainText('Done and on disk');
  await page.getByRole('link', { name: 'leaseCount', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(outcome).toContainText('7');
  await show(page, 'History');
  for (const name of ['sign', 'leaseCount']) await page.getByRole('checkbox', { name: `Pick ${name}` }).check();
  await page.getByRole('button', { name: 'As batch' }).click();
  await page.getByRole('textbox', { name: 'Arguments of step 1' }).fill('{ "wrong": { "$step": 1 } }');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('must name a step before this one')).toBeVisible();
  await page.getByRole('button', { name: 'Remove step 1' }).click();
  await expect(page.getByRole('textbox', { name: 'Arguments of step 1' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('textbox', { name: 'Arguments of step 1' }).fill('{}');
  await page.getByRole('button', { name: 'Dry run' }).click();
  await expect(outcome).toContainText('Dry run: nothing was kept');
  await expect(outcome.getByRole('region', { name: 'What follows' })).toContainText('NEW-1 is active');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(outcome.getByRole('listitem').filter({ hasText: 'leaseCount' })).toContainText('8');

  await page.getByRole('button', { name: 'As test' }).click();
  const sheet = page.getByRole('dialog', { name: 'A test of the module' });
  await expect(sheet.getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'As test' })).toBeFocused();
  await page.keyboard.press('Enter');
  await sheet.getByRole('textbox', { name: 'Name of the test' }).fill('Dana signs');
  await expect(sheet).toContainText('let _lease1 = sign(tenant: @dana, code: "NEW-1", rent: 700)');
  await expect(sheet).toContainText('expect leaseCount1 == 7');
  await sheet.getByRole('button', { name: 'Append to lease.entail as a draft' }).click();
  await expect(page.getByRole('textbox', { name: 'Source of lease.entail' })).toContainText('test "Dana signs" {');
  await expect(page.getByRole('button', { name: /error/ })).toContainText('0 errors');
});

test('an individual is meant by its name as it is typed, and by a part that only one name has', async ({ page }) => {
  await fillSign(page, 'NEW-1');
  const tenant = page.getByRole('combobox', { name: 'tenant' });
  await tenant.fill('Dana Petrova');
  await page.getByRole('button', { name: 'Dry run' }).click();
  await expect(tenant).toHaveValue('Dana Petrova  @dana');
  const changes = page.getByRole('region', { name: 'Outcome' }).getByRole('region', { name: 'Changes' });
  await expect(changes).toContainText('Dana Petrova is a tenant of NEW-1');

  await tenant.fill('okaf');
  await expect(page.getByRole('option')).toHaveCount(1);
  await tenant.press('Enter');
  await expect(tenant).toHaveValue('Chidi Okafor  @chidi');
  await tenant.fill('@chidi');
  await expect(page.getByRole('option')).toHaveCount(1);
  // Sends it, and hides nothing of the answer.
  await tenant.press('Enter');
  await expect(page.getByRole('option')).toHaveCount(0);
  await expect(tenant).toBeFocused();
  await page.getByRole('button', { name: 'Dry run' }).click();
  await expect(changes).toContainText('Chidi Okafor is a tenant of NEW-1');

  // A click from elsewhere marks the whole name: what is typed takes its place.
  await tenant.click();
  await page.keyboard.type('petro');
  await page.keyboard.press('Enter');
  await expect(tenant).toHaveValue('Dana Petrova  @dana');
});

test('an argument that is refused is told at its input; the whole answer and its line in the log are at hand', async ({
  page,
}) => {
  await fillSign(page, 'NEW-1');
  const rent = page.getByRole('textbox', { name: 'rent' });
  await rent.fill('-5');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const told = page.getByRole('region', { name: 'Arguments' }).getByText('must satisfy value > 0');
  await expect(told).toBeVisible();
  await expect(rent).toHaveAttribute('aria-invalid', 'true');
  await rent.fill('5');
  await expect(told).toHaveCount(0);
  await page.keyboard.press('Control+Enter');
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await outcome.getByText('Envelope').click();
  await expect(outcome.getByRole('region', { name: 'JSON' }).last()).toContainText('"moduleHash"');
  await outcome.getByTitle('See the request in the log').click();
  await expect(page.getByRole('region', { name: 'Request', exact: true })).toContainText('lease::sign');
});

test('calls stand in tabs side by side, and an answer is searched, opened and copied from', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await fillSign(page, 'NEW-1');
  await page.keyboard.press('Alt+t');
  const tabs = page.getByRole('tablist', { name: 'Calls' }).getByRole('tab');
  await expect(tabs).toHaveText(['sign', 'sign 2']);
  const code = page.getByRole('textbox', { name: 'code' });
  await expect(code).toHaveValue('NEW-1');
  await code.fill('NEW-2');
  await page.keyboard.press('Control+Enter');
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await expect(outcome).toContainText('Done and on disk');
  await page.getByRole('link', { name: 'leaseCount', exact: true }).click();
  // What has only been looked at makes room.
  await page.getByRole('link', { name: 'activeLeases', exact: true }).click();
  await expect(tabs).toHaveText(['sign', 'sign 2', 'activeLeases']);
  await page.keyboard.press('Control+Enter');
  await expect(outcome.getByText('6 rows')).toBeVisible();

  await outcome.getByText('JSON', { exact: true }).click();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('new-2');
  await expect(outcome.getByRole('search').getByRole('status')).toHaveText('1 of 1');
  await expect(outcome.getByRole('treeitem', { selected: true })).toHaveText('code: "NEW-2"');
  await outcome.getByRole('button', { name: 'Copy path' }).click();
  await expect(page.getByText('Copied: $[')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^\$\[\d\]\.code$/);
  await outcome.getByRole('button', { name: 'Collapse all' }).click();
  await expect(outcome.getByRole('treeitem')).toHaveCount(6);
  await outcome.getByText('Table', { exact: true }).click();
  await expect(outcome.locator('[data-found="true"]')).toHaveText('NEW-2');
  await outcome.getByRole('button', { name: 'Close the search' }).click();

  await page.reload();
  await expect(tabs).toHaveText(['sign', 'sign 2', 'activeLeases']);
  await page.keyboard.press('Alt+PageUp');
  await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true');
  await expect(code).toHaveValue('NEW-2');
  await tabs.first().click();
  await expect(code).toHaveValue('NEW-1');
  await tabs.nth(1).click({ button: 'middle' });
  await expect(tabs).toHaveText(['sign', 'activeLeases']);
  await page.getByRole('button', { name: 'Reopen' }).click();
  await expect(code).toHaveValue('NEW-2');
  await page.keyboard.press('Alt+w');
  await expect(tabs).toHaveText(['sign', 'activeLeases']);
  // A key right behind the click is meant for what was clicked, however busy the page is.
  await tabs.first().evaluate(async (tab: HTMLElement) => {
    tab.click();
    await Promise.resolve();
    tab.dispatchEvent(new KeyboardEvent('keydown', { key: 'w', altKey: true, bubbles: true, cancelable: true }));
  });
  await expect(tabs).toHaveText(['activeLeases']);
  await expect(page.getByRole('heading', { name: 'activeLeases' })).toBeVisible();
});

const ACME = `module acme
context tenantId: Text
pub enum Status { draft, signed }
pub concept Lease { code: Text, rent: Decimal, start: Date, status: Status = draft }
pub query q10() -> Int { value 10 }
pub query q2() -> Int { value 2 }
pub query q1() -> Int { value 1 }
pub mutation sign(code: Text, rent: Decimal, start: Date, status: Status) -> Lease {
  return insert Lease { code: code, rent: rent, start: start, status: status }
}
pub mutation end(lease: Lease) { delete lease }
`;

test.describe('with a module of its own', () => {
  test.use({ modules: { 'acme.entail': ACME } });

  test('what calls share stands in an environment beside the module, and is put in where its name stands', async ({
    page,
    workbench,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const folder = dirname(workbench.moduleFile);
    await expect(page.getByRole('region', { name: 'Queries' }).getByRole('link')).toHaveText(['q1', 'q2', 'q10']);
    await page.getByRole('link', { name: 'sign', exact: true }).click();
    const code = page.getByRole('textbox', { name: 'code' });
    await code.fill('{{lease}}');
    await expect(code).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByText('No variable is called lease')).toBeVisible();
    await page.getByRole('button', { name: 'Define lease' }).click();
    await page.getByRole('textbox', { name: 'Value of lease' }).fill('L1');
    await page.getByRole('textbox', { name: 'Environment' }).fill('at acme');
    for (const [index, [name, value]] of Object.entries({
      tenant: 'acme',
      day: '2026-01-31',
      state: 'signed',
    }).entries()) {
      await page.getByRole('button', { name: 'Add a variable' }).click();
      await page.getByRole('textbox', { name: `Name of variable ${index + 2}` }).fill(name);
      await page.getByRole('textbox', { name: `Value of ${name}` }).fill(value);
    }
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const environment = page.getByRole('combobox', { name: 'Environment' });
    await expect(environment).toHaveValue('at acme');
    const file = JSON.parse(readFileSync(join(folder, 'at acme.environment.json'), 'utf8'));
    expect(file.variables).toEqual({ lease: 'L1', tenant: 'acme', day: '2026-01-31', state: 'signed' });
    await expect(page.getByText('lease = L1')).toBeVisible();
    await expect(code).not.toHaveAttribute('aria-invalid');
    await expect(code).toBeFocused();

    await page.getByRole('textbox', { name: 'rent' }).fill('900');
    await page.getByRole('textbox', { name: 'Context tenantId' }).fill('{{tenant}}');
    await expect(page.getByRole('button', { name: 'Scope acme' })).toBeVisible();
    // Neither a date nor a choice is typed: a variable is put there from a menu, by keys too.
    await page.getByRole('button', { name: 'Use a variable for start' }).click();
    await page.getByRole('menuitem', { name: 'day' }).click();
    await page.getByRole('button', { name: 'Use a variable for status' }).press('Enter');
    await page
      .getByRole('menu', { name: 'Use a variable for status' })
      .getByRole('menuitem', { name: 'state' })
      .press('Enter');
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await expect(page.getByText('Copied as curl.')).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('"args":{"code":"L1","rent":"900","start":"2026-01-31","status":"signed"}');
    expect(copied).toContain('x-tenant-id: acme');
    await page.keyboard.press('Control+Enter');
    const outcome = page.getByRole('region', { name: 'Outcome' });
    await expect(outcome).toContainText('Done and on disk');
    await outcome.getByRole('button', { name: 'Set variable…' }).click();
    await expect(page.getByRole('combobox', { name: 'Value' })).toHaveValue('result.$id  #i1');
    await page.getByRole('textbox', { name: 'Variable' }).fill('signed');
    await page.getByRole('button', { name: 'Set', exact: true }).click();

    writeEnvironment(folder, 'other', { tenant: 'other', lease: 'L2' });
    await page.reload();
    await expect(environment).toHaveValue('at acme');
    await expect(code).toHaveValue('{{lease}}');
    await environment.click();
    await page.getByRole('option', { name: 'other' }).click();
    await expect(page.getByText('lease = L2')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Scope other' })).toBeVisible();
    await expect(page.getByText('The environment other has no variable day.')).toBeVisible();
    await page.getByRole('link', { name: 'end', exact: true }).click();
    await page.getByRole('combobox', { name: 'lease' }).fill('{{signed}}');
    await expect(page.getByText('signed = #i1')).toBeVisible();

    await show(page, 'History');
    await page.getByRole('button', { name: /^answered sign.*code L1/ }).click();
    await expect(code).toHaveValue('{{lease}}');
    await expect(page.getByRole('textbox', { name: 'start' })).toHaveValue('{{day}}');
    await expect(page.getByRole('textbox', { name: 'Context tenantId' })).toHaveValue('{{tenant}}');
  });

  test('what a call came to for one tenant is not taken for that of another, to which the page is switched', async ({
    page,
  }) => {
    const tenant = page.getByRole('textbox', { name: 'Context tenantId' });
    const outcome = page.getByRole('region', { name: 'Outcome' });
    await page.getByRole('link', { name: 'sign', exact: true }).click();
    await page.getByRole('combobox', { name: 'status' }).click();
    await page.getByRole('option', { name: 'signed' }).click();
    for (const [name, value] of Object.entries({ rent: '900', start: '2026-01-31' })) {
      await page.getByRole('textbox', { name, exact: true }).fill(value);
    }
    for (const [name, code] of Object.entries({ other: 'L-OTHER', acme: 'L-ACME' })) {
      await tenant.fill(name);
      await page.getByRole('textbox', { name: 'code' }).fill(code);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await expect(outcome.getByRole('listitem').filter({ hasText: 'rent' })).toContainText(`${code} rent`);
    }
    await tenant.fill('other');
    await expect(outcome.getByRole('status')).toContainText('for acme');
    await expect(outcome.getByRole('listitem').filter({ hasText: 'rent' })).toContainText('#i1 rent');
    await expect(outcome.getByRole('link', { name: /Why|L-ACME/ })).toHaveCount(0);
    await outcome.getByRole('button', { name: 'Switch to it' }).click();
    await expect(tenant).toHaveValue('acme');
    await expect(outcome.getByRole('link', { name: 'L-ACME' })).toBeVisible();
    await expect(outcome.getByRole('listitem').filter({ hasText: 'rent' })).toContainText('L-ACME rent');
    await expect(outcome.getByRole('status')).not.toContainText('for acme');

    await page.getByRole('link', { name: 'end', exact: true }).click();
    await page.getByRole('combobox', { name: 'lease' }).fill('#i1');
    await page.keyboard.press('Control+Enter');
    await expect(outcome).toContainText('Done and on disk');
    await tenant.fill('other');
    // The same id is another lease here: what was picked waits for its tenant.
    await expect(page.getByRole('combobox', { name: 'lease' })).toHaveValue('');
    await tenant.fill('acme');
    await expect(page.getByRole('combobox', { name: 'lease' })).toHaveValue('#i1');
    await tenant.fill('other');
    await show(page, 'History');
    const ended = page.getByRole('button', { name: /^answered end/ });
    await expect(ended).toContainText('acme: ');
    await expect(ended).toContainText('lease #i1');
  });

  test('the names of variables are completed from the second brace on, in any field; a new one is offered to be defined', async ({
    page,
    workbench,
  }) => {
    writeEnvironment(dirname(workbench.moduleFile), 'at acme', { day: '2026-01-31', lease: 'L1', leaseEnd: 'later' });
    await page.getByRole('link', { name: 'sign', exact: true }).click();
    await page.getByRole('combobox', { name: 'Environment' }).click();
    await page.getByRole('option', { name: 'at acme' }).click();
    const list = page.getByRole('listbox', { name: 'Variables' });
    const offered = list.getByRole('option');

    const code = page.getByRole('textbox', { name: 'code' });
    await code.pressSequentially('of {{');
    await expect(offered).toHaveText(['day2026-01-31', 'leaseL1', 'leaseEndlater']);
    await page.keyboard.press('ArrowUp');
    await expect(offered.last()).toHaveAttribute('aria-selected', 'true');
    await expect(code).toHaveAttribute('aria-activedescendant', (await offered.last().getAttribute('id')) ?? '');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(code).toHaveValue('of {{lease}}');
    await page.keyboard.press('Control+z');
    await expect(code).toHaveValue('of {{');
    await page.keyboard.type('END');
    await expect(offered).toHaveText(['leaseEndlater', 'Define END…']);
    await page.keyboard.press('Escape');
    await page.keyboard.type('2');
    await expect(list).toHaveCount(0);

    await page.getByRole('textbox', { name: 'rent' }).pressSequentially('{{d');
    await expect(page.getByRole('combobox', { name: 'rent' })).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('textbox', { name: 'rent' })).toHaveValue('{{day}}');
    await expect(page.getByRole('textbox', { name: 'rent' })).toBeFocused();
    // A date takes no text until a brace is typed, and is a date again when the last one is gone.
    const start = page.getByRole('textbox', { name: 'start' });
    await start.pressSequentially('{');
    await page.keyboard.type('{');
    await offered.first().click();
    await expect(start).toHaveValue('{{day}}');
    for (const _ of '{{day}}') await page.keyboard.press('Backspace');
    await expect(start).toHaveAttribute('type', 'date');
    await expect(start).toBeFocused();

    await page.getByRole('radiogroup', { name: 'Arguments as' }).getByText('JSON').click();
    const json = page.getByRole('textbox', { name: 'Arguments as JSON' });
    await json.fill('{ "code":  }');
    await json.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('{{l');
    await page.keyboard.press('Enter');
    await expect(json).toHaveValue('{ "code": "{{lease}}" }');

    await page.getByRole('textbox', { name: 'Context tenantId' }).pressSequentially('{{landlord');
    await expect(offered).toHaveText(['Define landlord…']);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: 'Value of landlord' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('textbox', { name: 'Context tenantId' })).toHaveValue('{{landlord}}');
    await expect(page.getByRole('textbox', { name: 'Context tenantId' })).toBeFocused();
  });
});

test('an environment is renamed, duplicated and deleted, and what was deleted comes back', async ({
  page,
  workbench,
}) => {
  const folder = dirname(workbench.moduleFile);
  writeEnvironment(folder, 'at acme', { lease: 'L1' });
  writeEnvironment(folder, 'other', {});
  const environment = page.getByRole('combobox', { name: 'Environment' });
  await environment.click();
  await page.getByRole('option', { name: 'at acme' }).click();
  const sheet = page.getByRole('dialog', { name: 'Variables' });
  const open = () => page.getByRole('button', { name: 'Variables', exact: true }).click();
  const name = sheet.getByRole('textbox', { name: 'Environment' });
  await open();
  await name.fill('../up');
  await expect(sheet.getByText('The name must be 1 to 64 letters')).toBeVisible();
  await name.fill('Other');
  await expect(sheet.getByText('There is one called other already.')).toBeVisible();
  await name.fill('at home');
  await sheet.getByRole('textbox', { name: 'Value of lease' }).fill('L2');
  await sheet.getByRole('button', { name: 'Save under the new name' }).click();
  await expect(environment).toHaveValue('at home');
  expect(existsSync(join(folder, 'at acme.environment.json'))).toBe(false);
  const variablesOf = (file: string): unknown =>
    JSON.parse(readFileSync(join(folder, `${file}.environment.json`), 'utf8')).variables;
  expect(variablesOf('at home')).toEqual({ lease: 'L2' });

  await open();
  await sheet.getByRole('button', { name: 'Duplicate' }).click();
  await expect(name).toHaveValue('at home 2');
  await sheet.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(environment).toHaveValue('at home 2');

  await open();
  await sheet.getByRole('textbox', { name: 'Value of lease' }).fill('not saved');
  await sheet.getByRole('button', { name: 'Delete the file' }).click();
  await expect(environment).toHaveValue('No environment');
  expect(existsSync(join(folder, 'at home 2.environment.json'))).toBe(false);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(environment).toHaveValue('at home 2');
  expect(variablesOf('at home 2')).toEqual({ lease: 'L2' });
  await open();
  await expect(sheet.getByRole('textbox', { name: 'Value of lease' })).toHaveValue('not saved');
});

function writeEnvironment(folder: string, name: string, variables: Readonly<Record<string, string>>): void {
  writeFileSync(
    join(folder, `${name}.environment.json`),
    JSON.stringify({ format: 'entail-environment', formatVersion: 1, variables }),
  );
}

async function fillSign(page: Page, code: string): Promise<void> {
  await page.getByRole('link', { name: 'sign', exact: true }).click();
  await page.getByRole('combobox', { name: 'tenant' }).fill('@dana');
  await page.getByRole('textbox', { name: 'code' }).fill(code);
  await page.getByRole('textbox', { name: 'rent' }).fill('700');
}

async function show(page: Page, side: string): Promise<void> {
  await page.getByRole('radiogroup', { name: 'Show' }).getByRole('radio', { name: side }).check();
}

test.describe('a form that is longer than its pane', () => {
  const places = Array.from({ length: 16 }, (_, index) => `place${index}: Text`);
  const text = `module long
pub concept Thing { name: Text }
pub mutation make(${[...places.slice(0, 8), 'ready: Bool', ...places.slice(8)].join(', ')}) -> Thing {
  return insert Thing { name: if ready then ${places.map((place) => place.split(':')[0]).join(' ++ ')} else "" }
}
`;
  test.use({ modules: { 'long.entail': text } });

  test('goes by below what runs it', async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/invoke?call=long::make#token=${workbench.token}`);
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await expect(run).toBeVisible();
    await page.getByRole('radiogroup', { name: 'ready' }).scrollIntoViewIfNeeded();
    const middle = await run.evaluate(middleOf);
    await page.getByText('true', { exact: true }).evaluate((choice, to) => {
      const { top, height } = choice.getBoundingClientRect();
      let pane = choice.parentElement;
      while (pane !== null && getComputedStyle(pane).overflowY !== 'auto') pane = pane.parentElement;
      pane?.scrollBy(0, top + height / 2 - to.y);
    }, middle);
    const seen = await run.evaluate((button, { x, y }) => button.contains(document.elementFromPoint(x, y)), middle);
    expect(seen).toBe(true);
  });
});

function middleOf(element: Element): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
