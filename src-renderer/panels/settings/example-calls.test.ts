import { expect, it } from 'vitest';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { exampleCalls } from './example-calls.js';

const callable = (path: string, ...parameters: string[]) => ({
  path,
  public: true,
  parameters: parameters.map((name) => ({ name, required: true })),
});
const examples = (schema: object) =>
  exampleCalls('http://localhost:1', {
    queries: [],
    mutations: [],
    context: [],
    ...schema,
  } as unknown as ServedSchema);

it('uses a query without parameters if there is one', () => {
  const { curl, commandLine, typescript } = examples({
    queries: [callable('m::of', 'n'), callable('m::all')],
    mutations: [callable('m::add')],
    context: [{ name: 'tenantId', required: true }],
  });
  expect(curl).toContain("'http://localhost:1/v1/dispatch/query'");
  expect(curl).toContain("-H 'x-tenant-id: …'");
  expect(commandLine).toBe('entail call http://localhost:1 m::all --context tenantId=…');
  expect(typescript).toContain("client.query({ path: 'm::all', args: {} }, { context: { tenantId: '…' } });");
});

it('uses a dry run of a mutation if there is no query', () => {
  const { curl, commandLine, typescript } = examples({ mutations: [callable('m::add', 'name')] });
  expect(curl).toContain("'http://localhost:1/v1/dispatch/mutation?dryRun=true'");
  expect(commandLine).toBe('entail call http://localhost:1 m::add --arg name=… --dry-run');
  expect(typescript).toContain(`client.mutation({ path: 'm::add', args: {"name":"…"} }, { dryRun: true });`);
});
