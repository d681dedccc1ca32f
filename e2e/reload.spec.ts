/** Saving a module: preview, changes after the reload, conflicting facts, renames, and save history. */

import { readFile, writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { holdResponses } from './support/held-responses.js';
import { expect, test } from './support/served-workbench.js';

const ROADS = `module roads

pub concept Town { name: Text }
pub relation road(from: Town, to: Town)

pub individual ada: Town { name: "Ada" }
pub individual bel: Town { name: "Bel" }
pub individual cor: Town { name: "Cor" }

pub derive reach(a: Town, b: Town) when road(a, b)

pub query fromAda() -> [Town] { select b where reach(@ada, b) }
pub mutation build(from: Town, to: Town) { insert road(from, to) }
`;

const TRANSITIVE = 'pub derive reach(a: Town, c: Town) when reach(a, b), road(b, c)\n';
const CHECK =
  'pub check indirect(a: Town, b: Town) when reach(a, b), not road(a, b) severity warning message "{a.name} to {b.name} takes a detour"\n';

test.use({ modules: { 'roads.entail': ROADS } });

test('shows the changes of a save before and after it, down to the proof', async ({ page, workbench }) => {
  await build(workbench, 'ada', 'bel');
  await build(workbench, 'bel', 'cor');
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Invoke', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const pin = page.getByRole('button', { name: 'Pin', exact: true });
  await pin.press('Enter');
  const unpin = page.getByRole('button', { name: 'Unpin', exact: true });
  await expect(unpin).toBeFocused();
  await unpin.press('Enter');
  await expect(pin).toBeFocused();
  await pin.press('Enter');
  await page.getByRole('link', { name: 'Module', exact: true }).click();
  await writeText(page, ROADS + TRANSITIVE + CHECK);

  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Changes on save' });
  await expect(preview).toContainText('1 conclusion added');
  await expect(preview.getByRole('region', { name: 'New violations' })).toContainText('Ada to Cor takes a detour');
  for (const why of [
    preview.getByRole('region', { name: 'Conclusions' }).getByRole('link', { name: /Ada.*Cor/ }),
    preview.getByRole('region', { name: 'New violations' }).getByRole('link', { name: 'Why?' }),
  ]) {
    await why.press('Enter');
    await expect(page.getByRole('region', { name: 'Tried state' })).toContainText(
      'after saving the previewed texts, under their rules',
    );
    await expect(page.getByRole('tree', { name: 'Proof' })).toContainText('Bel');
    const unsaved = page.getByRole('region', { name: 'Clause in the source' });
    await expect(unsaved.getByRole('link', { name: /^roads\.entail:/ })).toBeVisible();
    await page.goBack();
    await expect(why, 'has the focus again').toBeFocused();
  }
  expect(await readFile(workbench.moduleFile, 'utf8')).toBe(ROADS);

  await preview.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  const line = page.getByRole('status').filter({ hasText: 'Reloaded:' });
  await expect(line).toContainText('1 declaration added · 1 declaration changed · 1 conclusion added');
  const pinned = line.getByRole('button', { name: '1 pinned result changed' });
  await expect(pinned).toHaveAttribute('title', 'fromAda: 1 added');
  const fires = line.getByRole('link', { name: '1 new warning violation: Ada to Cor takes a detour' });
  await fires.press('Enter');
  await expect(page.getByRole('region', { name: 'Check', exact: true })).toContainText('Ada to Cor takes a detour');
  await page.goBack();
  await page.getByRole('button', { name: 'Show changes' }).press('Enter');
  const changes = page.getByRole('region', { name: 'Changes of the last reload' });
  await expect(changes.getByRole('button', { name: 'Close changes' })).toBeFocused();
  await expect(changes.getByRole('region', { name: 'Declarations' })).toContainText('indirect');
  await changes
    .getByRole('region', { name: 'Conclusions' })
    .getByRole('link', { name: /Ada.*Cor/ })
    .click();
  await expect(page.getByRole('tree', { name: 'Proof' })).toContainText('Bel');

  await page.getByRole('link', { name: 'Module', exact: true }).click();
  await writeText(page, ROADS + CHECK);
  await page.getByRole('button', { name: 'Save' }).click();
  await changes.getByRole('link', { name: 'Why it was true' }).first().press('Enter');
  await expect(page.getByRole('tree', { name: 'Proof' })).toContainText('Bel');
  await expect(page.getByRole('list', { name: 'About this explanation' })).toContainText('Was true');
  const excerpt = page.getByRole('region', { name: 'Clause in the source' });
  await expect(excerpt).toContainText('replaced since');
  await expect(excerpt).toContainText('reach(a, b), road(b, c)');
  await expect(excerpt.getByRole('link')).toHaveCount(0);
  const earlier = page.getByRole('region', { name: 'Earlier state' });
  await expect(earlier).toContainText('under the previous rules');
  await earlier.getByRole('link', { name: 'Use current rules' }).press('Enter');
  await expect(page.getByRole('tree', { name: 'Why it is false' })).toBeVisible();

  await page.getByRole('link', { name: 'Module', exact: true }).click();
  await writeText(page, ROADS + TRANSITIVE + CHECK.replace('warning', 'blocking'));
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(preview.getByRole('region', { name: 'Stored facts' })).toContainText('indirect is blocking now');
  await writeText(page, ROADS.replace('[Town]', '[Twon]'));
  await expect(preview.getByRole('status')).toContainText('The text has changed since this preview.');
  await preview.getByRole('button', { name: 'Preview again' }).click();
  await preview.getByRole('link', { name: /"Twon"/ }).click();
  await expect(page.getByRole('textbox', { name: 'Source of roads.entail' })).toBeFocused();
});

test('hides the changes of the previous save when a save does not reload', async ({ page, workbench }) => {
  await build(workbench, 'ada', 'bel');
  await build(workbench, 'bel', 'cor');
  await page.goto(workbench.address);
  await writeText(page, ROADS + TRANSITIVE);
  await page.keyboard.press('Control+s');
  const reloaded = page.getByText(/^Reloaded: 1 declaration changed/);
  await expect(reloaded).toBeVisible();
  await writeText(page, ROADS.replace('[Town]', '[Twon]'));
  await page.keyboard.press('Control+s');
  const refused = page.getByText('Saved to disk with 1 error.');
  await expect(refused).toBeVisible();
  await expect(reloaded).toBeHidden();
  await page.reload();
  await expect(refused, 'shown until dismissed').toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(refused).toBeHidden();
  await expect(reloaded).toBeHidden();
});

test('closes a preview when it is saved', async ({ page, workbench }) => {
  await build(workbench, 'ada', 'bel');
  await page.goto(workbench.address);
  await writeText(page, ROADS.replaceAll('Town', 'City'));
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Changes on save' });
  await expect(preview).toContainText('The server would reject this module.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Rename and save' }).click();
  await expect(page.getByText('Saved and reloaded')).toBeVisible();
  await expect(preview).toBeHidden();
});

test('saves text typed during a running save, and keeps a late preview closed', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  const preview = page.getByRole('region', { name: 'Changes on save' });
  await writeText(page, ROADS.replace('reach(@ada, b) }', 'road(@ada, b) }'));
  await expect(page.getByText('Unsaved. Server is running the last valid save.')).toBeVisible();
  const releasePreview = await holdResponses(page, '**/v1/module/sources?dryRun*');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved and reloaded')).toBeVisible();
  const previewed = page.waitForResponse('**/v1/module/sources?dryRun*');
  releasePreview();
  await (await previewed).finished();
  await writeText(page, ROADS);
  await expect(preview).toBeHidden();

  await expect(page.getByText('Unsaved. Server is running the last valid save.')).toBeVisible();
  // The status line reports the save, so that the buttons keep their places.
  const tool = page.getByRole('button', { name: 'Preview', exact: true });
  const place = await tool.boundingBox();
  const releaseSave = await holdResponses(page, '**/v1/module/sources');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('contentinfo').getByText('Building…')).toBeVisible();
  expect(await tool.boundingBox()).toEqual(place);
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('// Typed while it is saved.\n');
  await page.keyboard.press('Control+s');
  releaseSave();
  await expect.poll(() => readFile(workbench.moduleFile, 'utf8')).toBe(`${ROADS}// Typed while it is saved.\n`);
  await expect(page.getByRole('contentinfo').getByText('Saved and reloaded')).toBeVisible();
  expect(await tool.boundingBox()).toEqual(place);
});

test('announces a newly required tenant before the save, asks for it in a panel, and separates its facts', async ({
  page,
  workbench,
}) => {
  await build(workbench, 'ada', 'bel');
  await page.goto(workbench.address);
  await writeText(page, ROADS.replace('module roads\n', 'module roads\ncontext tenantId: Text\n'));
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Changes on save' });
  await expect(preview.getByRole('region', { name: 'Stored facts' })).toContainText('1 tenantId is declared now');
  await preview.getByRole('button', { name: 'Close' }).click();
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 400) refused.push(response.url());
  });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('banner')).toContainText('choose a tenant');

  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page.getByRole('link', { name: /^road/ }).click();
  await expect(page.getByText('This module requires a tenantId in every request')).toBeVisible();
  await page.reload();
  await expect(page.getByText('This module requires a tenantId in every request')).toBeVisible();
  await page.getByRole('link', { name: 'Checks' }).click();
  await expect(page.getByText('This module requires a tenantId in every request')).toBeVisible();
  await page.getByRole('link', { name: 'Invoke', exact: true }).click();
  await page.getByRole('link', { name: 'build', exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'from' })).toHaveAttribute('placeholder', 'Enter a tenantId first');
  expect(refused).toEqual([]);
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page.getByRole('textbox', { name: 'Missing value' }).fill('acme');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No facts yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add a row' })).toBeVisible();
  await page.getByRole('link', { name: 'Module', exact: true }).click();
  await expect(page.getByText('Reloaded: 1 declaration added · 1 note on stored facts')).toBeVisible();
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page.getByRole('button', { name: 'Scope acme' }).click();
  await page.getByRole('textbox', { name: 'Tenant' }).fill('default');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid', { name: 'Rows' })).toContainText('Bel');
});

test('asks before a change that conflicts with facts, and loses no facts on any choice', async ({
  page,
  workbench,
}) => {
  await build(workbench, 'ada', 'bel');
  await page.goto(workbench.address);
  const source = page.getByRole('textbox', { name: 'Source of roads.entail' });

  // Another program saves a conflicting text, and reverts it.
  await expect(source).toContainText('road(from: Town');
  await writeFile(workbench.moduleFile, ROADS.replaceAll('road(', 'street('));
  const unloaded = page.getByText('Not loaded: stored facts use names that are missing from this text.');
  await expect(unloaded).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'New name of roads::road' })).toHaveValue('roads::street');
  await expect(page.getByRole('button', { name: 'Save the text only' }), 'the text is already saved').toBeHidden();
  await writeFile(workbench.moduleFile, ROADS);
  await expect(unloaded).toBeHidden();

  await writeText(page, ROADS.replaceAll('road(', 'street('));
  await expect(page.getByText('Unsaved. Server is running the last valid save.')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  const misfit = page.getByText('roads::road was removed; 1 stored fact uses it');
  await expect(misfit, 'hidden behind the offered renames').toBeHidden();
  await page.getByText('Conflicts: 1 stored fact of 1 declaration').click();
  await expect(misfit).toBeVisible();
  await page.getByRole('link', { name: 'road: from Ada, to Bel' }).click();
  await expect(page.getByRole('tree', { name: 'Proof' })).toContainText('stored');
  await page.goBack();
  expect(await readFile(workbench.moduleFile, 'utf8')).toBe(ROADS);

  // A reloaded page checks again, with the current facts.
  await build(workbench, 'bel', 'cor');
  await page.reload();
  await expect(page.getByText('Conflicts: 2 stored facts of 1 declaration')).toBeVisible();

  await page.getByRole('button', { name: 'Keep the old module' }).click();
  await expect(source).toContainText('road(from: Town');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(source).toContainText('street(from: Town');

  // The running module differs from the last save.
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Save the text only' }).click();
  await expect(page.getByText('Saved, not reloaded')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Keep the old module' }).click();
  await expect(source).toContainText('road(from: Town');
  await expect(page.getByText('Unsaved changes', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(source).toContainText('street(from: Town');

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Start an empty scope' }).click();
  await expect(page.getByText(/previous facts archived as [0-9a-f]+\.1/)).toBeVisible();
  expect(await readFile(workbench.moduleFile, 'utf8')).toContain('street(from: Town');
});

test('keeps the facts of a rename in the editor, on save, and back again', async ({ page, workbench }) => {
  await build(workbench, 'ada', 'bel');
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page.getByRole('link', { name: /^road/ }).click();
  await expect(page.getByRole('grid', { name: 'Rows' })).toContainText('Bel');
  await page.getByRole('link', { name: 'Module', exact: true }).click();
  await writeText(page, ROADS.replaceAll('road(', 'street(').replaceAll('Town', 'City'));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('combobox', { name: 'New name of roads::Town' })).toHaveValue('roads::City');
  const relation = page.getByRole('combobox', { name: 'New name of roads::road' });
  await expect(relation).toHaveValue('roads::street');
  await relation.click();
  await page.getByRole('option', { name: 'deleted' }).click();
  await expect(page.getByText('Still conflicting with these names: 1 stored fact of 1 declaration')).toBeVisible();
  await expect(page.getByText('roads::road was removed; 1 stored fact uses it')).toBeVisible();
  const rename = page.getByRole('button', { name: 'Rename and save' });
  await expect(rename, 'an impossible rename is disabled').toBeDisabled();
  expect(await readFile(workbench.moduleFile, 'utf8')).toBe(ROADS);
  await relation.click();
  await page.getByRole('option', { name: 'roads::street' }).click();
  await rename.click();
  await expect(page.getByText('Saved and reloaded')).toBeVisible();
  const source = page.getByRole('textbox', { name: 'Source of roads.entail' });
  await expect(source, 'the pressed button disappears with its notice').toBeFocused();
  await page.getByRole('button', { name: 'Show changes' }).click();
  await expect(page.getByRole('region', { name: 'Stored facts' })).toContainText('1 road renamed to street');
  await page.getByRole('button', { name: 'Close changes' }).press('Enter');
  await expect(source).toBeFocused();
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page.getByText('Renamed to street in the last load.').getByRole('link').click();
  await expect(page.getByRole('grid', { name: 'Rows' })).toContainText('Bel');

  await page.getByRole('link', { name: 'Module', exact: true }).click();
  // Renaming back keeps the names that stay.
  await writeText(page, ROADS.replaceAll('Town', 'City'));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Rename and save' }).click();
  await expect(page.getByText('Saved and reloaded')).toBeVisible();
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page.getByRole('link', { name: 'road 1 fact' }).click();
  await expect(page.getByRole('grid', { name: 'Rows' })).toContainText('Bel');
});

/** Replaces the whole text of the editor. */
async function writeText(page: Page, text: string): Promise<void> {
  const source = page.getByRole('textbox', { name: 'Source of roads.entail' });
  await expect(source).toContainText('module roads');
  await source.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
  await expect(page.getByText('Unsaved changes', { exact: true })).toBeVisible();
}

async function build({ url, token }: { url: string; token: string }, from: string, to: string): Promise<void> {
  const response = await fetch(`${url}/v1/dispatch/mutation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ path: 'roads::build', args: { from: `@${from}`, to: `@${to}` } }),
  });
  expect(response.status, await response.text()).toBe(200);
}

test('lists what each save changed, and restores any of it', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  const source = page.getByRole('textbox', { name: 'Source of roads.entail' });
  await writeText(page, ROADS + TRANSITIVE);
  await page.getByRole('button', { name: 'History' }).press('Enter');
  const saves = page.getByRole('region', { name: 'Save history' });
  const lines = saves.getByRole('region', { name: 'Text changes' });
  await expect(saves.getByRole('button', { name: /^Unsaved/ })).toContainText(/\+\d/);
  await expect(lines.getByRole('listitem').filter({ hasText: 'added' }).first()).toBeVisible();

  await page.keyboard.press('Control+s');
  const reloaded = page.getByText(/^Reloaded: /);
  await expect(reloaded).toBeVisible();
  // Saving again unchanged changes nothing, and dismisses the change before.
  await page.keyboard.press('Control+s');
  await expect(reloaded).toBeHidden();
  await expect(page.getByText('Saved and reloaded at')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'History' }).press('Enter');
  await expect(saves.getByRole('button', { name: /^reloaded/ })).toHaveAttribute('aria-current', 'true');
  await lines.getByRole('button', { name: 'Before', exact: true }).click();
  await expect(source).not.toContainText('road(b, c)');
  await expect(page.getByText('Unsaved changes', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(source).toContainText('road(b, c)');
  await saves.getByRole('button', { name: 'Close save history' }).press('Enter');
  await expect(source).toBeFocused();
});
