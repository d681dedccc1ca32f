/** How commands talk to a running server: where it is, what it says no to, and arguments as text. */

import { type Client, createClient } from '../api/client.js';
import { ApiFailure, ConnectionFailure } from '../api/failures.js';
import type { JsonValue, WireType } from '../api/schemas/schemas.js';
import { doubledKey, parseWithAllDigits } from '../base/exact-json.js';
import { CommandFailure, type Terminal, WrongUsage } from './terminal.js';

export interface Assignment {
  readonly name: string;
  readonly text: string;
}

/** What every command that talks to a server is told. */
export interface ConnectionOptions {
  readonly context: readonly Assignment[];
  readonly fork?: string;
  readonly token?: string;
}

/**
 * Does the work with a client. The envelope of a failure goes to stderr, without the `details` that `kept` leaves out, and
 * `onFailure` may add to it; that ends with 1.
 */
export async function withServer(
  url: string,
  options: ConnectionOptions,
  terminal: Terminal,
  work: (client: Client) => Promise<number>,
  onFailure: (failure: ApiFailure) => void = () => {},
  kept: (name: string) => boolean = () => true,
): Promise<number> {
  const client = connect(url, options, terminal);
  try {
    return await work(client);
  } catch (error) {
    if (error instanceof ConnectionFailure) throw new CommandFailure(error.message, { cause: error });
    if (!(error instanceof ApiFailure)) throw error;
    const details = Object.fromEntries(Object.entries(error.details).filter(([name]) => kept(name)));
    const envelope = { ...error.envelope, error: { ...error.envelope.error, details } };
    terminal.error(`${JSON.stringify(envelope, null, 2)}\n`);
    const { code, details: told } = error;
    if (code === 'SVC_RUNTIME_MISSING_CONTEXT')
      terminal.error(`hint: Give it with --context ${told['field']}=VALUE.\n`);
    onFailure(error);
    return 1;
  }
}

/** The address may be the one that was opened in the browser, with the token behind it. */
function connect(url: string, options: ConnectionOptions, terminal: Terminal): Client {
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new WrongUsage(`"${url}" is no address; give the url that serve printed, such as http://127.0.0.1:4711.`);
  }
  const { origin, hash } = new URL(url);
  const token =
    options.token ?? new URLSearchParams(hash.slice(1)).get('token') ?? terminal.environment['ENTAIL_TOKEN'];
  return createClient({ baseUrl: origin, ...(token !== undefined && { token }) });
}

/** Context fields and fork, as calls take them. Throws WrongUsage for what no header can carry. */
export function whereOf({ context, fork }: ConnectionOptions) {
  const broken = context.find(({ text }) => /[\0\r\n]/.test(text));
  if (broken !== undefined) throw new WrongUsage(`--context ${broken.name} has a line break; give it as one line.`);
  return {
    context: Object.fromEntries(context.map(({ name, text }) => [name, text])),
    ...(fork !== undefined && { fork }),
  };
}

/** The same of what was given under this name. Throws WrongUsage where JSON has a key twice, of which the last would count. */
export function readGiven(name: string, text: string, type: WireType | undefined): JsonValue {
  const value = readArgument(text, type);
  const doubled = typeof value === 'object' && value !== null ? doubledKey(text) : undefined;
  if (doubled !== undefined) throw new WrongUsage(`${name} has the key "${doubled}" twice; give it once.`);
  return value;
}

/** Text stands for itself where the wire form is a string; anything else is JSON, a whole entity in place of a reference too. */
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
