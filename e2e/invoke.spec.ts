/** The Invoke panel: dry runs, history, saved calls, batches, and tests made from calls. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { holdResponses } from './support/held-responses.js';
import { expect, type ServedWorkbench, test } from './support/served-workbench.js';
import { chooseByKeyboard, show } from './support/steps.js';

test.beforeEach(async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Invoke', exact: true }).click();
});

test('names individuals in messages of the server, also at the field', async ({ page, workbench }) => {
  const response = await fetch(`${workbench.url}/v1/dispatch/mutation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${workbench.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ path: 'lease::register', args: { name: 'Zoe Hart', email: null } }),
  });
  const { result } = (await response.json()) as { result: { $id: string } };
  const call = new URLSearchParams({ call: 'lease::end', args: JSON.stringify({ lease: result.$id }) });
  await page.goto(`${workbench.url}/invoke?${call}#token=${workbench.token}`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('Expected a Lease, got Zoe Hart, which is a Person')).toHaveCount(2);
});

test('shows changes and conclusions of a dry run, saves them on Run, and repeats both', async ({ page, workbench }) => {
  await fillSign(page, 'NEW-1');
  await page.getByRole('combobox', { name: 'tenant' }).fill('@lease::dana');
  const buttons = page.getByRole('region', { name: 'Arguments' }).getByRole('button', { name: /^(Dry run|Run)$/ });
  await expect(buttons).toHaveText(['Dry run', 'Run']);
  const toPress = buttons.and(page.locator('[data-variant="filled"]'));
  await expect(toPress, 'a mutation starts with a dry run').toHaveText('Dry run');
  // Enter in a field starts a dry run only.
  await page.getByRole('textbox', { name: 'rent' }).press('Enter');
  const outcome = page.getByRole('region', { name: 'Result', exact: true });
  await expect(outcome.getByRole('region', { name: 'Changes' })).toContainText('Dana Petrova is a tenant of NEW-1');
  await expect(toPress, 'the dry run had the same arguments').toHaveText('Run');
  await expect(buttons).toHaveText(['Dry run', 'Run']);
  await expect(outcome.getByRole('region', { name: 'Conclusions' })).toContainText('NEW-1 is active');
  await expect(outcome.getByRole('region', { name: 'New violations' })).toContainText(
    'lease NEW-1 has nobody who guarantees it',
  );
  const follows = outcome.getByRole('listitem').filter({ hasText: 'NEW-1 is active' });
  await follows.getByRole('link', { name: 'Why?' }).press('Enter');
  await expect(page.getByRole('region', { name: 'Tried state' })).toContainText('after sign. Nothing was saved.');
  await expect(page.getByRole('tree', { name: 'Proof' })).toContainText('NEW-1');
  await expect(page.getByRole('list', { name: 'About this explanation' })).toContainText('Would be true');
  await page.goBack();
  await outcome.getByRole('region', { name: 'New violations' }).getByRole('link', { name: 'Why?' }).click();
  await expect(page.getByRole('tree', { name: 'Proof' })).toContainText('NEW-1');
  await page.goBack();
  const changes = outcome.getByRole('heading', { name: /^Changes \d+$/ });
  const counted = (await changes.textContent()) ?? '';
  await page.getByRole('textbox', { name: 'rent' }).press('Control+Enter');
  await expect(outcome).toContainText('Saved');
  await expect(changes).toHaveText(counted);
  await expect(outcome.getByRole('region', { name: 'Conclusions' })).toContainText('NEW-1 is active');

  const toast = page.getByRole('group', { name: 'Last change' });
  await expect(toast).toContainText('sign NEW-1: 2 facts added, 2 conclusions, 1 warning');
  await expect(toast, 'both lines are visible').toBeInViewport({ ratio: 1 });
  await toast.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(toast).toContainText('Undone: sign NEW-1');
  expect(await hasLease(workbench, 'NEW-1')).toBe(false);
  const redo = toast.getByRole('button', { name: 'Redo' });
  await expect(redo, 'the revert has ended').not.toHaveAttribute('data-loading');
  await redo.press('Enter');
  await expect(toast).toContainText('Redone: sign NEW-1');
  expect(await hasLease(workbench, 'NEW-1')).toBe(true);

  await page.reload();
  await show(page, 'History');
  await page.getByRole('link', { name: 'Explain', exact: true }).click();
  await page.getByRole('link', { name: 'Invoke', exact: true }).click();
  await page.getByRole('textbox', { name: 'Filter history' }).fill('sign dana dry');
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Filter history' })).toHaveValue('sign dana dry');
  await page.getByRole('button', { name: /^succeeded sign.*tenant Dana Petrova, code NEW-1/ }).click();
  await expect(page.getByRole('textbox', { name: 'code' })).toHaveValue('NEW-1');
});

test('sends a mutation once, although its shortcut is pressed repeatedly', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => void (request.url().includes('/dispatch/mutation') && requests.push(request.url())));
  await fillSign(page, 'NEW-1');
  const release = await holdResponses(page, '**/v1/dispatch/mutation*');
  await page.clock.install();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await page.clock.runFor(3_000);
  await expect(page.getByRole('region', { name: 'Result', exact: true })).toContainText(/Running\s*[3-9] s/);
  release();
  await expect(page.getByRole('region', { name: 'Result', exact: true })).toContainText('Saved');
  expect(requests).toHaveLength(1);
});

test('lists a call that was cancelled or cut off by a reload, with its possible outcome', async ({ page }) => {
  await fillSign(page, 'NEW-1');
  const release = await holdResponses(page, '**/v1/dispatch/mutation*');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  const outcome = page.getByRole('region', { name: 'Result', exact: true });
  await expect(outcome.getByRole('status')).toContainText('Cancelled');
  await expect(outcome.getByRole('alert')).toContainText('It may have taken effect: see the log.');
  await show(page, 'History');
  const entries = page.getByRole('button', { name: /^failed sign.*no response.*code NEW-1/ });
  await expect(entries).toHaveCount(1);

  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible();
  await page.reload();
  await expect(entries).toHaveCount(2);

  await test.step('does not report a running call as cut off in a duplicated tab', async () => {
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible();
    const opened = page.waitForEvent('popup');
    await page.evaluate(() => {
      window.open(window.location.href);
    });
    const copy = await opened;
    await expect(copy.getByRole('button', { name: /^failed sign/ })).toHaveCount(2);
    release();
    await expect(page.getByRole('button', { name: /^succeeded sign/ })).toHaveCount(1);
    await expect(entries).toHaveCount(2);
    await copy.close();
  });
});

test('restores a call in a new tab if the draft was never sent', async ({ page }) => {
  const code = page.getByRole('textbox', { name: 'code' });
  const tabs = page.getByRole('tablist', { name: 'Calls' }).getByRole('tab');
  await fillSign(page, 'NEW-1');
  await page.getByRole('button', { name: 'Dry run' }).click();
  await show(page, 'History');
  const entry = page.getByRole('button', { name: /^succeeded sign.*code NEW-1/ });
  await entry.click();
  await expect(tabs).toHaveText(['sign']);
  await code.fill('NEW-2');
  await entry.click();
  await expect(tabs).toHaveText(['sign', 'sign 2']);
  await expect(code).toHaveValue('NEW-1');
  await entry.click();
  await tabs.first().click();
  await expect(code).toHaveValue('NEW-2');
  await expect(tabs).toHaveText(['sign', 'sign 2']);
});

test('copies a call as curl, saves it beside the module, and saves it again after a change', async ({
  page,
  workbench,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await fillSign(page, 'NEW-1');
  await page.getByRole('button', { name: 'Copy as…' }).click();
  await page.getByRole('menuitem', { name: 'curl' }).click();
  await expect(page.getByText('Copied as curl.')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`curl -sS -X POST ${workbench.url}/v1/dispatch/mutation`);
  expect(copied).toContain('$ENTAIL_TOKEN');
  expect(copied).not.toContain(workbench.token);

  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Sign for Dana');
  await page.getByRole('textbox', { name: 'Note' }).fill('she moves in May');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await show(page, 'Saved');
  const saved = page.getByRole('region', { name: 'saved' }).getByRole('button', { name: 'Sign for Dana she moves' });
  await expect(saved).toBeVisible();
  const savedCalls = (): unknown =>
    JSON.parse(readFileSync(join(dirname(workbench.moduleFile), 'saved.calls.json'), 'utf8')).calls;
  const call = { name: 'Sign for Dana', mutation: 'lease::sign' };
  const args = { tenant: '@dana', code: 'NEW-1', rent: '700' };
  expect(savedCalls()).toEqual([{ ...call, note: 'she moves in May', args }]);

  const code = page.getByRole('textbox', { name: 'code' });
  await code.fill('OTHER');
  await saved.click();
  await expect(code).toHaveValue('NEW-1');
  await code.fill('NEW-2');
  await page.getByRole('button', { name: 'Unsaved changes Save…' }).press('Enter');
  const back = page.getByRole('form', { name: 'Save Sign for Dana' });
  await expect(back.getByRole('button', { name: 'Save changes' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Save…', exact: true })).toBeFocused();
  expect(savedCalls()).toEqual([{ ...call, note: 'she moves in May', args: { ...args, code: 'NEW-2' } }]);

  const checks = page.getByRole('link', { name: 'Checks', exact: true });
  await checks.click();
  // *Back* returns to a panel only after it has appeared.
  await expect(checks).toHaveAttribute('aria-current', 'page');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('sign for dana');
  await expect(page.getByRole('dialog', { name: 'Go to or run' })).toContainText('she moves in May');
  await page.keyboard.press('Enter');
  await expect(code).toHaveValue('NEW-2');
  await page.goBack();
  await expect(checks).toHaveAttribute('aria-current', 'page');
});

test('updates the history of other pages at once when a call ends or the history is cleared', async ({
  page,
  workbench,
  context,
}) => {
  const other = await context.newPage();
  await other.goto(workbench.address);
  await other.getByRole('link', { name: 'Invoke', exact: true }).click();
  await show(other, 'History');
  await expect(other.getByText('Calls that you run appear here')).toBeVisible();
  await page.getByRole('link', { name: 'leaseCount', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(other.getByRole('button', { name: /^succeeded leaseCount/ })).toBeVisible();
  await show(page, 'History');
  await other.getByRole('button', { name: 'Clear history' }).click();
  await expect(page.getByText('Calls that you run appear here')).toBeVisible();
});

test('renames, duplicates and deletes a saved call and its file, and undoes deletion', async ({ page, workbench }) => {
  const folder = dirname(workbench.moduleFile);
  const calls = ['first', 'second'].map((name) => ({ name, query: 'lease::leaseCount' }));
  writeFileSync(join(folder, 'smoke.calls.json'), JSON.stringify({ format: 'entail-calls', formatVersion: 1, calls }));
  writeFileSync(join(folder, 'other.calls.json'), '{"format":"entail-calls","formatVersion":1,"calls":[]}');
  const savedNames = (file: string): string[] =>
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
  await expect(page.getByText('The file already has a call second.')).toBeVisible();
  await name.fill('renamed');
  await name.press('Enter');
  await expect(call('renamed')).toBeFocused();
  await act('renamed', 'Duplicate');
  await expect(call('renamed 2')).toBeFocused();
  expect(savedNames('smoke')).toEqual(['renamed', 'renamed 2', 'second']);
  const release = await holdResponses(page, '**/v1/module/collections/*');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Delete');
  release();
  await expect(call('renamed 2')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(call('renamed 2')).toBeVisible();
  await expect(page.getByText('Delete failed')).toHaveCount(0);
  expect(savedNames('smoke')).toEqual(['renamed', 'renamed 2', 'second']);

  await act('smoke.calls.json', 'Rename…');
  const file = page.getByRole('textbox', { name: 'Name of smoke.calls.json' });
  await file.fill('a/b');
  await expect(page.getByText('The name must be 1 to 64 letters')).toBeVisible();
  await file.fill('Other');
  await expect(page.getByText('other already exists.')).toBeVisible();
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
  expect(savedNames('daily')).toEqual(savedNames('daily 2'));
});

test('runs a file of calls on a temporary fork, each call with the results of earlier ones', async ({
  page,
  workbench,
}) => {
  const sign = { name: 'sign', mutation: 'lease::sign', args: { tenant: '@dana', code: 'NEW-1', rent: '700' } };
  const calls = [
    { ...sign, sets: { lease: 'result.$id' } },
    // A hand-written file may contain a name twice.
    { name: 'sign', mutation: 'lease::sign', args: { ...sign.args, rent: '-5' } },
    { name: 'end', mutation: 'lease::end', args: { lease: '{{lease}}' } },
  ];
  const file = join(dirname(workbench.moduleFile), 'story.calls.json');
  writeFileSync(file, JSON.stringify({ format: 'entail-calls', formatVersion: 1, calls }));
  await show(page, 'Saved');
  await page.getByRole('button', { name: 'Run story.calls.json' }).click();
  const rows = page.getByRole('table', { name: 'Calls of the run' }).getByRole('row');
  const status = page.getByRole('region', { name: 'story.calls.json' }).getByRole('status');
  await page.keyboard.press('Control+Enter');
  await expect(status).toHaveText('2 of 3 calls succeeded, 1 failed; on a temporary fork');
  await expect(rows.nth(2)).toContainText('VALIDATION_FAILED');
  const outcome = page.getByRole('region', { name: 'Result', exact: true });
  await expect(outcome).toContainText('to satisfy value > 0');
  await rows.nth(2).getByRole('link').press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(outcome.getByRole('region', { name: 'Changes' })).toContainText('Dana Petrova is a tenant of NEW-1');
  await expect(outcome.getByTitle(/show in log$/)).toBeVisible();
  await rows.nth(2).getByRole('link').press('Enter');
  await expect(outcome).toContainText('to satisfy value > 0');

  await page.getByRole('checkbox', { name: 'Stop at the first failure' }).check();
  await page.keyboard.press('Control+Enter');
  await expect(status).toHaveText('1 of 3 calls succeeded, 1 failed, 1 not run; on a temporary fork');

  const cancelledAt = async (path: string) => {
    const release = await holdResponses(page, `**${path}*`);
    const sent = page.waitForRequest((each) => each.method() === 'POST' && new URL(each.url()).pathname === path);
    await page.getByRole('button', { name: 'Run failed' }).press('Enter');
    await sent;
    await page.keyboard.press('Escape');
    release();
  };
  await cancelledAt('/v1/dispatch/mutation');
  await expect(status).toHaveText('Cancelled: 0 of 3 calls succeeded, 1 failed, 2 not run; on a temporary fork');
  await cancelledAt('/v1/forks');
  await expect(status).toHaveText('Cancelled: 0 of 3 calls succeeded, 3 not run; on a temporary fork');
  const openForks = async () => {
    const forks = await fetch(`${workbench.url}/v1/forks`, { headers: { authorization: `Bearer ${workbench.token}` } });
    const { result } = (await forks.json()) as { result: { id: string; status: string }[] };
    return result.filter(({ status }) => status === 'open').map(({ id }) => id);
  };
  expect(await openForks()).toEqual(['main']);

  await test.step('removes the fork of an interrupted run at the next page', async () => {
    const release = await holdResponses(page, '**/v1/dispatch/mutation*');
    const sent = page.waitForRequest('**/v1/dispatch/mutation*');
    await page.getByRole('button', { name: 'Run all' }).press('Enter');
    await sent;
    expect(await openForks()).toEqual(['main', expect.stringMatching(/^run story /)]);
    await page.reload();
    release();
    await expect.poll(openForks).toEqual(['main']);
  });

  await test.step('runs nothing in the past', async () => {
    await page.goto(`${page.url()}&asOf=0`);
    await expect(page.getByRole('button', { name: 'Run all' })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Run all' })).toHaveAttribute('title', /Go back to now/);
  });
});

test('turns calls into one transaction and into a test of the module', async ({ page }) => {
  await fillSign(page, 'NEW-1');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const outcome = page.getByRole('region', { name: 'Result', exact: true });
  await expect(outcome).toContainText('Saved');
  await page.getByRole('link', { name: 'leaseCount', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(outcome).toContainText('7');
  await show(page, 'History');
  for (const name of ['sign', 'leaseCount']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('button', { name: 'As batch' }).click();
  const counting = page.getByRole('textbox', { name: 'Arguments of step 1 as JSON' });
  await page.getByRole('radiogroup', { name: 'Arguments of step 1 as' }).getByText('JSON', { exact: true }).click();
  await counting.fill('{ "wrong": { "$step": 1 } }');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('must refer to a step before this one')).toBeVisible();
  await expect(counting).toBeFocused();
  await page.getByRole('button', { name: 'Remove step 1' }).click();
  await expect(counting).toHaveCount(0);
  const editor = page.getByTestId('arguments');
  await editor.getByRole('button', { name: 'Undo' }).click();
  await counting.fill('{}');
  await page.getByRole('button', { name: 'Dry run' }).click();
  await expect(outcome).toContainText('Dry run, nothing saved');
  await expect(outcome.getByRole('region', { name: 'Conclusions' })).toContainText('NEW-1 is active');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(outcome.getByRole('listitem').filter({ hasText: 'leaseCount' })).toContainText('8');

  const code = page.getByRole('listitem', { name: 'Step 0' }).getByRole('textbox', { name: 'code' });
  await code.fill('NEW-2');
  await page.getByRole('button', { name: 'As batch' }).click();
  await expect(code).toHaveValue('NEW-1');
  await page.reload();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(code).toHaveValue('NEW-2');
  for (const name of ['sign', 'leaseCount'])
    await page
      .getByRole('checkbox', { name: `Select ${name}` })
      .last()
      .check();

  await test.step('accepts the result of an earlier step in a field, and reports when that step is removed', async () => {
    await page.getByRole('combobox', { name: 'Callable of the next step' }).fill('register');
    await page.getByRole('option', { name: 'register', exact: true }).click();
    await page.getByRole('button', { name: 'Add step' }).press('Enter');
    await page.getByRole('listitem', { name: 'Step 2' }).getByRole('textbox', { name: 'name' }).fill('Zoe Hart');
    await page.getByRole('button', { name: 'Move step 2 up' }).press('Enter');
    await page.getByRole('button', { name: 'Move step 1 up' }).press('Enter');
    const tenant = page.getByRole('listitem', { name: 'Step 1' }).getByRole('combobox', { name: 'tenant' });
    const pick = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Use a step result for tenant' }).press('Enter');
      await chooseByKeyboard(page, 'Result of step 0, register');
      await expect(tenant).toHaveValue('Result of step 0, register');
      await expect(tenant).toBeFocused();
    };
    await pick();
    await page.keyboard.press('Delete');
    await expect(tenant).toHaveValue('');
    await expect(tenant).toBeFocused();
    await pick();
    await page.getByRole('button', { name: 'Dry run', exact: true }).click();
    await expect(outcome.getByRole('region', { name: 'Changes' })).toContainText(['Zoe Hart', 'is a tenant of NEW-2']);
    await page.getByRole('button', { name: 'Remove step 0' }).press('Enter');
    const left = page.getByRole('listitem', { name: 'Step 0' }).getByRole('combobox', { name: 'tenant' });
    await expect(left).toHaveValue('Result of a removed step');
    await page.keyboard.press('Control+Enter');
    await expect(page.getByText('was removed. Refer to another step')).toBeVisible();
    await expect(left).toBeFocused();
  });

  await page.getByRole('button', { name: 'As test' }).click();
  const sheet = page.getByRole('dialog', { name: 'Test' });
  await expect(sheet.getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'As test' })).toBeFocused();
  await page.keyboard.press('Enter');
  await sheet.getByRole('textbox', { name: 'Test name' }).fill('Dana signs');
  await expect(sheet).toContainText('let _lease1 = sign(tenant: @dana, code: "NEW-1", rent: 700)');
  await expect(sheet).toContainText('expect leaseCount1 == 7');
  await expect(sheet.getByRole('status'), 'the test runs before it is added to the module').toHaveText('Passes');
  await sheet.getByRole('button', { name: 'Append to lease.entail as a draft' }).click();
  await expect(page.getByRole('textbox', { name: 'Source of lease.entail' })).toContainText('test "Dana signs" {');
  await expect(page.getByRole('button', { name: /error/ })).toContainText('0 errors');
});

test('shows the result of each batch step as a table, whose values link to their reasons', async ({ page }) => {
  await page.getByRole('link', { name: 'activeLeases', exact: true }).click();
  for (const name of ['activeLeases', 'leaseCount']) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('region', { name: 'Result', exact: true }).getByRole('status')).toContainText(
      'Completed',
    );
  }
  await show(page, 'History');
  for (const name of ['activeLeases', 'leaseCount'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('button', { name: 'As batch' }).click();
  await page.keyboard.press('Control+Enter');
  const rows = page.getByRole('region', { name: 'Result of step 0' });
  await expect(rows.getByRole('row')).toHaveCount(6);
  const steps = page
    .getByRole('region', { name: 'Result', exact: true })
    .getByRole('radiogroup', { name: 'Results as' });
  await steps.getByText('JSON', { exact: true }).click();
  await expect(page.getByRole('tree', { name: 'Result of step 0' })).toContainText('ELM-12');
  await steps.getByText('Table', { exact: true }).click();
  await rows.getByRole('link', { name: 'ELM-12' }).click();
  await expect(page.getByRole('tree', { name: 'Proof' })).toContainText('ELM-12');
});

test('compares two calls of the history value by value', async ({ page }) => {
  await page.getByRole('link', { name: 'activeLeases', exact: true }).click();
  for (const least of ['0', '1000']) {
    await page.getByRole('textbox', { name: 'minRent' }).fill(least);
    await page.keyboard.press('Control+Enter');
    await expect(page.getByText(least === '0' ? '5 rows' : '3 rows')).toBeVisible();
  }
  await show(page, 'History');
  const picks = page.getByRole('checkbox', { name: 'Select activeLeases' });
  await picks.first().check();
  await expect(page.getByRole('link', { name: 'Compare' })).toHaveCount(0);
  await picks.nth(1).check();
  await page.getByRole('link', { name: 'Compare' }).click();
  await expect(page.getByRole('region', { name: 'Comparison' })).toContainText('minRent');
});

test('explains why a row is in the result, and profiles the rules that the query reads', async ({ page }) => {
  await page.getByRole('link', { name: 'activeLeases', exact: true }).click();
  await page.keyboard.press('Control+Enter');
  const outcome = page.getByRole('region', { name: 'Result', exact: true });
  await outcome.getByRole('region', { name: 'Rows' }).focus();
  await page.keyboard.press('ArrowDown');
  const row = page.getByRole('region', { name: 'Row', exact: true });
  await row.getByRole('button', { name: 'Explain this row' }).click();
  await expect(row.getByRole('tree', { name: 'Row proof' })).toContainText('is active');
  await row.getByRole('button', { name: 'Close row' }).click();

  await outcome.getByRole('button', { name: 'Profile' }).press('Enter');
  const profile = page.getByRole('region', { name: 'Profile', exact: true });
  await expect(profile.getByRole('status')).toContainText('Query: ');
  const rules = profile.getByRole('region', { name: 'Profile by rule' });
  await expect(rules.getByRole('rowheader', { name: /active lease\.entail:/ })).toBeVisible();
  await rules.getByRole('button', { name: 'Plan of activeLeases' }).click();
  await expect(rules).toContainText('lease::active');
  await profile.getByRole('button', { name: 'Close profile' }).press('Escape');
  await expect(outcome.getByRole('region', { name: 'Rows' })).toBeVisible();
});

test('finds an individual by its name or by a unique part of it', async ({ page }) => {
  await fillSign(page, 'NEW-1');
  const tenant = page.getByRole('combobox', { name: 'tenant' });
  await tenant.fill('');
  await page.getByRole('button', { name: 'Dry run' }).click();
  // The error takes the place of the list, which opens on demand.
  await expect(page.getByText('Select an individual, or type its id.')).toBeVisible();
  await expect(tenant).toBeFocused();
  await expect(page.getByRole('option')).toHaveCount(0);
  await tenant.fill('Dana Petrova');
  await page.getByRole('button', { name: 'Dry run' }).click();
  await expect(tenant).toHaveValue('Dana Petrova  @dana');
  const changes = page.getByRole('region', { name: 'Result', exact: true }).getByRole('region', { name: 'Changes' });
  await expect(changes).toContainText('Dana Petrova is a tenant of NEW-1');

  await tenant.fill('okaf');
  await expect(page.getByRole('option')).toHaveCount(1);
  await tenant.press('Enter');
  await expect(tenant).toHaveValue('Chidi Okafor  @chidi');
  await tenant.fill('@chidi');
  await expect(page.getByRole('option')).toHaveCount(1);
  // Sends the call and keeps the result visible.
  await tenant.press('Enter');
  await expect(page.getByRole('option')).toHaveCount(0);
  await expect(tenant).toBeFocused();
  await page.getByRole('button', { name: 'Dry run' }).click();
  await expect(changes).toContainText('Chidi Okafor is a tenant of NEW-1');

  // A click selects the whole name without searching: all individuals are offered, and typing replaces the name.
  await tenant.click();
  await expect(page.getByRole('option', { name: 'Chidi Okafor @chidi selected' })).toBeVisible();
  await expect(page.getByRole('option', { name: 'Ada Lindqvist' })).toBeVisible();
  await page.keyboard.type('petro');
  await page.keyboard.press('Enter');
  await expect(tenant).toHaveValue('Dana Petrova  @dana');
});

test('accepts the exact or first match on Enter without sending, and never writes on Enter in a field', async ({
  page,
}) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/v1/dispatch/')) sent.push(search.includes('dryRun=true') ? 'dry run' : 'run');
  });
  await page.getByRole('link', { name: 'guarantee', exact: true }).click();
  const guarantor = page.getByRole('combobox', { name: 'guarantor' });
  const lease = page.getByRole('combobox', { name: 'lease' });
  const option = page.getByRole('option');
  for (const [field, typed, taken] of [
    [guarantor, 'Harbour Bank', 'Harbour Bank  @harbour'],
    [lease, 'QUAY-5', 'QUAY-5  @quay5Lease'],
    [lease, 'elm', 'ELM-12  @elm12Lease'],
    [guarantor, 'Harbour Bank', 'Harbour Bank  @harbour'],
  ] as const) {
    await field.fill(typed);
    await expect(option.first()).toBeVisible();
    await field.press('Enter');
    await expect(field).toHaveValue(taken);
    await expect(option).toHaveCount(0);
  }
  // A list that opens with the field closes too, and keeps the selection.
  await lease.focus();
  await expect(option.first()).toBeVisible();
  await lease.press('Enter');
  await expect(option).toHaveCount(0);
  await expect(lease).toHaveValue('ELM-12  @elm12Lease');
  expect(sent).toEqual([]);

  const outcome = page.getByRole('region', { name: 'Result', exact: true });
  const changes = outcome.getByRole('region', { name: 'Changes' });
  await lease.press('Enter');
  await expect(changes).toContainText('Harbour Bank guarantees ELM-12');
  await expect(outcome).toContainText('nothing saved');
  // After a dry run too.
  const again = page.waitForResponse('**/v1/dispatch/mutation?*');
  await lease.press('Enter');
  await again;
  expect(sent).toEqual(['dry run', 'dry run']);

  await lease.fill('quay');
  await expect(option.first()).toBeVisible();
  await lease.press('Control+Enter');
  await expect(lease, 'a partial name is completed before sending').toHaveValue(/^QUAY-3/);
  await lease.fill('QUAY-5');
  await lease.press('Control+Enter');
  await expect(outcome).toContainText('Saved');
  expect(sent.at(-1)).toBe('run');
});

test('sends nothing while labels load, and resolves the typed name afterwards', async ({ page }) => {
  const release = await holdResponses(page, '**/v1/individuals*');
  await page.getByRole('link', { name: 'sign', exact: true }).click();
  const tenant = page.getByRole('combobox', { name: 'tenant' });
  await tenant.fill('petro');
  await tenant.press('Enter');
  await expect(page.getByText('Names are still loading.')).toBeVisible();
  await tenant.fill('Dana Petrova');
  await page.getByRole('textbox', { name: 'code' }).fill('NEW-1');
  release();
  await expect(tenant).toHaveValue('Dana Petrova  @dana');

  await test.step('says if more names match than are listed', async () => {
    await page.route('**/v1/individuals*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), nextCursor: 'more' } });
    });
    await page.reload();
    await tenant.fill('petro');
    await expect(page.getByRole('option')).toHaveCount(1);
    await tenant.press('Enter');
    await expect(page.getByText('"petro" has more matches than listed.')).toBeVisible();
    await expect(page.getByText('Names are still loading.')).toHaveCount(0);
  });
});

test('reports a refused argument at its input, with links to the whole response and its log entry', async ({
  page,
}) => {
  await fillSign(page, 'NEW-1');
  const rent = page.getByRole('textbox', { name: 'rent' });
  await rent.fill('-5');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const error = page.getByRole('region', { name: 'Arguments' }).getByText('to satisfy value > 0');
  await expect(error).toBeVisible();
  await expect(rent).toHaveAttribute('aria-invalid', 'true');
  const outcome = page.getByRole('region', { name: 'Result', exact: true });
  await outcome.getByText('Envelope').click();
  await expect(outcome.getByRole('region', { name: 'JSON' })).toContainText('"SVC_RUNTIME_VALIDATION_FAILED"');
  await rent.fill('5');
  await expect(error).toHaveCount(0);
  await page.keyboard.press('Control+Enter');
  await expect(outcome).toContainText('Saved');
  await outcome.getByText('Envelope').click();
  await expect(outcome.getByRole('region', { name: 'JSON' }).last()).toContainText('"moduleHash"');
  await outcome.getByTitle(/show in log$/).click();
  await expect(page.getByRole('region', { name: 'Request', exact: true })).toContainText('lease::sign');
});

test('opens calls in tabs, and searches, opens and copies values of a result', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await fillSign(page, 'NEW-1');
  await page.keyboard.press('Alt+t');
  const tabs = page.getByRole('tablist', { name: 'Calls' }).getByRole('tab');
  await expect(tabs).toHaveText(['sign', 'sign 2']);
  const code = page.getByRole('textbox', { name: 'code' });
  await expect(code).toHaveValue('NEW-1');
  await code.fill('NEW-2');
  await page.keyboard.press('Control+Enter');
  const outcome = page.getByRole('region', { name: 'Result', exact: true });
  await expect(outcome).toContainText('Saved');
  await page.getByRole('link', { name: 'leaseCount', exact: true }).click();
  // An untouched tab is replaced.
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
  await outcome.getByRole('button', { name: 'Close search' }).click();

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
  // A key right after the click applies to the clicked call, however busy the page is.
  await tabs.first().evaluate(async (tab: HTMLElement) => {
    tab.click();
    await Promise.resolve();
    tab.dispatchEvent(new KeyboardEvent('keydown', { key: 'w', altKey: true, bubbles: true, cancelable: true }));
  });
  await expect(tabs).toHaveText(['activeLeases']);
  await expect(page.getByRole('heading', { name: 'activeLeases' })).toBeVisible();
});

test('scrolls the selected tab into view', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 700 });
  await fillSign(page, 'NEW-1');
  const tabs = page.getByRole('tablist', { name: 'Calls' }).getByRole('tab');
  for (let count = 2; count <= 5; count++) {
    await page.keyboard.press('Alt+t');
    await expect(tabs).toHaveCount(count);
  }
  for (const [link, tab] of [
    ['Batch of several calls', 'Batch'],
    ['leaseCount', 'leaseCount'],
  ] as const) {
    await page.getByRole('link', { name: link, exact: true }).click();
    await expect(tabs.filter({ hasText: tab })).toBeInViewport({ ratio: 0.95 });
  }
});

async function hasLease({ url, token }: ServedWorkbench, code: string): Promise<boolean> {
  const leases = await fetch(`${url}/v1/individuals?class=lease::Lease`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return (await leases.text()).includes(`"${code}"`);
}

async function fillSign(page: Page, code: string): Promise<void> {
  await page.getByRole('link', { name: 'sign', exact: true }).click();
  const tenant = page.getByRole('combobox', { name: 'tenant' });
  // Names resolve once they are loaded.
  await expect(tenant).toHaveAttribute('placeholder', 'Select a Person');
  await tenant.fill('@dana');
  await page.getByRole('textbox', { name: 'code' }).fill(code);
  await page.getByRole('textbox', { name: 'rent' }).fill('700');
}

test.describe('with a form longer than its pane', () => {
  const fields = Array.from({ length: 16 }, (_, index) => `place${index}: Text`);
  const text = `module long
pub concept Thing { name: Text }
pub mutation make(${[...fields.slice(0, 8), 'ready: Bool', 'grams: Int', ...fields.slice(8)].join(', ')}) -> Thing {
  return insert Thing { name: if ready then ${fields.map((place) => place.split(':')[0]).join(' ++ ')} else text(grams) }
}
`;
  test.use({ modules: { 'long.entail': text } });

  test('scrolls below its buttons', async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/invoke?call=long::make#token=${workbench.token}`);
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await expect(run).toBeVisible();
    await page.getByRole('radiogroup', { name: 'ready' }).scrollIntoViewIfNeeded();
    await scrollBehind(run, page.getByText('true', { exact: true }));
    expect(await isOnTop(run)).toBe(true);
  });

  test('shows errors above its buttons', async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/invoke?call=long::make#token=${workbench.token}`);
    const grams = page.getByRole('textbox', { name: 'grams' });
    await grams.scrollIntoViewIfNeeded();
    await scrollBehind(page.getByRole('button', { name: 'Run', exact: true }), grams);
    expect(await isOnTop(grams)).toBe(false);
    await page.keyboard.press('Control+Enter');
    await expect(grams).toHaveAttribute('aria-invalid', 'true');
    await expect(grams).toBeFocused();
    expect(await isOnTop(grams)).toBe(true);
  });
});

/** Scrolls the pane until the element is where the button is. */
async function scrollBehind(button: Locator, element: Locator): Promise<void> {
  const middle = await button.evaluate(middleOf);
  await element.evaluate((target, to) => {
    const { top, height } = target.getBoundingClientRect();
    let pane = target.parentElement;
    while (pane !== null && getComputedStyle(pane).overflowY !== 'auto') pane = pane.parentElement;
    pane?.scrollBy(0, top + height / 2 - to.y);
  }, middle);
}

/** Whether a click on its middle would hit it. */
async function isOnTop(element: Locator): Promise<boolean> {
  const middle = await element.evaluate(middleOf);
  return element.evaluate((target, { x, y }) => target.contains(document.elementFromPoint(x, y)), middle);
}

test.describe('with unique codes', () => {
  const text = `module wards
context by: Ward?
pub concept Ward { name: Text, code: Text unique }
pub query own() -> [Ward] { select w where Ward(w), context.by == w }
pub individual north: Ward { name: "North wing", code: "N1" }
pub mutation build(name: Text, code: Text) -> Ward { return insert Ward { name: name, code: code } }
`;
  test.use({ modules: { 'wards.entail': text } });

  test('explains a refusal, and names declared individuals and those that the call would have created', async ({
    page,
    workbench,
  }) => {
    await page.goto(`${workbench.url}/invoke?call=wards::build#token=${workbench.token}`);
    await page.getByRole('textbox', { name: 'name' }).fill('South wing');
    await page.getByRole('textbox', { name: 'code' }).fill('N1');
    await page.keyboard.press('Control+Enter');
    const firings = page.getByRole('region', { name: 'Result', exact: true }).getByRole('listitem');
    await expect(firings).toContainText([
      'Ward South wing has the same code as another: N1',
      'Ward North wing has the same code as another: N1',
    ]);
    await firings.first().getByRole('button', { name: 'Why?' }).press('Enter');
    await expect(firings.first().getByRole('tree', { name: 'Why it is true' })).toContainText('South wing');

    await test.step('selects an individual in the context by name', async () => {
      await page.getByRole('link', { name: 'own', exact: true }).click();
      const by = page.getByRole('combobox', { name: 'Context by' });
      await by.fill('North');
      await by.press('Enter');
      await expect(by).toHaveValue('North wing  @north');
      await by.press('Control+Enter');
      await expect(page.getByRole('region', { name: 'Rows' })).toContainText('North wing');
    });
  });
});

test.describe('with a form of choices and records', () => {
  const text = `module parcels
context constructor: Text?
enum Size { small, large }
pub concept Parcel { label: Text, size: Size }
pub mutation send(label: Text, day: Date) -> Date { return day }
pub mutation pack(
  label: Text,
  size: Size,
  items: [{ what: Text, grams: Int, stamped: DateTime, worth: { amount: Decimal, currency: Text? } }]
) -> Int {
  insert Parcel { label: label, size: size }
  return count(for p where Parcel(p))
}
`;
  test.use({ modules: { 'parcels.entail': text } });

  test.beforeEach(async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/invoke?call=parcels::pack#token=${workbench.token}`);
    await page.getByRole('textbox', { name: 'label', exact: true }).fill('Books');
  });

  test('runs on its shortcut from a choice, and opens the list of the choice on Enter only', async ({ page }) => {
    const size = page.getByRole('combobox', { name: 'size' });
    await size.press('Enter');
    await page.getByRole('option', { name: 'large' }).click();
    await expect(size).toBeFocused();
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('region', { name: 'Result', exact: true })).toContainText('Saved');
    await expect(size).toHaveAttribute('aria-expanded', 'false');
  });

  test('edits records one by one within its pane, and reports all missing values at once', async ({ page }) => {
    const add = page.getByRole('button', { name: 'Add a record to items' });
    await add.press('Enter');
    await expect(page.getByRole('textbox', { name: 'items 1 what' })).toBeFocused();
    await page.keyboard.type('atlas');
    const widths = await add.evaluate((button) => {
      const pane = button.closest('.pane-body');
      return { inner: pane?.scrollWidth, pane: pane?.clientWidth };
    });
    expect(widths.inner).toBe(widths.pane);
    await page.keyboard.press('Control+Enter');
    for (const name of ['grams', 'stamped', 'worth amount']) {
      await expect(page.getByRole('textbox', { name: `items 1 ${name}` })).toHaveAttribute('aria-invalid', 'true');
    }
    await page.getByRole('button', { name: 'Remove items 1' }).press('Enter');
    await expect(add).toBeFocused();
  });

  test('accepts a day in the format of tables, or from a calendar', async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/invoke?call=parcels::send#token=${workbench.token}`);
    const day = page.getByRole('textbox', { name: 'day', exact: true });
    await day.fill('2026-02-30');
    await day.press('Enter');
    await expect(page.getByText('Not a valid date. Use YYYY-MM-DD.')).toBeVisible();
    await day.fill('2026-03-02');
    const pick = page.getByRole('button', { name: 'Select day' });
    await pick.press('Enter');
    await expect(page.getByRole('button', { name: '2 March 2026', exact: true })).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(day).toHaveValue('2026-03-09');
    await expect(pick).toBeFocused();
    await pick.press('Enter');
    await expect(page.getByRole('button', { name: '9 March 2026', exact: true })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(pick).toBeFocused();
    await expect(day).toHaveValue('2026-03-09');
  });

  test('selects an instant by day and time in UTC', async ({ page }) => {
    await page.getByRole('button', { name: 'Add a record to items' }).click();
    const stamped = page.getByRole('textbox', { name: 'items 1 stamped' });
    await stamped.fill('2026-01-31T01:30:00+02:00');
    const pick = page.getByRole('button', { name: 'Select items 1 stamped' });
    await pick.press('Enter');
    const picked = page.getByLabel('Day and time, UTC');
    await expect(picked).toBeFocused();
    await expect(picked).toHaveValue('2026-01-30T23:30');
    await picked.fill('2026-02-01T08:15:30');
    await picked.press('Enter');
    await expect(pick).toBeFocused();
    await expect(stamped).toHaveValue('2026-02-01T08:15:30Z');
  });

  test('keeps the draft between form and JSON', async ({ page }) => {
    const grams = page.getByRole('textbox', { name: 'items 1 grams' });
    const json = page.getByRole('textbox', { name: 'Arguments as JSON' });
    const as = (mode: string): Promise<void> =>
      page.getByRole('radiogroup', { name: 'Arguments as' }).getByText(mode, { exact: true }).click();
    await page.getByRole('button', { name: 'Add a record to items' }).click();
    await grams.fill('1,5');
    await as('JSON');
    await expect(json).toHaveValue('{\n  "label": "Books"\n}');
    await as('Form');
    await expect(grams).toHaveValue('1,5');
    await as('JSON');
    await json.fill('{ "label": "Maps", ');
    await as('Form');
    await as('JSON');
    await expect(json).toHaveValue('{ "label": "Maps", ');
  });
});

function middleOf(element: Element): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

const ROOMS = `module rooms

pub enum Size { small, large }
pub concept Room { name: Text, size: Size }
pub relation keyOf(r: Room, holder: Text)
pub derive ready(r: Room) when keyOf(r, _)
pub individual hall: Room { name: "Hall", size: large }
pub mutation add(name: Text, size: Size) -> Room { return insert Room { name: name, size: size } }
pub mutation enter(r: Room) { require ready(r) message "{r.name} has no key" }
pub mutation close(r: Room) { delete r }
`;

test.describe('repairs of a refusal', () => {
  test.use({ modules: { 'rooms.entail': ROOMS } });

  test('offers what meets a requirement, a valid argument, and the return of a deleted individual', async ({
    page,
    workbench,
  }) => {
    const open = async (call: string, args: object): Promise<void> => {
      const query = new URLSearchParams({ call: `rooms::${call}`, args: JSON.stringify(args) });
      await page.goto(`${workbench.url}/invoke?${query}#token=${workbench.token}`);
    };
    const run = page.getByRole('button', { name: 'Run', exact: true });
    const result = page.getByRole('region', { name: 'Result', exact: true });
    const fixes = result.getByRole('region', { name: 'How to fix it' });

    await test.step('tries the missing fact of a requirement on a fork', async () => {
      await open('enter', { r: '@rooms::hall' });
      await run.click();
      const repairs = result.getByRole('region', { name: 'How to make it true' });
      await expect(repairs.getByRole('listitem').first()).toContainText('Hall');
      await repairs.getByRole('button', { name: 'Try on a fork' }).first().click();
      await expect(page.getByRole('region', { name: 'Trial' })).toContainText('with 1 change and enter');
      await expect(result).toContainText('Saved');
      await page.getByRole('region', { name: 'Trial' }).getByRole('button', { name: 'Discard fork' }).click();
      await expect(page.getByRole('button', { name: 'Fork main' })).toBeVisible();
    });

    await test.step('puts the nearest member of an enum into the form', async () => {
      await open('add', { name: 'Attic', size: 'smal' });
      await run.click();
      await fixes.getByRole('button', { name: /^Use.*small/ }).click();
      await run.click();
      await expect(result).toContainText('Saved');
    });

    await test.step('undoes the deletion of an individual', async () => {
      const id = await addRoom(workbench, 'Loft');
      await dispatch(workbench, 'close', { r: id });
      await open('enter', { r: id });
      await run.click();
      await expect(fixes).toContainText('was deleted by');
      await fixes.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByRole('group', { name: 'Last change' })).toContainText('Reverted transaction');
      await run.click();
      await expect(result).toContainText('Loft has no key');
    });
  });
});

async function addRoom(workbench: ServedWorkbench, name: string): Promise<string> {
  const { $id } = (await dispatch(workbench, 'add', { name, size: 'small' })) as { $id: string };
  return $id;
}

async function dispatch(workbench: ServedWorkbench, call: string, args: object): Promise<unknown> {
  const response = await fetch(`${workbench.url}/v1/dispatch/mutation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${workbench.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ path: `rooms::${call}`, args }),
  });
  return ((await response.json()) as { result: unknown }).result;
}
