/**
 * The Query panel: completion and checks against the loaded module, arguments, reasons of each row, dry runs, and
 * drafts that survive a reload.
 */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, type ServedWorkbench, test } from './support/served-workbench.js';
import { chooseByKeyboard } from './support/steps.js';

test.beforeEach(async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Query', exact: true }).click();
});

test('completes and fixes a query, and runs it with its arguments', async ({ page }) => {
  const text = page.getByRole('textbox', { name: 'Ad-hoc text' });
  await text.click();
  await page.keyboard.type('query dear(least: Decimal) -> [Lease] { select l where active(l), l.ren');
  await page.getByRole('option', { name: /^rent/ }).click();
  await page.keyboard.type(' >= leest order by l.rent des');
  const option = page.getByRole('option', { name: /^desc/ });
  await expect(option).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(option, 'the completion list never covers the result').toHaveCount(0);
  await page.keyboard.type('c');
  await page.getByRole('textbox', { name: 'least' }).fill('1000');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(result(page)).toContainText('SVC_RUNTIME_ADHOC_TYPE_ERROR');
  await expect(result(page)).toContainText('leest');
  await expect(text.locator('.cm-lintRange-error')).toHaveText('leest');
  await result(page)
    .getByRole('button', { name: /^line 1, column/ })
    .click();
  await expect(text).toBeFocused();

  await write(
    page,
    'query dear(least: Decimal) -> [Lease] { select l where active(l), l.rent >= least order by l.rent desc }',
  );
  await page.keyboard.press('Control+Enter');
  await expect(result(page).getByText('3 rows')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Saved queries' })).toContainText('3 rows');
  const codes = result(page)
    .getByRole('row')
    .getByRole('link', { name: /^(ELM|QUAY)/ });
  await expect(codes).toHaveText(['QUAY-5', 'QUAY-3', 'ELM-12']);
  await result(page).getByRole('button', { name: 'code' }).click();
  await expect(codes).toHaveText(['ELM-12', 'QUAY-3', 'QUAY-5']);
  await expect(result(page)).toContainText('sorted');

  await page.getByRole('tab', { name: 'dear' }).dblclick();
  await page.getByRole('textbox', { name: 'Name of the query' }).fill('Dear leases');
  await page.keyboard.press('Enter');
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Dear leases' })).toHaveAttribute('aria-selected', 'true');
  await expect(text).toContainText('query dear(least: Decimal)');
  await expect(page.getByRole('textbox', { name: 'least' })).toHaveValue('1000');
  await expect(page.getByRole('region', { name: 'Saved queries' })).toContainText('dear');

  // The schema beside the text inserts names.
  const schema = page.getByRole('tree', { name: 'Schema' });
  await expect(schema.getByRole('treeitem', { name: 'Lease 6 facts' })).toHaveAttribute('aria-expanded', 'false');
  await page.getByRole('button', { name: 'Close the schema' }).click();
  await expect(schema).toHaveCount(0);
  await page.getByRole('button', { name: 'Schema', exact: true }).click();
  await page.getByRole('button', { name: 'New query' }).click();
  await expect(text).toContainText('Write a query here, or choose a name in Schema');
  await schema.getByRole('treeitem', { name: /^Person / }).click();
  await expect(text, 'a click inserts').toContainText('select person where Person(person)');
  await page.getByRole('button', { name: 'New query' }).click();
  await schema.focus();
  await page.keyboard.type('paid');
  await expect(schema.getByRole('treeitem', { name: 'paid (lease' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(text, 'an empty text gets a whole query').toContainText('where paid(lease, month, amount)');
  await page.keyboard.type(', amount > 1');
  await page.keyboard.press('Control+Enter');
  await expect(result(page).getByRole('columnheader', { name: 'month' })).toBeVisible();

  await write(page, 'query who() -> [Party] { select p where }');
  await page.keyboard.press('ArrowLeft');
  await schema.focus();
  await page.keyboard.type('pai');
  await page.keyboard.press('Home');
  await page.keyboard.type('liab');
  const liable = schema.getByRole('treeitem', { name: 'liable (p, l)' });
  await expect(liable).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(text).toContainText('select p where liable(p, l)}');
  await expect(text).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(
    result(page)
      .getByRole('row', { name: /Acme Ltd/ })
      .first(),
  ).toBeVisible();

  const find = page.getByRole('textbox', { name: 'Filter the schema' });
  await find.fill('month');
  await expect(schema.getByRole('treeitem', { name: 'month Date' })).toHaveCount(3);
  await expect(liable).toHaveCount(0);
  await find.fill('');
  await expect(liable).toBeVisible();
  await schema.focus();
  await page.keyboard.press('Shift+F10');
  await chooseByKeyboard(page, 'Show in Data');
  await expect(page).toHaveURL(/\/data\?path=lease/);
  await page.goBack();
  await expect(liable).toBeVisible();
});

test('draws a result as a chart or a graph, or says why it cannot', async ({ page }) => {
  const form = (name: string) => page.getByRole('radiogroup', { name: 'Result as' }).getByText(name, { exact: true });
  await write(
    page,
    'query rents() -> [{ code: Text, rent: Decimal }] { select { code: l.code, rent: l.rent } where Lease(l) }',
  );
  await page.keyboard.press('Control+Enter');
  await form('Chart').click();
  const bars = result(page).getByRole('list', { name: 'rent by code' });
  await expect(bars.getByRole('listitem').filter({ hasText: 'QUAY-5' })).toContainText('3,100');
  await form('Graph').click();
  await expect(result(page)).toContainText('A graph needs two individuals in a row');
  await result(page).getByRole('button', { name: 'Show the table' }).click();
  await expect(result(page).getByRole('columnheader', { name: 'rent' })).toBeVisible();

  await write(
    page,
    'query paidOn() -> [{ on: Date, amount: Decimal }] { select { on: m, amount: a } where paid(_, m, a) }',
  );
  await page.keyboard.press('Control+Enter');
  await form('Chart').click();
  await expect(result(page).getByRole('img', { name: /^amount by on: \d+ points from 2026-01-01/ })).toBeVisible();

  await write(page, 'derive holds(l: Lease, p: Person) when tenantOf(l, p)');
  await page.keyboard.press('Control+Enter');
  await expect(result(page)).toContainText('A chart needs a column of numbers.');
  await form('Graph').click();
  const graph = result(page).getByRole('application', { name: 'Result as graph' });
  const lease = graph.getByRole('group', { name: 'ELM-12', exact: true });
  await expect(lease).toBeVisible();
  await lease.focus();
  await page.keyboard.press('ArrowRight');
  const tenant = graph.getByRole('group', { name: 'Ada Lindqvist', exact: true });
  await expect(tenant).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Individual' })).toContainText('Ada Lindqvist');
});

test('copies and explains a row of a derive, and exports all rows', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await write(page, 'derive pair(landlord: Party, lease: Lease) when liable(landlord, lease), lease.rent > 10');
  await page.keyboard.press('Control+Enter');
  await expect(result(page).getByText('13 rows')).toBeVisible();
  await page.getByRole('region', { name: 'Rows' }).focus();
  await page.keyboard.press('ArrowDown');
  // With Caps Lock on, a letter is upper case.
  await page.keyboard.press('Control+C');
  await expect(page.getByText('Copied: {')).toBeVisible();
  const row = page.getByRole('region', { name: 'Row', exact: true });
  await row.getByRole('button', { name: 'Explain this row' }).click();
  await expect(row.getByRole('tree', { name: 'Row proof' })).toContainText('Ada Lindqvist works for Acme Ltd');
  await expect(row.getByRole('link', { name: 'Why?' }), 'its individuals and their values are stored').toHaveCount(0);

  await result(page).getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'All rows as CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('pair.csv');
  const lines = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect([lines[0], lines.length]).toEqual(['landlord,lease', 14]);

  const saved = async (format: string) => {
    await result(page).getByRole('button', { name: 'Export' }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: `All rows as ${format}`, exact: true }).click();
    return readFileSync(await (await saving).path());
  };
  expect(JSON.parse((await saved('JSON')).toString())).toHaveLength(13);
  expect((await saved('Parquet')).subarray(-4).toString()).toBe('PAR1');
});

test('formats a text, saves it beside the module, saves it again, and adds it to the module', async ({
  page,
  workbench,
}) => {
  const text = page.getByRole('textbox', { name: 'Ad-hoc text' });
  await write(page, 'query  dear( least:Decimal )->[Lease]{select l where active(l),l.rent>=least}');
  await page.keyboard.press('Shift+Alt+f');
  await expect(text).toContainText('query dear(least: Decimal) -> [Lease] {');
  await page.getByRole('textbox', { name: 'least' }).fill('1000');
  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Dear ones');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const savedQueries = page.getByRole('region', { name: 'Saved queries' });
  await savedQueries.getByRole('radio', { name: 'Saved' }).check();
  const saved = savedQueries.getByRole('button', { name: 'Dear ones', exact: true });
  await expect(saved).toBeVisible();

  await page.getByRole('button', { name: 'Close this query' }).click();
  await saved.click();
  await expect(page.getByRole('textbox', { name: 'least' })).toHaveValue('1000');
  await page.getByRole('textbox', { name: 'least' }).fill('900');
  await page.getByRole('button', { name: 'Unsaved changes Save…' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Save…', exact: true })).toBeVisible();
  const file = readFileSync(join(dirname(workbench.moduleFile), 'saved.calls.json'), 'utf8');
  expect(JSON.parse(file).calls).toMatchObject([{ name: 'Dear ones', args: { least: '900' } }]);

  await text.getByText('Lease', { exact: true }).click({ modifiers: ['Control'] });
  await expect(page).toHaveURL(/\/module\?file=lease\.entail&line=23&/);
  await page.goBack();
  await page.getByRole('button', { name: 'Add to module' }).click();
  const source = page.getByRole('textbox', { name: 'Source of lease.entail' });
  await expect(source).toContainText('pub query dear(least: Decimal) -> [Lease] {');
  await expect(page.getByRole('button', { name: /error/ })).toContainText('0 errors');
});

test('explains a sum in a row of records, and shows the query plan', async ({ page }) => {
  await write(
    page,
    'query owed() -> [{ who: Person, total: Decimal }] { select { who: p, total: t } where Person(p), let t = sum(l.rent for l where tenantOf(l, p)) }',
  );
  await page.keyboard.press('Control+Enter');
  // One click or key opens the proof of the sum.
  const row = page.getByRole('region', { name: 'Row', exact: true });
  const proof = row.getByRole('tree', { name: 'Row proof' });
  await result(page)
    .getByRole('row', { name: /Ada Lindqvist/ })
    .getByText('Why?')
    .click();
  await expect(proof).toContainText('Ada Lindqvist is a tenant of ELM-12');
  await page.getByRole('region', { name: 'Rows' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(row.getByRole('button', { name: 'Explain this row' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(proof).toContainText('Bruno Keller');

  await page.getByRole('button', { name: 'Profile' }).click();
  const profile = page.getByRole('region', { name: 'Profile', exact: true });
  await expect(profile.getByRole('status')).toContainText('No rules.');
  await profile.getByRole('button', { name: 'Plan of owed' }).click();
  await expect(profile).toContainText('sum of (lease::tenantOf');
  await page.keyboard.press('Control+Enter');
  await expect(result(page)).toContainText('rows');

  await write(page, 'query howMany() -> Int { value count(for l where liable(_, l)) }');
  await page.keyboard.press('Control+Enter');
  await result(page).getByRole('button', { name: 'Why?' }).click();
  await expect(proof.getByRole('treeitem').filter({ hasText: 'MILL-2 counts' })).toBeVisible();

  // A long name is shortened, and announced once.
  const name = `Ada ${'of the house of Lindqvist '.repeat(6)}the Younger`;
  await page.setViewportSize({ width: 1280, height: 800 });
  await write(page, `mutation born() -> Person { return insert Person { name: "${name}" } }`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(result(page)).toContainText('#i1');
  const same = Array.from({ length: 4 }, (_, at) => `p${at}`);
  const [type, select] = ['Person', 'p'].map((value) => same.map((each) => `${each}: ${value}`).join(', '));
  await write(page, `query born() -> [{ ${type} }] { select { ${select} } where Person(p), p.name == "${name}" }`);
  await page.keyboard.press('Control+Enter');
  await result(page).getByRole('link', { name }).first().hover();
  await expect(page.getByRole('tooltip')).toHaveText(`${name} #i1`);
});

test('previews the conclusions of a mutation, and updates pinned and live queries', async ({ page, workbench }) => {
  await write(page, 'query free() -> Int { value count(for l where Lease(l), not liable(_, l)) }');
  // Turning on *Live* runs the query.
  await page.getByRole('switch', { name: 'Live' }).check();
  await expect(result(page).getByText('2', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Pin', exact: true }).click();
  const savedQueries = page.getByRole('region', { name: 'Saved queries' });
  await expect(savedQueries.getByRole('button', { name: /^free/ })).toHaveText('free2');

  await page.getByRole('button', { name: 'New query' }).click();
  await write(page, 'mutation open(code: Text) { insert Lease { code: code, rent: 500, status: signed } }');
  await page.getByRole('textbox', { name: 'code' }).fill('NEW-1');
  await page.getByRole('button', { name: 'Dry run' }).click();
  await expect(result(page).getByRole('region', { name: 'Changes' })).toContainText('new Lease NEW-1');
  await expect(savedQueries.getByRole('button', { name: /^free/ })).toHaveText('free2');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(result(page)).toContainText('Saved');
  await expect(savedQueries.getByRole('button', { name: /^free/ })).toHaveText('free3changed');

  // Changes of other clients show too.
  await send(workbench, 'mutation m() { insert Lease { code: "NEW-2", rent: 500 } }');
  await expect(savedQueries.getByRole('button', { name: /^free/ })).toHaveText('free4changed');
  await page.getByRole('tab', { name: 'free' }).click();
  await expect(result(page).getByText('4', { exact: true })).toBeVisible();

  // With a slow server, the result of the latest request wins.
  const releases: (() => Promise<void>)[] = [];
  await page.route('**/v1/query/adhoc', async (route) => {
    const response = await route.fetch();
    // A cancelled request cannot be fulfilled.
    releases.push(() => route.fulfill({ response }).catch(() => undefined));
  });
  // The live query and the pinned one.
  for (const [code, requests] of [
    ['NEW-3', 2],
    ['NEW-4', 4],
  ] as const) {
    await send(workbench, `mutation m() { insert Lease { code: "${code}", rent: 500 } }`);
    await expect.poll(() => releases.length).toBe(requests);
  }
  for (const release of releases) await release();
  await page.unroute('**/v1/query/adhoc');
  await expect(savedQueries.getByRole('button', { name: /^free/ })).toHaveText('free6changed');
  await expect(result(page).getByText('6', { exact: true })).toBeVisible();
  await send(
    workbench,
    'mutation m() { for l in (select l where Lease(l), l.code == "NEW-3" or l.code == "NEW-4") { delete l } }',
  );
  await expect(result(page).getByText('4', { exact: true })).toBeVisible();

  // A difference between forks is no change, also if the fork was switched while nothing shows it.
  await page.getByRole('button', { name: 'Fork main' }).click();
  const forks = page.getByRole('dialog', { name: /^Fork/ });
  await forks.getByRole('textbox', { name: 'New fork of main' }).fill('beside');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Fork beside' })).toBeVisible();
  await expect(savedQueries.getByRole('button', { name: /^free/ })).toHaveText('free4');
  await send(workbench, 'mutation m() { insert Lease { code: "NEW-5", rent: 500 } }');
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: 'Fork beside' }).click();
  await forks.getByRole('button', { name: /^main/ }).click();
  await page.getByRole('link', { name: 'Query', exact: true }).click();
  await expect(savedQueries.getByRole('button', { name: /^free/ })).toHaveText('free5');
  await send(workbench, 'mutation m() { for l in (select l where Lease(l), l.code == "NEW-5") { delete l } }');
  await expect(savedQueries.getByRole('button', { name: /^free/ })).toHaveText('free4changed');

  // A repeated list marks its changed rows.
  await page.getByRole('button', { name: 'New query' }).click();
  await write(page, 'query leases() -> [Lease] { select l where Lease(l) }');
  await page.keyboard.press('Control+Enter');
  await expect(result(page).getByText('8 rows')).toBeVisible();
  await send(workbench, 'mutation m() { for l in (select l where Lease(l), l.code == "NEW-1") { set l.rent = 77 } }');
  await send(workbench, 'mutation m() { for l in (select l where Lease(l), l.code == "NEW-2") { delete l } }');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const change = result(page).getByRole('button', { name: '1 removed, 1 changed' });
  await expect(change).toHaveAttribute('aria-pressed', 'true');
  await expect(result(page).getByRole('row', { name: /changed NEW-1 was 500, now 77/ })).toBeVisible();
  await expect(result(page).getByRole('row', { name: /removed NEW-2/ })).toBeVisible();
  await change.click();
  await expect(result(page).getByRole('row', { name: /NEW-2/ })).toHaveCount(0);
  await change.click();

  await page.getByRole('button', { name: 'New query' }).click();
  await write(page, 'query sum() -> { leases: Int } { value { leases: count(for l where Lease(l)) } }');
  await page.getByRole('button', { name: 'Pin', exact: true }).click();
  await expect(savedQueries.getByRole('button', { name: /^sum/ })).toHaveText('sumleases 7');
});

/** Writes as another client. */
async function send({ url, token }: ServedWorkbench, source: string): Promise<void> {
  const response = await fetch(`${url}/v1/mutation/adhoc`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ source }),
  });
  expect(response.status, await response.text()).toBe(200);
}

const result = (page: Page) => page.getByRole('region', { name: 'Result' });

async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Ad-hoc text' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

test('loads rows of a long result on scroll, and keeps loaded rows if the rest fails', async ({ page }) => {
  await write(page, 'query numbers(upTo: Int = 500) -> [Int] { select n where n in range(0, upTo) }');
  await expect(page.getByRole('region', { name: 'Arguments' })).toContainText('Int, has a default');
  await page.keyboard.press('Control+Enter');
  await expect(result(page).getByRole('heading', { name: '200+ rows' })).toBeVisible();

  await page.route('**/v1/query/adhoc?*page=*', (route) => route.abort());
  await result(page).getByRole('row', { name: '0', exact: true }).click();
  await page.keyboard.press('End');
  await expect(result(page).getByRole('alert')).toContainText('Loading more rows failed');
  await expect(result(page).getByRole('row', { name: '199', exact: true })).toBeVisible();

  await page.unroute('**/v1/query/adhoc?*page=*');
  await result(page).getByRole('button', { name: 'Try again' }).click();
  await expect(result(page).getByRole('heading', { name: '400+ rows' })).toBeVisible();
  await result(page).getByRole('row', { name: '199', exact: true }).click();
  await page.keyboard.press('End');
  await expect(result(page).getByRole('heading', { name: '500 rows' })).toBeVisible();

  // Columns keep their widths, whatever scrolls into view.
  const powers = 'text(n * n * n * n)';
  await write(
    page,
    `query powers() -> [{ power: Text, of: Int }] { select { power: ${powers}, of: n } where n in range(0, 300) order by n }`,
  );
  await page.keyboard.press('Control+Enter');
  const of = result(page).getByRole('columnheader', { name: 'of' });
  await result(page).getByRole('row', { name: '1 1', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Explain this row' })).toBeVisible();
  await page.setViewportSize({ width: 900, height: 800 });
  const before = await of.boundingBox();
  await of.getByRole('button', { name: 'of' }).click();
  await expect(result(page)).toContainText('only loaded rows are sorted');
  expect(await of.boundingBox(), 'the order note has enough space').toEqual(before);
  await of.getByRole('button', { name: 'of' }).click();
  await of.getByRole('button', { name: 'of' }).click();
  await result(page).getByRole('row', { name: '1 1', exact: true }).click();
  for (const rows of ['200+ rows', '300 rows']) {
    await expect(result(page).getByRole('heading', { name: rows })).toBeVisible();
    await page.keyboard.press('End');
  }
  await expect(result(page).getByRole('row', { name: /299$/ })).toBeVisible();
  expect(await of.boundingBox()).toEqual(before);
});

test('opens, names and closes tabs by keyboard, and keeps the focus on the selected tab', async ({
  page,
  workbench,
}) => {
  const tabs = page.getByRole('tablist', { name: 'Queries' }).getByRole('tab');
  await page.getByRole('button', { name: 'New query' }).press('Enter');
  await expect(tabs).toHaveCount(2);
  const second = tabs.nth(1);
  await second.press('F2');
  await page.keyboard.type('dear');
  await page.keyboard.press('Enter');
  await expect(second).toHaveText('dear');
  await expect(second).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(tabs).toHaveCount(1);
  await expect(tabs.first()).toBeFocused();

  await page.goto(`${workbench.url}/invoke?call=lease::leaseCount`);
  await expect(page.getByRole('tab', { name: 'leaseCount' })).toBeVisible();
  await page.getByRole('button', { name: 'Close this call' }).press('Enter');
  await expect(page.getByRole('tab', { name: 'activeLeases' })).toBeVisible();
  await expect(page.getByRole('main'), 'closing the last tab removes the strip and its focus').toBeFocused();
});
