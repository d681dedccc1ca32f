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

describe('an ad-hoc text', () => {
  it.each([
    ['query q() -> Int { value 1 }', 'query'],
    ['  // query\n/* derive */ pub derive d(x: T) when T(x)', 'derive'],
    ['/// doc\nmutation m() { }', 'mutation'],
    ['querying', undefined],
    ['', undefined],
  ])('%j is a %s', (source, kind) => expect(adhocKind(source)).toBe(kind));

  it('is public where the module would have it to be called', () => {
    expect(declaredText('// all\nquery q() -> Int { value 1 }')).toBe('// all\npub query q() -> Int { value 1 }');
    expect(declaredText('derive d(x: T) when T(x)')).toBe('derive d(x: T) when T(x)');
    expect(declaredText('pub mutation m() { }')).toBe('pub mutation m() { }');
  });
});

describe('a call', () => {
  it('comes back from a collection as it was sent', () => {
    const calls = [
      call(SIGN, { context: { tenantId: 'a' }, fork: 'what-if' }),
      call({ kind: 'adhoc', source: 'query q() -> Int { value 1 }', args: {} }),
      call({ kind: 'batch', steps: [{ query: 'lease::q', args: { x: { $step: 0 } } }] }),
    ];
    const file = { format: 'entail-calls', formatVersion: 1, calls: calls.map((each) => savedCall('x', each)) };
    expect(collectionFileSchema.parse(file).calls.map(callOfSaved)).toEqual(calls);
  });

  it('is as it is kept, whatever the order of its arguments and whether there is a note', () => {
    const kept = savedCall('x', call(SIGN, { context: { tenantId: 'a' } }), ' first of all ');
    expect(kept.note).toBe('first of all');
    const turned = { ...SIGN, args: { rent: '900', code: "L'1" } };
    expect(isSameCall(call(turned, { context: { tenantId: 'a' } }), kept)).toBe(true);
    expect(isSameCall(call(turned), kept)).toBe(false);
    expect(
      isSameCall(call({ ...turned, args: { ...turned.args, rent: '901' } }, { context: { tenantId: 'a' } }), kept),
    ).toBe(false);
  });

  it('is as it is kept where the only module is not named any more, and no other is', () => {
    const text = { kind: 'adhoc', source: 'query q() -> Int { value 1 }', args: {} } as const;
    const kept = savedCall('x', call({ ...text, module: 'lease' }));
    expect(isSameCall(call(text), kept)).toBe(true);
    expect(isSameCall(call({ ...text, module: 'lease' }), kept)).toBe(true);
    expect(isSameCall(call({ ...text, module: 'other' }), kept)).toBe(false);
    expect(isSameCall(call({ ...text, module: 'lease' }), savedCall('x', call(text)))).toBe(false);
  });

  it('is known as a write where it can change facts', () => {
    expect(isWrite(SIGN)).toBe(true);
    expect(isWrite({ kind: 'batch', steps: [{ query: 'q' }] })).toBe(false);
    expect(isWrite({ kind: 'adhoc', source: 'mutation m() {}', args: {} })).toBe(true);
    expect(callTitle({ kind: 'batch', steps: [{ query: 'lease::a' }, { mutation: 'lease::b' }] })).toBe(
      'batch of 2: a, b',
    );
  });

  it('is a curl command that a shell takes apart into what was sent, without the token', () => {
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

describe('the history', () => {
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
  ])('is searched by words: %j', (filter, ids) => {
    expect(searchHistory(entries, filter).map(({ id }) => id)).toEqual(ids);
  });

  it('keeps small results and whole requests, and of large ones what they were', () => {
    const { id: _, ...small } = entry(3, SIGN, { ok: true, summary: '' });
    expect(keepable({ ...small, result: { $id: '#i1' } })).toHaveProperty('result');
    expect(keepable({ ...small, result: 'x'.repeat(5_000) })).not.toHaveProperty('result');
    const large: CallRequest = { ...SIGN, args: { text: 'x'.repeat(300_000) } };
    expect(keepable({ ...small, request: large }).request).toEqual({ ...SIGN, args: {} });
  });
});
