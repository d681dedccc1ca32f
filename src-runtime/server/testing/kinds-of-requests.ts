/** Kinds of requests, each with the faults that it can have, in the API's order of precedence. */

import { factId } from '../../engine/index.js';
import { ARTIFACT, type Subject } from './faulty-requests.js';
import type { FaultName, Kind } from './simultaneous-faults.js';

const ROUTED: readonly FaultName[] = ['access', 'route', 'method'];
const PLACE: readonly FaultName[] = ['context', 'contextValue', 'collision', 'schema'];
const ON_FORK: readonly FaultName[] = [...PLACE, 'forkAbsent'];
const ON_NAMED_FORK: readonly FaultName[] = [...PLACE, 'forkConflict', 'forkAbsent'];
const POSTED: readonly FaultName[] = [...ROUTED, 'size', 'contentType', 'parse'];
const LISTED: readonly FaultName[] = [...ROUTED, 'limit', 'module', ...ON_FORK];
const ADHOC: readonly FaultName[] = ['module', 'adhocDisabled', 'adhocSyntax', 'adhocTypes'];
/** Faults of a mutation, from the module on. */
const MUTATED: readonly FaultName[] = [
  'module',
  ...ON_NAMED_FORK,
  'forkClosed',
  'mutation',
  'mutationResult',
  'forget',
  'signature',
  'values',
  'computeFails',
];
/** Faults of requests that run a mutation with others. */
const WRITING: readonly FaultName[] = [...POSTED, ...MUTATED];
const CALL = { p: 'x', by: 1 };

const whole = (subject: Subject) => subject;
const at = (path: string) => () => path;
const encoded = (text: string | undefined) => encodeURIComponent(text ?? '');

const step = (kind: 'query' | 'mutation' | 'compute') => (subject: Subject) => {
  const { path, args, ...rest } = subject;
  return { steps: [{ [kind]: path, args }], ...rest };
};

const CALLS: Readonly<Record<string, Kind>> = {
  'a query': {
    path: at('/dispatch/query'),
    forkIn: 'body',
    subject: { path: 'lease::find', args: CALL },
    body: whole,
    faults: [
      ...POSTED,
      'limit',
      'module',
      ...ON_NAMED_FORK,
      'query',
      'queryResult',
      'queryBody',
      'signature',
      'values',
      'cursor',
      'queryFails',
    ],
  },
  'an explanation of a row': {
    path: at('/dispatch/query/explain'),
    forkIn: 'body',
    subject: { path: 'lease::find', args: CALL },
    body: (subject) => ({ ...subject, row: '1' }),
    faults: [...POSTED, 'module', ...ON_NAMED_FORK, 'query', 'queryResult', 'queryBody', 'signature', 'values'],
  },
  'a profile of a query': {
    path: at('/dispatch/query/profile'),
    forkIn: 'body',
    subject: { path: 'lease::find', args: CALL },
    body: whole,
    faults: [...POSTED, 'module', ...ON_NAMED_FORK, 'query', 'queryResult', 'queryBody', 'signature', 'values'],
  },
  'a mutation': {
    path: at('/dispatch/mutation'),
    forkIn: 'body',
    subject: { path: 'lease::run', args: { p: '#i1', by: 1 } },
    body: whole,
    faults: [...POSTED, 'queryString', ...MUTATED],
  },
  'a mutation under the path of a fork': {
    path: at('/dispatch/mutation'),
    forkIn: 'path',
    fork: 'main',
    subject: { path: 'lease::run', args: { p: '#i1', by: 1 } },
    body: whole,
    faults: [...POSTED, 'module', ...ON_NAMED_FORK, 'forkClosed', 'mutation'],
  },
  'a function': {
    path: at('/dispatch/compute'),
    forkIn: 'body',
    subject: { path: 'lease::share', args: CALL },
    body: whole,
    faults: [...POSTED, 'module', ...ON_NAMED_FORK, 'compute', 'computeExtern', 'signature', 'values', 'computeFails'],
  },
  'a batch that reads': {
    path: at('/batch'),
    forkIn: 'body',
    subject: { path: 'lease::find', args: CALL },
    body: step('query'),
    faults: [
      ...POSTED,
      'queryString',
      'module',
      ...ON_NAMED_FORK,
      'query',
      'queryResult',
      'queryBody',
      'signature',
      'values',
      'queryFails',
    ],
  },
  'a batch that writes': {
    path: at('/batch'),
    forkIn: 'body',
    subject: { path: 'lease::run', args: { p: '#i1', by: 1 } },
    body: step('mutation'),
    faults: WRITING,
  },
  'a batch that computes': {
    path: at('/batch'),
    forkIn: 'body',
    subject: { path: 'lease::share', args: CALL },
    body: step('compute'),
    faults: [...POSTED, 'module', ...ON_NAMED_FORK, 'compute', 'computeExtern', 'signature', 'values', 'computeFails'],
  },
  'an import': {
    path: at('/import'),
    forkIn: 'body',
    subject: { path: 'lease::run', args: { p: '#i1', by: 1 } },
    body: ({ path, args, ...rest }) => ({ mutation: path, rows: [args], ...rest }),
    faults: WRITING,
  },
};

const TEXTS: Readonly<Record<string, Kind>> = {
  'an ad-hoc query': {
    path: at('/query/adhoc'),
    forkIn: 'body',
    subject: {
      source:
        'query adhoc(p: Text where length(value) > 0, by: Decimal) -> [Decimal] { select 1 / by where Person(_), p != "" }',
      args: CALL,
    },
    body: whole,
    faults: [...POSTED, 'limit', ...ADHOC, ...ON_NAMED_FORK, 'signature', 'values', 'cursor', 'queryFails'],
  },
  'a profile of an ad-hoc query': {
    path: at('/query/adhoc/profile'),
    forkIn: 'body',
    subject: {
      source: 'query adhoc(p: Text where length(value) > 0) -> [Text] { select p where Person(_), p != "" }',
      args: { p: 'x' },
    },
    body: whole,
    faults: [...POSTED, ...ADHOC, ...ON_NAMED_FORK, 'signature', 'values'],
  },
  'a live question': {
    path: at('/live'),
    forkIn: 'body',
    subject: {},
    body: (subject) => ({ ...subject, files: [], file: 'lease.entail', offset: 0 }),
    faults: [...POSTED, 'module', 'adhocDisabled', ...ON_NAMED_FORK],
  },
  'an ad-hoc mutation': {
    path: at('/mutation/adhoc'),
    forkIn: 'body',
    subject: {
      source: 'mutation adhoc(p: Person, by: Decimal) -> Decimal { set p.name = "Ada" return 1 / by }',
      args: { p: '#i1', by: 1 },
    },
    body: whole,
    faults: [...POSTED, ...ADHOC, ...ON_NAMED_FORK, 'forkClosed', 'forget', 'signature', 'values', 'computeFails'],
  },
  'an explanation of a row of an ad-hoc query': {
    path: at('/query/adhoc/explain'),
    forkIn: 'body',
    subject: {
      source: 'query adhoc(p: Text where length(value) > 0) -> [Text] { select p where Person(_), p != "" }',
      args: { p: 'x' },
    },
    body: (subject) => ({ ...subject, row: 'x' }),
    faults: [...POSTED, ...ADHOC, ...ON_NAMED_FORK, 'signature', 'values'],
  },
  'an explanation of an ad-hoc derive': {
    path: at('/query/adhoc/explain'),
    forkIn: 'body',
    subject: { source: 'derive adhoc(p: Person) when Person(p)', tuple: ['#i1'] },
    body: whole,
    faults: [...POSTED, ...ADHOC, ...ON_NAMED_FORK, 'tuple'],
  },
};

const READS: Readonly<Record<string, Kind>> = {
  'an explanation': {
    path: at('/explain'),
    forkIn: 'body',
    subject: { path: 'lease::linked', tuple: ['@ada', '@ada'] },
    body: ({ path, ...rest }) => ({ relation: path, ...rest }),
    faults: [...POSTED, 'queryString', 'module', ...ON_NAMED_FORK, 'explained', 'tuple', 'explanationFails'],
  },
  'an explanation under the path of a fork': {
    path: at('/explain'),
    forkIn: 'path',
    fork: 'open',
    subject: { path: 'lease::linked', tuple: ['@ada', '@ada'] },
    body: ({ path, ...rest }) => ({ relation: path, ...rest }),
    faults: [...POSTED, 'module', ...PLACE, 'forkAbsent', 'explained'],
  },
  'the explanation of a fact': {
    method: 'GET',
    path: ({ id }) => `/derived/facts/${encoded(id)}/explain`,
    subject: { id: factId('lease::linked', ['@lease::ada', '@lease::ada']) },
    faults: [...ROUTED, 'queryString', 'module', ...ON_FORK, 'fact'],
  },
  individuals: {
    method: 'GET',
    path: at('/individuals'),
    query: ({ path = '' }) => ({ class: path }),
    subject: { path: 'lease::Person' },
    faults: [...LISTED, 'classPath', 'cursor', 'column', 'metaFails'],
  },
  'an individual': {
    method: 'GET',
    path: ({ id }) => `/individuals/${encoded(id)}`,
    subject: { id: '#i1' },
    faults: [...ROUTED, 'module', ...ON_FORK, 'individual', 'metaFails'],
  },
  'a relation': {
    method: 'GET',
    path: ({ path }) => `/relations/${encoded(path)}`,
    subject: { path: 'lease::linked' },
    faults: [...LISTED, 'relation', 'cursor', 'column', 'ruleFails'],
  },
  counts: { method: 'GET', path: at('/counts'), faults: [...ROUTED, 'queryString', 'module', ...ON_FORK] },
  checks: {
    method: 'GET',
    path: at('/checks'),
    query: ({ path = '' }) => ({ check: path }),
    subject: { path: 'lease::lonely' },
    faults: [...LISTED, 'check', 'cursor', 'checkFails'],
  },
  'checks under the path of a fork': {
    method: 'GET',
    path: at('/checks'),
    query: ({ path = '' }) => ({ check: path }),
    forkIn: 'path',
    fork: 'open',
    subject: { path: 'lease::lonely' },
    faults: [...ROUTED, 'limit', 'module', ...PLACE, 'forkAbsent', 'check', 'checkFails'],
  },
  'the states of checks': { method: 'GET', path: at('/checks/states'), faults: [...LISTED, 'cursor'] },
  events: { method: 'GET', path: at('/events'), faults: [...LISTED, 'cursor'] },
  snapshot: { method: 'GET', path: at('/snapshot'), faults: [...LISTED, 'cursor'] },
  'stored facts of an individual': {
    method: 'GET',
    path: ({ id }) => `/stored/individuals/${encoded(id)}`,
    subject: { id: '#i1' },
    faults: [...LISTED, 'individual', 'cursor'],
  },
};

const FORKS: Readonly<Record<string, Kind>> = {
  forks: { method: 'GET', path: at('/forks'), faults: [...ROUTED, 'limit', 'module', ...PLACE, 'cursor'] },
  'the creation of a fork': {
    path: at('/forks'),
    subject: {},
    body: whole,
    faults: [
      ...ROUTED,
      'capabilityFork',
      'size',
      'contentType',
      'parse',
      'module',
      ...PLACE,
      'parentAbsent',
      'parentClosed',
      'forkExists',
    ],
  },
  'a fork': { method: 'GET', path: at(''), forkIn: 'path', fork: 'open', faults: [...ROUTED, 'module', ...PLACE] },
  'a label of a fork': {
    method: 'PATCH',
    path: at(''),
    forkIn: 'path',
    fork: 'abortable',
    body: () => ({ label: 'Mine' }),
    faults: [...ROUTED, 'capabilityFork', 'size', 'contentType', 'parse', 'module', ...ON_NAMED_FORK],
  },
  'an abortion of a fork': {
    method: 'DELETE',
    path: at(''),
    forkIn: 'path',
    fork: 'abortable',
    body: () => ({}),
    faults: [...ROUTED, 'capabilityFork', 'size', 'contentType', 'parse', 'module', ...ON_NAMED_FORK, 'forkClosed'],
  },
  'a promotion': {
    path: at('/promote'),
    forkIn: 'path',
    fork: 'promotable',
    body: () => ({}),
    faults: [
      ...ROUTED,
      'capabilityFork',
      'size',
      'contentType',
      'parse',
      'queryString',
      'module',
      ...ON_NAMED_FORK,
      'forkClosed',
    ],
  },
  'what a promotion would change': {
    method: 'GET',
    path: at('/promotion'),
    query: () => ({ layer: 'stored' }),
    forkIn: 'path',
    fork: 'open',
    faults: [...ROUTED, 'capabilityFork', 'limit', 'module', ...PLACE, 'forkAbsent', 'forkClosed', 'cursor'],
  },
  'a derive': {
    path: at('/derive'),
    forkIn: 'path',
    fork: 'spare',
    body: () => ({}),
    faults: [...POSTED, 'module', ...ON_NAMED_FORK, 'forkClosed'],
    ending: 'SVC_RUNTIME_DERIVE_FAILED',
  },
  'what a derive found': {
    method: 'GET',
    path: at('/derived'),
    forkIn: 'path',
    fork: 'spare',
    faults: [...ROUTED, 'module', ...ON_NAMED_FORK],
    ending: 'SVC_RUNTIME_FORK_NOT_DERIVED',
  },
  'the trace of a derive': {
    method: 'GET',
    path: at('/derive/trace'),
    forkIn: 'path',
    fork: 'spare',
    faults: [...ROUTED, 'limit', 'module', ...ON_NAMED_FORK],
    ending: 'SVC_RUNTIME_FORK_NOT_DERIVED',
  },
  'a diff': {
    method: 'GET',
    path: ({ other }) => `/diff/${encoded(other)}`,
    forkIn: 'path',
    fork: 'open',
    subject: { other: 'main' },
    faults: [...ROUTED, 'limit', 'module', ...PLACE, 'forkAbsent', 'otherAbsent', 'cursor'],
  },
};

const MODULES: Readonly<Record<string, Kind>> = {
  'an artifact': {
    method: 'PUT',
    path: at('/module'),
    subject: { artifact: ARTIFACT },
    body: ({ artifact }) => artifact ?? {},
    faults: [...ROUTED, 'capabilityReload', 'size', 'contentType', 'artifact', 'incompatible'],
  },
};

export const KINDS: Readonly<Record<string, Kind>> = { ...CALLS, ...TEXTS, ...READS, ...FORKS, ...MODULES };
