/** `entail call`: invokes a callable on a running server and prints the answer, for scripts. */

import { type Client, createClient } from '../api/client.js';
import { ApiFailure, ConnectionFailure } from '../api/failures.js';
import type { ServedSchema } from '../api/module-schemas.js';
import type { JsonValue, WireType } from '../api/schemas.js';
import { didYouMean } from '../base/nearest.js';
import { CommandFailure, type Terminal } from './terminal.js';

export interface CallOptions {
  readonly arg: readonly Assignment[];
  readonly context: readonly Assignment[];
  readonly fork?: string;
  readonly token?: string;
  readonly dryRun?: boolean;
  readonly limit?: number;
  readonly page?: string;
}

export interface Assignment {
  readonly name: string;
  readonly text: string;
}

/** The answer goes to stdout, the envelope of a failure to stderr. */
export async function callCommand(
  url: string,
  path: string,
  options: CallOptions,
  terminal: Terminal,
): Promise<number> {
  const client = connect(url, options, terminal);
  try {
    const answer = await invoke(client, path, options);
    terminal.out(`${JSON.stringify(answer, null, 2)}\n`);
    return 0;
  } catch (error) {
    if (error instanceof ConnectionFailure) throw new CommandFailure(error.message, { cause: error });
    if (!(error instanceof ApiFailure)) throw error;
    terminal.error(`${JSON.stringify(error.envelope, null, 2)}\n`);
    return 1;
  }
}

/** The address may be the one that was opened in the browser, with the token behind it. */
function connect(url: string, options: CallOptions, terminal: Terminal): Client {
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new CommandFailure(`"${url}" is no address; give the url that serve printed, such as http://127.0.0.1:4711.`);
  }
  const { origin, hash } = new URL(url);
  const token =
    options.token ?? new URLSearchParams(hash.slice(1)).get('token') ?? terminal.environment['ENTAIL_TOKEN'];
  return createClient({ baseUrl: origin, ...(token !== undefined && { token }) });
}

async function invoke(client: Client, path: string, options: CallOptions): Promise<unknown> {
  const { result: schema } = await client.schema();
  const { kind, parameters } = findCallable(schema, path);
  const types = new Map(parameters.map(({ name, type }) => [name, type]));
  const args = Object.fromEntries(options.arg.map(({ name, text }) => [name, readArgument(text, types.get(name))]));
  const where = {
    context: Object.fromEntries(options.context.map(({ name, text }) => [name, text])),
    ...(options.fork !== undefined && { fork: options.fork }),
  };
  const paging = {
    ...(options.limit !== undefined && { limit: options.limit }),
    ...(options.page !== undefined && { page: options.page }),
  };
  if (kind === 'query') return await client.query({ path, args }, { ...where, ...paging });
  if (kind === 'compute') return await client.compute({ path, args }, where);
  return await client.mutation({ path, args }, { ...where, dryRun: options.dryRun ?? false });
}

function findCallable(schema: ServedSchema, path: string) {
  const kinds = [
    ['query', schema.queries],
    ['mutation', schema.mutations],
    ['compute', schema.functions],
  ] as const;
  const names: string[] = [];
  for (const [kind, callables] of kinds) {
    const open = callables.filter((callable) => callable.public);
    const found = open.find((callable) => callable.path === path);
    if (found !== undefined) return { kind, parameters: found.parameters };
    names.push(...open.map((callable) => callable.path));
  }
  const way = didYouMean(path, names) || `; there are: ${names.sort().join(', ') || 'none'}.`;
  throw new CommandFailure(`The module has no public callable "${path}"${way}`);
}

/** Text stands for itself where the parameter's wire form is a string; anything else is JSON. */
export function readArgument(text: string, type: WireType | undefined): JsonValue {
  const inner = type?.kind === 'optional' ? type.of : type;
  if (type?.kind === 'optional' && text === 'null') return null;
  const isText = inner === undefined || inner.kind === 'enum' || inner.kind === 'class' || inner.kind === 'extern';
  const isTextScalar = inner?.kind === 'scalar' && inner.name !== 'Bool' && inner.name !== 'Int';
  if (isText || isTextScalar) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
