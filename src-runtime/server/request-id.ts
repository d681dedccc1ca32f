/** The id that joins an answer to its lines in the log. */

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The client's own id where it is well-formed, otherwise a fresh one. */
export function requestIdOf(message: Pick<IncomingMessage, 'headers'>): string {
  const inbound = message.headers['x-request-id'];
  return typeof inbound === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(inbound) ? inbound : freshRequestId();
}

export function freshRequestId(): string {
  return randomBytes(12).toString('base64url').replace(/_/g, '.');
}
