/** Measures the longest frame of each place that shows 1 to 3 MB of text: results, lists, JSON, Log and History. */

import type { Page } from '@playwright/test';
import { expect, type ServedWorkbench, test } from '../../e2e/support/served-workbench.js';
import { show } from '../../e2e/support/steps.js';
import { dispatched, framesWhile } from './measuring.js';

const MODULE = `module notes
pub concept Note {
  body: Text
}
pub query body() -> Text? {
  select n.body where Note(n)
}
pub query bodies() -> [Text] {
  select n.body where Note(n)
}
pub query notes() -> [Note] {
  select n where Note(n)
}
pub relation said(note: Note, words: Text)
pub mutation write(body: Text) -> Note {
  let n = insert Note { body: body }
  insert said(n, body)
  return n
}
`;

const MEGABYTE = 1_000_000;

/** Texts of a given length in characters: what is slow differs with spaces, lines and escapes. */
const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  words: (length) => repeated('lorem ipsum ', length),
  lines: (length) => repeated('12 "Ada" pays\n', length),
  'one word': (length) => repeated('A', length),
};

test.use({ modules: { 'notes.entail': MODULE }, viewport: { width: 1280, height: 800 } });
test.setTimeout(600_000);

for (const megabytes of [1, 3]) {
  for (const [kind, text] of Object.entries(TEXTS)) {
    test(`frames with a text of ${megabytes} MB of ${kind}`, async ({ page, workbench }) => {
      const body = text(megabytes * MEGABYTE);
      await dispatched(workbench, 'notes::write', { body });
      await measured(page, workbench, `${megabytes} MB of ${kind}`, body, ['body', 'bodies', 'notes']);
    });
  }
  test(`frames with a list of ${megabytes} MB`, async ({ page, workbench }) => {
    const row = repeated('lorem ipsum ', 2_000);
    for (let count = 0; count < (megabytes * MEGABYTE) / row.length; count++) {
      await dispatched(workbench, 'notes::write', { body: `${count} ${row}` });
    }
    await measured(page, workbench, `${megabytes} MB in a list`, row, ['bodies', 'notes']);
  });
}

/** Each place is opened on a page of its own, so that the one before it adds nothing. */
async function measured(
  page: Page,
  workbench: ServedWorkbench,
  what: string,
  argument: string,
  queries: readonly string[],
): Promise<void> {
  const at = (address: string) => page.goto(`${workbench.url}/${address}#token=${workbench.token}`);
  const outcome = page.getByRole('region', { name: 'Result', exact: true });
  const run = page.getByRole('button', { name: 'Run', exact: true });
  const frames = (place: string, act: () => Promise<void>) =>
    framesWhile(page, `${what}: ${place}`, async () => {
      await act();
      await settled(page);
    });
  for (const query of queries) {
    await at(`invoke?call=notes::${query}`);
    await expect(run).toBeEnabled();
    await frames(`result of ${query}`, async () => {
      await run.click();
      await expect(outcome.getByRole('heading').first()).toBeVisible();
    });
    if (query !== 'body') {
      await frames(`row of ${query}`, async () => {
        await outcome.getByRole('region', { name: 'Rows' }).press('ArrowDown');
        await expect(page.getByRole('region', { name: 'Row', exact: true })).toBeVisible();
      });
    }
    await frames(`${query} run again`, async () => {
      await run.click();
      await expect(run).toBeEnabled();
    });
    await frames(`${query} as JSON`, async () => {
      await page.getByRole('radiogroup', { name: 'Result as' }).getByText('JSON').click();
      await expect(outcome.getByRole('treeitem').first()).toBeVisible();
    });
    await frames(`${query} in its envelope`, async () => {
      await outcome.getByText('Envelope').click();
      await expect(outcome.getByRole('region', { name: 'JSON' })).toBeVisible();
    });
    await page
      .getByRole('radiogroup', { name: 'Result as' })
      .getByText(/^(Table|Value)$/)
      .click();
  }
  await at('data?path=notes::Note');
  await frames('list in Data', async () => {
    await expect(page.getByRole('grid', { name: 'Rows' }).getByRole('link').first()).toBeVisible();
  });
  await at('data?path=notes::said');
  await frames('relation in Data', async () => {
    await expect(page.getByRole('grid', { name: 'Rows' }).getByRole('link').first()).toBeVisible();
  });
  await at('explain?relation=notes::said');
  await frames('relation in Explain', async () => {
    await expect(page.getByRole('region', { name: 'Tuples' })).toBeVisible();
  });
  await at('invoke?call=notes::write');
  const field = page.getByRole('textbox', { name: 'body', exact: true });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((text) => navigator.clipboard.writeText(text), argument);
  await field.focus();
  await frames('pasted as an argument', async () => {
    await page.keyboard.press('Control+v');
    await expect(page.getByRole('group', { name: 'body' }).or(field).first()).toBeVisible();
  });
  await frames('mutation', async () => {
    await run.click();
    await expect(outcome.getByRole('heading').first()).toBeVisible();
  });
  await frames('History of Invoke', async () => {
    await show(page, 'History');
    await expect(page.getByRole('button', { name: /^succeeded write/ }).first()).toBeVisible();
  });
  await frames('call from the History', () =>
    page
      .getByRole('button', { name: /^succeeded write/ })
      .first()
      .click(),
  );
  await at('log');
  for (const call of ['write(', 'notes()']) {
    await frames(`${call} in the Log`, async () => {
      await page.getByText(call).first().click();
      await expect(page.getByRole('region', { name: 'Response', exact: true })).toBeVisible();
    });
  }
  await at('forks');
  await frames('History of Forks', async () => {
    await page.getByRole('radiogroup', { name: 'Fork view' }).getByText('History').click();
    const newest = page.getByRole('list', { name: 'Transactions, newest first' }).locator('> li > button').first();
    await newest.click();
  });
}

/** Waits until the page has been idle for two frames. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestIdleCallback(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
      }),
  );
}

function repeated(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}
