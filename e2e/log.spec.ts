/** The log: requests of all clients, explained failures, filters, comparison, resending, and repro bundles. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from '@playwright/test';
import { expect, type ServedWorkbench, test } from './support/served-workbench.js';
import { call, openPanel } from './support/steps.js';
import { repository, withTemporaryFolder } from './support/temporary-folder.js';

const TOWNS = `module towns

pub concept Town { name: Text }

/// Takes time proportional to the square of its trouble.
pub mutation found(name: Text, trouble: Int) -> Int {
  insert Town { name: name }
  return count(for a, b where a in range(0, trouble), b in range(0, trouble), a + b < 0)
}
`;

test('shows a request of another client, explains it, and links to what it names', async ({ page, workbench }) => {
  await openLog(page, workbench);
  await send(workbench, 'lease::end', { lease: 'nobody' });
  await request(page, /VALIDATION_FAILED/).click();
  const inspector = page.getByRole('region', { name: 'Request', exact: true });
  await expect(inspector).toContainText('Expected a Lease, got "nobody"');
  await expect(inspector).toContainText('Correct the value named in the message');
  await expect(inspector.getByRole('tree', { name: 'Request body' })).toContainText('"nobody"');

  await fetch(`${workbench.url}/v1/individuals?class=lease::Lease&filter=${'long'.repeat(40)}`, {
    headers: { authorization: `Bearer ${workbench.token}` },
  });
  const long = request(page, /longlonglong/);
  await expect(long.getByText('VALIDATION_FAILED'), 'visible beside a shortened path').toBeInViewport({ ratio: 1 });
  await expect(long.getByRole('time')).toBeInViewport({ ratio: 1 });

  const phases = inspector.getByRole('region', { name: 'Timing' }).getByRole('rowheader');
  await expect(phases.first()).toHaveText(/^Receiving/);
  await expect(phases.last()).toHaveText(/^Sending/);

  await inspector.getByRole('link', { name: 'SVC_RUNTIME_VALIDATION_FAILED' }).click();
  await expect(page.getByRole('region', { name: 'Error codes' })).toContainText('SVC_RUNTIME_STORAGE_UNREACHABLE');
  await page.goBack();
  await inspector.getByRole('link', { name: 'lease::end' }).click();
  await expect(page.getByRole('heading', { name: 'end', exact: true })).toBeVisible();
});

test('lists requests as calls, marks dry runs, and counts hidden requests', async ({ page, workbench }) => {
  await openLog(page, workbench);
  const args = { tenant: '@lease::dana', code: 'DANA-1', rent: 700 };
  await post(workbench, '/v1/dispatch/mutation?dryRun=true&effects=true', { path: 'lease::sign', args });
  await send(workbench, 'lease::sign', args);
  const calls = page.getByRole('listbox', { name: 'Requests, newest first' }).getByRole('option');
  await expect(calls).toContainText(['sign(Dana Petrova, "DANA-1", 700)', 'sign(Dana Petrova, "DANA-1", 700)dry run']);
  await expect(calls.first()).not.toContainText('dry run');
  await calls.first().click();
  const inspector = page.getByRole('region', { name: 'Request', exact: true });
  await expect(inspector.getByRole('heading', { name: 'sign(Dana Petrova, "DANA-1", 700)' })).toBeVisible();
  const count = page.getByRole('region', { name: 'Requests' }).getByRole('status');
  await expect(count).toHaveText(/^2 requests · \d+ workbench requests hidden$/);
  await page.getByRole('button', { name: 'Show workbench requests' }).click();
  await expect(request(page, /GET \/v1\/schema/)).toBeVisible();
  await page.getByRole('button', { name: 'Hide workbench requests' }).click();
  await expect(calls).toHaveCount(2);
});

test('streams requests as they end, without polling', async ({ page, workbench }) => {
  const contentTypes: string[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname === '/v1/requests')
      contentTypes.push(response.headers()['content-type'] ?? '');
  });
  await openLog(page, workbench);
  const json = 'application/json; charset=utf-8';
  // The list, the stream, and the list again for what ended before the stream was open.
  await expect.poll(() => contentTypes).toEqual([json, 'text/event-stream; charset=utf-8', json]);
  await send(workbench, 'lease::register', { name: 'Nina', email: null });
  await expect(request(page, /register/)).toHaveCount(1);
  await send(workbench, 'lease::register', { name: 'Oskar', email: null });
  await expect(request(page, /register/)).toHaveCount(2);
  expect(contentTypes).toHaveLength(3);

  await test.step('follows the new log of a restarted server', async () => {
    await workbench.stop();
    await workbench.start();
    await expect(page.getByRole('banner')).toContainText('Connected');
    await send(workbench, 'lease::register', { name: 'Piet', email: null });
    await expect(request(page, /register/)).toHaveCount(1);
  });
});

test('filters the list from the address, pauses it, and moves through it by keyboard', async ({ page, workbench }) => {
  await openLog(page, workbench);
  await send(workbench, 'lease::register', { name: 'Nina', email: null });
  await send(workbench, 'lease::end', { lease: 'nobody' });
  await expect(request(page, /VALIDATION_FAILED/)).toBeVisible();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: '4xx rejected' }).click();
  await expect(page).toHaveURL(/status=4xx/);
  await expect(request(page, /register/)).toBeHidden();
  await page.reload();
  await expect(request(page, /VALIDATION_FAILED/)).toBeVisible();
  await expect(request(page, /register/)).toBeHidden();
  await page.getByRole('button', { name: 'Other filters' }).press('Enter');
  await page.getByRole('combobox', { name: 'Method' }).click();
  await page.getByRole('option', { name: 'DELETE' }).click();
  await expect(page).toHaveURL(/method=DELETE/);
  await expect(page.getByRole('dialog', { name: 'Other filters' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Other filters, 1 set' })).toBeFocused();

  await page.goto(`${workbench.url}/log?text=lease::`);
  await expect(request(page, /register/)).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await send(workbench, 'lease::register', { name: 'Oskar', email: null });
  await expect(page.getByText('1 newer')).toBeVisible();
  await page.getByRole('listbox', { name: 'Requests, newest first' }).press('End');
  const inspector = page.getByRole('region', { name: 'Request', exact: true });
  await expect(inspector).toContainText('"Nina"');
  await page.getByRole('listbox', { name: 'Requests, newest first' }).press('ArrowUp');
  await expect(inspector).toContainText('"nobody"');
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(request(page, /register/)).toHaveCount(2);

  await test.step('filters by words, by excluded words, and by the bodies', async () => {
    const text = page.getByRole('textbox', { name: 'Path, callable or request id' });
    await text.fill('lease -end');
    await expect(request(page, /VALIDATION_FAILED/)).toBeHidden();
    await expect(request(page, /register/)).toHaveCount(2);
    await text.fill('nobody');
    await expect(page.getByText('No matches')).toBeVisible();
    await page.getByRole('button', { name: 'Search bodies' }).click();
    await expect(page).toHaveURL(/bodies=too/);
    await expect(request(page, /VALIDATION_FAILED/)).toHaveCount(1);
    await expect(request(page, /register/)).toHaveCount(0);
    // If the search of bodies fails, the list shows the error instead of partial results.
    const content = '**/v1/requests?*content=*';
    const error = { code: 'SVC_RUNTIME_INTERNAL_ERROR', message: 'It broke.', details: {} };
    await page.route(content, (route) =>
      route.fulfill({ status: 500, json: { error, requestId: 'r', moduleHash: null } }),
    );
    await text.fill('register');
    await expect(page.getByRole('alert').filter({ hasText: 'It broke.' })).toBeVisible();
    await expect(request(page, /register/)).toHaveCount(0);
    await expect(page).toHaveURL(/text=register/);
    await page.unroute(content);
    // The list retries automatically, so Try again may disappear before a click.
    await page.reload();
    await expect(request(page, /register/)).toHaveCount(2);
    await page.getByRole('button', { name: 'Search bodies' }).click();
    await text.fill('lease::');
    await expect(request(page, /register/)).toHaveCount(2);
  });

  await test.step('shows a timeline on demand, and remembers that', async () => {
    const timeline = page.getByRole('main').getByRole('button', { name: 'Timeline' });
    const first = request(page, /started first, took/);
    await expect(timeline, 'off by default in a narrow list').toHaveAttribute('aria-pressed', 'false');
    await expect(first).toHaveCount(0);
    await timeline.click();
    await expect(first).toHaveCount(1);
    await expect(request(page, /register.*started .* after the first, took/)).toHaveCount(1);
    const title = request(page, /VALIDATION_FAILED/).getByText('end(nobody)', { exact: true });
    expect(await title.evaluate((shown) => shown.scrollWidth > shown.clientWidth), 'the title fits').toBe(false);
    await page.reload();
    await expect(first).toContainText('register');
    await expect(timeline).toHaveAttribute('aria-pressed', 'true');
  });

  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await expect(page).toHaveURL(/order=slow/);
  await expect(page.getByRole('listbox', { name: 'Requests, slowest first' })).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as HAR' }).click();
  const archive = JSON.parse(readFileSync(await (await saved).path(), 'utf8'));
  const requests = archive.log.entries.map((entry: { request: { url: string; postData: { text: string } } }) => [
    entry.request.url,
    JSON.parse(entry.request.postData.text).path,
  ]);
  const url = `${workbench.url}/v1/dispatch/mutation`;
  expect(requests).toEqual([
    [url, 'lease::register'],
    [url, 'lease::end'],
    [url, 'lease::register'],
  ]);
  expect(JSON.stringify(archive)).not.toContain(workbench.token);
});

test('resends a request, opens it in Invoke with its arguments, and copies it without the token', async ({
  page,
  workbench,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openLog(page, workbench);
  await send(workbench, 'lease::register', { name: 'Nina', email: null });
  await request(page, /register/).click();
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(request(page, /register/)).toHaveCount(2);

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Copy as curl' }).click();
  await expect(page.getByText('Command copied.')).toBeVisible();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain('Bearer $ENTAIL_TOKEN');
  expect(command).not.toContain(workbench.token);

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Copy as fetch' }).click();
  await expect(page.getByText('Code copied.')).toBeVisible();
  const script = await page.evaluate(() => navigator.clipboard.readText());
  expect(script).toContain('process.env.ENTAIL_TOKEN');
  expect(script).not.toContain(workbench.token);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Copy response' }).click();
  await expect(page.getByText('Response copied.')).toBeVisible();
  expect(JSON.parse(await page.evaluate(() => navigator.clipboard.readText())).result.name).toBe('Nina');

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Open in Invoke' }).click();
  const name = page.getByRole('textbox', { name: 'name' });
  await expect(name).toHaveValue('Nina');
  await name.fill('not sent');
  await page.getByRole('link', { name: 'Log', exact: true }).click();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Open in Invoke' }).click();
  await expect(name).toHaveValue('Nina');
  const tabs = page.getByRole('tablist', { name: 'Calls' }).getByRole('tab');
  await expect(tabs).toHaveText(['register', 'register 2']);
  await tabs.first().click();
  await expect(name).toHaveValue('not sent');

  await test.step('opens a batch with its steps, and offers the draft batch back', async () => {
    await page.getByRole('link', { name: 'Batch of several calls' }).click();
    await page.getByRole('combobox', { name: 'Callable of the next step' }).fill('register');
    await page.getByRole('option', { name: 'register', exact: true }).click();
    await page.getByRole('button', { name: 'Add step' }).click();
    const first = page.getByRole('listitem', { name: 'Step 0' }).getByRole('textbox', { name: 'name' });
    await first.fill('not sent yet');
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    const steps = [
      { mutation: 'lease::register', args: { name: 'Zoe' } },
      { mutation: 'lease::sign', args: { tenant: { $step: 0 }, code: 'Z-1', rent: '700' } },
    ];
    await post(workbench, '/v1/batch', { steps });
    await request(page, /batch/).click();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Open in Invoke' }).click();
    await expect(first).toHaveValue('Zoe');
    const second = page.getByRole('listitem', { name: 'Step 1' });
    await expect(second.getByRole('combobox', { name: 'tenant' })).toHaveValue('Result of step 0, register');
    await expect(second.getByRole('textbox', { name: 'code' })).toHaveValue('Z-1');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(first).toHaveValue('not sent yet');
  });
});

test('opens an ad-hoc request in Query with its arguments', async ({ page, workbench }) => {
  await openLog(page, workbench);
  await post(workbench, '/v1/query/adhoc', {
    source: 'query dear(min: Decimal) -> [Lease] { select l where Lease(l), l.rent > min }',
    args: { min: '900' },
  });
  await request(page, /query\/adhoc/).click();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Open in Query' }).click();
  await expect(page.getByRole('tab', { name: 'dear' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'min' })).toHaveValue('900');

  // A request that neither panel can show is edited in the log.
  await page.goBack();
  await explain(workbench, 'lease::nothing', []);
  await request(page, /nothing/).click();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Send again with changes' }).click();
  const body = page.getByRole('textbox', { name: 'Body' });
  await body.fill('{"relation":');
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
  await body.fill('{"relation": "lease::nobody", "tuple": []}');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const requestBody = page.getByRole('region', { name: 'Request body', exact: true });
  await expect(requestBody.getByText('Different request body:  1 value differs.')).toBeVisible();
});

test('compares two requests selected by keyboard, mouse or address', async ({ page, workbench }) => {
  await openLog(page, workbench);
  await send(workbench, 'lease::register', { name: 'Nina', email: null });
  await send(workbench, 'lease::register', { name: 'Oskar', email: 'o@example.org' });
  await send(workbench, 'lease::end', { lease: 'nobody' });
  await expect(request(page, /VALIDATION_FAILED/)).toBeVisible();
  await request(page, /register/)
    .last()
    .click();
  await page.getByRole('button', { name: 'Compare with…' }).click();
  const comparison = page.getByRole('region', { name: 'Comparison' });
  await expect(comparison.getByRole('status')).toContainText('Select a second request');
  await expect(page).toHaveURL(/&with=$/);

  await page.keyboard.press('ArrowUp');
  const requestBody = comparison.getByRole('region', { name: 'Request body', exact: true });
  await expect(requestBody.getByRole('status')).toContainText('Different request body:  2 values differ.');
  await expect(requestBody.getByRole('row', { name: /\$\.args\.name/ })).toHaveText(/Changed.*"Nina".*"Oskar"/);
  await page.reload();
  await expect(requestBody.getByRole('tree', { name: 'Request body, first' })).toContainText('"Nina"');
  await expect(requestBody.getByRole('tree', { name: 'Request body, second' })).toContainText('"Oskar"');

  await request(page, /VALIDATION_FAILED/).click();
  const response = comparison.getByRole('region', { name: 'Response', exact: true });
  await expect(response.getByRole('row', { name: /Added \$\.error/ })).toContainText('SVC_RUNTIME_VALIDATION_FAILED');
  await expect(response.getByRole('row', { name: /Removed \$\.result/ })).toBeVisible();
  const facts = comparison.getByRole('table', { name: 'Both requests' });
  await expect(facts.getByRole('row', { name: 'Status differs 200 400' })).toBeVisible();
  await expect(request(page, /^200 First register/)).toBeVisible();

  const list = page.getByRole('listbox', { name: 'Requests, newest first' });
  await list.press('Escape');
  await expect(page.getByRole('region', { name: 'Request', exact: true })).toContainText('"Nina"');
  await expect(list).toBeFocused();

  await test.step('reports a request that is no longer in the log', async () => {
    await page.goto(`${workbench.url}/log?request=gone&with=other`);
    await expect(comparison).toContainText('The first request is not available');
    await expect(comparison.getByRole('link', { name: 'Show only the second' })).toHaveAttribute(
      'href',
      '/log?request=other',
    );
  });
});

test('saves a request with its dependencies, opens the file, and replays it to the same response', async ({
  page,
  workbench,
}) => {
  await openLog(page, workbench);
  await send(workbench, 'lease::register', { name: 'Before', email: null });
  await send(workbench, 'lease::register', { name: 'Nina', email: null });
  await expect(request(page, /register/)).toHaveCount(2);
  await request(page, /register/)
    .first()
    .click();
  const response = page.getByRole('tree', { name: 'Response' });
  await expect(response).toContainText('"Nina"');
  await page.getByRole('button', { name: 'More' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Save repro bundle' }).click();
  const download = await downloading;
  await expect(page.getByRole('button', { name: 'More' }), 'has the focus again after the download').toBeFocused();
  expect(download.suggestedFilename()).toMatch(/^register-.*\.repro\.json$/);
  await withTemporaryFolder(async (folder) => {
    const file = join(folder, download.suggestedFilename());
    await download.saveAs(file);

    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open repro bundle' }).click();
    await (await choosing).setFiles(file);
    const bundle = page.getByRole('region', { name: 'Repro bundle' });
    await expect(bundle).toContainText(`entail serve ${download.suggestedFilename()}`);
    await expect(bundle.getByRole('tree', { name: 'Response' })).toContainText('"Nina"');

    await bundle.getByRole('button', { name: 'Send again' }).click();
    const newResponse = bundle.getByRole('region', { name: 'New response' });
    await expect(newResponse.getByRole('status')).toContainText('Different response');
    await expect(newResponse.getByRole('region', { name: 'Differences' })).toContainText('$.result.$id');
    await expect(newResponse.getByRole('tree', { name: 'Response, now' })).toContainText('"Nina"');
    await expect(bundle).toContainText('main has different facts');

    const served = await serveBundle(file);
    await page.goto(`${served.url}/log#token=${served.token}`);
    const choosingAgain = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open repro bundle' }).click();
    await (await choosingAgain).setFiles(file);
    await expect(bundle).toContainText('the same module on the same facts');
    await bundle.getByRole('button', { name: 'Send again' }).click();
    await expect(newResponse.getByRole('status')).toContainText('Same response.');
    const [first, again] = [
      await lastId(workbench),
      await send(served, 'lease::register', { name: 'Nina', email: null }),
    ];
    expect(again).toBe(first);
    served.end();
  });
});

test('bundles the proof of a refusal or an explanation, and shows it with names', async ({ page, workbench }) => {
  await openLog(page, workbench);
  await send(workbench, 'lease::sign', { tenant: '@lease::ada', code: 'NEW-1', rent: '640' });
  await request(page, /sign/).click();
  const inspector = page.getByRole('region', { name: 'Request', exact: true });
  await expect(inspector.getByRole('alert')).toContainText('tooManyLeases');
  await withTemporaryFolder(async (folder) => {
    const save = async (): Promise<{ file: string; proof: { asOf: string; explanations: { holds: boolean }[] } }> => {
      await page.getByRole('button', { name: 'More' }).click();
      const downloading = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: 'Save repro bundle' }).click();
      const download = await downloading;
      const file = join(folder, download.suggestedFilename());
      await download.saveAs(file);
      return { file, ...JSON.parse(readFileSync(file, 'utf8')) };
    };
    const open = async (file: string): Promise<void> => {
      const choosing = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Open repro bundle' }).click();
      await (await choosing).setFiles(file);
    };
    const refusal = await save();
    expect(refusal.proof).toMatchObject({ asOf: 'request', explanations: [{ holds: true }] });
    await open(refusal.file);
    const proof = page.getByRole('region', { name: 'Proof', exact: true });
    await expect(proof).toContainText('the request, with its own changes');
    const outline = proof.getByRole('tree', { name: 'Why it is true: tooManyLeases' });
    await expect(outline).toContainText('Ada Lindqvist');
    await expect(outline.getByRole('treeitem', { name: /NEW-1/ })).toBeVisible();
    await page.getByRole('button', { name: 'Close the bundle' }).click();

    await explain(workbench, 'lease::liable', ['@lease::northgate', '@lease::elm12Lease']);
    await request(page, /liable/).click();
    const explained = await save();
    expect(explained.proof).toMatchObject({ asOf: 'request', explanations: [{ holds: true }] });
    await open(explained.file);
    await expect(proof.getByRole('tree', { name: 'Why it is true: liable' })).toContainText('Northgate Group');
  });
});

test.describe('with a mutation that exceeds the time limit', () => {
  test.use({ modules: { 'towns.entail': TOWNS }, timeoutMs: 2_000 });

  test('logs one call without a change, although the browser retries it; the next call succeeds', async ({
    page,
    workbench,
  }) => {
    await page.goto(workbench.address);
    await openPanel(page, 'Invoke');
    await call(page, 'found', { name: 'Slow', trouble: '90000' });
    const outcome = page.getByRole('region', { name: 'Result', exact: true });
    await expect(outcome).toContainText('SVC_RUNTIME_REQUEST_TIMEOUT');
    await call(page, 'found', { name: 'Quick', trouble: '1' });
    await expect(outcome).toContainText('Saved');

    await openPanel(page, 'Log');
    await expect(request(page, /found/)).toHaveText([/200/, /REQUEST_TIMEOUT/]);
    await openPanel(page, 'Data');
    await expect(page.getByRole('link', { name: 'Town 1 fact' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Quick', exact: true })).toBeVisible();
  });
});

test.describe('with separate facts for each tenant', () => {
  const shared = `module shared
context tenantId: Text
context principalId: Text
pub concept Guest { name: Text unique }
pub mutation greet(name: Text) -> Guest { return insert Guest { name: name } }
`;
  test.use({ modules: { 'shared.entail': shared } });

  test('resolves names of a request in its own tenant, and opens it for that tenant', async ({ page, workbench }) => {
    const greet = (tenantId: string, name: string) =>
      send(workbench, 'shared::greet', { name }, { context: { tenantId, principalId: 'host' } });
    await greet('north', 'Nils');
    await greet('south', 'Sofia');
    await greet('south', 'Sofia');
    await page.addInitScript(() => localStorage.setItem('entail.context', '{"tenantId":"north","principalId":"me"}'));
    await page.goto(`${workbench.url}/log#token=${workbench.token}`);
    await expect(request(page, /north/)).toHaveCount(1);
    await page.getByRole('button', { name: 'Other filters' }).press('Enter');
    await page.getByRole('combobox', { name: 'Tenant' }).press('ArrowDown');
    await page.getByRole('option', { name: 'south', exact: true }).click();
    await page.keyboard.press('Escape');
    await expect(request(page, /south/)).toHaveCount(2);
    await expect(request(page, /north/)).toHaveCount(0);
    await request(page, /CHECK_VIOLATION/).click();
    const inspector = page.getByRole('region', { name: 'Request', exact: true });
    await expect(inspector).toContainText('south, but the page shows north.');
    await expect(inspector.getByRole('region', { name: 'Failure' })).toContainText('guest #i1');
    await expect(inspector.getByRole('region', { name: 'References' })).toContainText('shared::greet');
    await expect(inspector).not.toContainText('Nils');

    // The module requires more context than the tenant, also of the requests that collect the facts of a bundle.
    await inspector.getByRole('button', { name: 'More' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Save repro bundle' }).click();
    const saved = await (await downloading).path();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open repro bundle' }).click();
    await (await choosing).setFiles(saved);
    const bundle = page.getByRole('region', { name: 'Repro bundle' });
    await expect(bundle).toContainText('2 changes of main, tenant south');
    await expect(bundle).toContainText('the same module on the same facts');
    await bundle.getByRole('button', { name: 'Close the bundle' }).click();

    await inspector.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Open in Invoke' }).click();
    await expect(page.getByRole('textbox', { name: 'name', exact: true })).toHaveValue('Sofia');
    await expect(page.getByRole('button', { name: 'Scope south' })).toBeVisible();
    await page.goBack();
    await expect(inspector.getByRole('region', { name: 'Failure' })).toContainText('guest Sofia');
  });
});

async function openLog(page: Page, workbench: ServedWorkbench): Promise<void> {
  await page.goto(workbench.address);
  await expect(page.getByText('In sync with server')).toBeVisible();
  await page.getByRole('link', { name: 'Log', exact: true }).click();
}

function request(page: Page, name: RegExp) {
  return page.getByRole('listbox', { name: 'Requests, newest first' }).getByRole('option', { name });
}

type Api = Pick<ServedWorkbench, 'url' | 'token'>;

/** Returns the id of the created individual, if any. */
async function send(api: Api, path: string, args: object, more: object = {}): Promise<string | undefined> {
  const response = await post(api, '/v1/dispatch/mutation', { path, args, ...more });
  const { result } = (await response.json()) as { result?: { $id?: string } };
  return result?.$id;
}

async function explain(api: Api, relation: string, tuple: readonly string[]): Promise<void> {
  await post(api, '/v1/explain', { relation, tuple });
}

async function post({ url, token }: Api, path: string, body: object): Promise<Response> {
  return await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
}

/** The id of the person who was registered last. */
async function lastId({ url, token }: Api): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/v1/individuals?class=lease::Person`, { headers });
  const { result } = (await response.json()) as { result: { $id: string; name: string }[] };
  return result.find(({ name }) => name === 'Nina')?.$id;
}

async function serveBundle(file: string): Promise<Api & { end(): void }> {
  const child = spawn(process.execPath, [join(repository, 'out/main/entail.js'), 'serve', file], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { ...(JSON.parse(line) as Api), end: () => child.kill() };
}
