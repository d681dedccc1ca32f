import { describe, expect, it } from 'vitest';
import type { Json, RuleDeclaration } from '../../artifact/types.js';
import { noDeadline } from '../../base/ports.js';
import { loadProgram } from '../program/program.js';
import { FactStore } from '../store/store.js';
import {
  absent,
  aggregate,
  arithmetic,
  artifact,
  atom,
  bind,
  clause,
  compare,
  condition,
  constant,
  INT,
  int,
  relation,
  rule,
  TEXT,
  test,
  v,
} from '../testing/ir.js';
import { chainStore } from '../testing/path-store.js';
import type { EngineExplanation, EngineProof, EngineProofPremise, ExplainOptions } from '../types.js';
import { Interner } from '../values/codec.js';
import { explain } from './explain.js';
import { LEVELS_MAX } from './proof.js';

const RULES: readonly RuleDeclaration[] = [
  rule(
    'path',
    [INT, INT],
    [
      clause(['x', 'y'], [atom('edge', 'x', 'y')]),
      clause(['x', 'z'], [atom('path', 'x', 'y'), atom('edge', 'y', 'z')]),
    ],
  ),
  rule(
    'far',
    [INT, INT],
    [clause(['x', 'y'], [atom('path', 'x', 'y'), absent('edge', 'x', 'y'), test(compare('>', v('y'), int(2)))])],
  ),
  rule(
    'busy',
    [INT, INT],
    [
      clause(
        ['x', 'n'],
        [
          atom('edge', 'x', '_'),
          bind('n', aggregate('count', null, ['y'], condition([atom('edge', 'x', 'y')], {}, ['x']))),
        ],
      ),
    ],
  ),
  rule(
    'twice',
    [INT],
    [
      clause(['x'], [atom('edge', 'x', 'y'), atom('edge', 'y', 'z'), atom('missing', 'z'), atom('edge', 'z', 'w')]),
      clause(['x'], [atom('path', 'x', int(9)), atom('edge', 'x', '_')]),
      clause(['x'], [atom('edge', 'x', 'y'), atom('path', 'x', int(9))]),
      clause(['x'], [atom('busy', 'x', 'n'), test(compare('>=', v('n'), int(3)))]),
    ],
  ),
  rule(
    'met',
    [INT],
    [
      clause(
        ['x'],
        [
          atom('edge', 'y', 'z'),
          bind('x', v('z')),
          bind('$1', arithmetic('+', v('y'), int(1)), 'y + 1'),
          atom('missing', '$1'),
        ],
      ),
    ],
  ),
  rule('step', [INT], [clause(['x'], [atom('edge', 'x', int(2))]), clause(['x'], [atom('path', 'x', int(5))])]),
  rule('leaf', [INT], [clause(['x'], [atom('path', 'x', int(2))])]),
  rule(
    'calm',
    [INT],
    [
      clause(['x'], [atom('path', 'x', int(2))]),
      clause(
        ['x'],
        [
          atom('edge', 'x', 'y'),
          bind('n', aggregate('count', null, ['z'], condition([atom('path', 'y', 'z')], {}, ['y']))),
        ],
      ),
    ],
  ),
  rule('grown', [INT], [clause(['x'], [atom('step', 'x'), atom('leaf', 'x')])]),
  { ...rule('bad', [INT], []), body: { op: 'rule', clauses: [{ ...clause(['x'], []), op: 'riddle' as 'clause' }] } },
  rule('reader', [INT], [clause(['x'], [atom('bad', 'x')])]),
];

async function ask(path: string, codes: number[], options: ExplainOptions = {}): Promise<EngineExplanation> {
  const program = loadProgram(
    artifact({ rules: RULES, schema: { relations: [relation('edge', INT, INT), relation('missing', INT)] } }),
  );
  const store = new FactStore(program, new Interner(program));
  const transaction = store.begin();
  for (const [from, to] of [
    [1, 2],
    [2, 3],
    [3, 4],
    [1, 5],
  ] as const)
    transaction.insert('edge', [from, to]);
  transaction.commit();
  return explain(store.view(), path, codes, options, noDeadline);
}

/** One line a node: kind, fact, text, value. */
function outline(premise: EngineProofPremise, depth = 0): string[] {
  const indent = '  '.repeat(depth);
  if ('ref' in premise) return [`${indent}ref`];
  const fact = premise.relation === undefined ? premise.text : `${premise.relation}(${premise.tuple?.join()})`;
  const value = premise.value === undefined ? '' : ` = ${JSON.stringify(premise.value satisfies Json)}`;
  return [`${indent}${premise.kind} ${fact}${value}`, ...premise.premises.flatMap((each) => outline(each, depth + 1))];
}

describe('explain', () => {
  it('proves a fact from stored facts, in source order', async () => {
    const explanation = await ask('far', [1, 4]);
    expect(explanation.holds && outline(explanation.proof)).toEqual([
      'derived far(1,4)',
      '  derived path(1,4)',
      '    derived path(1,3)',
      '      derived path(1,2)',
      '        stored edge(1,2)',
      '      stored edge(2,3)',
      '    stored edge(3,4)',
      '  absent edge(1,4)',
      '  test compare',
    ]);
    expect(explanation.holds && explanation.proof).toMatchObject({
      rule: { path: 'far', clause: 0 },
      bindings: { x: 1, y: 4 },
    });
  });

  it('shows the facts that an aggregate counted, each expanded once', async () => {
    const explanation = await ask('busy', [1, 2]);
    expect(explanation.holds && outline(explanation.proof)).toEqual([
      'derived busy(1,2)',
      '  stored edge(1,2)',
      '  aggregate let n = 2',
      '    stored edge(1,5)',
      '    ref',
    ]);
  });

  it('distinguishes declared from stored facts, and includes the events of stored ones', async () => {
    const explanation = await ask('path', [1, 3], {
      isDeclared: (_, [from]) => from === 1,
      eventOf: (_, [from]) => ({ seq: from }),
    });
    expect(explanation.holds && outline(explanation.proof)).toContain('    declared edge(1,2)');
    expect(JSON.stringify(explanation)).toContain('"event":{"seq":2}');
    expect(JSON.stringify(explanation)).not.toContain('"event":{"seq":1}');
  });

  it('cuts a proof at the node limit and reports that', async () => {
    const explanation = await ask('far', [1, 4], { nodesMax: 4 });
    expect(explanation.holds && explanation.cut).toBe(true);
    expect(explanation.holds && outline(explanation.proof)).toHaveLength(4);
    expect(JSON.stringify(explanation)).toContain('"cutBy":"nodes"');
  });

  it.each([
    [LEVELS_MAX, undefined],
    [LEVELS_MAX + 1, 'levels'],
  ])('cuts a proof that has too many levels, with any number of nodes: %i', async (length, by) => {
    const explanation = await explain(
      chainStore(length).view(),
      'path',
      [0, length],
      { nodesMax: 1_000_000 },
      noDeadline,
    );
    if (!explanation.holds) throw new Error('expected a proof of the whole chain');
    let node = explanation.proof;
    for (let level = 1; level < LEVELS_MAX; level++) node = node.premises[0] as typeof node;
    const below = node.premises[0] as typeof node;
    expect([explanation.height, explanation.cut]).toEqual([length, by !== undefined]);
    expect([below.kind, below.cutBy]).toEqual(by === undefined ? ['stored', undefined] : ['derived', by]);
    expect(JSON.stringify(explanation).length).toBeGreaterThan(length);
  });

  it('lists each proof of a fact once, even if one of its premises was searched before', async () => {
    const explanation = await ask('grown', [1], { proofsMax: 5 });
    expect(explanation).toMatchObject({ minimal: true, others: 'none' });
    expect(explanation.holds && explanation.proofs.map(({ height }) => height)).toEqual([3, 3]);
  });

  it('finds the lowest proof even if it counts zero derived facts', async () => {
    // By the second clause: there is no path from 5. The first clause takes a path.
    const explanation = await ask('calm', [1], { proofsMax: 3 });
    expect(explanation).toMatchObject({ minimal: true, others: 'none' });
    expect(explanation.holds && explanation.proofs.map(({ height }) => height)).toEqual([1, 2, 3]);
  });

  it('has another proof if another stored fact would match a wildcard', async () => {
    const explanation = await ask('busy', [1, 2], { proofsMax: 3 });
    expect(explanation).toMatchObject({ others: 'none' });
    const first = ({ proof }: EngineProof) => outline(proof)[1];
    expect(explanation.holds && explanation.proofs.map(first)).toEqual(['  stored edge(1,2)', '  stored edge(1,5)']);
    expect(await ask('busy', [1, 2])).toMatchObject({ others: 'some' });
    expect(await ask('busy', [2, 1])).toMatchObject({ others: 'none' });
  });

  it('names the premise that fails, and explains why', async () => {
    const explanation = await ask('path', [4, 1]);
    expect(explanation).toMatchObject({
      holds: false,
      whyNot: {
        relation: 'path',
        tuple: [4, 1],
        clauses: [
          {
            clause: 0,
            satisfied: [],
            fails: { text: 'edge(x, y)', tuple: [4, 1], whyNot: { message: 'edge(4, 1) is not stored.' } },
          },
          { clause: 1, satisfied: [], fails: { text: 'path(x, y)', tuple: [4, null], whyNot: { relation: 'path' } } },
        ],
      },
    });
  });

  it('finds the binding that gets furthest, past a premise without matches', async () => {
    const explanation = await ask('twice', [1]);
    expect(explanation).toMatchObject({
      whyNot: {
        clauses: [
          { bindings: { x: 1, y: 2, z: 3, w: 4 }, fails: { text: 'missing(z)', tuple: [3] } },
          { satisfied: [{ ref: expect.any(String) }], fails: { text: 'path(x, 9)', whyNot: { relation: 'path' } } },
          { satisfied: [{ tuple: [1, 5] }], fails: { text: 'path(x, 9)', ref: expect.any(String) } },
          { bindings: { x: 1, n: 2 }, fails: { reason: 'n is 2, needed >= 3', values: [{ text: 'n', value: 2 }] } },
        ],
      },
    });
  });

  it('stops at a failing comparison, before a later premise without matches', async () => {
    expect(await ask('met', [9])).toMatchObject({
      whyNot: { clauses: [{ fails: { reason: 'z is 2, needed == x, which is 9' } }] },
    });
  });

  it('shows quotes for a text without characters', async () => {
    const named = [atom('tag', 't'), test(compare('!=', v('t'), constant(TEXT, ''), TEXT))];
    const program = loadProgram(
      artifact({
        rules: [rule('named', [TEXT], [clause(['t'], named, { t: TEXT })])],
        schema: { relations: [relation('tag', TEXT)] },
      }),
    );
    const interner = new Interner(program);
    const store = new FactStore(program, interner);
    const empty = interner.encode(TEXT, '');
    const transaction = store.begin();
    transaction.insert('tag', [empty]);
    transaction.commit();
    expect(await explain(store.view(), 'named', [empty], {}, noDeadline)).toMatchObject({
      whyNot: { clauses: [{ fails: { reason: expect.stringMatching(/^t is "", needed != /) } }] },
    });
  });

  it('shows an expression argument as in the source, with its value', async () => {
    expect(await ask('met', [3])).toMatchObject({
      whyNot: {
        clauses: [
          {
            bindings: { x: 3, y: 2, z: 3 },
            satisfied: [
              { tuple: [2, 3] },
              { text: 'let x' },
              { text: 'y + 1', value: 3, values: [{ text: 'y', value: 2 }] },
            ],
            fails: { text: 'missing(y + 1)', tuple: [3] },
          },
        ],
      },
    });
  });

  it('marks where a limit stopped it', async () => {
    const explanation = await ask('twice', [1], { depthMax: 1 });
    expect(explanation).toMatchObject({ cut: true, whyNot: { clauses: [{}, { fails: { cut: true } }, {}, {}] } });
    expect(await ask('twice', [1])).toMatchObject({ cut: false });
  });

  it('names the fact that blocks a negated premise', async () => {
    const explanation = await ask('far', [1, 5]);
    expect(explanation).toMatchObject({
      holds: false,
      whyNot: {
        clauses: [{ fails: { text: 'not edge(x, y)', tuple: [1, 5], blockedBy: { kind: 'stored', tuple: [1, 5] } } }],
      },
    });
  });

  it('fails only if it needs an unknown body', async () => {
    await expect(ask('bad', [1])).rejects.toMatchObject({ kind: 'undecodable', path: 'bad' });
    await expect(ask('reader', [1])).rejects.toMatchObject({ kind: 'undecodable', path: 'bad' });
    expect((await ask('path', [1, 2])).holds).toBe(true);
  });
});
