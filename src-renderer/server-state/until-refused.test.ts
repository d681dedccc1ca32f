/** Whoever has no token is told so once, and asks no more. */

import { expect, it } from 'vitest';
import { untilRefused } from './until-refused.js';

it.each([
  ['of the token, nothing is asked any more', 'token', 1],
  ['of anything else, all is asked as before', 'capability', 3],
])('after a refusal %s', async (_name, reason, asked) => {
  let count = 0;
  const ask = untilRefused(async () => {
    count += 1;
    return Response.json({ error: { details: { reason } } }, { status: 403 });
  });
  for (const path of ['/v1/health', '/v1/module', '/v1/events']) {
    const answer = await ask(path);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toEqual({ error: { details: { reason } } });
  }
  expect(count).toBe(asked);
});
