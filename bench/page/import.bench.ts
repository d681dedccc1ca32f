/** Measures frames while a file of millions of rows is opened, tried and imported. `ENTAIL_BENCH_ROWS` is the number of rows. */

import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '../../e2e/support/served-workbench.js';
import { framesWhile } from './measuring.js';

const ROWS = Number(process.env['ENTAIL_BENCH_ROWS'] ?? 5_000_000);
/** One row of so many is rejected. */
const REJECTED_EVERY = 100;

/** None of the rows that a dry run tries is rejected. */
const TRIED_MAX = 50_000;

test.use({
  modules: {
    'bench.entail':
      'module bench\npub concept Sample { sensor: Text, at: DateTime, value: Decimal, n: Int where value >= 0 }\n',
  },
  viewport: { width: 1440, height: 900 },
});
test.setTimeout(1_800_000);

test('measures frames while a large file is imported', async ({ page, workbench }) => {
  const folder = mkdtempSync(join(tmpdir(), 'entail-bench-page-'));
  try {
    const file = join(folder, 'samples.csv');
    await writeRows(file);
    await page.goto(`${workbench.url}/data?path=bench::Sample#token=${workbench.token}`);
    await page.getByRole('link', { name: 'Import', exact: true }).press('Enter');
    const panel = page.getByRole('region', { name: 'Import' });
    await framesWhile(page, 'file opened', async () => {
      await panel.locator('input[type="file"]').setInputFiles(file);
      await expect(panel.getByRole('region', { name: 'Preview' })).toContainText('rows of CSV', { timeout: 60_000 });
    });
    await framesWhile(page, 'dry run of the first rows', async () => {
      await panel.getByRole('button', { name: 'Dry run of the first rows' }).click();
      await expect(panel.getByText('rows ready to import (dry run)')).toBeVisible({ timeout: 60_000 });
    });
    await framesWhile(page, `${ROWS} rows imported`, async () => {
      await panel.getByRole('button', { name: 'Import all rows into Sample' }).click();
      // Playwright's own queries would take part of each frame.
      const isDone = () => document.querySelector('[aria-label="Outcome"] [role="alert"]') !== null;
      await page.waitForFunction(isDone, undefined, { polling: 1_000, timeout: 1_500_000 });
    });
    await expect(panel.getByRole('status').first()).toContainText('rows imported in');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function writeRows(file: string): Promise<void> {
  const out = createWriteStream(file);
  out.write('sensor,at,value,n\n');
  for (let row = 0; row < ROWS; row++) {
    const at = new Date(1.7e12 + row * 1000).toISOString();
    const n = row > TRIED_MAX && row % REJECTED_EVERY === 0 ? -1 : row;
    const isFull = !out.write(`sensor-${row % 1000},${at},${((row * 7) % 100_000) / 100},${n}\n`);
    if (isFull) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
}
