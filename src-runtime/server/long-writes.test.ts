/** While a long transaction runs, other requests get responses, and see all of it or nothing. */

import { describe, expect, it } from 'vitest';
import { serversOfTests } from './testing/real.js';

const FACTS = 20_000;

const NOTES = `module notes
pub relation noted(no: Int, by: Int)
pub derive early(no: Int) when noted(no, _), no < 100
pub check negative(no: Int) when noted(no, _), no < 0 severity blocking message "{no} is negative"
pub query known(of: [Int]) -> [Int] { select n where n in of, noted(n, _) }
pub mutation fill(from: Int, to: Int) { for n in range(from, to) { insert noted(n, n mod 7) } }
pub mutation one(no: Int, by: Int) { insert noted(no, by) }
pub mutation clear() { delete noted(_, _) }
`;

const serve = serversOfTests();

/** The first and the last of the facts. */
const ENDS = [0, FACTS - 1];

const rows = Array.from({ length: FACTS }, (_, no) => ({ no, by: 1 }));

describe.each([{ onDisk: false }, { onDisk: true }])('health and point queries (on disk: $onDisk)', ({ onDisk }) => {
  it.each<[string, (server: Server) => Promise<{ readonly status: number }>, readonly number[]]>([
    ['a mutation of many facts', (server) => server.mutation('notes::fill', { from: 0, to: FACTS }), ENDS],
    ['an import of many rows', (server) => server.call('POST', '/v1/import', { mutation: 'notes::one', rows }), ENDS],
    ['the end of many facts', (server) => server.mutation('notes::clear'), []],
    ['a promotion of many facts', (server) => server.call('POST', '/v1/forks/long/promote'), ENDS],
  ])('get responses during %s', async (what, start, after) => {
    const server = await serve(NOTES, { onDisk });
    await server.call('POST', '/v1/forks', { id: 'long' });
    if (what.startsWith('the end')) await server.mutation('notes::fill', { from: 0, to: FACTS });
    if (what.startsWith('a promotion')) {
      await server.mutation('notes::fill', { from: 0, to: FACTS }, { 'x-fork-id': 'long' });
    }
    const known = async () => (await server.query('notes::known', { of: ENDS })).body.result;
    const before = await known();
    let isOver = false;
    const work = start(server).finally(() => {
      isOver = true;
    });
    let answers = 0;
    const health = async () => {
      for (; !isOver; answers += 1) expect((await server.call('GET', '/healthz')).status).toBe(200);
    };
    const reads = async () => {
      while (!isOver) expect([before, after]).toContainEqual(await known());
    };
    await Promise.all([health(), reads()]);
    expect((await work).status).toBe(200);
    // One response may arrive after the write. How many arrive before it depends on the load of the machine.
    expect(answers).toBeGreaterThan(1);
    expect(await known()).toEqual(after);
  });
});

it('stops a mutation with a loop that exceeds its time, and rolls back', async () => {
  const server = await serve(NOTES, { limits: { timeoutMs: 300 } });
  const { status, body } = await server.mutation('notes::fill', { from: 0, to: 1_000_000_000 });
  expect([status, body.error.code]).toEqual([408, 'SVC_RUNTIME_REQUEST_TIMEOUT']);
  expect((await server.mutation('notes::one', { no: 1, by: 1 })).body.txn).toBe(1);
  expect((await server.query('notes::known', { of: [0, 1] })).body.result).toEqual([1]);
});

type Server = Awaited<ReturnType<typeof serve>>;
