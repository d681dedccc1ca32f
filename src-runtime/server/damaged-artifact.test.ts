/** Artifacts that are sealed but wrong: a wrong signature refuses the artifact, a wrong body fails its declaration. */

import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../api/errors.js';
import { artifactOf, asArtifact, named } from './testing/changed-artifact.js';
import { expectCode } from './testing/expect-code.js';
import { addAda, LEASE, leaseServers } from './testing/lease.js';
import type { RealServer } from './testing/real.js';

const serve = leaseServers();

type Change = Parameters<typeof artifactOf>[1];

const put = (server: RealServer, change: Change) =>
  server.call('PUT', '/v1/module', artifactOf(LEASE, change), asArtifact);

const DECIMAL = { kind: 'scalar', name: 'Decimal' };

describe('an artifact is refused', () => {
  it.each<[string, Change, RegExp]>([
    [
      'a parameter of an unknown class',
      ({ mutations }) => {
        named(mutations, 'lease::sign').parameters[0].type.path = 'lease::Nobody';
      },
      /"lease::sign" names the concept or define "lease::Nobody", which is not declared/,
    ],
    [
      'a result of an unknown enum',
      ({ functions }) => {
        named(functions, 'lease::part').result = { kind: 'list', of: { kind: 'enum', path: 'lease::No' } };
      },
      /"lease::part" names the enum "lease::No"/,
    ],
    [
      'a parent that is not there',
      ({ schema }) => {
        named(schema.concepts, 'lease::Person').parent = 'lease::Nobody';
      },
      /"lease::Person" names the concept "lease::Nobody"/,
    ],
    [
      'a concept below itself',
      ({ schema }) => {
        named(schema.concepts, 'lease::Party').parent = 'lease::Person';
      },
      /"lease::Party" is below itself/,
    ],
    [
      'a field through an unknown relation',
      ({ schema }) => {
        named(named(schema.concepts, 'lease::Lease').fields, 'lease::Lease.keeper').navigation.relation = 'lease::no';
      },
      /"lease::Lease.keeper" names the relation "lease::no"/,
    ],
    [
      'a field through an endpoint too many',
      ({ schema }) => {
        named(named(schema.concepts, 'lease::Lease').fields, 'lease::Lease.keeper').navigation.read = 2;
      },
      /reads an endpoint that "lease::keeps" does not have/,
    ],
    [
      'a callable that is declared twice',
      ({ queries }) => {
        queries.push(queries[0]);
      },
      /is declared twice/,
    ],
    [
      'an individual of an unknown concept',
      ({ individuals }) => {
        named(individuals, 'lease::acme').concept = 'lease::No';
      },
      /"lease::acme" names the concept "lease::No"/,
    ],
    [
      'an individual with an unknown field',
      ({ individuals }) => {
        named(individuals, 'lease::acme').fields[0].field = 'lease::Party.no';
      },
      /names the stored field "lease::Party.no"/,
    ],
    [
      'a declared value of another type',
      ({ individuals }) => {
        named(individuals, 'lease::acme').fields[0].value = 5;
      },
      /expected a Unicode string for "lease::Party.name" of "lease::acme", got 5/,
    ],
    [
      'a fact of an unknown relation',
      ({ facts, rules }) => {
        facts.push({ relation: 'lease::no', tuple: [], span: rules[0].span });
      },
      /names the stored relation "lease::no"/,
    ],
    [
      'a fact of another arity',
      ({ facts, rules }) => {
        facts.push({ relation: 'lease::keys', tuple: [], span: rules[0].span });
      },
      /"facts\[0\]" has 0 elements, and "lease::keys" 2/,
    ],
    [
      'a fact about nobody',
      ({ facts, rules }) => {
        facts.push({ relation: 'lease::worksFor', tuple: ['@lease::ghost', '@lease::acme'], span: rules[0].span });
      },
      /expected a Person for "person" of facts\[0\], got/,
    ],
  ])('for %s', async (_, change, message) => {
    const server = await serve();
    expectCode(await put(server, change), 'SVC_RUNTIME_VALIDATION_FAILED', message);
    expect((await server.query('lease::leases')).status).toBe(200);
  });
});

/** Requests to a server that has a person, `#i1`. */
const ASK = {
  leases: (server: RealServer) => server.query('lease::leases'),
  yearly: (server: RealServer) => server.compute('lease::yearly', { rent: 1 }),
  addPerson: (server: RealServer) => server.mutation('lease::addPerson', { name: 'Bo' }),
  sign: (server: RealServer) => server.mutation('lease::sign', { tenant: '#i1', code: 'L1', rent: 1 }),
  active: (server: RealServer) => server.call('GET', '/v1/relations/lease::active'),
  checks: (server: RealServer) => server.call('GET', '/v1/checks'),
} as const;

describe('an artifact is loaded, and only requests for the damaged part fail', () => {
  it.each<[string, Change, keyof typeof ASK, ErrorCode, RegExp]>([
    [
      'a query without a select',
      ({ queries }) => {
        named(queries, 'lease::leases').body.select = null;
      },
      'leases',
      'SVC_RUNTIME_QUERY_EVAL_FAILED',
      /malformed at "select"/,
    ],
    [
      'a query without an order',
      ({ queries }) => {
        delete named(queries, 'lease::leases').body.orderBy;
      },
      'leases',
      'SVC_RUNTIME_QUERY_EVAL_FAILED',
      /malformed at "orderBy"/,
    ],
    [
      'an operation without an operand',
      ({ functions }) => {
        delete named(functions, 'lease::yearly').body.left;
      },
      'yearly',
      'SVC_RUNTIME_COMPUTE_EVAL_FAILED',
      /malformed at "left"/,
    ],
    [
      'an unknown operator',
      ({ functions }) => {
        named(functions, 'lease::yearly').body.operator = '^';
      },
      'yearly',
      'SVC_RUNTIME_COMPUTE_EVAL_FAILED',
      /no operator "\^"/,
    ],
    [
      'a statement that is none',
      ({ mutations }) => {
        named(mutations, 'lease::addPerson').body.statements = [null];
      },
      'addPerson',
      'SVC_RUNTIME_COMPUTE_EVAL_FAILED',
      /malformed at "statements\[0\]"/,
    ],
    [
      'a statement of another compiler',
      ({ mutations }) => {
        named(mutations, 'lease::addPerson').body.statements = [{ op: 'teleport' }];
      },
      'addPerson',
      'SVC_RUNTIME_COMPUTE_EVAL_FAILED',
      /a node "teleport" that/,
    ],
    [
      'a selection of rows',
      ({ mutations }) => {
        const { statements } = named(mutations, 'lease::addPerson').body;
        const rows = { op: 'query', query: { op: 'teleport' } };
        statements.unshift({ op: 'for', variable: 'x', type: DECIMAL, rows, body: [], span: statements[0].span });
      },
      'addPerson',
      'SVC_RUNTIME_QUERY_EVAL_FAILED',
      /A selection of lease::addPerson could not be evaluated: .*"teleport"/,
    ],
    [
      'an insert of an unknown concept',
      ({ mutations }) => {
        named(mutations, 'lease::addPerson').body.statements[0].concept = 'lease::No';
      },
      'addPerson',
      'SVC_RUNTIME_COMPUTE_EVAL_FAILED',
      /inserts a "lease::No"/,
    ],
    [
      'an insert with an unknown field',
      ({ mutations }) => {
        named(mutations, 'lease::addPerson').body.statements[0].fields[0].field = 'lease::Lease.code';
      },
      'addPerson',
      'SVC_RUNTIME_COMPUTE_EVAL_FAILED',
      /sets the field "lease::Lease.code"/,
    ],
    [
      'an insert into a derived relation',
      ({ mutations }) => {
        named(mutations, 'lease::sign').body.statements[1].relation = 'lease::keeps';
      },
      'sign',
      'SVC_RUNTIME_COMPUTE_EVAL_FAILED',
      /writes to a relation "lease::keeps"/,
    ],
    [
      'a refinement of a field',
      ({ schema }) => {
        named(named(schema.concepts, 'lease::Lease').fields, 'lease::Lease.rent').refinement = { op: 'teleport' };
      },
      'sign',
      'SVC_RUNTIME_COMPUTE_EVAL_FAILED',
      /teleport/,
    ],
    [
      'a default of a field',
      ({ schema, mutations }) => {
        const { fields } = named(mutations, 'lease::sign').body.statements[0];
        fields.splice(
          fields.findIndex(({ field }: { field: string }) => field === 'lease::Lease.status'),
          1,
        );
        named(named(schema.concepts, 'lease::Lease').fields, 'lease::Lease.status').default = { op: 'convert' };
      },
      'sign',
      'SVC_RUNTIME_COMPUTE_EVAL_FAILED',
      /malformed at "operand"/,
    ],
    [
      'a clause that is none',
      ({ rules }) => {
        named(rules, 'lease::active').body.clauses = [null];
      },
      'active',
      'SVC_RUNTIME_DERIVE_FAILED',
      /malformed at "clauses\[0\]"/,
    ],
    [
      'a head without its terms',
      ({ rules }) => {
        named(rules, 'lease::active').body.clauses[0].head = [];
      },
      'active',
      'SVC_RUNTIME_DERIVE_FAILED',
      /the number of terms in a head differs/,
    ],
    [
      'a literal of an unknown relation',
      ({ rules }) => {
        named(rules, 'lease::active').body.clauses[0].condition.literals = [
          { op: 'atom', relation: 'lease::no', args: [], span: rules[0].span },
        ];
      },
      'active',
      'SVC_RUNTIME_DERIVE_FAILED',
      /lease::no, which is not declared/,
    ],
    [
      'a check without clauses',
      ({ checks }) => {
        named(checks, 'lease::tooManyLeases').body = { op: 'rule' };
      },
      'checks',
      'SVC_RUNTIME_CHECK_EVAL_FAILED',
      /malformed at "clauses"/,
    ],
  ])('for %s', async (_, change, request, code, message) => {
    const server = await serve();
    await addAda(server);
    const { status, body } = await put(server, change);
    expect([status, body.error]).toEqual([200, undefined]);
    expectCode(await ASK[request](server), code, message);
    const untouched = ['/v1/schema', '/v1/counts', '/v1/individuals/%23i1', '/v1/events', '/v1/forks'];
    for (const path of untouched) expect([path, (await server.call('GET', path)).status]).toEqual([path, 200]);
    expect((await server.compute('lease::part', { of: 1, by: 2 })).body.result).toBe('0.5');
  });

  it('for a refinement, unless a stored fact needs it', async () => {
    const server = await serve();
    await addAda(server);
    await ASK.sign(server);
    const refused = await put(server, ({ schema }) => {
      named(named(schema.concepts, 'lease::Lease').fields, 'lease::Lease.rent').refinement = {
        op: 'convert',
        operand: { op: 'teleport' },
        type: DECIMAL,
      };
    });
    expectCode(refused, 'SVC_RUNTIME_MODULE_INCOMPATIBLE', /cannot be evaluated/);
    expect(refused.body.error.details.incompatibilities).toMatchObject([
      { declaration: 'lease::Lease.rent', facts: 1 },
    ]);
    expect((await server.query('lease::leases')).body.result).toHaveLength(1);
  });
});
