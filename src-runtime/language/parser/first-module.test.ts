/** The language reference's first module is read whole, without a finding. */

import { expect, it } from 'vitest';
import { pathText } from '../ast.js';
import { parseModule } from './module.js';

const FIRST_MODULE = `module lease

enum Status { draft, signed, ended }

pub concept Party {
  name: Text
}

pub concept Person is Party {
  email: Text?
  born: Date?
  employer: Party? via worksFor       // navigation field, [0..1], backed by a relation
}

pub concept Lease {
  code: Text
  rent: Decimal where value > 0       // refinement: \`value\` is the field's value
  status: Status = draft              // default
  tenants: [Person] via tenantOf      // navigation field, [0..*], read from the second endpoint
}

pub relation worksFor(person: Person, company: Party [0..1])   // functional: at most one company a person
pub relation tenantOf(lease: Lease, tenant: Person)
pub relation guarantees(guarantor: Party, lease: Lease)

pub individual acme: Party { name: "Acme Ltd" }

/// A lease that has been signed and has somebody in it.
pub derive active(l: Lease) when l.status == signed, tenantOf(l, _)

/// Everyone who answers for a lease, directly or through an employer.
pub derive liable(p: Party, l: Lease) when guarantees(p, l)
pub derive liable(p: Party, l: Lease) when tenantOf(l, t), worksFor(t, p)

pub define Tenant(p: Person) when tenantOf(_, p)               // a classifier: shows in \`$meta\`

pub check unguaranteed(l: Lease)
  when active(l), not liable(_, l)
  severity warning
  message "lease {l.code} has nobody who guarantees it"

pub check tooManyLeases(p: Person)
  when Person(p), let n = count(for l where tenantOf(l, p)), n > 3
  severity blocking
  message "{p.name} holds {n} leases; three are allowed"

pub query activeLeases(minRent: Decimal = 0) -> [Lease] {
  select l
  where active(l), l.rent >= minRent
  order by l.rent desc, l.code
}

pub query rentByTenant() -> [{ tenant: Person, total: Decimal }] {
  select { tenant: p, total: t }
  where Tenant(p), let t = sum(l.rent for l where tenantOf(l, p))
}

pub query leaseCount() -> Int { value count(for l where Lease(l)) }

pub mutation sign(tenant: Person, code: Text, rent: Decimal where value > 0) -> Lease {
  let l = insert Lease { code: code, rent: rent, status: signed }
  insert tenantOf(l, tenant)
  return l
}

pub mutation end(lease: Lease) {
  set lease.status = ended
  delete tenantOf(lease, _)
}

pub fn yearly(rent: Decimal) -> Decimal = rent * 12

test "a signed lease is active" {
  let p = insert Person { name: "Ada" }
  let l = sign(p, "L1", 900)
  expect active(l)
  expect not liable(_, l)
  expect error SVC_RUNTIME_VALIDATION_FAILED from sign(p, "L2", -1)
}
`;

it('parses the first module of the reference without findings, each item at its span', () => {
  const { value, diagnostics } = parseModule('lease.entail', FIRST_MODULE);
  expect(diagnostics).toEqual([]);
  expect(value.name === null ? null : pathText(value.name)).toBe('lease');
  const openings = value.items.map(({ span }) =>
    FIRST_MODULE.slice(span.start.offset, span.end.offset).split(/[ ({]+/),
  );
  const words = openings.map(([first, second]) => (first === 'pub' ? second : first));
  const kinds = value.items.map(({ kind }) => kind);
  expect(words).toEqual(kinds);
  expect(kinds).toHaveLength(21);
});

it('attaches documentation to its item', () => {
  const documented = parseModule('lease.entail', FIRST_MODULE).value.items.filter(({ doc }) => doc !== null);
  expect(documented.map(({ doc }) => doc)).toEqual([
    'A lease that has been signed and has somebody in it.',
    'Everyone who answers for a lease, directly or through an employer.',
  ]);
});
