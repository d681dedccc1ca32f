/** The Checks panel: checks, their violations as facts change, proofs, fixes, and checks that cannot be evaluated. */

import { holdResponses } from './support/held-responses.js';
import { expect, type ServedWorkbench, test } from './support/served-workbench.js';

const DEBTS = `module debts

/// Somebody who can owe.
pub concept Person { name: Text, age: Int = 40 }
pub relation knows(a: Person, b: Person)
pub relation owes(a: Person, b: Person)
pub relation lent(a: Person, sum: Int [0..1])

pub derive share(p: Person, part: Int) when Person(p), let part = 100 div (p.age - 30)

/// Everybody should know somebody.
pub check loner(p: Person) when Person(p), not knows(p, _) severity warning message "{p.name} knows nobody"
/// Debts among strangers are hard to collect.
pub check stranger(a: Person, b: Person)
  when owes(a, b), not knows(a, b)
  severity blocking
  message "{a.name} owes to {b.name}, a stranger"
pub check greedy(p: Person) when share(p, part), part > 50 severity warning message "{p.name} takes {part} percent"
pub check ageless(p: Person) when Person(p), p.age < 0 severity blocking message "{p.name} is not born yet"

pub individual ada: Person { name: "Ada" }
pub individual bo: Person { name: "Bo" }
fact owes(@ada, @bo)

pub mutation add(name: Text, age: Int = 40) -> Person { return insert Person { name: name, age: age } }
pub mutation meet(a: Person, b: Person) { insert knows(a, b) }
`;

test.use({ modules: { 'debts.entail': DEBTS } });

test('lists all checks, and links violations to proofs and checks to the source', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  const link = page.getByRole('link', { name: 'Checks', exact: true });
  await expect(link).toHaveAccessibleDescription('Violations: 1 blocking, 2 warnings');
  await link.click();
  const list = page.getByRole('region', { name: 'Checks' });
  await expect(list.getByRole('region', { name: 'Passing' })).toContainText('ageless');
  const builtIn = list.getByRole('region', { name: 'Built-in' });
  await expect(builtIn.getByRole('link')).toHaveText(/^lent.sum/);
  await builtIn.getByRole('button', { name: 'Built-in 1' }).click();
  await page.reload();
  await expect(builtIn.getByRole('button', { name: 'Built-in 1' })).toHaveAttribute('aria-expanded', 'false');
  await expect(builtIn.getByRole('link')).toHaveCount(0);
  const violations = page.getByRole('region', { name: 'All violations' });
  await expect(violations.getByRole('region', { name: 'stranger' })).toContainText('blocking · 1 violation');
  await expect(violations.getByRole('region', { name: 'loner' })).toContainText('Ada knows nobody');

  await violations.getByRole('textbox', { name: 'Filter violations' }).fill('ada');
  await expect(violations.getByRole('listitem')).toHaveText([/Ada owes to Bo/, /Ada knows nobody/]);
  await violations.getByRole('textbox', { name: 'Filter violations' }).fill('nothing like it');
  await expect(violations).toContainText('No matches');
  await violations.getByRole('textbox', { name: 'Filter violations' }).clear();
  const all = list.getByRole('link', { name: /All violations/ });
  await all.focus();
  await all.press('ArrowDown');
  await expect(list.getByRole('region', { name: 'Failing' }).getByRole('link').first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(list.getByRole('link').last()).toBeFocused();
  await page.keyboard.press('Home');
  await expect(all).toBeFocused();
  await list.getByText('Warning', { exact: true }).click();
  await expect(list.getByRole('link', { name: /stranger/ })).toHaveCount(0);
  await expect(violations.getByRole('region')).toHaveCount(1);
  await list.getByText('All', { exact: true }).click();
  await list.getByRole('textbox', { name: 'Filter checks' }).fill('collect');
  await expect(list.getByRole('link', { name: /loner/ })).toHaveCount(0);
  await list.getByRole('link', { name: /stranger/ }).click();
  const check = page.getByRole('region', { name: 'Check', exact: true });
  await expect(check).toContainText('{a.name} owes to {b.name}, a stranger');
  await page.reload();
  await expect(check).toContainText('Ada owes to Bo, a stranger');
  await check.getByRole('link', { name: 'As a grid' }).click();
  await expect(page.getByRole('grid', { name: 'Rows' }).getByRole('row').last()).toContainText('Ada');
  await page.goBack();

  await check.getByRole('link', { name: /Ada owes to Bo/ }).click();
  await expect(page.getByRole('tree', { name: 'Proof' })).toContainText('Ada owes Bo');
  await link.click();
  await check.getByRole('link', { name: 'debts.entail:14' }).click();
  await expect(page.getByRole('textbox', { name: 'Source of debts.entail' })).toBeVisible();
});

test('marks new and resolved violations of other clients until they are seen', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Checks', exact: true }).click();
  const loners = page.getByRole('region', { name: 'All violations' }).getByRole('region', { name: 'loner' });
  await expect(loners).toContainText('Bo knows nobody');
  await expect(page.getByText('live', { exact: true })).toBeVisible();
  const seen = page.getByRole('button', { name: 'Mark all as seen' });
  await expect(seen, 'while nothing is new').toHaveCount(0);

  await call(workbench, 'add', { name: 'Cy' });
  await expect(loners.getByRole('listitem').filter({ hasText: 'Cy knows nobody' })).toContainText('new');
  await expect(seen).toBeVisible();
  const since = (text: string) => loners.getByRole('listitem').filter({ hasText: text });
  await expect(since('Cy knows nobody')).toContainText(/since \d\d:\d\d, by add/);
  await expect(since('Bo knows nobody')).toContainText('since the start, declared in the module');
  await since('Cy knows nobody').getByRole('link', { name: 'add' }).click();
  await expect(page.getByRole('region', { name: 'Transaction 1' })).toContainText('new Person Cy');
  await page.goBack();
  await page.getByRole('link', { name: 'Module', exact: true }).click();
  await call(workbench, 'meet', { a: '@debts::ada', b: '@debts::bo' });
  await page.getByRole('link', { name: 'Checks', exact: true }).click();
  await expect(loners.getByRole('listitem').filter({ hasText: 'Ada knows nobody' })).toContainText('resolved');
  await expect(loners.getByRole('listitem').filter({ hasText: 'Cy knows nobody' })).not.toContainText('new');
  await seen.press('Enter');
  await expect(loners).not.toContainText('resolved');
  await expect(seen).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Filter violations' })).toBeFocused();
});

test('tries a fix for a listed violation on a fork', async ({ page, workbench }) => {
  await page.goto(`${workbench.url}/checks#token=${workbench.token}`);
  const loners = page.getByRole('region', { name: 'All violations' }).getByRole('region', { name: 'loner' });
  const ada = loners.getByRole('listitem').filter({ hasText: 'Ada knows nobody' });
  const fix = ada.getByRole('button', { name: 'Fix…' });
  await fix.press('Enter');
  const repairs = ada.getByRole('region', { name: 'How to make it false' });
  await expect(repairs).toContainText('Ada knows');
  await repairs.getByRole('button', { name: 'Try on a fork' }).first().press('Enter');
  await expect(page.getByRole('region', { name: 'Trial' })).toContainText('main is unchanged');
  await expect(loners.getByRole('listitem').filter({ hasText: 'Bo knows nobody' })).toBeVisible();
  await expect(ada).toHaveCount(0);
  await page.getByRole('button', { name: 'Back to main' }).click();
  await expect(ada.getByRole('link', { name: /Ada knows nobody/ })).toBeVisible();
});

test('shows a change from before the event stream was connected', async ({ page, workbench }) => {
  const connect = await holdResponses(page, '**/v1/events*');
  await page.goto(`${workbench.url}/checks#token=${workbench.token}`);
  const loners = page.getByRole('region', { name: 'All violations' }).getByRole('region', { name: 'loner' });
  await expect(loners).toContainText('Bo knows nobody');
  await call(workbench, 'add', { name: 'Cy' });
  connect();
  await expect(page.getByText('live', { exact: true })).toBeVisible();
  await expect(loners).toContainText('Cy knows nobody');
});

test('loads violations beyond the first page when scrolled to, and finds them by their text', async ({
  page,
  workbench,
}) => {
  const rows = Array.from({ length: 450 }, (_, place) => ({ name: `Person ${place}` }));
  await post(workbench, '/v1/import', { mutation: 'debts::add', rows });
  await page.goto(`${workbench.url}/checks?check=debts::loner#token=${workbench.token}`);
  const check = page.getByRole('region', { name: 'Check', exact: true });
  await expect(check).toContainText('452 violations');
  // The list has its full length from the start, so End reaches the last violation, which then loads.
  const violation = (text: RegExp) => check.getByRole('listitem').filter({ hasText: text }).getByRole('link').first();
  await violation(/Person 0 /).focus();
  await page.keyboard.press('ArrowDown');
  await expect(violation(/Person 1 /)).toBeFocused();
  await page.keyboard.press('End');
  const last = check.locator('[aria-posinset="452"]');
  await expect(last.getByRole('link').first()).toBeFocused();
  await expect(last).toHaveAttribute('aria-setsize', '452');
  await page.keyboard.press('Home');
  await expect(check.locator('[aria-posinset="1"]').getByRole('link').first()).toBeFocused();
  await check.getByRole('textbox', { name: 'Filter violations' }).fill('Person 437');
  await expect(check.getByRole('listitem')).toHaveText([/Person 437 knows nobody/]);
  await check.getByRole('textbox', { name: 'Filter violations' }).fill('Person 4370');
  await expect(check).toContainText('No matches');
});

test('shows why a check cannot be evaluated, beside the violations of other checks', async ({ page, workbench }) => {
  await call(workbench, 'add', { name: 'Dee', age: 30 });
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Checks', exact: true }).click();
  const list = page.getByRole('region', { name: 'Checks' });
  await expect(list.getByRole('region', { name: 'Cannot be evaluated' })).toContainText('greedy');
  const violations = page.getByRole('region', { name: 'All violations' });
  await expect(violations.getByRole('region', { name: 'loner' })).toContainText('Dee knows nobody');
  await expect(violations.getByRole('region', { name: 'greedy' })).toContainText('division by zero');
  await violations.getByRole('link', { name: 'What to do' }).click();
  await expect(page.getByRole('alert')).toContainText('SVC_RUNTIME_CHECK_EVAL_FAILED');
  await page.getByRole('alert').getByRole('link', { name: 'Dee' }).click();
  await expect(page.getByRole('heading', { name: 'Dee' })).toBeVisible();
});

test.describe('with long messages', () => {
  const WORDS = 'and the harbour master has to be told before the next tide, whoever is on watch, '.repeat(3);
  const HARBOUR = `module harbour
pub concept Ship { name: Text }
pub check adrift(s: Ship) when Ship(s) severity warning message "{s.name} is adrift, ${WORDS}by voice"
pub individual aurora: Ship { name: "Aurora" }
pub individual borea: Ship { name: "Borea" }
pub mutation launch(name: Text) -> Ship { return insert Ship { name: name } }
`;
  test.use({ modules: { 'harbour.entail': HARBOUR } });

  test('reaches the last of many violations by keyboard, whatever the height of the rows before it', async ({
    page,
    workbench,
  }) => {
    const rows = Array.from({ length: 450 }, (_, place) => ({ name: `Ship ${place}` }));
    await post(workbench, '/v1/import', { mutation: 'harbour::launch', rows });
    await page.goto(`${workbench.url}/checks?check=harbour::adrift#token=${workbench.token}`);
    const check = page.getByRole('region', { name: 'Check', exact: true });
    await check.locator('[aria-posinset="1"]').getByRole('link').first().focus();
    for (const { key, place } of [
      { key: 'End', place: 452 },
      { key: 'Home', place: 1 },
      { key: 'End', place: 452 },
    ]) {
      await page.keyboard.press(key);
      const link = check.locator(`[aria-posinset="${place}"]`).getByRole('link').first();
      await expect(link).toBeFocused();
      await expect(link).toBeInViewport({ ratio: 1 });
    }
  });

  test('shows the whole message in the list of all violations and in that of its check', async ({
    page,
    workbench,
  }) => {
    await page.goto(`${workbench.url}/checks#token=${workbench.token}`);
    const message = (ship: string) => page.getByText(`${ship} is adrift, ${WORDS}by voice`);
    const isWhole = (ship: string) =>
      message(ship).evaluate(
        (text) =>
          text.scrollWidth <= text.clientWidth &&
          text.clientHeight > Number.parseFloat(getComputedStyle(text).lineHeight),
      );
    expect(await isWhole('Aurora'), 'among all violations').toBe(true);
    await page
      .getByRole('region', { name: 'Checks' })
      .getByRole('link', { name: /adrift/ })
      .click();
    const check = page.getByRole('region', { name: 'Check', exact: true });
    await expect(check).toContainText('2 violations');
    expect(await isWhole('Borea'), 'among the violations of its check').toBe(true);
    // Rows grow with their message: no row overlaps the next.
    await expect
      .poll(async () => {
        const [first, second] = [await message('Aurora').boundingBox(), await message('Borea').boundingBox()];
        return (second?.y ?? 0) - ((first?.y ?? 0) + (first?.height ?? 0));
      })
      .toBeGreaterThanOrEqual(0);
  });
});

test.describe('with an Arabic name', () => {
  const CLUB = `module club
pub concept Guest { name: Text }
pub check unpaid(g: Guest) when Guest(g) severity warning message "{g.name} has not paid, and was told twice"
pub individual nour: Guest { name: "نور" }
`;
  test.use({ modules: { 'club.entail': CLUB } });

  test('shows an English message from left to right', async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/checks#token=${workbench.token}`);
    await expect(page.getByText('نور has not paid, and was told twice')).toHaveCSS('direction', 'ltr');
  });
});

test.describe('with a concept that cannot be evaluated', () => {
  const TOWNS = `module towns

pub concept Town { name: Text }
pub concept Tower { floors: Int }
pub define Slim(t: Tower) when 100 div t.floors > 5
pub check unnamed(t: Town) when Town(t) severity warning message "nobody has looked at it"
pub individual oslo: Town { name: "Oslo" }
pub individual ruin: Tower { floors: 0 }
`;
  test.use({ modules: { 'towns.entail': TOWNS } });

  test('still shows the labels of other individuals', async ({ page, workbench }) => {
    await page.goto(workbench.address);
    await page.getByRole('link', { name: 'Checks', exact: true }).click();
    await expect(page.getByRole('region', { name: 'unnamed' }).getByRole('listitem')).toContainText('town Oslo');
  });
});

/** Calls a mutation as another client. */
async function call(workbench: ServedWorkbench, name: string, args: object): Promise<void> {
  await post(workbench, '/v1/dispatch/mutation', { path: `debts::${name}`, args });
}

async function post({ url, token }: ServedWorkbench, path: string, body: object): Promise<void> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}
