/** Sends the client's requests over HTTP, and turns responses into bodies or failures. */

import { ApiFailure, ConnectionFailure } from './failures.js';
import { FORK_HEADER, headerBytes, headerOfContextField, ONCE_HEADER } from './headers.js';
import type { ErrorEnvelope } from './schemas/schemas.js';

export interface ClientOptions {
  /** The origin, e.g. `http://127.0.0.1:4711`; empty for that of the page. */
  readonly baseUrl: string;
  readonly token?: string;
  /** The name of the client in the request log. */
  readonly name?: string;
  /** Makes an id for each request. Browsers repeat a request whose connection broke, and the server must not run it twice. */
  readonly onceId?: () => string;
  /** The server's limit of rows per response, if known. Larger pages would be refused. */
  readonly rowsMax?: () => number | undefined;
  /** The transaction as of which to read, unless a call names another; undefined for now. */
  readonly asOf?: () => number | undefined;
  readonly fetch?: typeof fetch;
}

/** Where a request runs, and when to cancel it. */
export interface CallOptions {
  readonly context?: Readonly<Record<string, string>>;
  readonly fork?: string;
  readonly signal?: AbortSignal;
}

export type Query = Record<string, string | number | boolean | undefined>;

export interface Message extends CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: Query;
  readonly body?: unknown;
  /** By default `application/json`. */
  readonly accept?: string;
  readonly lastEventId?: string | undefined;
  /** A body that is not one JSON value. A stream is sent as it is read. */
  readonly raw?: {
    readonly contentType: string;
    readonly content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  };
}

/** Resolves to the body of a success. Throws ApiFailure and ConnectionFailure. */
export async function request<T>(options: ClientOptions, path: string, message: Message): Promise<T> {
  const { status, text } = await exchange(options, path, message, async (response) => ({
    status: response.status,
    text: await response.text(),
  }));
  const body = parseBody(text);
  if (status < 400 && body !== undefined && 'result' in body) return body as T;
  throw failureOf(options, status, body);
}

/** Resolves to a body of the accepted type that arrives in parts. Throws like `request`. */
export async function openStream(
  options: ClientOptions,
  path: string,
  message: Message & { readonly accept: string },
): Promise<ReadableStream<Uint8Array>> {
  return exchange(options, path, message, async (response) => {
    const type = response.headers.get('content-type') ?? '';
    if (response.ok && response.body !== null && type.startsWith(message.accept)) return response.body;
    throw failureOf(options, response.status, parseBody(await response.text()));
  });
}

/** Sends a request and reads the response. A lost connection throws ConnectionFailure; an abort by the caller throws as it is. */
async function exchange<T>(
  options: ClientOptions,
  path: string,
  message: Message,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const url = options.baseUrl + path + queryText(withinRows(message.query ?? {}, options.rowsMax?.()));
  const init: RequestInit & { duplex?: 'half' } = {
    method: message.method ?? 'GET',
    headers: headersOf(options, message),
  };
  if (message.body !== undefined) init.body = JSON.stringify(message.body);
  if (message.raw !== undefined) init.body = message.raw.content;
  // Fetch demands it for a stream.
  if (message.raw?.content instanceof ReadableStream) init.duplex = 'half';
  if (message.signal !== undefined) init.signal = message.signal;
  try {
    return await read(await (options.fetch ?? fetch)(url, init));
  } catch (cause) {
    if (message.signal?.aborted === true || cause instanceof ApiFailure || cause instanceof ConnectionFailure) {
      throw cause;
    }
    throw new ConnectionFailure(`Can't reach ${options.baseUrl || 'the server'}. Is it running?`, { cause });
  }
}

function failureOf(options: ClientOptions, status: number, body: object | undefined): Error {
  if (body !== undefined && isEnvelope(body)) return new ApiFailure(status, body);
  return new ConnectionFailure(
    `${options.baseUrl || 'The server'} is not an Entail server: its response (${status}) has another form.`,
  );
}

function headersOf(options: ClientOptions, message: Message): Record<string, string> {
  const headers: Record<string, string> = { accept: message.accept ?? 'application/json' };
  if (message.body !== undefined) headers['content-type'] = 'application/json';
  if (message.raw !== undefined) headers['content-type'] = message.raw.contentType;
  if (options.name !== undefined) headers['x-entail-client'] = options.name;
  if (options.onceId !== undefined) headers[ONCE_HEADER] = options.onceId();
  if (options.token !== undefined) headers['authorization'] = `Bearer ${options.token}`;
  if (message.lastEventId !== undefined) headers['last-event-id'] = message.lastEventId;
  if (message.fork !== undefined) headers[FORK_HEADER] = headerBytes(message.fork);
  for (const [field, text] of Object.entries(message.context ?? {})) {
    headers[headerOfContextField(field)] = headerBytes(text);
  }
  return headers;
}

function withinRows(query: Query, rowsMax = Number.POSITIVE_INFINITY): Query {
  return typeof query['limit'] === 'number' ? { ...query, limit: Math.min(query['limit'], rowsMax) } : query;
}

function queryText(query: Query): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  if (pairs.length === 0) return '';
  return `?${pairs.map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`).join('&')}`;
}

function parseBody(text: string): object | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

function isEnvelope(body: object): body is ErrorEnvelope {
  if (!('error' in body)) return false;
  const { error } = body;
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}
