/** Request ids, which join a response to its log lines. */

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The client's id if it is well-formed, otherwise a fresh one. */
export function requestIdOf(message: Pick<IncomingMessage, 'headers'>): string {
  const inbound = message.headers['x-request-id'];
  return typeof inbound === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(inbound) ? inbound : freshRequestId();
}

/** Twelve random bytes in base64. */
const ID_CHARACTERS = 16;
/** Random ids in advance, because asking the system for a few bytes takes as long as routing a request. */
let ahead = '';
let taken = 0;

export function freshRequestId(): string {
  if (taken === ahead.length) {
    ahead = randomBytes(256 * 12)
      .toString('base64url')
      .replace(/_/g, '.');
    taken = 0;
  }
  taken += ID_CHARACTERS;
  return ahead.slice(taken - ID_CHARACTERS, taken);
}
