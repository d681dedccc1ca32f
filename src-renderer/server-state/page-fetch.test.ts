/** Prefetched requests, and requests that are not sent after a refusal. */

import { describe, expect, it } from 'vitest';
import { createPrefetch, untilRefused } from './page-fetch.js';

describe('prefetching', () => {
  it('uses the prefetched response once, and sends all other requests', async () => {
    const sent: string[] = [];
    const prefetch = createPrefetch(async (input) => {
      sent.push(String(input));
      if (input === '/lost') throw new TypeError('no connection');
      return new Response(`response ${sent.length}`);
    });
    prefetch.start(['/early', '/lost'], {});
    const read = async (path: string, method = 'GET') => (await prefetch.fetch(path, { method })).text();
    expect(await read('/early', 'POST')).toBe('response 3');
    expect(await read('/early')).toBe('response 1');
    expect(await read('/early')).toBe('response 4');
    await expect(read('/lost')).rejects.toThrow('no connection');
    expect(sent).toEqual(['/early', '/lost', '/early', '/early']);
  });

  it('sends a request about another fork or tenant', async () => {
    const sent: HeadersInit[] = [];
    const prefetch = createPrefetch(async (_, init) => {
      sent.push(init?.headers ?? {});
      return new Response(`response ${sent.length}`);
    });
    prefetch.start(['/early'], { 'x-fork-id': 'main' });
    const read = async (headers: Record<string, string>) => (await prefetch.fetch('/early', { headers })).text();
    expect(await read({ 'x-fork-id': 'other' })).toBe('response 2');
    expect(await read({ 'x-fork-id': 'main', 'x-tenant-id': 'North' })).toBe('response 3');
    expect(await read({})).toBe('response 4');
    expect(await read({ 'x-fork-id': 'main', 'x-entail-once': '7' })).toBe('response 1');
  });

  it('returns the body of a successful response without consuming it', async () => {
    const prefetch = createPrefetch(async (input) => {
      if (input === '/lost') throw new TypeError('no connection');
      return Response.json({ from: input }, { status: input === '/refused' ? 403 : 200 });
    });
    prefetch.start(['/early', '/refused', '/lost'], {});
    const seen = ['/early', '/refused', '/lost', '/never'].map((path) => prefetch.peek(path));
    const taken = prefetch.fetch('/early');
    expect(await Promise.all(seen)).toEqual([{ from: '/early' }, undefined, undefined, undefined]);
    expect(await (await taken).json()).toEqual({ from: '/early' });
  });

  it('sends nothing after the page has sent its first request', async () => {
    const sent: string[] = [];
    const prefetch = createPrefetch(async (input) => {
      sent.push(String(input));
      return new Response('');
    });
    await prefetch.fetch('/early');
    prefetch.start(['/early'], {});
    expect(sent).toEqual(['/early']);
  });
});

describe('untilRefused', () => {
  it.each([
    ['stops sending after the token was refused', 'token', 1],
    ['continues after any other refusal', 'capability', 3],
  ])('%s', async (_title, reason, requests) => {
    let count = 0;
    const send = untilRefused(async () => {
      count += 1;
      return Response.json({ error: { details: { reason } } }, { status: 403 });
    });
    for (const path of ['/v1/health', '/v1/module', '/v1/events']) {
      const response = await send(path);
      expect(response.status).toBe(403);
      expect(await response.json()).toEqual({ error: { details: { reason } } });
    }
    expect(count).toBe(requests);
  });
});
