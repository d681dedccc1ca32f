/** Delays responses of the server until a journey releases them. */

import { expect, type Page } from '@playwright/test';

/** Holds the page's requests to this address until the returned function is called. */
export async function holdResponses(page: Page, address: string): Promise<() => void> {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await held;
    await route.continue();
  });
  await waitForRoute(page);
  return release;
}

const PROBE = '/healthz';

/** Waits until routing works. After the first route of a loaded page, Chromium still sends some requests past it. */
async function waitForRoute(page: Page): Promise<void> {
  if (!page.url().startsWith('http')) return;
  const address = `**${PROBE}`;
  await page.route(address, (route) => route.fulfill({ body: 'held up' }));
  const probe = (): Promise<string> => page.evaluate(async (path) => (await fetch(path)).text(), PROBE);
  await expect.poll(probe).toBe('held up');
  await page.unroute(address);
}
