/** What an explanation says over HTTP: its proofs, and what it tells of them. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealServer, removeFolder, serveModule } from './testing/real.js';

const GRAPH = `module graph
pub relation edge(from: Int, to: Int)
fact edge(1, 2) fact edge(1, 3) fact edge(2, 4) fact edge(3, 4) fact edge(1, 5) fact edge(5, 6) fact edge(6, 4)
pub derive path(x: Int, y: Int) when edge(x, y)
pub derive path(x: Int, z: Int) when path(x, y), edge(y, z)
pub derive reach(x: Int, n: Int) when edge(x, _), let n = count(for y where path(x, y))
`;

let server: RealServer;

beforeAll(async () => {
  server = await serveModule(GRAPH);
});

afterAll(async () => {
  await server.stop();
  await removeFolder(server.folder);
});

function explain(relation: string, tuple: unknown[], query = '') {
  return server.call('POST', `/v1/explain${query}`, { relation, tuple });
}

describe('POST /v1/explain', () => {
  it('says of one proof how high it is, that none is lower, and that there are others', async () => {
    const { body } = await explain('graph::path', [1, 4]);
    expect(body.result).toMatchObject({ holds: true, height: 2, minimal: true, cut: false, others: 'some' });
    expect(body.result.proofs).toBeUndefined();
    expect((await explain('graph::path', [1, 2])).body.result).toMatchObject({ height: 1, others: 'none' });
  });

  it('gives different proofs, the lowest first, the same each time', async () => {
    const { body } = await explain('graph::path', [1, 4], '?proofs=2');
    expect(body.result.proofs.map(({ height }: { height: number }) => height)).toEqual([2, 2]);
    expect(body.result.others).toBe('some');
    const all = await explain('graph::path', [1, 4], '?proofs=10');
    const ways = all.body.result.proofs.map(({ proof }: { proof: { bindings: object } }) => proof.bindings);
    expect(ways).toEqual([
      { x: 1, z: 4, y: 2 },
      { x: 1, z: 4, y: 3 },
      { x: 1, z: 4, y: 6 },
    ]);
    expect(all.body.result).toMatchObject({ others: 'none', proof: all.body.result.proofs[0].proof });
    expect((await explain('graph::path', [1, 4], '?proofs=10')).body.result).toEqual(all.body.result);
  });

  it('counts what an aggregate saw', async () => {
    const { body } = await explain('graph::reach', [1, 5]);
    const [, counted] = body.result.proof.premises;
    expect(counted).toMatchObject({ kind: 'aggregate', value: 5, contributions: 5 });
    expect(counted.premises).toHaveLength(5);
    expect(body.result.height).toBe(3);
  });

  it.each(['0', '101', 'many', '-1'])('refuses %s proofs', async (proofs) => {
    const { status, body } = await explain('graph::path', [1, 4], `?proofs=${proofs}`);
    expect([status, body.error.code]).toEqual([400, 'SVC_RUNTIME_VALIDATION_FAILED']);
    expect(body.error.message).toMatch(/proofs/);
  });

  it('gives different proofs of a fact by its id', async () => {
    const { body } = await explain('graph::path', [1, 4]);
    const found = await server.call('GET', `/v1/derived/facts/${body.result.factId}/explain?proofs=3`);
    expect(found.body.result.proofs).toHaveLength(3);
  });
});
