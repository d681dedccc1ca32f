/** Counts the page's requests: at its start, for each panel the first time and again, and after a change. */

import type { Page, Response } from '@playwright/test';
import { expect, test } from '../../e2e/support/served-workbench.js';
import { dispatched, printed } from './measuring.js';

const PANELS = ['Module', 'Invoke', 'Query', 'Data', 'Explain', 'Forks', 'Checks', 'Tests', 'Log', 'Settings'];
/** Requests that the page sends on a timer. */
const POLLED = ['GET /v1/health', 'GET /v1/module/sources'];

test.use({ actionTimeout: 120_000 });
test.setTimeout(300_000);

test('counts the requests of the page', async ({ page, workbench }) => {
  await requestsWhile(page, 'the start', () => page.goto(workbench.address));
  for (const turn of ['first', 'again']) {
    for (const panel of PANELS) {
      await requestsWhile(page, `${panel}, ${turn}`, () =>
        page.getByRole('link', { name: panel, exact: true }).click(),
      );
    }
  }
  let made = 0;
  for (const panel of PANELS) {
    await page.getByRole('link', { name: panel, exact: true }).click();
    await page.waitForTimeout(1_000);
    await requestsWhile(page, `${panel}, facts changed`, () => {
      made += 1;
      return dispatched(workbench, 'lease::register', { name: `Somebody ${made}` });
    });
  }
  expect(made).toBe(PANELS.length);
});

/** Repeated requests are recognized by their address. */
async function requestsWhile(page: Page, name: string, act: () => Promise<unknown>): Promise<void> {
  const responses: Response[] = [];
  const listen = (response: Response): void => void responses.push(response);
  page.on('response', listen);
  await act();
  await page.waitForTimeout(1_500);
  page.off('response', listen);
  const requests: string[] = [];
  let bytes = 0;
  for (const response of responses) {
    const request = response.request();
    const { pathname, search } = new URL(request.url());
    const text = `${request.method()} ${pathname}${search}${request.postData() ?? ''}`;
    if (!pathname.startsWith('/v1/') || POLLED.includes(text) || pathname.endsWith('/events')) continue;
    requests.push(text);
    // A stream has neither a length nor an end.
    bytes += Number((await response.headerValue('content-length')) ?? 0);
  }
  const doubled = [...new Set(requests.filter((text, at) => requests.indexOf(text) !== at))];
  const words = doubled.length === 0 ? '' : `; more than once: ${doubled.join(', ')}`;
  printed(name, `${requests.length} requests, ${(bytes / 1024).toFixed(1)} KiB${words}`);
  if (process.env['ENTAIL_BENCH_REQUESTS'] !== undefined) for (const text of requests) printed('', text);
}
