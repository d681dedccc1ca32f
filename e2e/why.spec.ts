/** Every panel opens the proof of a conclusion with one click or key, and returns from it. */

import type { Locator, Page } from '@playwright/test';
import { expect, type ServedWorkbench, test } from './support/served-workbench.js';

const STAFF = `module staff

pub concept Person { name: Text, seniors: [Person] via answersTo.senior }
pub relation reports(junior: Person, senior: Person)
pub derive answersTo(junior: Person, senior: Person) when reports(junior, senior)
pub derive answersTo(junior: Person, senior: Person) when reports(junior, between), answersTo(between, senior)
pub define Chief(p: Person) when answersTo(_, p), not answersTo(p, _)
pub check alone(p: Person) when Person(p), not answersTo(p, _), not answersTo(_, p)
  severity warning message "{p.name} is alone"

pub individual ada: Person { name: "Ada" }
pub individual bo: Person { name: "Bo" }
pub individual cy: Person { name: "Cy" }
fact reports(@bo, @ada)

pub query everyone() -> [Person] { select p where Person(p) order by p.name }
pub mutation report(junior: Person, senior: Person) { insert reports(junior, senior) }
pub mutation hire(name: Text) -> Person { return insert Person { name: name } }

test "who reports answers" { expect answersTo(@cy, @ada) }
`;
const MORE = 'pub derive colleague(a: Person, b: Person) when answersTo(a, c), answersTo(b, c), a != b\n';

test.use({ modules: { 'staff.entail': STAFF } });

type Follow = (link: Locator) => Promise<void>;
const WAYS: readonly (readonly [string, Follow])[] = [
  ['by the mouse', (link) => link.click()],
  ['by the keyboard', (link) => link.press('Enter')],
];

for (const [way, follow] of WAYS) {
  test(`opens the proof of a conclusion in every panel in one step, ${way}`, async ({ page, workbench }) => {
    await post(workbench, '/v1/dispatch/mutation', reporting('@staff::cy', '@staff::bo'));
    await page.goto(workbench.address);

    await test.step('Invoke: the value of a derived field', async () => {
      await panel(page, 'Invoke');
      await page.getByRole('link', { name: 'everyone' }).click();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      const bo = page.getByRole('region', { name: 'Result', exact: true }).getByRole('row', { name: /^Bo/ });
      await expectProof(page, follow, bo.getByRole('link', { name: 'Ada' }), 'Bo reports Ada');
    });

    await test.step('Query: a row of an ad-hoc derive', async () => {
      await panel(page, 'Query');
      await page.getByRole('textbox', { name: 'Ad-hoc text' }).click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText('derive top(p: Person, q: Person) when answersTo(p, q), Chief(q)');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('region', { name: 'Rows' }).focus();
      await page.keyboard.press('ArrowDown');
      const row = page.getByRole('region', { name: 'Row', exact: true });
      await follow(row.getByRole('button', { name: 'Explain this row' }));
      await expect(row.getByRole('tree', { name: 'Row proof' })).toContainText('Bo reports Ada');
    });

    await test.step('Data: a fact of a relation, and a class of an individual', async () => {
      await page.goto(`${workbench.url}/data?path=staff::answersTo`);
      const grid = page.getByRole('grid');
      await expect(grid.getByRole('row', { name: /Cy.*Ada/ })).toBeVisible();
      if (way === 'by the mouse') {
        await grid
          .getByRole('row', { name: /Cy.*Ada/ })
          .getByRole('link', { name: 'Why?' })
          .click();
      } else {
        await grid.focus();
        for (const key of ['ArrowDown', 'Home', 'ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
      }
      await expect(page.getByRole('tree', { name: 'Proof' })).toContainText('Bo reports Ada');
      await page.goto(`${workbench.url}/data?individual=@staff::ada`);
      await expectProof(page, follow, page.getByRole('link', { name: 'derived Chief' }), 'Bo reports Ada');
    });

    await test.step('Forks: a conclusion of one side only', async () => {
      await post(workbench, '/v1/forks', { id: 'what-if' });
      await post(workbench, '/v1/forks/what-if/dispatch/mutation', reporting('@staff::ada', '@staff::cy'));
      await page.goto(`${workbench.url}/forks?show=what-if&other=main`);
      const conclusions = page.getByRole('region', { name: 'Conclusions' });
      await conclusions
        .getByRole('button', { name: /answersTo/ })
        .first()
        .click();
      await expectProof(page, follow, conclusions.getByRole('link', { name: 'Why? on what-if' }).first(), 'reports');
      await page.keyboard.press('Alt+f');
      await page.getByRole('dialog').getByRole('button', { name: /^main/ }).click();
    });

    await test.step('Checks and Log: a violation, and the call that caused it', async () => {
      await post(workbench, '/v1/dispatch/mutation', { path: 'staff::hire', args: { name: 'Di' } });
      await panel(page, 'Checks');
      await expectProof(page, follow, page.getByRole('link', { name: /Di is alone/ }), 'Di is a Person');
      await panel(page, 'Log');
      await page.getByRole('option', { name: /hire/ }).click();
      await expectProof(page, follow, page.getByRole('link', { name: 'Di is alone' }), 'Di is a Person');
    });

    await test.step('Tests: the why-not of a failed expectation', async () => {
      await panel(page, 'Tests');
      await follow(page.getByRole('button', { name: 'Run all' }));
      await expect(page.getByRole('tree', { name: 'Why it is false' })).toContainText('Cy reports');
    });

    await test.step('Module: a conclusion that a save added', async () => {
      await panel(page, 'Module');
      await page.getByRole('textbox', { name: 'Source of staff.entail' }).click();
      await page.keyboard.press('Control+End');
      await page.keyboard.insertText(MORE);
      await page.keyboard.press('Control+s');
      await page.getByRole('button', { name: 'Show changes' }).click();
      const gained = page.getByRole('region', { name: 'Conclusions' });
      await expectProof(page, follow, gained.getByRole('link', { name: /colleague.*Bo.*Cy/ }), 'Cy reports Bo');
    });
  });
}

/** Follows the link, expects a proof with these words, and goes back. */
async function expectProof(page: Page, follow: Follow, link: Locator, words: string): Promise<void> {
  await follow(link);
  await expect(page).toHaveURL(/\/explain\?/);
  await expect(page.getByRole('tree', { name: 'Proof' })).toContainText(words);
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(link, 'has the focus again').toBeFocused();
}

async function panel(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeAttached();
}

function reporting(junior: string, senior: string) {
  return { path: 'staff::report', args: { junior, senior } };
}

async function post({ url, token }: ServedWorkbench, path: string, body: object): Promise<void> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok, await response.text()).toBe(true);
}
