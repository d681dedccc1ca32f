/** Facts are sentences if the relation's name allows it, else spelled out. */

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

describe('sentences', () => {
  it('reads a verb between its two endpoints', () => {
    check(relation('stored', 'lease::worksFor', 'person', 'company'), ['#i1', '#i2'], 'Ada works for L1');
    check(relation('stored', 'lease::guarantees', 'guarantor', 'lease'), ['#i1', '#i2'], 'Ada guarantees L1');
    check(relation('derived', 'access::canRead', 'user', 'file'), ['#i1', '#i2'], 'Ada can read L1');
    check(relation('stored', 'lease::hasAVoteIn', 'person', 'house'), ['#i1', '#i2'], 'Ada has a vote in L1');
  });

  it('spells out a relation that is called like what every object has', () => {
    check(
      relation('stored', 'lease::constructor', 'lease', 'plant'),
      ['#i1', '#i2'],
      'constructor: lease Ada, plant L1',
    );
  });

  it('makes the endpoint that a role names the subject', () => {
    check(relation('stored', 'lease::tenantOf', 'lease', 'tenant'), ['#i2', '#i1'], 'Ada is a tenant of L1');
  });

  it('joins an adjective with the word that belongs to it, and a place with `is`', () => {
    check(relation('derived', 'lease::liable', 'p', 'l'), ['#i1', '#i2'], 'Ada is liable for L1');
    check(relation('derived', 'access::within', 'r', 'f'), ['#i1', '#i2'], 'Ada is within L1');
    check(relation('stored', 'access::inFolder', 'resource', 'folder'), ['#i1', '#i2'], 'Ada is in folder L1');
  });

  it('spells out what does not read as a verb', () => {
    check(relation('derived', 'lease::billed', 'p', 'l'), ['#i1', '#i2'], 'billed: p Ada, l L1');
    check(relation('stored', 'club::members', 'c', 'p'), ['#i2', '#i1'], 'members: c L1, p Ada');
    // The rule decides which of them is reached.
    check(relation('derived', 'net::reachable', 'a', 'b'), ['#i1', '#i2'], 'reachable: a Ada, b L1');
  });

  it('takes a noun for the role of the endpoint that bears it, and of both where it says what they are to each other', () => {
    check(relation('stored', 'lease::tenantOf', 'lease', 'tenant'), ['#i2', '#i1'], 'Ada is a tenant of L1');
    check(relation('stored', 'lease::tenants', 'lease', 'tenant'), ['#i2', '#i1'], 'Ada is a tenant of L1');
    check(relation('stored', 'team::manager', 'employee', 'manager'), ['#i2', '#i1'], 'Ada is a manager of L1');
    check(relation('derived', 'team::peers', 'a', 'b'), ['#i1', '#i2'], 'Ada and L1 are peers');
    check(relation('derived', 'team::leads', 'a', 'b'), ['#i1', '#i2'], 'Ada leads L1');
    check(relation('derived', 'team::monitors', 'a', 'b'), ['#i1', '#i2'], 'Ada monitors L1');
  });

  it('is what the author has written, where a line of the documentation has every endpoint in braces', () => {
    const lent = (doc: string) => ({ ...relation('stored', 'lib::lent', 'copy', 'reader', 'until'), doc });
    const tuple = ['#i2', '#i1', '2026-03-01'];
    check(lent('{reader} has {copy} until {until}.'), tuple, 'Ada has L1 until 2026-03-01');
    check(lent('What is out.\n\nUntil {until}: {copy}, with {reader}'), tuple, 'Until 2026-03-01: L1, with Ada');
    check(lent('{reader} has {copy}, and {copies}.'), tuple, 'lent: copy L1, reader Ada, until 2026-03-01');
    check(lent('{reader} has {copy}.'), tuple, 'lent: copy L1, reader Ada, until 2026-03-01');
  });

  it('calls an endpoint of one letter by its class, where that tells it apart', () => {
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

  it('says what a thing is', () => {
    check(relation('derived', 'lease::active', 'l'), ['#i2'], 'L1 is active');
    check(relation('stored', 'points::entryPoint', 'method'), ['#i2'], 'L1 is an entry point');
    check(relation('define', 'lease::Tenant', 'individual'), ['#i1'], 'Ada is a Tenant');
    check(relation('concept', 'lease::Officer', 'individual'), ['#i1'], 'Ada is an Officer');
    check(relation('concept', 'lease::Unit', 'individual'), ['#i2'], 'L1 is a Unit');
    check(relation('define', 'lease::Unassigned', 'individual'), ['#i2'], 'L1 is Unassigned');
  });

  it('gives no article to a define that says how something is', () => {
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
  ])('%s of %j reads well, or is spelled out', (path, endpoints, expected) => {
    check(named(path, ...endpoints), ['#i1', '#i2'].slice(0, endpoints.length), expected);
  });

  it('says of a field that it is had, or how and when its owner is', () => {
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
    const said = (value: boolean) =>
      sentenceText(
        sentenceOf('m::User.suspended', ['#i1', value], field('suspended', 'Bool')),
        (id) => labels[id] ?? id,
      );
    expect([said(true), said(false)]).toEqual(['Ada is suspended', 'Ada is not suspended']);
  });

  it('leaves an open endpoint open', () => {
    check(relation('derived', 'lease::liable', 'p', 'l'), [null, '#i2'], 'any Person is liable for L1');
  });

  it('tells what should be absent from what is missing and from what must not hold', () => {
    const guarantees = relation('stored', 'lease::guarantees', 'guarantor', 'lease');
    const said = (sense: Sense, tuple: (string | null)[]) =>
      sentenceText(sentenceIn(sense, guarantees.path, tuple, guarantees), (id) => labels[id] ?? id);
    expect(said('absent', [null, '#i2'])).toBe('no Person guarantees L1');
    expect(said('absent', ['#i1', '#i2'])).toBe('not: Ada guarantees L1');
    expect(said('missing', [null, '#i2'])).toBe('no Person guarantees L1');
    expect(said('missing', ['#i1', '#i2'])).toBe('Ada guarantees L1');
    expect(said('forbidden', [null, '#i2'])).toBe('not: any Person guarantees L1 – but it is true');
  });

  it('says a field with its value as it is', () => {
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

  it('writes the raw fact as a module would', () => {
    expect(rawFact('lease::code', ['#i2', 'L1', null])).toBe('lease::code(#i2, "L1", _)');
  });
});

it('tells a relation in the words of its author, endpoints by their names, other braces as they stand', () => {
  const doc = '{user} may read {file}.\nSee {docs}.';
  expect(docText({ ...relation('stored', 'm::reads', 'user', 'file'), doc })).toBe('user may read file.\nSee {docs}.');
});
