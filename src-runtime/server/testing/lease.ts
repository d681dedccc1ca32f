/** The lease module of the tests of error codes, and servers that stop after each test. */

import { expect } from 'vitest';
import { type RealOptions, type RealServer, serversOfTests } from './real.js';

export const LEASE = `
module lease

context tenantId: Text?

enum Status { draft, signed, ended }

pub concept Party { name: Text }

pub concept Person is Party {
  employer: Party? via worksFor
}

pub concept Lease {
  code: Text
  rent: Decimal where value > 0
  status: Status = draft
  keeper: Person? via keeps
}

pub relation worksFor(person: Person, company: Party [0..1])
pub relation tenantOf(lease: Lease, tenant: Person)
pub relation keys(lease: Lease, tenant: Person)

pub individual acme: Party { name: "Acme Ltd" }

pub derive active(l: Lease) when l.status == signed, tenantOf(l, _)
pub derive keeps(l: Lease, p: Person) when keys(l, p)
pub derive share(l: Lease, part: Decimal) when Lease(l), let part = 100 / (l.rent - 1)

pub check tooManyLeases(p: Person)
  when Person(p), let n = count(for l where tenantOf(l, p)), n > 1
  severity blocking
  message "{p.name} holds {n} leases; one is allowed"

pub query leases() -> [Lease] { select l where Lease(l) order by l.code }
pub query shares() -> [Decimal] { select part where share(_, part) }
pub query pairs() -> Int { value count(for a, b, c, d where Lease(a), Lease(b), Lease(c), Lease(d), a.code != b.code, c.code != d.code) }
pub query inverse() -> [Decimal] { select 1 / (l.rent - 1) where Lease(l) }

pub mutation addPerson(name: Text) -> Person { return insert Person { name: name } }
pub mutation sign(tenant: Person, code: Text, rent: Decimal where value > 0) -> Lease {
  let l = insert Lease { code: code, rent: rent, status: signed }
  insert tenantOf(l, tenant)
  return l
}
pub mutation giveKey(lease: Lease, person: Person) { insert keys(lease, person) }

pub fn yearly(rent: Decimal) -> Decimal = rent * 12
pub fn part(of: Decimal, by: Decimal) -> Decimal = of / by
`;

/** Call it once in a file. The returned function serves the module, another text, or with null no module. */
export function leaseServers(): (text?: string | null, options?: RealOptions) => Promise<RealServer> {
  const started = serversOfTests();
  return (text = LEASE, options = {}) => started(text ?? undefined, options);
}

/** Adds a person and returns the id. */
export async function addAda(server: RealServer, headers?: Record<string, string>): Promise<string> {
  const { body } = await server.mutation('lease::addPerson', { name: 'Ada' }, headers);
  expect(body.error).toBeUndefined();
  return body.result.$id;
}
