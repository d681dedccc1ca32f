/** How long requests may take to arrive. */

import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createArrivals } from './arrivals.js';

const LIMIT_MS = 120_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function arrivalOf(isStream: boolean) {
  const server = new EventEmitter();
  const late: unknown[] = [];
  server.on('clientError', (error, socket) => late.push(error.code, socket));
  const socket = { bytesRead: 100, destroyed: false };
  const request = { headers: { 'transfer-encoding': 'chunked' }, complete: false, socket };
  const arrivals = createArrivals(() => server as Server, LIMIT_MS);
  arrivals.begin(request as unknown as IncomingMessage, isStream);
  /** A piece a minute. */
  const receive = (pieces: number): void => {
    for (let piece = 0; piece < pieces; piece++) {
      vi.advanceTimersByTime(60_000);
      socket.bytesRead += 1_000;
    }
  };
  return { arrivals, late, receive, request, socket };
}

it('lets a stream take any time while it keeps coming', () => {
  const { late, receive } = arrivalOf(true);
  receive(60);
  expect(late).toEqual([]);
});

it('ends a stream that pauses for longer than the limit', () => {
  const { late, receive, socket } = arrivalOf(true);
  receive(3);
  vi.advanceTimersByTime(2 * LIMIT_MS);
  expect(late).toEqual(['ERR_HTTP_REQUEST_TIMEOUT', socket]);
});

it('ends any other request that is not complete in time, even if it keeps coming', () => {
  const { late, receive, socket } = arrivalOf(false);
  receive(60);
  expect(late).toEqual(['ERR_HTTP_REQUEST_TIMEOUT', socket]);
});

it.each(['complete', 'read', 'closed'] as const)('ends no request that is %s', (how) => {
  const { arrivals, late, request, socket } = arrivalOf(false);
  vi.advanceTimersByTime(LIMIT_MS / 2);
  if (how === 'complete') request.complete = true;
  else if (how === 'closed') socket.destroyed = true;
  else arrivals.end(request as unknown as IncomingMessage);
  vi.advanceTimersByTime(2 * LIMIT_MS);
  expect(late).toEqual([]);
});
