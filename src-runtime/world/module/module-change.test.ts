/** What a reload changes: declarations, derived facts and violations, but not positions in the text. */

import { describe, expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import { ALL, FRAME, failureOf, startWorld } from '../testing/start-world.js';

const BEFORE = `
module roads
pub concept Town { name: Text }
pub relation road(from: Town, to: Town)
pub individual ada: Town { name: "Ada" }
pub individual bel: Town { name: "Bel" }
pub individual cor: Town { name: "Cor" }
pub derive reach(a: Town, b: Town) when road(a, b)
pub derive lone(t: Town) when Town(t), not road(t, _), not road(_, t)
pub query towns() -> [Town] { select t where Town(t) }
pub query gone() -> [Town] { select t where lone(t) }
pub mutation build(from: Town, to: Town) { insert road(from, to) }
`;

const AFTER = `
module roads
/// A town.
pub concept Town { name: Text }
pub relation road(from: Town, to: Town)
pub individual ada: Town { name: "Ada" }
pub individual bel: Town { name: "Bel" }
pub individual cor: Town { name: "Cor" }
pub derive lone(t: Town) when Town(t), not road(t, _), not road(_, t)
pub derive reach(a: Town, b: Town) when road(a, b)
pub derive reach(a: Town, c: Town) when reach(a, b), road(b, c)
pub check far(a: Town, b: Town) when reach(a, b), not road(a, b) severity warning message "{a.name} to {b.name} is not direct"
pub query towns() -> [Text] { select t.name where Town(t) }
pub query reached(a: Town) -> [Town] { select b where reach(a, b) }
pub mutation build(from: Town, to: Town) { insert road(from, to) }
`;

async function roads() {
  const world = await startWorld(BEFORE);
  await world.mutate('roads::build', { from: '@ada', to: '@bel' });
  await world.mutate('roads::build', { from: '@bel', to: '@cor' });
  return world;
}

describe('a reload', () => {
  it('lists added, removed and changed declarations', async () => {
    const world = await roads();
    await world.load(AFTER);
    const change = await world.runtime.moduleChange(FRAME);
    expect(change?.declarations.map(({ change: word, kind, path }) => `${word} ${kind} ${path}`).sort()).toEqual([
      'added check roads::far',
      'added query roads::reached',
      'changed derive roads::reach',
      'changed query roads::towns',
      'removed query roads::gone',
    ]);
  });

  it('notes individuals that a new default leaves without a value, and violations of a check that became blocking', async () => {
    const text = `module m
pub concept Town { name: Text }
pub check short(t: Town) when length(t.name) < 3 severity warning message "{t.name} is short"
pub mutation found(name: Text) { insert Town { name: name } }
`;
    const world = await startWorld(text);
    for (const name of ['Ur', 'Uruk']) await world.mutate('m::found', { name });
    const strict = text.replace('name: Text }', 'name: Text, people: Int = 1 }').replace('warning', 'blocking');
    await world.load(strict);
    const remarks = async () => (await world.runtime.moduleChange(FRAME))?.remarks;
    expect(await remarks()).toMatchObject([
      { declaration: 'm::Town.people', count: 2 },
      { declaration: 'm::short', count: 1 },
    ]);
    // Reported once: the list has what a reload changes.
    await world.load(`${strict}pub query towns() -> [Town] { select t where Town(t) }`);
    expect(await remarks()).toEqual([]);
  });

  it('notes facts that are no longer visible because tenancy was added or removed', async () => {
    const text = `module m
pub concept Town { name: Text }
pub mutation found(name: Text) { insert Town { name: name } }
`;
    const withTenants = text.replace('module m', 'module m\ncontext tenantId: Text');
    const asTenant = (tenantId: string) => ({ ...FRAME, headerContext: { tenantId } });
    const world = await startWorld(text);
    await world.mutate('m::found', { name: 'Ur' });
    await world.load(withTenants);
    // A town and its name: for the tenant that sees it, and for one that does not.
    for (const tenant of ['default', 'acme'])
      expect(await world.runtime.moduleChange(asTenant(tenant))).toMatchObject({
        declarations: [{ change: 'added', kind: 'context', path: 'tenantId' }],
        remarks: [{ declaration: 'tenantId', count: 2, remark: expect.stringContaining('is declared now') }],
      });
    await (await world.runtime.enter(asTenant('acme'))).mutate(
      'm::found',
      { name: 'Rome' },
      { dryRun: false, granted: [] },
      noDeadline,
    );
    await world.load(text);
    expect((await world.runtime.moduleChange(FRAME))?.remarks).toMatchObject([
      { declaration: 'tenantId', count: 2, remark: expect.stringContaining('is no longer declared') },
    ]);
  });

  it('lists gained and lost derived facts, and new violations', async () => {
    const world = await roads();
    await world.load(AFTER);
    const change = await world.runtime.moduleChange(FRAME);
    const [ada, cor] = ['@roads::ada', '@roads::cor'];
    expect(change?.relations).toMatchObject([
      {
        relation: 'roads::reach',
        before: 2,
        after: 3,
        gained: 1,
        lost: 0,
        examples: [{ only: 'after', tuple: [ada, cor] }],
      },
      { relation: 'roads::far', kind: 'check', before: 0, after: 1, gained: 1, lost: 0 },
    ]);
    expect(change?.firings.map(({ message }) => message)).toEqual(['Ada to Cor is not direct']);
    expect(change?.cut).toBe(false);
    await world.load(BEFORE);
    expect((await world.runtime.moduleChange(FRAME))?.relations).toMatchObject([
      { relation: 'roads::reach', gained: 0, lost: 1, examples: [{ only: 'before', tuple: [ada, cor] }] },
      { relation: 'roads::far', after: 0, lost: 1 },
    ]);
  });

  it('keeps materialised relations, except those of rules that changed, read or call something changed', async () => {
    const module = (step: number, more: string) => `${BEFORE}
      pub fn next(n: Int) -> Int = n + ${step}
      pub fn later(n: Int) -> Int = next(n) * 2
      pub derive score(t: Town, n: Int) when Town(t), let n = later(length(t.name))
      pub derive best(t: Town) when score(t, n), n > 8
      pub derive size(t: Town, n: Int) when Town(t), let n = length(t.name)
      ${more}`;
    const world = await startWorld(module(1, ''));
    const derived = ['best', 'lone', 'size'].map((name) => `roads::${name}`);
    const counts = async () => {
      const all = await (await world.runtime.enter(FRAME)).counts();
      return Object.fromEntries(
        all.filter(({ relation }) => derived.includes(relation)).map((each) => [each.relation, each.facts]),
      );
    };
    await (await world.runtime.enter(FRAME)).snapshot({ derived: true }, ALL, noDeadline);
    expect(await counts()).toEqual({ 'roads::best': 0, 'roads::lone': 3, 'roads::size': 3 });
    await world.load(module(3, 'pub concept Lake { depth: Int? }  pub enum Sort { salt, sweet }'));
    expect((await world.runtime.moduleChange(FRAME))?.relations.map(({ relation }) => relation)).toEqual([
      'roads::best',
      'roads::score',
    ]);
    expect(await counts()).toEqual({ 'roads::best': 3, 'roads::lone': 3, 'roads::size': 3 });
  });

  it('counts conclusions from other declared individuals', async () => {
    const world = await roads();
    await world.load(`${BEFORE}pub individual dun: Town { name: "Dun" }\n`);
    const change = await world.runtime.moduleChange(FRAME);
    expect(change?.relations).toMatchObject([{ relation: 'roads::lone', before: 0, after: 1, gained: 1 }]);
  });

  it('reports a rule that fails to evaluate beside the others', async () => {
    const world = await roads();
    await world.load(`${AFTER}pub derive share(t: Town, n: Decimal) when Town(t), let n = 1 / (length(t.name) - 3)\n`);
    const change = await world.runtime.moduleChange(FRAME);
    expect(change?.relations.find(({ relation }) => relation === 'roads::share')).toMatchObject({
      after: null,
      fault: expect.stringContaining('zero'),
    });
    expect(change?.relations.map(({ relation }) => relation)).toContain('roads::reach');
  });

  it('keeps its report when the same module is loaded again', async () => {
    const world = await roads();
    await world.load(AFTER);
    const change = await world.runtime.moduleChange(FRAME);
    await world.load(AFTER);
    expect(await world.runtime.moduleChange(FRAME)).toEqual(change);
  });

  it('reports no changes for the first module', async () => {
    const world = await roads();
    expect(await world.runtime.moduleChange(FRAME)).toBeNull();
  });
});

describe('a preview', () => {
  it('reports what a reload would change, and changes nothing', async () => {
    const world = await roads();
    const hash = world.runtime.moduleHash;
    const change = await world.preview(AFTER);
    expect(world.runtime.moduleHash).toBe(hash);
    expect(change.from).toBe(hash);
    expect(change.relations.map(({ relation, gained }) => [relation, gained])).toEqual([
      ['roads::reach', 1],
      ['roads::far', 1],
    ]);
    await world.mutate('roads::build', { from: '@cor', to: '@ada' });
    await world.load(AFTER);
    expect(await world.runtime.moduleChange(FRAME)).toMatchObject({ from: hash, to: change.to });
  });

  it('refuses a module that does not fit, like a load, and records no failure', async () => {
    const world = await roads();
    const failure = await failureOf(world.preview(AFTER.replaceAll('road(', 'street(')));
    expect(failure.code).toBe('SVC_RUNTIME_MODULE_INCOMPATIBLE');
    expect(failure.details).toMatchObject({ incompatibilities: [{ declaration: 'roads::road', facts: 2 }] });
    expect(world.runtime.module().lastFailure).toBeNull();
  });
});

describe('a module that stored facts do not fit', () => {
  const RENAMED = BEFORE.replaceAll('road(', 'street(');

  it('is loaded over an empty scope on request, and the facts are archived under another id', async () => {
    const world = await roads();
    const [aside = ''] = await world.load(RENAMED, { setAside: true });
    expect(await world.query('roads::gone')).toHaveLength(3);
    await world.mutate('roads::build', { from: '@ada', to: '@cor' });
    expect(await world.query('roads::gone')).toHaveLength(1);
    const again = await startWorld(BEFORE, { store: world.store, scopeId: aside });
    expect(await again.query('roads::gone')).toEqual([]);
  });

  it('may be archived repeatedly, and archives never block a module', async () => {
    const world = await roads();
    const first = await world.load(RENAMED, { setAside: true });
    await world.mutate('roads::build', { from: '@ada', to: '@cor' });
    const second = await world.load(BEFORE, { setAside: true });
    expect(new Set([...first, ...second]).size).toBe(2);
    // The first archive fits this module's schema again, and stays archived.
    expect(await world.load(`${BEFORE}pub fn double(n: Int) -> Int = n * 2\n`)).toEqual([]);
    expect(await world.load(RENAMED)).toEqual([]);
  });

  it('archives nothing if the facts fit', async () => {
    const world = await roads();
    expect(await world.load(AFTER, { setAside: true })).toEqual([]);
    expect(await world.query('roads::reached', { a: '@ada' })).toHaveLength(2);
  });
});
