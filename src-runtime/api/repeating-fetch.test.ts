/** Sending writes again, with a fake network. */

import { expect, it } from 'vitest';
import { createClient } from './client.js';
import { ConnectionFailure } from './failures.js';
import { repeatingFetch } from './repeating-fetch.js';

type Answer = 'lost' | 'cut' | Response;

/** A client whose requests get these answers in turn. `sent` lists the path and key of each request. */
function clientGetting(...answers: Answer[]) {
  const sent: (readonly [string, string | null])[] = [];
  const network: typeof fetch = async (input, init) => {
    sent.push([new URL(String(input)).pathname, new Headers(init?.headers).get('idempotency-key')]);
    const answer = answers.shift();
    if (answer === undefined || answer === 'lost') throw new TypeError('fetch failed');
    return answer === 'cut' ? new Response(cutShort(), { status: 200 }) : answer;
  };
  let keys = 0;
  const client = createClient({ baseUrl: 'http://127.0.0.1:1', fetch: repeatingFetch(() => `key ${++keys}`, network) });
  return { client, sent };
}

const saved = () => Response.json({ result: null, txn: 1, events: [], warnings: [] });

function cutShort(): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"result":'));
      controller.error(new TypeError('terminated'));
    },
  });
}

const BAD_GATEWAY = () => new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } });

it.each([
  ['breaks before the response', 'lost'],
  ['breaks within the response', 'cut'],
  ['breaks behind a load balancer', BAD_GATEWAY()],
] as const)('sends a mutation once more, with the same key, if its connection %s', async (_, answer) => {
  const { client, sent } = clientGetting(answer, saved(), saved());
  expect(await client.mutation({ path: 'a::b', args: {} })).toMatchObject({ txn: 1 });
  await client.batch({ steps: [] });
  const mutation = '/v1/dispatch/mutation';
  expect(sent).toEqual([
    [mutation, 'key 1'],
    [mutation, 'key 1'],
    ['/v1/batch', 'key 2'],
  ]);
});

it('gives up after the second attempt', async () => {
  const { client, sent } = clientGetting('lost', 'lost', saved());
  await expect(client.mutateAdhoc({ source: '' })).rejects.toThrow(ConnectionFailure);
  expect(sent).toHaveLength(2);
});

it('sends neither a refused mutation again, nor one that was cancelled, nor another request', async () => {
  const refusal = () => Response.json({ error: { code: 'x', message: '', details: {} } }, { status: 503 });
  const refused = clientGetting(refusal(), saved());
  await expect(refused.client.mutation({ path: 'a::b', args: {} })).rejects.toMatchObject({ status: 503 });
  const cancelled = clientGetting('lost', saved());
  await expect(
    cancelled.client.mutation({ path: 'a::b', args: {} }, { signal: AbortSignal.abort() }),
  ).rejects.toThrow();
  const other = clientGetting('lost', saved());
  await expect(other.client.promoteFork('plan')).rejects.toThrow(ConnectionFailure);
  expect([refused.sent.length, cancelled.sent.length, other.sent]).toEqual([1, 1, [['/v1/forks/plan/promote', null]]]);
});
