/** A first call to the server in the words of each client, with a callable of the loaded module where there is one. */

import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';

export interface ExampleCalls {
  readonly curl: string;
  readonly commandLine: string;
  readonly typescript: string;
}

/** A query that needs nothing is the best to begin with. */
export function exampleCalls(address: string, schema: ServedSchema | undefined): ExampleCalls {
  const open = schema?.queries.filter((query) => query.public) ?? [];
  const query = open.find(({ parameters }) => parameters.every(({ required }) => !required)) ?? open[0];
  const path = query?.path ?? 'module::query';
  const args = Object.fromEntries(
    (query?.parameters ?? []).filter(({ required }) => required).map(({ name }) => [name, '…']),
  );
  const needsTenant = schema?.context.some(({ name, required }) => name === 'tenantId' && required) === true;
  return {
    curl: [
      `curl -sS -X POST ${address}/v1/dispatch/query`,
      '-H "authorization: Bearer $ENTAIL_TOKEN"',
      "-H 'content-type: application/json'",
      ...(needsTenant ? ["-H 'x-tenant-id: …'"] : []),
      `-d '${JSON.stringify({ path, args })}'`,
    ].join(' \\\n  '),
    commandLine: [
      'ENTAIL_TOKEN=… entail call',
      address,
      path,
      ...Object.keys(args).map((name) => `--arg ${name}=…`),
      ...(needsTenant ? ['--context tenantId=…'] : []),
    ].join(' '),
    typescript: [
      "import { createClient } from './src-runtime/api/client.js';",
      '',
      'const client = createClient({',
      `  baseUrl: '${address}',`,
      '  token: process.env.ENTAIL_TOKEN,',
      '});',
      `const { result } = await client.query({ path: '${path}', args: ${JSON.stringify(args)} }${
        needsTenant ? ", { context: { tenantId: '…' } }" : ''
      });`,
    ].join('\n'),
  };
}
