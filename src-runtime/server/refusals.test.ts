/** Refusals over HTTP with proofs of their violations. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Explanation } from '../api/schemas/explanation-schemas.js';
import { type RealServer, removeFolder, serveModule } from './testing/real.js';

const MODULE = `module yard
pub concept Ship { name: Text, draught: Int }
pub concept Berth { name: Text, depth: Int }
pub relation moored(ship: Ship, berth: Berth)
pub derive aground(s: Ship, b: Berth) when moored(s, b), s.draught > b.depth
pub check runsAground(s: Ship) when aground(s, b) severity blocking message "{s.name} runs aground at {b.name}"
pub individual quay: Berth { name: "Quay", depth: 5 }
pub mutation launch(name: Text, draught: Int) -> Ship { return insert Ship { name: name, draught: draught } }
pub mutation moor(ship: Ship) { insert moored(ship, @quay) }
pub mutation arrive(name: Text, draught: Int) { let s = insert Ship { name: name, draught: draught } insert moored(s, @quay) }
pub mutation fleet(ships: Int) {
  for n in range(0, ships) { let s = insert Ship { name: text(n), draught: 9 } insert moored(s, @quay) }
}
pub mutation never() { require 1 == 2 message "no" }
`;

let server: RealServer;

beforeAll(async () => {
  server = await serveModule(MODULE);
});

afterAll(async () => {
  await server.stop();
  await removeFolder(server.folder);
});

async function refused(name: string, args: object, query = '?explain=true') {
  const { status, body } = await server.call('POST', `/v1/dispatch/mutation${query}`, { path: `yard::${name}`, args });
  expect(status).toBe(400);
  expect(body.error.code).toBe('SVC_RUNTIME_CHECK_VIOLATION');
  return body.error.details as { explanations?: Explanation[]; names?: Record<string, string>; diagnostics: unknown[] };
}

function kindsIn(explanation: Explanation | undefined): string[] {
  const kinds: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { kind, relation } = value as { kind?: string; relation?: string };
    if (kind !== undefined && relation !== undefined) kinds.push(`${kind} ${relation}`);
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(explanation);
  return kinds;
}

describe('a refusal with explanations', () => {
  it('proves its violations in the discarded state, from stored and discarded facts', async () => {
    const ship = (await server.mutation('yard::launch', { name: 'Aurora', draught: 7 })).body.result.$id;
    const { explanations } = await refused('moor', { ship });
    expect(explanations).toHaveLength(1);
    expect(explanations?.[0]).toMatchObject({
      holds: true,
      proof: { kind: 'derived', relation: 'yard::runsAground', tuple: [ship] },
    });
    expect(kindsIn(explanations?.[0])).toEqual(
      expect.arrayContaining(['derived yard::aground', 'stored yard::moored']),
    );
    const text = JSON.stringify(explanations);
    expect(text, 'what is kept has the event that put it there').toContain('"kind":"insertIndividual"');
    expect(text, 'what would have been has none').not.toContain('"kind":"insertFact"');
    const { body } = await server.call('POST', '/v1/explain', { relation: 'yard::runsAground', tuple: [ship] });
    expect(body.result.holds, 'nothing is kept of it').toBe(false);
  });

  it('labels individuals that will not exist', async () => {
    const { explanations, names } = await refused('arrive', { name: 'Borea', draught: 8 });
    expect(explanations?.[0]?.holds).toBe(true);
    expect(Object.values(names ?? {})).toEqual(['Borea']);
  });

  it('proves the first ten of many', async () => {
    const { explanations, diagnostics } = await refused('fleet', { ships: 12 });
    expect([diagnostics.length, explanations?.length]).toEqual([12, 10]);
    expect(explanations?.every(({ holds }) => holds)).toBe(true);
  });

  it('works in a batch and for a text, and otherwise is unchanged', async () => {
    const steps = [{ mutation: 'yard::arrive', args: { name: 'Cara', draught: 9 } }];
    const batch = await server.call('POST', '/v1/batch?explain=true', { steps });
    expect(batch.body.error.details.explanations).toHaveLength(1);
    const source = 'mutation text() { let s = insert Ship { name: "Dora", draught: 9 } insert moored(s, @quay) }';
    const adhoc = await server.call('POST', '/v1/mutation/adhoc?explain=true', { source });
    expect(adhoc.body.error.details.explanations).toHaveLength(1);
    expect(await refused('arrive', { name: 'Ella', draught: 9 }, '')).not.toHaveProperty('explanations');
    expect((await refused('never', {})).explanations ?? []).toEqual([]);
  });

  it('proves what refuses the first row of an import, and a promotion, with the facts at that point', async () => {
    const rows = [
      { name: 'Fay', draught: 2 },
      { name: 'Gil', draught: 9 },
      { name: 'Hal', draught: 8 },
    ];
    const imported = await server.call('POST', '/v1/import?explain=true', { mutation: 'yard::arrive', rows });
    const { row, explanations, failures } = imported.body.error.details;
    expect([row, explanations.length, failures.length]).toEqual([1, 1, 2]);
    expect(kindsIn(explanations[0])).toContain('derived yard::aground');

    const ship = (await server.mutation('yard::launch', { name: 'Ida', draught: 5 })).body.result.$id;
    await server.call('POST', '/v1/forks', { id: 'tide' });
    await server.call('POST', '/v1/forks/tide/dispatch/mutation', { path: 'yard::moor', args: { ship } });
    const source = 'mutation load(s: Ship) { set s.draught = 9 }';
    await server.call('POST', '/v1/mutation/adhoc', { source, args: { s: ship } });
    const promoted = await server.call('POST', '/v1/forks/tide/promote?explain=true');
    expect(promoted.body.error.code).toBe('SVC_RUNTIME_CHECK_VIOLATION');
    expect(kindsIn(promoted.body.error.details.explanations[0])).toContain('derived yard::aground');
  });
});
