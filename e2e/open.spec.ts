/**
 * A server that started without files: a module is created on the page, opened from files, or loaded as an artifact.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPalette } from './support/palette.js';
import { expect, test } from './support/served-workbench.js';
import { repository } from './support/temporary-folder.js';

test.use({ modules: {} });

const sample = (name: string) => join(repository, 'resources/modules', `${name}.entail`);

test('without a module, one is created, and others replace it', async ({ page, workbench }) => {
  await page.goto(workbench.address);

  await test.step('a new module compiles, runs and can be edited', async () => {
    await expect(page.getByRole('heading', { name: 'No module is open' })).toBeVisible();
    await page.getByRole('button', { name: 'New module' }).press('Enter');
    await expect(page.getByText('In sync with server')).toBeVisible();
    await expect(page.getByRole('main'), 'the button with the focus is gone').toBeFocused();
    const source = page.getByRole('textbox', { name: 'Source of first.entail' });
    await source.press('ControlOrMeta+End');
    await source.pressSequentially('pub fn twice(n: Int) -> Int = n * 2');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByRole('link', { name: 'Tests', exact: true }).click();
    await page.getByRole('button', { name: 'Run all' }).click();
    await expect(page.getByRole('contentinfo')).toContainText('1 of 1 test passes');
    await page.getByRole('link', { name: 'Invoke' }).click();
    await expect(page.getByRole('link', { name: 'twice' })).toBeVisible();
  });

  await test.step('the saved module is offered again after the server has lost it', async () => {
    await workbench.stop();
    await workbench.start();
    await expect(page.getByRole('heading', { name: 'Nothing to call yet' })).toBeVisible();
    await expect(page.getByRole('contentinfo')).not.toContainText('test passes');
    await page.goto(workbench.address);
    await page.getByRole('button', { name: 'Reopen first.entail' }).click();
    await expect(page.getByText('In sync with server')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Source of first.entail' })).toContainText('twice');
  });

  await test.step('files with an error open, and show where it is', async () => {
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open…' }).click();
    const text = readFileSync(sample('access'), 'utf8').replace('module access', 'module access\nenum Odd {');
    await (await choosing).setFiles({ name: 'odd.entail', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await expect(page.getByRole('tab', { name: /odd\.entail/ })).toBeVisible();
    await expect(page.getByText(/^Saved in memory with \d+ error/)).toBeVisible();
    await expect(page.getByRole('tab', { name: /first\.entail/ })).toHaveCount(0);
    await expect(page.getByRole('button', { name: /1 error/ })).toBeVisible();
  });

  await test.step('the palette opens other files', async () => {
    const palette = await openPalette(page);
    await page.keyboard.type('open module');
    const choosing = page.waitForEvent('filechooser');
    await palette.getByText('Open module files').click();
    await (await choosing).setFiles([sample('licences')]);
    await expect(page.getByText('In sync with server')).toBeVisible();
    await expect(page.getByRole('banner')).toContainText('licences');
  });

  await test.step('dropped files open too, also over the editor', async () => {
    const text = readFileSync(sample('supply'), 'utf8');
    const dataTransfer = await page.evaluateHandle((content) => {
      const data = new DataTransfer();
      data.items.add(new File([content], 'supply.entail'));
      return data;
    }, text);
    await page.getByRole('textbox', { name: /^Source of / }).dispatchEvent('drop', { dataTransfer });
    await expect(page.getByRole('banner')).toContainText('supply');
    await expect(page.getByText('In sync with server')).toBeVisible();
  });
});

test('an artifact opens in the page, and a damaged one is reported', async ({ page, workbench }) => {
  const headers = { authorization: `Bearer ${workbench.token}` };
  const text = readFileSync(sample('lease'), 'utf8');
  await page.request.put(`${workbench.url}/v1/module/sources`, {
    headers,
    data: { files: [{ file: 'l.entail', text }] },
  });
  const { result: artifact } = await (
    await page.request.get(`${workbench.url}/v1/module/artifact`, { headers })
  ).json();
  await workbench.stop();
  await workbench.start();
  await page.goto(workbench.address);
  const open = async (document: object) => {
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open module files' }).click();
    const buffer = Buffer.from(JSON.stringify(document));
    await (await choosing).setFiles({ name: 'lease.entail.json', mimeType: 'application/json', buffer });
  };
  await open({ ...artifact, integrity: '0'.repeat(64) });
  await expect(page.getByRole('alert').filter({ hasText: 'Could not open' })).toContainText(/integrity/);
  await open(artifact);
  await expect(page.getByText('lease has no sources here')).toBeVisible();
  await expect(page.getByText('Could not open')).toHaveCount(0);
});
