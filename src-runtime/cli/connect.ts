/** How commands talk to a running server: its address, its error responses, and arguments given as text. */

import { randomUUID } from 'node:crypto';
import { type Client, createClient } from '../api/client.js';
import { ApiFailure, ConnectionFailure } from '../api/failures.js';
import { repeatingFetch } from '../api/repeating-fetch.js';
import type { JsonValue, WireType } from '../api/schemas/schemas.js';
import type { ClientOptions } from '../api/transport.js';
import { duplicateKey, parseWithAllDigits } from '../base/exact-json.js';
import { didYouMean } from '../base/nearest.js';
import { CommandFailure, type Terminal, WrongUsage } from './terminal.js';

export interface Assignment {
  readonly name: string;
  readonly text: string;
}

/** The options of every command that talks to a server. */
export interface ConnectionOptions {
  readonly context: readonly Assignment[];
  readonly fork?: string;
  readonly token?: string;
  /** Of the command's only write. */
  readonly idempotencyKey?: string;
}

/**
 * Does the work with a client. An error response goes to stderr, without the `details` that `kept` rejects, and the result is 1.
 * `onFailure` may print more.
 */
export async function withServer(
  url: string,
  options: ConnectionOptions,
  terminal: Terminal,
  work: (client: Client, clientOptions: ClientOptions) => Promise<number>,
  onFailure: (failure: ApiFailure) => void = () => {},
  kept: (name: string) => boolean = () => true,
): Promise<number> {
  const clientOptions = optionsFor(url, options, terminal);
  try {
    return await work(createClient(clientOptions), clientOptions);
  } catch (error) {
    if (error instanceof ConnectionFailure) throw new CommandFailure(error.message, { cause: error });
    if (!(error instanceof ApiFailure)) throw error;
    const details = Object.fromEntries(Object.entries(error.details).filter(([name]) => kept(name)));
    const envelope = { ...error.envelope, error: { ...error.envelope.error, details } };
    terminal.error(`${JSON.stringify(envelope, null, 2)}\n`);
    const { code, details: allDetails } = error;
    if (code === 'SVC_RUNTIME_MISSING_CONTEXT') terminal.error(`hint: Add --context ${allDetails['field']}=VALUE.\n`);
    onFailure(error);
    return 1;
  }
}

/** The address may be the one opened in the browser, which has the token after `#`. */
function optionsFor(url: string, options: ConnectionOptions, terminal: Terminal): ClientOptions {
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new WrongUsage(`"${url}" is not a URL. Use the URL that serve printed, such as http://127.0.0.1:4711.`);
  }
  const { origin, hash } = new URL(url);
  const token =
    options.token ?? new URLSearchParams(hash.slice(1)).get('token') ?? terminal.environment['ENTAIL_TOKEN'];
  const { idempotencyKey } = options;
  return {
    baseUrl: origin,
    fetch: repeatingFetch(() => idempotencyKey ?? randomUUID()),
    ...(token !== undefined && { token }),
  };
}

/** Context fields and fork as request options. Throws WrongUsage for a value that a header cannot carry. */
export function whereOf({ context, fork }: ConnectionOptions) {
  const broken = context.find(({ text }) => /[\0\r\n]/.test(text));
  if (broken !== undefined)
    throw new WrongUsage(`--context ${broken.name} has a line break. A context value is one line.`);
  return {
    context: Object.fromEntries(context.map(({ name, text }) => [name, text])),
    ...(fork !== undefined && { fork }),
  };
}

/** Reads the argument of this name. Throws WrongUsage for a duplicate key in its JSON, since JSON.parse would keep only the last. */
export function readGiven(name: string, text: string, type: WireType | undefined): JsonValue {
  const value = readArgument(text, type);
  const doubled = typeof value === 'object' && value !== null ? duplicateKey(text) : undefined;
  if (doubled !== undefined) throw new WrongUsage(`${name} has the key "${doubled}" twice.`);
  return value;
}

/** Takes the text as it is if the wire form is a string. Anything else is JSON, also a whole entity instead of a reference. */
export function readArgument(text: string, type: WireType | undefined): JsonValue {
  const inner = type?.kind === 'optional' ? type.of : type;
  if (type?.kind === 'optional' && text === 'null') return null;
  const isText = inner === undefined || inner.kind === 'enum' || inner.kind === 'class' || inner.kind === 'extern';
  const isTextScalar = inner?.kind === 'scalar' && inner.name !== 'Bool' && inner.name !== 'Int';
  const isEntity = inner?.kind === 'class' && text.startsWith('{');
  if ((isText || isTextScalar) && !isEntity) return text;
  try {
    return parseWithAllDigits(text) as JsonValue;
  } catch {
    return text;
  }
}

/** The end of "The module has no … "x"": the nearest name, or a list of all. */
export function meantOrListed(name: string, names: readonly string[]): string {
  return didYouMean(name, names) || `. It has: ${names.toSorted().join(', ') || 'none'}.`;
}
