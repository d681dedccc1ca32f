import { describe, expect, it } from 'vitest';
import type { Explanation, ProofNode } from '../../../../src-runtime/api/schemas/explanation-schemas.js';
import { explanationSteps } from '../../../domain/proof/proof-outline.js';
import { explanationJson, explanationsJson, explanationsText, explanationText } from '../steps/export-text.js';
import { inBriefNaming, stepText } from '../steps/step-text.js';
import { graphSvg } from './export-svg.js';
import { allOpened, type OpenedSteps, proofGraph } from './proof-graph.js';
import { PROOF_FORMS } from './proof-layout.js';

const place = { line: 3, column: 1, offset: 40 };
const rule = { path: 'm::knows', clause: 1, span: { file: 'm.entail', start: place, end: place } };
const leaf: ProofNode = {
  kind: 'stored',
  factId: 'leaf',
  relation: 'm::meets',
  tuple: ['#i1', '<b> & "co"\u0001'],
  premises: [],
  event: { seq: 7, txn: 't1', at: '2026-01-01T00:00:00.000Z', kind: 'tupleInserted' } as never,
};
const explanation: Explanation = {
  holds: true,
  factId: 'root',
  proof: { kind: 'derived', factId: 'root', relation: 'm::knows', tuple: ['#i1'], rule, premises: [leaf] },
  height: 1,
  cut: false,
  minimal: true,
  others: 'none',
};
const naming = {
  index: new Map(),
  label: (id: string) => (id === '#i1' ? 'Ada' : undefined),
  mark: () => undefined,
};

describe('plain text', () => {
  it('lists the marks of each fact, and shared steps once', () => {
    const other: Explanation = { ...explanation, factId: 'leaf', proof: leaf, height: 0 };
    const lines = explanationsText([explanation, other], naming).split('\n');
    expect(lines.filter((line) => line.startsWith('m::'))).toEqual([
      'm::knows(#i1)',
      expect.stringContaining('m::meets'),
    ]);
    expect(lines.filter((line) => line.includes('[stored'))).toHaveLength(1);
    expect(lines.at(-2)).toContain('[see above]');
    const facts = [
      { relation: 'm::knows', tuple: ['#i1'] },
      { relation: 'm::meets', tuple: ['#i1', 'x'] },
    ];
    expect(JSON.parse(explanationsJson(facts, [explanation, other]))).toMatchObject([
      { ...facts[0], factId: 'root' },
      { ...facts[1], factId: 'leaf' },
    ]);
  });

  it('lists the outline with kinds, positions and changes', () => {
    expect(explanationText(explanation, naming)).toBe(
      [
        'm::knows(#i1)',
        'True · Full proof · 1 step deep (shortest) · Only proof',
        '',
        '- Ada knows [derived, clause 2, m.entail:3]',
        '  - Ada meets <b> & "co"\u0001 [stored, change 7]',
        '',
      ].join('\n'),
    );
  });
});

describe('a proof of hundreds of facts', () => {
  const HEIGHT = 300;
  const proof = Array.from({ length: HEIGHT }, (_, place) => place).reduce<ProofNode>(
    (below, place) => ({
      kind: 'derived',
      factId: `f${place}`,
      relation: 'm::knows',
      tuple: ['#i1'],
      rule,
      premises: [below],
    }),
    leaf,
  );
  const deep: Explanation = { ...explanation, proof, height: HEIGHT };

  it('has readable lines that name their level', () => {
    const lines = explanationText(deep, naming).split('\n');
    expect(lines).toHaveLength(HEIGHT + 5);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(120);
    expect(lines.at(-2)?.trim()).toBe(`- (level ${HEIGHT}) Ada meets <b> & "co"\u0001 [stored, change 7]`);
  });

  it('is exported as JSON without indentation', () => {
    expect(JSON.parse(explanationJson(deep))).toEqual(deep);
    expect(explanationJson(deep).length).toBe(JSON.stringify(deep).length + 1);
    expect(explanationJson(explanation)).toContain('\n  "holds": true');
  });
});

describe('an exported graph', () => {
  const NAME = `Ada ${'of the Upper Valley '.repeat(10)}Byron`;
  const long = { ...naming, label: (id: string) => (id === '#i1' ? NAME : undefined) };
  const roots = explanationSteps(explanation);
  const drawing = (opened: OpenedSteps, title = 'A proof') =>
    graphSvg({
      title,
      graph: proofGraph(roots, opened),
      positions: { s1: { x: 0, y: 0 }, s2: { x: 40, y: 100 } },
      waypoints: {},
      form: PROOF_FORMS[0],
      textOf: (step) => stepText(step, long),
      briefOf: (step) => stepText(step, inBriefNaming(long)),
      measure: (text) => text.length * 6,
    });

  it('has every node with its text, and every edge', () => {
    const svg = drawing(allOpened(roots));
    expect(svg).toContain(`<title>derived: ${NAME} knows</title>`);
    expect(svg).toMatch(/>[^<]*\bknows<\/text>/);
    expect(svg.match(/<path class="edge"/g)).toHaveLength(1);
    expect(svg).toContain('prefers-color-scheme:dark');
  });

  it('escapes values', () => {
    const svg = drawing(allOpened(roots));
    expect(svg).toContain('&lt;b&gt; &amp; &quot;co&quot;</title>');
    expect(svg).not.toContain('\u0001');
  });

  it('wraps its title', () => {
    const title = `${NAME} knows`;
    const svg = drawing(allOpened(roots), title);
    const width = Number(/width="(\d+)"/.exec(svg)?.[1]);
    const lines = [...svg.matchAll(/font-size="14"[^>]*>([^<]*)</g)].map(([, line]) => line ?? '');
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join(' ')).toBe(title);
    // The title is wider than measured text.
    for (const line of lines) expect(line.length * 6 * (14 / 12)).toBeLessThan(width - 48);
  });

  it('counts hidden premises', () => expect(drawing(new Map())).toContain('>1 more</text>'));
});
