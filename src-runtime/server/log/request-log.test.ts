import { describe, expect, it } from 'vitest';
import { BODY_CHARACTERS_MAX, createRequestLog, type EndedRequest, type RequestLog } from './request-log.js';

const ALL = { beforeSeq: Number.POSITIVE_INFINITY, afterSeq: 0 };

interface Given extends Partial<EndedRequest> {
  readonly body?: string | Buffer;
}

function note(log: RequestLog, requestId: string, answer = '{}', { body, ...more }: Given = {}): void {
  const request: EndedRequest = {
    requestId,
    atMs: Date.UTC(2026, 0, 1),
    method: 'GET',
    path: `/v1/${requestId}`,
    status: 200,
    durationMs: 1,
    phases: [],
    code: undefined,
    fork: undefined,
    tenant: undefined,
    subject: undefined,
    client: undefined,
    unfinished: false,
    bytes: Buffer.byteLength(answer),
    moduleHash: '',
    headers: [],
    answerHeaders: [],
    erasures: 0,
    ...more,
  };
  log.note(request, { body, answer });
}

const idsOf = (log: RequestLog, range = ALL) => [...log.list({}, range)].map(({ requestId }) => requestId);

describe('the request log', () => {
  it('keeps the last requests, newest first, and numbers them all', () => {
    const log = createRequestLog({ requestsMax: 2, secrets: [] });
    for (const id of ['a', 'b', 'c']) note(log, id);
    expect(idsOf(log)).toEqual(['c', 'b']);
    expect(log.state).toMatchObject({ lastSeq: 3, requestsMax: 2 });
    expect(log.find('a')).toBeUndefined();
  });

  it('lists a range of numbers', () => {
    const log = createRequestLog({ requestsMax: 9, secrets: [] });
    for (const id of ['a', 'b', 'c', 'd']) note(log, id);
    expect(idsOf(log, { beforeSeq: 4, afterSeq: 1 })).toEqual(['c', 'b']);
  });

  it('finds the newest request with an id', () => {
    const log = createRequestLog({ requestsMax: 9, secrets: [] });
    note(log, 'a', 'first');
    note(log, 'a', 'second');
    expect(log.find('a')?.answer?.text).toBe('second');
  });

  it('drops old requests when large bodies fill it', () => {
    const log = createRequestLog({ requestsMax: 100, bytesMax: 25_000, secrets: [] });
    for (const id of ['a', 'b', 'c']) note(log, id, 'x'.repeat(20_000));
    expect(idsOf(log)).toEqual(['c']);
    note(log, 'd');
    expect(idsOf(log)).toEqual(['d', 'c']);
    log.eraseBodies();
    note(log, 'e', 'x'.repeat(20_000), { erasures: log.erasures });
    expect(idsOf(log), 'what is erased takes no room').toEqual(['e', 'd', 'c']);
  });

  it('keeps the last of each repeated read of the workbench, and all other requests', () => {
    const log = createRequestLog({ requestsMax: 3, secrets: [] });
    const health = { path: '/v1/health', client: 'workbench' };
    note(log, 'a');
    for (const id of ['h1', 'h2', 'h3', 'h4']) note(log, id, '{}', health);
    note(log, 'c1', '{}', { path: '/v1/health', client: 'ci' });
    expect(idsOf(log)).toEqual(['c1', 'h4', 'a']);
    note(log, 'refused', '{}', { ...health, status: 503 });
    note(log, 'h5', '{}', health);
    expect(idsOf(log)).toEqual(['h5', 'refused', 'c1']);
  });

  it('cuts long bodies and says so', () => {
    const log = createRequestLog({ requestsMax: 9, secrets: [] });
    const long = 'é'.repeat(BODY_CHARACTERS_MAX + 1);
    note(log, 'a', long, { body: Buffer.from(long) });
    const found = log.find('a');
    expect(found?.answer).toMatchObject({ bytes: Buffer.byteLength(long), cut: true });
    expect(found?.answer?.text).toHaveLength(BODY_CHARACTERS_MAX);
    expect(found?.body).toMatchObject({ bytes: Buffer.byteLength(long), cut: true });
    expect(found?.body?.text.startsWith('ééé')).toBe(true);
  });

  it('keeps no secret that the cut would split', () => {
    const log = createRequestLog({ requestsMax: 9, secrets: ['hush-hush-hush'] });
    const long = `${'x'.repeat(BODY_CHARACTERS_MAX - 6)} hush-hush-hush and more`;
    note(log, 'a', long, { path: '/v1/x?token=hush-hush-hush', body: Buffer.from(long) });
    expect(JSON.stringify(log.find('a'))).not.toContain('hush');
  });

  it('keeps no secret in an unexpected place', () => {
    const log = createRequestLog({ requestsMax: 9, secrets: ['hush-hush-hush'] });
    const names = {
      fork: 'hush-hush-hush',
      tenant: 'hush-hush-hush',
      subject: 'm::hush-hush-hush',
      client: 'hush-hush-hush',
    };
    note(log, 'a', '{}', { ...names, headers: ['x-tenant-id', 'hush-hush-hush', 'user-agent', 'with hush-hush-hush'] });
    note(log, 'hush-hush-hush');
    const all = [...log.list({}, ALL)];
    expect(all).toHaveLength(2);
    expect(JSON.stringify([all, log.find('a')])).not.toContain('hush');
  });

  it('erases bodies, also of requests that are running', () => {
    const log = createRequestLog({ requestsMax: 9, secrets: [] });
    note(log, 'before');
    log.eraseBodies();
    note(log, 'meanwhile', '{}', { erasures: 0 });
    note(log, 'after', '{}', { erasures: 1 });
    expect(log.find('before')).toMatchObject({ answer: null, erased: true });
    expect(log.find('meanwhile')).toMatchObject({ answer: null, erased: true });
    expect(log.find('after')?.answer?.text).toBe('{}');
  });

  it('keeps nothing if it is off', () => {
    const log = createRequestLog({ requestsMax: 0, secrets: [] });
    note(log, 'a');
    expect([idsOf(log), log.state.lastSeq]).toEqual([[], 0]);
  });
});
