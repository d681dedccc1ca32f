/** `entail call`: invokes a callable on a running server and prints the response as JSON. */

import type { Client } from '../api/client.js';
import type { ServedSchema } from '../api/schemas/module-schemas.js';
import { type Assignment, type ConnectionOptions, meantOrListed, readGiven, whereOf, withServer } from './connect.js';
import { CommandFailure, type Terminal } from './terminal.js';

export interface CallOptions extends ConnectionOptions {
  readonly arg: readonly Assignment[];
  readonly dryRun?: boolean;
  readonly limit?: number;
  readonly page?: string;
}

/** The response goes to stdout, an error response to stderr. */
export function callCommand(url: string, path: string, options: CallOptions, terminal: Terminal): Promise<number> {
  const work = async (client: Client): Promise<number> => {
    const response = await invoke(client, path, options);
    terminal.out(`${JSON.stringify(response, null, 2)}\n`);
    return 0;
  };
  return withServer(url, options, terminal, work, ({ details }) => {
    const concept = details['class'];
    if (typeof concept !== 'string') return;
    terminal.error(
      `hint: Write declared individuals as @name, others by id, such as #i3. GET ${new URL(url).origin}/v1/individuals?class=${concept} lists them.\n`,
    );
  });
}

async function invoke(client: Client, path: string, options: CallOptions): Promise<unknown> {
  const { result: schema } = await client.schema();
  const { kind, parameters } = findCallable(schema, path);
  const types = new Map(parameters.map(({ name, type }) => [name, type]));
  const args = Object.fromEntries(options.arg.map(({ name, text }) => [name, readGiven(name, text, types.get(name))]));
  const where = whereOf(options);
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
  throw new CommandFailure(`The module has no public callable "${path}"${meantOrListed(path, names)}`);
}
