/** Leases for tests of forks: servers with one fork, and calls on it by path. */

import { expect } from 'vitest';
import { type RealOptions, type RealServer, serversOfTests } from './real.js';

const FORKED_LEASE = `
module lease
context tenantId: Text?
pub concept Person { name: Text, boss: Person? }
pub concept Lease { code: Text, rent: Decimal = 900 }
pub relation tenantOf(lease: Lease, tenant: Person)
pub relation taughtBy(pupil: Person, tutor: Person [0..1])
pub derive liable(p: Person, l: Lease) when tenantOf(l, p)
pub derive share(l: Lease, part: Decimal) when Lease(l), let part = 100 / l.rent
pub check tooManyLeases(p: Person)
  when Person(p), let n = count(for l where tenantOf(l, p)), n > 1
  severity blocking
  message "{p.name} holds {n} leases; one is allowed"
pub check dear(l: Lease) when Lease(l), l.rent > 5000 severity warning message "lease {l.code} is dear"
pub query names() -> [Text] { select p.name where Person(p) order by p.name }
pub mutation addPerson(name: Text) -> Person { return insert Person { name: name } }
pub mutation rename(p: Person, name: Text) { set p.name = name }
pub mutation hire(p: Person, boss: Person) { set p.boss = boss }
pub mutation fire(p: Person) { delete p }
pub mutation teach(pupil: Person, tutor: Person) { delete taughtBy(pupil, _) insert taughtBy(pupil, tutor) }
pub mutation sign(tenant: Person, code: Text, rent: Decimal) -> Lease {
  let l = insert Lease { code: code, rent: rent }
  insert tenantOf(l, tenant)
  return l
}
pub mutation erase(p: Person) { forget p }
pub fn yearly(rent: Decimal) -> Decimal = rent * 12
`;

/** Call it once in a file. */
export function forkServers() {
  const started = serversOfTests();
  const serve = (options: RealOptions = {}) => started(FORKED_LEASE, options);
  return {
    serve,
    /** A server with Ada on `main` and a fork `what-if` created afterwards. */
    async forked(options: RealOptions = {}) {
      const server = await serve(options);
      const { body } = await server.mutation('lease::addPerson', { name: 'Ada' });
      const created = await server.call('POST', '/v1/forks', { id: 'what-if' });
      expect([created.status, created.body.error]).toEqual([201, undefined]);
      return { server, ada: body.result.$id as string, created };
    },
  };
}

/** The headers of a request on a fork. */
export const on = (fork: string) => ({ 'x-fork-id': fork });

/** Calls a mutation on a fork by path. */
export async function write(server: RealServer, fork: string, path: string, args: object) {
  const answer = await server.call('POST', `/v1/forks/${fork}/dispatch/mutation`, { path, args });
  expect(answer.body.error).toBeUndefined();
  return answer.body;
}

export async function names(server: RealServer, fork: string): Promise<string[]> {
  const { body } = await server.call('POST', `/v1/forks/${fork}/dispatch/query`, { path: 'lease::names' });
  expect(body.error).toBeUndefined();
  return body.result;
}
