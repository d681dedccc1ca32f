/** Opens the command palette, and waits until it has the focus. */

import { expect, type Locator, type Page } from '@playwright/test';

export async function openPalette(page: Page): Promise<Locator> {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Go to or run' });
  await expect(palette.getByLabel('Go to or run', { exact: true })).toBeFocused();
  return palette;
}
