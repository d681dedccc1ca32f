/** The Forks panel: comparison with main, promote, discard, rebase, cherry-pick, revert, history and performance. */

import type { Locator, Page, Request } from '@playwright/test';
import { holdResponses } from './support/held-responses.js';
import { expect, type ServedWorkbench, test } from './support/served-workbench.js';
import { chooseByKeyboard, openPromotion, promote } from './support/steps.js';

test('compares a fork with main, explains facts on both sides, promotes the fork, and reverts the promotion', async ({
  page,
  workbench,
}) => {
  let signed = '';
  await openForks(page, workbench);
  await expect(page.getByText('No other forks')).toBeVisible();

  await test.step('a new fork becomes the current one', async () => {
    await page.getByRole('button', { name: 'New fork' }).click();
    const form = page.getByRole('form', { name: 'New fork' });
    await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('what-if');
    await form.getByRole('textbox', { name: 'Name' }).fill('no/slashes');
    await expect(form).toContainText('but not /');
    await form.getByRole('textbox', { name: 'Name' }).fill('sign-two');
    await form.getByRole('button', { name: 'Create' }).click();
    await expect(page.getByRole('button', { name: 'Fork sign-two' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'No differences' })).toBeVisible();
  });

  await test.step('the comparison with main lists violations, conclusions and stored facts', async () => {
    ({ $id: signed } = await call(workbench, 'sign-two', 'sign', { tenant: '@lease::dana', code: 'NEW-1', rent: 700 }));
    const fork = page.getByRole('region', { name: 'Fork sign-two' });
    const sections = fork.getByRole('region');
    await expect(sections).toHaveCount(3);
    await expect(sections.nth(0)).toHaveAccessibleName('Checks');
    await expect(headlines(fork, 'Checks')).toHaveText(/^new lease NEW-1 has nobody who guarantees it unguaranteed$/);
    await expect(headlines(fork, 'Conclusions')).toHaveText(/^Lease NEW-1: .*active, .*balance 0$/);
    await expect(headlines(fork, 'Stored')).toHaveText(
      'new Lease NEW-1: rent 700, status signed, tenantOf Dana Petrova',
    );
    await headlines(fork, 'Stored').press('Enter');
    await expect(sections.nth(2).getByRole('listitem').getByRole('listitem')).toContainText([
      'NEW-1 is a Lease',
      'NEW-1 has code NEW-1',
    ]);
  });

  await test.step('the differences are filtered by kind and text, also after a reload', async () => {
    const fork = page.getByRole('region', { name: 'Fork sign-two' });
    const find = fork.getByRole('textbox', { name: 'Filter changes' });
    await find.fill('unguar');
    await expect(headlines(fork, 'Checks')).toHaveCount(1);
    await expect(fork.getByRole('region', { name: 'Stored' })).toContainText('No matches');
    const kinds = page.getByRole('group', { name: 'Kinds of difference' });
    await kinds.getByRole('button', { name: /^removed 0/ }).press('Enter');
    await expect(fork.getByRole('region', { name: 'Checks' })).toContainText('No violations differ.');
    await page.reload();
    await expect(find).toHaveValue('unguar');
    await kinds.getByRole('button', { name: /^removed 0/ }).press('Enter');
    await find.fill('');
    await expect(headlines(fork, 'Stored')).toHaveCount(1);
  });

  await test.step('a row links to its proof on the fork, and to the why-not on main', async () => {
    const conclusions = page.getByRole('region', { name: 'Conclusions' });
    const rows = conclusions.getByRole('listitem').getByRole('listitem').filter({ hasText: 'NEW-1 is active' });
    const explanation = page.getByRole('region', { name: 'Explanation' });
    await conclusions.getByRole('button', { expanded: false }).click();
    await rows.getByRole('link', { name: 'Why not? on main' }).click();
    await expect(page.getByRole('button', { name: 'Fork main' })).toBeVisible();
    await expect(explanation).toContainText('False');
    await page.getByRole('link', { name: 'Forks', exact: true }).click();
    await rows.getByRole('link', { name: 'Why? on sign-two' }).click();
    await expect(page.getByRole('button', { name: 'Fork sign-two' })).toBeVisible();
    await expect(explanation).toContainText('True');
    await expect(explanation.getByRole('tree')).toContainText('Dana Petrova is a tenant of NEW-1');
    await page.getByRole('link', { name: 'Forks', exact: true }).click();
  });

  await test.step('promote previews its changes, and saves a snapshot of main', async () => {
    const sheet = await openPromotion(page, 'sign-two');
    await expect(sheet).toContainText('All blocking checks pass');
    await expect(sheet).toContainText('1 new warning');
    await expect(sheet.getByRole('region', { name: 'Conclusions' })).toContainText('added');
    await expect(sheet.getByRole('checkbox', { name: 'Keep a copy of main' })).toBeChecked();
    const name = sheet.getByRole('textbox', { name: 'Name of the saved fork' });
    await expect(name).toHaveValue('before-sign-two');
    await name.fill('main-before');
    const explanation = page.getByRole('region', { name: 'Explanation' });
    const tried = explanation.getByRole('region', { name: 'Tried state' });
    for (const why of [
      sheet.getByRole('region', { name: 'Checks' }).getByRole('link', { name: 'Why?' }),
      sheet
        .getByRole('region', { name: 'Conclusions' })
        .getByRole('listitem')
        .filter({ hasText: 'NEW-1 is active' })
        .getByRole('link', { name: 'Why? afterwards' }),
    ]) {
      await why.press('Enter');
      await expect(tried).toContainText('Showing main as it would be after promoting sign-two. Nothing was saved.');
      await expect(explanation.getByRole('tree', { name: 'Proof' })).toContainText('NEW-1');
      await page.goBack();
      await expect(why, 'returns to the link').toBeFocused();
      await expect(name).toHaveValue('main-before');
    }
    await name.fill('before-sign-two');
    const rejected: string[] = [];
    page.on('response', (response) => void (response.status() === 409 && rejected.push(response.url())));
    // A change of another client makes the page request the preview of the promotion again. That request is held until the
    // fork is promoted: even so late, the server must not reject it because the fork is closed.
    const releaseCounts = await holdResponses(page, '**/promotion/counts?*');
    const previews: Request[] = [];
    page.on('request', (request) => void (request.url().includes('/promotion/counts') && previews.push(request)));
    await call(workbench, 'main', 'register', { name: 'Nina', email: null });
    await expect.poll(() => previews.length).toBeGreaterThan(0);
    await page.route(/\/promote$/, async (route) => {
      const response = await route.fetch();
      releaseCounts();
      await Promise.all(previews.map((request) => request.response()));
      await route.fulfill({ response });
    });
    await promote(sheet, 'sign-two');
    await expect(page.getByRole('button', { name: 'Fork main' })).toBeVisible();
    await expect(treeItem(page, 'sign-two')).toContainText('promoted');
    expect(rejected, 'rejected requests about the closed fork').toEqual([]);
    const whyViolated = sheet.getByRole('link', { name: 'Why?' });
    await whyViolated.press('Enter');
    await expect(explanation.getByRole('tree', { name: 'Proof' })).toContainText('NEW-1');
    await page.goBack();
    await expect(whyViolated, 'returns to the link in the outcome').toBeFocused();
    await expect(sheet).toContainText('sign-two is promoted');
    await sheet.getByRole('button', { name: 'Compare with before-sign-two' }).click();
    await expect(headlines(page, 'Conclusions')).toContainText('Lease NEW-1');
    expect(await leases(workbench, 'main')).toBe(7);
    expect(await leases(workbench, 'before-sign-two')).toBe(6);
  });

  await test.step('the snapshot of main offers to revert the promotion, also by keyboard', async () => {
    await treeItem(page, 'before-sign-two').click();
    const snapshot = page.getByRole('region', { name: 'Fork before-sign-two' });
    await expect(snapshot).toContainText('Snapshot of main.');
    const revert = snapshot.getByRole('button', { name: 'Revert promotion of sign-two…' });
    await revert.press('Enter');
    const sheet = page.getByRole('region', { name: 'Revert promotion of sign-two' });
    await expect(sheet.getByRole('button', { name: 'Close the sheet' })).toBeFocused();
    await expect(snapshot).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(revert).toBeFocused();
  });

  await test.step('the promotion is reverted, and later changes are kept', async () => {
    await call(workbench, 'main', 'raiseRent', { lease: signed, percent: 10 });
    await treeItem(page, 'sign-two').click();
    await page.getByRole('button', { name: 'Revert promotion…' }).click();
    const sheet = page.getByRole('region', { name: 'Revert promotion of sign-two' });
    await expect(sheet).toContainText('All blocking checks pass');
    await expect(sheet.getByRole('region', { name: 'Later changes' })).toContainText('NEW-1 rent');
    await sheet.getByRole('button', { name: 'Revert promotion', exact: true }).click();
    await expect(sheet).toContainText('The promotion of sign-two is reverted');
    expect(await leases(workbench, 'main')).toBe(6);
    await expect(sheet.getByRole('button', { name: 'Close', exact: true })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(sheet).toBeHidden();
    await expect(treeItem(page, 'sign-two')).toContainText('promoted, reverted');
    const fork = page.getByRole('region', { name: 'Fork sign-two' });
    await expect(fork).toContainText(/Promoted to main .*, reverted /);
    await expect(fork.getByRole('button', { name: 'Revert promotion…' }), 'already reverted').toBeHidden();
    await page.reload();
    await expect(fork).toContainText(/, reverted /);
    await expect(fork.getByRole('button', { name: 'Revert promotion…' })).toBeHidden();
    await treeItem(page, 'before-sign-two').click();
    const snapshot = page.getByRole('region', { name: 'Fork before-sign-two' });
    await expect(snapshot).toContainText('All promotions since have been reverted.');
    await expect(snapshot.getByRole('button', { name: /^Revert promotion/ })).toBeHidden();
  });
});

test('keeps showing the outcome of a promotion whose fork was not in the address', async ({ page, workbench }) => {
  await send(workbench, 'POST', '/v1/forks', { id: 'here' });
  await page.addInitScript(() => localStorage.setItem('entail.fork', JSON.stringify('here')));
  await page.goto(`${workbench.url}/forks#token=${workbench.token}`);
  const sheet = await openPromotion(page, 'here');
  await promote(sheet, 'here');
  await expect(page.getByRole('button', { name: 'Fork main' })).toBeVisible();
  await expect(sheet).toContainText('here is promoted');
  await page.reload();
  await expect(sheet).toContainText('here was promoted at');
  await expect(sheet).not.toContainText('another client');
});

test('offers to compare one relation if comparing all of them times out', async ({ page, workbench }) => {
  await create(workbench, 'what-if');
  const error = { code: 'SVC_RUNTIME_TIMEOUT', message: 'It took too long.', details: {} };
  const wholeLayer = /\/diff\/what-if\?.*layer=derived/;
  await call(workbench, 'what-if', 'sign', { tenant: '@lease::dana', code: 'NEW-1', rent: 700 });
  await page.route(wholeLayer, (route) =>
    route.fulfill({ status: 504, json: { error, requestId: 'r', moduleHash: null } }),
  );
  await openForks(page, workbench);
  const derived = page.getByRole('region', { name: 'Conclusions' });
  await derived.getByRole('button', { name: 'Compare one relation' }).click();
  await derived.getByRole('button', { name: 'active', exact: true }).click();
  await expect(headlines(page, 'Conclusions')).toHaveText(/^Lease NEW-1: .*active$/);
  await expect(page.getByRole('region', { name: 'Stored' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(derived.getByRole('alert')).toContainText('It took too long.');
  await workbench.stop();
  await page.unroute(wholeLayer);
  await expect(page.getByRole('banner')).toContainText('Reconnecting');
  await derived.getByRole('button', { name: 'Try again' }).click();
  await expect(derived.getByRole('alert')).toContainText("Can't reach the server");
  await expect(derived.getByRole('button', { name: 'Compare one relation' })).toHaveCount(0);
});

test('disables cancelling while promote or discard runs, and blames no other client', async ({ page, workbench }) => {
  for (const id of ['slow', 'dropped']) await create(workbench, id);
  await call(workbench, 'slow', 'register', { name: 'Nina', email: null });
  await page.goto(`${workbench.url}/forks?show=slow#token=${workbench.token}`);
  const sheet = await openPromotion(page, 'slow');
  await expect(sheet).toContainText('All blocking checks pass');
  const releaseChecks = await holdResponses(page, '**/v1/checks/states*');
  await sheet.getByRole('button', { name: 'Promote', exact: true }).click();
  await expect(treeItem(page, 'slow')).toContainText('promoted');
  await expect(sheet.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await expect(sheet).not.toContainText('another client');
  releaseChecks();
  await expect(sheet).toContainText('slow is promoted');

  await treeItem(page, 'dropped').click();
  await page.getByRole('button', { name: 'Discard…' }).click();
  const releaseDiscard = await holdResponses(page, '**/v1/forks/dropped');
  const confirmation = page.getByRole('group', { name: 'Discard dropped' });
  await confirmation.getByRole('button', { name: 'Discard fork' }).click();
  await expect(confirmation.getByRole('button', { name: 'Keep fork' })).toBeDisabled();
  releaseDiscard();
  await expect(treeItem(page, 'dropped')).toContainText('discarded');
});

test('moves the focus to the next action when a promote sheet closes or changes to another', async ({
  page,
  workbench,
}) => {
  for (const id of ['empty', 'signing']) await send(workbench, 'POST', '/v1/forks', { id });
  await call(workbench, 'signing', 'sign', { tenant: '@lease::dana', code: 'NEW-1', rent: 700 });
  await page.goto(`${workbench.url}/forks?show=empty#token=${workbench.token}`);
  const sheet = await openPromotion(page, 'empty');
  await promote(sheet, 'empty');
  await sheet.getByRole('button', { name: 'Close', exact: true }).press('Enter');
  await expect(page.getByRole('main'), 'the promote button is gone').toBeFocused();

  await treeItem(page, 'signing').click();
  const second = await openPromotion(page, 'signing');
  await promote(second, 'signing');
  await second.getByRole('button', { name: 'Revert…' }).press('Enter');
  const revertSheet = page.getByRole('region', { name: 'Revert promotion of signing' });
  await expect(revertSheet.getByRole('button', { name: 'Close the sheet' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Revert promotion…' })).toBeFocused();
});

test.describe('with forks per tenant', () => {
  test.use({ modules: { 'notes.entail': 'module notes\ncontext tenantId: Text\npub concept Note { text: Text }\n' } });

  test('polls for forks only once the tenant is known', async ({ page, workbench }) => {
    await page.clock.install();
    await page.goto(`${workbench.url}/forks#token=${workbench.token}`);
    const tenant = page.getByRole('textbox', { name: 'Missing value' });
    await expect(tenant).toBeVisible();
    const requests: string[] = [];
    page.on('request', (request) => void (request.url().endsWith('/v1/forks') && requests.push(request.url())));
    await page.clock.runFor(20_000);
    expect(requests).toEqual([]);
    await tenant.fill('acme');
    await tenant.press('Enter');
    await expect(page.getByRole('tree', { name: 'Forks' })).toBeVisible();
    await expect(page.getByRole('main'), 'the field is gone').toBeFocused();
    const before = requests.length;
    await page.clock.runFor(20_000);
    await expect.poll(() => requests.length).toBeGreaterThan(before);
  });

  test('requests no facts before the schema says which context they need', async ({ page, workbench }) => {
    const releaseSchema = await holdResponses(page, '**/v1/schema');
    const rejected: string[] = [];
    page.on('response', (response) => void (response.status() === 400 && rejected.push(response.url())));
    const module = page.waitForResponse('**/v1/module/sources');
    await page.goto(`${workbench.url}/data#token=${workbench.token}`);
    await module;
    await expect(page.getByText('Connected')).toBeVisible();
    releaseSchema();
    await expect(page.getByRole('textbox', { name: 'Missing value' })).toBeVisible();
    expect(rejected).toEqual([]);
  });
});

test.describe('with two context values', () => {
  const text = 'module notes\ncontext tenantId: Text\ncontext zone: Int\npub concept Note { text: Text }\n';
  test.use({ modules: { 'notes.entail': text } });

  test('asks for missing and invalid context values in each panel', async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/query#token=${workbench.token}`);
    const contextValue = page.getByRole('textbox', { name: 'Missing value' });
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await page.getByRole('textbox', { name: 'Ad-hoc text' }).click();
    await page.keyboard.insertText('query all() -> [Note] { select n where Note(n) }');
    await run.click();
    await contextValue.fill('acme');
    await page.keyboard.press('Enter');
    await expect(page.getByText('tenantId is acme now. Run again.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Switch tenant' }), 'there is no earlier tenant').toBeHidden();
    await run.click();
    await contextValue.fill('high');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Invalid zone' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveText(/Expected a whole number/);
    await expect(contextValue).toHaveValue('high');
    await contextValue.fill('3');
    await page.keyboard.press('Enter');
    await expect(page.getByText('0 rows')).toBeVisible();
    await page.getByRole('link', { name: 'Query', exact: true }).click();
    await run.click();
    await expect(page.getByText('No rows')).toBeVisible();
  });
});

test('says why a blocking check stops a promotion, and updates when the violation is resolved', async ({
  page,
  workbench,
}) => {
  await create(workbench, 'crowded');
  for (const code of ['NEW-1', 'NEW-2']) {
    await call(workbench, 'crowded', 'sign', { tenant: '@lease::chidi', code, rent: 700 });
  }
  const { $id: lease } = await call(workbench, 'main', 'sign', { tenant: '@lease::chidi', code: 'NEW-3', rent: 700 });
  await openForks(page, workbench);
  await treeItem(page, 'crowded').click();
  const sheet = page.getByRole('region', { name: 'Promote crowded' });
  await page.getByRole('button', { name: 'Promote…' }).focus();
  await page.keyboard.press('Enter');
  await expect(sheet.getByRole('button', { name: 'Close the sheet' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Promote…' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(sheet).toContainText('Blocked by a check');
  await expect(sheet).toContainText('Chidi Okafor holds 4 leases; three are allowed');
  await expect(sheet.getByRole('button', { name: 'Promote', exact: true })).toBeDisabled();
  await sheet.getByRole('region', { name: 'Checks' }).getByRole('button', { name: 'Why?' }).press('Enter');
  await expect(sheet.getByRole('tree', { name: 'Why it is true' })).toContainText('Chidi Okafor');

  await test.step('rebase makes a new fork with the changes of main, and keeps the old one', async () => {
    await sheet.getByRole('button', { name: 'Cancel' }).click();
    const rebase = page.getByRole('button', { name: 'Rebase…' });
    await rebase.press('Enter');
    const rebaseSheet = page.getByRole('region', { name: 'Rebase crowded' });
    await expect(rebaseSheet.getByRole('region', { name: 'Checks' })).toContainText('1 new violation');
    await expect(rebaseSheet).toContainText('Chidi Okafor holds 4 leases; three are allowed');
    await expect(rebaseSheet.getByRole('region', { name: 'Conclusions' })).toContainText('added');
    const why = rebaseSheet.getByRole('region', { name: 'Checks' }).getByRole('link', { name: 'Why?' }).first();
    await why.press('Enter');
    await expect(page.getByRole('region', { name: 'Tried state' })).toContainText(
      'crowded as it would be after a rebase',
    );
    await expect(page.getByRole('tree', { name: 'Proof' })).toContainText('Chidi Okafor');
    await page.goBack();
    await expect(why).toBeFocused();
    await rebaseSheet
      .getByRole('region', { name: 'Stored facts' })
      .getByRole('button', { name: 'Lease', exact: true })
      .click();
    await expect(headlines(page, 'Stored')).toContainText('new Lease');
    await expect(page.getByText('only Lease')).toBeVisible();
    await rebaseSheet.getByRole('button', { name: 'Close the sheet' }).press('Escape');
    await expect(rebase).toBeFocused();
    await rebase.press('Enter');
    await rebaseSheet.getByRole('button', { name: 'Rebase', exact: true }).click();
    await expect(rebaseSheet).toContainText('crowded-2 is up to date');
    await expect(rebaseSheet.getByRole('button', { name: 'Show crowded-2' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'Fork crowded-2' })).toContainText('with the changes of crowded');
    await expect(rebase, 'already up to date').toBeHidden();
    await send(workbench, 'POST', '/v1/forks', { id: 'inner', from: 'crowded-2' });
    await send(workbench, 'DELETE', '/v1/forks/crowded-2');
    await treeItem(page, 'inner').click();
    await expect(page.getByRole('region', { name: 'Fork inner' })).toContainText(
      'Its parent crowded-2 was discarded. This fork can be read and written, but not promoted. Rebase… applies its changes to a new fork of main',
    );
    await rebase.press('Enter');
    await expect(page.getByRole('region', { name: 'Rebase inner' })).toContainText('A new fork of main');
    await send(workbench, 'DELETE', '/v1/forks/inner');
    await treeItem(page, 'crowded').click();
    await page.getByRole('button', { name: 'Promote…' }).click();
    await expect(sheet).toContainText('Blocked by a check');
  });

  await call(workbench, 'main', 'end', { lease });
  await expect(sheet).toContainText('All blocking checks pass');
  await expect(sheet.getByRole('button', { name: 'Promote', exact: true })).toBeEnabled();

  await test.step('the name of the saved fork survives a panel change and a reload', async () => {
    const name = sheet.getByRole('textbox', { name: 'Name of the saved fork' });
    await name.fill('main-in-spring');
    await page.getByRole('link', { name: 'Checks', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Checks' })).toBeAttached();
    await page.goBack();
    await expect(name).toHaveValue('main-in-spring');
    await page.reload();
    await expect(name).toHaveValue('main-in-spring');
  });

  await test.step('another client promotes the fork while the sheet is open', async () => {
    await send(workbench, 'POST', '/v1/forks/crowded/promote');
    await expect(sheet).toContainText('crowded was promoted by another client');
    await sheet.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(sheet).toBeHidden();
  });
});

test('links a promotion that cannot be replayed to the transaction at fault, and still compares the fork', async ({
  page,
  workbench,
}) => {
  const write = (fork: string, source: string) =>
    send(workbench, 'POST', `/v1/forks/${fork}/mutation/adhoc`, { source });
  const { $id: guest } = await call(workbench, 'main', 'register', { name: 'Gil Guest' });
  await create(workbench, 'late');
  await call(workbench, 'late', 'sign', { tenant: guest, code: 'NEW-1', rent: 700 });
  await write('late', 'mutation other() { insert Person { name: "Nia New" } }');
  await write('main', 'mutation leave() { for p in (select p where Person(p), p.name == "Gil Guest") { delete p } }');
  await page.goto(`${workbench.url}/forks?show=late#token=${workbench.token}`);
  const sheet = await openPromotion(page, 'late');
  await expect(sheet).toContainText('cannot be replayed on "main"');
  await expect(sheet.getByText('SVC_RUNTIME_VALIDATION_FAILED')).toHaveCount(1);
  const fork = page.getByRole('region', { name: 'Fork late' });
  await expect(fork.getByRole('combobox', { name: 'Compare with' })).toHaveValue('main');
  await expect(headlines(fork, 'Stored').first()).toContainText('new');
  await sheet.getByRole('button', { name: 'Show in history' }).click();
  await expect(transactionsOf(fork).and(page.locator('[aria-expanded="true"]'))).toContainText('sign');
});

test.describe('with a unique field', () => {
  const ROTA =
    'module rota\n\npub concept Shift { title: Text, code: Text unique }\npub mutation plan(title: Text, code: Text) -> Shift { return insert Shift { title: title, code: code } }\n';
  test.use({ modules: { 'rota.entail': ROTA } });

  test('labels the individuals of a violation that exist on one side only', async ({ page, workbench }) => {
    const plan = (fork: string, title: string) =>
      send(workbench, 'POST', `/v1/forks/${fork}/dispatch/mutation`, {
        path: 'rota::plan',
        args: { title, code: 'S1' },
      });
    await create(workbench, 'what-if');
    await plan('what-if', 'Early');
    await plan('main', 'Late');
    await openForks(page, workbench);
    await treeItem(page, 'what-if').click();
    const checks = (await openPromotion(page, 'what-if')).getByRole('region', { name: 'Checks' });
    await expect(checks.getByRole('listitem')).toContainText(['shift Early', 'shift Late']);
  });
});

/** A mutation that signs a lease without a guarantor, for a person who holds no other lease. */
const SIGN_UNGUARANTEED = `mutation letOne(code: Text) {
  let p = insert Person { name: code }
  let l = insert Lease { code: code, rent: 700, status: signed }
  insert tenantOf(l, p)
}`;

test('shows the first few of many warnings, and more on demand', async ({ page, workbench }) => {
  await create(workbench, 'many');
  for (const code of ['N-1', 'N-2', 'N-3', 'N-4', 'N-5'])
    await send(workbench, 'POST', '/v1/forks/many/mutation/adhoc', { source: SIGN_UNGUARANTEED, args: { code } });
  await page.goto(`${workbench.url}/forks?show=many&sheet=promote#token=${workbench.token}`);
  const sheet = page.getByRole('region', { name: 'Promote many' });
  const checks = sheet.getByRole('region', { name: 'Checks' });
  await expect(checks).toContainText('5 new warnings');
  await expect(checks.getByRole('listitem')).toHaveCount(3);
  await expect(sheet.getByRole('region', { name: 'Conclusions' })).toContainText('added');
  await checks.getByRole('button', { name: 'Show 2 of 2 more' }).click();
  await expect(checks.getByRole('listitem')).toHaveCount(5);
});

test('resolves a conflict by the value of main or of the fork, with a preview', async ({ page, workbench }) => {
  const { $id: lease } = await call(workbench, 'main', 'sign', { tenant: '@lease::dana', code: 'NEW-1', rent: 700 });
  await create(workbench, 'raise');
  await call(workbench, 'raise', 'raiseRent', { lease, percent: 10 });
  await call(workbench, 'main', 'raiseRent', { lease, percent: 5 });
  await page.goto(`${workbench.url}/forks?show=raise#token=${workbench.token}`);
  const sheet = await openPromotion(page, 'raise');
  const conflict = sheet.getByRole('region', { name: 'Conflicts' }).getByRole('listitem');
  await expect(conflict).toContainText('NEW-1 rent');
  await expect(conflict.locator('dd')).toContainText(['700', /735/, /770 kept/]);
  await conflict.getByRole('button', { name: 'Keep the value of main' }).press('Enter');
  await expect(conflict.locator('dd')).toContainText(['700', /735 kept/, /770/]);
  await expect(sheet).toContainText('No changes to write');
  await page.reload();
  await expect(conflict.locator('dd')).toContainText(['700', /735 kept/, /770/]);
  await conflict.getByRole('button', { name: 'Keep the value of raise' }).click();
  await expect(sheet).toContainText('1 change would be written');
  await conflict.getByRole('button', { name: 'Keep the value of main' }).click();
  await promote(sheet, 'raise');
  const response = await send(workbench, 'POST', '/v1/explain', {
    relation: 'lease::Lease.rent',
    tuple: [lease, '735'],
  });
  expect(response.result).toMatchObject({ holds: true });
});

test('pages through many conflicts, and says when another client discarded the fork', async ({ page, workbench }) => {
  const rows = Array.from({ length: 120 }, (_, place) => ({ name: `Tenant ${place}`, email: 'old' }));
  await send(workbench, 'POST', '/v1/import', { mutation: 'lease::register', rows });
  await create(workbench, 'mass');
  for (const [fork, email] of ['mass fork', 'main main'].map((pair) => pair.split(' '))) {
    const source = `mutation all() { for p in (select p where Person(p), p.email == "old") { set p.email = "${email}" } }`;
    await send(workbench, 'POST', `/v1/forks/${fork}/mutation/adhoc`, { source });
  }
  await page.goto(`${workbench.url}/forks?show=mass#token=${workbench.token}`);
  const sheet = await openPromotion(page, 'mass');
  const conflicts = sheet.getByRole('region', { name: 'Conflicts' });
  await expect(conflicts).toContainText('120 fields were changed on both sides');
  await expect(conflicts.getByRole('listitem')).toHaveCount(50);
  await conflicts.getByRole('button', { name: 'Show 50 of 70 more' }).click();
  await expect(conflicts.getByRole('listitem')).toHaveCount(100);
  await send(workbench, 'DELETE', '/v1/forks/mass');
  await expect(sheet).toContainText('mass was discarded by another client');
  await expect(sheet).toContainText('You can still read and compare it');
});

test('selects and discards a fork by keyboard, after a confirmation', async ({ page, workbench }) => {
  await create(workbench, 'dropped');
  await call(workbench, 'dropped', 'register', { name: 'Nina', email: null });
  await openForks(page, workbench);
  await page.getByRole('tree', { name: 'Forks' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('heading', { name: 'dropped' })).toBeVisible();
  const graph = page.getByRole('region', { name: 'Fork graph' });
  await expect(graph.locator('.react-flow__node[tabindex="0"]')).toHaveCount(1);
  await graph.getByRole('group', { name: 'dropped, open' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(graph.getByRole('group', { name: 'main, open' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(graph.getByRole('group', { name: 'dropped, open' })).toBeFocused();
  await expect(page.getByRole('heading', { name: 'dropped' })).toBeVisible();
  const discard = page.getByRole('button', { name: 'Discard…' });
  await discard.focus();
  await page.keyboard.press('Enter');
  const confirmation = page.getByRole('group', { name: 'Discard dropped' });
  await expect(confirmation).toContainText('will not be written to main');
  await page.keyboard.press('Escape');
  await expect(discard).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(confirmation.getByRole('button', { name: 'Keep fork' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(treeItem(page, 'dropped')).toContainText('discarded');
  await expect(page.getByText(/Discarded at/)).toBeVisible();
});

test('truncates forks with a common prefix distinguishably, and labels them', async ({ page, workbench }) => {
  const [first, second] = ['before-the-winter-sale-of-2026-first-try', 'before-the-winter-sale-of-2026-second-try'];
  await create(workbench, first);
  await create(workbench, second);
  await page.goto(`${workbench.url}/forks?show=${first}#token=${workbench.token}`);
  const shown = async (name: string): Promise<string> =>
    treeItem(page, name)
      .locator('.cut-middle')
      .evaluate((element) => getComputedStyle(element, '::after').content);
  await expect(treeItem(page, first)).toContainText(first);
  expect(await shown(first)).toMatch(/^"before.*….*st-try"/);
  expect(await shown(second)).toMatch(/^"before.*….*nd-try"/);
  await treeItem(page, second).getByText(second).hover();
  await expect(page.getByRole('tooltip')).toHaveText(second);

  const other = page.getByRole('combobox', { name: 'Compare with' });
  await other.click();
  await page.getByRole('option', { name: second, exact: true }).click();
  await expect(other).toHaveValue(second);
  await other.blur();
  await expect(page.locator('[aria-hidden] > .cut-middle')).toHaveAttribute('data-shown', /nd-try$/);

  await test.step('F2 edits the label in the tree', async () => {
    const tree = page.getByRole('tree', { name: 'Forks' });
    await tree.focus();
    await page.keyboard.press('F2');
    const field = page.getByRole('textbox', { name: `Label of ${first}` });
    await expect(field).toHaveValue(first);
    await field.fill('Winter sale, 5 % off');
    await field.press('Enter');
    await expect(page.getByRole('region', { name: 'Fork Winter sale, 5 % off' })).toBeVisible();
    await expect(tree).toBeFocused();
    const graph = page.getByRole('region', { name: 'Fork graph' });
    await expect(graph.getByRole('group', { name: 'Winter sale, 5 % off, open' })).toBeVisible();
    await page.reload();
    await treeItem(page, 'Winter sale, 5 % off').getByText('Winter sale').hover();
    await expect(page.getByRole('tooltip')).toHaveText(`Winter sale, 5 % off (${first})`);
  });

  await test.step('forks with the same label show their ids', async () => {
    await send(workbench, 'PATCH', `/v1/forks/${second}`, { label: 'Winter sale, 5 % off' });
    await expect(treeItem(page, `Winter sale, 5 % off \\(${second}\\)`)).toBeVisible();
    await expect(treeItem(page, `Winter sale, 5 % off \\(${first}\\)`)).toBeVisible();
  });

  await test.step('a fork without a label shows its id', async () => {
    const menu = page.getByRole('button', { name: 'More actions' });
    await menu.press('Enter');
    await chooseByKeyboard(page, /^Rename…/);
    const field = page.getByRole('textbox', { name: `Label of ${first}` });
    await expect(field).toBeFocused();
    await field.fill('');
    await field.press('Enter');
    await expect(page.getByRole('region', { name: `Fork ${first}` })).toBeVisible();
    await expect(menu).toBeFocused();
    await expect(treeItem(page, 'Winter sale, 5 % off')).not.toContainText('(');
  });
});

test('shows the whole name of the current fork in the graph if it is of usual length', async ({ page, workbench }) => {
  const name = 'winter-sale-of-2026';
  await create(workbench, name);
  await page.addInitScript((fork) => localStorage.setItem('entail.fork', JSON.stringify(fork)), name);
  await page.goto(`${workbench.url}/forks#token=${workbench.token}`);
  const node = page.getByRole('region', { name: 'Fork graph' }).locator('.graph-node').filter({ hasText: name });
  await expect(node).toContainText('current');
  await expect(node.locator('.cut-middle')).not.toHaveAttribute('data-shown');
});

test('collapses closed forks, and shows them by link, filter or fork menu', async ({ page, workbench }) => {
  const nina = { name: 'Nina', email: null };
  for (let number = 1; number <= 9; number++) {
    await create(workbench, `open-${number}`);
    await call(workbench, `open-${number}`, 'register', nina);
  }
  for (const id of ['gone-1', 'gone-2', 'sale', 'before-sale']) await create(workbench, id);
  for (const id of ['gone-1', 'gone-2']) await send(workbench, 'DELETE', `/v1/forks/${id}`);
  await call(workbench, 'sale', 'register', nina);
  await send(workbench, 'POST', '/v1/forks/sale/promote');
  await openForks(page, workbench);
  const graph = page.getByRole('region', { name: 'Fork graph' });

  await test.step('open forks come first, then snapshots of main, then closed forks', async () => {
    await expect(page.getByRole('tree', { name: 'Forks' }).getByRole('treeitem')).toContainText([
      'main',
      ...Array.from({ length: 9 }, (_, index) => `open-${9 - index}`),
      'before-sale',
      'Promoted and discarded',
    ]);
    await expect(page.getByRole('treeitem', { name: 'Promoted and discarded 3' })).toHaveAttribute(
      'aria-expanded',
      'false',
    );
    await expect(page.getByRole('region', { name: 'Fork open-9' }), 'the newest open fork').toBeVisible();
  });

  await test.step('a link to a closed fork expands them, and the fork links to its snapshot of main', async () => {
    await page.goto(`${workbench.url}/forks?show=sale`);
    await expect(treeItem(page, 'sale')).toContainText('promoted');
    await expect(page.getByRole('treeitem', { name: 'Promoted and discarded 3' })).toHaveAttribute(
      'aria-expanded',
      'true',
    );
    await expect(graph).toContainText('sale');
    const closed = page.getByRole('region', { name: 'Fork sale' });
    await closed.getByRole('link', { name: 'before-sale', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Fork before-sale' })).toContainText('Snapshot of main.');
  });

  await test.step('the filter finds closed forks, and survives a reload', async () => {
    await page.getByRole('textbox', { name: 'Filter forks' }).fill('GONE');
    await expect(page.getByText('No matches in open forks')).toBeVisible();
    await expect(treeItem(page, 'gone-1')).toContainText('discarded');
    await page.reload();
    await expect(treeItem(page, 'gone-2')).toContainText('discarded');
    await expect(treeItem(page, 'open-1')).toHaveCount(0);
  });

  await test.step('the fork menu finds closed forks by name, and Enter switches to one', async () => {
    await page.getByRole('button', { name: 'Fork main' }).click();
    const forks = page.getByRole('list', { name: 'Forks' });
    await expect(forks).toContainText('3 closed. Type part of a name to find them.');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Filter forks' }).fill('ne-2');
    await expect(forks.getByRole('listitem')).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Fork gone-2' })).toBeVisible();
  });
});

test('lists the transactions of a fork, newest first, with their changes, conclusions and violations', async ({
  page,
  workbench,
}) => {
  await create(workbench, 'what-if');
  const { $id: lease } = await call(workbench, 'what-if', 'sign', {
    tenant: '@lease::dana',
    code: 'NEW-1',
    rent: 700,
  });
  await call(workbench, 'what-if', 'raiseRent', { lease, percent: 10 });
  await openForks(page, workbench);
  await treeItem(page, 'what-if').click();
  await page.getByRole('radiogroup', { name: 'Fork view' }).getByText('History').click();
  const entries = transactionsOf(page);
  await expect(entries).toContainText([
    /raiseRent.*NEW-1 rent = 770/,
    /sign.*new Lease NEW-1: rent 700, status signed and 1 more/,
  ]);
  await entries.first().press('Enter');
  await expect(page.getByRole('region', { name: 'Changes', exact: true })).toContainText('NEW-1 rent 700 770');
  await entries.first().press('End');
  await expect(entries.last()).toBeFocused();
  await page.keyboard.press('Enter');
  const signTransaction = page.getByRole('region', { name: /^Transaction \d+$/ });
  await expect(signTransaction.getByRole('region', { name: 'Conclusions' })).toContainText('NEW-1 is active');
  await expect(signTransaction.getByRole('region', { name: 'New violations' })).toContainText('unguaranteed');
  await page.reload();
  await expect(signTransaction).toContainText('stored by sign');
  await expect(signTransaction).toContainText('added: Dana Petrova is a tenant of NEW-1');

  await test.step('a transaction is cherry-picked onto main after a preview', async () => {
    const cherryPick = signTransaction.getByRole('button', { name: 'Cherry-pick…' });
    await cherryPick.press('Enter');
    const sheet = page.getByRole('region', { name: /^Cherry-pick transaction \d+$/ });
    await expect(sheet.getByRole('button', { name: 'Close the sheet' })).toBeFocused();
    await expect(sheet.getByRole('combobox', { name: 'Onto' })).toHaveValue('main');
    await expect(sheet.getByRole('region', { name: 'Checks' })).toContainText('1 new warning');
    await expect(sheet.getByRole('region', { name: 'Changes on main' })).toContainText('new Lease NEW-1');
    const conclusions = sheet.getByRole('region', { name: 'Conclusions on main' });
    await expect(conclusions).toContainText('NEW-1 is active');
    const explanation = page.getByRole('region', { name: 'Explanation' });
    for (const why of [
      conclusions.getByRole('listitem').filter({ hasText: 'NEW-1 is active' }).getByRole('link', { name: 'Why?' }),
      sheet.getByRole('region', { name: 'Checks' }).getByRole('link', { name: 'Why?' }),
    ]) {
      await why.press('Enter');
      await expect(explanation.getByRole('region', { name: 'Tried state' })).toContainText(
        /main as it would be after cherry-picking transaction \d+ of what-if/,
      );
      await expect(explanation.getByRole('tree', { name: 'Proof' })).toContainText('NEW-1');
      await page.goBack();
      await expect(why, 'returns to the link').toBeFocused();
    }
    await page.keyboard.press('Escape');
    await expect(cherryPick).toBeFocused();
    await page.keyboard.press('Enter');
    await sheet.getByRole('button', { name: 'Cherry-pick', exact: true }).click();
    await expect(sheet).toContainText(/Cherry-picked transaction \d+/);
    await sheet.getByRole('button', { name: 'Close', exact: true }).press('Enter');
    await cherryPick.press('Enter');
    await expect(sheet).toContainText('No changes to write. main already has all of them.');
    await page.keyboard.press('Escape');
    await treeItem(page, 'main').click();
    await page.getByRole('radiogroup', { name: 'Fork view' }).getByText('History').click();
    await expect(entries).toContainText([/transaction \d+ cherry-picked from what-if/]);
    await entries.first().click();
    await expect(page.getByRole('link', { name: /cherry-picked from what-if/ })).toBeVisible();
  });

  await test.step('a lost conclusion links to its earlier proof, and from there to the current state', async () => {
    await call(workbench, 'what-if', 'end', { lease });
    await treeItem(page, 'what-if').click();
    await page.getByRole('radiogroup', { name: 'Fork view' }).getByText('History').click();
    await entries.filter({ hasText: /^\d\d:\d\dend/ }).click();
    const lost = page.getByRole('region', { name: 'Conclusions' }).getByRole('listitem');
    await lost.filter({ hasText: 'NEW-1 is active' }).getByRole('link', { name: 'Why?' }).click();
    const explanation = page.getByRole('region', { name: 'Explanation' });
    await expect(explanation.getByRole('tree')).toContainText('Dana Petrova is a tenant of NEW-1');
    await expect(explanation.getByRole('region', { name: 'Earlier state' })).toContainText('before transaction');
    await page.reload();
    await explanation.getByRole('link', { name: 'Show current state' }).click();
    await expect(explanation).toContainText('False');
  });
});

test('reverts a transaction from the history after a preview of the later changes it overwrites', async ({
  page,
  workbench,
}) => {
  const { $id: lease } = await call(workbench, 'main', 'sign', { tenant: '@lease::dana', code: 'NEW-1', rent: 700 });
  await call(workbench, 'main', 'raiseRent', { lease, percent: 10 });
  await call(workbench, 'main', 'raiseRent', { lease, percent: 10 });
  await page.goto(`${workbench.url}/forks?show=main&view=history#token=${workbench.token}`);
  const entries = transactionsOf(page);
  await expect(entries).toHaveCount(3);
  await entries.first().press('ArrowDown');
  await page.keyboard.press('Enter');
  const revert = page.getByRole('button', { name: 'Revert…' });
  await revert.press('Enter');
  const sheet = page.getByRole('region', { name: 'Revert transaction 2', exact: true });
  await expect(sheet.getByRole('button', { name: 'Close the sheet' })).toBeFocused();
  await expect(sheet).toContainText('All blocking checks pass');
  const laterChanges = sheet.getByRole('region', { name: 'Later changes' });
  await expect(laterChanges).toContainText('NEW-1 rent');
  await expect(laterChanges).toContainText('before700 restored');
  await page.keyboard.press('Escape');
  await expect(revert).toBeFocused();
  await page.keyboard.press('Enter');
  await sheet.getByRole('button', { name: 'Revert transaction' }).click();
  await expect(sheet).toContainText('Transaction 2 is reverted');
  await sheet.getByRole('button', { name: 'Close', exact: true }).press('Enter');
  await expect(entries).toContainText(['the revert of transaction 2', 'raiseRent', /raiseRent.*reverted/, 'sign']);
  await expect(page.getByRole('region', { name: 'Transaction 2' })).toContainText('stored by raiseRent');
});

test('forks an earlier transaction, and promoting that fork restores its state', async ({ page, workbench }) => {
  const { $id: lease } = await call(workbench, 'main', 'sign', { tenant: '@lease::dana', code: 'NEW-1', rent: 700 });
  await call(workbench, 'main', 'raiseRent', { lease, percent: 10 });
  await call(workbench, 'main', 'end', { lease });
  await page.goto(`${workbench.url}/forks?show=main&view=history&txn=1#token=${workbench.token}`);
  // The suggested label uses the loaded transaction, so wait for it.
  await expect(transactionsOf(page).last()).toContainText('sign');
  await expect(page.getByRole('region', { name: 'Changes', exact: true })).toContainText('NEW-1');
  await page.getByRole('button', { name: 'New fork as of here' }).press('Enter');
  const form = page.getByRole('form', { name: 'New fork' });
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('main-at-1');
  await expect(form.getByRole('textbox', { name: 'Label' })).toHaveValue('main – after sign NEW-1');
  await expect(form).toContainText('as of transaction 1');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Fork main – after sign NEW-1' })).toBeVisible();
  const fork = page.getByRole('region', { name: 'Fork main – after sign NEW-1' });
  await expect(fork).toContainText('from main as of transaction 1');
  const entries = transactionsOf(page);
  await expect(entries.first()).toContainText('a return to transaction 1');
  await entries.first().click();
  await expect(page.getByRole('region', { name: 'Conclusions' })).toContainText('NEW-1 is active');
  await page.getByRole('radiogroup', { name: 'Fork view' }).getByText('Compare').click();
  await expect(headlines(page, 'Conclusions')).toContainText('active');

  const sheet = await openPromotion(page, 'main – after sign NEW-1');
  await expect(sheet).toContainText('Promoting it also reverts what main changed');
  await promote(sheet, 'main – after sign NEW-1');
  const response = await send(workbench, 'POST', '/v1/explain', {
    relation: 'lease::Lease.rent',
    tuple: [lease, '700'],
  });
  expect(response.result).toMatchObject({ holds: true });
});

test('filters the history by field, and by individual from its page', async ({ page, workbench }) => {
  const { $id: lease } = await call(workbench, 'main', 'sign', { tenant: '@lease::dana', code: 'NEW-1', rent: 700 });
  await call(workbench, 'main', 'register', { name: 'Nina', email: null });
  await call(workbench, 'main', 'raiseRent', { lease, percent: 10 });
  await page.goto(`${workbench.url}/data?individual=${encodeURIComponent(lease)}#token=${workbench.token}`);
  await page.getByRole('region', { name: 'Individual' }).getByRole('link', { name: 'History' }).click();
  const entries = transactionsOf(page);
  await expect(entries).toContainText(['raiseRent', 'sign']);
  const list = page.getByRole('region', { name: 'Transactions', exact: true });
  await expect(list).toContainText('about NEW-1');
  const changes = list.getByRole('combobox', { name: 'Changes of' });
  await changes.fill('Lease.rent');
  await page.getByRole('option', { name: 'Lease.rent', exact: true }).click();
  await expect(entries).toContainText(['NEW-1 rent = 770', /sign/]);
  await list.getByRole('button', { name: 'Any individual' }).click();
  await changes.fill('everything');
  await page.getByRole('option', { name: 'everything', exact: true }).click();
  await expect(entries).toHaveCount(3);

  await test.step('a proof links to the earlier values of its field', async () => {
    const tuple = JSON.stringify([lease, '770']);
    await page.goto(`${workbench.url}/explain?${new URLSearchParams({ relation: 'lease::Lease.rent', tuple })}`);
    await page.getByRole('link', { name: 'All earlier values' }).click();
    await expect(entries).toHaveCount(2);
    await expect(changes).toHaveValue('Lease.rent');
  });
});

test('evaluates a fork, and shows a profile by rule and a trace by round', async ({ page, workbench }) => {
  await create(workbench, 'what-if');
  await openForks(page, workbench);
  await treeItem(page, 'what-if').click();
  await page.getByText('Performance', { exact: true }).click();
  await expect(page.getByText('Not evaluated yet')).toBeVisible();
  await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
  const profile = page.getByRole('region', { name: 'Profile by rule' });
  await expect(profile.getByRole('rowheader', { name: /liable/ })).toHaveCount(3);
  await profile.getByRole('button', { name: /Plan of controls clause 2/ }).click();
  await expect(profile).toContainText('lease::owns by index on');
  await page.getByText('Rounds', { exact: true }).click();
  const trace = page.getByRole('region', { name: 'Evaluation trace by round' });
  await expect(trace.getByRole('rowheader', { name: 'Round 2 of controls, recursive' })).toBeVisible();
  await page.getByText('Facts', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'Derived facts by relation' })).toContainText('controls recursive');
  await call(workbench, 'what-if', 'register', { name: 'Nina', email: null });
  await expect(page.getByText('Not evaluated yet')).toBeVisible();
});

/** The entries of a history, newest first. */
function transactionsOf(parent: Page | Locator): Locator {
  return parent.getByRole('list', { name: 'Transactions, newest first' }).locator('> li > button');
}

/** The headlines of one section of a comparison. */
function headlines(parent: Page | Locator, section: 'Checks' | 'Conclusions' | 'Stored'): Locator {
  return parent.getByRole('region', { name: section, exact: true }).locator('button[aria-expanded]');
}

async function openForks(page: Page, workbench: ServedWorkbench): Promise<void> {
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Forks', exact: true }).click();
  await expect(page.getByRole('tree', { name: 'Forks' })).toBeVisible();
}

function treeItem(page: Page, fork: string) {
  return page.getByRole('tree', { name: 'Forks' }).getByRole('treeitem', { name: new RegExp(`^(\\w+ )?${fork} `) });
}

async function create(workbench: ServedWorkbench, id: string): Promise<void> {
  await send(workbench, 'POST', '/v1/forks', { id });
}

/** Calls a mutation of the sample as another client. */
async function call(workbench: ServedWorkbench, fork: string, name: string, args: object): Promise<{ $id: string }> {
  const { result } = await send(workbench, 'POST', `/v1/forks/${fork}/dispatch/mutation`, {
    path: `lease::${name}`,
    args,
  });
  return result as { $id: string };
}

async function leases(workbench: ServedWorkbench, fork: string): Promise<unknown> {
  const query = { path: 'lease::leaseCount', args: {} };
  return (await send(workbench, 'POST', `/v1/forks/${fork}/dispatch/query`, query)).result;
}

async function send(
  { url, token }: ServedWorkbench,
  method: string,
  path: string,
  body?: object,
): Promise<{ result: unknown }> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.ok, text).toBe(true);
  return JSON.parse(text) as { result: unknown };
}
