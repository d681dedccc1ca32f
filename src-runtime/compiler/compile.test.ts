/** The guarantees of a build: the same bytes everywhere, a result for every text, and the checks that declarations imply. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Artifact, Clause } from '../artifact/index.js';
import { decodeArtifact, encodeArtifact } from '../artifact/index.js';
import { compile } from './index.js';

const folder = new URL('../../resources/modules/', import.meta.url);
const samples = readdirSync(folder)
  .filter((file) => file.endsWith('.entail'))
  .sort()
  .map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }));

/** The artifact of one module that must compile without a finding. */
function build(text: string): Artifact {
  const { artifact, diagnostics } = compile([{ file: 'm.entail', text }]);
  expect(diagnostics).toEqual([]);
  if (artifact === undefined) throw new Error('no errors and no artifact');
  return artifact;
}

function clausesOf(declarations: readonly { readonly path: string; readonly body: unknown }[], path: string): Clause[] {
  const found = declarations.find((declaration) => declaration.path === path);
  return [...((found?.body as { clauses?: readonly Clause[] } | undefined)?.clauses ?? [])];
}

describe('a build', () => {
  it('has the same bytes for any order and folder', () => {
    const bytes = (files: typeof samples) =>
      encodeArtifact(compile(files, { includeSources: true }).artifact as Artifact);
    const here = bytes(samples.map(({ file, text }) => ({ file: `/srv/ada/modules/${file}`, text })));
    const there = bytes([...samples].reverse().map(({ file, text }) => ({ file: `C:\\work\\${file}`, text })));
    expect(there).toEqual(here);
  });

  it('has bytes that decode to the artifact', () => {
    const { artifact } = compile(samples);
    const decoded = decodeArtifact(encodeArtifact(artifact as Artifact));
    expect(decoded).toEqual({ ok: true, artifact });
    // Including the order of members: both descriptions are equal as text.
    expect(JSON.stringify(decoded)).toBe(JSON.stringify({ ok: true, artifact }));
  });

  it('names files relative to their common folder', () => {
    const { diagnostics } = compile([
      { file: '/a/b/c/one.entail', text: 'module one\nconcept A is B { }' },
      { file: '/a/b/two.entail', text: 'module two' },
    ]);
    expect(diagnostics.map(({ span }) => span.file)).toEqual(['c/one.entail']);
  });

  it('has no artifact if there is an error', () => {
    expect(compile([{ file: 'a.entail', text: 'module a concept' }]).artifact).toBeUndefined();
    expect(compile([]).artifact?.modules).toEqual([]);
  });
});

describe('the schema hash', () => {
  const hash = (text: string) => build(text).schemaHash;
  const base = hash('module m\nconcept A { x: Int where value > 0, y: Text }\nrelation r(a: A)');

  it('does not depend on docs, defaults, order, navigation or rules', () => {
    const other =
      'module m\nrelation r(a: A)\n/// About A.\nconcept A { y: Text, x: Int where  value > 0 = 3, all: [A] via rs }\nrelation rs(a: A, b: A)';
    const same =
      'module m\nrelation r(a: A)\n/// About A.\nconcept A { y: Text, x: Int where  value > 0 = 3 }\nderive d(a: A) when r(a)';
    expect(hash(same)).toBe(base);
    expect(hash(other)).not.toBe(base);
  });

  it.each([
    ['a type', 'module m\nconcept A { x: Decimal where value > 0, y: Text }\nrelation r(a: A)'],
    ['a refinement', 'module m\nconcept A { x: Int where value > 1, y: Text }\nrelation r(a: A)'],
    ['optionality', 'module m\nconcept A { x: Int where value > 0, y: Text? }\nrelation r(a: A)'],
    ['`unique`', 'module m\nconcept A { x: Int where value > 0, y: Text unique }\nrelation r(a: A)'],
    ['an endpoint', 'module m\nconcept A { x: Int where value > 0, y: Text }\nrelation r(b: A)'],
    ['`[0..1]`', 'module m\nconcept A { x: Int where value > 0, y: Text }\nrelation r(a: A [0..1])'],
  ])('depends on %s', (_, text) => {
    expect(hash(text)).not.toBe(base);
  });
});

describe('lowering', () => {
  it('replaces arguments that are not variables by fresh variables', () => {
    const { rules } = build('module m\nrelation r(a: Int, b: Int)\nderive d(x: Int) when r(x, y), r(y, x + 1)');
    const literals = clausesOf(rules, 'm::d')[0]?.condition.literals ?? [];
    expect(
      literals.map((literal) => ('relation' in literal ? literal.relation : 'text' in literal && literal.text)),
    ).toEqual(['m::r', 'x + 1', 'm::r']);
    expect(literals[2]).toMatchObject({ args: [{ name: 'y' }, { name: '$1' }] });
  });

  it('converts Int to Decimal in heads and joins the clauses of one derive', () => {
    const { rules } = build(
      'module m\nrelation i(a: Int)\nrelation d(a: Decimal)\nderive n(x: Decimal) when d(x)\nderive n(x: Decimal) when i(x)',
    );
    expect(clausesOf(rules, 'm::n').map((clause) => clause.head)).toEqual([
      [{ op: 'variable', name: 'x' }],
      [{ op: 'convert', operand: { op: 'variable', name: 'x' } }],
    ]);
  });

  it('keeps the text of a literal on one line', () => {
    const { rules } = build(
      'module m\nrelation r(a: Text)\nderive d(x: Text) when r(x), x /* not */ !=\n  "a  // b" // end\n',
    );
    expect(clausesOf(rules, 'm::d')[0]?.condition.literals[1]).toMatchObject({ text: 'x != "a  // b"' });
  });

  it('fills defaults into declared individuals and keeps a repeated fact once', () => {
    const { individuals, facts } = build(
      'module m\nconcept A { x: Decimal = 2, y: Text? }\nindividual a: A { }\nrelation r(a: A)\nfact r(@a)\nfact r(@a)',
    );
    expect(individuals[0]?.fields).toEqual([{ field: 'm::A.x', value: '2' }]);
    expect(facts.map((fact) => fact.tuple)).toEqual([['@m::a']]);
  });

  it('generates the checks that declarations imply', () => {
    const { checks } = build(
      'module m\nconcept A { code: Text unique, owner: A }\nrelation r(a: A, b: A [0..1], c: Int)',
    );
    expect(checks.map(({ path, builtIn, parameters }) => [path, builtIn, parameters.map(({ name }) => name)])).toEqual([
      ['m::A.code.unique', true, ['a']],
      ['m::A.owner', true, ['a']],
      ['m::r.b', true, ['a', 'c']],
    ]);
  });
});

describe('any text', () => {
  it('has one finding per mistake, even with syntax errors', () => {
    const text = 'module m\nenum S { a }\nconcept C { s: S }\nderive d(c: C) when C(c), c.s in [a]';
    expect(compile([{ file: 'm.entail', text }]).diagnostics.map(({ code }) => code)).toEqual(['E0010']);
  });

  it('can be long, deep and in any order', () => {
    const many = (count: number, part: (i: number) => string) => Array.from({ length: count }, (_, i) => part(i));
    const texts = [
      `module m\nrelation r(a: Int)\nderive d(x5000: Int) when r(x0)${many(5000, (i) => `, let x${i + 1} = x${i} + 1`)
        .reverse()
        .join('')}`,
      `module m\nrelation r(a: Int)\nderive d(x0: Int) when r(_)${many(3000, (i) => `, let x${i} = x${(i + 1) % 3000}`).join('')}`,
      `module m\n${many(2000, (i) => `concept C${i} is C${i + 1} { }`).join('\n')}\nconcept C2000 { }`,
      `module m\nfn f(x: Int) -> Int = ${'('.repeat(200)}x${`${' + x'.repeat(100)})`.repeat(200)}`,
    ];
    const codes = texts.map((text) => compile([{ file: 'm.entail', text }]).diagnostics.map(({ code }) => code));
    expect(codes).toEqual([[], ['E0403'], [], ['E0211']]);
  }, 120_000);
});
