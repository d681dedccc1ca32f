import { expect, it } from 'vitest';
import { createClient } from '../api/client.js';
import { serversOfTests } from '../server/testing/real.js';
import { liveServer } from './lsp.js';

const TEXT = `module people
pub concept Person { name: Text, age: Int }
pub derive elder(p: Person) when Person(p), p.age > 60
pub mutation add(name: Text, age: Int) { insert Person { name: name, age: age } }
`;

const started = serversOfTests();

it('counts the conditions of a text on a running server, with labelled examples', async () => {
  const server = await started(TEXT);
  for (const [name, age] of Object.entries({ Ada: 30, Bo: 65 })) await server.mutation('people::add', { name, age });
  const { url, token } = server.running;
  const live = liveServer(createClient({ baseUrl: url, ...(token !== null && { token }) }), { context: [] });
  expect(await live.files()).toEqual(['lease.entail']);
  const texts = [{ file: 'lease.entail', text: TEXT.replace('p.age > 60', 'p.age > 20, p.age < 50') }];
  const counted = await live.conditionsAt(texts, 'lease.entail', TEXT.indexOf('elder'), new AbortController().signal);
  expect(counted.map(({ bindings, examples }) => [bindings, examples])).toEqual([
    [2, expect.arrayContaining(['p = Ada', 'p = Bo'])],
    [2, expect.anything()],
    [1, ['p = Ada']],
  ]);
});
