/** A first run: the first screen, the tour, the bundled docs, and the palette. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { holdResponses } from './support/held-responses.js';
import { openPalette } from './support/palette.js';
import { expect, test } from './support/served-workbench.js';
import { call, explainTuple, openPanel } from './support/steps.js';
import { repository } from './support/temporary-folder.js';

test.describe('without a module', () => {
  test.use({ modules: {} });

  test('introduces Entail on the first screen, and opens a sample with the tour', async ({ page, workbench }) => {
    await page.goto(workbench.address);
    const first = page.getByRole('region', { name: 'Start' });
    await expect(first).toContainText('A module describes your data, rules, checks and calls in one file.');
    await expect(first.getByRole('listitem')).toHaveText([
      /^lease/,
      /^access/,
      /^licences/,
      /^supply/,
      /^transit/,
      /^pointsto/,
    ]);
    await first.getByRole('button', { name: 'Read the docs' }).click();
    await expect(page.getByRole('heading', { name: 'Entail', exact: true, level: 2 })).toBeVisible();
    await page.goBack();

    await test.step('opening another sample than lease offers no tour', async () => {
      await first.getByRole('button', { name: 'supply' }).click();
      await expect(page.getByRole('banner')).toContainText('supply');
      await expect(page.getByRole('region', { name: 'Tour' })).toHaveCount(0);
    });

    await test.step('the tour asks before it opens its sample', async () => {
      await help(page, 'Tour');
      const tour = page.getByRole('region', { name: 'Tour' });
      await expect(tour).toContainText('A copy of it opens, and supply closes.');
      await expect(page.getByRole('banner')).toContainText('supply');
      await tour.getByRole('button', { name: 'Open lease' }).click();
      await expect(page.getByRole('banner')).toContainText('lease');
      await expect(step(tour, 'Edit')).toHaveAttribute('aria-current', 'step');
      await expect(tour.getByLabel('done')).toHaveCount(0);
    });
  });
});

test.describe('the sample transit', () => {
  const transit = readFileSync(join(repository, 'resources/modules/transit.entail'), 'utf8');
  test.use({ modules: { 'transit.entail': transit } });

  test('answers each of its queries on few arguments, explains a way, and has one violation', async ({
    page,
    workbench,
  }) => {
    await page.goto(workbench.address);
    await openPanel(page, 'Invoke');
    const result = page.getByRole('region', { name: 'Result' });
    await call(page, 'departures', { line: 'T4' });
    await expect(result).toContainText('05:00');
    await call(page, 'reachable', { from: 'Market' });
    await expect(result.getByRole('row').filter({ hasText: 'Bridge' })).toContainText('6');
    await call(page, 'stopOf', { code: 'mdw-3' });
    await expect(result).toContainText('Meadow');
    await call(page, 'connections', { from: 'Market', to: 'Airport' });
    const way = result.getByRole('row').filter({ hasText: 'Market, Central Station, Campus, Airport' });
    await expect(way).toContainText('4.5');
    await way.getByText('Why?').click();
    await expect(page.getByRole('tree', { name: 'Row proof' })).toContainText('Market');
    await openPanel(page, 'Checks');
    await expect(page.getByText('Meadow has no departures')).toBeVisible();
  });
});

test('ticks the steps of the tour, keeps them over a reload, and restarts a dismissed tour', async ({
  page,
  workbench,
}) => {
  await page.goto(workbench.address);
  const tour = page.getByRole('region', { name: 'Tour' });
  await expect(tour).toContainText('New here?');
  await tour.getByRole('button', { name: 'Take the tour' }).click();
  const goals = tour.getByRole('listitem').filter({ has: page.getByRole('img') });
  const go = (panel: string) => tour.getByRole('link', { name: `Show in ${panel}` }).click();

  await test.step('edit, at the declaration that the tour opens', async () => {
    const source = page.getByRole('textbox', { name: 'Source of lease.entail' });
    await expect(source).toBeFocused();
    await expect(source.getByText('pub derive active')).toBeVisible();
    await page.keyboard.press('Home');
    await page.keyboard.type('x');
    await expect(goals.filter({ hasText: 'sined' }).getByLabel('done')).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(page.getByRole('button', { name: /errors/ })).toContainText('0 errors');
    await page.keyboard.press('Control+s');
    await expect(step(tour, 'Edit').getByLabel('done')).toBeVisible();
    await expect(tour.getByRole('status')).toHaveText('Step 2 of 5: Ask');
  });

  await test.step('ask, also after a reload', async () => {
    await go('Invoke');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(goals.filter({ hasText: 'Run activeLeases' }).getByLabel('done')).toBeVisible();
    await page.reload();
    await expect(step(tour, 'Edit').getByLabel('done')).toBeVisible();
    await expect(goals.filter({ hasText: 'Run activeLeases' }).getByLabel('done')).toBeVisible();
    await call(page, 'activeLeases', { minRent: '1000' });
    await expect(step(tour, 'Ask').getByLabel('done')).toBeVisible();
  });

  await test.step('change', async () => {
    await go('Invoke');
    const form = page.getByRole('region', { name: 'Arguments' });
    await choose(page, form, 'tenant', 'Chidi Okafor');
    await form.getByRole('textbox', { name: 'code' }).fill('QUAY-7');
    await form.getByRole('textbox', { name: 'rent' }).fill('640');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await expect(goals.filter({ hasText: 'Dry run' }).getByLabel('done')).toBeVisible();
    await choose(page, form, 'tenant', 'Ada Lindqvist');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(step(tour, 'Change').getByLabel('done')).toBeVisible();
  });

  await test.step('explain', async () => {
    await go('Explain');
    await explainTuple(page, 'liable', { p: 'Northgate Group', l: 'ELM-12' });
    await expect(goals.filter({ hasText: 'Northgate Group' }).getByLabel('done')).toBeVisible();
    await go('Explain');
    await expect(page.getByRole('heading', { name: 'Chidi Okafor is liable for QUAY-5' })).toBeVisible();
    await page.getByRole('button', { name: 'Try on a fork' }).first().click();
    await expect(step(tour, 'Explain').getByLabel('done')).toBeVisible();
  });

  await test.step('compare', async () => {
    await go('Forks');
    await expect(goals.filter({ hasText: 'Compare that fork' }).getByLabel('done')).toBeVisible();
    const stored = page.getByRole('main').getByText('changed Party Chidi Okafor');
    await expect(stored, 'a new fact makes no new individual').toBeVisible();
    await page.getByRole('button', { name: 'Discard…' }).click();
    await page
      .getByRole('group', { name: /^Discard/ })
      .getByRole('button', { name: 'Discard fork' })
      .click();
    await expect(tour).toContainText('That is the whole loop');
    await tour.getByRole('button', { name: 'Finish' }).click();
    await expect(tour).toHaveCount(0);
    await expect(page.getByRole('main'), 'the focused button is gone').toBeFocused();
  });

  await test.step('restart', async () => {
    await page.reload();
    await expect(page.getByRole('link', { name: 'Forks', exact: true })).toBeVisible();
    await expect(tour).toHaveCount(0);
    await help(page, 'Tour');
    await expect(tour.getByRole('status')).toHaveText('Step 1 of 5: Edit');
    await tour.getByRole('button', { name: 'Dismiss the tour' }).press('Enter');
    await expect(tour).toHaveCount(0);
  });
});

test('shows, searches and links the docs without a network', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== workbench.url) foreign.push(request.url());
  });
  await help(page, 'Docs');
  await expect(page).toHaveURL(/\/docs$/);
  const article = page.getByRole('article');
  await expect(article.getByRole('img', { name: /^Explain shows why/ })).toBeVisible();

  await test.step('links open other pages and headings', async () => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Data', exact: true }).click();
    const box = await article.boundingBox();
    await article.getByRole('link', { name: 'how cells are read' }).click();
    await expect(page).toHaveURL(/\/docs\/api#import-a-file$/);
    await expect(article.getByRole('heading', { name: 'Import a file' })).toBeInViewport();
    expect(await article.boundingBox(), 'only the page scrolls').toEqual(box);
    await expect(page).toHaveTitle(/^Docs · The API and the command line/);
  });

  await test.step('a search finds headings and text', async () => {
    const find = page.getByRole('textbox', { name: 'Find in Docs' });
    await find.fill('promote fork');
    const found = page.getByRole('navigation', { name: 'Found in Docs' });
    await found
      .getByRole('link', { name: /^Promote a fork/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/docs\/guides\/forks\?find=promote\+fork#promote-a-fork$/);
    await expect(article.getByRole('heading', { name: 'Promote a fork' })).toBeInViewport();
    await find.fill('xyzzy');
    await expect(page.getByText('No matches')).toBeVisible();
  });

  await test.step('an address opens a heading, or says that the page is unknown', async () => {
    await page.goto(`${workbench.url}/docs/language#types`);
    await expect(article.getByRole('heading', { name: 'Types', exact: true })).toBeInViewport();
    await page.goto(`${workbench.url}/docs/nothing`);
    await expect(page.getByRole('heading', { name: 'No page nothing' })).toBeVisible();
  });
  expect(foreign).toEqual([]);
});

test('finds actions in the palette by common words, and lists recent actions first', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await expect(page.getByText('In sync with server')).toBeVisible();
  const palette = await openPalette(page);
  const find = palette.getByLabel('Go to or run', { exact: true });
  for (const [word, action] of [
    ['new', 'New query'],
    ['import', 'Import a file'],
    ['export', 'Export facts'],
    ['help', 'Docs'],
    ['docs', 'Docs'],
    ['theme', 'Switch to dark'],
    ['dark', 'Switch to dark'],
    ['wrap', 'Wrap long lines'],
    ['undo', 'Undo the latest transaction…'],
    ['promote', 'Promote a fork…'],
    ['delete', 'Data'],
    ['settings', 'Settings'],
    ['query', 'Query'],
    ['open', 'Open other modules'],
    ['fork', 'Forks'],
    ['mutation', 'sign'],
    ['shortcuts', 'Keyboard shortcuts'],
  ] as const) {
    await find.fill(word);
    await expect(palette.getByRole('button', { name: action }).first(), word).toBeVisible();
  }
  await find.fill('promotion');
  await palette.getByRole('button', { name: /Revert a promotion/ }).click();
  await expect(page).toHaveURL(/\/docs\/guides\/forks#revert-a-promotion$/);
  await openPalette(page);
  await expect(palette.getByRole('button').first()).toContainText('Revert a promotion');
});

test('runs the command whose name and Enter were typed before the palette had loaded its list', async ({
  page,
  workbench,
}) => {
  const release = await holdResponses(page, '**/assets/palette-list-*.js');
  await page.goto(workbench.address);
  await expect(page.getByText('In sync with server')).toBeVisible();
  const palette = await openPalette(page);
  await page.keyboard.type('dark');
  await page.keyboard.press('Enter');
  await expect(palette.getByRole('button')).toHaveCount(0);
  release();
  await expect(palette).toBeHidden();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('opens the revert and promote sheets from the palette', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await openPanel(page, 'Invoke');
  await call(page, 'sign', { tenant: 'Chidi Okafor', code: 'QUAY-7', rent: '640' });
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('QUAY-7');
  await runCommand(page, 'undo the latest');
  await expect(page.getByRole('region', { name: /^Revert/ })).toBeVisible();
  await runCommand(page, 'new fork');
  await expect(page.getByRole('button', { name: /^Fork (?!main)/ })).toBeVisible();
  await runCommand(page, 'promote');
  await expect(page.getByRole('region', { name: /^Promote/ })).toBeVisible();
});

test('applies an edit command of the palette to the editor that had the focus', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  const source = page.getByRole('textbox', { name: 'Source of lease.entail' });
  await source.click();
  await page.keyboard.type('typed by mistake');
  await expect(source).toContainText('typed by mistake');
  await runCommand(page, 'undo typing');
  await expect(source).not.toContainText('typed by mistake');
  await expect(source).toBeFocused();
});

test('describes the panel of a rail entry in its tooltip', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  const explain = page.getByRole('link', { name: 'Explain', exact: true });
  await expect(explain).toHaveAccessibleDescription('See why a fact is true, or what it would need.');
  await explain.hover();
  await expect(page.getByRole('tooltip')).toHaveText('See why a fact is true, or what it would need.');
});

async function runCommand(page: Page, text: string): Promise<void> {
  await openPalette(page);
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

async function help(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Help' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

function step(tour: Locator, name: string): Locator {
  return tour.getByRole('button', { name });
}

async function choose(page: Page, form: Locator, field: string, value: string): Promise<void> {
  await form.getByRole('combobox', { name: field, exact: true }).fill(value);
  await page.getByRole('option', { name: value }).click();
}
