/**
 * A server that started without files: a module is created on the page, opened from files, or loaded as an artifact.
 */

import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { openPalette } from './support/palette.js';
import { expect, test } from './support/served-workbench.js';
import { repository } from './support/temporary-folder.js';

test.use({ modules: {} });

const sample = (name: string) => join(repository, 'resources/modules', `${name}.entail`);

test('creates a module, and replaces it with others', async ({ page, workbench }) => {
  await page.goto(workbench.address);

  await test.step('compiles, runs and edits a new module', async () => {
    await expect(page.getByRole('heading', { name: 'Welcome to Entail' })).toBeVisible();
    await page.getByRole('button', { name: 'Start your own module' }).press('Enter');
    await expect(page.getByText('In sync with server')).toBeVisible();
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

  await test.step('offers the saved module again after the server has lost it', async () => {
    await workbench.stop();
    await workbench.start();
    await expect(page.getByRole('heading', { name: 'Nothing to call yet' })).toBeVisible();
    await expect(page.getByRole('contentinfo')).not.toContainText('test passes');
    await page.goto(workbench.address);
    await page.getByRole('button', { name: 'Reopen first.entail' }).click();
    await expect(page.getByText('In sync with server')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Source of first.entail' })).toContainText('twice');
  });

  await test.step('opens copies of files with an error, and shows where it is', async () => {
    await chooseProject(page, 'first', 'Open files…');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload a copy…' }).click();
    const text = readFileSync(sample('access'), 'utf8').replace('module access', 'module access\nenum Odd {');
    await (await choosing).setFiles({ name: 'odd.entail', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await expect(page.getByRole('tab', { name: /odd\.entail/ })).toBeVisible();
    await expect(page.getByRole('tab', { name: /first\.entail/ })).toHaveCount(0);
    await expect(page.getByRole('button', { name: /1 error/ })).toBeVisible();
  });

  await test.step('opens other files from the palette', async () => {
    const palette = await openPalette(page);
    await page.keyboard.type('open files');
    await palette.getByText('Open files…').click();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload a copy…' }).click();
    await (await choosing).setFiles([sample('licences')]);
    await expect(page.getByText('In sync with server')).toBeVisible();
    await expect(page.getByRole('banner')).toContainText('licences');
  });

  await test.step('opens dropped files, also over the editor', async () => {
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

async function chooseProject(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Project ${name}` }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

test.describe('the project menu', () => {
  test.use({ modules: undefined });

  test('opens projects, each with its own facts and drafts, and changes their files', async ({ page, workbench }) => {
    test.slow();
    await page.goto(workbench.address);
    const source = (file: string) => page.getByRole('textbox', { name: `Source of ${file}` });

    await test.step('keeps a draft with its project while another one is open', async () => {
      await source('lease.entail').press('ControlOrMeta+End');
      await source('lease.entail').pressSequentially('// kept');
      await chooseProject(page, 'lease', 'New module');
      await expect(source('first.entail')).toContainText('module first');
      await expect(page.getByText('In sync with server')).toBeVisible();
    });

    await test.step('adds and renames a file', async () => {
      await chooseProject(page, 'first', 'Add file…');
      await page.getByLabel('File name').fill('people');
      await page.getByLabel('File name').press('Enter');
      await expect(page.getByRole('tab', { name: 'people.entail' })).toBeVisible();
      await chooseProject(page, 'first, people', 'Rename…');
      await page.getByRole('radio', { name: 'people.entail' }).check();
      await page.getByLabel('New name').fill('persons');
      await page.getByRole('button', { name: 'Rename', exact: true }).click();
      await expect(page.getByRole('tab', { name: 'persons.entail' })).toBeVisible();
    });

    await test.step('saves the project to a folder with its facts, and downloads it', async () => {
      const headers = { authorization: `Bearer ${workbench.token}` };
      const data = { path: 'first::add', args: { title: 'Kept task', after: null } };
      await page.request.post(`${workbench.url}/v1/dispatch/mutation`, { headers, data });
      await chooseProject(page, 'first, people', 'Save as…');
      // The dialog moves the focus to this field when it has opened. Keys before that may reach either field.
      await expect(page.getByLabel('Name of the new folder')).toBeFocused();
      await page.getByLabel('Folder', { exact: true }).fill(dirname(workbench.moduleFile));
      await page.getByLabel('Folder', { exact: true }).press('Enter');
      await expect(page.getByText('lease.entail', { exact: true })).toBeVisible();
      await page.getByLabel('Name of the new folder').fill('tasks');
      const loading = page.waitForEvent('load');
      await page.getByRole('button', { name: 'Save', exact: true }).last().click();
      await loading;
      await page.getByRole('button', { name: 'Project first, people' }).click();
      await expect(page.getByRole('menu', { name: 'Project' })).toContainText(
        join(dirname(workbench.moduleFile), 'tasks'),
      );
      const downloading = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: 'Download' }).click();
      expect((await downloading).suggestedFilename()).toBe('first.zip');
      await page.goto(`${workbench.url}/data?path=first::Task`);
      await expect(page.getByRole('grid')).toContainText('Kept task');
    });

    await test.step('opens a recent project with its draft', async () => {
      await page.getByRole('button', { name: 'Project first, people' }).click();
      await page.getByRole('menuitem', { name: 'Recent' }).press('ArrowRight');
      await page.getByRole('menuitem', { name: 'lease.entail' }).click();
      await source('lease.entail').press('ControlOrMeta+End');
      await expect(source('lease.entail')).toContainText('// kept');
    });

    await test.step('opens a sample as a copy', async () => {
      await page.getByRole('button', { name: 'Project lease' }).click();
      await page.getByRole('menuitem', { name: 'Samples' }).press('ArrowRight');
      await page.getByRole('menuitem', { name: 'supply' }).click();
      await expect(source('supply.entail')).toContainText('module supply');
    });

    await test.step('opens a folder, and says why one cannot be opened', async () => {
      await chooseProject(page, 'supply', 'Open folder…');
      const folder = page.getByLabel('Folder', { exact: true });
      await folder.fill('/nowhere');
      await folder.press('Enter');
      await expect(page.getByRole('dialog')).toContainText('/nowhere cannot be read');
      await folder.fill(join(dirname(workbench.moduleFile), 'tasks'));
      await folder.press('Enter');
      await expect(page.getByText('persons.entail', { exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Open folder' }).click();
      await expect(page.getByRole('tab', { name: 'persons.entail' })).toBeVisible();
    });

    await test.step('opens a folder again when it has new files, and keeps unsaved text of a missing one', async () => {
      const folder = join(dirname(workbench.moduleFile), 'tasks');
      await page.getByRole('tab', { name: 'persons.entail' }).click();
      await source('persons.entail').press('ControlOrMeta+End');
      await source('persons.entail').pressSequentially('// mine');
      const renameInFolder = async (from: string, to: string) => {
        renameSync(join(folder, from), join(folder, to));
        await expect(
          page.getByRole('alert').filter({ hasText: `${from} was deleted or renamed on disk` }),
        ).toBeVisible();
        await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      };
      await renameInFolder('persons.entail', 'people.entail');
      const notice = page.getByRole('alert').filter({ hasText: 'people.entail is new in the folder' });
      await expect(notice).toContainText('Unsaved text of persons.entail is kept until the file is back.');
      await notice.getByRole('button', { name: 'Open the folder again' }).click();
      await expect(page.getByRole('tab', { name: 'people.entail' })).toBeVisible();
      await expect(page.getByText('In sync with server')).toBeVisible();
      await renameInFolder('people.entail', 'persons.entail');
      await page.getByRole('button', { name: 'Open the folder again' }).click();
      await page.getByRole('tab', { name: /^persons.entail/ }).click();
      await expect(source('persons.entail')).toContainText('// mine');
    });

    await test.step('asks about facts that cannot be stored beside the files', async () => {
      const folder = join(dirname(workbench.moduleFile), 'fixed');
      mkdirSync(folder);
      copyFileSync(sample('supply'), join(folder, 'supply.entail'));
      writeFileSync(join(folder, '.entail'), 'a file in the place of the folder');
      await chooseProject(page, 'first, people', 'Open files…');
      await page.getByLabel('Folder', { exact: true }).fill(folder);
      await page.getByLabel('Folder', { exact: true }).press('Enter');
      await page.getByRole('button', { name: 'supply.entail' }).click();
      await page.getByRole('button', { name: 'Open file', exact: true }).click();
      await expect(page.getByRole('dialog', { name: 'Where to store facts' })).toContainText('cannot be written');
      await page.getByRole('button', { name: 'Keep in memory' }).click();
      await expect(source('supply.entail')).toContainText('module supply');
    });

    await test.step('leaves no project open after closing', async () => {
      await chooseProject(page, 'supply', 'Close');
      await expect(page.getByRole('button', { name: 'Project No module' })).toBeVisible();
    });

    await test.step('opens a recent project from the first screen', async () => {
      await page.getByRole('button', { name: 'tasks', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Project first, people' })).toBeVisible();
    });
  });
});

test('opens an artifact, and reports a damaged one', async ({ page, workbench }) => {
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
  await page.getByRole('button', { name: 'Open module files' }).click();
  const open = async (document: object) => {
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload a copy…' }).click();
    const buffer = Buffer.from(JSON.stringify(document));
    await (await choosing).setFiles({ name: 'lease.entail.json', mimeType: 'application/json', buffer });
  };
  await open({ ...artifact, integrity: '0'.repeat(64) });
  await expect(page.getByRole('alert').filter({ hasText: 'Could not open' })).toContainText(/integrity/);
  await open(artifact);
  await expect(page.getByText('lease has no sources here')).toBeVisible();
  await expect(page.getByText('Could not open')).toHaveCount(0);
});
