/** Accessibility: runs axe on every panel in both themes and at two sizes, and checks focus, contrast and forced colours. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator, Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { holdResponses } from './support/held-responses.js';
import { explainLiable } from './support/main-journey.js';
import { expect, type ModuleTexts, type ServedWorkbench, test } from './support/served-workbench.js';
import { show } from './support/steps.js';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare global {
  interface Window {
    readonly axe: { run(options: RunOptions): Promise<AxeResults> };
  }
}

/** The axe rules whose result depends on the theme. */
const COLOUR_RULES: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/** Text contrast of WCAG level AAA. axe has no rule for the contrast of other parts at that level. */
const ENHANCED_CONTRAST: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast-enhanced'] } };

test.use({
  // axe would measure colours in the middle of an animation.
  reducedMotion: 'reduce',
  page: async ({ page }, use) => {
    await page.addInitScript(axeSource);
    await use(page);
  },
});

/** Every panel: `ready` is visible once its content has loaded, `work` is its main pane. */
const panels = [
  {
    name: 'Module',
    ready: (page: Page) => page.getByText('In sync with server'),
    work: (page: Page) => page.getByRole('tabpanel', { name: 'lease.entail' }),
  },
  {
    name: 'Invoke',
    ready: (page: Page) => page.getByRole('button', { name: 'Run', exact: true }),
    work: (page: Page) => page.getByRole('region', { name: 'Arguments' }),
  },
  {
    name: 'Query',
    ready: (page: Page) => page.getByRole('button', { name: 'Use this example' }),
    work: (page: Page) => page.getByRole('tabpanel', { name: /^Text of/ }),
  },
  {
    name: 'Data',
    ready: (page: Page) => page.getByRole('grid').getByRole('link', { name: 'ELM-12' }),
    work: (page: Page) => page.getByRole('region', { name: 'List' }),
  },
  {
    name: 'Explain',
    ready: (page: Page) => page.getByRole('tree').getByRole('treeitem').first(),
    work: (page: Page) => page.getByRole('region', { name: 'Outline' }),
  },
  {
    name: 'Forks',
    ready: (page: Page) => page.getByRole('tree', { name: 'Forks' }).getByRole('treeitem'),
    work: (page: Page) => page.getByRole('region', { name: 'Fork main' }),
  },
  {
    name: 'Checks',
    ready: (page: Page) => page.getByRole('region', { name: 'unguaranteed' }).getByRole('link').first(),
    work: (page: Page) => page.getByRole('region', { name: 'All violations' }),
  },
  {
    name: 'Tests',
    ready: (page: Page) => page.getByRole('tree', { name: 'Tests' }).getByRole('treeitem').first(),
    work: (page: Page) => page.getByRole('region', { name: 'Test', exact: true }),
  },
  {
    name: 'Log',
    ready: (page: Page) =>
      page
        .getByRole('listbox', { name: 'Requests, newest first' })
        .or(page.getByRole('heading', { name: /^(No|Only workbench) requests/ })),
    work: (page: Page) => page.getByRole('region', { name: 'Requests' }),
  },
  {
    name: 'Settings',
    ready: (page: Page) => page.getByRole('region', { name: 'curl', exact: true }),
    work: (page: Page) => page.getByRole('region', { name: 'Connect', exact: true }),
  },
];

test.describe('both themes', () => {
  test('passes axe on every panel, with one heading of its name', async ({ page, workbench }) => {
    await page.goto(workbench.address);
    for (const { name, ready } of panels) {
      await rail(page).getByRole('link', { name, exact: true }).click();
      await expect(ready(page), name).toBeVisible();
      await expect(page.getByRole('heading', { name, exact: true })).toHaveCount(1);
      expect.soft(await violations(page), name).toEqual([]);
      expect.soft(await duplicateIds(page), name).toEqual([]);
    }
    // 640×400 is 1280×800 at 200 % zoom. The main pane must stay visible, rather than the list beside it.
    await page.setViewportSize({ width: 640, height: 400 });
    for (const { name, ready, work } of panels) {
      await rail(page).getByRole('link', { name, exact: true }).click();
      await expect(ready(page), name).toBeVisible();
      await expect.poll(() => visibleHeight(page, work(page)), name).toBeGreaterThanOrEqual(196);
      expect.soft(await violationsIn(page, 'light', {}), name).toEqual([]);
    }
  });
  test('passes axe on completions, references, rename, fixes and find of the editor', async ({ page, workbench }) => {
    await open(page, workbench, 'Module');
    const source = page.getByRole('textbox', { name: 'Source of lease.entail' });
    await expect(panels[0]?.ready(page) ?? source).toBeVisible();
    await source.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('pub derive cheap(l: Lease) when Lease(l), l.');
    await expect(page.getByRole('option', { name: /^rent/ })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+F12');
    await expect(page.getByRole('region', { name: 'References' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await source.focus();
    await page.keyboard.press('F2');
    await expect(page.getByRole('textbox', { name: /^New name of/ })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\npub fn one() -> Itn = 1');
    await expect(page.getByTitle('Fixes for this line (Ctrl+.)')).toBeVisible();
    await page.keyboard.press('Control+h');
    await expect(page.getByRole('search', { name: 'Find in the text' })).toBeVisible();
    await page.keyboard.type('lease');
    expect(await violations(page)).toEqual([]);
  });
  test('passes axe on unsaved changes, the preview of a save, and the changes of a reload', async ({
    page,
    workbench,
  }) => {
    await open(page, workbench, 'Module');
    const source = page.getByRole('textbox', { name: 'Source of lease.entail' });
    await source.press('Control+End');
    const added = [
      '/// {l} is cheap.',
      'pub derive cheap(l: Lease) when Lease(l), l.rent < 2000',
      'pub check tooCheap(l: Lease) when cheap(l) severity warning message "{l.code} is too cheap"',
    ];
    await page.keyboard.insertText(`\n${added.join('\n')}\n`);
    await page.getByRole('button', { name: 'History' }).click();
    await expect(page.getByRole('region', { name: 'Text changes' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'Changes on save' });
    await expect(preview.getByRole('region', { name: 'Conclusions' })).toContainText('ELM-12 is cheap');
    expect(await violations(page)).toEqual([]);
    await preview.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Show changes' }).click();
    const changes = page.getByRole('region', { name: 'Changes of the last reload' });
    await expect(changes.getByRole('region', { name: 'New violations' })).toContainText('is too cheap');
    expect(await violations(page)).toEqual([]);
  });
  test('passes axe on a save that conflicts with stored facts', async ({ page, workbench }) => {
    await post(workbench, '/v1/dispatch/mutation', SIGN);
    await open(page, workbench, 'Module');
    const source = page.getByRole('textbox', { name: 'Source of lease.entail' });
    await source.getByText('rent: Decimal where value > 0').first().click();
    await page.keyboard.press('Home');
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: /^New name of/ }).fill('price');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('combobox', { name: 'New name of lease::Lease.rent' })).toHaveValue(
      'lease::Lease.price',
    );
    await page.getByText(/^Conflicts: /).click();
    await expect(page.getByRole('link', { name: /rent/ }).first()).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
  test('passes axe on the diagram, alone and beside the source', async ({ page, workbench }) => {
    await open(page, workbench, 'Module');
    await page.getByRole('radiogroup', { name: 'View' }).getByText('Diagram').click();
    const diagram = page.getByRole('application', { name: 'Schema diagram' });
    await diagram.getByText('Lease', { exact: true }).click();
    await expect(page.getByRole('region', { name: 'Selected declaration' })).toContainText('A contract over one unit');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('radiogroup', { name: 'View' }).getByText('Split').click();
    await expect(page.getByRole('textbox', { name: 'Source of lease.entail' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
  test('passes axe on a why-not, its trial on a fork, found facts and sentences', async ({ page, workbench }) => {
    await open(page, workbench, 'Explain');
    await explainLiable(page, 'Harbour Bank', 'QUAY-5');
    await expect(page.getByRole('region', { name: 'How to make it true' })).toContainText('guarantees');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try on a fork' }).first().click();
    await expect(page.getByRole('region', { name: 'Trial' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Find a fact' }).fill('ada');
    await expect(page.getByRole('region', { name: 'Facts found' }).getByRole('link').first()).toBeVisible();
    await page.getByRole('button', { name: 'Export' }).click();
    await expect(page.getByRole('menuitem', { name: 'Graph as SVG' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByText('Sentences', { exact: true }).click();
    await expect(page.getByRole('region', { name: 'Sentences' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
  test('passes axe on variables in fields, in their sheet and in their menu', async ({ page, workbench }) => {
    await open(page, workbench, 'Invoke');
    await page.getByRole('link', { name: 'sign', exact: true }).click();
    await page.getByRole('textbox', { name: 'code' }).fill('{{lease}}');
    await expect(page.getByText('Unknown variable lease')).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Define lease' }).click();
    await page.getByRole('textbox', { name: 'Value of lease' }).fill('L1');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Environment' }).fill('demo');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('lease = L1')).toBeVisible();
    await page.getByRole('button', { name: 'Use a variable for code' }).click();
    await expect(page.getByRole('menuitem', { name: 'lease' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    for (const field of ['code', 'rent']) {
      await page.getByRole('textbox', { name: field }).fill('{{');
      await expect(page.getByRole('option', { name: 'lease L1' })).toBeVisible();
      expect(await violations(page)).toEqual([]);
    }
  });
  test('passes axe on test results and coverage', async ({ page, workbench }) => {
    await open(page, workbench, 'Tests');
    await page.getByRole('button', { name: 'Run all' }).click();
    await expect(page.getByRole('contentinfo')).toContainText('3 of 3 tests pass');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: /^Coverage/ }).click();
    await page.getByRole('button', { name: 'Measure' }).click();
    await page.getByText(/^All \d/).click();
    await expect(page.getByRole('region', { name: 'Tested', exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Measure again' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
  test('passes axe on a logged failure, a comparison of requests, and the error codes', async ({ page, workbench }) => {
    await open(page, workbench, 'Log');
    await fetch(`${workbench.url}/v1/nothing`);
    await page.getByRole('option', { name: /CAPABILITY_DENIED/ }).click();
    await page.mouse.move(0, 0);
    await expect(page.getByRole('region', { name: 'Failure' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await fetch(`${workbench.url}/v1/nothing`, { headers: { authorization: `Bearer ${workbench.token}` } });
    await expect(page.getByRole('option', { name: /nothing/ })).toHaveCount(2);
    await page.getByRole('button', { name: 'Compare with…' }).click();
    await expect(page.getByRole('listbox', { name: 'Requests, newest first' })).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('region', { name: 'Differences' })).toBeVisible();
    await page.mouse.move(0, 0);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'SVC_RUNTIME_CAPABILITY_DENIED' }).click();
    await expect(page.getByRole('region', { name: 'Error codes' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });

  test('passes axe on a repro bundle with its proof, and on an invalid one', async ({ page, workbench }) => {
    await open(page, workbench, 'Log');
    await fetch(`${workbench.url}/v1/dispatch/mutation`, {
      method: 'POST',
      headers: { authorization: `Bearer ${workbench.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ path: 'lease::sign', args: { tenant: '@lease::ada', code: 'NEW-1', rent: '640' } }),
    });
    await page.getByRole('option', { name: /CHECK_VIOLATION/ }).click();
    await page.getByRole('button', { name: 'More' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Save repro bundle' }).click();
    const saved = readFileSync(await (await downloading).path());
    const files = [
      { name: 'sign.repro.json', buffer: saved, shown: page.getByRole('region', { name: 'Proof', exact: true }) },
      { name: 'none.repro.json', buffer: Buffer.from('{}'), shown: page.getByText('not a repro bundle.') },
    ];
    for (const { name, buffer, shown } of files) {
      const choosing = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Open repro bundle' }).click();
      await (await choosing).setFiles({ name, mimeType: 'application/json', buffer });
      await expect(shown).toBeVisible();
      await page.mouse.move(0, 0);
      expect(await violations(page)).toEqual([]);
    }
  });

  test('passes axe on every section of the settings', async ({ page, workbench }) => {
    await open(page, workbench, 'Settings');
    const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
    await expect(sections).toHaveCount(7);
    for (const section of await sections.all()) {
      await section.click();
      await expect(section).toHaveAttribute('aria-current', 'true');
      expect.soft(await violations(page), await section.innerText()).toEqual([]);
    }
    await page.getByRole('textbox', { name: 'Find in Settings' }).fill('timeout');
    await page.getByRole('link', { name: /^Request timeout/ }).click();
    await expect(page.getByRole('row', { name: /^Request timeout/ })).toBeInViewport();
    expect(await violations(page)).toEqual([]);
  });
  test('passes axe on the comparison, history, promotion, discarding and performance of forks', async ({
    page,
    workbench,
  }) => {
    await forkWithChanges(workbench);
    await open(page, workbench, 'Forks');
    await page.getByRole('treeitem', { name: /what-if/ }).click();
    await page.getByRole('button', { name: 'New fork' }).click();
    await page.getByRole('button', { name: 'Discard…' }).click();
    const conclusions = page.getByRole('region', { name: 'Conclusions' });
    await conclusions.getByRole('button', { expanded: false }).first().click();
    await expect(conclusions.getByRole('link', { name: 'Why? on what-if' }).first()).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('radiogroup', { name: 'Fork view' }).getByText('History').click();
    const history = page.getByRole('list', { name: 'Transactions, newest first' });
    await history.getByRole('button').first().click();
    await expect(page.getByRole('region', { name: 'Conclusions' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Promote…' }).click();
    await expect(page.getByText('All blocking checks pass')).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close the sheet' }).click();
    await page.getByText('Performance', { exact: true }).click();
    await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Profile by rule' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.getByText('Rounds', { exact: true }).click();
    await expect(page.getByRole('region', { name: 'Evaluation trace by round' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
  test('passes axe on a filtered history, a revert, a fork of an earlier transaction, conflicts and a cherry-pick', async ({
    page,
    workbench,
  }) => {
    await post(workbench, '/v1/dispatch/mutation', SIGN);
    await post(workbench, '/v1/forks', { id: 'raise' });
    const raise = (percent: number) => ({ path: 'lease::raiseRent', args: { lease: '#i1', percent } });
    await post(workbench, '/v1/forks/raise/dispatch/mutation', raise(10));
    await post(workbench, '/v1/dispatch/mutation', raise(5));
    await page.goto(
      `${workbench.url}/forks?show=main&view=history&about=%23i1&changed=lease::Lease.rent#token=${workbench.token}`,
    );
    const entries = page.getByRole('list', { name: 'Transactions, newest first' }).locator('> li > button');
    await entries.first().click();
    await page.getByRole('button', { name: 'Revert…' }).click();
    await expect(page.getByText('All blocking checks pass')).toBeVisible();
    await page.getByRole('button', { name: 'New fork as of here' }).click();
    await expect(page.getByRole('form', { name: 'New fork' })).toContainText('as of transaction');
    expect(await violations(page)).toEqual([]);
    await page.goto(`${workbench.url}/forks?show=raise&sheet=promote`);
    await expect(page.getByRole('region', { name: 'Conflicts' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.goto(`${workbench.url}/forks?show=raise&view=history`);
    await entries.first().click();
    await page.getByRole('button', { name: 'Cherry-pick…' }).click();
    await expect(page.getByRole('region', { name: 'Changes', exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Changes on main' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
  test('passes axe on pages of the docs and their search results', async ({ page, workbench }) => {
    for (const place of ['guides/explain', 'errors', 'language?find=import']) {
      await page.goto(`${workbench.url}/docs/${place}#token=${workbench.token}`);
      await expect(page.getByRole('article').getByRole('heading').first()).toBeVisible();
      expect(await violations(page), place).toEqual([]);
    }
  });
  test('passes axe on the grounds of a proof, changes that make it false, and other values of a clause', async ({
    page,
    workbench,
  }) => {
    const ask = (tuple: string, view: string) =>
      page.goto(`${workbench.url}/explain?relation=lease::liable&tuple=${tuple}&${view}#token=${workbench.token}`);
    await ask('["@lease::northgate","@lease::elm12Lease"]', 'view=grounds&proofs=10&ending=yes');
    await expect(page.getByText('in all', { exact: true }).first()).toBeVisible();
    await expect(page.getByRole('region', { name: 'How to make it false' })).toContainText('declared in the module');
    expect(await violations(page)).toEqual([]);
    await ask('["@lease::harbour","@lease::quay5Lease"]', '');
    await expect(page.getByRole('treeitem', { name: /missing/ }).first()).toBeVisible();
    await page
      .getByRole('treeitem', { name: /^liable, clause 2/ })
      .first()
      .click();
    await expect(page.getByRole('form', { name: 'Other values' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
  test('passes axe on a query: its results, a selected row, its profile, and a text with errors', async ({
    page,
    workbench,
  }) => {
    await open(page, workbench, 'Query');
    await page.getByRole('button', { name: 'Use this example' }).press('Enter');
    await expect(page.getByRole('textbox', { name: 'Ad-hoc text' })).toBeFocused();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('region', { name: 'Rows' }).focus();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('region', { name: 'Row', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByRole('tree', { name: 'Schema' }).focus();
    expect(await violations(page)).toEqual([]);
    const form = page.getByRole('radiogroup', { name: 'Result as' });
    await form.getByText('Chart').click();
    await expect(page.getByRole('list', { name: 'rent by code' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await form.getByText('Graph').click();
    await expect(page.getByRole('application', { name: 'Result as graph' })).toContainText('ELM-12');
    expect(await violations(page)).toEqual([]);
    await form.getByText('Table').click();
    await page.getByRole('button', { name: 'Explain this row' }).click();
    await expect(page.getByRole('tree', { name: 'Row proof' })).toBeVisible();
    await page.getByRole('button', { name: 'Save…' }).click();
    await expect(page.getByRole('textbox', { name: 'Note' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Profile' }).click();
    await expect(page.getByRole('region', { name: 'Profile by rule' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close profile' }).click();
    await page.getByRole('button', { name: 'Find in the result' }).click();
    await page.keyboard.type('a');
    await expect(page.locator('[data-found="true"]')).toHaveCount(1);
    expect(await violations(page)).toEqual([]);
    await page.getByText('JSON', { exact: true }).click();
    await expect(page.getByRole('tree', { name: 'Result as JSON' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page
      .getByRole('textbox', { name: 'Ad-hoc text' })
      .fill('query q(n: Int) -> [Text] { select x where Nothing(x) }');
    await expect(page.getByRole('textbox', { name: 'n', exact: true })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
  test('passes axe on a rejected call, a dry run, the history, a batch and a script', async ({ page, workbench }) => {
    await open(page, workbench, 'Invoke');
    await page.getByRole('link', { name: 'end', exact: true }).click();
    await page.getByRole('combobox', { name: 'lease' }).fill('nobody');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Result', exact: true })).toContainText(
      'SVC_RUNTIME_VALIDATION_FAILED',
    );
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'register', exact: true }).click();
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('Vera');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await expect(page.getByRole('region', { name: 'Changes' })).toBeVisible();
    await show(page, 'History');
    await page.getByRole('checkbox', { name: 'Select register' }).check();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'As batch' }).click();
    await expect(page.getByRole('listitem', { name: 'Step 0' })).toBeVisible();
    await page.getByRole('button', { name: 'Dry run', exact: true }).click();
    await expect(page.getByRole('radiogroup', { name: 'Results as' })).toBeVisible();
    await page.getByRole('combobox', { name: 'Callable of the next step' }).fill('sign');
    await page.getByRole('option', { name: 'sign', exact: true }).click();
    await page.getByRole('button', { name: 'Add step' }).click();
    await page.getByRole('button', { name: 'Use a step result for tenant' }).click();
    await page.getByRole('menuitem', { name: 'Result of step 0, register' }).click();
    await expect(page.getByRole('combobox', { name: 'tenant' })).toHaveValue('Result of step 0, register');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'As script' }).click();
    await expect(page.getByRole('dialog')).toContainText('#!/bin/sh');
    expect(await violations(page)).toEqual([]);
  });
  test('passes axe on an import: rows with errors, rejected rows, the dry run and the outcome', async ({
    page,
    workbench,
  }) => {
    await open(page, workbench, 'Data');
    await page
      .getByRole('region', { name: 'Facts' })
      .getByRole('link', { name: /^Lease / })
      .click();
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Import' });
    const source = panel.getByRole('textbox', { name: 'CSV or JSON' });
    const outcome = panel.getByRole('region', { name: 'Outcome' });
    await source.fill('tenant,code,rent\nchidi,NEW-1,700\nada,NEW-2,cheap\n');
    await panel.getByRole('button', { name: 'Import 2 rows' }).click();
    await expect(panel.getByRole('region', { name: 'Rows with errors' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await source.fill('tenant,code,rent\nchidi,NEW-1,700\nghost,NEW-2,640\n');
    await panel.getByRole('button', { name: 'Import 2 rows' }).click();
    await expect(panel.getByRole('region', { name: 'Rejected rows' })).toContainText('ghost');
    expect(await violations(page)).toEqual([]);
    await source.fill('tenant,code,rent\nchidi,NEW-1,700\nemil,NEW-2,640\n');
    await panel.getByRole('button', { name: 'Dry run' }).click();
    await expect(outcome).toContainText('ready to import (dry run)');
    expect(await violations(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Import 2 rows' }).click();
    await expect(outcome).toContainText('2 rows');
    expect(await violations(page)).toEqual([]);
  });
  test('passes axe on the menus of a grid, a cell editor, staged changes, and the calls for an individual', async ({
    page,
    workbench,
  }) => {
    await post(workbench, '/v1/dispatch/mutation', SIGN);
    await open(page, workbench, 'Data');
    await page.getByRole('gridcell', { name: '700', exact: true }).dblclick();
    const form = page.getByRole('form', { name: 'Edit rent' });
    await form.getByRole('textbox').fill('-1');
    await page.keyboard.press('Enter');
    await expect(form).toContainText('to satisfy value > 0');
    expect(await violations(page)).toEqual([]);
    const raise = 'mutation raise() { for l in (select l where Lease(l), l.rent == 700) { set l.rent = 800 } }';
    await post(workbench, '/v1/mutation/adhoc', { source: raise });
    await expect(form).toContainText('Someone else changed it to 800');
    expect(await violations(page)).toEqual([]);
    await form.getByRole('button', { name: 'Keep mine' }).click();
    await form.getByRole('textbox').fill('900');
    await form.getByRole('button', { name: 'Stage' }).click();
    await page.getByRole('button', { name: 'Review…' }).click();
    const staged = page.getByRole('region', { name: 'Staged changes' });
    await expect(staged).toContainText('nothing saved');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('grid', { name: 'Rows' }).press('Delete');
    await expect(staged).toContainText('Lease deleted');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Add…' }).click();
    await page.getByRole('form', { name: 'Add to Lease' }).getByRole('button', { name: 'Add' }).click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close the sheet' }).click();
    await page.getByRole('gridcell', { name: 'ELM-12' }).click({ button: 'right' });
    await expect(page.getByRole('menu', { name: 'Cell' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'status' }).click();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('grid', { name: 'Rows' }).press('Control+a');
    await page.getByRole('button', { name: 'Copy' }).click();
    await expect(page.getByRole('menuitem', { name: 'As CSV' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByRole('gridcell', { name: 'ELM-12' }).getByRole('link').click();
    await page.getByRole('button', { name: 'Use in call' }).click();
    await expect(page.getByRole('menuitem').first()).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
});

/** Empty states: a module without facts, callables, checks and tests, and no module at all. */
const EMPTY_MODULES: readonly { readonly name: string; readonly modules: ModuleTexts }[] = [
  {
    name: 'an empty module',
    modules: { 'blank.entail': 'module blank\n\npub concept Thing { name: Text }\n' },
  },
  { name: 'no module', modules: {} },
];

for (const { name, modules } of EMPTY_MODULES) {
  test.describe(`with ${name}`, () => {
    test.use({ modules });
    test('passes axe on every panel', async ({ page, workbench }) => {
      test.slow();
      await page.goto(workbench.address);
      for (const { name } of panels) {
        await rail(page).getByRole('link', { name, exact: true }).click();
        await expect(page.getByRole('heading', { level: 1, name })).toBeAttached();
        await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
        expect.soft(await violations(page), name).toEqual([]);
      }
    });
  });
}

for (const state of ['fails', 'never responds'] as const) {
  test(`passes axe on every panel while the server ${state}`, async ({ page, workbench }) => {
    test.slow();
    await page.route(/\/v1\/(?!health|module($|\?))/, async (route) => {
      if (state === 'fails') await route.fulfill({ status: 500, contentType: 'application/json', body: FAILURE });
    });
    await page.goto(workbench.address);
    for (const { name } of panels) {
      await rail(page).getByRole('link', { name, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1, name })).toBeAttached();
      if (name !== 'Settings') {
        const shown =
          state === 'fails' ? page.getByRole('main').getByText('The disk refuses to be read.') : loading(page);
        await expect(shown.first(), name).toBeVisible();
      }
      expect.soft(await violations(page), name).toEqual([]);
    }
  });
}

test.describe('with a rule that cannot be evaluated', () => {
  const SHARES =
    'module shares\n\npub concept Heir { age: Int }\npub individual ada: Heir { age: 0 }\npub derive share(h: Heir, part: Int) when Heir(h), let part = 100 div h.age\n';
  test.use({ modules: { 'shares.entail': SHARES } });
  test('passes axe on the errors of its tuples and of a proof', async ({ page, workbench }) => {
    await open(page, workbench, 'Explain');
    await page.goto(`${workbench.url}/explain?relation=shares::share&tuple=["@shares::ada",1]`);
    await expect(page.getByRole('alert')).toHaveCount(2);
    expect(await violations(page)).toEqual([]);
  });
});

const FAILURE = JSON.stringify({
  error: { code: 'SVC_RUNTIME_STORAGE_ERROR', message: 'The disk refuses to be read.', details: {} },
  requestId: 'r-1',
  moduleHash: '',
});

test.describe('overlays', () => {
  test('passes axe on the palette, the fork menu, the help menu, the tour, the problems and an alert', async ({
    page,
    workbench,
  }) => {
    await open(page, workbench, 'Module');
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog', { name: 'Go to or run' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Fork/ }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Help' }).click();
    await page.getByRole('menuitem', { name: 'Tour' }).hover();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Help' })).toBeFocused();
    await page.getByRole('button', { name: 'Take the tour' }).click();
    await expect(page.getByRole('link', { name: 'Show in Module' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: /errors/ }).click();
    await expect(page.getByRole('region', { name: 'Problems' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.locator('main').evaluate((main) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([''], 'picture.png'));
      main.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    });
    await expect(page.getByRole('alert').filter({ hasText: 'picture.png is not a module' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });

  test('passes axe on live results, with changed rows, counts and arguments', async ({ page, workbench }) => {
    await open(page, workbench, 'Module');
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    const live = page.getByRole('region', { name: 'Live', exact: true });
    await page.locator('.cm-line').filter({ hasText: 'module lease' }).click();
    await expect(live).toContainText('Nothing at the cursor');
    expect(await violations(page)).toEqual([]);
    const outline = page.getByRole('region', { name: 'Outline' });
    await outline.getByRole('button', { name: /^query answersFor/ }).click();
    await expect(live).toContainText('Enter party to see the result.');
    expect(await violations(page)).toEqual([]);
    await outline.getByRole('button', { name: /^derive active/ }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(', l.rent > 1000');
    await expect(live.getByRole('row').filter({ hasText: 'MILL-2' })).toHaveAttribute('data-mark', 'removed');
    await live.getByText('Examples').first().click();
    expect(await violations(page)).toEqual([]);
  });

  test('passes axe on the timeline, the past, and the changes since', async ({ page, workbench }) => {
    await post(workbench, '/v1/dispatch/mutation', SIGN);
    await open(page, workbench, 'Data');
    await page.getByRole('button', { name: 'Timeline' }).click();
    const timeline = page.getByRole('dialog', { name: 'Timeline' });
    await expect(timeline.getByRole('listitem').first()).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await timeline.getByRole('button', { name: 'Before the first transaction' }).click();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Timeline' })).toBeFocused();
    const past = page.getByRole('region', { name: 'Past' });
    await expect(past.getByRole('status')).toContainText('before the first transaction');
    expect(await violations(page)).toEqual([]);
    await past.getByRole('link', { name: 'Changes since' }).click();
    await expect(page.getByRole('combobox', { name: 'Compare to' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });

  test('passes axe on list boxes and menus', async ({ page, workbench }) => {
    await forkWithChanges(workbench);
    await open(page, workbench, 'Forks');
    await page.getByRole('treeitem', { name: /what-if/ }).click();
    await page.getByRole('combobox', { name: 'Compare with' }).click();
    await expect(page.getByRole('listbox', { name: 'Compare with' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await rail(page).getByRole('link', { name: 'Log' }).click();
    await page.getByRole('combobox', { name: 'Code' }).click();
    await expect(page.getByRole('listbox', { name: 'Code' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: /sign/ }).click();
    await page.getByRole('button', { name: 'More' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });

  test('passes axe on addresses of missing facts, forks and requests', async ({ page, workbench }) => {
    await open(page, workbench, 'Explain');
    for (const [address, words] of [
      ['/explain?relation=lease::nothing', 'nothing not found'],
      ['/explain?relation=lease::active&tuple=["ghost"]', 'SVC_RUNTIME_EXPLAIN_UNRESOLVED_INDIVIDUAL'],
      ['/forks?show=nowhere', 'No fork nowhere'],
      ['/log?request=nothing', 'There is no request "nothing" in the log'],
    ] as const) {
      await page.goto(workbench.url + address);
      await expect(page.getByText(words).first()).toBeVisible();
      expect(await violations(page), address).toEqual([]);
    }
  });
});

test('opens a callable from the palette by keyboard alone', async ({ page, workbench }) => {
  await open(page, workbench, 'Module');
  await page.getByRole('textbox', { name: /^Source of/ }).focus();
  // The palette also receives keys pressed before it has the focus.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('rentByTenant');
  const palette = page.getByRole('dialog', { name: 'Go to or run' });
  await expect(palette.getByLabel('Go to or run', { exact: true })).toHaveValue('rentByTenant');
  await expect(palette).toContainText('rentByTenant');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/call=lease/);
  await expect(page.getByRole('heading', { name: 'rentByTenant' })).toBeVisible();
  await expect(page.getByRole('main'), 'the editor that had the focus is gone').toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1);
});

test('returns the focus to the fork menu after it creates a fork', async ({ page, workbench }) => {
  await open(page, workbench, 'Checks');
  const fork = page.getByRole('button', { name: /^Fork / });
  await fork.press('Enter');
  await expect(page.getByRole('textbox', { name: 'New fork of main' })).toBeFocused();
  await page.keyboard.type('what-if');
  await page.keyboard.press('Enter');
  await expect(fork).toContainText('what-if');
  await expect(fork).toBeFocused();
});

test('returns the focus to a disabled button once its request is done', async ({ page, workbench }) => {
  await page.goto(`${workbench.url}/invoke?call=lease%3A%3AleaseCount#token=${workbench.token}`);
  const release = await holdResponses(page, '**/v1/dispatch/query*');
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await run.press('Enter');
  await expect(run).toBeDisabled();
  await expect(run).not.toBeFocused();
  release();
  await expect(run).toBeFocused();
});

test('gives all text a contrast of 7:1 if the system asks for more contrast', async ({ page, workbench }) => {
  await page.emulateMedia({ contrast: 'more' });
  await page.goto(workbench.address);
  for (const { name, ready } of panels) {
    await rail(page).getByRole('link', { name, exact: true }).click();
    await expect(ready(page).first(), name).toBeVisible();
    for (const scheme of ['light', 'dark'] as const) {
      expect.soft(await violationsIn(page, scheme, ENHANCED_CONTRAST), name).toEqual([]);
    }
  }
});

test('marks selected and checked controls in forced colours', async ({ page, workbench }) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  await open(page, workbench, 'Module');
  await page.getByRole('radiogroup', { name: 'View' }).getByText('Diagram').click();
  const background = (control: Locator): Promise<string> =>
    control.evaluate((element) => getComputedStyle(element).backgroundColor);
  const enums = page.getByRole('checkbox', { name: 'Enums' });
  const onColour = await background(enums);
  expect(await background(page.locator('.mantine-SegmentedControl-indicator').first())).toBe(onColour);
  await enums.uncheck();
  expect(await background(enums)).not.toBe(onColour);
  await page.getByRole('link', { name: 'Invoke', exact: true }).click();
  const selected = page.getByRole('link', { name: 'activeLeases', exact: true });
  await expect(selected).toHaveAttribute('aria-current', 'true');
  expect(await background(selected)).toBe(onColour);
  expect(await background(page.getByRole('link', { name: 'answersFor', exact: true }))).not.toBe(onColour);
  const live = page.getByRole('switch', { name: 'Live' });
  await expect(live.locator('xpath=following-sibling::*[1]')).toHaveCSS('border-top-width', '1px');
});

async function open(page: Page, workbench: ServedWorkbench, panel: string): Promise<void> {
  await page.goto(`${workbench.url}/${panel.toLowerCase()}#token=${workbench.token}`);
  // Once the page has handled a click, its key handlers are attached too.
  await rail(page).getByRole('link', { name: panel, exact: true }).click();
}

const SIGN = { path: 'lease::sign', args: { tenant: '@lease::dana', code: 'NEW-1', rent: 700 } };

async function forkWithChanges(workbench: ServedWorkbench): Promise<void> {
  await post(workbench, '/v1/forks', { id: 'what-if' });
  await post(workbench, '/v1/forks/what-if/dispatch/mutation', SIGN);
}

async function post({ url, token }: ServedWorkbench, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.ok, await response.text()).toBe(true);
}

function rail(page: Page) {
  return page.getByRole('navigation', { name: 'Panels' });
}

/** The visible height of a pane in pixels, between the bars of the page. */
async function visibleHeight(page: Page, pane: Locator): Promise<number> {
  const [box, main] = await Promise.all([pane.boundingBox(), page.getByRole('main').boundingBox()]);
  if (box === null || main === null) return 0;
  return Math.min(box.y + box.height, main.y + main.height) - Math.max(box.y, main.y);
}

/** The loading state. Some panels name what they load, so their status has no name. */
function loading(page: Page) {
  return page.getByRole('status', { name: 'Loading' }).or(page.getByRole('main').getByRole('status'));
}

/** Ids that several elements have. A link or label that refers to one could reach the wrong element. */
function duplicateIds(page: Page): Promise<string[]> {
  return page.locator('[id]').evaluateAll((elements) => {
    const ids = elements.map(({ id }) => id);
    return ids.filter((id, place) => ids.indexOf(id) !== place);
  });
}

/**
 * The violations that axe finds, one line each: by all rules in the current theme, then by the colour rules in the other
 * theme. The page stays in the other theme.
 */
async function violations(page: Page): Promise<string[]> {
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const [first, second] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  return [...(await violationsIn(page, first, {})), ...(await violationsIn(page, second, COLOUR_RULES))];
}

async function violationsIn(page: Page, colorScheme: 'light' | 'dark', options: RunOptions): Promise<string[]> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(endOfTransitions);
  const { violations } = await page.evaluate(
    // The preload is for media that play, and would fetch all style sheets again.
    (given) => window.axe.run({ ...given, resultTypes: ['violations'], preload: false }),
    options,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${colorScheme}: ${id}: ${html} — ${failureSummary}`),
  );
}

/**
 * Waits for CSS transitions, since axe would measure a colour between two themes. They start within two frames after the
 * theme changes. Endless animations are not waited for. A transition of a removed element is rejected, which is fine too.
 */
async function endOfTransitions(): Promise<void> {
  const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
  const transitions = (): Animation[] =>
    document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  await frame();
  await frame();
  for (let running = transitions(); running.length > 0; running = transitions()) {
    await Promise.allSettled(running.map((transition) => transition.finished));
    await frame();
  }
}
