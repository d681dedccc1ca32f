/** The example test compiles in any module. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { noDeadline } from '../../../src-runtime/base/ports.js';
import { compile } from '../../../src-runtime/compiler/index.js';
import { runModuleTests } from '../../../src-runtime/world/index.js';
import { servedSchema } from '../../../src-runtime/world/wire/served-schema.js';
import { exampleTest } from './example-test.js';

const SAMPLES = new URL('../../../resources/modules/', import.meta.url);
const samples = readdirSync(SAMPLES).map((file) => [file, readFileSync(new URL(file, SAMPLES), 'utf8')] as const);

function compiled(text: string) {
  const { artifact, tests, diagnostics } = compile([{ file: 'm.entail', text }]);
  if (artifact === undefined) throw new Error(diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n'));
  return { artifact, tests, diagnostics };
}

function exampleOf(text: string): string | undefined {
  return exampleTest(servedSchema(compiled(text).artifact));
}

/** Adds the example to the module and runs all tests. */
function pasted(text: string) {
  const { artifact, tests, diagnostics } = compiled(`${text}\n${exampleOf(text)}\n`);
  let nowMs = 0;
  const results = runModuleTests(artifact, tests.slice(-1), {
    clock: { now: () => nowMs++ },
    factsPerRule: 1_000_000,
    createDeadline: () => noDeadline,
  });
  return { results, warnings: diagnostics.map(({ code, message }) => `${code} ${message}`) };
}

describe('the example test', () => {
  it.each(samples)('compiles in %s without a warning, and passes', async (_, text) => {
    const { results, warnings } = pasted(text);
    expect(warnings).toEqual(compiled(text).diagnostics.map(({ code, message }) => `${code} ${message}`));
    expect(await results).toEqual([expect.objectContaining({ passed: true })]);
  });

  it('calls a mutation that creates an individual, with required arguments and an unused variable', () => {
    expect(
      exampleOf(`module m
concept Person { name: Text }
enum Size { small, large }
individual ada: Person { name: "Ada" }
individual bo: Person { name: "Bo" }
relation knows(a: Person, b: Person)
query made() -> Int { value 1 }
mutation meet(a: Person, b: Person) { insert knows(a, b) }
mutation hire(email: Text where contains(value, "@")) -> Person { return insert Person { name: email } }
mutation add(friend: Person, other: Person, size: Size, note: Text?, times: Int = 1) -> Person {
  return insert Person { name: "x" }
}
`),
    ).toBe(`test "add makes a Person" {
  let made1 = add(friend: @ada, other: @bo, size: Size::small)
  expect Person(made1)
}`);
  });

  it('expects no violation of a blocking check after a mutation that creates nothing', () => {
    expect(
      exampleOf(`module m
relation day(on: Date)
check loner(on: Date) when day(on) severity warning message "alone"
check twice(one: Date, other: Date) when day(one), day(other), one < other severity blocking message "two"
mutation open(on: Date) { insert day(on) }
`),
    ).toBe(`test "what open does" {
  open(on: date "2026-01-01")
  expect not twice(_, _)
}`);
  });

  it.each([
    ['a query', 'concept P { name: Text }\nquery all() -> [P] { select p where P(p) }'],
    ['a query of one value', 'query one() -> Int { value 1 }'],
    ['a relation', 'relation day(on: Date)'],
    ['a concept', 'concept P { name: Text }'],
    ['a mutation without possible arguments', 'concept P { name: Text }\nmutation end(p: P) { delete p }'],
  ])('passes for a module that has only %s', async (_, text) => {
    expect(await pasted(`module m\n${text}\n`).results).toEqual([expect.objectContaining({ passed: true })]);
  });

  it('is undefined for an empty module', () => {
    expect(exampleOf('module m\n')).toBeUndefined();
  });
});
