/** Access: checks host, origin and token before anything else. */

import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../../api/errors.js';
import type { Capability } from '../../api/schemas/health-schemas.js';

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a bind address is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

export interface Access {
  /** Throws CAPABILITY_DENIED for a foreign host or origin. */
  checkPlace(headers: IncomingHttpHeaders): void;
  /** The capabilities of the bearer token. Throws CAPABILITY_DENIED unless it is one of the server's. */
  checkToken(headers: IncomingHttpHeaders): readonly Capability[];
  /** Throws CAPABILITY_DENIED unless the token carries the capability. */
  checkCapability(capability: Capability, carried: readonly Capability[]): void;
}

/** A token and the capabilities of the server that its requests may use. */
export interface TokenGrant {
  readonly token: string;
  readonly grant: readonly Capability[];
}

/** The first token carries all that the server grants. */
export function createAccess(bound: string, tokens: readonly [TokenGrant, ...TokenGrant[]]): Access {
  const known = tokens.map(({ token, grant }) => ({ isToken: createComparison(token), grant }));
  const [{ grant }] = tokens;
  const isBoundToLoopback = isLoopback(bound);
  /** Most requests have the same host. */
  let lastHost: string | undefined;
  return {
    checkPlace({ host, origin }) {
      if (isBoundToLoopback && host !== lastHost) {
        checkHost(host, bound);
        lastHost = host;
      }
      if (origin !== undefined) checkOrigin(origin, host);
    },
    checkToken({ authorization = '' }) {
      const given = bearerOf(authorization);
      let found: (typeof known)[number] | undefined;
      // Compares all tokens, so that the time does not reveal which one matched.
      if (given !== undefined) for (const each of known) if (each.isToken(given)) found ??= each;
      if (found !== undefined) return found.grant;
      throw denied(
        given === undefined
          ? 'The request carries no token; send "Authorization: Bearer <token>" with the token that the server printed when it started.'
          : 'The token is not this server’s; use the one that the server printed when it last started.',
        { reason: 'token' },
      );
    },
    checkCapability(capability, carried) {
      if (carried.includes(capability)) return;
      const message = grant.includes(capability)
        ? `The token of this request does not carry the capability "${capability}"; send one that does.`
        : `This server does not grant the capability "${capability}"; start it with --grant ${[...grant, capability].join(',')}.`;
      throw denied(message, { reason: 'capability', capability });
    },
  };
}

/**
 * Refuses DNS rebinding: a foreign page can point its own host name at this machine and share our origin, but its host name gives
 * it away. The port may differ, because a loopback server may be reached through a forwarded port.
 */
function checkHost(host: string | undefined, bound: string): void {
  const name = (host ?? '').replace(/:\d*$/, '').toLowerCase();
  if (host === undefined || LOOPBACK_HOSTS.has(name) || name === bound) return;
  throw denied('The Host header names another machine; address the server as 127.0.0.1 or localhost.', {
    reason: 'host',
  });
}

function checkOrigin(origin: string, host: string | undefined): void {
  const own = (host ?? '').toLowerCase();
  const given = origin.toLowerCase();
  if (given === `http://${own}` || given === `https://${own}`) return;
  throw denied('The request comes from a page of another origin; only the server’s own page may call it.', {
    reason: 'origin',
  });
}

/** The token of an `Authorization: Bearer TOKEN`. */
function bearerOf(authorization: string): string | undefined {
  if (authorization.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined;
  const token = authorization.slice(SCHEME.length).trim();
  return token === '' || token.includes(' ') ? undefined : token;
}

const SCHEME = 'bearer ';

function denied(message: string, details: Record<string, unknown>): ApiError {
  return new ApiError('SVC_RUNTIME_CAPABILITY_DENIED', message, details);
}

/** Compares with the secret in constant time. */
function createComparison(secret: string): (given: string) => boolean {
  const wanted = Buffer.from(secret);
  const compared = Buffer.alloc(wanted.length);
  return (given) => {
    // A shorter text leaves bytes of the previous one in the buffer. The length check below refuses it.
    compared.write(given);
    const isAlike = timingSafeEqual(compared, wanted);
    return isAlike && Buffer.byteLength(given) === wanted.length;
  };
}
