/** Streams of rows: of one snapshot, held until the stream ends. */

import { expect, it } from 'vitest';
import type { JsonValue } from '../../api/schemas/schemas.js';
import { noDeadline } from '../../base/ports.js';
import { PLAIN_LIST, type RowStream, type StreamedRows } from '../contract/requests.js';
import type { TestSession } from '../testing/session-methods.js';
import { FRAME, startWorld } from '../testing/start-world.js';

const NUMBERS = `module n
pub concept Thing { no: Int }
pub relation twice(no: Int, double: Int)
pub derive half(no: Int) when twice(no, _)
pub mutation fill(count: Int) {
  for i in (select i where i in range(0, count)) { insert Thing { no: i } insert twice(i, 2 * i) }
}
pub mutation change() { delete twice(_, _) insert twice(-1, -2) }
pub mutation removeAll() { for t in (select t where Thing(t)) { delete t } }
pub query things() -> [{ thing: Thing, no: Int }] { select { thing: t, no: t.no } where Thing(t) }
`;

const ROWS = 2500;

async function rest({ blocks }: RowStream): Promise<JsonValue[]> {
  const rows: JsonValue[] = [];
  for await (const block of blocks) rows.push(...(await valuesOf(block)));
  return rows;
}

async function valuesOf(block: StreamedRows): Promise<readonly JsonValue[]> {
  if (!('codes' in block)) return block;
  const { columns, size, codes } = block;
  const rows = Array.from({ length: size }, (_, row) =>
    columns.map(async ({ name, wireOf }, at) => [name, await wireOf(codes[row * columns.length + at] as number)]),
  );
  return Promise.all(rows.map(async (cells) => Object.fromEntries(await Promise.all(cells))));
}

const source = 'derive all(no: Int) when twice(no, _)';
const STREAMS: readonly (readonly [kind: string, open: (session: TestSession) => Promise<RowStream>])[] = [
  ['relation', (session) => session.relationRows('n::twice', PLAIN_LIST, noDeadline)],
  ['derived relation', (session) => session.relationRows('n::half', PLAIN_LIST, noDeadline)],
  ['class', (session) => session.individualRows('n::Thing', PLAIN_LIST, noDeadline)],
  ['query', (session) => session.queryRows('n::things', {}, 'entity', noDeadline)],
  ['ad-hoc derive', (session) => session.adhocRows({ source, module: undefined }, {}, 'entity', noDeadline)],
];

it.each(STREAMS)('reads one state of a %s, whatever is written meanwhile', async (_kind, open) => {
  const world = await startWorld(NUMBERS, { limits: { rows: 10 } });
  await world.mutate('n::fill', { count: ROWS });
  const stream = await open(await world.runtime.enter(FRAME));
  const first = await stream.blocks.next();
  await world.mutate('n::change');
  await world.mutate('n::removeAll');
  const rows = [...(await valuesOf(first.value ?? [])), ...(await rest(stream))] as { no: number }[];
  expect(rows.map(({ no }) => no)).toEqual(Array.from({ length: ROWS }, (_, no) => no));
  expect(await world.query('n::things')).toEqual([]);
});

it('lists all individuals of several concepts in one order, with the columns of all', async () => {
  const world = await startWorld(`module m
pub concept Party { name: Text }
pub concept Person is Party { age: Int? }
pub concept Room { seats: Int }
pub individual zoe: Person { name: "Zoe" }
pub individual aula: Room { seats: 90 }
pub mutation more() { insert Room { seats: 4 } insert Party { name: "Acme" } }
`);
  await world.mutate('m::more');
  const session = await world.runtime.enter(FRAME);
  const stream = await session.individualRows(undefined, PLAIN_LIST, noDeadline);
  expect(stream.columns.map(({ name }) => name)).toEqual(['$id', 'name', 'age', 'seats']);
  expect((await rest(stream)).map((row) => (row as { $id: string }).$id)).toEqual([
    '@m::aula',
    '@m::zoe',
    '#i1',
    '#i2',
  ]);
  const parties = await session.individualRows('m::Party', PLAIN_LIST, noDeadline);
  expect(parties.columns.map(({ name }) => name)).toEqual(['$id', 'name', 'age']);
  expect(await rest(parties)).toMatchObject([{ $id: '@m::zoe', name: 'Zoe', age: null }, { name: 'Acme' }]);
});

type Args = Readonly<Record<string, JsonValue>>;

const SELECTS: readonly (readonly [kind: string, row: string, select: string, args?: Args])[] = [
  ['variables', '{ item: Item, tag: Text }', '{ item: i, tag: t } where tagged(i, t)'],
  [
    'stored fields, some of them missing',
    '{ price: Decimal?, item: Item, by: Party? }',
    '{ item: i, price: i.price, by: i.by } where tagged(i, _)',
  ],
  [
    'variables in the order of a missing field',
    '{ tag: Text, item: Item }',
    '{ tag: t, item: i } where tagged(i, t) order by i.price desc',
  ],
  [
    'rows in several orders',
    '{ item: Item, tag: Text }',
    '{ item: i, tag: t } where tagged(i, t) order by t desc, i.price, i.by',
  ],
  [
    'the first rows',
    '{ item: Item, tag: Text }',
    '{ item: i, tag: t } where tagged(i, t) order by t limit 2 + least',
    { least: 1 },
  ],
  ['rows above a parameter', '{ n: Int }', '{ n: n } where ranked(_, n), n > least', { least: 4_000_000_000 }],
  ['individuals', 'Item', 'i where tagged(i, _)'],
  ['values', 'Text', 't where tagged(_, t)'],
  ['fields that several rows have', '{ by: Party? }', '{ by: i.by } where tagged(i, _)'],
  ['computed values', '{ item: Item, n: Int }', '{ item: i, n: n + 1 } where ranked(i, n)'],
  ['a parameter', '{ item: Item, least: Int }', '{ item: i, least: least } where tagged(i, "b")', { least: 3 }],
  [
    'lists and records',
    '{ item: Item, both: { a: Item, t: Text }, all: [Text] }',
    '{ item: i, both: { a: i, t: t }, all: [t] } where tagged(i, t)',
  ],
];

it('sorts rows by later columns where the first ones are equal', async () => {
  const world = await startWorld(`module q
pub relation pair(a: Int, b: Int, c: Int)
pub mutation fill(count: Int) {
  for i in (select i where i in range(0, count)) { insert pair(i, i, i) }
  insert pair(1500, 1500, -1)
  insert pair(1501, -1, 7)
}
`);
  await world.mutate('q::fill', { count: ROWS });
  const session = await world.runtime.enter(FRAME);
  const text = {
    source: 'query q() -> [{ a: Int, b: Int, c: Int }] { select { a: x, b: y, c: z } where pair(x, y, z) }',
    module: undefined,
  };
  const { result } = await session.queryAdhoc(text, {}, { limit: undefined, page: undefined }, noDeadline);
  expect(await rest(await session.adhocRows(text, {}, 'entity', noDeadline))).toEqual(result);
});

const CASES = SELECTS.map(([kind, row, select, args = {}]) => ({ kind, row, select, args }));

it.each(CASES)('has the rows of a query of $kind', async ({ row, select, args }) => {
  const world = await startWorld(`module q
pub concept Party { name: Text }
pub concept Item { price: Decimal?, by: Party? }
pub relation tagged(item: Item, tag: Text)
pub relation ranked(item: Item, n: Int)
pub mutation fill() {
  let p = insert Party { name: "P" }
  let a = insert Item { price: 2.50 }
  let b = insert Item { by: p }
  let c = insert Item { price: 10, by: p }
  insert tagged(a, "z") insert tagged(a, "b") insert tagged(b, "b") insert tagged(c, "😀") insert tagged(c, "\uffff")
  insert ranked(a, 5000000000) insert ranked(b, -3) insert ranked(c, 4000000001)
}
`);
  await world.mutate('q::fill');
  const session = await world.runtime.enter(FRAME);
  const text = { source: `query q(least: Int = 0) -> [${row}] { select ${select} }`, module: undefined };
  const { result } = await session.queryAdhoc(text, args, { limit: undefined, page: undefined }, noDeadline);
  expect(result).not.toHaveLength(0);
  expect(await rest(await session.adhocRows(text, args, 'entity', noDeadline))).toEqual(result);
});
