/** Responses are durable: a server that is killed right after a response restarts with all facts. */

import { expect, type ServedWorkbench, test } from './support/served-workbench.js';

test.use({ ownProcess: true });

test('keeps acknowledged mutations after kill -9, and continues the sequence of ids', async ({ workbench }) => {
  for (const round of [1, 2, 3]) {
    const response = await call(workbench, 'mutation', 'lease::register', { name: `Tenant ${round}` });
    expect(response.result.$id).toBe(`#i${round}`);
    await workbench.kill();
    await workbench.start();
  }
  const names = await call(workbench, 'individuals');
  expect(names.result.map((entity: { name?: string }) => entity.name)).toEqual(
    expect.arrayContaining(['Tenant 1', 'Tenant 2', 'Tenant 3']),
  );
});

async function call(
  { url, token }: ServedWorkbench,
  operation: 'mutation' | 'individuals',
  path?: string,
  args?: Record<string, string>,
) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response =
    operation === 'individuals'
      ? await fetch(`${url}/v1/individuals`, { headers })
      : await fetch(`${url}/v1/dispatch/mutation`, { method: 'POST', headers, body: JSON.stringify({ path, args }) });
  return await response.json();
}
