/** One HTTP connection of a client at a time, kept alive. It never repeats a request: a lost response is the caller's matter. */

import { Agent, request } from 'node:http';
import type { Json } from '../../src-runtime/artifact/types.js';
import { TOKEN } from './servers.js';

/** Longer than the time limit of the servers, plus a pause. */
const LOST_MS = 8_000;

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json | undefined;
}

export interface Received {
  readonly status: number;
  readonly version: number | undefined;
  readonly body: Body;
}

export interface Body {
  readonly result?: Json;
  readonly txn?: number | null;
  readonly events?: readonly { readonly seq: number }[];
  readonly moduleHash?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/** The request did not leave this machine: no server listens. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/** There is no whole response. */
export class Lost extends Error {
  override readonly name = 'Lost';
}

export interface Connection {
  send(port: number, sent: Sent): Promise<Received>;
  close(): void;
}

export function openConnection(): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    send: async (port, { method, path, headers, body }) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const {
        status,
        text: received,
        version,
      } = await new Promise<{ status: number; text: string; version: unknown }>((resolve, reject) => {
        const sending = request(
          {
            agent,
            host: '127.0.0.1',
            port,
            method,
            path,
            headers: {
              authorization: `Bearer ${TOKEN}`,
              ...(text !== undefined && { 'content-type': 'application/json' }),
              ...headers,
            },
            timeout: LOST_MS,
          },
          (response) => {
            let all = '';
            response.setEncoding('utf8');
            response.on('data', (chunk) => {
              all += chunk;
            });
            response.on('end', () => {
              if (response.complete) {
                const { statusCode = 0, headers: answered } = response;
                resolve({ status: statusCode, text: all, version: answered['x-scope-version'] });
              } else reject(new Lost('the response is incomplete'));
            });
            response.on('error', (error) => reject(new Lost(error.message)));
          },
        );
        sending.on('timeout', () => sending.destroy(new Lost(`no response within ${LOST_MS} ms`)));
        sending.on('error', (error: NodeJS.ErrnoException) =>
          reject(error.code === 'ECONNREFUSED' ? new NotSent(error.message) : new Lost(error.message)),
        );
        sending.end(text);
      });
      return {
        status,
        body: JSON.parse(received) as Body,
        version: version === undefined ? undefined : Number(version),
      };
    },
    close: () => agent.destroy(),
  };
}
