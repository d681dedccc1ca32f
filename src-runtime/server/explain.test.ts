/** Explanations over HTTP: proofs, suggestions and their descriptions. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealServer, removeFolder, serveModule } from './testing/real.js';

const GRAPH = `module graph
pub relation edge(from: Int, to: Int)
fact edge(1, 2) fact edge(1, 3) fact edge(2, 4) fact edge(3, 4) fact edge(1, 5) fact edge(5, 6) fact edge(6, 4)
pub derive path(x: Int, y: Int) when edge(x, y)
pub derive path(x: Int, z: Int) when path(x, y), edge(y, z)
pub check loop(x: Int) when path(x, x) severity blocking message "{x} leads back to itself"
pub concept Node { label: Text, weight: Int = 1, note: Text? }
pub individual fixed: Node { label: "fixed" }
pub relation link(from: Node, to: Node [0..1])
pub derive heavy(n: Node) when Node(n), n.weight > 7
pub derive noted(n: Node) when Node(n), n.note == "seen"
pub derive linked(n: Node, m: Node) when link(n, m)
pub mutation add(label: Text) -> Node { return insert Node { label: label } }
pub mutation connect(from: Node, to: Node) { insert link(from, to) }
pub relation pass(of: Node)
pub relation badge(of: Node)
pub derive enters(n: Node) when pass(n)
pub derive enters(n: Node) when badge(n)
pub check passes(n: Node) when pass(n) severity blocking message "{n} needs a badge"
pub derive back(x: Int, y: Int) when edge(x, y), y < x
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
  it('proves facts with values that appear in no fact yet, for a rule and for an ad-hoc derive', async () => {
    const fresh = await serveModule(`module m
pub relation size(of: Text, by: Decimal)
fact size("a", 1.5)
pub derive named(t: Text, d: Decimal) when size(o, b), let t = o ++ "-made", let d = b * 3
`);
    const response = await fresh.call('POST', '/v1/explain', { relation: 'm::named', tuple: ['a-made', '4.5'] });
    expect(response.body.result).toMatchObject({ holds: true });
    const source = 'derive again(t: Text) when named(o, _), let t = o ++ "-twice"';
    const adhoc = await fresh.call('POST', '/v1/query/adhoc/explain', { source, tuple: ['a-made-twice'] });
    expect(adhoc.body.result).toMatchObject({ holds: true });
    await fresh.stop();
    await removeFolder(fresh.folder);
  });

  it('proves facts with unsaved sources over the current facts, and saves nothing', async () => {
    const { $id: node } = (await server.mutation('graph::add', { label: 'unsaved' })).body.result;
    const text = GRAPH.replace('n.weight > 7', 'n.weight < 7');
    const by = (source: string, more: object = {}) =>
      server.call('POST', '/v1/explain', {
        relation: 'graph::heavy',
        tuple: [node],
        after: { files: [{ file: 'lease.entail', text: source }] },
        ...more,
      });
    expect((await by(text)).body.result).toMatchObject({
      holds: true,
      proof: { rule: { path: 'graph::heavy' } },
      names: { [node]: 'unsaved' },
      rules: { sources: [{ file: 'lease.entail', text }] },
    });
    const twice = `${text}pub derive heavier(n: Node) when heavy(n)\n`;
    expect((await by(twice, { relation: 'graph::heavier' })).body.result).toMatchObject({ holds: true });
    expect((await by(`${text} derive`)).body.error).toMatchObject({
      code: 'SVC_RUNTIME_VALIDATION_FAILED',
      details: { path: '$.after.files', diagnostics: [{ severity: 'error' }] },
    });
    expect((await explain('graph::heavy', [node])).body.result).toMatchObject({ holds: false });
  });

  it('shows a comparison with the values that it read', async () => {
    const { body } = await explain('graph::back', [6, 4]);
    const test = body.result.proof.premises.find(({ kind }: { kind: string }) => kind === 'test');
    expect(test).toMatchObject({
      text: 'y < x',
      values: [
        { text: 'y', value: 4 },
        { text: 'x', value: 6 },
      ],
    });
  });

  it('reports the rank of a proof, whether it is minimal, and whether there are others', async () => {
    const { body } = await explain('graph::path', [1, 4]);
    expect(body.result).toMatchObject({ holds: true, height: 2, minimal: true, cut: false, others: 'some' });
    expect(body.result.proofs).toBeUndefined();
    expect((await explain('graph::path', [1, 2])).body.result).toMatchObject({ height: 1, others: 'none' });
  });

  it('returns different proofs, the lowest rank first, the same each time', async () => {
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

  it('counts the contributions of an aggregate', async () => {
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

  it('returns different proofs of a fact by its id', async () => {
    const { body } = await explain('graph::path', [1, 4]);
    const found = await server.call('GET', `/v1/derived/facts/${body.result.factId}/explain?proofs=3`);
    expect(found.body.result.proofs).toHaveLength(3);
  });
});

describe('POST /v1/explain?suggest=true', () => {
  const suggest = async (relation: string, tuple: unknown[]) => {
    const { status, body } = await explain(relation, tuple, '?suggest=true');
    expect(status).toBe(200);
    return body.result;
  };
  const add = async (label: string): Promise<string> => {
    const { body } = await server.mutation('graph::add', { label });
    return body.result.$id;
  };

  it('suggests the fact that would make the tuple true, and lists the blocking checks that it would violate', async () => {
    const { holds, suggestions } = await suggest('graph::path', [4, 3]);
    expect(holds).toBe(false);
    const [first] = suggestions.sets;
    expect(first.changes).toEqual([{ op: 'insert', relation: 'graph::edge', tuple: [4, 3] }]);
    expect(first.firings.map(({ tuple }: { tuple: object }) => tuple)).toEqual(
      expect.arrayContaining([{ x: 3 }, { x: 4 }]),
    );
    expect(first.firings[0]).toMatchObject({ check: 'graph::loop', severity: 'blocking' });
  });

  it('rolls back the changes that it tries', async () => {
    const before = await server.mutation('graph::add', { label: 'before' });
    await suggest('graph::path', [4, 3]);
    expect((await explain('graph::path', [4, 3])).body.result.holds).toBe(false);
    const { body } = await server.mutation('graph::add', { label: 'after' });
    expect(body).toMatchObject({
      txn: before.body.txn + 1,
      events: [{ seq: before.body.events.at(-1).seq + 1 }, {}, {}],
    });
  });

  it('lists suggestions without violations first', async () => {
    const { suggestions } = await suggest('graph::enters', [await add('visitor')]);
    expect(suggestions.sets).toMatchObject([
      { changes: [{ relation: 'graph::badge' }], firings: [] },
      { changes: [{ relation: 'graph::pass' }], firings: [{ check: 'graph::passes' }] },
    ]);
  });

  it('suggests fields of created individuals', async () => {
    const node = await add('made');
    const { suggestions } = await suggest('graph::heavy', [node]);
    expect(suggestions).toEqual({
      sets: [{ changes: [{ op: 'set', relation: 'graph::Node.weight', tuple: [node, 8] }], firings: [] }],
      complete: true,
    });
  });

  it('reports blocking declarations if no change would help', async () => {
    expect((await suggest('graph::heavy', ['@fixed'])).suggestions).toEqual({
      sets: [],
      complete: true,
      declared: [{ relation: 'graph::Node.weight', tuple: ['@graph::fixed', 1] }],
    });
    expect((await suggest('graph::noted', ['@fixed'])).suggestions).toMatchObject({
      sets: [],
      declared: [{ relation: 'graph::Node.note', tuple: ['@graph::fixed', null] }],
    });
    expect((await suggest('graph::heavy', [await add('other')])).suggestions.declared).toBeUndefined();
  });

  it('replaces the value of a [0..1] endpoint', async () => {
    const [from, to, other] = [await add('from'), await add('to'), await add('other')];
    await server.mutation('graph::connect', { from, to });
    const { suggestions } = await suggest('graph::linked', [from, other]);
    expect(suggestions).toEqual({
      sets: [{ changes: [{ op: 'set', relation: 'graph::link', tuple: [from, other] }], firings: [] }],
      complete: true,
    });
  });

  it('starts from the facts of a fork, and writes nothing there', async () => {
    await server.call('POST', '/v1/forks', { id: 'try' });
    const write = async (path: string, args: object) => {
      const { body } = await server.call('POST', '/v1/forks/try/dispatch/mutation', { path, args });
      return body.result;
    };
    const [from, to, other] = [
      await write('graph::add', { label: 'from' }),
      await write('graph::add', { label: 'to' }),
      await write('graph::add', { label: 'other' }),
    ].map(({ $id }) => $id);
    await write('graph::connect', { from, to });
    const before = await server.call('GET', '/v1/forks/try');
    const request = { relation: 'graph::linked', tuple: [from, other] };
    const onFork = await server.call('POST', '/v1/forks/try/explain?suggest=true', request);
    expect(onFork.body.result.suggestions).toEqual({
      sets: [{ changes: [{ op: 'set', relation: 'graph::link', tuple: [from, other] }], firings: [] }],
      complete: true,
    });
    expect((await suggest('graph::linked', [from, other])).suggestions).toEqual({ sets: [], complete: true });
    expect((await server.call('POST', '/v1/forks/try/explain', request)).body.result.holds).toBe(false);
    const kept = await server.call('POST', '/v1/forks/try/explain', { relation: 'graph::linked', tuple: [from, to] });
    expect(kept.body.result.holds).toBe(true);
    expect((await server.call('GET', '/v1/forks/try')).body.result).toEqual(before.body.result);
  });

  it('returns no suggestions unless requested, and none if the tuple holds', async () => {
    expect((await explain('graph::path', [4, 3])).body.result.suggestions).toBeUndefined();
    expect((await suggest('graph::path', [1, 2])).suggestions).toBeUndefined();
    expect((await explain('graph::path', [4, 3], '?suggest=perhaps')).status).toBe(400);
  });
});

describe('POST /v1/explain?ending=true', () => {
  const ending = async (relation: string, tuple: unknown[]) =>
    (await explain(relation, tuple, '?ending=true')).body.result;

  it('suggests the fact whose removal would make the tuple false, and rolls back the changes that it tries', async () => {
    const { body: from } = await server.mutation('graph::add', { label: 'from' });
    const { body: to } = await server.mutation('graph::add', { label: 'to' });
    const tuple = [from.result.$id, to.result.$id];
    await server.mutation('graph::connect', { from: tuple[0], to: tuple[1] });
    const answer = await ending('graph::linked', tuple);
    expect(answer).toMatchObject({ holds: true, proof: { relation: 'graph::linked' } });
    expect(answer.suggestions).toEqual({
      sets: [{ changes: [{ op: 'delete', relation: 'graph::link', tuple }], firings: [] }],
      complete: true,
    });
    expect((await explain('graph::linked', tuple)).body.result.holds).toBe(true);
  });

  it('reports blocking declarations, and nothing unless requested or for a fact that does not hold', async () => {
    const { suggestions } = await ending('graph::path', [1, 2]);
    expect(suggestions).toMatchObject({ sets: [], declared: [{ relation: 'graph::edge', tuple: [1, 2] }] });
    expect((await ending('graph::path', [4, 3])).suggestions).toBeUndefined();
    expect((await explain('graph::path', [1, 2])).body.result.suggestions).toBeUndefined();
  });
});

describe('POST /v1/explain with given values', () => {
  const ask = async (given: object) =>
    (await server.call('POST', '/v1/explain', { relation: 'graph::path', tuple: [4, 3], given })).body;

  it('explains the clause with these values, and lists the variables that accept values', async () => {
    const { result } = await ask({ clause: 1, values: { y: 2 } });
    expect(result.whyNot.clauses[1]).toMatchObject({ clause: 1, bindings: { y: 2 } });
    const names = result.whyNot.clauses[1].variables.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['y']);
  });

  it('refuses an unknown clause or variable, and a value of the wrong type', async () => {
    const refused = async (given: object) => (await ask(given)).error?.message;
    expect(await refused({ clause: 9, values: { y: 2 } })).toMatch(/no clause 9/);
    expect(await refused({ clause: 1, values: { why: 2 } })).toMatch(/no variable "why"/);
    expect(await refused({ clause: 1, values: { y: 'two' } })).toMatch(/Expected .*two/);
  });
});
