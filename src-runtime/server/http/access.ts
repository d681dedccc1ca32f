/** Who may ask: the checks of host, origin and token that come before anything else. */

import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../../api/errors.js';
import type { Capability } from '../../api/schemas/health-schemas.js';

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether an address to bind reaches this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

export interface Access {
  /** Throws CAPABILITY_DENIED for a foreign host or origin. */
  checkPlace(headers: IncomingHttpHeaders): void;
  /** What the bearer token carries. Throws CAPABILITY_DENIED unless it is one of the server's. */
  checkToken(headers: IncomingHttpHeaders): readonly Capability[];
  /** Throws CAPABILITY_DENIED unless it is among what the token carries. */
  checkCapability(capability: Capability, carried: readonly Capability[]): void;
}

/** A token, and which of the server's capabilities a request with it may use. */
export interface TokenGrant {
  readonly token: string;
  readonly grant: readonly Capability[];
}

/** The first token carries all that the server grants. */
export function createAccess(bound: string, tokens: readonly [TokenGrant, ...TokenGrant[]]): Access {
  const known = tokens.map(({ token, grant }) => ({ isToken: createComparison(token), grant }));
  const [{ grant }] = tokens;
  const isBoundToLoopback = isLoopback(bound);
  /** Most requests name the same one. */
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
      // All are compared, so that the time tells nothing of which.
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
 * A page elsewhere can point its own name at this machine (DNS rebinding) and would then be of one origin with us. Its
 * name gives it away. The port may differ: forwarded ports are a fair way to reach a loopback server.
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

/** Whether a text is the secret one, in a time that tells nothing of what the secret is made of. */
function createComparison(secret: string): (given: string) => boolean {
  const wanted = Buffer.from(secret);
  const compared = Buffer.alloc(wanted.length);
  return (given) => {
    // What is too short leaves bytes of the text before it standing, which its length then refuses.
    compared.write(given);
    const isAlike = timingSafeEqual(compared, wanted);
    return isAlike && Buffer.byteLength(given) === wanted.length;
  };
}
