/** Streams of rows: of one snapshot, held until the stream ends. */

import { expect, it } from 'vitest';
import type { JsonValue } from '../../api/schemas/schemas.js';
import { noDeadline } from '../../base/ports.js';
import { PLAIN_LIST, type RowStream } from '../contract/requests.js';
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
  for await (const block of blocks) rows.push(...block);
  return rows;
}

const source = 'derive all(no: Int) when twice(no, _)';
const STREAMS: readonly (readonly [kind: string, open: (session: TestSession) => Promise<RowStream>])[] = [
  ['relation', (session) => session.relationRows('n::twice', PLAIN_LIST, noDeadline)],
  ['derived relation', (session) => session.relationRows('n::half', PLAIN_LIST, noDeadline)],
  ['class', (session) => session.individualRows('n::Thing', PLAIN_LIST, noDeadline)],
  ['query', (session) => session.queryRows('n::things', {}, noDeadline)],
  ['ad-hoc derive', (session) => session.adhocRows({ source, module: undefined }, {}, noDeadline)],
];

it.each(STREAMS)('reads one state of a %s, whatever is written meanwhile', async (_kind, open) => {
  const world = await startWorld(NUMBERS, { limits: { rows: 10 } });
  await world.mutate('n::fill', { count: ROWS });
  const stream = await open(await world.runtime.enter(FRAME));
  const first = await stream.blocks.next();
  await world.mutate('n::change');
  await world.mutate('n::removeAll');
  const rows = [...(first.value ?? []), ...(await rest(stream))] as { no: number }[];
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
  expect(stream.columns).toEqual(['$id', 'name', 'age', 'seats']);
  expect((await rest(stream)).map((row) => (row as { $id: string }).$id)).toEqual([
    '@m::aula',
    '@m::zoe',
    '#i1',
    '#i2',
  ]);
  const parties = await session.individualRows('m::Party', PLAIN_LIST, noDeadline);
  expect(parties.columns).toEqual(['$id', 'name', 'age']);
  expect(await rest(parties)).toMatchObject([{ $id: '@m::zoe', name: 'Zoe', age: null }, { name: 'Acme' }]);
});
