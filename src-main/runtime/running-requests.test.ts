/** The request that is named after the runtime ran out of memory, and its repeats. */

import { expect, it } from 'vitest';
import { runningRequests } from './running-requests.js';

const url = 'app://workbench/v1/dispatch/query';
const query = (path: string) => new Request(url, { method: 'POST', body: JSON.stringify({ path, args: {} }) });
const lost = async (request: Request) => {
  await request.text();
  return Response.error();
};
const answered = async () => new Response('{}');

it('names the oldest request without a response, with its callable', async () => {
  const requests = runningRequests();
  await requests.run(new Request('app://workbench/v1/counts'), answered);
  await requests.run(new Request('app://workbench/v1/health'), lost);
  await requests.run(query('lease::all'), lost);
  await requests.run(query('lease::later'), lost);
  expect(requests.blame()).toBe('POST /v1/dispatch/query (lease::all)');
  expect(requests.blame()).toBeUndefined();
});

it('names the path of a request without a body', async () => {
  const requests = runningRequests();
  await requests.run(new Request('app://workbench/v1/relations/lease%3A%3Aliable'), lost);
  expect(requests.blame()).toBe('GET /v1/relations/lease::liable');
});

it('forgets requests that an earlier runtime lost', async () => {
  const requests = runningRequests();
  await requests.run(query('lease::all'), lost);
  await requests.run(query('lease::some'), answered);
  expect(requests.blame()).toBeUndefined();
});

it('refuses a repeat for a moment, and no other request', async () => {
  let nowMs = 0;
  const requests = runningRequests(() => nowMs);
  await requests.run(query('lease::all'), lost);
  requests.blame();
  const repeat = await requests.run(query('lease::all'), answered);
  expect([repeat.status, await repeat.json()]).toEqual([
    413,
    expect.objectContaining({ error: expect.objectContaining({ details: { reason: 'memory' } }) }),
  ]);
  expect((await requests.run(query('lease::some'), answered)).status).toBe(200);
  nowMs = 16_000;
  expect((await requests.run(query('lease::all'), answered)).status).toBe(200);
});
