/** Parses the head of a request that Node rejects because it does not know the method. */

import { type IncomingHttpHeaders, METHODS } from 'node:http';
import { bareRecord } from '../../base/bare-record.js';

export interface RequestHead {
  readonly method: string;
  readonly url: string;
  readonly httpVersion: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as in Node. */
  readonly rawHeaders: readonly string[];
}

/**
 * Undefined unless the bytes start with a complete head whose method is unknown to Node. An unknown method later in the bytes may be
 * part of a body.
 */
export function unknownMethodHead(bytes: Buffer): RequestHead | undefined {
  const [, method = '', url = '', httpVersion = '', lines = ''] = HEAD.exec(bytes.toString('latin1')) ?? [];
  if (method === '' || METHODS.includes(method)) return undefined;
  const headers = bareRecord<string>();
  const rawHeaders: string[] = [];
  for (const line of lines.split('\r\n').slice(0, -1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    rawHeaders.push(name, value);
    headers[name.toLowerCase()] ??= value;
  }
  return { method, url, httpVersion, headers, rawHeaders };
}

/** Characters of methods and header names (RFC 9110, 5.6.2). */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const HEAD = new RegExp(`^(${TOKEN}) ([!-~]+) HTTP/(1\\.[01])\\r\\n((?:${TOKEN}:[^\\r\\n\\0]*\\r\\n)*)\\r\\n`);
