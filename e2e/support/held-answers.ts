/** A server that takes as long to answer as a journey says. */

import type { Page } from '@playwright/test';

/** Keeps what the page asks at this address waiting until what comes back is called. */
export async function holdAnswers(page: Page, address: string): Promise<() => void> {
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(address, async (route) => {
    await held;
    await route.continue();
  });
  return answer;
}
