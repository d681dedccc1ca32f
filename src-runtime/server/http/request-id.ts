/** The id that joins an answer to its lines in the log. */

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The client's own id where it is well-formed, otherwise a fresh one. */
export function requestIdOf(message: Pick<IncomingMessage, 'headers'>): string {
  const inbound = message.headers['x-request-id'];
  return typeof inbound === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(inbound) ? inbound : freshRequestId();
}

/** Twelve bytes. */
const ID_CHARACTERS = 16;
/** Drawn and written ahead: to ask the system for a few random bytes takes as long as routing a request. */
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
