/** Delays responses of the server for as long as a journey needs. */

import { expect, type Page } from '@playwright/test';

/** Holds the page's requests to this address until the returned function is called. */
export async function holdAnswers(page: Page, address: string): Promise<() => void> {
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(address, async (route) => {
    await held;
    await route.continue();
  });
  await isHeldUp(page);
  return answer;
}

const PROBE = '/healthz';

/** A page that is loaded may send some more past the first route that it is given: Chromium changes over a moment later. */
async function isHeldUp(page: Page): Promise<void> {
  if (!page.url().startsWith('http')) return;
  const address = `**${PROBE}`;
  await page.route(address, (route) => route.fulfill({ body: 'held up' }));
  const asked = (): Promise<string> => page.evaluate(async (path) => (await fetch(path)).text(), PROBE);
  await expect.poll(asked).toBe('held up');
  await page.unroute(address);
}
