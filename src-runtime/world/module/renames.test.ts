/**
 * Renames of stored declarations: the facts move on every fork, with the whole history, as if the new name had always been used; and back
 * again.
 */

import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api/errors.js';
import type { Rename } from '../../api/schemas/module-schemas.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import { noDeadline } from '../../base/ports.js';
import { openMemoryStore } from '../../storage/index.js';
import { changedStore } from '../testing/changed-store.js';
import { ALL, FRAME, failureOf, startWorld, type TestWorld } from '../testing/start-world.js';
import type { OfferedRename } from './offered-renames.js';

const TEXT = `module lease
pub enum Status { Draft, Active, Ended }
pub concept Party { name: Text unique }
pub concept Person is Party { age: Int? }
pub concept Lease { code: Text unique, status: Status, rent: Decimal where value > 0, holder: Person }
pub relation guarantees(by: Party, of: Lease)
pub relation stage(of: Lease, at: Status)
pub individual acme: Party { name: "Acme" }
pub individual emma: Person { name: "Emma" }
pub individual first: Lease { code: "L0", status: Active, rent: 500, holder: @emma }
fact guarantees(@acme, @first)
pub derive backed(l: Lease, p: Party) when guarantees(p, l), l.status == Active
pub check bare(l: Lease) when Lease(l), not guarantees(_, l) severity warning message "{l.code} is bare"
pub mutation join(name: Text) -> Person { return insert Person { name: name, age: 30 } }
pub mutation sign(code: Text, rent: Decimal, by: Person) -> Lease {
  let made = insert Lease { code: code, status: Draft, rent: rent, holder: by }
  insert stage(made, Draft)
  insert guarantees(@acme, made)
  return made
}
pub mutation start(l: Lease) {
  set l.status = Active
  delete stage(l, Draft)
  insert stage(l, Active)
}
pub mutation vouch(p: Party, l: Lease) { insert guarantees(p, l) }
pub mutation leave(p: Person) { delete p }
`;

/** Renames by path for the reload, and in the text. */
const CASES: readonly {
  readonly what: string;
  readonly renames: readonly Rename[];
  readonly words: readonly [RegExp, string][];
  /** Both names exist in both modules, so a rename cannot be suggested. */
  readonly swapped?: true;
}[] = [
  {
    what: 'a field',
    renames: [{ from: 'lease::Lease.rent', to: 'lease::Lease.price' }],
    words: [
      [/\brent: /g, 'price: '],
      [/Text, price: /, 'Text, rent: '],
    ],
  },
  {
    what: 'a relation',
    renames: [{ from: 'lease::guarantees', to: 'lease::backs' }],
    words: [[/guarantees/g, 'backs']],
  },
  {
    what: 'a concept',
    renames: [{ from: 'lease::Lease', to: 'lease::Contract' }],
    words: [[/\bLease\b/g, 'Contract']],
  },
  {
    what: 'a parent concept',
    renames: [{ from: 'lease::Party', to: 'lease::Legal' }],
    words: [[/\bParty\b/g, 'Legal']],
  },
  {
    what: 'a concept and a field of it',
    renames: [
      { from: 'lease::Lease', to: 'lease::Contract' },
      { from: 'lease::Lease.code', to: 'lease::Contract.number' },
    ],
    words: [
      [/\bLease\b/g, 'Contract'],
      [/\bcode: Text unique/g, 'number: Text unique'],
      [/\bcode: /g, 'number: '],
      [/sign\(number: /g, 'sign(code: '],
      [/l\.code/g, 'l.number'],
    ],
  },
  { what: 'an enum', renames: [{ from: 'lease::Status', to: 'lease::Phase' }], words: [[/\bStatus\b/g, 'Phase']] },
  {
    what: 'swapped members of an enum',
    renames: [
      { from: 'lease::Status.Draft', to: 'lease::Status.Active' },
      { from: 'lease::Status.Active', to: 'lease::Status.Draft' },
    ],
    words: [
      [/\bDraft\b/g, 'Other'],
      [/\bActive\b/g, 'Draft'],
      [/\bOther\b/g, 'Active'],
    ],
    swapped: true,
  },
  {
    what: 'a declared individual',
    renames: [{ from: 'lease::acme', to: 'lease::bank' }],
    words: [[/\bacme\b/g, 'bank']],
  },
  { what: 'the module', renames: [{ from: 'lease', to: 'tenancy' }], words: [[/module lease/, 'module tenancy']] },
];

type Json = JsonValue;

/** The same operations in either world, with its own names. */
async function live(world: TestWorld, module = 'lease'): Promise<void> {
  const acme = world.runtime.artifact().individuals.find(({ path }) => /acme|bank/.test(path))?.path ?? '';
  const ids: string[] = [];
  const call = async (name: string, args: Record<string, Json>) => {
    const { result } = await world.mutate(`${module}::${name}`, args);
    ids.push(String((result as { $id?: string } | null)?.$id));
    return ids.at(-1) ?? '';
  };
  const ada = await call('join', { name: 'Ada' });
  const gone = await call('join', { name: 'Gone' });
  const one = await call('sign', { code: 'L1', rent: '900', by: ada });
  await (await world.runtime.enter(FRAME)).createFork({ id: 'plan' });
  await call('start', { l: one });
  await call('leave', { p: gone });
  const fork = await world.runtime.enter({ ...FRAME, forks: [{ fork: 'plan', from: 'path' }] });
  await fork.mutate(`${module}::vouch`, { p: ada, l: one }, { dryRun: false, granted: [] }, noDeadline);
  await call('vouch', { p: `@${acme}`, l: one });
}

/** All readable state: facts and conclusions, the history, the fork compared with main. */
async function readAll(world: TestWorld): Promise<unknown> {
  const sides = [];
  for (const forks of [[], [{ fork: 'plan', from: 'path' as const }]]) {
    const session = await world.runtime.enter({ ...FRAME, forks });
    sides.push(await session.snapshot({ derived: true }, ALL, noDeadline));
    sides.push(await session.events(ALL, noDeadline));
    sides.push(await session.checks(undefined, ALL, noDeadline));
  }
  return JSON.parse(JSON.stringify(sides));
}

const renamed = (words: readonly [RegExp, string][]) =>
  words.reduce((text, [from, to]) => text.replace(from, to), TEXT);
const back = (renames: readonly Rename[]) => renames.map(({ from, to }) => ({ from: to, to: from }));

describe('a renamed declaration', () => {
  it.each(CASES)('keeps its facts and its history: $what', async ({ renames, words }) => {
    const text = renamed(words);
    const module = /module (\w+)/.exec(text)?.[1];
    const [world, always] = [await startWorld(TEXT), await startWorld(text)];
    await live(world);
    await live(always, module);
    const before = await readAll(world);
    const hash = world.runtime.moduleHash;
    const change = await world.preview(text, renames);
    expect([change.relations, change.firings, change.declarations.filter((each) => each.change !== 'changed')]).toEqual(
      [[], [], []],
    );
    expect([world.runtime.moduleHash, await readAll(world)]).toEqual([hash, before]);
    await world.load(text, { renames });
    expect(await readAll(world)).toEqual(await readAll(always));
    // The stored form is renamed too.
    const again = await startWorld(text, { store: world.store });
    expect(await readAll(again)).toEqual(await readAll(world));
    await world.load(TEXT, { renames: back(renames) });
    expect(await readAll(world)).toEqual(before);
  });
});

const RENT: Rename = { from: 'lease::Lease.rent', to: 'lease::Lease.price' };
const PRICED = TEXT.replace(/\brent: /g, 'price: ').replace('Text, price: ', 'Text, rent: ');

describe('a rename', () => {
  it('applies to all scopes, also to those that are not open', async () => {
    const text = (name: string) =>
      `module m\ncontext tenantId: Text\npub concept Town { ${name}: Text }\npub mutation found(name: Text) { insert Town { ${name}: name } }\npub query towns() -> [Text] { select t.${name} where Town(t) }`;
    const frame = (tenant: string) => ({ ...FRAME, headerContext: { tenantId: tenant } });
    const world = await startWorld(text('name'));
    for (const tenant of ['a', 'b']) {
      const session = await world.runtime.enter(frame(tenant));
      await session.mutate('m::found', { name: tenant }, { dryRun: false, granted: [] }, noDeadline);
    }
    const again = await startWorld(text('name'), { store: world.store });
    await again.load(text('called'), { renames: [{ from: 'm::Town.name', to: 'm::Town.called' }] });
    for (const tenant of ['a', 'b']) {
      const session = await again.runtime.enter(frame(tenant));
      expect((await session.query('m::towns', {}, ALL, noDeadline)).result).toEqual([tenant]);
    }
  });

  it('lets a read of the past run again that ends between the renamed history and the new module', async () => {
    const memory = await openMemoryStore();
    let meanwhile = async () => {};
    const store = changedStore(memory, {
      adoptSchema: async (adoption) => {
        await memory.adoptSchema(adoption);
        await meanwhile();
      },
    });
    const text =
      'module shop pub concept Item { name: Text } pub mutation add(name: Text) { insert Item { name: name } }';
    const named = `${text} pub query names() -> [Text] { select i.name where Item(i) }`;
    const world = await startWorld(named, { store });
    await world.mutate('shop::add', { name: 'first' });
    await world.mutate('shop::add', { name: 'second' });
    let names: Promise<unknown> | undefined;
    meanwhile = async () => {
      const past = await world.runtime.enter({ ...FRAME, asOf: { kind: 'transaction', txn: 1 } });
      names = past.query('shop::names', {}, ALL, noDeadline).then(({ result }) => result);
      // Enough turns for the replay to read everything.
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    await world.load(named.replaceAll('Item', 'Thing'), { renames: [{ from: 'shop::Item', to: 'shop::Thing' }] });
    expect(await names).toEqual(['first']);
  });

  it('is reported with the number of its facts, as the only change of the declaration', async () => {
    const world = await startWorld(TEXT);
    await live(world);
    const change = await world.preview(PRICED, [RENT]);
    expect(change.renames).toEqual([{ ...RENT, facts: 1 }]);
    expect([change.relations, change.remarks]).toEqual([[], []]);
    expect(change.declarations.map(({ change: word, path }) => `${word} ${path}`)).toEqual(['changed lease::Lease']);
  });

  it('checks the facts against the new declaration and the other changes of the text', async () => {
    const world = await startWorld(TEXT);
    await live(world);
    const misfits = async (text: string, renames: readonly Rename[]) =>
      (await failureOf(world.load(text, { renames }))).details['incompatibilities'];
    expect(
      await misfits(PRICED.replace('price: Decimal', 'price: Int').replace('rent: Decimal', 'rent: Int'), [RENT]),
    ).toMatchObject([{ declaration: 'lease::Lease.rent', reason: 'changed from Decimal to Int' }]);
    expect(
      await misfits(PRICED.replace('value > 0', 'value > 600').replace('price: 500', 'price: 700'), []),
    ).toMatchObject([
      { declaration: 'lease::Lease.price', facts: 1 },
      { declaration: 'lease::Lease.rent', facts: 1 },
    ]);
    expect(
      await misfits(PRICED.replace('value > 0', 'value > 1000').replace('price: 500', 'price: 1700'), [RENT]),
    ).toMatchObject([{ declaration: 'lease::Lease.price', reason: 'now requires value > 1000' }]);
    // A new declaration with the old name has no facts.
    const both = PRICED.replace('price: Decimal', 'rent: Decimal, price: Decimal').replaceAll(
      'price: 500',
      'price: 5, rent: 5',
    );
    expect(await misfits(both.replace('price: rent', 'price: rent, rent: rent'), [RENT])).toMatchObject([
      { declaration: 'lease::Lease.rent', reason: expect.stringContaining('is required'), facts: 1 },
    ]);
    expect(await world.query('lease::none').catch(() => 'the old module keeps serving')).toBe(
      'the old module keeps serving',
    );
  });

  it('never merges two declarations, even removed ones', async () => {
    const text = (fields: string, word: string) =>
      `module m\npub concept Town { ${fields} }\npub mutation found() -> Town { return insert Town { ${word}: "x" } }\npub mutation clear(t: Town) { set t.${word} = none }`;
    const world = await startWorld(text('old: Text?', 'old'));
    const { result } = await world.mutate('m::found');
    await world.mutate('m::clear', { t: (result as { $id: string }).$id });
    await world.load(text('name: Text?', 'name'));
    await world.mutate('m::found');
    const renames = [{ from: 'm::Town.name', to: 'm::Town.old' }];
    const failure = await failureOf(world.load(text('old: Text?', 'old'), { renames }));
    expect(failure.details['incompatibilities']).toMatchObject([
      { declaration: 'm::Town.old', reason: expect.stringContaining('was the name of another declaration'), facts: 2 },
    ]);
  });

  it.each<readonly [Rename[], string, RegExp]>([
    [
      [{ from: 'lease::Lease.rnt', to: 'lease::Lease.price' }],
      '$.renames[0].from',
      /did you mean "lease::Lease.rent"\?/,
    ],
    [
      [{ from: 'lease::backed', to: 'lease::backed' }],
      '$.renames[0].from',
      /no stored declaration .*; name a module, concept/,
    ],
    [
      [{ from: 'lease::Lease.rent', to: 'lease::Lease.prise' }],
      '$.renames[0].to',
      /did you mean "lease::Lease.price"\?/,
    ],
    [
      [{ from: 'lease::Lease.rent', to: 'lease::Lease' }],
      '$.renames[0].to',
      /is a field, and the new module declares no field .*; declare it/,
    ],
    [[RENT, { ...RENT }], '$.renames[1].from', /renamed twice/],
    [[{ from: 'lease::Lease.rent', to: 'lease::Lease.code' }], '$.renames[0]', /would both be/],
  ])('refuses an unknown name: %j', async (renames, path, message) => {
    const world = await startWorld(TEXT);
    await live(world);
    const before = await readAll(world);
    const failure = await failureOf(world.load(PRICED, { renames }));
    expect([failure.code, failure.details['path']]).toEqual(['SVC_RUNTIME_VALIDATION_FAILED', path]);
    expect(failure.message).toMatch(message);
    expect(await readAll(world)).toEqual(before);
  });
});

describe('suggested renames', () => {
  it.each(CASES.filter(({ swapped }) => swapped === undefined))(
    'list the likeliest first: $what',
    async ({ renames, words }) => {
      const world = await startWorld(TEXT);
      await live(world);
      let given: readonly Rename[] = [];
      // A member is suggested once the rename of its parent is known.
      for (let round = 0; round < 3; round += 1) {
        const found = await world.preview(renamed(words), given).catch((error: unknown) => error);
        if (!(found instanceof ApiError)) break;
        const offered = found.details['renames'] as readonly OfferedRename[];
        given = [...given, ...offered.map(({ from, to }) => ({ from, to: to[0] ?? '' }))];
      }
      expect(given).toEqual(renames);
    },
  );

  it('include only new declarations that the facts fit', async () => {
    const world = await startWorld(TEXT);
    await live(world);
    const text = `${PRICED.replace('price: Decimal', 'note: Text?, cost: Decimal?, price: Decimal')}`;
    const failure = await failureOf(world.preview(text));
    expect(failure.details['renames']).toEqual([
      { from: 'lease::Lease.rent', kind: 'field', to: ['lease::Lease.price', 'lease::Lease.cost'] },
    ]);
    expect(failure.message).toContain(
      'If lease::Lease.rent was renamed to lease::Lease.price, its stored facts can move along',
    );
    const gone = await failureOf(world.preview(TEXT.replace(/.*guarantees.*\n/g, '')));
    expect(gone.details).not.toHaveProperty('renames');
  });

  it('may share a target, so that the user must choose', async () => {
    const text = (fields: string, values: string) =>
      `module m\npub concept Town { ${fields} }\npub mutation found() { insert Town { ${values} } }`;
    const world = await startWorld(text('name: Text, note: Text', 'name: "Ur", note: ""'));
    await world.mutate('m::found');
    const failure = await failureOf(world.preview(text('title: Text', 'title: "Ur"')));
    expect(failure.details['renames']).toEqual([
      { from: 'm::Town.name', kind: 'field', to: ['m::Town.title'] },
      { from: 'm::Town.note', kind: 'field', to: ['m::Town.title'] },
    ]);
  });
});
