/** Responses are durable: a server that is killed right after a response restarts with all facts. */

import { readFileSync } from 'node:fs';
import { openPalette } from './support/palette.js';
import { expect, type ServedWorkbench, test } from './support/served-workbench.js';

test.use({ ownProcess: true });

test('keeps acknowledged mutations after kill -9, and continues the sequence of ids', async ({ workbench }) => {
  for (const round of [1, 2, 3]) {
    const response = await call(workbench, 'mutation', 'lease::register', { name: `Tenant ${round}` });
    expect(response.result.$id).toBe(`#i${round}`);
    await workbench.kill();
    await workbench.start();
  }
  const names = await call(workbench, 'individuals');
  expect(names.result.map((entity: { name?: string }) => entity.name)).toEqual(
    expect.arrayContaining(['Tenant 1', 'Tenant 2', 'Tenant 3']),
  );
});

test('downloads a backup from the palette, with all facts and its last line', async ({ page, workbench }) => {
  await call(workbench, 'mutation', 'lease::register', { name: 'Zoe Hart' });
  await page.goto(workbench.address);
  await expect(page.getByText('In sync with server')).toBeVisible();
  const downloading = page.waitForEvent('download');
  const palette = await openPalette(page);
  await palette.getByLabel('Go to or run', { exact: true }).fill('backup');
  await page.keyboard.press('Enter');
  const backup = await downloading;
  expect(backup.suggestedFilename()).toMatch(/^entail-\d{4}-\d\d-\d\d\.backup$/);
  const lines = readFileSync(await backup.path(), 'utf8')
    .trimEnd()
    .split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ kind: 'end', transactions: 1 });
  expect(lines.join()).toContain('Zoe Hart');
});

async function call(
  { url, token }: ServedWorkbench,
  operation: 'mutation' | 'individuals',
  path?: string,
  args?: Record<string, string>,
) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response =
    operation === 'individuals'
      ? await fetch(`${url}/v1/individuals`, { headers })
      : await fetch(`${url}/v1/dispatch/mutation`, { method: 'POST', headers, body: JSON.stringify({ path, args }) });
  return await response.json();
}
