import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Entity, JsonValue } from '../../api/schemas/schemas.js';
import { noDeadline } from '../../base/ports.js';
import { openMemoryStore } from '../../storage/index.js';
import { ALL, FRAME, failureOf, startWorld } from '../testing/start-world.js';

const LEASE = readFileSync(new URL('../../../resources/modules/lease.entail', import.meta.url), 'utf8');

const SMALL = `
module lease
enum Status { draft, signed, ended }
pub concept Party { name: Text }
pub concept Person is Party { employer: Party? via worksFor }
pub concept Lease {
  code: Text
  rent: Decimal where value > 0
  status: Status = draft
  tenants: [Person] via tenantOf
}
pub relation worksFor(person: Person, company: Party [0..1])
pub relation tenantOf(lease: Lease, tenant: Person)
pub individual acme: Party { name: "Acme Ltd" }
pub individual beta: Party { name: "Beta Ltd" }
pub derive active(l: Lease) when l.status == signed, tenantOf(l, _)
pub define Tenant(p: Person) when tenantOf(_, p)
pub check tooManyLeases(p: Person)
  when Person(p), let n = count(for l where tenantOf(l, p)), n > 1
  severity blocking
  message "{p.name} holds {n} leases; one is allowed"
pub check idle(l: Lease) when Lease(l), not active(l) severity warning message "lease {l.code} is idle"
pub query activeLeases(minRent: Decimal = 0) -> [Lease] {
  select l where active(l), l.rent >= minRent order by l.rent desc, l.code
}
pub query people() -> [{ name: Text, leases: Int }] {
  select { name: p.name, leases: n } where Person(p), let n = count(for l where tenantOf(l, p))
}
pub mutation addPerson(name: Text) -> Person { return insert Person { name: name } }
pub mutation sign(tenant: Person, code: Text, rent: Decimal where value > 0) -> Lease {
  let l = insert Lease { code: code, rent: rent, status: signed }
  insert tenantOf(l, tenant)
  return l
}
pub mutation hire(person: Person, company: Party) { insert worksFor(person, company) }
pub mutation end(lease: Lease) { set lease.status = ended delete tenantOf(lease, _) }
pub fn yearly(rent: Decimal) -> Decimal = rent * 12
`;

async function withAda(source = SMALL) {
  const world = await startWorld(source);
  const ada = ((await world.mutate('lease::addPerson', { name: 'Ada' })).result as Entity).$id;
  return { ...world, ada };
}

describe('queries and mutations', () => {
  it('returns whole entities, decimals without trailing zeros, and derived classes', async () => {
    const { mutate, query, ada } = await withAda();
    const { result } = await mutate('lease::sign', { tenant: ada, code: 'L1', rent: '900.50' });
    const lease = {
      $id: '#i2',
      $meta: { type: 'lease::Lease', classes: ['lease::Lease'] },
      code: 'L1',
      rent: '900.5',
      status: 'signed',
      tenants: [ada],
    };
    expect(result).toEqual(lease);
    expect(await query('lease::activeLeases')).toEqual([lease]);
    expect(await query('lease::activeLeases', { minRent: 901 })).toEqual([]);
  });

  it('lists the events of a mutation, and none for a value that is already set', async () => {
    const { mutate, ada } = await withAda();
    const first = await mutate('lease::hire', { person: ada, company: '@lease::acme' });
    expect(first.events).toMatchObject([
      { kind: 'insertFact', relation: 'lease::worksFor', tuple: [ada, '@lease::acme'], txn: 2 },
    ]);
    const again = await mutate('lease::hire', { person: ada, company: 'acme' });
    expect(again).toMatchObject({ events: [], txn: null });
  });

  it('rolls back a dry run', async () => {
    const { mutate, query, ada } = await withAda();
    const dry = await mutate('lease::sign', { tenant: ada, code: 'L1', rent: 1 }, true);
    expect(dry.events).toHaveLength(5);
    expect(await query('lease::activeLeases')).toEqual([]);
    expect((await mutate('lease::sign', { tenant: ada, code: 'L1', rent: 1 })).result).toMatchObject({ $id: '#i2' });
  });

  it('reports the warnings that a mutation adds', async () => {
    const { mutate, ada } = await withAda();
    const { result } = await mutate('lease::sign', { tenant: ada, code: 'L1', rent: 1 });
    const { warnings } = await mutate('lease::end', { lease: (result as Entity).$id });
    expect(warnings).toMatchObject([{ check: 'lease::idle', message: 'lease L1 is idle' }]);
  });

  it('computes functions', async () => {
    const session = await (await withAda()).runtime.enter(FRAME);
    expect(await session.compute('lease::yearly', { rent: '12.10' }, noDeadline)).toBe('145.2');
  });
});

describe('refusals', () => {
  it('rolls back a mutation that adds a violation of a blocking check', async () => {
    const { mutate, query, ada } = await withAda();
    await mutate('lease::sign', { tenant: ada, code: 'L1', rent: 1 });
    const refused = await failureOf(mutate('lease::sign', { tenant: ada, code: 'L2', rent: 1 }));
    expect(refused.code).toBe('SVC_RUNTIME_CHECK_VIOLATION');
    expect(refused.details['diagnostics']).toMatchObject([
      { check: 'lease::tooManyLeases', message: 'Ada holds 2 leases; one is allowed', tuple: { p: ada } },
    ]);
    expect(await query('lease::people')).toEqual([{ name: 'Ada', leases: 1 }]);
  });

  it('guards [0..1] endpoints', async () => {
    const { mutate, ada } = await withAda();
    await mutate('lease::hire', { person: ada, company: 'acme' });
    const refused = await failureOf(mutate('lease::hire', { person: ada, company: 'beta' }));
    expect(refused.details['diagnostics']).toMatchObject([{ check: 'lease::worksFor.company' }]);
  });

  it.each([
    ['a value that does not coerce', { tenant: '#i1', code: 'L', rent: 'much' }, '$.args.rent'],
    ['a broken refinement', { tenant: '#i1', code: 'L', rent: 0 }, '$.args.rent'],
    ['an unknown individual', { tenant: '#i9', code: 'L', rent: 1 }, '$.args.tenant'],
    ['an individual of another concept', { tenant: 'acme', code: 'L', rent: 1 }, '$.args.tenant'],
  ])('refuses %s', async (_, args, path) => {
    const { mutate } = await withAda();
    const refused = await failureOf(mutate('lease::sign', args));
    expect(refused).toMatchObject({ code: 'SVC_RUNTIME_VALIDATION_FAILED', details: { path } });
  });

  it('names the nearest value that an argument accepts, or the individual that does not exist', async () => {
    const { mutate } = await startWorld(`module rooms
pub enum Size { small, large }
pub concept Room { name: Text, size: Size }
pub individual hall: Room { name: "Hall", size: large }
pub mutation add(name: Text, size: Size) { insert Room { name: name, size: size } }
pub mutation close(r: Room) { delete r }
`);
    const detailsOf = async (path: string, args: Readonly<Record<string, JsonValue>>) =>
      (await failureOf(mutate(path, args))).details;
    expect(await detailsOf('rooms::add', { name: 'Attic', size: 'smal' })).toMatchObject({ nearest: 'small' });
    expect(await detailsOf('rooms::add', { name: 'Attic', size: 'vast' })).not.toHaveProperty('nearest');
    expect(await detailsOf('rooms::close', { r: 'hal' })).toMatchObject({ nearest: '@rooms::hall' });
    expect(await detailsOf('rooms::close', { r: '#i9' })).toMatchObject({ absent: '#i9' });
  });

  it('names missing and unknown arguments', async () => {
    const { mutate } = await withAda();
    const refused = await failureOf(mutate('lease::sign', { tenant: '#i1', code: 'L', rnt: 1 }));
    expect(refused.code).toBe('SVC_RUNTIME_SIGNATURE_MISMATCH');
    expect(refused.message).toContain('did you mean "rent"?');
    expect(refused.details).toMatchObject({ missing: ['rent'], unknown: ['rnt'] });
  });

  it('suggests the callable that was meant', async () => {
    const { query } = await withAda();
    const refused = await failureOf(query('lease::activeLease'));
    expect(refused.message).toBe('Query "lease::activeLease" is not declared; did you mean "lease::activeLeases"?');
  });

  it('names the kind of a callable that was called as another kind', async () => {
    const { query, mutate } = await withAda();
    expect((await failureOf(query('lease::sign'))).message).toBe(
      'Query "lease::sign" is not declared, but is a mutation; call it as one.',
    );
    expect((await failureOf(mutate('lease::activeLeases'))).message).toBe(
      'Mutation "lease::activeLeases" is not declared, but is a query; call it as one.',
    );
  });

  it('refuses a result over the row cap, and pages it', async () => {
    const world = await startWorld(SMALL, { limits: { rows: 2 } });
    for (const name of ['Ada', 'Bo', 'Cy', 'Di', 'Ed']) await world.mutate('lease::addPerson', { name });
    expect((await failureOf(world.query('lease::people'))).code).toBe('SVC_RUNTIME_RESULT_TOO_LARGE');
    const session = await world.runtime.enter(FRAME);
    const names: unknown[] = [];
    let page: string | undefined;
    do {
      const answer = await session.query('lease::people', {}, { limit: 2, page }, noDeadline);
      names.push(...(answer.result as { name: string }[]).map(({ name }) => name));
      page = answer.nextCursor;
    } while (page !== undefined);
    expect(names).toEqual(['Ada', 'Bo', 'Cy', 'Di', 'Ed']);
  });

  it.each([
    ['select { a: x, b: y } where n(x), n(y)', 'the row itself'],
    ['select { a: x, b: y } where n(x), n(y) order by y desc, x', 'what is in the row'],
    ['select x where n(x), n(y) order by y - x desc', 'what the row has several values of'],
    ['select { a: x, b: y } where n(x), n(y) order by x + y limit 5', 'a sum, to a limit'],
  ])('cuts pages that together equal the whole list: %s', async (select) => {
    const type = select.includes('{') ? '{ a: Int, b: Int }' : 'Int';
    const facts = [3, 1, 4, 2].map((x) => `fact n(${x})`).join('\n');
    const world = await startWorld(`module m\nrelation n(x: Int)\n${facts}\npub query q() -> [${type}] { ${select} }`);
    const session = await world.runtime.enter(FRAME);
    const rows: unknown[] = [];
    let page: string | undefined;
    do {
      const answer = await session.query('m::q', {}, { limit: 3, page }, noDeadline);
      rows.push(...(answer.result as unknown[]));
      page = answer.nextCursor;
    } while (page !== undefined);
    expect(rows).toEqual(await world.query('m::q'));
  });
});

describe('explanations', () => {
  it('shows the events that stored the leaves of a proof', async () => {
    const { mutate, runtime, ada } = await withAda();
    await mutate('lease::sign', { tenant: ada, code: 'L1', rent: 1 });
    const session = await runtime.enter(FRAME);
    const explanation = await session.explain('lease::active', ['#i2'], noDeadline);
    expect(explanation).toMatchObject({
      holds: true,
      proof: { kind: 'derived', rule: { path: 'lease::active', clause: 0 }, bindings: { l: '#i2' } },
    });
    const leaves = explanation.holds ? explanation.proof.premises : [];
    expect(leaves).toContainEqual(
      expect.objectContaining({ relation: 'lease::tenantOf', event: expect.objectContaining({ txn: 2 }) }),
    );
  });

  it('shows where a clause stops for a fact that does not hold', async () => {
    const { runtime, ada } = await withAda();
    const session = await runtime.enter(FRAME);
    const explanation = await session.explain('lease::Tenant', [ada], noDeadline);
    expect(explanation).toMatchObject({
      holds: false,
      whyNot: { clauses: [{ fails: { relation: 'lease::tenantOf' } }] },
    });
  });

  it.each([
    ['lease::nothing', ['x'], 'SVC_RUNTIME_EXPLAIN_FAILED'],
    ['lease::active', [], 'SVC_RUNTIME_EXPLAIN_BAD_TUPLE'],
    ['lease::active', [12], 'SVC_RUNTIME_EXPLAIN_BAD_TUPLE'],
    ['lease::active', ['ghost'], 'SVC_RUNTIME_EXPLAIN_UNRESOLVED_INDIVIDUAL'],
    ['lease::active', ['@ghost'], 'SVC_RUNTIME_EXPLAIN_UNRESOLVED_INDIVIDUAL'],
  ])('refuses %s %j with %s', async (relation, tuple, code) => {
    const session = await (await withAda()).runtime.enter(FRAME);
    expect((await failureOf(session.explain(relation, tuple, noDeadline))).code).toBe(code);
  });

  it('names the candidates for a name that two modules declare', async () => {
    const world = await startWorld([
      'module a\npub concept P { }\npub individual x: P { }\npub query q(p: P) -> Int { value 1 }',
      'module b\nuse a::{P}\npub individual x: P { }',
    ]);
    const session = await world.runtime.enter(FRAME);
    const meant = 'which may be "a::x" or "b::x"';
    expect((await failureOf(session.explain('a::P', ['x'], noDeadline))).message).toContain(meant);
    expect((await failureOf(world.query('a::q', { p: '@x' }))).message).toContain(meant);
    expect((await failureOf(session.individual('x', noDeadline))).message).toContain(meant);
  });

  it('treats an unknown #i as a plain negative', async () => {
    const session = await (await withAda()).runtime.enter(FRAME);
    expect(await session.explain('lease::active', ['#i9'], noDeadline)).toMatchObject({ holds: false });
  });
});

describe('history', () => {
  it('restores a scope from its history, and never reuses an id', async () => {
    const store = await openMemoryStore();
    const first = await startWorld(SMALL, { store });
    await first.mutate('lease::addPerson', { name: 'Ada' });
    const second = await startWorld(SMALL, { store });
    expect(await second.query('lease::people')).toEqual([{ name: 'Ada', leases: 0 }]);
    expect((await second.mutate('lease::addPerson', { name: 'Bo' })).result).toMatchObject({ $id: '#i2' });
  });

  it('refuses a scope recorded under another schema, unless that is accepted', async () => {
    const store = await openMemoryStore();
    await (await startWorld(SMALL, { store })).mutate('lease::addPerson', { name: 'Ada' });
    const changed = SMALL.replace('code: Text', 'code: Text note: Text?');
    const refusing = await startWorld(changed, { store });
    expect((await failureOf(refusing.query('lease::people'))).code).toBe('SVC_RUNTIME_SCHEMA_MISMATCH');
    const accepting = await startWorld(changed, { store, accept: true });
    expect(await accepting.query('lease::people')).toHaveLength(1);
  });
});

describe('reload', () => {
  it('shows the facts under the new rules', async () => {
    const { mutate, query, load, ada } = await withAda();
    await mutate('lease::sign', { tenant: ada, code: 'L1', rent: 1 });
    await load(SMALL.replace('active(l: Lease) when l.status == signed,', 'active(l: Lease) when l.rent > 5,'));
    expect(await query('lease::activeLeases')).toEqual([]);
  });

  it.each([
    [
      'removes a field in use',
      'lease::Lease.code',
      (text: string) =>
        text.replace('  code: Text\n', '').replace('code: code, ', '').replace(', l.code', '').replace('{l.code}', ''),
    ],
    [
      'changes the type of a field in use',
      'lease::Lease.rent',
      (text: string) => text.replaceAll('rent: Decimal', 'rent: Int').replace('rent * 12', 'rent'),
    ],
    [
      'changes a type, even if its values fit',
      'lease::Lease.rent',
      (text: string) =>
        text
          .replace('rent: Decimal where value > 0\n', 'rent: Text\n')
          .replace(', l.rent >= minRent order by l.rent desc, l.code', '')
          .replace('rent: rent, ', 'rent: "x", '),
    ],
    [
      'removes an enum member in use',
      'lease::Lease.status',
      (text: string) => text.replace('draft, signed, ended', 'draft, ended').replaceAll('signed', 'draft'),
    ],
    [
      'breaks a refinement',
      'lease::Lease.rent',
      (text: string) => text.replace('where value > 0\n', 'where value > 100\n'),
    ],
    [
      'adds a required field',
      'lease::Lease.area',
      (text: string) =>
        text.replace('  code: Text\n', '  code: Text\n  area: Int\n').replace('code: code, ', 'code: code, area: 1, '),
    ],
  ])('is refused if it %s', async (_, declaration, change) => {
    const { mutate, query, load, ada } = await withAda();
    await mutate('lease::sign', { tenant: ada, code: 'L1', rent: 1 });
    const refused = await failureOf(load(change(SMALL)));
    expect(refused.code).toBe('SVC_RUNTIME_MODULE_INCOMPATIBLE');
    expect(refused.details['incompatibilities']).toContainEqual(expect.objectContaining({ declaration, facts: 1 }));
    expect(await query('lease::activeLeases')).toHaveLength(1);
  });

  const CLASSES = `module m
pub concept Person { name: Text }
pub relation knows(a: Person, b: Person)
pub mutation meet(name: Text) { let p = insert Person { name: name } insert knows(p, p) }
`;
  const BELOW_PARTY = CLASSES.replace('concept Person', 'concept Party { vat: Text? }\npub concept Person is Party');

  it('is refused if it removes a default for individuals without a value', async () => {
    const { mutate, load } = await startWorld(CLASSES);
    await mutate('m::meet', { name: 'Ada' });
    await load(CLASSES.replace('name: Text', 'name: Text, age: Int = 18'));
    const required = CLASSES.replace('name: Text', 'name: Text, age: Int').replace(
      'name: name }',
      'name: name, age: 1 }',
    );
    const { details } = await failureOf(load(required));
    expect(details['incompatibilities']).toMatchObject([{ declaration: 'm::Person.age', facts: 1 }]);
  });

  it('may rename an endpoint, but not swap the names of two', async () => {
    const { mutate, query, load } = await startWorld(CLASSES);
    await mutate('m::meet', { name: 'Ada' });
    const asking = (endpoints: string) =>
      `${CLASSES.replace('a: Person, b: Person', endpoints)}pub query all() -> [Person] { select p where knows(p, _) }`;
    const { details } = await failureOf(load(asking('b: Person, a: Person')));
    expect(details['incompatibilities']).toMatchObject([{ declaration: 'm::knows', facts: 1 }]);
    await load(asking('who: Person, whom: Person'));
    expect(await query('m::all')).toMatchObject([{ name: 'Ada' }]);
  });

  it('reports what a fact lost, not the renamed endpoints', async () => {
    const greeting = 'individual gone: Person { name: "Gone" } pub mutation greet() { insert knows(@gone, @gone) }';
    const { mutate, load } = await startWorld(`${CLASSES}${greeting}`);
    await mutate('m::greet');
    const { details } = await failureOf(load(CLASSES.replace('a: Person, b: Person', 'who: Person, whom: Person')));
    expect(details['incompatibilities']).toEqual([
      { declaration: 'm::knows', reason: 'mentions @m::gone, which is no longer a Person', facts: 1 },
    ]);
  });

  it('may remove a concept that was inserted above one in use', async () => {
    const { mutate, query, load } = await startWorld(BELOW_PARTY);
    await mutate('m::meet', { name: 'Ada' });
    await load(`${CLASSES}pub query all() -> [Person] { select p where knows(p, _) }`);
    expect(await query('m::all')).toMatchObject([{ name: 'Ada', $meta: { classes: ['m::Person'] } }]);
  });

  it('is refused if facts refer to members of a concept as one of its removed parent', async () => {
    const text = BELOW_PARTY.replace('knows(a: Person, b: Person)', 'knows(a: Party, b: Party)');
    const { mutate, load } = await startWorld(text);
    await mutate('m::meet', { name: 'Ada' });
    const apart = text.replace('Person is Party', 'Person').replace('insert knows(p, p)', '');
    const { details } = await failureOf(load(apart));
    expect(details['incompatibilities']).toEqual([
      { declaration: 'm::knows', reason: 'mentions #i1, which is no longer a Party', facts: 1 },
    ]);
  });
});

it('serves the sample that the workbench opens first', async () => {
  const world = await startWorld(LEASE);
  const session = await world.runtime.enter(FRAME);
  const firings = await session.checks(undefined, ALL, noDeadline);
  expect(firings.result.length).toBeGreaterThan(0);
  expect(await world.query('lease::activeLeases')).not.toEqual([]);
});
