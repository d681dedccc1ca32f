import { describe, expect, it } from 'vitest';
import type { SavedCall } from '../../../src-runtime/api/schemas/collection-schemas.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { callsToRepeat, changedFacts, numbered, type RunPorts, runInOrder, sentCallOf } from './run-logic.js';

const sign: SavedCall = { name: 'sign', mutation: 'l::sign', sets: { lease: 'result.$id' } };
const end: SavedCall = { name: 'end', mutation: 'l::end', args: { lease: '{{lease}}' } };
const count: SavedCall = { name: 'count', query: 'l::count' };
const lease = { $id: '#i7', $meta: { type: 'l::Lease', classes: [] } };

/** The calls sent, with the variables known then. `results` is keyed by name; a call without one fails. */
async function run(calls: readonly SavedCall[], results: Record<string, JsonValue>, ports: Partial<RunPorts> = {}) {
  const sent: [string, object][] = [];
  await runInOrder(numbered(calls), new Set(calls.keys()), {
    stopsAtFailure: false,
    isCancelled: () => false,
    earlier: () => undefined,
    send: async ({ call }, variables) => {
      sent.push([call.name, variables]);
      const result = results[call.name];
      return result === undefined ? undefined : { result };
    },
    ...ports,
  });
  return sent;
}

describe('a run of saved calls', () => {
  it('sends calls in order, and passes on the variables that they set', async () => {
    expect(await run([count, sign, end], { count: 1, sign: lease, end: null })).toEqual([
      ['count', {}],
      ['sign', {}],
      ['end', { lease: '#i7' }],
    ]);
  });

  it('sets no variable from a failed call or a missing path', async () => {
    expect(await run([sign, sign, end], { sign: 'none', end: null })).toEqual([
      ['sign', {}],
      ['sign', {}],
      ['end', {}],
    ]);
  });

  it('continues after a failure or stops at the first, and sends nothing once cancelled', async () => {
    const names = (sent: [string, object][]) => sent.map(([name]) => name);
    const results = { sign: lease, end: null };
    expect(names(await run([sign, count, end], results))).toEqual(['sign', 'count', 'end']);
    expect(names(await run([sign, count, end], results, { stopsAtFailure: true }))).toEqual(['sign', 'count']);
    let checks = 0;
    expect(names(await run([sign, count, end], results, { isCancelled: () => ++checks > 2 }))).toEqual([
      'sign',
      'count',
    ]);
  });

  it('passes on the earlier result of a call that is not repeated', async () => {
    const sent: [string, object][] = [];
    await runInOrder(numbered([sign, end]), new Set([1]), {
      stopsAtFailure: true,
      isCancelled: () => false,
      earlier: (index) => (index === 0 ? { result: lease } : undefined),
      send: async ({ call }, variables) => void sent.push([call.name, variables]),
    });
    expect(sent).toEqual([['end', { lease: '#i7' }]]);
  });

  it('repeats failed calls, on a temporary fork after the writes before them', () => {
    const states = ['answered', 'answered', 'failed', undefined, 'answered'] as const;
    const calls = numbered([sign, count, end, count, end]);
    const again = (isOnFork: boolean) => [...callsToRepeat(calls, (index) => states[index], isOnFork)];
    expect(again(false)).toEqual([2]);
    expect(again(true)).toEqual([0, 2]);
  });
});

describe('a call of a run', () => {
  const place = { context: { tenantId: '{{tenant}}', principal: 'ada' }, fork: 'what if' };
  const scope = (variables: Record<string, string>) => ({ environment: 'local', variables });
  const parametersOf = () => [{ name: 'lease', type: { kind: 'scalar', name: 'Int' } as const }];

  it("has the values of its variables, its saved context over the page's, and the fork of the run", () => {
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

  it('is not sent with an unknown variable, also in a batch step or the context', () => {
    const problem = (saved: SavedCall, variables: Record<string, string>) =>
      sentCallOf(saved, place, scope(variables), parametersOf).problem;
    expect(problem(end, { tenant: 't1' })).toContain('no variable lease');
    expect(problem(end, { lease: '7' })).toContain('no variable tenant');
    const batch: SavedCall = { name: 'both', steps: [{ mutation: 'l::end', args: { lease: '{{lease}}' } }] };
    expect(problem(batch, { tenant: 't1' })).toContain('no variable lease');
    expect(problem(batch, { lease: '7', tenant: 't1' })).toBeUndefined();
  });
});

it('counts changed facts, derived ones and those of all batch steps included', () => {
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
