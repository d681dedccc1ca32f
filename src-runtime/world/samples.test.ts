/** The results of the sample modules, worked out by hand. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Explanation, ProofPremise } from '../api/schemas/explanation-schemas.js';
import type { Firing, JsonValue } from '../api/schemas/schemas.js';
import { noDeadline } from '../base/ports.js';
import { ALL, FRAME, failureOf, startWorld, type TestWorld } from './testing/start-world.js';

describe('lease', () => {
  it('lists the active leases, dearest first', async () => {
    const { query } = await startSample('lease');
    expect(column(await query('lease::activeLeases'), 'code')).toEqual([
      'QUAY-5',
      'QUAY-3',
      'ELM-12',
      'ELM-14',
      'MILL-2',
    ]);
    expect(column(await query('lease::activeLeases', { minRent: 1000 }), 'code')).toEqual([
      'QUAY-5',
      'QUAY-3',
      'ELM-12',
    ]);
  });

  it('sums what each tenant pays', async () => {
    const { query } = await startSample('lease');
    const rows = (await query('lease::rentByTenant')) as { tenant: { name: string }; total: string }[];
    expect(Object.fromEntries(rows.map(({ tenant, total }) => [tenant.name, total]))).toEqual({
      'Ada Lindqvist': '4060',
      'Bruno Keller': '980.5',
      'Chidi Okafor': '3100',
      'Dana Petrova': '980.5',
      'Emil Novak': '760',
    });
  });

  it('knows who is liable, through any number of companies', async () => {
    const { query } = await startSample('lease');
    const all = ['ELM-12', 'ELM-14', 'MILL-2', 'QUAY-3'];
    expect(column(await query('lease::answersFor', { party: '@northgate' }), 'code')).toEqual(all);
    expect(column(await query('lease::answersFor', { party: '@acme' }), 'code')).toEqual(all);
    expect(column(await query('lease::answersFor', { party: '@harbour' }), 'code')).toEqual(['ELM-14']);
    expect(column(await query('lease::answersFor', { party: '@chidi' }), 'code')).toEqual([]);
  });

  it('computes arrears, empty units and the portfolio', async () => {
    const { query } = await startSample('lease');
    const rows = (await query('lease::arrears')) as { lease: { code: string }; owed: string }[];
    expect(rows.map(({ lease, owed }) => [lease.code, owed])).toEqual([
      ['QUAY-5', '6200'],
      ['ELM-14', '480.5'],
      ['MILL-2', '410'],
    ]);
    expect(column(await query('lease::vacantUnits'), 'address')).toEqual(['1 Mill Lane']);
    expect(await query('lease::portfolio')).toEqual({ leases: 5, monthlyRent: '8140.5', dearest: '3100', vacant: 1 });
    expect(await query('lease::leaseCount')).toBe(6);
  });

  it('warns from the start about leases without guarantor and without payer', async () => {
    expect(await firings(await startSample('lease'))).toEqual([
      'lease QUAY-5 has nobody who guarantees it',
      "lease QUAY-5 owes 6200, more than a month's rent",
    ]);
  });

  it('proves that Northgate is liable for Ada’s lease', async () => {
    const world = await startSample('lease');
    const { proof } = await proofOf(world, 'lease::liable', ['@northgate', '@elm12Lease']);
    expect(proof).toMatchObject({ kind: 'derived', relation: 'lease::liable' });
    expect(heightOf(proof)).toBeGreaterThanOrEqual(3);
    const explanation = await explain(world, 'lease::liable', ['@chidi', '@quay5Lease']);
    expect(explanation.holds).toBe(false);
  });

  it('refuses Ada a fourth lease', async () => {
    const { mutate, query } = await startSample('lease');
    const failure = await failureOf(mutate('lease::sign', { tenant: '@ada', code: 'QUAY-7', rent: 640 }));
    expect(failure.code).toBe('SVC_RUNTIME_CHECK_VIOLATION');
    expect(failure.details['diagnostics']).toMatchObject([
      { check: 'lease::tooManyLeases', message: 'Ada Lindqvist holds 4 leases; three are allowed' },
    ]);
    expect(await query('lease::leaseCount')).toBe(6);
  });

  it('lets Chidi sign, with a warning', async () => {
    const { mutate, query } = await startSample('lease');
    const { result, warnings } = await mutate('lease::sign', { tenant: '@chidi', code: 'QUAY-7', rent: 640 });
    expect(result).toMatchObject({ code: 'QUAY-7', rent: '640', status: 'signed', tenants: ['@lease::chidi'] });
    expect(warnings.map(({ check }) => check)).toEqual(['lease::unguaranteed']);
    expect(await query('lease::leaseCount')).toBe(7);
  });
});

describe('access', () => {
  it.each([
    ['approve', '@invoiceMarch', ['Amara Diallo']],
    ['write', '@invoices', ['Ben Fischer']],
    ['read', '@payroll', ['Amara Diallo']],
    ['read', '@handbook', ['Amara Diallo', 'Ben Fischer', 'Carla Rossi', 'Deniz Kaya']],
  ])('knows who can %s %s', async (action, resource, names) => {
    const { query } = await startSample('access');
    expect(column(await query('access::whoCan', { action, resource }), 'name')).toEqual(names);
  });

  it('knows what Carla can do, and who can do most', async () => {
    const { query } = await startSample('access');
    const rights = (await query('access::whatCan', { user: '@carla' })) as {
      resource: { name: string };
      action: string;
    }[];
    expect(rights.map(({ resource, action }) => `${action} ${resource.name}`)).toEqual([
      'read bridge drawings',
      'write bridge drawings',
      'administer bridge drawings',
      'read company',
      'read designs',
      'write designs',
      'administer designs',
      'read staff handbook',
    ]);
    const widest = (await query('access::widestAccess')) as { user: { name: string }; resources: number }[];
    expect(widest.map(({ user, resources }) => [user.name, resources])).toEqual([
      ['Amara Diallo', 8],
      ['Ben Fischer', 7],
      ['Carla Rossi', 4],
    ]);
    expect(await query('access::can', { user: '@ben', action: 'read', resource: '@payroll' })).toBe(false);
    expect(await query('access::can', { user: '@ben', action: 'read', resource: '@invoices' })).toBe(true);
  });

  it('warns about the empty group and the suspended member', async () => {
    expect(await firings(await startSample('access'))).toEqual([
      'Elena Popova is suspended; memberships left: 1',
      'group contractors has no members',
    ]);
  });

  it('separates duties, on the folder and its contents', async () => {
    const { mutate } = await startSample('access');
    const args = { principal: '@ben', role: '@approver', resource: '@invoices' };
    const failure = await failureOf(mutate('access::grant', args));
    expect(failure.code).toBe('SVC_RUNTIME_CHECK_VIOLATION');
    expect(messagesOf(failure.details['diagnostics'])).toEqual([
      'Ben Fischer would be both payment requester and payment approver on invoices',
      'Ben Fischer would be both payment requester and payment approver on invoices of March',
    ]);
  });

  it('keeps groups free of cycles', async () => {
    const { mutate } = await startSample('access');
    const failure = await failureOf(mutate('access::join', { member: '@staff', group: '@engineering' }));
    expect(messagesOf(failure.details['diagnostics'])).toEqual([
      'group engineering would be a member of itself',
      'group staff would be a member of itself',
    ]);
  });

  it('grants and revokes', async () => {
    const { mutate, query } = await startSample('access');
    const carlaReads = () => query('access::can', { user: '@carla', action: 'write', resource: '@handbook' });
    const args = { principal: '@carla', role: '@editor', resource: '@handbook' };
    expect(await carlaReads()).toBe(false);
    await mutate('access::grant', args);
    expect(await carlaReads()).toBe(true);
    await mutate('access::revoke', args);
    expect(await carlaReads()).toBe(false);
  });
});

describe('transit', () => {
  it('finds the fastest connections, with their stops and fares', async () => {
    const { query } = await startSample('transit');
    const connections = async (from: string, to: string, by = 'adult') => {
      const rows = (await query('transit::connections', { from, to, by })) as {
        minutes: number;
        fare: string;
        stops: { code: string }[];
      }[];
      return rows.map(({ minutes, fare, stops }) => [minutes, fare, stops.map(({ code }) => code).join(' ')]);
    };
    // Four minutes for the tram and three on it, five to change, ten for the train, and fifteen on it.
    expect(await connections('@markt', '@airport')).toEqual([[37, '4.5', 'MKT-1 HBF-1 CAM-2 AIR-4']]);
    // Four minutes for the tram and seven on it, and four on foot. The ferry takes twelve, and comes each half-hour.
    expect(await connections('@harbour', '@quay', 'child')).toEqual([[15, '1.55', 'HRB-2 BRG-1 MKT-1 QUA-1']]);
    expect(await connections('@meadow', '@quay')).toEqual([]);
  });

  it('follows closures and new legs', async () => {
    const { query, mutate } = await startSample('transit');
    const reachable = async () => column(await query('transit::reachable', { from: '@hbf' }), 'minutes');
    expect(await reachable()).toEqual([7, 9, 11, 14, 16, 25]);
    await mutate('transit::suspend', { line: '@s1' });
    expect(await reachable()).toEqual([7, 9, 11, 14, 28]);
    await mutate('transit::connect', { line: '@b17', one: '@hbf', other: '@campus', minutes: 4 });
    expect(await reachable()).toEqual([7, 9, 11, 11, 14, 18]);
  });

  it('warns about stops without departures, and lists departures', async () => {
    const world = await startSample('transit');
    expect(await firings(world)).toEqual(['Meadow has no departures']);
    expect(await world.query('transit::departures', { line: '@f2', after: 430 })).toEqual([
      '07:30',
      '08:00',
      '08:30',
      '09:00',
      '09:30',
    ]);
  });
});

describe('pointsto', () => {
  it('finds the one possible null dereference, and uncalled methods', async () => {
    const world = await startSample('pointsto');
    expect(await world.query('pointsto::nullDereferences')).toEqual([{ variable: 'owner', line: 31 }]);
    expect(await firings(world)).toEqual([
      'nothing calls find of Directory',
      'nothing calls recall of AuditedDirectory',
      'owner may be null in line 31',
    ]);
  });

  it('finds the call graph, with the overriding method', async () => {
    const { query } = await startSample('pointsto');
    expect(await query('pointsto::callGraph')).toEqual([
      { line: 27, caller: 'main', callee: 'Directory.put' },
      { line: 28, caller: 'main', callee: 'Directory.put' },
      { line: 29, caller: 'main', callee: 'AuditedDirectory.find' },
      { line: 32, caller: 'main', callee: 'Mailbox.deliver' },
    ]);
  });

  it('finds what a variable can hold, and its aliases', async () => {
    const { query } = await startSample('pointsto');
    expect(column(await query('pointsto::valuesOf', { variable: '@owner' }), 'line')).toEqual([22, 26]);
    expect(column(await query('pointsto::aliasesOf', { variable: '@found' }), 'name')).toEqual([
      'ada',
      'entry',
      'seen',
      'visitor',
    ]);
    expect(await query('pointsto::alias', { first: '@ada', second: '@visitor' })).toBe(false);
    expect(await query('pointsto::alias', { first: '@ada', second: '@found' })).toBe(true);
    expect(await query('pointsto::precision')).toEqual({ variables: 19, edges: 20, largestSet: 2, averageSet: '1.33' });
  });

  it('refuses a move that would not compile in the program', async () => {
    const { mutate, query } = await startSample('pointsto');
    const failure = await failureOf(mutate('pointsto::addMove', { target: '@person', source: '@ada' }));
    expect(messagesOf(failure.details['diagnostics'])).toEqual([
      'owner is declared to hold Owner and would hold the Account of line 20',
      'person is declared to hold Owner and would hold the Account of line 20',
    ]);
    await mutate('pointsto::addMove', { target: '@visitor', source: '@ada' });
    expect(await query('pointsto::alias', { first: '@ada', second: '@visitor' })).toBe(true);
  });
});

describe('supply', () => {
  it('sums quantities over every path', async () => {
    const { query } = await startSample('supply');
    const used = (await query('supply::whereUsed', { part: '@spoke' })) as {
      assembly: { number: string };
      quantity: string;
    }[];
    expect(used.map(({ assembly, quantity }) => [assembly.number, quantity])).toEqual([
      ['CB-1', '72'],
      ['CW-1', '36'],
      ['TR-1', '112'],
      ['TW-1', '20'],
    ]);
  });

  it('computes costs for a day, and none without a price', async () => {
    const { query, mutate } = await startSample('supply');
    expect(await query('supply::costOf', { assembly: '@trailer' })).toBe(null);
    await mutate('supply::setDay', { day: '2026-04-01' });
    // 306.60 for the bicycle, two wheels of 19.90 and 20 spokes of 0.35 with 5 of labour each, and 12.
    expect(await query('supply::costOf', { assembly: '@trailer' })).toBe('382.4');
    expect(await query('supply::partsList', { assembly: '@trailerWheel' })).toEqual([
      { part: 'rim', quantity: '1', price: '19.9' },
      { part: 'spoke', quantity: '20', price: '0.35' },
    ]);
    await mutate('supply::setDay', { day: '2026-07-01' });
    expect(await query('supply::costOf', { assembly: '@trailer' })).toBe(null);
    expect(await query('supply::costOf', { assembly: '@trailerWheel' })).toBe('31.9');
  });

  it('finds replacements after a recall, and what cannot be built', async () => {
    const world = await startSample('supply');
    await world.mutate('supply::setDay', { day: '2026-07-01' });
    await world.mutate('supply::recall', { part: '@spoke', on: '2026-07-01', reason: 'breaks' });
    expect(await world.query('supply::alternatives')).toMatchObject([
      { part: { number: 'SP-1' }, other: { number: 'SP-2' } },
    ]);
    expect(await firings(world)).toEqual([
      'bicycle with trailer cannot be built: no bolt',
      'city bicycle cannot be built: no bolt',
      'city wheel cannot be built: no bolt',
    ]);
  });
});

describe('licences', () => {
  it('finds what violates the policy of each product, and how it is included', async () => {
    const world = await startSample('licences');
    expect(await firings(world)).toEqual([
      'editor@2.0 includes fonts@0.3 under GPL-3.0-only',
      'editor@2.0 includes stray@0.1, which has no licence',
      'service@2.0 includes store@7.2 under AGPL-3.0-only',
      'service@2.0 includes stray@0.1, which has no licence',
    ]);
    expect(await world.query('licences::violations', { product: '@editor' })).toMatchObject([
      { package: 'fonts@0.3', licences: [{ code: 'GPL-3.0-only' }] },
    ]);
    const proof = JSON.stringify(await proofOf(world, 'licences::violation', ['@editor', '@fonts']));
    for (const user of ['editor', 'grid', 'plot']) {
      expect(proof).toContain(`"relation":"licences::dependsOn","tuple":["@licences::${user}"`);
    }
  });

  it('lists the obligations of a product, and the products of a package', async () => {
    const { query } = await startSample('licences');
    expect(await query('licences::duties', { product: '@editor' })).toEqual([
      { duty: 'attribution', packages: 2 },
      { duty: 'sources', packages: 1 },
    ]);
    expect(column(await query('licences::whereIncluded', { package: '@stray' }), 'key')).toEqual([
      'editor@2.0',
      'service@2.0',
    ]);
  });
});

async function startSample(name: string): Promise<TestWorld> {
  return startWorld(readFileSync(new URL(`../../resources/modules/${name}.entail`, import.meta.url), 'utf8'));
}

function column(rows: JsonValue, name: string): JsonValue[] {
  return (rows as Record<string, JsonValue>[]).map((row) => row[name] ?? null);
}

async function firings({ runtime }: TestWorld): Promise<string[]> {
  return messagesOf((await (await runtime.enter(FRAME)).checks(undefined, ALL, noDeadline)).result);
}

function messagesOf(diagnostics: unknown): string[] {
  return (diagnostics as Firing[]).map(({ message }) => message).sort();
}

async function explain({ runtime }: TestWorld, relation: string, tuple: string[]): Promise<Explanation> {
  return (await runtime.enter(FRAME)).explain(relation, tuple, noDeadline);
}

async function proofOf(world: TestWorld, relation: string, tuple: string[]) {
  const explanation = await explain(world, relation, tuple);
  if (!explanation.holds) throw new Error(explanation.whyNot.message);
  return explanation;
}

/** The nodes on the longest path to a leaf. A fact that is expanded elsewhere counts as one. */
function heightOf(node: ProofPremise): number {
  return 'ref' in node ? 1 : 1 + Math.max(0, ...node.premises.map(heightOf));
}
