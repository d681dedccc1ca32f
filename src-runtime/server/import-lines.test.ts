/** Imports of JSON lines: rows as lists of cells, failing rows left out, and bodies above the body limit. */

import { request } from 'node:http';
import { expect, it } from 'vitest';
import type { ImportFailure } from '../api/schemas/import-schemas.js';
import { type RealOptions, type RealServer, serversOfTests } from './testing/real.js';

const MODULE = `module lab
pub concept Sensor { code: Text unique, place: Text = "roof", floor: Int? }
pub relation reading(sensor: Sensor, at: DateTime, value: Decimal)
pub relation level(name: Text, n: Int)
pub check cold(s: Sensor) when reading(s, _, v), v < -273 severity blocking message "{s.code} is too cold"
pub mutation label(code: Text, place: Text, floor: Int) {
  for s in (select s where Sensor(s), s.code == code) { set s.place = place set s.floor = 12 div floor }
}
`;

const started = serversOfTests();
const serve = (options: RealOptions = {}) => started(MODULE, options);

const send = (server: RealServer, head: object, rows: readonly unknown[], query = '') => {
  const lines = [head, ...rows].map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  return server.call('POST', `/v1/import${query}`, `${lines.join('\n')}\n`, { 'content-type': 'application/x-ndjson' });
};

const tuplesOf = async (server: RealServer, relation: string) => {
  const { result } = (await server.call('GET', `/v1/relations/${relation}`)).body;
  return result.map(({ tuple }: { tuple: unknown }) => tuple);
};

const rowsOf = (failures: readonly ImportFailure[]) => failures.map(({ row, message }) => [row, message]);

it('inserts lists of cells in the order of the columns, by keys too, as one transaction', async () => {
  const server = await serve();
  const sensors = [['s1', 3], ['s2', null], { code: 's3', place: 'cellar' }];
  const made = await send(server, { into: 'lab::Sensor', columns: ['code', 'floor'] }, sensors);
  expect(made.body.result).toEqual({ rows: 3, events: 10, warnings: 0 });
  const places = (await server.call('GET', '/v1/individuals')).body.result.map(
    ({ place, floor }: { place: string; floor: number }) => [place, floor],
  );
  expect(places).toEqual([
    ['roof', 3],
    ['roof', null],
    ['cellar', null],
  ]);
  const head = { into: 'lab::reading', columns: ['value', 'sensor', 'at'], keys: { sensor: 'code' } };
  const readings = [
    ['1.50', 's1', '2026-01-01T00:00:00Z'],
    [-2, 's2', '2026-01-01T01:00:00+01:00'],
    ['1.5', 's1', '2026-01-01T00:00:00.000Z'],
    '[12345678901234567890.5,"s1","2026-01-01T00:00:00Z"]',
  ];
  const read = await send(server, head, readings);
  expect(read.body).toMatchObject({ result: { rows: 4, events: 3, warnings: 0 }, txn: 2 });
  expect(await tuplesOf(server, 'lab::reading')).toEqual([
    ['#i1', '2026-01-01T00:00:00.000Z', '1.5'],
    ['#i1', '2026-01-01T00:00:00.000Z', '12345678901234567890.5'],
    ['#i2', '2026-01-01T00:00:00.000Z', '-2'],
  ]);
});

it('leaves failing rows out with `rejects`, and returns them with their reasons', async () => {
  const server = await serve();
  await send(server, { into: 'lab::Sensor', columns: ['code'] }, [['s1'], ['s2']]);
  const head = { into: 'lab::reading', columns: ['sensor', 'at', 'value'], keys: { sensor: 'code' }, rejects: true };
  const rows = [
    ['s1', '2026-01-01T00:00:00Z', '1'],
    ['s9', '2026-01-01T00:00:00Z', '1'],
    ['s1', '2026-13-01T00:00:00Z', '1'],
    ['s1', '2026-01-01T00:00:00Z', '-300'],
    ['s1', '2026-01-01T00:00:00Z'],
    '["s1","2026-01-01T00:00:00Z",',
    '7',
    ['s2', '2026-01-01T00:00:00Z', null],
    ['s2', '2026-01-01T00:00:00Z', '2'],
  ];
  const { status, body } = await send(server, head, rows);
  expect([status, body.result]).toEqual([200, { rows: 2, events: 2, warnings: 0, rejected: 7 }]);
  expect(rowsOf(body.failures)).toEqual([
    [1, expect.stringContaining('"s9", which no Sensor has')],
    [2, expect.stringContaining('"2026-13-01T00:00:00Z"')],
    [3, expect.stringContaining('s1 is too cold')],
    [4, expect.stringContaining('Expected 3 cells, got 2')],
    [5, expect.stringContaining('no JSON')],
    [6, expect.stringContaining('got 7')],
    [7, expect.stringContaining('needs the argument "value"')],
  ]);
  expect(await tuplesOf(server, 'lab::reading')).toHaveLength(2);
  const none = await send(server, head, [['s9', '2026-01-01T00:00:00Z', '1']]);
  expect(none.body).toMatchObject({ result: { rows: 0, events: 0, rejected: 1 }, txn: null });
});

it('leaves no trace of a rejected row that had changed facts', async () => {
  const server = await serve();
  await send(server, { into: 'lab::Sensor', columns: ['code'] }, [['s1'], ['s2']]);
  const head = { mutation: 'lab::label', columns: ['code', 'place', 'floor'], rejects: true };
  const { body } = await send(server, head, [
    ['s1', 'attic', 0],
    ['s2', 'attic', 4],
  ]);
  expect([body.result, rowsOf(body.failures).map(([row]) => row)]).toEqual([
    { rows: 1, events: 2, warnings: 0, rejected: 1 },
    [0],
  ]);
  const { result } = (
    await server.call('POST', '/v1/explain', { relation: 'lab::Sensor.place', tuple: ['#i1', 'roof'] })
  ).body;
  expect(result.proof.event).toMatchObject({ txn: 1 });
});

it('takes a body above the body limit as one transaction, and refuses a longer line', async () => {
  const server = await serve({ limits: { bodyBytes: 2_000 } });
  const head = { into: 'lab::level', columns: ['name', 'n'] };
  const rows = Array.from({ length: 20_000 }, (_, n) => [`level ${n}`, n]);
  const { body } = await send(server, head, rows);
  expect(body).toMatchObject({ result: { rows: 20_000, events: 20_000 }, txn: 1 });
  const statuses = async (name: string) => {
    const places = [
      [[name, 1]],
      [
        ['a', 1],
        [name, 1],
        ['b', 1],
      ],
      [...rows, [name, 1]],
    ];
    return await Promise.all(places.map(async (each) => (await send(server, head, each)).status));
  };
  // With its brackets, quotes and number, a line is six bytes longer than the name.
  expect(await statuses('x'.repeat(1_994))).toEqual([200, 200, 200]);
  expect(await statuses('x'.repeat(1_995))).toEqual([413, 413, 413]);
  expect(await statuses('x'.repeat(200_000))).toEqual([413, 413, 413]);
  expect((await send(server, { ...head, columns: ['name', 'n', 'x'.repeat(2_000)] }, [['a', 1]])).status).toBe(413);
});

it('keeps nothing if the connection is lost before the last row', async () => {
  const server = await serve();
  const { hostname, port } = new URL(server.running.url);
  const headers = { authorization: `Bearer ${server.running.token}`, 'content-type': 'application/x-ndjson' };
  const lost = request({ hostname, port, path: '/v1/import', method: 'POST', headers });
  lost.on('error', () => undefined);
  lost.write('{"into":"lab::level","columns":["name","n"]}\n["a",1]\n["b"', () => lost.destroy());
  await new Promise((resolve) => lost.once('close', resolve));
  await send(server, { into: 'lab::level', columns: ['name', 'n'] }, [['c', 3]]);
  expect(await tuplesOf(server, 'lab::level')).toEqual([['c', 3]]);
});

it('stores with the transaction how far the source was consumed', async () => {
  const server = await serve();
  const source = { id: 'levels.csv-1', rows: 40 };
  await send(server, { into: 'lab::level', columns: ['name', 'n'], source }, [['a', 1]]);
  const { result } = (await server.call('GET', '/v1/transactions')).body;
  expect(result[0].cause).toEqual({ kind: 'adhoc', source });
});

it('refuses a body whose first line or columns do not fit', async () => {
  const server = await serve();
  const head = { into: 'lab::level', columns: ['name', 'n'] };
  for (const [first, rows, message] of [
    [{ ...head, columns: ['name', 'm'] }, [['a', 1]], 'has no parameter "m"'],
    [{ ...head, columns: ['name', 'n', 'n'] }, [['a', 1, 1]], 'named twice'],
    [{ ...head, rejects: 1 }, [['a', 1]], '$.rejects'],
    [['no', 'head'], [['a', 1]], 'a JSON object in the first line'],
    [head, [], 'Expected rows after the first line'],
    [{ into: 'lab::level' }, [['a', 1]], 'no columns are named'],
  ] as const) {
    const { body } = await send(server, first, rows);
    expect(body.error.message).toContain(message);
  }
  const text = await server.call('POST', '/v1/query/adhoc', '{}', { 'content-type': 'application/x-ndjson' });
  expect(text.body.error.message).toContain('Expected a body of application/json');
});
