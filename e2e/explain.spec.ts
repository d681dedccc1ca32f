/** The Explain panel: proofs, why-nots with suggestions, and the origin of facts. */

import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { holdResponses } from './support/held-responses.js';
import { explainLiable } from './support/main-journey.js';
import { expect, type ServedWorkbench, test } from './support/served-workbench.js';
import { lastShape, openPanel, show } from './support/steps.js';

const NORTHGATE = explained('lease::liable', ['@lease::northgate', '@lease::elm12Lease']);
const HARBOUR = explained('lease::liable', ['@lease::harbour', '@lease::quay5Lease']);

test('steps through a proof by keyboard, with the clause of each step beside it', async ({ page, workbench }) => {
  await open(page, workbench, NORTHGATE);
  const proof = page.getByRole('tree', { name: 'Proof' });
  await proof.focus();
  await expect(proof.getByRole('treeitem', { selected: true })).toContainText('Northgate Group is liable for ELM-12');
  const step = page.getByRole('region', { name: 'Selected step' });
  await expect(step.getByRole('link', { name: /^liable, clause/ })).toHaveCSS('text-decoration-line', 'underline');
  for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await expect(step).toContainText('Ada Lindqvist is a tenant of ELM-12');
  const clause = step.getByRole('region', { name: 'Clause in the source' });
  await expect(clause).toContainText('liable(p: Party, l: Lease) when tenantOf(l, t), worksFor(t, p)');
  await expect(clause.locator('mark')).toHaveText(['tenantOf', '(', 'l', ',', ' ', 't', ')']);
  // Each of the eight steps but the first has a line to its parent.
  await expect(page.getByLabel('Graph of the explanation').locator('.react-flow__edge')).toHaveCount(7);
  await show(page, 'Sentences');
  await expect(page.getByRole('region', { name: 'Sentences' }).getByRole('listitem').first()).toContainText(
    'Northgate Group is liable for ELM-12, because Acme Ltd is liable for ELM-12; and Northgate Group controls Acme Ltd.',
  );
  await clause.getByRole('link', { name: /^lease.entail:/ }).click();
  await expect(page.getByRole('textbox', { name: 'Source of lease.entail' })).toBeFocused();
});

test('shows the loading state, rather than a missing fact, while data loads', async ({ page, workbench }) => {
  await page.route('**/v1/schema', () => {});
  await page.goto(`${workbench.url}${NORTHGATE}#token=${workbench.token}`);
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(3);
  await expect(page.getByText('No tuple selected')).toHaveCount(0);
});

test('shows a placeholder of an individual while its label loads', async ({ page, workbench }) => {
  const release = await holdResponses(page, '**/v1/individuals?*');
  await page.goto(`${workbench.url}${NORTHGATE}#token=${workbench.token}`);
  const title = page.getByRole('region', { name: 'Explanation' }).getByRole('heading').first();
  const placeholders = title.locator('[data-asked]');
  await expect(placeholders).toHaveText(['northgate', 'elm12Lease']);
  await expect(placeholders.first()).toHaveCSS('animation-name', 'asked');
  release();
  await expect(title).toContainText('Northgate Group is liable for ELM-12');
  await expect(placeholders).toHaveCount(0);
});

test('finds other proofs, pages through them, and keeps the selected one in the address', async ({
  page,
  workbench,
}) => {
  await open(page, workbench, NORTHGATE);
  const marks = page.getByRole('list', { name: 'About this explanation' });
  await expect(marks.getByRole('listitem')).toHaveText([
    'True',
    'Full proof',
    '3 steps deep (shortest)',
    '1 of several proofs',
  ]);
  await page.keyboard.press('Alt+n');
  await expect(page.getByRole('group', { name: 'Proofs' })).toContainText('Proof 2 of 2');
  await expect(marks.getByRole('listitem')).toHaveText(['True', 'Full proof', '3 steps deep', '2 of 2 proofs']);
  const proof = page.getByRole('tree', { name: 'Proof' });
  await expect(proof).toContainText('Meridian Holdings is liable for ELM-12');
  await page.reload();
  await expect(proof).toContainText('Meridian Holdings is liable for ELM-12');
  await page.getByRole('button', { name: 'Previous proof' }).click();
  await expect(proof).not.toContainText('Meridian Holdings is liable for ELM-12');

  await test.step('shows the grounds of the proof, and what all known proofs share', async () => {
    await show(page, 'Based on');
    const declared = page.getByRole('region', { name: 'Declared facts' });
    await expect(
      declared.getByRole('listitem').filter({ hasText: 'Ada Lindqvist is a tenant of ELM-12' }),
    ).toContainText('in all');
    const clauses = page.getByRole('region', { name: 'Clauses' });
    await expect(clauses.getByRole('listitem').filter({ hasText: 'controls, clause 2' })).toContainText('in 1');
    await clauses.getByRole('button').first().press('Enter');
    await expect(page.getByRole('region', { name: 'Selected step' })).toContainText('liable, clause');
  });

  await test.step('explains another fact together with it, with shared steps once', async () => {
    const row = page
      .getByRole('region', { name: 'Tuples' })
      .getByRole('listitem')
      .filter({ hasText: /Meridian.*ELM-12/ });
    await row.getByRole('button', { name: 'Add to explanation' }).press('Enter');
    const facts = page.getByRole('list', { name: 'Explained facts' });
    const sentences = ['Northgate Group is liable for ELM-12', 'Meridian Holdings is liable for ELM-12'];
    await expect(facts.getByRole('link')).toHaveText(sentences);
    await expect(page.getByText(/^\d+ shared steps$/)).toBeVisible();
    await show(page, 'Outline');
    await page.reload();
    await expect(facts.getByRole('link')).toHaveText(sentences);
    const outline = page.getByRole('tree', { name: 'Explanations of several facts' });
    await expect(
      outline.getByRole('treeitem', { name: /Ada Lindqvist is a tenant of ELM-12.*stored|declared/ }),
    ).not.toHaveCount(0);
    await facts.getByRole('button', { name: 'Remove fact 1' }).press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
    await expect(proof.getByRole('treeitem').first()).toContainText(sentences[1] ?? '');
  });
});

test('tries a suggested change on a fork, and discards it', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Explain', exact: true }).click();
  await explainLiable(page, 'Harbour Bank', 'QUAY-5');
  const explanation = page.getByRole('region', { name: 'Explanation' });
  await expect(explanation.getByRole('tree', { name: 'Why it is false' })).toBeVisible();
  const suggestions = page.getByRole('region', { name: 'How to make it true' });
  const suggestion = suggestions.getByRole('listitem').filter({ hasText: 'Harbour Bank guarantees QUAY-5' }).first();
  await expect(suggestions).toContainText('Other values work too, in place of');
  await suggestion.getByRole('button', { name: 'Try on a fork' }).press('Enter');

  const trial = explanation.getByRole('region', { name: 'Trial' });
  await expect(trial).toContainText('try Harbour Bank is liable for QUAY-5');
  await expect(trial).toContainText(', with 1 change.');
  await expect(explanation.getByRole('tree', { name: 'Proof' })).toContainText('Harbour Bank guarantees QUAY-5');

  await expect(trial.getByRole('button', { name: 'Back to main' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(explanation.getByRole('tree', { name: 'Why it is false' })).toBeVisible();
  await page.keyboard.press('Alt+f');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^try Harbour/ })
    .click();
  await trial.getByRole('button', { name: 'Discard fork' }).click();
  await expect(explanation.getByRole('tree', { name: 'Why it is false' })).toBeVisible();
  await expect(trial).toHaveCount(0);
});

test('reports a fork that another client closed, and explains its facts on main', async ({ page, workbench }) => {
  const headers = { authorization: `Bearer ${workbench.token}`, 'content-type': 'application/json' };
  const send = (path: string, method: string, body?: object) =>
    fetch(workbench.url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  await send('/v1/forks', 'POST', { id: 'what-if' });
  await open(page, workbench, `${HARBOUR}&fork=what-if`);
  const explanation = page.getByRole('region', { name: 'Explanation' });
  const whyNot = explanation.getByRole('tree', { name: 'Why it is false' });
  await expect(whyNot).toBeVisible();
  const suggestions = page.getByRole('region', { name: 'How to make it true' });
  const tryIt = suggestions.getByRole('button', { name: 'Try on a fork' });
  await expect(tryIt.first()).toBeVisible();
  await page.getByRole('button', { name: 'Why not…?' }).click();
  await page.getByRole('combobox', { name: 'p', exact: true }).fill('half a na');
  await send('/v1/forks/what-if', 'DELETE');
  const notice = explanation.getByRole('region', { name: 'Closed fork' });
  await expect(notice).toContainText('The fork what-if was discarded');
  await expect(whyNot).toBeVisible();
  await expect(suggestions).toContainText('guarantees');
  await expect(tryIt).toHaveCount(0);
  await openPanel(page, 'Data');
  const list = page.getByRole('region', { name: 'List' });
  await expect(list.getByRole('region', { name: 'Closed fork' })).toContainText('The fork what-if was discarded');
  await expect(list.getByRole('button', { name: 'Export' })).toBeVisible();
  await expect(list.getByRole('button', { name: 'Add…' })).toHaveCount(0);
  await page.goBack();
  await notice.getByRole('button', { name: 'Explain on main' }).click();
  await expect(notice).toHaveCount(0);
  await expect(whyNot).toBeVisible();
  await expect(tryIt.first()).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'p', exact: true })).toHaveValue('half a na');
});

test('shows the values of a comparison in outline and sentences', async ({ page, workbench }) => {
  await open(page, workbench, explained('lease::active', ['@lease::elm12Lease']));
  const read = 'l.status is signed';
  const proof = page.getByRole('tree', { name: 'Proof' });
  await expect(proof.getByRole('treeitem', { name: `${read} test` })).toBeVisible();
  // Only the details of a step show its source text.
  await proof.getByRole('treeitem', { name: `${read} test` }).click();
  await expect(page.getByRole('region', { name: 'Selected step' })).toContainText('l.status == signed');
  await show(page, 'Sentences');
  await expect(page.getByRole('region', { name: 'Sentences' })).toContainText(read);
});

test('distinguishes a missing fact from one that must be absent in a why-not', async ({ page, workbench }) => {
  await open(page, workbench, HARBOUR);
  const why = page.getByRole('tree', { name: 'Why it is false' });
  await expect(why.getByRole('treeitem', { name: 'Harbour Bank guarantees QUAY-5 missing' })).toBeVisible();
  await open(page, workbench, explained('lease::unguaranteed', ['@lease::elm12Lease']));
  await expect(
    why.getByRole('treeitem', { name: 'not: any Party is liable for ELM-12 – but it is true fails' }),
  ).toBeVisible();
  await expect(why).toContainText('Acme Ltd is liable for ELM-12');
});

test('reports conflicting declared facts, which no change can remove', async ({ page, workbench }) => {
  await open(page, workbench, explained('lease::unguaranteed', ['@lease::elm12Lease']));
  const help = page.getByRole('region', { name: 'How to make it true' });
  await expect(help).toContainText('are declared in the module. Change it there:');
  await expect(help.getByRole('listitem').first()).toHaveText(/Ada Lindqvist is a tenant of ELM-12/);
  await expect(help).not.toContainText('limits');
});

test('shows the call that stored a fact, with its other changes', async ({ page, workbench }) => {
  await change(workbench, 'mutation guarantor() { insert guarantees(@harbour, @quay5Lease) }');
  await call(workbench, 'lease::sign', { tenant: '@lease::dana', code: 'NEW-1', rent: 700 });
  await open(page, workbench, HARBOUR);
  const origin = page.getByRole('region', { name: 'Stored by' });
  await page.getByRole('treeitem', { name: /Harbour Bank guarantees QUAY-5/ }).click();
  await expect(origin).toContainText('an ad-hoc mutation');
  const find = page.getByRole('textbox', { name: 'Find a fact' });
  await find.fill('dana tenant NEW-1');
  await page.getByRole('link', { name: 'Dana Petrova is a tenant of NEW-1' }).click();
  await expect(origin).toContainText('transaction 2');
  await expect(origin.getByRole('listitem')).toHaveCount(5);
  await origin.getByRole('link', { name: 'sign' }).click();
  await expect(page.getByRole('heading', { name: 'sign' })).toBeVisible();
});

test('keeps the draft of a why-not over a reload', async ({ page, workbench }) => {
  await open(page, workbench, explained('lease::balance', ['@lease::quay5Lease', '6200']));
  const tuples = page.getByRole('region', { name: 'Tuples' });
  await tuples.getByRole('button', { name: 'Why not…?' }).click();
  await tuples.getByRole('textbox', { name: 'owed' }).fill('12.5');
  await page.getByRole('textbox', { name: 'Filter relations' }).fill('bal');
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Filter relations' })).toHaveValue('bal');
  await expect(tuples.getByRole('textbox', { name: 'owed' })).toHaveValue('12.5');
  await tuples.getByRole('button', { name: 'Explain' }).click();
  await expect(page.getByRole('tree', { name: 'Why it is false' })).toContainText(/owed would be [0-9.]+, not 12.5/);
});

test('keeps a late label selected in its field, so that typing replaces it', async ({ page, workbench }) => {
  const release = await holdResponses(page, '**/v1/individuals*');
  await page.goto(`${workbench.url}${NORTHGATE}#token=${workbench.token}`);
  await page.getByRole('button', { name: 'Why not…?' }).click();
  const party = page.getByRole('region', { name: 'Tuples' }).getByRole('combobox', { name: 'p', exact: true });
  await expect(party).toHaveValue(/northgate/);
  await party.selectText();
  release();
  await expect(party).toHaveValue('Northgate Group  @northgate');
  await page.keyboard.insertText('Ada Lindqvist');
  await expect(party).toHaveValue('Ada Lindqvist');
});

test('exports an explanation as SVG, JSON and text', async ({ page, workbench }) => {
  await open(page, workbench, NORTHGATE);
  const name = 'Northgate-Group-is-liable-for-ELM-12';
  const svg = await exported(page, 'Graph as SVG', `${name}.svg`);
  expect(svg).toContain('<title>derived: Northgate Group is liable for ELM-12</title>');
  const parsed = await page.evaluate(
    (text) => new DOMParser().parseFromString(text, 'image/svg+xml').documentElement.nodeName,
    svg,
  );
  expect(parsed).toBe('svg');
  const explanation = JSON.parse(await exported(page, 'Explanation as JSON', `${name}.json`)) as { holds: boolean };
  expect(explanation).toMatchObject({ holds: true, height: 3, proof: { relation: 'lease::liable' } });
  const text = await exported(page, 'Outline as text', `${name}.txt`);
  expect(text).toContain('\n    - Ada Lindqvist works for Acme Ltd [declared]\n');
});

test('updates an explanation as facts change, and says when the shown fact becomes true or false', async ({
  page,
  workbench,
}) => {
  await open(page, workbench, HARBOUR);
  const explanation = page.getByRole('region', { name: 'Explanation' });
  await expect(explanation.getByRole('tree', { name: 'Why it is false' })).toBeVisible();
  await expect(page.getByText('live', { exact: true })).toBeVisible();
  await change(workbench, 'mutation yes() { insert guarantees(@harbour, @quay5Lease) }');
  // The graph has a status too, during its layout.
  const notice = explanation.locator('.notice');
  await expect(notice).toContainText('Now true');
  await expect(explanation.getByRole('tree', { name: 'Proof' })).toContainText('Harbour Bank guarantees QUAY-5');
  await change(workbench, 'mutation no() { delete guarantees(@harbour, @quay5Lease) }');
  await expect(notice).toContainText('No longer true');
  await explanation.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toHaveCount(0);
});

test('finds a fact by words, and lists recent facts', async ({ page, workbench }) => {
  await open(page, workbench, NORTHGATE);
  const find = page.getByRole('textbox', { name: 'Find a fact' });
  await find.fill('acme bruno');
  const found = page.getByRole('region', { name: 'Facts found' });
  await found.getByRole('link', { name: 'Bruno Keller works for Acme Ltd' }).click();
  await expect(page.getByRole('tree', { name: 'Proof' })).toContainText('Bruno Keller works for Acme Ltd');
  await expect(found).toContainText('Press Enter to open the first.');
  await find.fill('acme ada');
  await find.press('Enter');
  await expect(page.getByRole('tree', { name: 'Proof' })).toContainText('Ada Lindqvist works for Acme Ltd');
  await expect(find).toBeFocused();
  await find.fill('acme nobody');
  await expect(found).toContainText('No matches.');
  await find.press('Escape');
  const recent = page.getByRole('region', { name: 'Recent' });
  await recent.getByRole('link', { name: 'Northgate Group is liable for ELM-12' }).click();
  await expect(page.getByRole('tree', { name: 'Proof' })).toContainText('Northgate Group is liable for ELM-12');
});

test('links a rule in the source to its facts, from the outline and by key', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Module', exact: true }).click();
  await page.getByRole('link', { name: 'Proofs of controls' }).click();
  await expect(page).toHaveURL(/relation=lease%3A%3Acontrols/);
  await page.getByRole('link', { name: 'Module', exact: true }).click();
  await page
    .getByRole('region', { name: 'Outline' })
    .getByRole('button', { name: /^check unguaranteed/ })
    .click();
  await expect(page.getByRole('textbox', { name: 'Source of lease.entail' })).toBeFocused();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press('Shift+Alt+e');
  await expect(page).toHaveURL(/relation=lease%3A%3Aunguaranteed/);
  await expect(
    page.getByRole('region', { name: 'Checks', exact: true }).getByRole('link', { name: 'unguaranteed' }),
  ).toBeInViewport({ ratio: 1 });
});

test('counts facts in the outline, and links to calls and tests', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Module', exact: true }).click();
  const outline = page.getByRole('region', { name: 'Outline' });
  await expect(outline.getByRole('link', { name: 'Proofs of Lease: 6 facts' })).toHaveText('6');
  await outline.getByRole('link', { name: 'Call activeLeases' }).click();
  await expect(page).toHaveURL(/\/invoke\?call=lease%3A%3AactiveLeases/);
  await page.goBack();
  await outline.getByRole('button', { name: /^mutation sign/ }).click();
  await page.keyboard.press('Shift+Alt+r');
  await expect(page).toHaveURL(/\/invoke\?call=lease%3A%3Asign/);
  await page.goBack();
  await outline
    .getByRole('link', { name: /^Test / })
    .first()
    .click();
  await expect(page).toHaveURL(/\/tests\?test=lease%2F/);
});

test('orders steps in the graph from left to right as in the outline from top to bottom', async ({
  page,
  workbench,
}) => {
  await open(page, workbench, `${explained('lease::balance', ['@lease::elm12Lease', '0'])}`);
  const graph = page.getByLabel('Graph of the explanation');
  await expect(graph.getByLabel(/^billed: /)).toHaveCount(3);
  const monthsOf = (elements: Locator, side: 'x' | 'y') =>
    elements.evaluateAll(
      (found, axis) =>
        found
          .map((element) => ({
            at: element.getBoundingClientRect()[axis],
            text: element.getAttribute('aria-label') ?? element.textContent,
          }))
          .sort((left, right) => left.at - right.at)
          .map(({ text }) => /2026-\d\d/.exec(text ?? '')?.[0]),
      side,
    );
  const outline = page.getByRole('tree', { name: 'Proof' }).getByRole('treeitem');
  const listed = await monthsOf(outline.filter({ hasText: /billed: / }), 'y');
  expect(new Set(listed)).toEqual(new Set(['2026-01', '2026-02', '2026-03']));
  expect(await monthsOf(graph.getByLabel(/^billed: /), 'x')).toEqual(listed);
});

test('opens the graph at a readable size, and zooms and fits it by key', async ({ page, workbench }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page, workbench, `${explained('lease::balance', ['@lease::elm12Lease', '0'])}&view=graph`);
  const graph = page.getByLabel('Graph of the explanation');
  const conclusion = graph.getByRole('group', { name: /^balance: lease ELM-12, owed 0/ });
  const viewport = graph.locator('.react-flow__viewport');
  const zoom = () => viewport.evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).a);
  await expect(graph.locator('.graph-remark')).toContainText('22 steps');
  const first = await zoom();
  // Text of 12 pixels keeps its size.
  expect(first).toBe(1);
  await conclusion.focus();
  await page.keyboard.press('-');
  await expect.poll(zoom).toBeLessThan(first * 0.9);
  const far = await zoom();
  await page.keyboard.press('+');
  await expect.poll(zoom).toBeGreaterThan(far * 1.1);
  await page.keyboard.press('0');
  await expect(graph.getByLabel(/^ELM-12 has rent 1250/)).toBeInViewport({ ratio: 0.99 });
  await expect(graph.getByLabel(/^billed: lease ELM-12, month 2026-03/)).toBeInViewport({ ratio: 0.99 });
  await expect(conclusion).toBeFocused();
  const whole = await zoom();
  await graph.getByRole('button', { name: 'Zoom in' }).press('Enter');
  await expect.poll(zoom).toBeGreaterThan(whole * 1.1);
  // The focused node stays visible and focused while zooming.
  await conclusion.focus();
  for (let step = 0; step < 6; step++) await page.keyboard.press('+');
  await expect.poll(zoom).toBe(1.5);
  await expect(conclusion).toBeFocused();
  await expect(conclusion).toBeInViewport();
  // A node keeps the focus when panned out of view, and a key brings it back.
  const { x = 0, y = 0, width = 0, height = 0 } = (await graph.boundingBox()) ?? {};
  await page.keyboard.press('0');
  await expect.poll(zoom).toBe(whole);
  await page.mouse.move(x + width - 4, y + height - 40);
  await page.mouse.wheel(0, -400);
  await expect(conclusion).not.toBeInViewport();
  await page.keyboard.press('0');
  await expect(conclusion).toBeFocused();
  await expect(conclusion).toBeInViewport();
  await graph.getByRole('button', { name: 'Zoom in' }).press('Enter');
  // Nodes out of view never appear below the controls.
  const [surface, foot] = [graph.locator('.react-flow__renderer'), graph.locator('.graph-foot')];
  const [above, below] = [await surface.boundingBox(), await foot.boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  await expect(surface).toHaveCSS('overflow', 'hidden');
});

test.describe('with long rules', () => {
  test.use({
    modules: {
      'long.entail': `module long
pub concept Party { name: Text }
pub concept Item { amount: Decimal }
pub relation has(party: Party, item: Item)
pub individual north: Party { name: "Northgate and Daughters Property Holdings of the Upper Valley" }
pub individual first: Item { amount: 30.5 }
pub individual second: Item { amount: 12 }
pub individual south: Party { name: "${'Society for the Preservation of the Southern Meadows and their Brooks, '.repeat(3)}Registered" }
pub individual east: Party { name: "東北大学附属図書館敦煌文書蔵" }
fact has(@north, @first)
fact has(@north, @second)
pub derive bare(p: Party) when Party(p), not has(p, _)
pub derive owes(p: Party, total: Decimal) when Party(p),
  let total = sum(if i.amount > 20 then i.amount * 2 + 12.5 else i.amount * 1 + 7.25 for i where has(p, i), i.amount > 0.01)
`,
    },
  });

  test('shows a value before its expression, and overflows nowhere', async ({ page, workbench }) => {
    await open(page, workbench, explained('long::owes', ['@long::north', '92.75']));
    const rows = page.getByRole('tree', { name: 'Proof' }).getByRole('treeitem');
    await expect(rows.getByText('92.75').first()).toHaveCSS('white-space', 'nowrap');
    const sum = rows.filter({ hasText: 'aggregate of 2' });
    await expect(sum).toContainText('total = 92.75 sum(if i.amount > 20');
    await sum.click();
    await expect(page.getByRole('region', { name: 'Selected step' })).toContainText('73.5 + 19.25 = 92.75');
    const contributions = rows.filter({ hasText: /adds/ });
    await expect(contributions).toHaveText([/^first adds 73.5contribution$/, /^second adds 19.25contribution$/]);
    await expect(contributions.first()).toHaveAttribute('aria-level', '3');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(rows.filter({ hasText: 'has first' })).toHaveAttribute('aria-level', '4');
    const value = rows.first().getByText('92.75');
    await expect(value).toBeInViewport();
    const [valueBox, paneBox] = [
      await value.boundingBox(),
      await page.getByRole('tree').first().locator('..').boundingBox(),
    ];
    expect((valueBox?.x ?? 0) + (valueBox?.width ?? 0)).toBeLessThan((paneBox?.x ?? 0) + (paneBox?.width ?? 0));
    const node = page.getByLabel('Graph of the explanation').getByLabel(/^total = 92.75 \(sum/);
    await expect(node.getByText('92.75')).toBeInViewport();
    await node.getByText('92.75').hover();
    await expect(node.locator('.graph-node > div:has(svg)')).toHaveAttribute(
      'title',
      /^total = 92.75 \(sum\(if .* > 0.01\)\)/,
    );
  });

  test('wraps a name in wide letters within its node', async ({ page, workbench }) => {
    await open(page, workbench, explained('long::bare', ['@long::east']));
    const node = page.getByLabel('Graph of the explanation').getByLabel(/^東北大学附属図書館敦煌文書蔵 is bare/);
    const text = node.locator('.graph-node > div:has(svg)');
    await expect(text).toContainText('東北大学附属図書館敦煌文書蔵');
    expect(await text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
  });

  test('truncates a long name, and shows it whole in a tooltip', async ({ page, workbench }) => {
    await open(page, workbench, explained('long::bare', ['@long::south']));
    const explanation = page.getByRole('region', { name: 'Explanation' });
    await expect(explanation.locator('header > :first-child').getByText('bare')).toBeInViewport({ ratio: 1 });
    const absent = page.getByRole('tree', { name: 'Proof' }).getByRole('treeitem').filter({ hasText: 'absent' });
    await expect(absent.getByText('any Item')).toBeInViewport({ ratio: 1 });
    const node = page.getByLabel('Graph of the explanation').getByLabel(/^not: Society/);
    await expect(node.getByText('any Item')).toBeInViewport({ ratio: 1 });
    // The name is truncated visually only: screen readers get the whole name.
    await expect(absent).toHaveAccessibleName(
      /^not: Society .*Southern Meadows and their Brooks, Registered has any Item/,
    );
    await absent.locator('.value').first().hover();
    await expect(page.getByRole('tooltip')).toContainText('Brooks, Registered@long::south');
  });
});

test.describe('with a deep proof', () => {
  const DEPTH = 160;
  const links = Array.from({ length: DEPTH }, (_, place) => `fact next(@n${place}, @n${place + 1})`);
  const nodes = Array.from({ length: DEPTH + 1 }, (_, place) => `individual n${place}: Node { name: "N${place}" }`);
  const CHAIN = `module chain
pub concept Node { name: Text }
pub relation next(a: Node, b: Node)
pub derive reach(a: Node, b: Node) when next(a, b)
pub derive reach(a: Node, b: Node) when next(a, between), reach(between, b)
pub derive twice(a: Node, b: Node) when reach(a, b), next(a, between), reach(between, b)
${[...nodes, ...links].join('\n')}
`;
  test.use({ modules: { 'chain.entail': CHAIN }, viewport: { width: 1280, height: 800 } });

  test('draws as many steps as fit, and follows the edges by keyboard', async ({ page, workbench }) => {
    await open(page, workbench, `${explained('chain::reach', ['@chain::n0', `@chain::n${DEPTH}`])}&view=graph`);
    const graph = page.getByLabel('Graph of the explanation');
    await expect(graph).toContainText('27 steps (zoom out to see all)');
    await expect(graph.getByRole('img', { name: 'Map of the graph' })).toBeVisible();
    const step = page.getByRole('region', { name: 'Selected step' });
    await graph.getByRole('group', { name: `reach: a N0, b N${DEPTH}, derived` }).focus();
    // The pane is wider than high, so premises are to the right.
    for (let count = 1; count <= 13; count++) {
      for (const key of ['ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    }
    await expect(step).toContainText(`chain::reach(@chain::n13, @chain::n${DEPTH})`);
    await page.keyboard.press('Enter');
    await expect(graph).toContainText('29 steps');
    await page.keyboard.press('ArrowLeft');
    await expect(step).toContainText(`chain::reach(@chain::n12, @chain::n${DEPTH})`);
    await graph.getByRole('button', { name: 'Show all' }).click();
    await expect(graph).toContainText(`${2 * DEPTH} steps (zoom out to see all)`);
    await graph.getByRole('button', { name: 'Show the whole graph' }).click();
    await expect(graph.locator('.graph-remark')).toHaveText(`${2 * DEPTH} steps`);
    // Zoomed out, steps are plain shapes. The selected one remains the tab stop.
    const last = await lastShape(graph, 'derived');
    await page.mouse.move(last.x, last.y);
    await expect(graph).toHaveAttribute('title', `reach: a N${DEPTH - 1}, b N${DEPTH}`);
    await page.mouse.click(last.x, last.y);
    await expect(step).toContainText(`chain::reach(@chain::n${DEPTH - 1}, @chain::n${DEPTH})`);
    await graph.getByRole('group', { name: `reach: a N${DEPTH - 1}, b N${DEPTH}, derived` }).focus();
    await page.keyboard.press('ArrowLeft');
    await expect(graph.getByRole('group', { name: `reach: a N${DEPTH - 2}, b N${DEPTH}, derived` })).toBeFocused();
    const other = page.getByRole('region', { name: 'Relations' }).getByRole('link', { name: 'twice', exact: true });
    await expect(other).toHaveAccessibleDescription('not evaluated yet');
    await other.click();
    await expect(other).toHaveAccessibleDescription('12,720 facts');
  });

  test('reaches the last step by keyboard, and selects the original of a repeated step in the graph', async ({
    page,
    workbench,
  }) => {
    await open(page, workbench, explained('chain::twice', ['@chain::n0', `@chain::n${DEPTH}`]));
    await page.getByRole('button', { name: 'Expand all' }).click();
    const proof = page.getByRole('tree', { name: 'Proof' });
    await proof.focus();
    await page.keyboard.press('End');
    const selected = proof.getByRole('treeitem', { selected: true });
    await expect(selected).toHaveAttribute('aria-level', String(DEPTH + 1));
    await expect(selected.getByText(`N${DEPTH - 1}`)).toBeInViewport({ ratio: 1 });
    for (const key of ['Home', 'ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    await expect(selected).toContainText(`reach: a N1, b N${DEPTH}see above`);
    const graph = page.getByLabel('Graph of the explanation');
    const original = graph.getByRole('group', { name: `reach: a N1, b N${DEPTH}, derived` });
    await expect(original).toBeInViewport();
    await expect(original.locator('.graph-node')).toHaveAttribute('data-selected', 'true');
  });
});

test.describe('with many premises', () => {
  test.use({
    modules: {
      'loans.entail': `module loans
pub concept Person { name: Text, age: Int }
pub concept Account { name: Text }
/// {holder} holds {account}.
pub relation holds(holder: Person, account: Account)
/// {person} vouches for {other} up to {amount}.
pub relation vouches(person: Person, other: Person, amount: Int)
pub relation barred(person: Person)
pub derive borrower(p: Person) when holds(p, a), vouches(v, p, amount), not barred(v), amount > 100, p.age >= 18
pub check backed(p: Person) when holds(p, _), p.age >= 18, not vouches(_, p, _)
  severity blocking message "nobody vouches for {p.name}"
pub individual ada: Person { name: "Ada", age: 17 }
pub individual bo: Person { name: "Bo", age: 40 }
pub individual cy: Person { name: "Cy", age: 50 }
pub individual current: Account { name: "Current" }
fact holds(@ada, @current)
fact holds(@bo, @current)
pub mutation vouch(v: Person, p: Person, amount: Int) { insert vouches(v, p, amount) }
`,
    },
  });

  test('lists the other premises after the failing one in a why-not, in the sentences of the module', async ({
    page,
    workbench,
  }) => {
    await open(page, workbench, explained('loans::borrower', ['@loans::ada']));
    const why = page.getByRole('tree', { name: 'Why it is false' });
    // The failing premise is selected first.
    await expect(why.getByRole('treeitem', { selected: true })).toContainText('missing');
    await expect(why.getByRole('treeitem')).toHaveText([
      /Ada is borrower.*false/,
      /borrower, clause 1/,
      /Ada holds Current.*declared/,
      /any Person vouches for Ada up to any value|no Person vouches for Ada.*missing/,
      /not barred\(v\).*open/,
      /amount > 100.*open/,
      /p.age is 17, needed >= 18.*also fails/,
    ]);
    await why.getByRole('treeitem', { name: /also fails/ }).click();
    const step = page.getByRole('region', { name: 'Selected step' });
    await expect(step.getByRole('region', { name: 'Clause in the source' }).locator('mark')).toContainText(['p']);
    await show(page, 'Sentences');
    await expect(page.getByRole('region', { name: 'Sentences' })).toContainText('Also, ');
  });

  test('explains a clause for other values, with every premise', async ({ page, workbench }) => {
    await call(workbench, 'loans::vouch', { v: '@loans::cy', p: '@loans::ada', amount: 500 });
    await open(page, workbench, explained('loans::borrower', ['@loans::ada']));
    const why = page.getByRole('tree', { name: 'Why it is false' });
    await expect(why).toContainText('Cy vouches for Ada up to 500');
    await why.getByRole('treeitem', { name: /^borrower, clause 1/ }).click();
    const form = page.getByRole('form', { name: 'Other values' });
    await form.getByRole('combobox', { name: 'v', exact: true }).fill('Bo');
    await expect(page.getByRole('option', { name: /^Bo/ })).toBeVisible();
    await page.keyboard.press('Tab');
    await form.getByRole('textbox', { name: 'amount' }).fill('50');
    await page.keyboard.press('Enter');
    await expect(why.getByRole('treeitem')).toHaveText([
      /Ada is borrower/,
      /borrower, clause 1/,
      /Ada holds Current/,
      /not: Bo is barred.*absent/,
      /Bo vouches for Ada up to 50.*missing/,
      /amount is 50, needed > 100.*also fails/,
      /p.age is 17.*also fails/,
    ]);
    await expect(form.getByRole('textbox', { name: 'amount' })).toBeFocused();
    await page.reload();
    await expect(why).toContainText('Bo vouches for Ada up to 50');
    await why.getByRole('treeitem', { name: /^borrower, clause 1/ }).click();
    await expect(form.getByRole('textbox', { name: 'amount' })).toHaveValue('50');
    await form.getByRole('button', { name: 'Use the closest match' }).click();
    await expect(why).toContainText('Cy vouches for Ada up to 500');
    await expect(form.getByRole('button', { name: 'Apply' })).toBeFocused();
  });

  test('suggests changes that make a fact false, tries one on a fork, and discards it', async ({ page, workbench }) => {
    await call(workbench, 'loans::vouch', { v: '@loans::cy', p: '@loans::bo', amount: 500 });
    await open(page, workbench, explained('loans::borrower', ['@loans::bo']));
    const explanation = page.getByRole('region', { name: 'Explanation' });
    await expect(explanation.getByRole('tree', { name: 'Proof' })).toContainText('Cy vouches for Bo up to 500');
    const opener = explanation.getByRole('button', { name: 'How to make it false' });
    await opener.press('Enter');
    await expect(opener).toHaveAttribute('aria-expanded', 'true');
    const suggestions = page.getByRole('region', { name: 'How to make it false' });
    await expect(suggestions.getByRole('listitem').first()).toContainText(
      /remove.*Cy vouches for Bo up to 500|add.*Cy is barred/,
    );
    const rejected = suggestions.locator('ol > li').filter({ hasText: 'nobody vouches for Bo' });
    await rejected.getByRole('button', { name: 'Why?' }).press('Enter');
    await expect(rejected.getByRole('tree', { name: 'Why it is true' })).toContainText('Bo holds Current');
    await page.reload();
    const suggestion = suggestions.locator('ol > li').filter({ hasText: 'Cy is barred' });
    await suggestion.getByRole('button', { name: 'Try on a fork' }).press('Enter');
    const trial = explanation.getByRole('region', { name: 'Trial' });
    await expect(trial).toContainText('try without Bo is borrower');
    await expect(trial).toContainText('False on fork');
    await expect(explanation.getByRole('tree', { name: 'Why it is false' })).toContainText('Cy is barred');
    await trial.getByRole('button', { name: 'Discard fork' }).click();
    await expect(explanation.getByRole('tree', { name: 'Proof' })).toBeVisible();
  });
});

test.describe('with several modules', () => {
  const BASE = `module base
pub concept Person { name: Text }
pub relation knows(a: Person, b: Person)
pub individual ada: Person { name: "Ada" }
pub individual bo: Person { name: "Bo" }
${Array.from({ length: 90 }, (_, number) => `pub relation r${number}(a: Person)`).join('\n')}
pub relation vip(a: Person)
fact vip(@ada)
`;
  const TOP = `module top
use base::{Person, knows}
concept Club { title: Text, head: Person }
pub derive friends(a: Person, b: Person) when knows(a, b), knows(b, a)
`;
  test.use({ modules: { 'base.entail': BASE, 'top.entail': TOP } });

  test('tries a change on a fork, adds and edits rows, and runs a query in the selected module', async ({
    page,
    workbench,
  }) => {
    await open(page, workbench, explained('top::friends', ['@base::ada', '@base::bo']));
    const suggestions = page.getByRole('region', { name: 'How to make it true' });
    await suggestions.getByRole('button', { name: 'Try on a fork' }).click();
    const trial = page.getByRole('region', { name: 'Trial' });
    await expect(trial).toContainText('True on fork');
    await trial.getByRole('button', { name: 'Discard fork' }).click();
    await expect(trial).toHaveCount(0);

    await test.step('a search covers 40 relations first, and the others on demand', async () => {
      const find = page.getByRole('textbox', { name: 'Find a fact' });
      await find.fill('ada');
      const found = page.getByRole('region', { name: 'Facts found' });
      await expect(found).toContainText('Searched the 40 of 98 relations');
      const vip = found.getByRole('link', { name: 'Ada is vip' });
      await expect(vip).toHaveCount(0);
      await found.getByRole('button', { name: 'Search the other 58' }).press('Enter');
      await expect(found).toContainText('Searched all 98 relations');
      await vip.click();
      await expect(page.getByRole('tree', { name: 'Proof' })).toContainText('Ada is vip');
      await find.fill('bo');
      await expect(found).toContainText('Searched the 40 of 98 relations');
    });

    await page.goto(`${workbench.url}/data?path=top::Club`);
    await page.getByRole('button', { name: 'Add…' }).click();
    const form = page.getByRole('form', { name: 'Add to Club' });
    await form.getByRole('textbox', { name: 'title' }).fill('Chess');
    await form.getByRole('combobox', { name: 'head' }).fill('Ad');
    await page.keyboard.press('Enter');
    await form.getByRole('button', { name: 'Add' }).click();
    await expect(page.getByRole('group', { name: 'Last change' })).toContainText('new Club Chess');
    const grid = page.getByRole('grid', { name: 'Rows' });
    await grid.getByRole('gridcell', { name: 'Ada' }).click();
    await page.keyboard.press('F2');
    const edit = page.getByRole('form', { name: 'Edit head' });
    await edit.getByRole('combobox', { name: 'head' }).fill('B');
    await page.keyboard.press('Enter');
    await edit.getByRole('button', { name: 'Save' }).click();
    await expect(grid.getByRole('gridcell', { name: 'Bo' })).toBeVisible();

    await page.getByRole('link', { name: 'Query', exact: true }).click();
    const module = page.getByRole('combobox', { name: 'Module' });
    await expect(module).toHaveValue('base');
    const text = page.getByRole('textbox', { name: 'Ad-hoc text' });
    await text.click();
    await page.keyboard.type('query heads() -> [Person] { select c.head where Club(c) }');
    await expect(text.locator('.cm-lintRange-error').first()).toHaveText('Club');
    await module.click();
    await page.getByRole('option', { name: 'top' }).click();
    await expect(text.locator('.cm-lintRange-error')).toHaveCount(0);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const result = page.getByRole('region', { name: 'Result' });
    await expect(result.getByRole('link', { name: 'Bo' })).toBeVisible();
    await page.getByRole('button', { name: 'New query' }).click();
    await expect(module).toHaveValue('top');
    await module.click();
    await page.getByRole('option', { name: 'base' }).click();
    await page.reload();
    await expect(module).toHaveValue('base');
    await page.getByRole('tab', { name: 'heads' }).click();
    await expect(module).toHaveValue('top');
  });
});

async function open(page: Page, workbench: ServedWorkbench, address: string): Promise<void> {
  await page.goto(`${workbench.url}${address}#token=${workbench.token}`);
  await expect(page.getByRole('region', { name: 'Selected step' })).toContainText(/Tuple|Premise/);
}

function explained(relation: string, tuple: readonly string[]): string {
  return `/explain?${new URLSearchParams({ relation, tuple: JSON.stringify(tuple) }).toString()}`;
}

/** The saved text of an entry of the export menu. */
async function exported(page: Page, entry: string, file: string): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: entry }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe(file);
  return readFile(await saved.path(), 'utf8');
}

/** Changes facts as another client. */
async function change(workbench: ServedWorkbench, source: string): Promise<void> {
  await post(workbench, '/v1/mutation/adhoc', { source });
}

async function call(workbench: ServedWorkbench, path: string, args: object): Promise<void> {
  await post(workbench, '/v1/dispatch/mutation', { path, args });
}

async function post({ url, token }: ServedWorkbench, path: string, body: object): Promise<void> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}
