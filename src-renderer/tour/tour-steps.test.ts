import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ApiFailure } from '../model/facts/failure.js';
import type { CallOutcome } from '../server-state/run-call.js';
import { GOALS, locationInSource, type Observed, type Places, trialParty } from './tour-steps.js';

const NOTHING: Observed = {
  hasError: false,
  isSaved: false,
  calls: [],
  pathname: '/module',
  search: new URLSearchParams(),
  fork: 'main',
  isForkClosed: false,
};
const met = (observed: Partial<Observed>) =>
  GOALS.filter(({ isMet }) => isMet({ ...NOTHING, ...observed })).map(({ id }) => id);

const call = (path: string, args: Record<string, string>, dryRun = false) => ({
  call: { request: { kind: 'query', path, args } as const, context: {}, fork: 'main', dryRun },
  ...{ durationMs: 1, at: 1 },
});
const answered = (...of: Parameters<typeof call>): CallOutcome => ({
  ...call(...of),
  state: 'answered',
  answer: {
    ...{ result: null, requestId: 'r', moduleHash: '', envelope: {} },
    ...{ nextCursor: undefined, written: undefined, steps: undefined },
  },
});

it('meets no goal before anything happens', () => {
  expect(met({})).toEqual([]);
  expect(met({ pathname: '/explain', search: new URLSearchParams('relation=lease::liable') })).toEqual([]);
});

it('detects an error in the text, and a save', () => {
  expect(met({ hasError: true })).toEqual(['misspell']);
  expect(met({ isSaved: true })).toEqual(['save']);
});

it('detects a query, and the query with the requested argument', () => {
  expect(met({ calls: [answered('lease::activeLeases', { minRent: '0' })] })).toEqual(['query']);
  expect(met({ calls: [answered('lease::activeLeases', { minRent: '1000' })] })).toEqual(['query', 'argument']);
});

it('detects a dry run, and a call that a check blocks', () => {
  const error = new ApiFailure(409, {
    error: { code: 'SVC_RUNTIME_CHECK_VIOLATION', message: '', details: {} },
    requestId: 'r',
    moduleHash: '',
  });
  expect(met({ calls: [answered('lease::sign', {}, true)] })).toEqual(['dry-run']);
  expect(met({ calls: [answered('lease::sign', {})] })).toEqual([]);
  expect(met({ calls: [{ ...call('lease::sign', {}), state: 'failed', error }] })).toEqual(['blocked']);
});

it('detects a proof, and a trial on a fork', () => {
  const search = (tuple: string) => new URLSearchParams({ relation: 'lease::liable', tuple });
  expect(met({ pathname: '/explain', search: search('["@lease::northgate"]') })).toEqual(['proof']);
  expect(met({ pathname: '/explain', search: search('["@lease::acme"]') })).toEqual([]);
  expect(met({ pathname: '/explain', search: search('["@lease::chidi"]') })).toEqual([]);
  expect(met({ pathname: '/explain', search: search('["@lease::chidi"]'), fork: 'try' })).toEqual(['trial']);
});

it('detects a comparison', () => {
  expect(met({ pathname: '/forks', search: new URLSearchParams('show=try') })).toEqual(['compare']);
  expect(met({ pathname: '/forks', search: new URLSearchParams('show=try&view=history') })).toEqual([]);
});

it('needs no comparison of a fork that was closed elsewhere', () => {
  expect(met({ isForkClosed: true })).toEqual(['compare', 'close']);
});

it('asks about another party once a promoted trial made the first one liable', () => {
  const promoted = { tuple: ['@lease::chidi', '@lease::quay5Lease'] };
  expect(trialParty([{ tuple: ['@lease::chidi', '@lease::elm12Lease'] }])).toMatchObject({ name: 'Chidi Okafor' });
  expect(trialParty([promoted])).toMatchObject({ name: 'Dana Petrova' });
  const search = new URLSearchParams({ relation: 'lease::liable', tuple: '["@lease::dana"]' });
  expect(met({ pathname: '/explain', search, fork: 'try' })).toEqual(['trial']);
});

it('links goals to declarations of the sample', () => {
  const text = readFileSync(join(import.meta.dirname, '../../resources/modules/lease.entail'), 'utf8');
  const inSource = (part: string) => locationInSource([{ file: 'lease.entail', text }], part);
  const places: Places = { inSource, fork: 'try', trial: '@lease::chidi' };
  const [first, second] = GOALS.map(({ place }) => place(places));
  for (const place of [first, second]) expect(place).toMatch(/^\/module\?file=lease\.entail&line=\d+&column=\d+$/);
  expect(inSource('no such text')).toBe('/module');
});

it('links the trial to the fact that it needs, and the proof to its relation, which does not meet the goal', () => {
  const observedAt = (id: string) => {
    const place =
      GOALS.find((goal) => goal.id === id)?.place({ inSource: () => '', fork: undefined, trial: '@lease::chidi' }) ??
      '';
    const { pathname, searchParams: search } = new URL(place, 'http://localhost');
    return met({ pathname, search, fork: 'try' });
  };
  expect(observedAt('trial')).toEqual(['trial']);
  expect(observedAt('proof')).toEqual([]);
});
