/** Facts as sentences if the name of the relation allows it, else with labelled endpoints. */

import { describe, expect, it } from 'vitest';
import type { RelationInfo } from '../facts/relation-index.js';
import { rawFact, type Sense, sentenceIn, sentenceOf, sentenceText } from './sentence.js';
import { docText } from './written-sentence.js';

const person = { kind: 'class', path: 'lease::Person' } as const;

function relation(kind: RelationInfo['kind'], path: string, ...names: string[]): RelationInfo {
  return { path, kind, endpoints: names.map((name) => ({ name, type: person })), doc: undefined, span: undefined };
}

const labels: Record<string, string> = { '#i1': 'Ada', '#i2': 'L1' };

function check(info: RelationInfo, tuple: (string | null)[], expected: string): void {
  const sentence = sentenceOf(info.path, tuple, info);
  expect(sentenceText(sentence, (id) => labels[id] ?? id)).toBe(expected);
}

describe('the sentence builder', () => {
  it('puts a verb between its two endpoints', () => {
    check(relation('stored', 'lease::worksFor', 'person', 'company'), ['#i1', '#i2'], 'Ada works for L1');
    check(relation('stored', 'lease::guarantees', 'guarantor', 'lease'), ['#i1', '#i2'], 'Ada guarantees L1');
    check(relation('derived', 'access::canRead', 'user', 'file'), ['#i1', '#i2'], 'Ada can read L1');
    check(relation('stored', 'lease::hasAVoteIn', 'person', 'house'), ['#i1', '#i2'], 'Ada has a vote in L1');
  });

  it('labels the endpoints of a relation named constructor', () => {
    check(
      relation('stored', 'lease::constructor', 'lease', 'plant'),
      ['#i1', '#i2'],
      'constructor: lease Ada, plant L1',
    );
  });

  it('makes the endpoint with the role the subject', () => {
    check(relation('stored', 'lease::tenantOf', 'lease', 'tenant'), ['#i2', '#i1'], 'Ada is a tenant of L1');
  });

  it('adds the preposition of an adjective, and `is` before a place', () => {
    check(relation('derived', 'lease::liable', 'p', 'l'), ['#i1', '#i2'], 'Ada is liable for L1');
    check(relation('derived', 'access::within', 'r', 'f'), ['#i1', '#i2'], 'Ada is within L1');
    check(relation('stored', 'access::inFolder', 'resource', 'folder'), ['#i1', '#i2'], 'Ada is in folder L1');
  });

  it('labels the endpoints if the name is not a verb', () => {
    check(relation('derived', 'lease::billed', 'p', 'l'), ['#i1', '#i2'], 'billed: p Ada, l L1');
    check(relation('stored', 'club::members', 'c', 'p'), ['#i2', '#i1'], 'members: c L1, p Ada');
    // Which of the two is reached depends on the rule.
    check(relation('derived', 'net::reachable', 'a', 'b'), ['#i1', '#i2'], 'reachable: a Ada, b L1');
  });

  it('reads a noun as the role of one endpoint, or of both if it is symmetric', () => {
    check(relation('stored', 'lease::tenantOf', 'lease', 'tenant'), ['#i2', '#i1'], 'Ada is a tenant of L1');
    check(relation('stored', 'lease::tenants', 'lease', 'tenant'), ['#i2', '#i1'], 'Ada is a tenant of L1');
    check(relation('stored', 'team::manager', 'employee', 'manager'), ['#i2', '#i1'], 'Ada is a manager of L1');
    check(relation('derived', 'team::peers', 'a', 'b'), ['#i1', '#i2'], 'Ada and L1 are peers');
    check(relation('derived', 'team::leads', 'a', 'b'), ['#i1', '#i2'], 'Ada leads L1');
    check(relation('derived', 'team::monitors', 'a', 'b'), ['#i1', '#i2'], 'Ada monitors L1');
  });

  it('uses a documentation line that has every endpoint in braces', () => {
    const lent = (doc: string) => ({ ...relation('stored', 'lib::lent', 'copy', 'reader', 'until'), doc });
    const tuple = ['#i2', '#i1', '2026-03-01'];
    check(lent('{reader} has {copy} until {until}.'), tuple, 'Ada has L1 until 2026-03-01');
    check(lent('What is out.\n\nUntil {until}: {copy}, with {reader}'), tuple, 'Until 2026-03-01: L1, with Ada');
    check(lent('{reader} has {copy}, and {copies}.'), tuple, 'lent: copy L1, reader Ada, until 2026-03-01');
    check(lent('{reader} has {copy}.'), tuple, 'lent: copy L1, reader Ada, until 2026-03-01');
  });

  it('labels a one-letter endpoint by its class or enum', () => {
    const info: RelationInfo = {
      ...relation('derived', 'lease::balance'),
      endpoints: [
        { name: 'l', type: { kind: 'class', path: 'lease::Lease' } },
        { name: 'owed', type: { kind: 'scalar', name: 'Decimal' } },
      ],
    };
    check(info, ['#i2', '900'], 'balance: lease L1, owed 900');
    const action = { name: 'a', type: { kind: 'enum', path: 'rights::Action' } } as const;
    const may = { ...relation('derived', 'rights::may'), endpoints: [...info.endpoints, action] };
    check(may, ['#i2', '900', 'read'], 'may: lease L1, owed 900, action read');
  });

  it('states the class or property of an individual', () => {
    check(relation('derived', 'lease::active', 'l'), ['#i2'], 'L1 is active');
    check(relation('stored', 'points::entryPoint', 'method'), ['#i2'], 'L1 is an entry point');
    check(relation('define', 'lease::Tenant', 'individual'), ['#i1'], 'Ada is a Tenant');
    check(relation('concept', 'lease::Officer', 'individual'), ['#i1'], 'Ada is an Officer');
    check(relation('concept', 'lease::Unit', 'individual'), ['#i2'], 'L1 is a Unit');
    check(relation('define', 'lease::Unassigned', 'individual'), ['#i2'], 'L1 is Unassigned');
  });

  it('omits the article if a define is an adjective', () => {
    for (const name of ['Overworked', 'Available', 'Vacant', 'Overdue', 'Childless', 'Infectious']) {
      check(relation('define', `ward::${name}`, 'individual'), ['#i1'], `Ada is ${name}`);
    }
    check(relation('define', 'ward::ShortStaffed', 'individual'), ['#i1'], 'Ada is Short Staffed');
    check(relation('define', 'ward::ClosedAccount', 'individual'), ['#i1'], 'Ada is a Closed Account');
    check(relation('define', 'ward::Timetable', 'individual'), ['#i1'], 'Ada is a Timetable');
    check(relation('concept', 'ward::Hundred', 'individual'), ['#i1'], 'Ada is a Hundred');
    // A concept is a noun, whatever its name looks like.
    check(relation('concept', 'ward::Unassigned', 'individual'), ['#i1'], 'Ada is an Unassigned');
  });

  /** Endpoints as `name: Class`, or `name` for a date. */
  const named = (path: string, ...endpoints: string[]): RelationInfo => ({
    ...relation('stored', path),
    endpoints: endpoints.map((endpoint) => {
      const [name = '', className] = endpoint.split(': ');
      return className === undefined
        ? { name, type: { kind: 'scalar', name: 'Date' } }
        : { name, type: { kind: 'class', path: `m::${className}` } };
    }),
  });

  it.each([
    ['lease::asOf', ['day'], 'as of #i1'],
    ['lease::occupiedBy', ['u: Unit', 'p: Party'], 'Ada is occupied by L1'],
    ['lease::signedOn', ['l: Lease', 'day'], 'Ada is signed on #i2'],
    ['lease::fullyPaid', ['l: Lease'], 'Ada is fully paid'],
    ['lease::inArrears', ['l: Lease'], 'Ada is in arrears'],
    ['lease::tenantOf', ['l: Lease', 't: Tenant'], 'L1 is a tenant of Ada'],
    ['access::memberOf', ['p: Person', 'c: Club'], 'Ada is a member of L1'],
    ['access::grantedTo', ['r: Role', 'u: User'], 'Ada is granted to L1'],
    ['access::enrolledInSaca', ['s: Student'], 'Ada is enrolled in saca'],
    ['access::enrolledIn', ['s: Student', 'c: Course'], 'Ada is enrolled in L1'],
    ['access::notCleared', ['u: User'], 'Ada is not cleared'],
    ['access::cannotRead', ['u: User', 'f: File'], 'Ada cannot read L1'],
    ['access::eligibleFor', ['u: User', 'r: Role'], 'Ada is eligible for L1'],
    ['supply::partOf', ['a: Part', 'b: Part'], 'Ada is a part of L1'],
    ['supply::madeOf', ['whole: Part', 'part: Part'], 'Ada is made of L1'],
    ['supply::soldBy', ['p: Part', 's: Supplier'], 'Ada is sold by L1'],
    ['supply::prices', ['part: Part', 'price'], 'prices: part Ada, price #i2'],
    ['supply::outOfStock', ['p: Part'], 'Ada is out of stock'],
    ['supply::substituteFor', ['a: Part', 'b: Part'], 'substitute for: a Ada, b L1'],
    ['code::parentOf', ['c: Class', 'p: Class'], 'L1 is a parent of Ada'],
    ['code::calledFrom', ['m: Method', 'c: Call'], 'Ada is called from L1'],
    ['code::reachableFrom', ['m: Method', 'n: Method'], 'Ada is reachable from L1'],
    ['code::resultOf', ['c: Call', 'v: Variable'], 'result of: call Ada, variable L1'],
    ['code::basis', ['a: Method', 'b: Method'], 'basis: a Ada, b L1'],
    ['code::definedAt', ['v: Variable', 'l: Line'], 'Ada is defined at L1'],
    ['code::entryPoint', ['m: Method'], 'Ada is an entry point'],
    ['code::closedAccount', ['m: Method'], 'Ada is a closed account'],
  ])('formats %s with endpoints %j as "%s"', (path, endpoints, expected) => {
    check(named(path, ...endpoints), ['#i1', '#i2'].slice(0, endpoints.length), expected);
  });

  it('phrases a field as a noun, an adjective or a date', () => {
    const field = (name: string, type = 'Date'): RelationInfo => ({
      ...relation('field', `m::Lease.${name}`),
      endpoints: [
        { name: 'of', type: person },
        { name, type: { kind: 'scalar', name: type as 'Date' } },
      ],
    });
    const day = '2026-03-01';
    check(field('born'), ['#i1', day], 'Ada born 2026-03-01');
    check(field('starts'), ['#i2', day], 'L1 starts 2026-03-01');
    check(field('validFrom'), ['#i2', day], 'L1 valid from 2026-03-01');
    check(field('on'), ['#i2', day], 'L1 on 2026-03-01');
    check(field('born'), ['#i1', null], 'Ada has no value of born');
    check(field('rooms', 'Int'), ['#i2', '3'], 'L1 has rooms 3');
    const sentenceFor = (value: boolean) =>
      sentenceText(
        sentenceOf('m::User.suspended', ['#i1', value], field('suspended', 'Bool')),
        (id) => labels[id] ?? id,
      );
    expect([sentenceFor(true), sentenceFor(false)]).toEqual(['Ada is suspended', 'Ada is not suspended']);
  });

  it('shows an open endpoint as any individual', () => {
    check(relation('derived', 'lease::liable', 'p', 'l'), [null, '#i2'], 'any Person is liable for L1');
  });

  it('distinguishes absent, missing and forbidden facts', () => {
    const guarantees = relation('stored', 'lease::guarantees', 'guarantor', 'lease');
    const sentenceFor = (sense: Sense, tuple: (string | null)[]) =>
      sentenceText(sentenceIn(sense, guarantees.path, tuple, guarantees), (id) => labels[id] ?? id);
    expect(sentenceFor('absent', [null, '#i2'])).toBe('no Person guarantees L1');
    expect(sentenceFor('absent', ['#i1', '#i2'])).toBe('not: Ada guarantees L1');
    expect(sentenceFor('missing', [null, '#i2'])).toBe('no Person guarantees L1');
    expect(sentenceFor('missing', ['#i1', '#i2'])).toBe('Ada guarantees L1');
    expect(sentenceFor('forbidden', [null, '#i2'])).toBe('not: any Person guarantees L1 – but it is true');
  });

  it('shows a field with its value, or that it has none', () => {
    const info: RelationInfo = {
      path: 'lease::Lease.rent',
      kind: 'field',
      endpoints: [
        { name: 'of', type: person },
        { name: 'rent', type: { kind: 'scalar', name: 'Decimal' } },
      ],
      doc: undefined,
      span: undefined,
    };
    check(info, ['#i2', '900'], 'L1 has rent 900');
    check(info, ['#i2', null], 'L1 has no rent');
  });

  it('formats the raw fact in Entail syntax', () => {
    expect(rawFact('lease::code', ['#i2', 'L1', null])).toBe('lease::code(#i2, "L1", _)');
  });
});

it('replaces endpoints in the documentation with their names, and keeps other braces', () => {
  const doc = '{user} may read {file}.\nSee {docs}.';
  expect(docText({ ...relation('stored', 'm::reads', 'user', 'file'), doc })).toBe('user may read file.\nSee {docs}.');
});
