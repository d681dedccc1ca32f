/** Explanations become outlines and graphs that show each fact once and lose nothing. */

import { describe, expect, it } from 'vitest';
import type { Explanation, ProofNode, ProofPremise } from '../../../src-runtime/api/schemas/explanation-schemas.js';
import {
  allOpened,
  initiallyOpened,
  inReadingOrder,
  type OpenedSteps,
  openedTo,
  proofGraph,
  toggled,
} from '../../panels/explain/graph/proof-graph.js';
import { sharedSteps } from '../../panels/explain/steps/shared-steps.js';
import { stepText } from '../../panels/explain/steps/step-text.js';
import { collapsedAtFirst, initialSelection } from './outline-opening.js';
import { allSteps, explanationSteps, kindWord, type Step, stepsTogether } from './proof-outline.js';

const place = { line: 3, column: 1, offset: 40 };
const span = { file: 'lease.entail', start: place, end: place };

function stored(factId: string): ProofNode {
  return { kind: 'stored', factId, relation: 'lease::tenantOf', tuple: ['#i2', '#i1'], premises: [] };
}

function derived(factId: string, ...premises: ProofPremise[]): ProofNode {
  const rule = { path: 'lease::liable', clause: 1, span };
  return { kind: 'derived', factId, relation: 'lease::liable', tuple: ['#i1', '#i2'], rule, premises };
}

const holds = (proof: ProofNode): Explanation => ({
  holds: true,
  factId: 'root',
  proof,
  height: 1,
  cut: false,
  minimal: true,
  others: 'none',
});

describe('a proof', () => {
  const shared = holds(derived('root', derived('a', stored('leaf')), { ref: 'leaf' }, { ref: 'a' }));

  it('becomes an outline with references from repeated facts to the expanded one', () => {
    const steps = allSteps(explanationSteps(shared));
    expect(steps.map((step) => step.kind)).toEqual(['derived', 'derived', 'stored', 'ref', 'ref']);
    expect(steps[3]).toMatchObject({ target: 's3', relation: 'lease::tenantOf', tuple: ['#i2', '#i1'] });
    expect(steps[4]).toMatchObject({ target: 's2' });
  });

  it('becomes a graph with each fact once and an edge for every use', () => {
    const roots = explanationSteps(shared);
    const graph = proofGraph(roots, allOpened(roots));
    expect(graph.steps.map((step) => step.factId)).toEqual(['root', 'a', 'leaf']);
    expect(graph.edges.map(({ from, to }) => `${from}→${to}`).sort()).toEqual(['s1→s2', 's1→s3', 's2→s3']);
  });

  it('is laid out depth-first, with a shared fact at its first use', () => {
    const roots = explanationSteps(
      holds(derived('r', derived('a', derived('x'), stored('y')), derived('b', { ref: 'x' }, stored('z')))),
    );
    const graph = proofGraph(roots, allOpened(roots));
    expect(graph.steps.map(({ factId }) => factId).join('')).toBe('rabxyz');
    expect(
      inReadingOrder(graph)
        .map(({ factId }) => factId)
        .join(''),
    ).toBe('raxybz');
  });

  it('merges with proofs of other facts, and has shared steps once', () => {
    const one = holds(derived('one', derived('a', stored('x')), stored('y')));
    const other = holds(derived('other', derived('b', derived('a', stored('z')), stored('y')), { ref: 'z' }));
    const roots = stepsTogether([one, other, holds(derived('a', stored('x')))]);
    expect(roots.map(({ kind, factId }) => `${kind} ${factId}`)).toEqual(['derived one', 'derived other', 'ref a']);
    const graph = proofGraph(roots, allOpened(roots));
    const factOf = new Map(graph.steps.map(({ id, factId }) => [id, factId]));
    // The first proof expands `a` below `x`; the second needs what is below it elsewhere.
    expect([...factOf.values()].sort()).toEqual(['a', 'b', 'one', 'other', 'x', 'y', 'z']);
    expect(graph.edges.map(({ from, to }) => `${factOf.get(from)}→${factOf.get(to)}`).sort()).toEqual([
      'a→x',
      'b→a',
      'b→y',
      'one→a',
      'one→y',
      'other→b',
      'other→z',
    ]);
    expect(sharedSteps(roots)).toBe(3);
    expect(sharedSteps(stepsTogether([one]))).toBe(0);
  });

  const chain = explanationSteps(holds(derived('1', derived('2', derived('3', derived('4'))))));
  const drawn = (opened: OpenedSteps, stepsMax?: number) => {
    const { steps, edges, hidden, isFull } = proofGraph(chain, opened, stepsMax);
    return { steps: steps.map(({ factId }) => factId), edges: edges.length, hidden: [...hidden], isFull };
  };

  it('draws the opened steps, and counts the hidden premises at the frontier', () => {
    expect(drawn(new Map([['s1', 1]]))).toEqual({
      steps: ['1', '2'],
      edges: 1,
      hidden: [['s2', 1]],
      isFull: false,
    });
    expect(drawn(openedTo(chain, 's4', new Map([['s1', 1]]))).steps).toEqual(['1', '2', '3', '4']);
    // Selecting a step must not lay out a thousand steps again.
    const opened = new Map([['s1', 1]]);
    expect(openedTo(chain, 's2', opened)).toBe(opened);
  });

  it('draws the steps nearest to the conclusion up to the limit, and says when it is full', () => {
    expect(drawn(allOpened(chain), 3)).toEqual({
      steps: ['1', '2', '3'],
      edges: 2,
      hidden: [['s3', 1]],
      isFull: true,
    });
    expect(drawn(allOpened(chain), 4).isFull).toBe(false);
  });

  it('starts with as many levels as the limit allows, and at least one', () => {
    expect(initiallyOpened(chain, 3)).toEqual(
      new Map([
        ['s1', 1],
        ['s2', 1],
      ]),
    );
    const wide = explanationSteps(holds(derived('root', stored('a'), stored('b'), stored('c'))));
    expect(initiallyOpened(wide, 2)).toEqual(new Map([['s1', 3]]));
  });

  it('opens many premises in batches, then closes them all', () => {
    const premises = Array.from({ length: 60 }, (_, number) => stored(`f${number}`));
    const roots = explanationSteps(holds(derived('root', ...premises)));
    const [root] = roots;
    let opened = initiallyOpened(roots);
    const counts: number[] = [];
    for (let press = 0; press < 4 && root !== undefined; press++) {
      const graph = proofGraph(roots, opened);
      counts.push(graph.steps.length);
      opened = toggled(graph, root, opened);
    }
    expect(counts).toEqual([25, 49, 61, 1]);
    expect(proofGraph(roots, openedTo(roots, 's41', new Map())).steps).toHaveLength(41);
  });

  it('draws every edge between drawn steps, even from a closed step', () => {
    const roots = explanationSteps(shared);
    const graph = proofGraph(roots, new Map([['s1', 3]]));
    expect(graph.edges.map(({ id }) => id)).toContain('s2-s3');
    expect(graph.hidden.size).toBe(0);
  });

  it('starts expanded if small, and with collapsed lower levels if large', () => {
    expect(collapsedAtFirst(explanationSteps(shared)).size).toBe(0);
    let deep = derived('deep');
    for (let depth = 0; depth < 100; depth++) deep = derived(`d${depth}`, deep);
    const collapsed = collapsedAtFirst(explanationSteps(holds(deep)));
    expect(collapsed.has('s2')).toBe(false);
    expect(collapsed.has('s3')).toBe(true);
  });
});

const counted = (count: number): ProofNode => ({
  kind: 'aggregate',
  text: 'let n = count(for e where Entry(e))',
  value: count,
  contributions: count,
  premises: Array.from({ length: count }, (_, at) => stored(`e${at}`)),
});

describe('a computed number', () => {
  const fee: ProofNode = {
    kind: 'test',
    text: 'let fee = round(t * 0.05 + n * 2, 2)',
    value: '7.65',
    values: [
      { text: 't', value: '33' },
      { text: 'n', value: 3 },
    ],
    premises: [],
  };

  it('shows its formula with the operands, or the size of its aggregate', () => {
    const [root] = explanationSteps(holds(derived('root', counted(1_200), fee)));
    const [sum, formula] = root?.children ?? [];
    const naming = { index: new Map(), label: (id: string) => id, mark: () => undefined };
    expect(formula && stepText(formula, naming)).toBe('fee = 7.65 (round(t (33) * 0.05 + n (3) * 2, 2))');
    expect(sum && kindWord(sum)).toBe('aggregate of 1,200');
  });

  it('keeps its formula in view: a large aggregate before it starts collapsed', () => {
    const closed = (...premises: ProofNode[]): number =>
      collapsedAtFirst(explanationSteps(holds(derived('root', ...premises)))).size;
    expect(closed(counted(25), fee)).toBe(1);
    expect(closed(counted(24), fee)).toBe(0);
    expect(closed(fee, counted(25))).toBe(0);
  });
});

describe('the contributions of an aggregate', () => {
  const contribution = (name: string, value: number | null, decides = false) => ({
    bindings: { x: name },
    value,
    ...(decides && { decides }),
    premises: [{ ref: `paid ${name}` }, { kind: 'absent' as const, relation: 'm::void', tuple: [name], premises: [] }],
  });
  const max = (...contributions: ReturnType<typeof contribution>[]) => ({
    text: 'max(x.amount for x where paidBy(x, p))',
    function: 'max' as const,
    value: 30,
    taken: contributions.filter(({ value }) => value !== null).length,
    contributions,
  });
  const maximum = max(contribution('B', 30, true), contribution('A', 10), contribution('C', null));
  const node: ProofNode = {
    kind: 'aggregate',
    text: 'let m = max(x.amount for x where paidBy(x, p))',
    value: 30,
    contributions: 3,
    aggregates: [maximum],
    premises: [stored('paid A'), stored('paid B'), stored('paid C')],
  };
  const naming = { index: new Map(), label: (id: string) => id, mark: () => undefined };
  const outline = (source: ProofNode) => {
    const [root] = explanationSteps(holds(derived('root', source)));
    const lines = (step: Step, depth: number): string[] => [
      `${'  '.repeat(depth)}${step.factId ?? stepText(step, naming)} [${kindWord(step)}]`,
      ...step.children.flatMap((child) => lines(child, depth + 1)),
    ];
    return (root?.children ?? []).flatMap((step) => lines(step, 0));
  };

  it('are its children with value and premises, the deciding one first', () => {
    expect(outline(node)).toEqual([
      'm = 30 (max(x.amount for x where paidBy(x, p))) [aggregate of 2]',
      '  B decides with 30 [contribution]',
      '    paid B [stored]',
      '    not: B is void [absent]',
      '  A gives 10 [contribution]',
      '    paid A [stored]',
      '    not: A is void [absent]',
      '  C has no value [skipped]',
      '    paid C [stored]',
      '    not: C is void [absent]',
    ]);
  });

  it('have a separate parent if the expression reads other facts too', () => {
    const lines = outline({ ...node, premises: [...node.premises, stored('limit')] });
    expect(lines.filter((line) => !/^ {3}/.test(line))).toEqual([
      'm = 30 (max(x.amount for x where paidBy(x, p))) [aggregate]',
      '  max = 30 (max(x.amount for x where paidBy(x, p))) [aggregate of 2]',
      '  limit [stored]',
    ]);
  });

  it('are replaced by their only fact if that shows the value', () => {
    const only = (value: number) => ({ ...contribution('A', value, true), premises: [{ ref: 'paid A' }] });
    const { value: _, decides: __, ...counted } = only(30);
    const count = { ...maximum, function: 'count' as const, taken: 1, contributions: [counted] };
    const below = (aggregation: NonNullable<ProofNode['aggregates']>[number]) =>
      outline({ ...node, aggregates: [aggregation], premises: [{ ...stored('paid A'), tuple: ['#i2', 30] }] }).slice(1);
    expect(below(count)).toEqual(['  paid A [stored]']);
    expect(below({ ...maximum, contributions: [only(30)] })).toEqual(['  paid A [stored, decides]']);
    expect(below({ ...maximum, contributions: [only(60)] })).toEqual([
      '  A decides with 60 [contribution]',
      '    paid A [stored]',
    ]);
  });

  it('are limited in the graph and collapsed in the outline if there are many', () => {
    const many = Array.from({ length: 40 }, (_, at) => contribution(`P${at}`, at));
    const premises = many.map(({ bindings }) => stored(`paid ${bindings.x}`));
    const roots = explanationSteps(holds(derived('root', { ...node, aggregates: [max(...many)], premises })));
    const graph = proofGraph(roots, initiallyOpened(roots));
    expect(graph.steps.filter(({ kind }) => kind === 'contribution')).toHaveLength(6);
    expect([...graph.hidden.values()]).toEqual([34, 2, 2, 2, 2, 2, 2]);
    expect(collapsedAtFirst(roots).size).toBe(40);
  });
});

describe('a why-not', () => {
  it('lists the satisfied premises of each clause, and the one that fails', () => {
    const steps = allSteps(
      explanationSteps({
        holds: false,
        cut: false,
        whyNot: {
          id: 'fOuter',
          relation: 'lease::liable',
          tuple: ['#i1', '#i2'],
          message: 'Ada is not liable for L1.',
          clauses: [
            {
              rule: 'lease::liable',
              clause: 1,
              span,
              satisfied: [stored('leaf')],
              bindings: { t: '#i3' },
              fails: {
                text: 'worksFor(t, p)',
                span,
                relation: 'lease::worksFor',
                tuple: ['#i3', null],
                whyNot: { id: 'fInner', relation: 'lease::worksFor', tuple: [], message: '', clauses: [] },
              },
            },
            {
              rule: 'lease::liable',
              clause: 2,
              span,
              satisfied: [],
              bindings: {},
              fails: { text: 'l.rent >= 900', span, reason: 'l.rent is 800, needed >= 900' },
            },
          ],
        },
      }),
    );
    expect(steps.map((step) => step.kind)).toEqual(['whyNot', 'clause', 'stored', 'missing', 'clause', 'fails']);
    expect(steps[3]).toMatchObject({ text: 'worksFor(t, p)', tuple: ['#i3', null] });
    expect(steps[5]).toMatchObject({ text: 'l.rent >= 900', reason: 'l.rent is 800, needed >= 900' });
  });

  it('lists later premises that are missing, fail, or have unbound variables', () => {
    const missing = (text: string) => ({ text, span, relation: 'lease::worksFor', tuple: ['#i3', null] });
    const clause = {
      rule: 'lease::liable',
      clause: 0,
      span,
      satisfied: [stored('leaf')],
      bindings: {},
      fails: missing('worksFor(t, p)'),
      behind: [
        { ...missing('owns(p, q)'), state: 'fails' as const },
        { text: 'l.rent > 9', span, reason: 'l.rent is 8, needed > 9', state: 'fails' as const },
        { ...missing('not owns(q, p)'), state: 'open' as const },
      ],
    };
    const whyNot = { id: 'f1', relation: 'lease::liable', tuple: ['#i1'], message: '', clauses: [clause] };
    const kinds = allSteps(explanationSteps({ holds: false, cut: false, whyNot })).map(({ kind }) => kind);
    expect(kinds.slice(2)).toEqual(['stored', 'missing', 'missingToo', 'failsToo', 'open']);
  });

  describe('when opened', () => {
    const clause = { rule: 'lease::eligible', clause: 0, span, bindings: {} };
    const fails = { text: 'not barred(p)', span, relation: 'lease::barred', tuple: ['#i1'], blockedBy: stored('bar') };
    const held = derived('held', ...Array.from({ length: 9 }, (_, at) => stored(`f${at}`)));
    const opened = (...clauses: readonly ProofNode[][]) => {
      const whyNot = { id: 'f1', relation: 'lease::eligible', tuple: ['#i1'], message: '' };
      return explanationSteps({
        ...{ holds: false, cut: false },
        whyNot: { ...whyNot, clauses: clauses.map((satisfied) => ({ ...clause, satisfied, fails })) },
      });
    };

    it('selects the failing premise of its only clause, or the fact if it has several', () => {
      expect(initialSelection(opened([held, stored('leaf')]))?.text).toBe('not barred(p)');
      expect(initialSelection(opened([held], []))?.kind).toBe('whyNot');
      const [root] = opened([held], []);
      expect(root?.children.map(kindWord)).toEqual(['clause: 1 of 2 conditions met', 'clause: 0 of 1 conditions met']);
      expect(initialSelection(explanationSteps(holds(held)))?.factId).toBe('held');
    });

    it('collapses proofs that would push the failing premise out of view', () => {
      const names = (satisfied: ProofNode[]) => {
        const roots = opened(satisfied);
        const collapsed = collapsedAtFirst(roots);
        return allSteps(roots).flatMap(({ id, factId }) => (collapsed.has(id) ? [factId] : []));
      };
      expect(names([held, stored('leaf')])).toEqual(['held']);
      expect(names([derived('low', stored('leaf'))])).toEqual([]);
    });
  });

  it('expands the path to the failing premise through why-nots of one clause', () => {
    const whyNotOf = (id: string, fails: object): object => ({
      ...{ id, relation: 'lease::liable', tuple: ['#i1', '#i2'], message: '' },
      clauses: [{ rule: 'lease::liable', clause: 0, span, bindings: {}, satisfied: [counted(30)], fails }],
    });
    const missing = (whyNot?: object) => ({ text: id, span, relation: 'lease::liable', tuple: ['#i1', '#i2'], whyNot });
    const id = 'liable(p, l)';
    const whyNot = whyNotOf('a', missing(whyNotOf('b', missing(whyNotOf('c', missing())))));
    const roots = explanationSteps({ holds: false, cut: false, whyNot } as unknown as Explanation);
    const collapsed = collapsedAtFirst(roots);
    const kinds = allSteps(roots).filter((step) => collapsed.has(step.id));
    expect(kinds.map(({ kind }) => kind)).toEqual(['aggregate', 'aggregate', 'aggregate']);
  });

  it('selects the failing premise of the nearest clause, and refers to a why-not shown elsewhere', () => {
    const whyNotOf = (id: string, ...clauses: object[]): object => ({
      ...{ id, relation: 'lease::liable', tuple: ['#i1', '#i2'], message: '' },
      clauses: clauses.map((each, clause) => ({ rule: 'lease::liable', clause, span, bindings: {}, ...each })),
    });
    const missing = (text: string, more: object = {}) => ({ text, span, relation: text, tuple: ['#i1'], ...more });
    const far = {
      satisfied: [],
      fails: missing('far', { ref: 'root' }),
      behind: [{ ...missing('b'), state: 'fails' }],
    };
    const near = { satisfied: [stored('leaf')], fails: missing('near', { whyNot: whyNotOf('inner', far) }) };
    const whyNot = whyNotOf('root', far, near);
    const roots = explanationSteps({ holds: false, cut: false, whyNot } as unknown as Explanation);
    const [root] = roots;
    expect(root?.children.map(kindWord)).toEqual([
      'clause: 0 of 2 conditions met',
      'nearest clause: 1 of 2 conditions met',
    ]);
    expect(initialSelection(roots)?.text).toBe('near');
    const repeated = allSteps(roots).filter(({ text }) => text === 'far');
    expect(repeated.map(({ target }) => target)).toEqual([root?.id, root?.id]);
    expect(repeated.map(kindWord)).toEqual(['missing, see above', 'missing, see above']);
  });

  it('shows both values of a differing `let` before the expression', () => {
    const text = 'let years = if born then passed - 1 else passed';
    const reason = 'if born then passed - 1 else passed is 29, needed == years, which is 66';
    const clause = { rule: 'lease::age', clause: 0, span, satisfied: [], bindings: {}, fails: { text, span, reason } };
    const whyNot = { id: 'f1', relation: 'lease::age', tuple: ['#i1', 66], message: '', clauses: [clause] };
    const [, , step] = allSteps(explanationSteps({ holds: false, cut: false, whyNot }));
    const naming = { index: new Map(), label: () => undefined, mark: () => undefined };
    expect(step && stepText(step, naming)).toBe('years would be 29, not 66 (if born then passed - 1 else passed)');
  });

  it('distinguishes a missing fact from a negated fact that is true', () => {
    const clause = { rule: 'lease::Vacant', clause: 0, span, satisfied: [], bindings: {} };
    const fails = { text: 'not occupied(u)', span, relation: 'lease::occupied', tuple: ['#i1'] };
    const vacant = { id: 'f1', relation: 'lease::Vacant', tuple: ['#i1'], message: '' };
    const kindOf = (blocked: boolean) => {
      const failure = blocked ? { ...fails, blockedBy: stored('leaf') } : { ...fails, text: 'occupied(u)' };
      const whyNot = { ...vacant, clauses: [{ ...clause, fails: failure }] };
      return allSteps(explanationSteps({ holds: false, cut: false, whyNot }))
        .slice(2)
        .map(({ kind }) => kind);
    };
    expect(kindOf(true)).toEqual(['fails', 'stored']);
    expect(kindOf(false)).toEqual(['missing']);
  });
});
