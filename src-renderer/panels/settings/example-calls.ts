/** An example call for each client, with a callable of the loaded module if there is one. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';

export interface ExampleCalls {
  readonly curl: string;
  readonly commandLine: string;
  readonly typescript: string;
}

type Callable = Pick<ServedSchema['queries'][number], 'path' | 'parameters'>;

/** Falls back to a dry run of a mutation, so that the example changes nothing. */
export function exampleCalls(address: string, schema: ServedSchema | undefined): ExampleCalls {
  const query = easiest(schema?.queries);
  const mutation = query === undefined ? easiest(schema?.mutations) : undefined;
  const kind = mutation === undefined ? 'query' : 'mutation';
  const { path, parameters }: Callable = query ?? mutation ?? { path: 'module::query', parameters: [] };
  const args = Object.fromEntries(parameters.filter(({ required }) => required).map(({ name }) => [name, '…']));
  const needsTenant = schema?.context.some(({ name, required }) => name === 'tenantId' && required) === true;
  const options = [
    ...(needsTenant ? ["context: { tenantId: '…' }"] : []),
    ...(mutation === undefined ? [] : ['dryRun: true']),
  ].join(', ');
  return {
    curl: [
      `curl -sS -X POST '${address}/v1/dispatch/${kind}${mutation === undefined ? '' : '?dryRun=true'}'`,
      '-H "authorization: Bearer $ENTAIL_TOKEN"',
      "-H 'content-type: application/json'",
      ...(needsTenant ? ["-H 'x-tenant-id: …'"] : []),
      `-d '${JSON.stringify({ path, args })}'`,
    ].join(' \\\n  '),
    commandLine: [
      'entail call',
      address,
      path,
      ...Object.keys(args).map((name) => `--arg ${name}=…`),
      ...(needsTenant ? ['--context tenantId=…'] : []),
      ...(mutation === undefined ? [] : ['--dry-run']),
    ].join(' '),
    typescript: [
      "import { createClient } from './src-runtime/api/client.js';",
      '',
      'const client = createClient({',
      `  baseUrl: '${address}',`,
      '  token: process.env.ENTAIL_TOKEN,',
      '});',
      `const { result } = await client.${kind}({ path: '${path}', args: ${JSON.stringify(args)} }${
        options === '' ? '' : `, { ${options} }`
      });`,
    ].join('\n'),
  };
}

/** Prefers a callable without required arguments. */
function easiest(callables: ServedSchema['queries'] | ServedSchema['mutations'] = []): Callable | undefined {
  const open = callables.filter((callable) => callable.public);
  return open.find(({ parameters }) => parameters.every(({ required }) => !required)) ?? open[0];
}
