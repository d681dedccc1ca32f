/** Typing in an editor: indentation, completion, fixes, find and replace, several cursors, lines. */

import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/served-workbench.js';
import { chooseByKeyboard } from './support/steps.js';

/** Formatted. */
const ROOMS = `module rooms

enum Kind { desk, hall }

pub concept Room {
  name: Text
  seats: Int where value > 0
  kind: Kind = desk
}

pub concept Meeting {
  title: Text
  people: Int
}

pub relation bookedIn(meeting: Meeting, room: Room [0..1])

/// A meeting with too few seats.
pub derive crowded(m: Meeting, r: Room)
  when bookedIn(m, r), m.people > r.seats

pub check tooSmall(m: Meeting)
  when crowded(m, r)
  severity blocking
  message "{r.name} is too small for {m.title}"

pub query free(least: Int = 0) -> [Room] {
  select r
  where Room(r), not bookedIn(_, r), r.seats >= least
  order by r.seats, r.name
}

pub mutation book(title: Text, people: Int, room: Room) -> Meeting {
  let m = insert Meeting { title: title, people: people }
  if people > 0 {
    insert bookedIn(m, room)
  }
  return m
}

pub fn rows(people: Int) -> Int = people div 10 + 1
`;

test.use({ modules: { 'rooms.entail': 'module rooms\n' } });

test('indents a module while it is typed as the formatter would', async ({ page, workbench }) => {
  test.slow();
  const source = await open(page, workbench.address);
  await source.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await typeAsPerson(page, ROOMS.trimEnd());
  await expect.poll(() => textOf(source)).toBe(ROOMS.trimEnd());
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Alt+F');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('Saved and reloaded at')).toBeVisible();
  expect(readFileSync(workbench.moduleFile, 'utf8')).toBe(ROOMS);
});

test('begins a new line on Enter after a finished word, and otherwise accepts an option, as on Tab', async ({
  page,
  workbench,
}) => {
  const source = await open(page, workbench.address);
  await source.press('ControlOrMeta+End');
  await page.keyboard.type('concept Room {\nname: Tex');
  const option = (name: string) => page.getByRole('option', { name: new RegExp(`^${name}`) });
  await expect(option('Text')).toBeVisible();
  await page.keyboard.type('t\n', PACE);
  await page.keyboard.type('other: Te');
  await expect(option('Text')).toBeVisible();
  await page.keyboard.type('x\n', PACE);
  await expect.poll(() => textOf(source)).toContain('{\n  name: Text\n  other: Text\n}');
  await page.keyboard.press('End');
  await page.keyboard.type('\nthird: De', PACE);
  await expect(option('Decimal')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(option('Decimal')).toHaveCount(0);
  await page.keyboard.type('c', PACE);
  await expect(option('Decimal')).toBeVisible();
  await page.keyboard.type('i', PACE);
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.type('\n\nquery all() -> [Room] {\nselect ro', PACE);
  await expect(option('round')).toBeVisible();
  await page.keyboard.type('u\nwhere Room(rou)', PACE);
  await expect
    .poll(() => textOf(source))
    .toContain('  third: Decimal\n}\n\nquery all() -> [Room] {\n  select rou\n  where Room(rou)\n}');
});

test('shows a light bulb on a line with fixes, and opens them', async ({ page, workbench }) => {
  const source = await open(page, workbench.address);
  await source.press('ControlOrMeta+End');
  await page.keyboard.insertText('\nenum Kind { desk }\n\nfn one(k: Knd) -> Kind = k\n');
  const bulb = page.getByTitle('Fixes for this line (Ctrl+.)');
  await expect(bulb).toHaveCount(1);
  await page.getByRole('link', { name: 'Module', exact: true }).focus();
  await bulb.click();
  await chooseByKeyboard(page, 'Change to "Kind"');
  await expect(source).toContainText('fn one(k: Kind)');
  await expect(source).toBeFocused();
  await expect(bulb).toHaveCount(0);
});

test('counts matches in find and replace, and does not scroll a visible match sideways', async ({
  page,
  workbench,
}) => {
  const source = await open(page, workbench.address);
  await source.press('ControlOrMeta+End');
  const long = `// ${'far '.repeat(100)}`;
  await page.keyboard.insertText(`\n${long}\nenum Kind { kiosk, Kiosk, kiosks }\n// kiosk\n`);
  await page.keyboard.press('ControlOrMeta+f');
  const panel = page.getByRole('search', { name: 'Find in the text' });
  await page.keyboard.type('kiosk');
  const count = panel.getByRole('status');
  await expect(count).toHaveText('1 of 4');
  // The editor shows the first match before this, so nothing else scrolls it back.
  const scroller = page.locator('.cm-scroller');
  const scrolled = () =>
    scroller.evaluate((element) => {
      element.scrollTo({ left: 20 });
      return element.scrollLeft;
    });
  await expect.poll(scrolled).toBe(20);
  await page.keyboard.press('Enter');
  await expect(count).toHaveText('2 of 4');
  await page.keyboard.press('F3');
  await page.keyboard.press('Shift+F3');
  await page.keyboard.press('Shift+Enter');
  await expect(count).toHaveText('1 of 4');
  expect(await scroller.evaluate((element) => element.scrollLeft)).toBe(20);
  await panel.getByRole('button', { name: 'Match case' }).click();
  await expect(count).toHaveText('1 of 3');
  await panel.getByRole('button', { name: 'Whole words' }).click();
  await expect(count).toHaveText('1 of 2');
  await panel.getByRole('button', { name: 'Regular expression' }).click();
  await panel.getByRole('textbox', { name: 'Find' }).fill('(');
  await expect(count).toHaveText('Not a regular expression');
  await panel.getByRole('textbox', { name: 'Find' }).fill('kiosk$');
  await expect(count).toHaveText('1 of 1');
  await page.keyboard.press('ControlOrMeta+h');
  await page.keyboard.type('chair');
  await page.keyboard.press('Enter');
  await expect(source).toContainText('// chair');
  await expect(count).toHaveText('No matches');
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(source).toBeFocused();
});

test('edits with several cursors, comments, moves and wraps lines by keyboard', async ({ page, workbench }) => {
  const source = await open(page, workbench.address);
  await source.press('ControlOrMeta+End');
  await page.keyboard.insertText('\nenum A { red }\nenum B { red }\nenum C { red }');
  // The keys for occurrences load with the search.
  await page.keyboard.press('Control+f');
  await expect(page.getByRole('search', { name: 'Find in the text' })).toBeVisible();
  await page.keyboard.press('Escape');
  const lines = () => textOf(source).then((text) => text.split('\n').filter((line) => /enum/.test(line)));
  await page.keyboard.press('Control+ArrowLeft');
  await page.keyboard.press('Control+ArrowLeft');
  await page.keyboard.press('Control+d');
  await page.keyboard.press('Control+d');
  await page.keyboard.type('blue');
  await expect.poll(lines).toEqual(['enum A { blue }', 'enum B { red }', 'enum C { blue }']);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+L');
  await page.keyboard.type('red');
  await expect.poll(lines).toEqual(['enum A { red }', 'enum B { red }', 'enum C { red }']);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Alt+ArrowUp');
  await page.keyboard.press('Control+/');
  await expect.poll(lines).toEqual(['enum A { red }', '// enum B { red }', '// enum C { red }']);
  await page.keyboard.press('Control+/');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Shift+Alt+ArrowDown');
  await expect.poll(lines).toEqual(['enum B { red }', 'enum B { red }', 'enum A { red }', 'enum C { red }']);
  await page.keyboard.press('Control+Shift+K');
  await expect.poll(lines).toEqual(['enum B { red }', 'enum A { red }', 'enum C { red }']);

  const line = page.locator('.cm-line').filter({ hasText: 'enum A' });
  await line.click();
  await page
    .locator('.cm-line')
    .filter({ hasText: 'enum C' })
    .click({ modifiers: ['Alt'] });
  await page.keyboard.press('Home');
  await page.keyboard.type('pub ');
  await expect.poll(lines).toEqual(['enum B { red }', 'pub enum A { red }', 'pub enum C { red }']);

  await page.locator('.cm-line').filter({ hasText: 'enum B' }).click();
  await page.keyboard.press('End');
  await page.keyboard.insertText(` // ${'long '.repeat(60)}`);
  const height = () =>
    page
      .locator('.cm-line')
      .filter({ hasText: 'long' })
      .evaluate((each) => each.clientHeight);
  await expect.poll(height).toBe(20);
  await page.keyboard.press('Alt+z');
  await expect.poll(height).toBeGreaterThan(20);
  await page.reload();
  await expect.poll(height).toBeGreaterThan(20);
});

test('indents, finds and fixes in the query editor', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Query', exact: true }).click();
  const text = page.getByRole('textbox', { name: 'Ad-hoc text' });
  await text.click();
  await page.keyboard.type('query all() -> [Int] {\nselect x\nwhere x in rang(0, 3)');
  await page.getByTitle('Fixes for this line (Ctrl+.)').click();
  await chooseByKeyboard(page, 'Change to "range"');
  await expect.poll(() => textOf(text)).toBe('query all() -> [Int] {\n  select x\n  where x in range(0, 3)\n}');
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('x');
  await expect(page.getByRole('search', { name: 'Find in the text' }).getByRole('status')).toHaveText('1 of 2');
});

/** Completion ignores keys that are faster than a person. */
const PACE = { delay: 100 };

async function open(page: Page, address: string): Promise<Locator> {
  await page.goto(address);
  const source = page.getByRole('textbox', { name: 'Source of rooms.entail' });
  await expect(source).toContainText('module rooms');
  return source;
}

/** At a person's pace. The editor indents, and closes braces, which a person leaves with the arrow. */
async function typeAsPerson(page: Page, text: string): Promise<void> {
  for (const [index, line] of text
    .split('\n')
    .map((each) => each.trim())
    .entries()) {
    if (line === '}') {
      // An open list of options would take the arrow, also one that is about to open.
      await page.keyboard.press('Escape');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('End');
    } else {
      if (index > 0) await page.keyboard.press('Enter');
      await page.keyboard.type(line, { delay: 10 });
    }
  }
}

function textOf(source: Locator): Promise<string> {
  return source.evaluate((content) =>
    [...content.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'),
  );
}
