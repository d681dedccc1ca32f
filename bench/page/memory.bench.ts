/** Measures the page's memory after an hour's work in one run: opening panels, calls, forks and saves. */

import type { CDPSession, Page } from '@playwright/test';
import { expect, type ServedWorkbench, test } from '../../e2e/support/served-workbench.js';
import { printed } from './measuring.js';

const PANELS = ['Module', 'Invoke', 'Query', 'Data', 'Explain', 'Forks', 'Checks', 'Tests', 'Log', 'Settings'];

test.use({ actionTimeout: 120_000 });
test.setTimeout(900_000);

test('measures the memory of the page while it is used', async ({ page, workbench }) => {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await page.goto(workbench.address);
  await throughPanels(page, 2);
  await held(page, session, 'after each panel was seen');
  for (const part of [1, 2]) {
    await throughPanels(page, 10);
    await held(page, session, `${part * 100} panels later`);
  }
  for (const part of [1, 2]) {
    await calls(page, 250);
    await held(page, session, `${part * 250} calls later`);
  }
  for (const part of [1, 2]) {
    await forks(page, workbench, 50);
    await held(page, session, `${part * 50} forks made and dropped later`);
  }
  for (const part of [1, 2]) {
    await saves(page, 25);
    await held(page, session, `${part * 25} saves later`);
  }
  await throughPanels(page, 2);
  await held(page, session, 'after each panel was seen again');
});

async function throughPanels(page: Page, times: number): Promise<void> {
  for (let turn = 0; turn < times; turn++) {
    for (const panel of PANELS) {
      await page.getByRole('link', { name: panel, exact: true }).click();
      await expect(page.locator('main .pane-header, main h2').first()).toBeVisible();
    }
  }
}

async function calls(page: Page, times: number): Promise<void> {
  await page.getByRole('link', { name: 'Invoke', exact: true }).click();
  const run = page.getByRole('button', { name: 'Run', exact: true });
  for (let call = 0; call < times; call++) {
    const finished = page.waitForResponse((response) => /\/v1\/(dispatch|query|call)/.test(response.url()));
    await run.click();
    await finished;
  }
}

async function forks(page: Page, { url, token }: ServedWorkbench, times: number): Promise<void> {
  await page.getByRole('link', { name: 'Forks', exact: true }).click();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (let fork = 0; fork < times; fork++) {
    const made = await fetch(`${url}/v1/forks`, { method: 'POST', headers, body: '{}' });
    const { result } = (await made.json()) as { result: { id: string } };
    await page.waitForTimeout(100);
    const dropped = await fetch(`${url}/v1/forks/${result.id}`, {
      method: 'DELETE',
      headers: { authorization: headers.authorization },
    });
    expect(dropped.status, await dropped.text()).toBe(200);
    await page.waitForTimeout(100);
  }
}

async function saves(page: Page, times: number): Promise<void> {
  await page.getByRole('link', { name: 'Module', exact: true }).click();
  const source = page.getByRole('textbox', { name: 'Source of lease.entail' });
  await expect(source).toContainText('module lease');
  for (let save = 0; save < times; save++) {
    await source.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText(`// ${save}\n`);
    await expect(page.getByText('Unsaved changes', { exact: true })).toBeVisible();
    await page.keyboard.press('Control+s');
    // Neither text is visible while the module compiles. Text typed then would be part of this save.
    await expect(page.getByText('Saved and reloaded at')).toBeVisible();
  }
}

/** The memory in use after a garbage collection. */
async function held(page: Page, session: CDPSession, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.waitForTimeout(1_000);
  for (let turn = 0; turn < 3; turn++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (metric: string): number => metrics.find((each) => each.name === metric)?.value ?? 0;
  printed(
    name,
    `${(usedSize / 2 ** 20).toFixed(1).padStart(6)} MiB, ${of('Nodes')} nodes, ${of('JSEventListeners')} listeners, ${of('Documents')} documents`,
  );
}
