/** The page of `entail serve`: token, content security policy, bundles, addresses, and layout at 200 % zoom. */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Locator, Page } from '@playwright/test';
import { expect, type ServedWorkbench, test } from './support/served-workbench.js';
import { repository, withTemporaryFolder } from './support/temporary-folder.js';

test('opens on the Module panel, requests its data once, and removes the token from the address', async ({
  page,
  workbench,
}) => {
  const requested: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/v1\/(schema|tests|checks\/states)$/.test(pathname)) requested.push(pathname);
  });
  // Holds back the page's code until the last of the early requests.
  const lastRequest = page.waitForRequest(/\/v1\/tests/);
  await page.route(/assets\/index-.*\.js/, async (route) => {
    await lastRequest;
    await route.continue();
  });
  // Once the event stream is open, the page repeats requests whose data may have changed before.
  await page.route('**/v1/events', () => undefined);
  await page.goto(workbench.address);
  await expect(page.getByRole('link', { name: 'Module' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Checks' })).toHaveAccessibleDescription(/Violations/);
  expect(requested).toEqual(['/v1/schema', '/v1/checks/states', '/v1/tests']);
  expect(page.url()).not.toContain(workbench.token);

  await test.step('asks for the token in a tab without it', async () => {
    const other = await page.context().newPage();
    await other.goto(`${workbench.url}/data`);
    const token = other.getByRole('textbox', { name: 'Token or address' });
    await token.fill('no-token');
    await token.press('Enter');
    await expect(other.getByText('The server rejected this token.')).toBeVisible();
    await token.fill(workbench.address);
    await other.keyboard.press('Enter');
    await expect(other.getByRole('grid').getByRole('link', { name: 'ELM-12' })).toBeVisible();
    expect(other.url()).not.toContain(workbench.token);
    await other.close();
  });
});

test('has a small first bundle without the code of other panels', async ({ workbench }) => {
  for (const panel of ['module', 'invoke', 'query', 'data', 'explain', 'forks', 'checks', 'tests', 'log', 'settings']) {
    const files = await filesOf(`${workbench.url}/${panel}`);
    expect(files.filter((file) => /-panel-.*\.js$/.test(file))).toEqual([expect.stringContaining(`/${panel}-panel-`)]);
    // Graph layouts and the compiler load on demand, or after the first paint.
    expect(files.filter((file) => /elk|worker|(diagram|graph)-view-/.test(file))).toEqual([]);
  }
  const first = await filesOf(workbench.url);
  const bytes = first.map((file) => gzipSync(readFileSync(join(repository, 'out/renderer', file))).length);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(500_000);
});

/** Scripts and styles of the page. */
async function filesOf(address: string): Promise<string[]> {
  const html = await (await fetch(address, { headers: { accept: 'text/html' } })).text();
  const named = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file = '']) => file);
  return [...new Set(named)];
}

test.describe('over plain HTTP from another machine', () => {
  test.use({ allowRemote: true });

  test('supports tabs, pins and the clipboard', async ({ page, workbench }) => {
    // An address of this machine that browsers do not trust, like any other's.
    await page.goto(workbench.address.replace('127.0.0.1', '0.0.0.0'));
    expect(await page.evaluate(() => window.isSecureContext)).toBe(false);
    await page.getByRole('link', { name: 'Query', exact: true }).click();
    const text = page.getByRole('textbox', { name: 'Ad-hoc text' });
    const newQuery = page.getByRole('button', { name: 'New query' });
    await newQuery.click();
    await text.click();
    await page.keyboard.insertText('query rents() -> [Decimal] { select l.rent where active(l) }');
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Unpin rents' })).toBeVisible();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Copy as…' }).click();
    await page.getByRole('menuitem', { name: 'curl' }).click();
    await expect(page.getByText('Copied as curl.')).toBeVisible();
    await newQuery.click();
    await text.click();
    await page.keyboard.press('Control+v');
    await expect(text).toContainText('/v1/query/adhoc');
  });
});

test('works without browser storage until it is reloaded', async ({ page, workbench }) => {
  // Like a browser that blocks site data.
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
    }
  });
  await page.goto(workbench.address);
  await expect(page.getByRole('textbox', { name: 'Source of lease.entail' })).toContainText('module lease');
  await page.getByRole('link', { name: 'Query', exact: true }).click();
  await page.getByRole('textbox', { name: 'Ad-hoc text' }).click();
  await page.keyboard.insertText('query rents() -> [Decimal] { select l.rent where active(l) }');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Result', exact: true })).toContainText(/[0-9] rows/);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'Stored in this browser' }).click();
  await expect(page.getByRole('main')).toContainText('This browser blocks storage');
});

test('forbids inline code, and never violates that policy', async ({ page, workbench }) => {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text());
  });
  const response = await page.goto(workbench.address);
  await expect(page.getByRole('link', { name: 'Invoke' })).toBeVisible();
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('unsafe');
  const source = page.getByRole('textbox', { name: 'Source of lease.entail' });
  await source.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('module typed over all of it');
  await expect(source).toContainText('module typed over all of it');
  expect(refused).toEqual([]);
});

test('keeps separate drafts for each page, over a reload and for the next page', async ({
  page,
  workbench,
  context,
}) => {
  const other = await context.newPage();
  const code = (of: Page) => of.getByRole('textbox', { name: 'code' });
  const query = (of: Page) => of.getByRole('textbox', { name: 'Ad-hoc text' });
  for (const each of [page, other]) {
    await each.goto(workbench.address);
    await each.goto(`${workbench.url}/invoke?call=lease::sign`);
    await expect(code(each)).toBeVisible();
  }
  await code(page).fill('HERE');
  await other.getByRole('textbox', { name: 'rent' }).fill('700');
  await other.getByRole('link', { name: 'register', exact: true }).click();
  await other.getByRole('textbox', { name: 'name' }).fill('there');
  for (const each of [page, other]) await each.getByRole('link', { name: 'Query', exact: true }).click();
  await query(page).fill('// here');
  await query(other).fill('// there');
  await page.keyboard.press('Alt+f');
  await page.getByRole('textbox', { name: 'New fork of main' }).fill('try-out');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Fork try-out' })).toBeVisible();

  for (const each of [page, other]) await each.reload();
  await expect(query(page)).toHaveText('// here');
  await expect(query(other)).toHaveText('// there');
  await expect(other.getByRole('button', { name: 'Fork main' })).toBeVisible();
  await page.goto(`${workbench.url}/invoke?call=lease::sign`);
  await expect(code(page)).toHaveValue('HERE');

  const next = await context.newPage();
  await next.goto(workbench.address);
  await next.goto(`${workbench.url}/invoke?call=lease::register`);
  await expect(next.getByRole('textbox', { name: 'name' })).toHaveValue('there');
});

test('opens a panel from its address, and gives no other link the name of a panel', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  const names = ['Module', 'Invoke', 'Query', 'Data', 'Explain', 'Forks', 'Checks', 'Tests', 'Log', 'Settings'];
  await expect(page.getByRole('navigation', { name: 'Panels' }).getByRole('link')).toHaveCount(names.length);
  for (const name of names) {
    await page.goto(`${workbench.url}/${name.toLowerCase()}`);
    await expect(page.getByRole('link', { name, exact: true })).toHaveAttribute('aria-current', 'page');
    await expect(page.getByRole('heading', { level: 1, name })).toBeAttached();
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    for (const each of names) await expect(page.getByRole('link', { name: each })).toHaveCount(1);
  }
});

test('shows the panel, its selection and the module in the page title', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await expect(page).toHaveTitle('Module · lease.entail — lease — Entail');
  for (const [address, title] of [
    ['/invoke?call=lease::sign', 'Invoke · sign — lease — Entail'],
    ['/data?path=lease::Tenant&individual=@lease::dana', 'Data · Dana Petrova — lease — Entail'],
    [
      '/explain?relation=lease::liable&tuple=["@lease::dana","@lease::elm12Lease"]',
      'Explain · Dana Petrova is liable for ELM-12 — lease — Entail',
    ],
    ['/forks', 'Forks · main — lease — Entail'],
    ['/checks?check=lease::unguaranteed', 'Checks · unguaranteed — lease — Entail'],
    ['/log?codes=SVC_RUNTIME_VALIDATION_FAILED', 'Log · SVC_RUNTIME_VALIDATION_FAILED — lease — Entail'],
    ['/settings?section=keyboard', 'Settings · Keyboard — lease — Entail'],
  ] as const) {
    await page.goto(workbench.url + address);
    await expect(page).toHaveTitle(title);
  }
  await page.getByRole('link', { name: 'Query', exact: true }).click();
  await expect(page).toHaveTitle('Query · Untitled — lease — Entail');
  await page.goBack();
  await expect(page).toHaveTitle('Settings · Keyboard — lease — Entail');
  await page.keyboard.press('Alt+f');
  await page.getByRole('textbox', { name: 'New fork of main' }).fill('what-if');
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle('Settings · Keyboard — lease, fork what-if — Entail');
});

test.describe('without a module', () => {
  test.use({ modules: {} });

  test('requests nothing that needs a module until one is loaded', async ({ page, workbench }) => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    const refused: number[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(response.status());
    });
    await page.goto(workbench.address);
    await page.getByRole('link', { name: 'Invoke', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Nothing to call yet' })).toBeVisible();
    expect(requested).toContain('/v1/module');
    expect(refused).toEqual([]);

    await loadGarden(workbench, '');
    for (const [panel, link] of [
      ['Invoke', 'Declare one'],
      ['Data', 'Declare one'],
      ['Explain', 'Declare a concept, relation or derive'],
      ['Checks', 'Write one'],
    ] as const) {
      await page.getByRole('link', { name: panel, exact: true }).click();
      const way = page.getByRole('main').getByRole('link', { name: link, exact: true });
      await expect(way, `${panel} says what to do next`).toHaveAttribute('href', '/module');
    }
    await expect(page.getByRole('region', { name: 'Checks', exact: true })).toContainText('No checks');

    await page.getByRole('link', { name: 'Invoke', exact: true }).click();
    await loadGarden(workbench, 'pub query plants() -> Int { value 0 }');
    await expect(page.getByRole('heading', { name: 'plants', exact: true })).toBeVisible();
    expect(refused).toEqual([]);
  });

  test.describe('that compiles', () => {
    test.use({ modules: { 'garden.entail': '// \u202eplants\n' } });

    test('reports the problem, and every panel waits', async ({ page, workbench }) => {
      const refused: string[] = [];
      page.on('response', (response) => {
        if (response.status() >= 400) refused.push(new URL(response.url()).pathname);
      });
      await page.goto(workbench.address);
      await expect(page.getByText('The server runs no module because the text has an error.')).toBeVisible();
      await expect(page.getByRole('link', { name: 'the `module` line is missing' })).toBeVisible();
      await expect(
        page.getByTitle('Control character right-to-left override'),
        'bidirectional controls are visible',
      ).toBeVisible();
      for (const [panel, heading] of Object.entries({ Explain: 'Nothing to explain yet', Data: 'No facts yet' })) {
        await page.getByRole('link', { name: panel, exact: true }).click();
        await expect(page.getByRole('heading', { name: heading })).toBeVisible();
      }
      expect(refused).toEqual([]);
    });
  });
});

async function loadGarden({ url, token }: ServedWorkbench, text: string): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    const source = join(folder, 'garden.entail');
    const artifact = join(folder, 'garden.entail.json');
    writeFileSync(source, `module garden\n\n${text}\n`);
    execFileSync(process.execPath, [join(repository, 'out/main/entail.js'), 'build', source, '-o', artifact]);
    const response = await fetch(`${url}/v1/module`, {
      method: 'PUT',
      headers: { 'content-type': 'application/vnd.entail.artifact+json', authorization: `Bearer ${token}` },
      body: readFileSync(artifact),
    });
    expect(response.status).toBe(200);
  });
}

for (const reducedMotion of ['reduce', 'no-preference'] as const) {
  test.describe(`with motion: ${reducedMotion}`, () => {
    test.use({ reducedMotion });

    const animates = reducedMotion === 'no-preference';
    test(`${animates ? 'animates transitions' : 'animates nothing'} while panels and dialogs open`, async ({
      page,
      workbench,
    }) => {
      await page.addInitScript(recordMotion);
      await page.goto(workbench.address);
      const animated = new Set<string>();
      for (const name of ['Module', 'Invoke', 'Explain', 'Checks', 'Settings']) {
        await page.getByRole('link', { name, exact: true }).click();
        await expect(page.getByRole('heading', { level: 1, name })).toBeAttached();
        await page.keyboard.press('Control+k');
        await expect(page.getByRole('dialog', { name: 'Go to or run' })).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog', { name: 'Go to or run' })).toBeHidden();
        await page.getByRole('button', { name: 'Fork main' }).click();
        await page.getByRole('textbox', { name: /^New fork/ }).fill('x');
        await page.keyboard.press('Escape');
        for (const what of await page.evaluate(() => [...(window as unknown as WithMotion).motion])) animated.add(what);
      }
      if (animates) expect(animated.size).toBeGreaterThan(0);
      else expect([...animated]).toEqual([]);
    });
  });
}

interface WithMotion {
  readonly motion: Set<string>;
}

/** Records CSS transitions: property or animation, and element. */
function recordMotion(): void {
  const motion = new Set<string>();
  Object.assign(window, { motion });
  const note = (event: Event): void => {
    if (!(event.target instanceof Element)) return;
    const { animationDuration, transitionDuration } = getComputedStyle(event.target);
    const isLong = (durations: string): boolean => durations.split(',').some((each) => Number.parseFloat(each) > 0);
    const isTransition = event instanceof TransitionEvent;
    if (!isLong(isTransition ? transitionDuration : animationDuration)) return;
    const what = isTransition ? event.propertyName : (event as AnimationEvent).animationName;
    motion.add(`${what} of ${event.target.tagName} ${event.target.className}`);
  };
  document.addEventListener('transitionrun', note, true);
  document.addEventListener('animationstart', note, true);
}

/** Elements whose content overflows onto others. */
function widerThanThemselves(elements: readonly Element[]): string[] {
  return elements
    .filter((each) => getComputedStyle(each).overflowX === 'visible' && each.scrollWidth > each.clientWidth)
    .filter(({ clientWidth }) => clientWidth > 0)
    .map(({ textContent }) => textContent ?? '');
}

/** Vertical position in pixels. Elements in one line have the same. */
async function middleOf(part: Locator): Promise<number> {
  const box = await part.boundingBox();
  return box === null ? Number.NaN : Math.round(box.y + box.height / 2);
}

test.describe('zoomed to 200 %', () => {
  test.use({ viewport: { width: 640, height: 400 } });

  test('shows the target of a link first, and returns the focus to the list when it closes', async ({
    page,
    workbench,
  }) => {
    const proof = `relation=lease%3A%3Aliable&tuple=${encodeURIComponent('["@lease::northgate","@lease::elm12Lease"]')}`;
    await page.goto(`${workbench.url}/explain?${proof}#token=${workbench.token}`);
    await expect(page.getByRole('tree', { name: 'Proof' }).getByRole('treeitem').first()).toBeInViewport();
    await page.goto(`${workbench.url}/data?path=lease%3A%3ALease&individual=%40lease%3A%3Aelm12Lease`);
    const close = page.getByRole('button', { name: 'Close the individual' });
    await expect(close).toBeInViewport();
    await close.press('Enter');
    await expect(page.getByRole('grid', { name: 'Rows' })).toBeFocused();
  });

  test('keeps the names in the rail, and shows a selection in the pane below', async ({ page, workbench }) => {
    await page.goto(workbench.address);
    await page.getByRole('textbox', { name: 'Source of lease.entail' }).press('Enter');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await expect(save).toHaveAttribute('data-variant', 'filled');
    await expect.poll(() => middleOf(save)).toBe(await middleOf(page.getByRole('radiogroup', { name: 'View' })));
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    const rows = page.getByRole('grid', { name: 'Rows' });
    const panes = page.getByRole('navigation', { name: 'Panes' });
    const unit = page.getByRole('region', { name: 'Facts' }).getByRole('link', { name: /^Unit/ });
    // The working pane is visible first, and the list above it is one step away.
    await expect(rows.getByRole('gridcell', { name: 'ELM-12' })).toBeInViewport();
    await expect(panes.getByRole('button', { name: 'Rows' })).toHaveAttribute('aria-current', 'true');
    await expect(unit).not.toBeInViewport();
    await panes.getByRole('button', { name: 'Facts' }).press('Enter');
    await expect(unit).toBeInViewport();
    await expect(page.getByRole('textbox', { name: 'Filter concepts and relations' })).toBeFocused();
    await unit.click();
    await expect(rows.getByRole('gridcell', { name: '12 Elm Street' })).toBeInViewport();
    await page.keyboard.press('F6');
    await page.keyboard.press('Shift+F6');
    await expect(unit).toBeInViewport();
    await page.keyboard.press('F6');
    await expect(rows.getByRole('gridcell', { name: '12 Elm Street' })).toBeInViewport();
    await expect(page.getByRole('banner')).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(640);
    await rows.getByRole('link', { name: '12 Elm Street' }).click();
    const fields = page.getByRole('region', { name: 'Individual' }).getByRole('region', { name: 'Fields' });
    await expect(fields.getByText('address')).toBeInViewport();

    // The result of a save is above the text, while the cursor is at its end.
    await page.getByRole('link', { name: 'Module', exact: true }).click();
    const source = page.getByRole('textbox', { name: /^Source of/ });
    await source.press('Control+End');
    await page.keyboard.type('\nquery all() -> [Lease] { select l where Lea');
    const option = page.getByRole('option', { name: /^Lease/ });
    await expect(option).toBeVisible();
    await page.keyboard.press('Control+s');
    await expect(page.getByText(/^Saved to disk with \d errors?/)).toBeInViewport();
    await expect(option, 'saving closes the completion list').toHaveCount(0);
    await page.keyboard.type('se(l) }');
    await expect(page.getByText(/^Saved to disk with/)).toHaveCount(0);
    await page.keyboard.press('Control+s');
    await expect(page.getByText('Reloaded: 1 declaration added')).toBeInViewport();
    await expect(source).toBeFocused();
  });

  test('shows a selected or linked request or test in the pane below', async ({ page, workbench }) => {
    await fetch(`${workbench.url}/v1/nowhere`, { headers: { authorization: `Bearer ${workbench.token}` } });
    await page.goto(`${workbench.url}/log#token=${workbench.token}`);
    const details = page.getByRole('region', { name: 'Request', exact: true }).getByText('Client', { exact: true });
    await page.getByRole('option', { name: /nowhere/ }).click();
    await expect(details).toBeInViewport();
    await page.reload();
    await expect(details).toBeInViewport();

    await page.goto(`${workbench.url}/tests`);
    await page.getByRole('tree', { name: 'Tests' }).getByRole('treeitem', { level: 2 }).first().click();
    await expect(page.getByRole('region', { name: 'Source of the test' })).toBeInViewport();
  });

  test('shows a linked check with its message', async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/checks?check=lease::unguaranteed#token=${workbench.token}`);
    const check = page.getByRole('region', { name: 'Check', exact: true });
    await expect(check.getByText('Message', { exact: true })).toBeInViewport();
  });

  test('shows the first violation, one step from the list of checks', async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/checks#token=${workbench.token}`);
    const firings = page.getByRole('region', { name: 'All violations' });
    await expect(firings.getByRole('listitem').first()).toBeInViewport({ ratio: 1 });
    await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Checks' }).click();
    await expect(page.getByRole('link', { name: /^All violations/ })).toBeInViewport({ ratio: 1 });
  });

  test('shows the result of a call while it runs, and the call when it opens again', async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/invoke?call=lease%3A%3AleaseCount#token=${workbench.token}`);
    const outcome = page.getByRole('region', { name: 'Result', exact: true });
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await expect(outcome.getByText('Not run yet')).toBeAttached();
    await expect(outcome.getByText('Not run yet')).not.toBeInViewport();
    await page.keyboard.press('Control+Enter');
    await expect(outcome.getByText('6', { exact: true })).toBeInViewport();
    await page.getByRole('radiogroup', { name: 'Show' }).getByText('History').click();
    await page.getByRole('button', { name: /^succeeded leaseCount/ }).click();
    await expect(run).toBeInViewport();
  });

  test('shows the result of a query while it runs, and a selected row', async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/query#token=${workbench.token}`);
    await page.getByRole('textbox', { name: 'Ad-hoc text' }).click();
    await page.keyboard.insertText('derive held(l: Lease) when active(l)');
    const add = page.getByRole('button', { name: 'Add to module' });
    await expect(add).toBeEnabled();
    expect(await middleOf(add)).toBe(await middleOf(page.getByRole('button', { name: 'Run', exact: true })));
    await page.keyboard.press('Control+Enter');
    const row = page.getByRole('grid', { name: 'Selectable rows' }).getByRole('row', { name: /ELM-14/ });
    await expect(row).toBeInViewport({ ratio: 1 });
    await row.click();
    const explain = page.getByRole('button', { name: 'Explain this row' });
    await expect(explain).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('region', { name: 'Row', exact: true })).toContainText('MILL-2');
  });

  test('fits the status line into the page', async ({ page, workbench }) => {
    await page.goto(workbench.address);
    const source = page.getByRole('textbox', { name: /^Source of/ });
    const status = page.getByRole('contentinfo');
    await source.press('ControlOrMeta+Shift+Alt+T');
    await expect(status).toContainText('3 of 3 tests pass');
    await source.press('Enter');
    await expect(status).toContainText('Unsaved. Server is running the last valid save.');
    await expect(status.getByText(/^module /)).toBeInViewport({ ratio: 0.99 });
    expect(await status.locator('a, span').evaluateAll(widerThanThemselves)).toEqual([]);
  });

  test('moves the focus to a sheet that covers everything, and returns it', async ({ page, workbench }) => {
    await fetch(`${workbench.url}/v1/forks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${workbench.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'what-if' }),
    });
    await page.goto(workbench.address);
    await page.goto(`${workbench.url}/forks?show=what-if`);
    const promote = page.getByRole('button', { name: 'Promote…' });
    for (const _ of [1, 2]) {
      await promote.press('Enter');
      await expect(page.getByRole('button', { name: 'Close the sheet' })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(promote).toBeFocused();
    }
  });
});
