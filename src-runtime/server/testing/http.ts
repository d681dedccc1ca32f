/** A real server on a real socket with a fake runtime, and functions to call it. */

import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import pino from 'pino';
import type { Runtime } from '../../world/index.js';
import { buildServer } from '../build-server.js';
import { createModuleLoader } from '../modules/loader.js';
import { DEFAULT_GRANT, DEFAULT_LIMITS, DEFAULT_LOG_REQUESTS, type ServerSettings } from '../options.js';
import { checkContract } from './contract.js';
import type { FakeRuntime } from './fake-runtime.js';

const TOKEN = 'test-token';

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are compared with literals, which says more than a type would.
  readonly body: any;
}

export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** Sends the token unless `headers` has its own authorization. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  /** Writes bytes to a bare socket. Returns everything that arrives before the connection closes. */
  raw(bytes: string): Promise<string>;
  readonly logLines: string[];
  /** Whether it accepts new connections. */
  listening(): boolean;
  close(): Promise<void>;
}

export async function serveFake(
  runtime: Runtime & Partial<Pick<FakeRuntime, 'bindings'>>,
  overrides: Partial<ServerSettings> = {},
): Promise<TestServer> {
  const logLines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) });
  const app = await buildServer(
    runtime,
    createModuleLoader(runtime, undefined),
    {
      host: '127.0.0.1',
      token: TOKEN,
      grant: DEFAULT_GRANT,
      furtherTokens: [],
      limits: DEFAULT_LIMITS,
      adhoc: true,
      page: undefined,
      logRequests: DEFAULT_LOG_REQUESTS,
      backup: async function* () {},
      version: '0.0.0',
      log,
      ...overrides,
    },
    runtime.bindings,
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    logLines,
    ...callsTo(url, TOKEN),
    raw: (bytes) => rawExchange(port, bytes),
    listening: () => app.server.listening,
    close: () => app.close(),
  };
}

/** Calls that check each response against the OpenAPI document. */
export function callsTo(url: string, token: string): Pick<TestServer, 'call'> {
  return {
    async call(method, path, body, headers = {}) {
      const init: RequestInit = { method, headers: { authorization: `Bearer ${token}`, ...headers } };
      if (typeof body === 'string' || body instanceof Uint8Array) init.body = body as NonNullable<RequestInit['body']>;
      else if (body !== undefined) {
        init.body = JSON.stringify(body);
        init.headers = { 'content-type': 'application/json', ...init.headers };
      }
      const response = await fetch(url + path, init);
      const text = await response.text();
      const contentType = response.headers.get('content-type') ?? '';
      const requestId = response.headers.get('x-request-id');
      await checkContract({ method, path, status: response.status, contentType, requestId, text });
      const json = contentType.startsWith('application/json');
      return {
        status: response.status,
        headers: response.headers,
        body: json && text !== '' ? JSON.parse(text) : text,
      };
    },
  };
}

function rawExchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
}
