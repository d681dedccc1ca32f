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

function named(request: Partial<RequestDetail>, body: unknown, answer: unknown, schema: ServedSchema = SCHEMA) {
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
  return namedThings(detail, body, answer, schema).map(({ kind, name, to }) => `${kind} ${name} ${to}`);
}

describe('what is linked', () => {
  it('is the callable, its arguments and what came of it', () => {
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

  it('is a declared individual once, whether it is written with its module or without', () => {
    const body = { path: 'lease::sign', args: { tenant: '@ada', guarantor: '@bo' } };
    const names = named({}, body, { error: { details: { tuple: { p: '@lease::ada' } } } });
    expect(names.map((name) => name.split(' ', 2).join(' '))).toEqual(['individual @bo', 'individual @lease::ada']);
  });

  it('leaves out a reference to an individual that the module does not declare', () => {
    expect(named({}, { path: 'lease::sign', args: { tenant: '@nobody' } }, undefined)).toEqual([]);
  });

  it('is what a write made fire, unless nothing was kept', () => {
    const answer = {
      result: null,
      warnings: [{ check: 'lease::noDouble', message: 'Ada again', tuple: { p: '#i1' } }],
    };
    expect(named({ fork: 'try' }, undefined, answer)).toEqual([
      'fact Ada again /explain?relation=lease%3A%3AnoDouble&tuple=%5B%22%23i1%22%5D&fork=try',
    ]);
    expect(named({ path: '/v1/dispatch/mutation?dryRun=true' }, undefined, answer)).toEqual([]);
  });

  it('is what the details of a failure name: checks, rules, relations, places', () => {
    const firing = { check: 'lease::noDouble', tuple: { p: '#i1' }, span };
    const answer = {
      error: { code: 'X', details: { diagnostics: [firing], rule: 'lease::rule1', relation: 'lease::liable' } },
    };
    expect(named({}, undefined, answer)).toEqual([
      'check lease::noDouble /checks?check=lease%3A%3AnoDouble',
      'individual #i1 /data?individual=%23i1',
      'source lease.entail:7 /module?file=lease.entail&line=7&column=1',
      'rule lease::rule1 /module?file=lease.entail&line=7&column=1',
      'relation lease::liable /data?path=lease%3A%3Aliable',
    ]);
  });

  it('is no individual that a refused request would have made', () => {
    const diagnostics = [{ tuple: { p: '#i1', q: '#i2' } }];
    const answer = { error: { code: 'X', details: { diagnostics, names: { '#i2': 'Bo' } } } };
    expect(named({}, undefined, answer)).toEqual(['individual #i1 /data?individual=%23i1']);
  });

  it('is what the path names, and the fact that was to be explained', () => {
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

  it('are the forks that a conflict is about', () => {
    const answer = { error: { code: 'SVC_RUNTIME_FORK_CONFLICT', details: { header: 'a', body: 'b' } } };
    expect(named({}, undefined, answer)).toEqual(['fork a /forks?show=a', 'fork b /forks?show=b']);
  });

  it('is nothing that the module does not declare, and not without end', () => {
    expect(named({ subject: 'lease::gone' }, undefined, undefined)).toEqual([]);
    const many = Array.from({ length: 100 }, (_, index) => `#i${index}`);
    expect(named({}, undefined, { result: many })).toHaveLength(24);
  });
});
