import { describe, expect, it } from 'vitest';
import { placeSources } from '../../../../src-runtime/compiler/index.js';
import { analyse } from '../../../../src-runtime/language/service/index.js';
import { declarationsOf } from '../../../workspace/analysis-worker.js';
import { type Diagram, type DiagramPart, schemaDiagram } from './diagram.js';
import { boxInDirection } from './diagram-keyboard.js';
import { sizeOf } from './diagram-layout.js';
import { drawingOf } from './diagram-svg.js';

const MODULE = `module m
enum Stage { open, closed }
concept Party { name: Text unique  stage: Stage }
concept Person is Party { boss: Person?  home: Place  jobs: [Party] via worksFor }
concept Place { }
relation worksFor(person: Person, company: Party [0..1])
relation paid(person: Person, month: Date, amount: Decimal [0..1])
relation due(month: Date)
derive near(p: Person, neighbour: Person) when Person(p), Person(neighbour)
define Boss(p: Person) when p.boss == none
`;

function drawn(text: string, hidden: readonly DiagramPart[] = [], around?: string): Diagram {
  const analysis = analyse(placeSources([{ file: 'm.entail', text }]));
  return schemaDiagram(declarationsOf(analysis), { hidden: new Set(hidden), neighboursOf: around });
}

/** For example `Party -is-> Person`, or `~` for a dashed edge. */
function lines({ edges }: Diagram): string[] {
  return edges.map(({ from, to, kind, derived, label }) => {
    const dash = derived ? '~' : '-';
    return `${from.slice(3)} ${dash}${kind}${dash}> ${to.slice(3)}${label === '' ? '' : ` (${label})`}`;
  });
}

describe('a schema diagram', () => {
  it('has a box for each declaration, with its fields or value endpoints', () => {
    expect(
      drawn(MODULE).nodes.map(({ name, kind, lines: own }) => [
        kind,
        name,
        own.map((line) => `${line.name} ${line.type}`.trim()),
      ]),
    ).toEqual([
      ['concept', 'Party', ['name Text unique', 'stage Stage']],
      ['concept', 'Person', ['boss Person?', 'home Place', 'jobs [Party] via worksFor']],
      ['concept', 'Place', []],
      ['enum', 'Stage', ['open', 'closed']],
      ['define', 'Boss', []],
      ['stored', 'worksFor', []],
      ['stored', 'paid', ['month Date', 'amount Decimal 0..1']],
      ['stored', 'due', ['month Date']],
      ['derived', 'near', []],
    ]);
  });

  it('has an edge for each subconcept, reference, enum and endpoint, with its multiplicity', () => {
    expect(lines(drawn(MODULE))).toEqual([
      'Party -enum-> Stage',
      'Party -is-> Person',
      'Person -field-> Person (boss 0..1)',
      'Person -field-> Place (home 1)',
      'Person ~is~> Boss',
      'Person -end-> worksFor (person *)',
      'worksFor -end-> Party (company 0..1)',
      'Person -end-> paid (person *)',
      'Person ~end~> near',
      'near ~end~> Person (neighbour)',
    ]);
  });

  it('hides parts with their edges', () => {
    const without = drawn(MODULE, ['fields', 'enums', 'derived']);
    expect(without.nodes.map(({ name }) => name)).toEqual(['Party', 'Person', 'Place', 'worksFor', 'paid', 'due']);
    expect(lines(without).some((line) => line.includes('~') || line.includes('enum'))).toBe(false);
    expect(without.nodes[0]?.lines).toEqual([]);
  });

  it('shows a declaration with its neighbours, and the other endpoints of its relations', () => {
    expect(drawn(MODULE, [], 'm::Place').nodes.map(({ name }) => name)).toEqual(['Person', 'Place']);
    expect(drawn(MODULE, [], 'm::worksFor').nodes.map(({ name }) => name)).toEqual(['Party', 'Person', 'worksFor']);
    const party = drawn(MODULE, [], 'm::Party');
    expect(party.nodes.map(({ name }) => name)).toEqual(['Party', 'Person', 'Stage', 'worksFor']);
    expect(lines(party)).toContain('Person -end-> worksFor (person *)');
  });

  it('shows everything if the declaration does not exist', () => {
    expect(drawn(MODULE, [], 'm::Gone').nodes).toHaveLength(9);
  });

  it('has no edges to an enum that many concepts use', () => {
    const users = Array.from({ length: 7 }, (_, index) => `concept C${index} { stage: Stage }`);
    expect(lines(drawn(`module m enum Stage { open } ${users.join(' ')}`))).toEqual([]);
    expect(lines(drawn(`module m enum Stage { open } ${users.slice(1).join(' ')}`))).toHaveLength(6);
  });

  it('uses qualified names with several modules', () => {
    const analysis = analyse(
      placeSources([
        { file: 'a.entail', text: 'module a pub concept X { }' },
        { file: 'b.entail', text: 'module b pub concept X { }' },
      ]),
    );
    const { nodes } = schemaDiagram(declarationsOf(analysis), { hidden: new Set(), neighboursOf: undefined });
    expect(nodes.map(({ name }) => name)).toEqual(['a::X', 'b::X']);
  });
});

const placed = {
  positions: { left: { x: 0, y: 0 }, right: { x: 200, y: 10 }, below: { x: 20, y: 100 } },
  sizes: Object.fromEntries(['left', 'right', 'below'].map((id) => [id, { width: 80, height: 28 }])),
};

describe('an arrow key', () => {
  it.each([
    ['left', 'ArrowRight', 'right'],
    ['left', 'ArrowDown', 'below'],
    ['below', 'ArrowUp', 'left'],
    ['right', 'ArrowLeft', 'left'],
    ['left', 'ArrowUp', undefined],
    ['below', 'Home', 'left'],
    ['left', 'x', undefined],
  ])('at %s, %s leads to %s', (current, key, target) => {
    expect(boxInDirection(placed, current, key)).toBe(target);
  });
});

describe('a drawing', () => {
  const measure = (text: string): number => text.length * 7;

  it('is standalone, with boxes, edges and labels, and escapes names', () => {
    const diagram = drawn('module m concept A { b: B } concept B { }');
    const sizes = Object.fromEntries(diagram.nodes.map((node) => [node.id, sizeOf(node, measure)]));
    const positions = { 'm::A': { x: 0, y: 0 }, 'm::B': { x: 200, y: 0 } };
    const [edge] = diagram.edges;
    const points = [
      { x: 80, y: 14 },
      { x: 200, y: 14 },
    ];
    const routes = { [edge?.id ?? '']: { points, label: { x: 160, y: 16 } } };
    const svg = drawingOf('<m> & "co"', diagram, { positions, sizes, lines: routes }, measure);
    expect(svg).toContain('<title>&lt;m&gt; &amp; &quot;co&quot;</title>');
    expect(svg).toContain('>b 1</text>');
    expect(svg).toContain('M80 14L200 14');
    expect(svg.match(/class="node box concept"/g)).toHaveLength(2);
    expect(svg).not.toMatch(/<text[^>]*><\/text>/);
  });

  it('sizes a box by its text, within limits', () => {
    const node = drawn('module m concept A { }').nodes[0];
    if (node === undefined) throw new Error('there is a box');
    const small = sizeOf(node, measure);
    const long = sizeOf({ ...node, lines: [{ name: 'x'.repeat(90), type: 'Text' }] }, measure);
    expect(small.height).toBe(28);
    expect(long.height).toBe(54);
    expect(small.width).toBeLessThan(60);
    expect(long.width).toBe(280);
  });
});
