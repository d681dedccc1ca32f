/** Coverage: the clauses that tests reach, those that they would miss, and its computation in time slices. */

import { describe, expect, it } from 'vitest';
import type { CoverageRow } from '../../api/schemas/test-schemas.js';
import { noDeadline } from '../../base/ports.js';
import { compile } from '../../compiler/index.js';
import { loadProgram } from '../../engine/index.js';
import { Coverage, wholeCoverage } from './test-coverage.js';

const MODULE = `module m
pub concept Person { name: Text, age: Int = 30 }
pub relation knows(a: Person, b: Person)
pub individual ada: Person { name: "Ada" }
pub derive linked(a: Person, b: Person) when knows(a, b)
pub derive linked(a: Person, b: Person) when knows(a, c), linked(c, b)
pub derive far(a: Person, b: Person) when linked(a, b), not knows(a, b)
pub define Child(p: Person) when p.age < limit()
pub check selfish(p: Person) when knows(p, p) severity blocking message "{p.name} knows only itself"
pub check loner(p: Person) when not knows(p, _), p.age > 99 severity warning message "alone"
fn limit() -> Int = 18
fn unused() -> Int = 1
pub query friends(p: Person) -> [Person] { select q where linked(p, q) }
pub mutation add(name: Text) -> Person { return insert Person { name: name } }
pub mutation meet(a: Person, b: Person) { insert knows(a, b) }
`;

function compiled(tests: string) {
  const { artifact, tests: blocks, diagnostics } = compile([{ file: 'm.entail', text: MODULE + tests }]);
  if (!artifact) throw new Error(diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n'));
  return { artifact, blocks };
}

let nowMs = 0;
const clock = { now: () => nowMs++ };

async function coverage(tests: string): Promise<readonly CoverageRow[]> {
  const { artifact, blocks } = compiled(tests);
  return wholeCoverage(artifact, blocks, { clock, factsPerRule: 100_000, createDeadline: () => noDeadline });
}

/** `linked 2`: the tests that reach the second clause, and after the arrow the one that would miss it. */
function words(rows: readonly CoverageRow[]): Record<string, string> {
  return Object.fromEntries(
    rows.map(({ path, clause, tests, missedBy }) => [
      `${path.slice(3)}${clause === undefined ? '' : ` ${clause + 1}`}`,
      `${tests.map(({ name }) => name).join(', ')}${missedBy === null ? '' : ` → ${missedBy.name}`}`,
    ]),
  );
}

describe('the coverage of a module', () => {
  it('lists for each clause the tests that reach it, and a test that would fail without it', async () => {
    const rows = await coverage(`test "direct" { let b = add("Bo") meet(@ada, b) expect linked(@ada, b) }
test "through" {
  let b = add("Bo")
  let c = add("Cy")
  meet(@ada, b)
  meet(b, c)
  let all = friends(@ada)
  expect count(for p where p in all) == 2
}
`);
    expect(words(rows)).toEqual({
      'linked 1': 'direct, through → direct',
      'linked 2': 'through → through',
      far: '',
      Child: '',
      selfish: '',
      loner: '',
      limit: '',
      unused: '',
      friends: 'through',
      add: 'direct, through',
      meet: 'direct, through',
    });
  });

  it('counts a check that refuses or warns as tested, and a function called by a clause that holds', async () => {
    const rows = await coverage(`test "refused" { expect error SVC_RUNTIME_CHECK_VIOLATION from meet(@ada, @ada) }
test "old" { let b = insert Person { name: "Bo", age: 100 } meet(@ada, @ada) }
test "young" { let b = insert Person { name: "Bo", age: 7 } expect Child(b) }
`);
    expect(words(rows)).toMatchObject({
      selfish: 'refused, old → refused',
      // It fires for the refused call, but no test would fail without it.
      loner: 'old',
      Child: 'young → young',
      limit: 'young',
    });
  });

  it('ignores facts that no test reads, and clauses that only a failing test would miss', async () => {
    const rows = await coverage(`test "unread" { insert knows(@ada, @ada) expect Person(@ada) }
test "wrong" { insert knows(@ada, @ada) expect linked(@ada, @ada), Child(@ada) }
`);
    expect(words(rows)).toMatchObject({ 'linked 1': 'wrong', 'linked 2': 'wrong', selfish: '' });
  });

  it('omits the clause number of a rule with one clause, and follows the order of the source', async () => {
    const rows = await coverage('test "none" { expect Person(@ada) }');
    expect(rows.map(({ path, clause, kind, span }) => [path, clause, kind, span.start.line])).toEqual([
      ['m::linked', 0, 'rule', 5],
      ['m::linked', 1, 'rule', 6],
      ['m::far', undefined, 'rule', 7],
      ['m::Child', undefined, 'define', 8],
      ['m::selfish', undefined, 'check', 9],
      ['m::loner', undefined, 'check', 10],
      ['m::limit', undefined, 'function', 11],
      ['m::unused', undefined, 'function', 12],
      ['m::friends', undefined, 'query', 13],
      ['m::add', undefined, 'mutation', 14],
      ['m::meet', undefined, 'mutation', 15],
    ]);
  });

  it('continues over as many requests as it needs', async () => {
    const { artifact, blocks } = compiled(`test "direct" { insert knows(@ada, @ada) expect linked(@ada, @ada) }
test "again" { insert knows(@ada, @ada) expect linked(@ada, _) }
`);
    const short = { clock, createDeadline: () => noDeadline, mayBegin: () => false };
    const inPieces = new Coverage(loadProgram(artifact), blocks, 100_000);
    const rows: CoverageRow[] = [];
    let requests = 0;
    for (; rows.length < inPieces.total; requests++) rows.push(...(await inPieces.rows(rows.length, 100, short)));
    expect(requests).toBeGreaterThan(2);
    expect(words(rows)).toEqual(words(await wholeCoverage(artifact, blocks, { ...short, factsPerRule: 100_000 })));
  });
});
