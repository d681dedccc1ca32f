/** What was asked early is sent once, and answers the first that asks for it. */

import { expect, it } from 'vitest';
import { createEarlyAnswers } from './early-answers.js';

it('answers once with what was asked early, and sends everything else', async () => {
  const sent: string[] = [];
  const answers = createEarlyAnswers(async (input) => {
    sent.push(String(input));
    if (input === '/lost') throw new TypeError('no connection');
    return new Response(`answer ${sent.length}`);
  });
  answers.ask(['/early', '/lost'], {});
  const read = async (path: string, method = 'GET') => (await answers.fetch(path, { method })).text();
  expect(await read('/early', 'POST')).toBe('answer 3');
  expect(await read('/early')).toBe('answer 1');
  expect(await read('/early')).toBe('answer 4');
  await expect(read('/lost')).rejects.toThrow('no connection');
  expect(sent).toEqual(['/early', '/lost', '/early', '/early']);
});

it('sends what is asked about another fork or tenant', async () => {
  const sent: HeadersInit[] = [];
  const answers = createEarlyAnswers(async (_, init) => {
    sent.push(init?.headers ?? {});
    return new Response(`answer ${sent.length}`);
  });
  answers.ask(['/early'], { 'x-fork-id': 'main' });
  const read = async (headers: Record<string, string>) => (await answers.fetch('/early', { headers })).text();
  expect(await read({ 'x-fork-id': 'other' })).toBe('answer 2');
  expect(await read({ 'x-fork-id': 'main', 'x-tenant-id': 'North' })).toBe('answer 3');
  expect(await read({})).toBe('answer 4');
  expect(await read({ 'x-fork-id': 'main', 'x-entail-once': '7' })).toBe('answer 1');
});

it('lets an answer be read by who does not take it, where there is one', async () => {
  const answers = createEarlyAnswers(async (input) => {
    if (input === '/lost') throw new TypeError('no connection');
    return Response.json({ from: input }, { status: input === '/refused' ? 403 : 200 });
  });
  answers.ask(['/early', '/refused', '/lost'], {});
  const seen = ['/early', '/refused', '/lost', '/never'].map((path) => answers.peek(path));
  const taken = answers.fetch('/early');
  expect(await Promise.all(seen)).toEqual([{ from: '/early' }, undefined, undefined, undefined]);
  expect(await (await taken).json()).toEqual({ from: '/early' });
});

it('asks nothing early of a page that has asked by itself', async () => {
  const sent: string[] = [];
  const answers = createEarlyAnswers(async (input) => {
    sent.push(String(input));
    return new Response('');
  });
  await answers.fetch('/early');
  answers.ask(['/early'], {});
  expect(sent).toEqual(['/early']);
});
