/** Labels of individuals with the same name: distinct if both are shown, the plain name if only one is. */

import { holdResponses } from './support/held-responses.js';
import { expect, test } from './support/served-workbench.js';
import { show } from './support/steps.js';

const PEOPLE = `module people

pub concept Person {
  name: Text
  badge: Text? unique
}

pub individual first: Person { name: "Ada", badge: "A-1" }
pub individual second: Person { name: "Ada" }
pub individual bo: Person { name: "Bo" }

pub relation knows(who: Person, other: Person)
fact knows(@first, @bo)
fact knows(@bo, @second)
pub relation likes(who: Person, other: Person)
fact likes(@bo, @second)

pub query friends(of: Person) -> [Person] { select p where knows(of, p) }
pub derive reaches(from: Person, to: Person) when knows(from, to)
pub derive reaches(from: Person, to: Person) when knows(from, via), reaches(via, to)
`;

test.use({ modules: { 'people.entail': PEOPLE } });

test('shows labels that load after the individuals', async ({ page, workbench }) => {
  const releaseSchema = await holdResponses(page, '**/v1/schema');
  const named = page.waitForResponse('**/v1/individuals*');
  const tuple = encodeURIComponent('["@people::first","@people::second"]');
  await page.goto(`${workbench.url}/explain?relation=people::reaches&tuple=${tuple}#token=${workbench.token}`);
  await (await named).finished();
  releaseSchema();
  const proof = page.getByRole('tree', { name: 'Proof' });
  await expect(proof.getByRole('treeitem').first()).toContainText('Ada (A-1) reaches Ada (@second)');
});

test('labels individuals with the same name by a unique field or an id if both are shown', async ({
  page,
  workbench,
}) => {
  await test.step('in a proof: outline, graph and sentences', async () => {
    const tuple = encodeURIComponent('["@people::first","@people::second"]');
    await page.goto(`${workbench.url}/explain?relation=people::reaches&tuple=${tuple}#token=${workbench.token}`);
    const proof = page.getByRole('tree', { name: 'Proof' });
    await expect(proof.getByRole('treeitem').first()).toContainText('Ada (A-1) reaches Ada (@second)');
    await expect(proof.getByRole('treeitem').nth(1)).toContainText('Ada (A-1) knows Bo');
    const graph = page.getByLabel('Graph of the explanation');
    await expect(graph.getByLabel('Ada (A-1) reaches Ada (@second), derived')).toContainText('Ada (@second)');
    await show(page, 'Sentences');
    const sentences = page.getByRole('region', { name: 'Sentences' });
    await expect(sentences.getByRole('listitem').first()).toContainText('Ada (A-1) reaches Ada (@second), because');
  });

  await test.step('in a graph, if only the list beside it has the other', async () => {
    const tuple = encodeURIComponent('["@bo","@people::second"]');
    await page.goto(`${workbench.url}/explain?relation=people::reaches&tuple=${tuple}&view=`);
    const graph = page.getByLabel('Graph of the explanation');
    await expect(graph.getByLabel('Bo reaches Ada (@second), derived')).toContainText('Ada (@second)');
  });

  await test.step('in the history of calls, and in the words of a filter', async () => {
    await page.goto(`${workbench.url}/invoke?call=people::friends`);
    for (const id of ['first', 'second']) {
      await page.getByRole('combobox', { name: 'of' }).fill(`@people::${id}`);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await expect(page.getByRole('region', { name: 'Result', exact: true })).toContainText(
        id === 'first' ? 'Bo' : 'No rows',
      );
    }
    await show(page, 'History');
    await expect(page.getByRole('button', { name: /friends/ })).toContainText(['of Ada (@second)', 'of Ada (A-1)']);
    const filter = encodeURIComponent('[["other","!=","@people::second"],["who","=","@people::first"]]');
    await page.goto(`${workbench.url}/data?path=people::knows&filter=${filter}`);
    await expect(page.getByRole('button', { name: /^Remove the filter other .* Ada \(@second\)$/ })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Remove the filter who is Ada (A-1)' })).toBeVisible();
  });

  await test.step('in rows, but not if only one is shown', async () => {
    await page.goto(`${workbench.url}/data?path=people::knows`);
    const grid = page.getByRole('grid');
    await expect(grid.getByRole('gridcell', { name: 'Ada (A-1)' })).toBeVisible();
    await expect(grid.getByRole('gridcell', { name: 'Ada (@second)' })).toBeVisible();
    await page.goto(`${workbench.url}/data?path=people::likes`);
    await expect(grid.getByRole('gridcell', { name: 'Ada', exact: true })).toBeVisible();
  });

  await test.step('in a picker, each with its id; the name alone is reported as ambiguous', async () => {
    await page.goto(`${workbench.url}/explain?relation=people::reaches`);
    await page.getByRole('button', { name: 'Why not…?' }).click();
    const from = page.getByRole('combobox', { name: 'from' });
    await from.fill('Ada');
    await expect(page.getByRole('option')).toHaveText(['AdaA-1@first', 'Ada@second']);
    await from.press('Tab');
    await expect(from).toHaveAccessibleDescription('"Ada" matches 2 names. Select one in the list.');
    await from.fill('ada');
    await expect(from).toHaveAccessibleDescription('');
    await from.press('Enter');
    await expect(from, 'Enter takes the first option').toHaveValue('Ada  @first');
    await expect(from).toHaveAccessibleDescription('');
  });
});
