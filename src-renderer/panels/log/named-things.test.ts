/** References in a request become links, if the module knows them. */

import { describe, expect, it } from 'vitest';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { RequestDetail } from '../../../src-runtime/api/schemas/request-log.js';
import { namedThings } from './named-things.js';

const at = { line: 7, column: 1, offset: 90 };
const span = { file: 'lease.entail', start: at, end: at };
const declared = (path: string) => ({ path, public: true, span });
const SCHEMA: ServedSchema = {
  modules: [],
  enums: [],
  concepts: [{ ...declared('lease::Person'), parent: null, fields: [] }],
  relations: [{ ...declared('lease::liable'), kind: 'derived', endpoints: [] }],
  defines: [],
  individuals: ['lease::ada', 'lease::bo'].map((path) => ({ ...declared(path), concept: 'lease::Person' })),
  rules: [{ ...declared('lease::rule1'), clauses: [] }],
  checks: [{ ...declared('lease::noDouble'), severity: 'blocking', builtIn: false, message: '', parameters: [] }],
  queries: [],
  mutations: [{ ...declared('lease::sign'), parameters: [], result: null, inserts: [], sets: [] }],
  functions: [],
  context: [],
};

function named(request: Partial<RequestDetail>, body: unknown, response: unknown, schema: ServedSchema = SCHEMA) {
  const detail: RequestDetail = {
    seq: 1,
    requestId: 'r',
    at: '',
    method: 'POST',
    path: '/v1/dispatch/mutation',
    status: 200,
    ms: 1,
    bytes: 0,
    moduleHash: '',
    headers: {},
    body: null,
    answerHeaders: {},
    answer: null,
    ...request,
  };
  return namedThings(detail, body, response, schema).map(({ kind, name, to }) => `${kind} ${name} ${to}`);
}

describe('the links of a request', () => {
  it('lead to the callable, and to individuals in arguments and result', () => {
    const body = { path: 'lease::sign', args: { tenant: '#i3', note: 'plain text' } };
    expect(
      named({ subject: 'lease::sign' }, body, { result: { $id: '#i4', tenants: ['#i3', '@lease::ada'] } }),
    ).toEqual([
      'callable lease::sign /invoke?call=lease%3A%3Asign',
      'individual #i3 /data?individual=%23i3',
      'individual #i4 /data?individual=%23i4',
      'individual @lease::ada /data?individual=%40lease%3A%3Aada',
    ]);
  });

  it('list a declared individual once, qualified or not', () => {
    const body = { path: 'lease::sign', args: { tenant: '@ada', guarantor: '@bo' } };
    const names = named({}, body, { error: { details: { tuple: { p: '@lease::ada' } } } });
    expect(names.map((name) => name.split(' ', 2).join(' '))).toEqual(['individual @bo', 'individual @lease::ada']);
  });

  it('exclude undeclared individuals', () => {
    expect(named({}, { path: 'lease::sign', args: { tenant: '@nobody' } }, undefined)).toEqual([]);
  });

  it('lead to the violations that a write caused, except for a dry run', () => {
    const response = {
      result: null,
      warnings: [{ check: 'lease::noDouble', message: 'Ada again', tuple: { p: '#i1' } }],
    };
    expect(named({ fork: 'try' }, undefined, response)).toEqual([
      'fact Ada again /explain?relation=lease%3A%3AnoDouble&tuple=%5B%22%23i1%22%5D&fork=try',
    ]);
    expect(named({ path: '/v1/dispatch/mutation?dryRun=true' }, undefined, response)).toEqual([]);
  });

  it('lead to the checks, rules, relations and sources in the details of a failure', () => {
    const firing = { check: 'lease::noDouble', tuple: { p: '#i1' }, span };
    const response = {
      error: { code: 'X', details: { diagnostics: [firing], rule: 'lease::rule1', relation: 'lease::liable' } },
    };
    expect(named({}, undefined, response)).toEqual([
      'check lease::noDouble /checks?check=lease%3A%3AnoDouble',
      'individual #i1 /data?individual=%23i1',
      'source lease.entail:7 /module?file=lease.entail&line=7&column=1',
      'rule lease::rule1 /module?file=lease.entail&line=7&column=1',
      'relation lease::liable /data?path=lease%3A%3Aliable',
    ]);
  });

  it('exclude individuals that a rejected request would have created', () => {
    const diagnostics = [{ tuple: { p: '#i1', q: '#i2' } }];
    const response = { error: { code: 'X', details: { diagnostics, names: { '#i2': 'Bo' } } } };
    expect(named({}, undefined, response)).toEqual(['individual #i1 /data?individual=%23i1']);
  });

  it('lead to the relation in the path, and to the explained fact', () => {
    expect(named({ path: '/v1/relations/lease%3A%3APerson?limit=1' }, undefined, undefined)).toEqual([
      'relation lease::Person /data?path=lease%3A%3APerson',
    ]);
    const [, fact] = named(
      { subject: 'lease::liable', fork: 'f' },
      { relation: 'lease::liable', tuple: ['#i1'] },
      undefined,
    );
    expect(fact).toMatch(/^fact lease::liable\(#i1\) \/explain\?.*fork=f$/);
  });

  it('lead to the forks of a conflict', () => {
    const response = { error: { code: 'SVC_RUNTIME_FORK_CONFLICT', details: { header: 'a', body: 'b' } } };
    expect(named({}, undefined, response)).toEqual(['fork a /forks?show=a', 'fork b /forks?show=b']);
  });

  it('exclude undeclared callables, and are limited in number', () => {
    expect(named({ subject: 'lease::gone' }, undefined, undefined)).toEqual([]);
    const many = Array.from({ length: 100 }, (_, index) => `#i${index}`);
    expect(named({}, undefined, { result: many })).toHaveLength(24);
  });
});
