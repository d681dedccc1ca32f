/** The page requests each list once after its own write, although the event stream reports that write too. */

import type { Page } from '@playwright/test';
import { expect, type ServedWorkbench, test } from './support/served-workbench.js';
import { explainTuple, openPanel } from './support/steps.js';

test.beforeEach(({ page }) => page.clock.install());

test('requests a list once after a row is added', async ({ page, workbench }) => {
  await page.goto(`${workbench.url}/data?path=lease::Lease#token=${workbench.token}`);
  const list = page.getByRole('region', { name: 'List' });
  await expect(list.getByRole('status')).toHaveText('6 rows');
  await streamIsOpen(page);
  await list.getByRole('button', { name: 'Add…' }).click();
  const form = page.getByRole('form', { name: 'Add to Lease' });
  await form.getByRole('textbox', { name: 'code' }).fill('QUAY-7');
  await form.getByRole('textbox', { name: 'rent' }).fill('640');
  const requests = countRequests(page);
  await form.getByRole('textbox', { name: 'rent' }).press('Control+Enter');
  await expect(list.getByRole('status')).toHaveText('7 rows');
  await eventsAreShown(page);
  expect(requests).toMatchObject({ '/v1/individuals?class=lease::Lease': 1, '/v1/counts': 1 });

  await signLease(workbench, 'main', 'QUAY-8');
  await expect(list.getByRole('status')).toHaveText('8 rows');
  expect(requests).toMatchObject({ '/v1/individuals?class=lease::Lease': 2, '/v1/counts': 2 });
});

test('keeps a list of stored facts when another relation changes', async ({ page, workbench }) => {
  await page.goto(`${workbench.url}/data?path=lease::owns#token=${workbench.token}`);
  await expect(page.getByRole('region', { name: 'List' }).getByRole('status')).toHaveText('2 rows');
  await streamIsOpen(page);
  const requests = countRequests(page);
  await signLease(workbench, 'main', 'QUAY-8');
  await expect(page.getByRole('link', { name: /^Lease 7 facts/ })).toBeVisible();
  expect(requests['/v1/relations/lease::owns']).toBeUndefined();
});

test('requests each list once after an import', async ({ page, workbench }) => {
  await page.goto(`${workbench.url}/data?path=lease::Lease#token=${workbench.token}`);
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await streamIsOpen(page);
  const panel = page.getByRole('region', { name: 'Import' });
  await panel.getByRole('textbox', { name: 'CSV or JSON' }).fill('tenant,code,rent\nchidi,NEW-1,700\nemil,NEW-2,640\n');
  const requests = countRequests(page);
  await panel.getByRole('button', { name: 'Import 2 rows' }).click();
  await expect(page.getByRole('link', { name: /^Lease 8 facts/ })).toBeVisible();
  await eventsAreShown(page);
  expect(requests['/v1/counts']).toBe(1);
});

test('requests each list of a fork once after a change on it', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await openPanel(page, 'Explain');
  await explainTuple(page, 'liable', { p: 'Harbour Bank', l: 'QUAY-5' });
  const ways = page.getByRole('region', { name: /make it/ });
  const way = ways.getByRole('listitem').filter({ hasText: 'Harbour Bank guarantees QUAY-5' }).first();
  await expect(way).toBeVisible();
  await streamIsOpen(page);
  const requests = countRequests(page);
  await way.getByRole('button', { name: /on a fork$/ }).press('Enter');
  await expect(page.getByRole('tree', { name: 'Proof' })).toContainText('Harbour Bank guarantees QUAY-5');
  await streamIsOpen(page);
  await eventsAreShown(page);
  // A derived list is evaluated when it is read, so that the page may request the counts again.
  expect(requests['/v1/relations/lease::liable']).toBe(1);
});

test('requests nothing after the label of a fork changes', async ({ page, workbench }) => {
  await send(workbench, 'POST', '/v1/forks', { id: 'sale' });
  await page.goto(`${workbench.url}/forks#token=${workbench.token}`);
  const tree = page.getByRole('tree', { name: 'Forks' });
  await tree.getByRole('treeitem', { name: /sale/ }).click();
  await streamIsOpen(page);
  await tree.press('F2');
  const requests = countRequests(page);
  const field = page.getByRole('textbox', { name: 'Label of sale' });
  await field.fill('Winter sale');
  await field.press('Enter');
  await expect(page.getByRole('region', { name: 'Fork Winter sale' })).toBeVisible();
  await send(workbench, 'PATCH', '/v1/forks/sale', { label: 'Summer sale' });
  await expect(page.getByRole('region', { name: 'Fork Summer sale' })).toBeVisible();
  // The poll may send one request.
  expect(requests['/v1/forks'] ?? 0).toBeLessThan(2);
});

/** Counts the page's GET requests by path and, for a list, its class. */
function countRequests(page: Page): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  page.on('request', (request) => {
    if (request.method() !== 'GET') return;
    const { pathname, searchParams } = new URL(request.url());
    const ofClass = searchParams.has('offset') ? searchParams.get('class') : null;
    const key = decodeURIComponent(pathname) + (ofClass === null ? '' : `?class=${ofClass}`);
    counts[key] = (counts[key] ?? 0) + 1;
  });
  return counts;
}

/** Waits for the event stream. Once it is open, the page requests its lists again. */
async function streamIsOpen(page: Page): Promise<void> {
  await expect(page.getByText('live', { exact: true })).toBeVisible();
  await eventsAreShown(page);
}

/** Waits until the page's throttle of events has passed. The last request proves that the earlier ones are counted. */
async function eventsAreShown(page: Page): Promise<void> {
  await page.clock.runFor(300);
  await page.evaluate(() => fetch('/healthz'));
}

async function signLease(workbench: ServedWorkbench, fork: string, code: string): Promise<void> {
  const args = { tenant: '@lease::emil', code, rent: '640' };
  await send(workbench, 'POST', `/v1/forks/${fork}/dispatch/mutation`, { path: 'lease::sign', args });
}

async function send({ url, token }: ServedWorkbench, method: string, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  expect(response.ok, await response.text()).toBe(true);
}
