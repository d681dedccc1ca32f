/** Forks, live changes of other clients, and moving between panes and panels by keyboard. */

import type { Page } from '@playwright/test';
import { openPalette } from './support/palette.js';
import { expect, type ServedWorkbench, test } from './support/served-workbench.js';

test('shows a change on its fork and not on main', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await expect(page.getByRole('button', { name: 'Fork main' })).toBeVisible();
  await page.keyboard.press('Alt+f');
  const forks = page.getByRole('dialog', { name: /^Fork/ });
  await forks.getByRole('textbox', { name: 'New fork of main' }).fill('try-out');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Fork try-out' })).toBeVisible();

  await register(workbench, 'Nina', 'try-out');
  await page.getByRole('link', { name: 'Explain', exact: true }).click();
  await page.getByRole('link', { name: 'Person', exact: true }).click();
  const tuples = page.getByRole('region', { name: 'Tuples' });
  await expect(tuples).toContainText('Nina');

  await page.getByRole('button', { name: 'Fork try-out' }).click();
  await forks.getByRole('button', { name: /^main/ }).click();
  await expect(page.getByRole('button', { name: 'Fork main' })).toBeVisible();
  await expect(tuples).not.toContainText('Nina');

  await page.getByRole('link', { name: 'Invoke', exact: true }).click();
  await page.getByRole('link', { name: 'leaseCount', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const outcome = page.getByRole('region', { name: 'Result', exact: true }).getByRole('status');
  await expect(outcome).toContainText('Completed');
  await expect(outcome).not.toContainText('in fork');
  await page.getByRole('button', { name: 'Fork main' }).click();
  await forks.getByRole('button', { name: /^try-out/ }).click();
  await expect(outcome, 'names the fork of the result if it is not the current one').toContainText('in fork main');

  await page.getByRole('button', { name: 'Fork try-out' }).click();
  const name = forks.getByRole('textbox', { name: 'New fork of try-out' });
  // The menu moves the focus here once it is open, and would take it from the label.
  await expect(name).toBeFocused();
  await name.fill('raised');
  await forks.getByRole('button', { name: 'Add label' }).press('Enter');
  await expect(forks.getByRole('textbox', { name: 'Label' })).toBeFocused();
  await page.keyboard.type('Rent raised 5 %');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Fork Rent raised 5 %' })).toBeVisible();
});

test('shows a change of another client without a reload', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Explain', exact: true }).click();
  await page.getByRole('link', { name: 'Person', exact: true }).click();
  const tuples = page.getByRole('region', { name: 'Tuples' });
  await expect(page.getByText('live', { exact: true })).toBeVisible();
  await expect(tuples).toContainText('Ada Lindqvist');
  await register(workbench, 'Oskar', 'main');
  await expect(tuples).toContainText('Oskar');
});

test.describe('with a killed server', () => {
  test.use({ ownProcess: true, prefetch: true });

  test('requests only health while the server is down, and recovers when it is back', async ({ page, workbench }) => {
    const preloaded = page.waitForResponse('**/assets/settings-panel-*.js');
    await page.route('**/assets/tests-panel-*.js', (route) => route.abort());
    await page.goto(workbench.address);
    await preloaded;
    await page.getByRole('link', { name: 'Explain', exact: true }).click();
    await page.getByRole('link', { name: 'Person', exact: true }).click();
    await expect(page.getByText('live', { exact: true })).toBeVisible();
    await workbench.kill();
    await expect(page.getByText('Reconnecting')).toBeVisible();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const times = (path: string): number => requests.filter((requested) => requested === path).length;
    await expect.poll(() => times('/v1/health'), { timeout: 30_000 }).toBeGreaterThan(6);
    // Any other path is requested at most once: a panel's retry, before it waits for the server.
    expect(requests.filter((path) => path.startsWith('/v1') && path !== '/v1/health' && times(path) > 1)).toEqual([]);
    // Panels whose code was preloaded open without the server.
    await page.getByRole('link', { name: 'Checks', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Checks', level: 1 })).toBeVisible();
    await page.getByRole('link', { name: 'Forks', exact: true }).click();
    const graph = page.getByRole('region', { name: 'Fork graph' });
    await expect(graph).toContainText('Waiting for the server…');
    await page.getByRole('link', { name: 'Module', exact: true }).click();
    await page.getByRole('textbox', { name: 'Source of lease.entail' }).focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('// kept');
    await page.keyboard.press('Control+s');
    await expect(page.getByText('Save again when the server is back')).toBeVisible();
    // The code of this panel was not preloaded. It loads when the server is back.
    await page.unroute('**/assets/tests-panel-*.js');
    await page.getByRole('link', { name: 'Tests', exact: true }).click();

    await workbench.start();
    await expect(page.getByRole('heading', { name: 'Tests', level: 1 })).toBeVisible();
    await page.getByRole('link', { name: 'Module', exact: true }).click();
    await page.getByRole('button', { name: 'Save again' }).click();
    await expect(page.getByText('Saved and reloaded')).toBeVisible();
    await page.getByRole('link', { name: 'Forks', exact: true }).click();
    await expect(graph.getByText('main')).toBeVisible();
    await page.getByRole('link', { name: 'Explain', exact: true }).click();
    await expect(page.getByText('live', { exact: true })).toBeVisible();
    await register(workbench, 'Oskar', 'main');
    await expect(page.getByRole('region', { name: 'Tuples' })).toContainText('Oskar');
  });
});

test('falls back to main if the fork in the address does not exist', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await page.goto(`${workbench.url}/explain?fork=no-such-fork`);
  await expect(page.getByText('Fork no-such-fork does not exist. Switched to main.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Fork main' })).toBeVisible();
});

test('moves between panes by F6, and between panels by Alt and a digit', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await expect(page.getByText('In sync with server')).toBeVisible();
  await page.keyboard.press('Alt+2');
  await expect(page.getByRole('heading', { name: 'Callables' })).toBeVisible();
  await page.getByRole('link', { name: 'Invoke', exact: true }).focus();
  await page.keyboard.press('F6');
  expect(await focusIsIn(page, 'header[data-frame]')).toBe(true);
  await page.keyboard.press('F6');
  expect(await focusIsIn(page, 'section[aria-label="Callables"]')).toBe(true);
  await page.keyboard.press('F6');
  expect(await focusIsIn(page, 'section[aria-label="Arguments"]')).toBe(true);
  await page.keyboard.press('Shift+F6');
  expect(await focusIsIn(page, 'section[aria-label="Callables"]')).toBe(true);

  // A panel key moves the focus into the panel. From there, F6 moves to its panes.
  await page.getByRole('link', { name: 'Invoke', exact: true }).focus();
  await page.keyboard.press('Alt+4');
  await expect(page.getByRole('heading', { name: 'Facts', exact: true })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('F6');
  expect(await focusIsIn(page, 'section[aria-label="Facts"]')).toBe(true);

  // Shift+F6 from below reaches the last pane, whose content must have loaded.
  await page.keyboard.press('Alt+5');
  await expect(page.getByRole('region', { name: 'Selected step' }).getByRole('link').first()).toBeVisible();
  await page.getByRole('button', { name: /^Problems/ }).focus();
  await page.keyboard.press('Shift+F6');
  expect(await focusIsIn(page, 'section[aria-label="Selected step"]')).toBe(true);
});

test('finds an individual among thousands in the palette, and opens it on Enter', async ({ page, workbench }) => {
  const rows = Array.from({ length: 1_200 }, (_, place) => ({ name: `Tenant ${place}`, email: null }));
  await post(workbench, '/v1/import', 'main', { mutation: 'lease::register', rows });
  await page.goto(workbench.address);
  await expect(page.getByText('In sync with server')).toBeVisible();
  await page.getByRole('link', { name: 'Settings', exact: true }).focus();
  const palette = await openPalette(page);
  await page.keyboard.type('1187 tenant');
  await expect(palette.getByRole('button', { name: /Tenant 1187/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await expect(page.getByRole('link', { name: 'Settings', exact: true })).toBeFocused();
  await openPalette(page);
  await page.keyboard.type('Tenant 1187');
  await expect(palette.getByRole('button', { name: /Tenant 1187/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tree', { name: 'Proof' })).toContainText('Tenant 1187 is a Person');
});

async function focusIsIn(page: Page, selector: string): Promise<boolean> {
  return page.evaluate((within) => document.activeElement?.closest(within) !== null, selector);
}

async function register(workbench: ServedWorkbench, name: string, fork: string): Promise<void> {
  await post(workbench, '/v1/dispatch/mutation', fork, { path: 'lease::register', args: { name, email: null } });
}

async function post({ url, token }: ServedWorkbench, path: string, fork: string, body: object): Promise<void> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'x-fork-id': fork },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.text()).toBe(200);
}
