/** Bulk inserts against the statements of a mutation, row by row: the same facts, events and failures. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CAPABILITIES } from '../../api/capabilities.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import { noDeadline } from '../../base/ports.js';
import { runs } from '../../base/testing/property-runs.js';
import type { ImportRow } from '../contract/requests.js';
import { ALL, FRAME, startWorld } from '../testing/start-world.js';

const PARAMETERS = 'code: Text, size: Decimal where value > 0, next: Node?, kind: Kind = red, at: DateTime?, n: Int?';
const FIELDS = 'code: code, size: size, next: next, kind: kind, at: at, n: n';

const JOIN = `require weight > 0, 12 div weight > 3 message "too heavy: {weight}"
  require ok or from != to message "{from.code}"
  insert link(from, to, weight, ok)`;

/** Each mutation has a twin that inserts in an `if`, which is no bulk insert. */
const MODULE = `module g
enum Kind { red, green }
pub concept Node { code: Text unique, size: Decimal where value < 900, next: Node?, kind: Kind, at: DateTime?, n: Int? where value != 7, day: Text = "never" }
pub concept Leaf is Node {}
pub individual root: Node { code: "root", size: 1, kind: red }
pub relation link(from: Node, to: Node, weight: Int, ok: Bool)
pub check loops(a: Node) when link(a, a, _, _) severity blocking message "{a.code} links to itself"
pub mutation node(${PARAMETERS}) -> Node { return insert Node { ${FIELDS} } }
pub mutation nodeByRow(${PARAMETERS}) { if 1 == 1 { insert Node { ${FIELDS} } } }
pub mutation leaf(${PARAMETERS}) { insert Leaf { ${FIELDS} } }
pub mutation leafByRow(${PARAMETERS}) { if 1 == 1 { insert Leaf { ${FIELDS} } } }
pub mutation join(ok: Bool, weight: Int = 4, to: Node, from: Node) { ${JOIN} }
pub mutation joinByRow(ok: Bool, weight: Int = 4, to: Node, from: Node) { if 1 == 1 { ${JOIN} } }
`;

/** Mostly one of the good values. */
const cell = (good: readonly JsonValue[], bad: readonly JsonValue[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: fc.constantFrom(...bad) });
const nodeCells = {
  code: cell('abcdefghijklmnopqrstuvwxyz'.split(''), ['ü\ud800', 7, null]),
  size: cell(['1.5', '1.50', 2, '1e2', '12.3400', '0.001'], ['900', '-1', 'x', null, '0.0']),
  next: cell([null, 'a', 'b', 'root'], ['c', 'd', 'zz', 1]),
  kind: cell(['red', 'green', null], ['blue']),
  at: cell(
    [null, '2026-01-01T00:00:00Z', '2026-01-01T01:00:00.000+01:00'],
    ['2026-02-30T00:00:00Z', '2026-01-01T00:00:00.1234Z'],
  ),
  n: cell([0, -0, null, 2 ** 40], [7, 1.5, '3']),
};
const linkCells = {
  from: cell(['root', 'a', 'b'], ['c', 'd', null]),
  to: cell(['a', 'b', 'root'], ['e', null]),
  weight: cell([1, 2, null], [0.5, 5, 0, -1]),
  ok: cell([true, false], ['yes']),
};

/** Columns in some order, perhaps not all of them, and rows as lists or objects. */
function rowsOf(cells: Readonly<Record<string, fc.Arbitrary<JsonValue>>>) {
  const names = Object.keys(cells);
  return fc.shuffledSubarray(names, { minLength: names.length - 1 }).chain((columns) =>
    fc.record({
      columns: fc.constant(columns),
      rows: fc.array(
        fc.oneof(
          { weight: 10, arbitrary: fc.tuple(...columns.map((name) => cells[name] as fc.Arbitrary<JsonValue>)) },
          { weight: 2, arbitrary: fc.record(cells, { requiredKeys: columns }) },
          { weight: 1, arbitrary: fc.constantFrom<ImportRow>([1], ['a', 'b'], { other: 1 }) },
        ) as fc.Arbitrary<ImportRow>,
        { minLength: 1, maxLength: 12 },
      ),
    }),
  );
}

const step = fc.oneof(
  rowsOf(nodeCells).map((rows) => ({ ...rows, mutation: 'node', keys: { next: 'code' } })),
  rowsOf(nodeCells).map((rows) => ({ ...rows, mutation: 'leaf', keys: { next: 'code' } })),
  rowsOf(linkCells).map((rows) => ({ ...rows, mutation: 'join', keys: { from: 'code', to: 'code' } })),
);

it('inserts in bulk what the mutation inserts row by row, and leaves out the same rows', async () => {
  let inserted = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ step, rejects: fc.constantFrom(true, true, true, false) }), { minLength: 2, maxLength: 5 }),
      async (steps) => {
        const [bulk, byRow] = [await startWorld(MODULE), await startWorld(MODULE)];
        const sessions = [await bulk.runtime.enter(FRAME), await byRow.runtime.enter(FRAME)] as const;
        for (const {
          step: { mutation, rows, columns, keys },
          rejects,
        } of steps) {
          const options = { dryRun: false, granted: CAPABILITIES, columns, keys, rejects };
          const [one, other] = await Promise.all(
            sessions.map((session, at) =>
              session
                .importRows({ mutation: `g::${mutation}${at === 0 ? '' : 'ByRow'}` }, rows, options, noDeadline)
                .catch(({ code, message, details }) => ({ code, message, details })),
            ),
          );
          expect(plain(one)).toEqual(plain(other));
        }
        const [events, expected] = await Promise.all(sessions.map((session) => session.events(ALL, noDeadline)));
        expect(events).toEqual(expected);
        inserted += (events as { result: unknown[] }).result.length;
        const [facts, others] = await Promise.all(
          sessions.map((session) => session.relation('g::link', ALL, noDeadline)),
        );
        expect(facts).toEqual(others);
      },
    ),
    { numRuns: runs(60) },
  );
  expect(inserted).toBeGreaterThan(100);
});

/** Without the names of the twins, and their places in the source. */
function plain(response: unknown): unknown {
  const text = JSON.stringify(response, (key, value) => (key === 'span' ? undefined : value));
  return JSON.parse(text.replaceAll('ByRow', ''));
}
