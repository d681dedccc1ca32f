/**
 * User actions in the workbench, one per function, for journeys and demos. They find elements by accessible name, and
 * depend on no particular module.
 */

import { expect, type Locator, type Page } from '@playwright/test';

/** Texts by argument or column name. */
type Arguments = Readonly<Record<string, string>>;

export async function openPanel(page: Page, panel: string): Promise<void> {
  const link = page.getByRole('link', { name: panel, exact: true });
  await link.click();
  await expect(link).toHaveAttribute('aria-current', 'page');
}

/** In Invoke: selects a callable, fills its form and runs it. */
export async function call(page: Page, callable: string, args: Arguments): Promise<void> {
  await page.getByRole('link', { name: callable, exact: true }).click();
  await fillForm(page, page.getByRole('region', { name: 'Arguments' }), args);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
}

/** Switches the view of a pane, such as the history beside the callables or the sentences of a proof. */
export async function show(page: Page, side: string): Promise<void> {
  await page.getByRole('radiogroup', { name: 'Show' }).getByRole('radio', { name: side }).check();
}

/** In Explain: explains one tuple of a derived relation, true or false. */
export async function explainTuple(page: Page, relation: string, args: Arguments): Promise<void> {
  await page.getByRole('region', { name: 'Derived' }).getByRole('link', { name: relation, exact: true }).click();
  const tuples = page.getByRole('region', { name: 'Tuples' });
  await expect(tuples.getByRole('heading', { name: relation })).toBeVisible();
  const ask = tuples.getByRole('button', { name: 'Why not…?' });
  if ((await ask.getAttribute('aria-expanded')) !== 'true') await ask.click();
  await fillForm(page, tuples, args);
  await tuples.getByRole('button', { name: 'Explain' }).click();
}

/** In Forks: creates a fork. The page switches to it. */
export async function createFork(page: Page, fork: string): Promise<void> {
  await page.getByRole('button', { name: 'New fork' }).click();
  const form = page.getByRole('form', { name: 'New fork' });
  await form.getByRole('textbox', { name: 'Name' }).fill(fork);
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('button', { name: `Fork ${fork}` })).toBeVisible();
}

/** In Forks, on a fork: opens the sheet that previews the promotion. */
export async function openPromotion(page: Page, fork: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Promote…' }).click();
  return page.getByRole('region', { name: `Promote ${fork}` });
}

/** In the sheet of `openPromotion`: promotes the fork. */
export async function promote(sheet: Locator, fork: string): Promise<void> {
  await sheet.getByRole('button', { name: 'Promote', exact: true }).click();
  await expect(sheet).toContainText(`${fork} is promoted`);
}

/** In Module: types at the end of the text. */
export async function writeAtEnd(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Source of / }).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
}

/** Selects individuals in their lists, and types everything else. */
async function fillForm(page: Page, form: Locator, args: Arguments): Promise<void> {
  for (const [name, value] of Object.entries(args)) {
    const picker = form.getByRole('combobox', { name, exact: true });
    const box = form.getByRole('textbox', { name, exact: true });
    await expect(picker.or(box).first()).toBeVisible();
    if ((await picker.count()) > 0) {
      await picker.fill(value);
      await page.getByRole('option', { name: value }).click();
    } else {
      await box.fill(value);
    }
  }
}

/** In a menu that was just opened: waits for its focus, which follows its display, and chooses an item. */
export async function chooseByKeyboard(page: Page, item: string | RegExp): Promise<void> {
  await expect(page.getByRole('menu').locator(':focus')).toBeAttached();
  await page.getByRole('menuitem', { name: item }).press('Enter');
}

/** Page coordinates of the last node of a kind, in a zoomed-out graph, which draws its nodes as one path. */
export async function lastShape(graph: Locator, glyph: string): Promise<{ readonly x: number; readonly y: number }> {
  return await graph.locator(`[data-glyph="${glyph}"] > path:first-of-type`).evaluate((path: SVGPathElement) => {
    const last = /M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)[^M]*$/.exec(path.getAttribute('d') ?? '');
    const [x = 0, y = 0, width = 0, height = 0] = last?.slice(1).map(Number) ?? [];
    const { x: left, y: top } = new DOMPoint(x + width / 2, y + height / 2).matrixTransform(
      path.getScreenCTM() ?? undefined,
    );
    return { x: left, y: top };
  });
}
