import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { compile } from '../../../src-runtime/compiler/index.js';
import { servedSchema } from '../../../src-runtime/world/wire/served-schema.js';
import type { HistoryEntry } from '../../server-state/call-history.js';
import { fullContext, isCurrent, recentContexts } from './recent-contexts.js';
import { scriptOf, testOf } from './scenario.js';

const MODULE = `module m
context desk: Text?
context tenantId: Text?
enum Level { low, high }
pub concept Person { name: Text, level: Level = low, born: Date? }
pub individual root: Person { name: "Root" }
pub relation knows(a: Person, b: Person)
pub mutation add(name: Text, level: Level, born: Date?) -> Person { return insert Person { name: name, level: level, born: born } }
pub mutation meet(a: Person, b: Person) { insert knows(a, b) }
pub mutation greet(all: [Person]) { for p in all { insert knows(@root, p) } }
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
  result: JsonValue | { readonly code: string },
  more: Partial<HistoryEntry> = {},
): HistoryEntry {
  lastId += 1;
  const failed = typeof result === 'object' && result !== null && 'code' in result;
  return {
    id: lastId,
    at: lastId,
    durationMs: 1,
    requestId: '',
    context: {},
    fork: 'main',
    dryRun: false,
    request: { kind, path: `m::${name}`, args },
    outcome: failed ? { ok: false, code: String(result.code), message: '' } : { ok: true, summary: '' },
    ...(!failed && { result: result as JsonValue }),
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
  it('becomes a test that compiles', () => {
    const text = testOf(schema, calls, 'Ada meets "root"');
    expect(text).toBe(`test "Ada meets \\"root\\"" {
  set context.desk = "front"
  let person1 = add(name: "Ada \\"A\\"", level: Level::high, born: date "1990-01-31")
  let person2 = add(name: "Bob", level: Level::low, born: none)
  set context.desk = none
  meet(a: person1, b: @root)
  // meet refers to an individual that none of these calls creates
  // meet refers to an individual that none of these calls creates
  expect error SVC_RUNTIME_VALIDATION_FAILED from meet(a: person2, b: person1)
  let people1 = people()
  expect people1 == 3
  let all1 = all()
  expect all1 == [person1]
  expect half(x: 5) == 2.5
}
`);
    const whole = MODULE + text.replace(/^.*@nobody.*\n/m, '');
    expect(compile([{ file: 'm.entail', text: whole }]).diagnostics).toEqual([]);
  });

  it('uses qualified names with several modules', () => {
    const zoo = `module zoo
pub enum Size { small, large }
pub concept Animal { name: Text, size: Size, weight: Decimal }
pub individual leo: Animal { name: "Leo", size: large, weight: 190 }
pub mutation house(name: Text, size: Size, weight: Decimal) -> Animal { return insert Animal { name: name, size: size, weight: weight } }
`;
    const show = `module show
use zoo::{Animal}
pub relation acts(animal: Animal)
pub mutation play(animals: [Animal]) { for a in animals { insert acts(a) } }
pub query sizeOf(animal: Animal) -> zoo::Size { value animal.size }
`;
    const files = [
      { file: 'show.entail', text: show },
      { file: 'zoo.entail', text: zoo },
    ];
    const both = compile(files).artifact;
    if (both === undefined) throw new Error('the modules have errors');
    const path = (module: string, name: string, kind: 'query' | 'mutation', args: Record<string, JsonValue>) => ({
      request: { kind, path: `${module}::${name}`, args },
    });
    const animal = { $id: '#i1', $meta: { type: 'zoo::Animal', classes: [] } };
    const made = [
      entry(
        'mutation',
        '',
        {},
        animal,
        path('zoo', 'house', 'mutation', { name: 'Flea', size: 'small', weight: 1e-7 }),
      ),
      entry('mutation', '', {}, null, path('show', 'play', 'mutation', { animals: ['#i1', '@leo', 'zoo::leo'] })),
      entry('query', '', {}, 'small', path('show', 'sizeOf', 'query', { animal: '#i1' })),
    ];
    const text = testOf(servedSchema(both), made, 'a flea');
    expect(text).toContain('zoo::house(name: "Flea", size: zoo::Size::small, weight: 0.0000001)');
    expect(text).toContain('show::play(animals: [animal1, @zoo::leo, @zoo::leo])');
    expect(text).toContain('expect sizeOf1 == zoo::Size::small');
    for (const { file } of files) {
      const sources = files.map((each) => (each.file === file ? { file, text: each.text + text } : each));
      expect(compile(sources).diagnostics).toEqual([]);
    }
  });

  it('turns a call that a test cannot make into a comment', () => {
    const refused = (args: Record<string, JsonValue>) => entry('mutation', 'add', args, { code: 'SVC_RUNTIME_NO' });
    const miscalled = '  // add was called in a way that a test cannot repeat: SVC_RUNTIME_NO\n';
    for (const args of [
      { level: 'low' },
      { name: 'A', level: 'low', more: 1 },
      { name: 'A', level: 'middle' },
      { name: 'A', level: 'low', born: '2026-02-30' },
      { name: 7, level: 'low' },
    ]) {
      expect(testOf(schema, [refused(args)], 'refused')).toContain(miscalled);
    }
    const fails = entry('compute', 'half', { x: '5' }, { code: 'SVC_RUNTIME_COMPUTE_EVAL_FAILED' });
    expect(testOf(schema, [fails], 'fails')).toContain('  // SVC_RUNTIME_COMPUTE_EVAL_FAILED from half(x: 5)\n');
  });

  it('keeps the same id of two tenants apart', () => {
    const of = (tenantId: string) => ({ context: { tenantId } });
    const two = [
      entry('mutation', 'add', { name: 'Ada', level: 'low' }, person('#i1'), of('north')),
      entry('mutation', 'add', { name: 'Bob', level: 'low' }, person('#i1'), of('south')),
      entry('mutation', 'greet', { all: ['#i1'] }, null, of('north')),
      entry('mutation', 'greet', { all: ['@m::root', '#i1'] }, null, of('south')),
    ];
    const text = testOf(schema, two, 'two');
    expect(text).toContain('greet(all: [person1])');
    expect(text).toContain('greet(all: [@root, person2])');
    expect(compile([{ file: 'm.entail', text: MODULE + text }]).diagnostics).toEqual([]);
    const script = scriptOf(two).split('\n');
    expect(script).toContain(`call m::greet --arg 'all=["'"$person1"'"]' --context tenantId=north`);
    expect(script).toContain(`call m::greet --arg 'all=["@m::root","'"$person2"'"]' --context tenantId=south`);
  });

  it('becomes a script that passes on created ids', () => {
    const script = scriptOf(calls).split('\n');
    expect(script).toContain(
      `person1="$(call m::add --arg 'name=Ada "A"' --arg level=high --arg born=1990-01-31 --context desk=front)"; person1="$(id_of "$person1")"`,
    );
    expect(script).toContain(`call m::meet --arg "a=$person1" --arg b=@m::root --fork 'what if'`);
    expect(script).toContain(`refused SVC_RUNTIME_VALIDATION_FAILED m::meet --arg "a=$person2" --arg b=nobody`);
    expect(script.join('\n')).not.toContain('Never');
    const onMain = scriptOf(calls, ({ fork }) => fork === 'what if').split('\n');
    const at = onMain.indexOf('# called on fork "what if", which is closed');
    expect(onMain[at + 1]).toBe('call m::meet --arg "a=$person1" --arg b=@m::root');
  });
});

describe('a script', () => {
  const refusal = (code: string, details: object) =>
    JSON.stringify({ error: { code, message: 'No.', details }, requestId: 'r', moduleHash: '' });
  const made = JSON.stringify({ result: person('#i12') });
  const FAILED = 'SVC_RUNTIME_VALIDATION_FAILED';
  const few = [
    entry('mutation', 'add', { name: 'Bob' }, person('#i8')),
    entry('mutation', 'meet', { a: '#i8', b: 'nobody' }, { code: FAILED }),
  ];

  it('makes its calls, with the ids that earlier ones created', async () => {
    const run = await runScript(few, { health: '{"result":{}}', made, refused: refusal(FAILED, {}) });
    expect(run).toEqual({
      code: 0,
      errors: '',
      calls: ['m::add --arg name=Bob', 'm::meet --arg a=#i12 --arg b=nobody'],
    });
  });

  it('ends with the message of a failed call, or if another failure was expected', async () => {
    const failing = await runScript(few, { health: '{"result":{}}', made: undefined, refused: 'a wrong path' });
    expect(failing).toEqual({ code: 1, errors: 'it failed\n', calls: ['m::add --arg name=Bob'] });
    const otherwise = await runScript(few, { health: '{"result":{}}', made, refused: 'another failure' });
    expect(otherwise).toMatchObject({ code: 1, errors: 'another failure\n' });
    const done = await runScript(few, { health: '{"result":{}}', made, refused: undefined });
    expect(done).toMatchObject({
      code: 1,
      errors: `Expected ${FAILED}, but this call succeeded: m::meet --arg a=#i12 --arg b=nobody\n`,
    });
  });

  it('says why the server cannot be called, and calls nothing', async () => {
    const unreachable = await runScript(few, { health: undefined, made, refused: '' });
    expect(unreachable).toMatchObject({ code: 1, calls: [] });
    expect(unreachable.errors).toMatch(
      /^No response from http:\/\/127\.0\.0\.1:\d+\. Is the server running at this address\?\n$/,
    );
    const unknown = await runScript(few, {
      health: refusal('SVC_RUNTIME_CAPABILITY_DENIED', { reason: 'token' }),
      made,
      refused: '',
    });
    expect(unknown).toMatchObject({ code: 1, calls: [] });
    expect(unknown.errors).toMatch(/ rejected the token\. Set ENTAIL_TOKEN to the token that the server printed\.\n$/);
    const withoutStorage = await runScript(few, {
      health: refusal('SVC_RUNTIME_STORAGE_UNREACHABLE', {}),
      made,
      refused: '',
    });
    expect(withoutStorage).toMatchObject({ code: 1, calls: [] });
    expect(withoutStorage.errors).toMatch(/^http:\/\/127\.0\.0\.1:\d+: No\.\n$/);
  });
});

/** A server's health, and the results of a first and a second `entail` call. Absent means no response, or success. */
interface Answers {
  readonly health: string | undefined;
  readonly made: string | undefined;
  readonly refused: string | undefined;
}

/** Runs the script against such a server and `entail`. */
async function runScript(entries: readonly HistoryEntry[], { health, made, refused }: Answers) {
  const folder = mkdtempSync(join(tmpdir(), 'entail-script-'));
  const server = createServer((_, response) => void response.end(health));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  if (health === undefined) server.close();
  writeFileSync(join(folder, 'made'), made ?? '');
  writeFileSync(join(folder, 'refused'), refused ?? '');
  writeFileSync(
    join(folder, 'entail'),
    `#!/bin/sh
shift 2
echo "$*" >> ${join(folder, 'calls')}
case "$1" in
  m::add) ${made === undefined ? 'echo it failed >&2; exit 1' : `cat ${join(folder, 'made')}`} ;;
  *) ${refused === undefined ? 'exit 0' : `cat ${join(folder, 'refused')} >&2; echo >&2; exit 1`} ;;
esac
`,
    { mode: 0o755 },
  );
  writeFileSync(join(folder, 'scenario.sh'), scriptOf(entries));
  const child = spawn('sh', [join(folder, 'scenario.sh'), `http://127.0.0.1:${port}`], {
    env: { PATH: `${folder}:${dirname(process.execPath)}:${process.env['PATH']}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  server.close();
  const calls = existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') : [];
  rmSync(folder, { recursive: true });
  return { code: code as number, errors, calls };
}

describe('recent contexts', () => {
  it('are those of earlier calls, without duplicates, with the current one marked', () => {
    const sent = [{ desk: 'b' }, { desk: 'a', other: 'x' }, { desk: 'b' }, {}, { desk: '' }].map((context) =>
      entry('query', 'all', {}, [], { context }),
    );
    expect(recentContexts(sent, ['desk'])).toEqual([{ desk: 'b' }, { desk: 'a' }]);
    const current = { desk: 'b', tenantId: '', other: 'of another module' };
    expect(isCurrent({ desk: 'b' }, ['desk', 'tenantId'], current)).toBe(true);
    expect(isCurrent({ desk: 'a' }, ['desk', 'tenantId'], current)).toBe(false);
  });

  it('replace the whole context, with empty fields for those that they lack', () => {
    expect(fullContext(['desk', 'tenantId'], { desk: 'b' })).toEqual({ desk: 'b', tenantId: '' });
    expect(fullContext(['desk', 'tenantId'], {})).toEqual({ desk: '', tenantId: '' });
  });
});
