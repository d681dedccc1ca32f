/** The work loop in seven clicks: edit a rule, get a refusal, see why, try a fix on a fork and promote it. */

import type { Page } from '@playwright/test';
import { expect, test } from './support/served-workbench.js';

test('takes seven clicks from an edit to a promoted fix, and undoes it from the toast', async ({ page, workbench }) => {
  const authorization = { authorization: `Bearer ${workbench.token}`, 'content-type': 'application/json' };
  const signed = await fetch(`${workbench.url}/v1/dispatch/mutation`, {
    method: 'POST',
    headers: authorization,
    body: JSON.stringify({ path: 'lease::sign', args: { tenant: '@chidi', code: 'QUAY-7', rent: 640 } }),
  });
  expect(signed.status).toBe(200);
  const args = JSON.stringify({ tenant: '@lease::chidi', code: 'QUAY-8', rent: '700' });
  await page.goto(
    `${workbench.url}/invoke?${new URLSearchParams({ call: 'lease::sign', args })}#token=${workbench.token}`,
  );
  await expect(page.getByRole('textbox', { name: 'code' })).toHaveValue('QUAY-8');
  await page.goto(`${workbench.url}/module?file=lease.entail&line=162&column=1`);
  const limit = page.locator('.cm-line', { hasText: 'tenantOf(l, p)), n > 3' });
  await expect(limit).toBeVisible();
  const clicks = await countClicks(page);

  await limit.click();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('2');
  await page.keyboard.press('Control+S');
  await expect(page.getByText('Saved and reloaded')).toBeVisible();

  await page.getByRole('link', { name: 'Invoke', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const result = page.getByRole('region', { name: 'Result', exact: true });
  await expect(result).toContainText('Chidi Okafor holds 3 leases');

  await test.step('shows the reason and the repairs without a click', async () => {
    const reason = result.getByRole('tree', { name: 'Why it is true' });
    await expect(reason).toContainText('Chidi Okafor is a tenant of QUAY-8');
    const repairs = result.getByRole('region', { name: 'How to make it false' });
    await expect(repairs.getByRole('listitem').first()).toContainText('Chidi Okafor is a tenant of QUAY-7');
    // Repairs never include the call itself.
    await expect(repairs).not.toContainText('QUAY-8');
  });

  await result.getByRole('button', { name: 'Try on a fork' }).first().click();
  const trial = page.getByRole('region', { name: 'Trial' });
  await expect(trial).toContainText('try sign, with 1 change and sign. main is unchanged.');
  await expect(result).toContainText('Saved');
  await trial.getByRole('link', { name: 'Promote…' }).click();
  const sheet = page.getByRole('region', { name: 'Promote try sign' });
  await sheet.getByRole('button', { name: 'Promote', exact: true }).click();
  await expect(sheet).toContainText('try sign is promoted');
  expect(await clicks()).toBeLessThanOrEqual(7);

  await test.step('undoes the promotion from the toast', async () => {
    const tenants = async (): Promise<string> =>
      (await fetch(`${workbench.url}/v1/individuals?class=lease::Lease`, { headers: authorization })).text();
    expect(await tenants()).toContain('QUAY-8');
    const toast = page.getByRole('group', { name: 'Last change' });
    await expect(toast).toContainText('Promoted try sign: 2 facts added, 1 removed');
    await toast.getByRole('button', { name: 'Undo' }).click();
    await expect(toast).toContainText('Undone: Promoted try sign');
    expect(await tenants()).not.toContain('QUAY-8');
  });
});

/** Counts clicks, Enter and shortcuts. Typing is not counted. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = window as unknown as { clicks: number };
    counted.clicks = 0;
    const count = (): void => {
      counted.clicks += 1;
    };
    window.addEventListener('pointerdown', count, { capture: true });
    window.addEventListener(
      'keydown',
      ({ key, ctrlKey, altKey, metaKey }) => {
        const isModifier = ['Control', 'Alt', 'Meta', 'Shift'].includes(key);
        if (!isModifier && (key === 'Enter' || ctrlKey || altKey || metaKey)) count();
      },
      { capture: true },
    );
  });
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks);
}
