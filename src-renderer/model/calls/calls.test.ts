/** Calls as data: the kind of an ad-hoc text, saving, searching, and the curl command. */

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { collectionFileSchema } from '../../../src-runtime/api/schemas/collection-schemas.js';
import { type HistoryEntry, keepable, searchHistory } from '../../server-state/call-history.js';
import { momentText } from '../text/time-text.js';
import {
  adhocKind,
  type CallRequest,
  callOfSaved,
  callTitle,
  declaredText,
  isSameCall,
  isWrite,
  type SentCall,
  savedCall,
} from './calls.js';
import { curlOf } from './curl.js';

const SIGN: CallRequest = { kind: 'mutation', path: 'lease::sign', args: { code: "L'1", rent: '900' } };
const call = (request: CallRequest, more: Partial<SentCall> = {}): SentCall => ({
  request,
  context: {},
  fork: 'main',
  dryRun: false,
  ...more,
});

describe('ad-hoc text', () => {
  it.each([
    ['query q() -> Int { value 1 }', 'query'],
    ['  // query\n/* derive */ pub derive d(x: T) when T(x)', 'derive'],
    ['/// doc\nmutation m() { }', 'mutation'],
    ['querying', undefined],
    ['', undefined],
  ])('%j has the kind %s', (source, kind) => expect(adhocKind(source)).toBe(kind));

  it('becomes public if it declares a query', () => {
    expect(declaredText('// all\nquery q() -> Int { value 1 }')).toBe('// all\npub query q() -> Int { value 1 }');
    expect(declaredText('derive d(x: T) when T(x)')).toBe('derive d(x: T) when T(x)');
    expect(declaredText('pub mutation m() { }')).toBe('pub mutation m() { }');
  });
});

describe('a call', () => {
  it('is unchanged after it was saved to a collection and read again', () => {
    const calls = [
      call(SIGN, { context: { tenantId: 'a' }, fork: 'what-if' }),
      call({ kind: 'adhoc', source: 'query q() -> Int { value 1 }', args: {} }),
      call({ kind: 'batch', steps: [{ query: 'lease::q', args: { x: { $step: 0 } } }] }),
    ];
    const file = { format: 'entail-calls', formatVersion: 1, calls: calls.map((each) => savedCall('x', each)) };
    expect(collectionFileSchema.parse(file).calls.map(callOfSaved)).toEqual(calls);
  });

  it('equals its saved call, whatever the argument order and the note', () => {
    const kept = savedCall('x', call(SIGN, { context: { tenantId: 'a' } }), ' first of all ');
    expect(kept.note).toBe('first of all');
    const reordered = { ...SIGN, args: { rent: '900', code: "L'1" } };
    expect(isSameCall(call(reordered, { context: { tenantId: 'a' } }), kept)).toBe(true);
    expect(isSameCall(call(reordered), kept)).toBe(false);
    expect(
      isSameCall(
        call({ ...reordered, args: { ...reordered.args, rent: '901' } }, { context: { tenantId: 'a' } }),
        kept,
      ),
    ).toBe(false);
  });

  it('equals its saved call if it omits the module, but not if it names another', () => {
    const text = { kind: 'adhoc', source: 'query q() -> Int { value 1 }', args: {} } as const;
    const kept = savedCall('x', call({ ...text, module: 'lease' }));
    expect(isSameCall(call(text), kept)).toBe(true);
    expect(isSameCall(call({ ...text, module: 'lease' }), kept)).toBe(true);
    expect(isSameCall(call({ ...text, module: 'other' }), kept)).toBe(false);
    expect(isSameCall(call({ ...text, module: 'lease' }), savedCall('x', call(text)))).toBe(false);
  });

  it('is a write if it can change facts', () => {
    expect(isWrite(SIGN)).toBe(true);
    expect(isWrite({ kind: 'batch', steps: [{ query: 'q' }] })).toBe(false);
    expect(isWrite({ kind: 'adhoc', source: 'mutation m() {}', args: {} })).toBe(true);
    expect(callTitle({ kind: 'batch', steps: [{ query: 'lease::a' }, { mutation: 'lease::b' }] })).toBe(
      'batch of 2: a, b',
    );
  });

  it('has a curl command with the same request, without the token', () => {
    const text = curlOf(
      call(SIGN, { context: { tenantId: 'a $b', note: '' }, fork: 'what if', dryRun: true }),
      'http://h:1',
    );
    const script = `ENTAIL_TOKEN=secret; curl() { printf '%s\\n' "$@"; }\n${text}`;
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n')).toEqual([
      '-sS',
      '-X',
      'POST',
      'http://h:1/v1/dispatch/mutation?dryRun=true',
      '-H',
      'authorization: Bearer secret',
      '-H',
      'content-type: application/json',
      '-H',
      'x-fork-id: what if',
      '-H',
      'x-tenant-id: a $b',
      '--data-binary',
      JSON.stringify({ path: 'lease::sign', args: SIGN.args }),
    ]);
    expect(text).not.toContain('secret');
    expect(curlOf(call(SIGN), undefined)).toContain('"$ENTAIL_URL/v1/dispatch/mutation"');
  });
});

describe('the call history', () => {
  const entry = (id: number, request: CallRequest, outcome: HistoryEntry['outcome']): HistoryEntry => ({
    ...call(request),
    id,
    at: id,
    durationMs: 1,
    requestId: `r${id}`,
    outcome,
  });
  const entries = [
    entry(2, SIGN, { ok: false, code: 'SVC_RUNTIME_CHECK_VIOLATION', message: 'three leases are allowed' }),
    entry(1, { kind: 'query', path: 'lease::activeLeases', args: {} }, { ok: true, summary: '3 rows' }),
  ];

  it.each([
    ['', [2, 1]],
    ['sign 900', [2]],
    ['violation', [2]],
    ['failed', [2]],
    ['3 rows active', [1]],
    [momentText(1), [2, 1]],
    ['nothing', []],
  ])('finds calls by words: %j', (filter, ids) => {
    expect(searchHistory(entries, filter).map(({ id }) => id)).toEqual(ids);
  });

  it('drops large results, and the arguments of large requests', () => {
    const { id: _, ...small } = entry(3, SIGN, { ok: true, summary: '' });
    expect(keepable({ ...small, result: { $id: '#i1' } })).toHaveProperty('result');
    expect(keepable({ ...small, result: 'x'.repeat(5_000) })).not.toHaveProperty('result');
    const large: CallRequest = { ...SIGN, args: { text: 'x'.repeat(300_000) } };
    expect(keepable({ ...small, request: large }).request).toEqual({ ...SIGN, args: {} });
  });
});
