/** The schema diagram: declarations of a module, links to the source, live edits, and export as SVG. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import canonicalize from 'canonicalize';
import { expect, test } from './support/served-workbench.js';
import { lastShape } from './support/steps.js';
import { copySample, repository, withTemporaryFolder } from './support/temporary-folder.js';

test('shows the declarations of a module, links to the source, follows edits and exports SVG', async ({
  page,
  workbench,
}) => {
  await page.goto(workbench.address);
  const source = page.getByRole('textbox', { name: 'Source of lease.entail' });
  await expect(source).toContainText('module lease');
  const details = page.getByRole('region', { name: 'Selected declaration' });

  await test.step('concepts, relations and derived relations are boxes with accessible names', async () => {
    await view(page, 'Diagram');
    await expect(details).toContainText('Select a declaration');
    await expect(box(page, /^Lease, concept, code Text, rent Decimal/)).toBeVisible();
    await expect(box(page, /^Person, concept, is Party/)).toBeVisible();
    await expect(box(page, /^worksFor, relation, person \*, company 0\.\.1/)).toBeVisible();
    await expect(box(page, /^liable, derived relation/)).toBeVisible();
  });

  await test.step('names have at least 12 pixels on the screen', async () => {
    const name = box(page, /^Lease, concept/).getByTitle('Lease', { exact: true });
    const size = () =>
      name.evaluate((element) => {
        const viewport = element.closest('.react-flow__viewport') ?? element;
        return (
          Number.parseFloat(getComputedStyle(element).fontSize) * new DOMMatrix(getComputedStyle(viewport).transform).a
        );
      });
    await expect.poll(size).toBeGreaterThanOrEqual(12);
  });

  await test.step('zoomed out, boxes are plain shapes, and a selected one zooms in', async () => {
    const diagram = page.getByRole('application', { name: 'Schema diagram' });
    for (let step = 0; step < 12; step++) await diagram.getByRole('button', { name: 'Zoom out' }).click();
    await expect(box(page, /^Person, concept/)).toHaveCount(0);
    const { x, y } = await lastShape(diagram, 'derived');
    await page.mouse.move(x, y);
    await expect(diagram).toHaveAttribute('title', /^\w+, derived relation$/);
    const title = (await diagram.getAttribute('title')) ?? '';
    await page.mouse.click(x, y);
    const selected = diagram.getByRole('group', { name: new RegExp(`^${title}`) });
    await expect(selected).toBeInViewport({ ratio: 0.99 });
    await expect(selected.locator('[data-selected="true"]')).toBeVisible();
  });

  await test.step('a selected box shows its doc, and its neighbours alone can be shown', async () => {
    await page.getByRole('combobox', { name: 'Find in the diagram' }).fill('paid');
    await page.getByRole('option', { name: 'paid', exact: true }).click();
    await expect(details).toContainText('At most one payment a lease and month');
    await details.getByRole('button', { name: 'Neighbours only' }).click();
    await expect(box(page, /^Person, concept/)).toHaveCount(0);
    await expect(box(page, /^Lease, concept/)).toBeVisible();
    await expect(page).toHaveURL(/around=lease%3A%3Apaid/);
    await page.reload();
    await expect(details).toContainText('At most one payment a lease and month');
    await details.getByRole('button', { name: 'Show all' }).click();
    await expect(box(page, /^Person, concept/)).toBeVisible();
  });

  await test.step('arrow keys select boxes, and Enter opens the source beside the diagram', async () => {
    await box(page, /^paid, relation/).focus();
    await page.keyboard.press('ArrowLeft');
    await expect(box(page, /^Lease, concept/)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/view=split/);
    await expect(source).toBeFocused();
    await expect(page.locator('.cm-activeLine')).toContainText('concept Lease');
  });

  await test.step('the diagram follows edits, and an error elsewhere hides nothing', async () => {
    await page.keyboard.press('Control+End');
    await page.keyboard.type('concept Garage { places: Int } derive broken(x: ');
    await expect(page.getByRole('combobox', { name: 'Find in the diagram' })).toBeVisible();
    await page.getByRole('combobox', { name: 'Find in the diagram' }).fill('Garage');
    await page.getByRole('option', { name: 'Garage', exact: true }).click();
    await expect(box(page, /^Garage, concept, places Int/)).toBeVisible();
  });

  await test.step('parts can be hidden, and the diagram is saved as SVG', async () => {
    await page.getByRole('checkbox', { name: 'Derived' }).uncheck();
    await expect(page).toHaveURL(/hide=derived/);
    await expect(box(page, /^liable, derived relation/)).toHaveCount(0);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'SVG' }).click();
    const drawing = readFileSync(await (await saved).path(), 'utf8');
    expect(drawing).toContain('<title>Garage: concept</title>');
    expect(drawing).not.toContain('<title>liable');
  });
});

test.describe('with a module without sources', () => {
  test.use({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the required fixtures from this pattern.
    modules: async ({}, use) => {
      await withTemporaryFolder(async (folder) => {
        await use({ 'lease.entail.json': artifactWithoutSources(folder) });
      });
    },
  });

  test('draws the diagram, and links to proofs of its facts', async ({ page, workbench }) => {
    await page.goto(workbench.address);
    await expect(page.getByRole('heading', { name: 'lease has no sources here' })).toBeVisible();
    await expect(box(page, /^Lease, concept, code Text, rent Decimal/)).toBeVisible();
    await page.getByRole('combobox', { name: 'Find in the diagram' }).fill('liable');
    await page.getByRole('option', { name: 'liable', exact: true }).click();
    const details = page.getByRole('region', { name: 'Selected declaration' });
    await expect(details).toContainText('Everyone who answers for a lease');
    await page.getByRole('link', { name: 'see its proofs' }).click();
    await expect(page.getByRole('tree', { name: 'Proof' })).toContainText('is active');
  });
});

/** Builds the lease sample and removes its sources, with a matching integrity hash. */
function artifactWithoutSources(folder: string): string {
  const file = join(folder, 'lease.entail.json');
  const build = ['out/main/entail.js', 'build', copySample('lease', folder), '-o', file];
  execFileSync(process.execPath, build, { cwd: repository });
  const { sources: _sources, integrity: _integrity, ...document } = JSON.parse(readFileSync(file, 'utf8'));
  const integrity = createHash('sha256')
    .update(canonicalize(document) ?? '')
    .digest('hex');
  return JSON.stringify({ ...document, integrity });
}

function view(page: Page, name: string): Promise<void> {
  return page.getByRole('radiogroup', { name: 'View' }).getByText(name, { exact: true }).click();
}

function box(page: Page, name: RegExp) {
  return page.getByRole('application', { name: 'Schema diagram' }).getByRole('group', { name });
}
