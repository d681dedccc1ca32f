/** Scenarios: the test block compiles and passes where the calls did what they did, the script calls what was called. */

import { describe, expect, it } from 'vitest';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { compile } from '../../src-runtime/compiler/index.js';
import { servedSchema } from '../../src-runtime/world/served-schema.js';
import type { HistoryEntry } from '../data/call-history.js';
import { recentIdentities } from '../data/identities.js';
import { scriptOf, testOf } from './scenario.js';

const MODULE = `module m
context desk: Text?
enum Level { low, high }
pub concept Person { name: Text, level: Level = low, born: Date? }
pub individual root: Person { name: "Root" }
pub relation knows(a: Person, b: Person)
pub mutation add(name: Text, level: Level, born: Date?) -> Person { return insert Person { name: name, level: level, born: born } }
pub mutation meet(a: Person, b: Person) { insert knows(a, b) }
pub query people() -> Int { value count(for p where Person(p)) }
pub query all() -> [Person] { select p where Person(p) }
pub fn half(x: Decimal) -> Decimal = x / 2
`;

const { artifact } = compile([{ file: 'm.entail', text: MODULE }]);
if (artifact === undefined) throw new Error('the module has errors');
const schema: ServedSchema = servedSchema(artifact);

let lastId = 0;
function entry(
  kind: 'query' | 'mutation' | 'compute',
  name: string,
  args: Record<string, JsonValue>,
  came: JsonValue | { readonly code: string },
  more: Partial<HistoryEntry> = {},
): HistoryEntry {
  lastId += 1;
  const failed = typeof came === 'object' && came !== null && 'code' in came;
  return {
    id: lastId,
    at: lastId,
    durationMs: 1,
    requestId: '',
    context: {},
    fork: 'main',
    dryRun: false,
    request: { kind, path: `m::${name}`, args },
    outcome: failed ? { ok: false, code: String(came.code), message: '' } : { ok: true, summary: '' },
    ...(!failed && { result: came as JsonValue }),
    ...more,
  };
}

const person = (id: string) => ({ $id: id, $meta: { type: 'm::Person', classes: ['m::Person'] }, name: 'x' });
const calls = [
  entry('mutation', 'add', { name: 'Ada "A"', level: 'high', born: '1990-01-31' }, person('#i7'), {
    context: { desk: 'front' },
  }),
  entry('mutation', 'add', { name: 'Bob', level: 'low', born: null }, person('#i8'), { context: { desk: 'front' } }),
  entry('mutation', 'add', { name: 'Never', level: 'low' }, person('#i9'), { dryRun: true }),
  entry('mutation', 'meet', { a: '#i7', b: '@m::root' }, null, { fork: 'what if' }),
  entry('mutation', 'meet', { a: '#i7', b: '#i3' }, null),
  entry('mutation', 'meet', { a: '#i8', b: 'nobody' }, { code: 'SVC_RUNTIME_VALIDATION_FAILED' }),
  entry('mutation', 'meet', { a: '#i8', b: '#i7' }, { code: 'SVC_RUNTIME_VALIDATION_FAILED' }),
  entry('query', 'people', {}, 3),
  entry('query', 'all', {}, [person('#i7')]),
  entry('compute', 'half', { x: '5' }, '2.5'),
].toReversed();

describe('a scenario', () => {
  it('is a test of the module that compiles', () => {
    const text = testOf(schema, calls, 'Ada meets "root"');
    expect(text).toBe(`test "Ada meets \\"root\\"" {
  set context.desk = "front"
  let person1 = add(name: "Ada \\"A\\"", level: Level::high, born: date "1990-01-31")
  let person2 = add(name: "Bob", level: Level::low, born: none)
  meet(a: person1, b: @root)
  // meet refers to something that no call here makes
  // meet refers to something that no call here makes
  expect error SVC_RUNTIME_VALIDATION_FAILED from meet(a: person2, b: person1)
  let people1 = people()
  expect people1 == 3
  let all1 = all()
  expect half(x: 5) == 2.5
}
`);
    const whole = MODULE + text.replace(/^.*@nobody.*\n/m, '');
    expect(
      compile([{ file: 'm.entail', text: whole }]).diagnostics.filter(({ severity }) => severity === 'error'),
    ).toEqual([]);
  });

  it('is a script that hands on what each call made', () => {
    const script = scriptOf(calls).split('\n');
    expect(script).toContain(
      `person1="$(entail call "$url" m::add --arg 'name=Ada "A"' --arg level=high --arg born=1990-01-31 --context desk=front | id_of)"`,
    );
    expect(script).toContain(`entail call "$url" m::meet --arg "a=$person1" --arg b=@m::root --fork 'what if'`);
    expect(script).toContain(
      `if entail call "$url" m::meet --arg "a=$person2" --arg b=nobody; then echo 'expected SVC_RUNTIME_VALIDATION_FAILED' >&2; exit 1; fi`,
    );
    expect(script.join('\n')).not.toContain('Never');
  });
});

describe('identities', () => {
  it('are those that calls were sent with, each once, without the one worn now', () => {
    const sent = [{ desk: 'b' }, { desk: 'a', other: 'x' }, { desk: 'b' }, {}, { desk: '' }].map((context) =>
      entry('query', 'all', {}, [], { context }),
    );
    expect(recentIdentities(sent, ['desk'], {})).toEqual([{ desk: 'b' }, { desk: 'a' }]);
    expect(recentIdentities(sent, ['desk'], { desk: 'b' })).toEqual([{ desk: 'a' }]);
  });
});
