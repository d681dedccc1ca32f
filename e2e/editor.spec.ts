/** The source editor: completion, hover, rename, quick fixes and formatting, across two modules. */

import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/served-workbench.js';
import { chooseByKeyboard } from './support/steps.js';

const PEOPLE = `module people

/// Anybody who can rent or own.
pub concept Person {
  name: Text
  born: Date?
}

/// Who answers to whom.
pub relation reports(junior: Person, senior: Person)
`;

const HOUSES = `module houses

use people::{Person, reports}

pub concept House {
  street: Text
  rent: Decimal = 0
}

pub relation livesIn(person: Person, house: House)

/// Those who live with their senior.
pub derive lodger(p: Person) when livesIn(p, h), reports(p, s), livesIn(s, h)

pub query dear(least: Decimal = 0) -> [House] {
  select h where House(h), h.rent > least
}
`;

test.use({ modules: { 'houses.entail': HOUSES, 'people.entail': PEOPLE } });

test.describe('with an outline longer than the window', () => {
  const MANY = Array.from({ length: 60 }, (_, at) => `pub relation linked${at}(a: Int, b: Int)`).join('\n');
  test.use({ modules: { 'many.entail': `module many\n${MANY}\n` } });

  test('selects the declaration at the cursor, and keeps cursor and scroll position over a reload', async ({
    page,
    workbench,
  }) => {
    await page.goto(workbench.address);
    const source = page.getByRole('textbox', { name: 'Source of many.entail' });
    await expect(source).toContainText('module many');
    const row = (at: number) =>
      page.getByRole('region', { name: 'Outline' }).getByRole('button', { name: `relation linked${at}`, exact: true });
    await expect(row(59)).not.toBeInViewport();
    await source.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('ArrowUp');
    await expect(row(59)).toHaveAttribute('aria-current', 'true');
    await expect(row(59)).toBeInViewport();
    await expect(row(0)).not.toBeInViewport();

    const line = (at: number) => page.locator('.cm-line').filter({ hasText: new RegExp(`linked${at}\\(`) });
    const scrollTop = () => page.locator('.cm-scroller').evaluate((scroller) => scroller.scrollTop);
    await line(59).hover();
    await page.mouse.wheel(0, -300);
    await expect(line(59)).not.toBeInViewport();
    const before = await scrollTop();
    await page.reload();
    await expect(row(59)).toHaveAttribute('aria-current', 'true');
    await expect.poll(scrollTop).toBe(before);
    await source.focus();
    await page.keyboard.press('Shift+End');
    await expect(line(59), 'typing continues at the cursor').toBeInViewport();
  });
});

test('opens the problem list from the source by key, and returns the focus when it closes', async ({
  page,
  workbench,
}) => {
  await page.goto(workbench.address);
  const source = page.getByRole('textbox', { name: 'Source of houses.entail' });
  await moveToEnd(page, source);
  await page.keyboard.type('check broken');
  await page.keyboard.press('Control+Shift+M');
  const problems = page.getByRole('region', { name: 'Problems' });
  await expect(problems.getByRole('link')).not.toHaveCount(0);
  await expect(source).toBeFocused();
  await problems.getByRole('button', { name: 'Close problems' }).press('Enter');
  await expect(problems).toBeHidden();
  await expect(page.getByRole('button', { name: /^Problems: / })).toBeFocused();
});

test('completes, explains, finds, fixes, renames, formats and folds', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  const source = page.getByRole('textbox', { name: 'Source of houses.entail' });
  await expect(source).toContainText('module houses');

  await test.step('completes a field after the dot, with its type', async () => {
    await moveToEnd(page, source);
    await page.keyboard.type('pub derive cheap(h: House) when House(h), h.re');
    const completion = page.getByRole('option', { name: /^rent/ });
    await expect(completion).toContainText('Decimal');
    await expect(completion).toContainText('field');
    // A click, since keys accept a completion only after a delay, to prevent accidental acceptance.
    await completion.click();
    await page.keyboard.type(' < 500');
    await expect(source).toContainText('House(h), h.rent < 500');
    await expectErrors(page, 0);
  });

  await test.step('shows the parameters of a relation while a tuple is typed', async () => {
    await page.keyboard.type(', livesIn(');
    await expect(page.getByRole('status', { name: 'Signature' })).toContainText(
      'livesIn(person: Person, house: House)',
    );
    await page.keyboard.type('_, h');
    await page.keyboard.press('End');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('status', { name: 'Signature' })).toBeHidden();
  });

  await test.step('corrects a misspelt name by a quick fix', async () => {
    await moveToEnd(page, source);
    await page.keyboard.type('\npub derive tenant(p: Person) when livsIn(p, _)');
    await page.keyboard.press('Escape');
    await expectErrors(page, 1);
    await expect(page.locator('.cm-lintRange-error')).toHaveText('livsIn');
    await page.keyboard.press('ControlOrMeta+.');
    await chooseByKeyboard(page, /livesIn/);
    await expect(source).toContainText('pub derive tenant(p: Person) when livesIn(p, _)');
    await expectErrors(page, 0);
  });

  await test.step('shows signature and documentation on hover', async () => {
    const word = await placeOfLast(source, 'reports');
    await page.mouse.move(word.x, word.y);
    const card = page.locator('.hover-card');
    await expect(card).toContainText('pub relation reports(junior: Person, senior: Person)');
    await expect(card).toContainText('Who answers to whom.');
    await page.mouse.move(0, 0);
  });

  await test.step('opens the declaration in the other file on F12', async () => {
    await clickLast(page, source, 'reports');
    await page.keyboard.press('F12');
    const people = page.getByRole('textbox', { name: 'Source of people.entail' });
    await expect(people).toContainText('module people');
    await expect(page.getByRole('tab', { name: 'people.entail' })).toHaveAttribute('aria-selected', 'true');
  });

  await test.step('goes back to the last cursor position, and forward again', async () => {
    await page.keyboard.press('Alt+ArrowLeft');
    await expect(source).toBeFocused();
    await expect(page.locator('.cm-activeLine')).toContainText('reports(p, s)');
    await page.keyboard.press('Alt+ArrowRight');
    await expect(page.getByRole('tab', { name: 'people.entail' })).toHaveAttribute('aria-selected', 'true');
  });

  await test.step('lists all references to a name', async () => {
    await page.keyboard.press('Shift+F12');
    const references = page.getByRole('region', { name: 'References' });
    await expect(references).toContainText('reports occurs in 3 places.');
    await expect(references).toContainText('declaration');
    await references.getByRole('button', { name: /houses\.entail:13/ }).click();
    await expect(page.getByRole('tab', { name: 'houses.entail' })).toHaveAttribute('aria-selected', 'true');
    await references.getByRole('button', { name: 'Close references' }).click();
    await expect(references).toBeHidden();
  });

  await test.step('renames in both modules, once the new name is valid', async () => {
    await clickLast(page, source, 'reports');
    await page.keyboard.press('F2');
    const name = page.getByRole('textbox', { name: 'New name of reports' });
    await expect(page.getByText('3 places in 2 files')).toBeVisible();
    await expect(page.locator('.hover-card')).toBeHidden();
    await name.fill('livesIn');
    await name.press('Enter');
    await expect(page.locator('.rename')).toContainText('livesIn');
    await name.fill('answersTo');
    await name.press('Enter');
    await expect(source).toContainText('livesIn(p, h), answersTo(p, s)');
    await page.getByRole('tab', { name: 'people.entail' }).click();
    await expect(page.getByRole('textbox', { name: 'Source of people.entail' })).toContainText(
      'pub relation answersTo(junior: Person, senior: Person)',
    );
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByRole('tab', { name: 'houses.entail' })).toBeFocused();
    await expectErrors(page, 0);
  });

  await test.step('formats the file, and undo restores it', async () => {
    await moveToEnd(page, source);
    await page.keyboard.type('\npub fn twice( x:Decimal )->Decimal=x*2');
    await page.getByRole('button', { name: 'Format' }).click();
    await expect(source).toContainText('pub fn twice(x: Decimal) -> Decimal = x * 2');
    await page.keyboard.press('ControlOrMeta+z');
    await expect(source).toContainText('pub fn twice( x:Decimal )->Decimal=x*2');
    await page.keyboard.press('Shift+Alt+F');
    await expect(source).toContainText('pub fn twice(x: Decimal) -> Decimal = x * 2');
  });

  await test.step('folds a block to one line', async () => {
    await clickLast(page, source, 'concept');
    await page.keyboard.press('Control+Shift+BracketLeft');
    await expect(source).not.toContainText('street: Text');
  });

  await test.step('restores folds and the open file after a reload', async () => {
    await page.getByRole('tab', { name: 'people.entail' }).click();
    const people = page.getByRole('textbox', { name: 'Source of people.entail' });
    await clickLast(page, people, 'senior');
    // An address without a file opens the last shown file.
    await page.goto(workbench.address);
    await expect(people).toContainText('module people');
    await people.focus();
    await expect(page.locator('.cm-activeLine')).toContainText('pub relation answersTo');
    await page.getByRole('tab', { name: 'houses.entail' }).click();
    await expect(source).toContainText('pub concept House');
    await expect(source).not.toContainText('street: Text');
    await source.focus();
    await page.keyboard.press('Control+Shift+BracketRight');
    await expect(source).toContainText('street: Text');
  });
});

test('waits for a pending rename or formatting before it saves, and keeps text typed meanwhile', async ({
  page,
  workbench,
}) => {
  const compiler = await slowCompiler(page);
  await page.goto(workbench.address);
  const source = page.getByRole('textbox', { name: 'Source of houses.entail' });
  await expectErrors(page, 0);
  await clickLast(page, source, 'lodger');
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'New name of lodger' }).fill('boarder');
  await compiler.hold();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await compiler.release();
  await expect(page.getByText('Saved and reloaded')).toBeVisible();
  expect(readFileSync(workbench.moduleFile, 'utf8')).toContain('pub derive boarder(p: Person)');

  await moveToEnd(page, source);
  await page.keyboard.type('\npub fn twice( x:Decimal )->Decimal=x*2');
  await compiler.hold();
  await page.getByRole('button', { name: 'Format' }).click();
  await source.focus();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('// Where people live.\n');
  await compiler.release();
  await expect(source).toContainText('pub fn twice(x: Decimal) -> Decimal = x * 2');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('Saved and reloaded')).toBeVisible();
  expect(readFileSync(workbench.moduleFile, 'utf8')).toContain('// Where people live.\nmodule houses');
});

test('runs commands on the latest text, and leaves the focus outside the editor if it moved', async ({
  page,
  workbench,
}) => {
  const compiler = await slowCompiler(page);
  await page.goto(workbench.address);
  const source = page.getByRole('textbox', { name: 'Source of houses.entail' });
  await expectErrors(page, 0);
  await moveToEnd(page, source);
  await compiler.hold('compile');
  await page.keyboard.type('\npub derive tenant(p: Person) when livsIn(p, _)');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+.');
  await compiler.release();
  await chooseByKeyboard(page, /livesIn/);
  await expect(source).toContainText('pub derive tenant(p: Person) when livesIn(p, _)');

  await clickLast(page, source, 'reports');
  await compiler.hold('ask');
  await page.keyboard.press('F12');
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('\npub fn twice( x:Decimal )->Decimal=x*2');
  await page.getByRole('button', { name: 'Format' }).click();
  const elsewhere = page.getByRole('link', { name: 'Invoke', exact: true });
  await elsewhere.focus();
  await compiler.release();
  await expect(source).toContainText('pub fn twice(x: Decimal) -> Decimal = x * 2');
  await expect(elsewhere).toBeFocused();
  await expect(page.getByRole('tab', { name: 'houses.entail' })).toHaveAttribute('aria-selected', 'true');
});

test('never overwrites a file that another program changed, even if another file is shown', async ({
  page,
  workbench,
}) => {
  const people = join(dirname(workbench.moduleFile), 'people.entail');
  await page.goto(workbench.address);
  const tab = page.getByRole('tab', { name: /^people.entail/ });
  for (const name of ['people', 'houses']) {
    await page.getByRole('tab', { name: new RegExp(`^${name}.entail`) }).click();
    const source = page.getByRole('textbox', { name: `Source of ${name}.entail` });
    await source.press('ControlOrMeta+End');
    await source.pressSequentially(`// mine of ${name}`);
  }
  await writeFile(people, `${PEOPLE}// theirs\n`);
  await page.keyboard.press('ControlOrMeta+s');
  const notice = page.getByRole('alert').filter({ hasText: 'people.entail changed on disk while you were editing it' });
  await expect(notice).toContainText('Choose which text to save');
  await expect(page.getByText('Not saved yet')).toBeVisible();
  expect(await readFile(people, 'utf8')).toBe(`${PEOPLE}// theirs\n`);
  expect(await readFile(workbench.moduleFile, 'utf8')).toBe(HOUSES);
  await notice.getByRole('button', { name: 'Show file' }).click();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
  await notice.getByRole('button', { name: 'Compare' }).click();
  const changes = page.getByRole('region', { name: 'Text changes' }).getByRole('region', { name: 'people.entail' });
  await expect(changes).toContainText('removed// theirs');
  await expect(changes).toContainText('added// mine of people');
  await notice.getByRole('button', { name: 'Use the text on disk' }).click();
  const source = page.getByRole('textbox', { name: 'Source of people.entail' });
  await expect(source).toContainText('// theirs');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(source).toContainText('// mine of people');
  await notice.getByRole('button', { name: 'Keep mine' }).click();
  await expect(notice).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('Saved and reloaded at')).toBeVisible();
  expect(await readFile(people, 'utf8')).toContain('// mine of people');
  expect(await readFile(workbench.moduleFile, 'utf8')).toContain('// mine of houses');
});

test('keeps the draft of a deleted file over a reload, and writes the file again on save', async ({
  page,
  workbench,
}) => {
  await page.goto(workbench.address);
  const source = page.getByRole('textbox', { name: 'Source of houses.entail' });
  await source.press('ControlOrMeta+End');
  await source.pressSequentially('// mine');
  await rm(workbench.moduleFile);
  const notice = page.getByRole('alert').filter({ hasText: 'houses.entail was deleted or renamed on disk' });
  await expect(notice).toContainText('Saving writes the file again');
  await expect(source).toContainText('// mine');
  await page.reload();
  await expect(notice).toBeVisible();
  await expect(page.getByRole('tab', { name: /^houses.entail/ })).toContainText('deleted on disk');
  await expect(source).toContainText('// mine');
  await source.press('ControlOrMeta+s');
  await expect(page.getByText('Saved and reloaded at')).toBeVisible();
  await expect(notice).toHaveCount(0);
  expect(await readFile(workbench.moduleFile, 'utf8')).toBe(`${HOUSES}// mine`);
});

test('lists a file that is not UTF-8 as a problem, also after a reload, and saves the other file', async ({
  page,
  workbench,
}) => {
  await page.goto(workbench.address);
  await expect(page.getByRole('textbox', { name: 'Source of houses.entail' })).toBeVisible();
  await writeFile(workbench.moduleFile, HOUSES, 'utf16le');
  const reason = 'The file "houses.entail" cannot be read: it is UTF-16; save it as UTF-8.';
  const notice = page.getByRole('alert').filter({ hasText: reason });
  await expect(notice).toContainText('You see the last text read from it');
  await page.reload();
  await expect(notice).toBeVisible();
  await page.getByRole('button', { name: /1 error/ }).click();
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText(reason);
  await page.getByRole('tab', { name: /^people.entail/ }).click();
  const people = page.getByRole('textbox', { name: 'Source of people.entail' });
  await people.press('ControlOrMeta+End');
  await people.pressSequentially('// mine');
  await people.press('ControlOrMeta+s');
  await expect(page.getByText(reason).first()).toBeVisible();
  await expect
    .poll(() => readFile(join(dirname(workbench.moduleFile), 'people.entail'), 'utf8'))
    .toBe(`${PEOPLE}// mine`);
  await writeFile(workbench.moduleFile, HOUSES);
  await expect(notice).toHaveCount(0);
});

test('restores the draft of a file that is missing when the server starts', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  const source = page.getByRole('textbox', { name: 'Source of houses.entail' });
  await source.press('ControlOrMeta+End');
  await source.pressSequentially('// mine');
  await workbench.stop();
  await rm(workbench.moduleFile);
  await workbench.start();
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('houses.entail was deleted or renamed on disk');
  await expect(source).toContainText('// mine');
  await source.press('ControlOrMeta+s');
  await expect(page.getByText('Saved and reloaded at')).toBeVisible();
  expect(await readFile(workbench.moduleFile, 'utf8')).toBe(`${HOUSES}// mine`);
});

/** Delays requests to the compiler worker, as on a slow machine. */
async function slowCompiler(
  page: Page,
): Promise<{ hold(kind?: 'ask' | 'compile'): Promise<void>; release(): Promise<void> }> {
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    const held: (() => void)[] = [];
    let heldKind = '';
    Worker.prototype.postMessage = function (this: Worker, message: { kind?: string }) {
      const send = () => post.call(this, message);
      if (message.kind === heldKind) held.push(send);
      else send();
    };
    Object.assign(window, {
      holdMessages(kind: string) {
        heldKind = kind;
      },
      releaseMessages() {
        if (held.length === 0) return false;
        heldKind = '';
        for (const send of held.splice(0)) send();
        return true;
      },
    });
  });
  return {
    hold: async (kind = 'ask') => page.evaluate(`holdMessages('${kind}')`),
    release: async () => expect.poll(() => page.evaluate('releaseMessages()')).toBe(true),
  };
}

async function moveToEnd(page: Page, source: Locator): Promise<void> {
  await source.click();
  await page.keyboard.press('ControlOrMeta+End');
}

async function clickLast(page: Page, source: Locator, word: string): Promise<void> {
  const { x, y } = await placeOfLast(source, word);
  await page.mouse.click(x, y);
}

/** The centre of the last occurrence of a word in the shown text. Most words have no element, so no locator finds them. */
function placeOfLast(source: Locator, word: string): Promise<{ readonly x: number; readonly y: number }> {
  return source.evaluate((content, text) => {
    const texts = content.ownerDocument.createTreeWalker(content, NodeFilter.SHOW_TEXT);
    const found = content.ownerDocument.createRange();
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const index = (node.textContent ?? '').lastIndexOf(text);
      if (index < 0) continue;
      found.setStart(node, index);
      found.setEnd(node, index + text.length);
    }
    const { left, top, width, height } = found.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  }, word);
}

async function expectErrors(page: Page, count: number): Promise<void> {
  await expect(page.getByRole('button', { name: /error/ })).toContainText(`${count} error`);
}
