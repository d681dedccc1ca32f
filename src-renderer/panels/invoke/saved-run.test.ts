import { describe, expect, it } from 'vitest';
import type { SavedCall } from '../../../src-runtime/api/schemas/collection-schemas.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { callsAgain, changedFacts, numbered, type RunPorts, runInOrder, sentCallOf } from './saved-run.js';

const sign: SavedCall = { name: 'sign', mutation: 'l::sign', sets: { lease: 'result.$id' } };
const end: SavedCall = { name: 'end', mutation: 'l::end', args: { lease: '{{lease}}' } };
const count: SavedCall = { name: 'count', query: 'l::count' };
const lease = { $id: '#i7', $meta: { type: 'l::Lease', classes: [] } };

/** The calls sent, with the variables known then. `answers` is keyed by name; a call without one fails. */
async function run(calls: readonly SavedCall[], answers: Record<string, JsonValue>, wanted: Partial<RunPorts> = {}) {
  const sent: [string, object][] = [];
  await runInOrder(numbered(calls), new Set(calls.keys()), {
    stopsAtFailure: false,
    isCancelled: () => false,
    earlier: () => undefined,
    send: async ({ call }, variables) => {
      sent.push([call.name, variables]);
      const result = answers[call.name];
      return result === undefined ? undefined : { result };
    },
    ...wanted,
  });
  return sent;
}

describe('a run of a whole file', () => {
  it('sends one call after the other, and hands on what a call sets', async () => {
    expect(await run([count, sign, end], { count: 1, sign: lease, end: null })).toEqual([
      ['count', {}],
      ['sign', {}],
      ['end', { lease: '#i7' }],
    ]);
  });

  it('hands on nothing of a call that failed, or that has not what it should set', async () => {
    expect(await run([sign, sign, end], { sign: 'none', end: null })).toEqual([
      ['sign', {}],
      ['sign', {}],
      ['end', {}],
    ]);
  });

  it('goes on behind a failure, or stops at the first; cancelled, it begins no further call', async () => {
    const names = (sent: [string, object][]) => sent.map(([name]) => name);
    const answers = { sign: lease, end: null };
    expect(names(await run([sign, count, end], answers))).toEqual(['sign', 'count', 'end']);
    expect(names(await run([sign, count, end], answers, { stopsAtFailure: true }))).toEqual(['sign', 'count']);
    let asked = 0;
    expect(names(await run([sign, count, end], answers, { isCancelled: () => ++asked > 2 }))).toEqual([
      'sign',
      'count',
    ]);
  });

  it('hands on what a call gave before that is not sent again', async () => {
    const sent: [string, object][] = [];
    await runInOrder(numbered([sign, end]), new Set([1]), {
      stopsAtFailure: true,
      isCancelled: () => false,
      earlier: (index) => (index === 0 ? { result: lease } : undefined),
      send: async ({ call }, variables) => void sent.push([call.name, variables]),
    });
    expect(sent).toEqual([['end', { lease: '#i7' }]]);
  });

  it('runs again those that failed; on a fork of its own behind the writes that they came after', () => {
    const states = ['answered', 'answered', 'failed', undefined, 'answered'] as const;
    const calls = numbered([sign, count, end, count, end]);
    const again = (isOnFork: boolean) => [...callsAgain(calls, (index) => states[index], isOnFork)];
    expect(again(false)).toEqual([2]);
    expect(again(true)).toEqual([0, 2]);
  });
});

describe('a saved call as it is sent in a run', () => {
  const place = { context: { tenantId: '{{tenant}}', principal: 'ada' }, fork: 'what if' };
  const scope = (variables: Record<string, string>) => ({ environment: 'local', variables });
  const parametersOf = () => [{ name: 'lease', type: { kind: 'scalar', name: 'Int' } as const }];

  it('has the values of variables in it, its own context before that of the page, and the fork of the run', () => {
    const saved = { ...end, context: { principal: 'ben' }, fork: 'old' };
    expect(sentCallOf(saved, place, scope({ lease: '7', tenant: 't1' }), parametersOf)).toEqual({
      call: {
        request: { kind: 'mutation', path: 'l::end', args: { lease: 7 } },
        context: { tenantId: 't1', principal: 'ben' },
        fork: 'what if',
        dryRun: false,
        typed: {
          request: { kind: 'mutation', path: 'l::end', args: { lease: '{{lease}}' } },
          context: { tenantId: '{{tenant}}', principal: 'ben' },
        },
      },
      problem: undefined,
    });
  });

  it('is not sent where a variable is not known, in a step of a batch or in the context either', () => {
    const problem = (saved: SavedCall, variables: Record<string, string>) =>
      sentCallOf(saved, place, scope(variables), parametersOf).problem;
    expect(problem(end, { tenant: 't1' })).toContain('no variable lease');
    expect(problem(end, { lease: '7' })).toContain('no variable tenant');
    const batch: SavedCall = { name: 'both', steps: [{ mutation: 'l::end', args: { lease: '{{lease}}' } }] };
    expect(problem(batch, { tenant: 't1' })).toContain('no variable lease');
    expect(problem(batch, { lease: '7', tenant: 't1' })).toBeUndefined();
  });
});

it('the facts that a call changed are counted, derived ones and those of all steps too', () => {
  const effects = (added: number, removed: number) => ({
    relations: [
      { relation: 'l::a', kind: 'stored' as const, added, removed },
      { relation: 'l::b', kind: 'derived' as const, added: 1, removed: 0 },
    ],
    facts: [],
    firings: [],
    unknown: [],
    cut: false,
  });
  expect(changedFacts({ effects: effects(2, 1) }, undefined)).toEqual({ added: 3, removed: 1 });
  expect(changedFacts(undefined, [{ effects: effects(1, 0) }, {}, { effects: effects(0, 4) }])).toEqual({
    added: 3,
    removed: 4,
  });
  expect(changedFacts(undefined, undefined)).toBeUndefined();
  expect(changedFacts(undefined, [{}])).toBeUndefined();
});
