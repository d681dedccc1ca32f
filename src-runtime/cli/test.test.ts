/** `entail test` as a shell sees it. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runProgram } from './program.js';
import { wantsColour } from './terminal.js';
import { testTerminal } from './testing/terminal.js';

const MODULE = `module m
pub concept Person { name: Text }
pub relation knows(a: Person, b: Person)
pub derive linked(a: Person, b: Person) when knows(a, b)
pub mutation add(name: Text) -> Person { return insert Person { name: name } }
test "adds" { let p = add("Bo") expect Person(p) }
`;
const FAILING = `test "links" {
  let p = add("Bo")
  expect linked(p, p)
}
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'entail-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function run(text: string, options: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) {
  const file = join(folder, 'm.entail');
  await writeFile(file, text);
  const terminal = testTerminal(environment);
  const code = await runProgram(['test', file, ...options], { version: '1.2.3', page: undefined }, terminal);
  return { code, out: terminal.written, complaints: terminal.complaints };
}

it('prints a line per test and a summary, and exits with 0', async () => {
  const { code, out } = await run(MODULE);
  expect([code, out.replace(/[\d.]+ ms/, 'T ms')]).toEqual([0, 'ok     m: adds (T ms)\n1 passed, 0 failed\n']);
});

it('shows a failing expectation with its source and the why-not, and exits with 1', async () => {
  const { code, out } = await run(MODULE + FAILING);
  expect(code).toBe(1);
  expect(out).toMatch(/failed m: links/);
  expect(out).toContain('m.entail:9:3 m::linked(p, p) is false');
  expect(out).toContain('  9 |   expect linked(p, p)\n    |   ^^^^^^^^^^^^^^^^^^^');
  expect(out).toContain('stops at: knows(a, b)');
  expect(out).toMatch(/1 passed, 1 failed\n$/);
});

it('suggests a change that would make the fact hold, and names the check that would refuse it', async () => {
  const lonely = 'pub check selfish(a: Person) when knows(a, a) severity blocking message "no"\n';
  expect((await run(MODULE + FAILING)).out).toContain('\n  it would be true after: insert m::knows(#i1, #i1)\n');
  expect((await run(MODULE + lonely + FAILING)).out).toContain('(#i1, #i1), but that violates m::selfish\n');
});

it('shows the values of a failing comparison', async () => {
  const { out } = await run(`module m
pub concept Lease { rent: Decimal }
pub derive dear(l: Lease) when Lease(l), l.rent >= 900
test "dear" { let l = insert Lease { rent: 800 } expect dear(l) }
`);
  expect(out).toContain('stops at: l.rent >= 900 (l.rent is 800, needed >= 900)');
});

it('shows the binding for which a rule fails', async () => {
  const { out } = await run(`module m
pub concept Lease { rent: Int, tenants: Int }
pub derive share(l: Lease, s: Int) when Lease(l), let s = l.rent div l.tenants
test "shares" { let l = insert Lease { rent: 800, tenants: 0 } expect share(l, _) }
`);
  expect(out).toContain('The rule "m::share"');
  expect(out).toContain('division by zero');
  expect(out).toContain('  where l = "#i1"\n');
});

it('prints results as JSON', async () => {
  const { code, out } = await run(MODULE + FAILING, ['--json']);
  expect(code).toBe(1);
  expect(JSON.parse(out).tests).toMatchObject([
    { module: 'm', name: 'adds', passed: true, ms: expect.any(Number) },
    { module: 'm', name: 'links', passed: false, failure: { text: 'expect linked(p, p)' } },
  ]);
});

it('lists untested clauses and clauses that no test depends on', async () => {
  const reading = 'test "reads" { let p = add("Bo") let q = add("Cy") insert knows(p, p) expect not linked(p, q) }\n';
  const { code, out } = await run(MODULE + reading, ['--coverage']);
  expect(code).toBe(0);
  expect(out).toContain('1 of 2 clauses and callables are tested\n');
  expect(out).toContain('m.entail:4:1 rule m::linked: no test fails without it\n');
  const bare = await run(MODULE, ['--coverage', '--json']);
  expect(JSON.parse(bare.out).coverage).toMatchObject([
    { path: 'm::linked', kind: 'rule', tests: [], missedBy: null },
    { path: 'm::add', kind: 'mutation', tests: [{ name: 'adds' }] },
  ]);
});

it('prints diagnostics if the sources do not compile', async () => {
  const { code, complaints } = await run(`${MODULE}test "t" { expect lnked(_, _) }`);
  expect(code).toBe(1);
  expect(complaints).toMatch(/error E0101/);
});

it('stops at the time limit, and names the rule', async () => {
  const runaway = `pub derive grow(n: Int) when let n = 0
pub derive grow(n: Int) when grow(m), let n = m + 1
test "runs away" { expect grow(-1) }
test "goes on" { expect not linked(_, _) }
`;
  const { code, out } = await run(MODULE + runaway, ['--timeout-ms', '200']);
  expect(code).toBe(1);
  expect(out).toContain('timed out: the work took longer than 200 ms, in the rule "m::grow"');
  expect(out).toContain('ok     m: goes on');
  expect(out).toMatch(/2 passed, 1 failed\n$/);
});

it('stops at the time limit while it loads ground truth', async () => {
  const people = Array.from({ length: 20_000 }, (_, place) => `individual p${place}: Person { name: "P" }\n`).join('');
  const { code, out } = await run(MODULE + people, ['--timeout-ms', '1']);
  expect(code).toBe(1);
  expect(out).toContain('timed out before its first statement: the work took longer than 1 ms');
  expect(out).toMatch(/0 passed, 1 failed\n$/);
});

it('uses colour on request', async () => {
  const { out } = await run(MODULE, [], { FORCE_COLOR: '1' });
  expect(out).toContain('\u001b[32mok    \u001b[0m m: adds');
});

it.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
])('%j on a terminal (%s): colour %s', (environment, isTerminal, expected) => {
  expect(wantsColour(environment, isTerminal)).toBe(expected);
});
