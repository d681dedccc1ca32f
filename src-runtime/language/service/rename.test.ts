/** Renaming: its edits, its refusals, and that renaming back restores the sources. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { analyse, applyEdits, rename, renameAt } from './index.js';
import { indexOf } from './symbol-index.js';
import { withCursor } from './testing/cursor.js';

function renamed(source: string, name: string): string {
  const { analysis, file, offset } = withCursor(source);
  const outcome = rename(analysis, file, offset, name);
  if (!outcome.ok) return outcome.reason;
  return analysis.sources.map((each) => applyEdits(each, outcome.edits).text).join('\n---\n');
}

function check(source: string, name: string, expected: string): void {
  expect(renamed(source, name)).toBe(expected);
}

function checkRefused(source: string, name: string, reason: RegExp): void {
  expect(renamed(source, name)).toMatch(reason);
}

describe('rename', () => {
  it('changes a declaration and all its uses, in every file', () => {
    check(
      '// file a.entail\nmodule a\npub relation r|(a: Int)\n// file b.entail\nmodule b\nuse a::{r}\nderive d(x: Int) when r(x), not a::r(2)',
      'rel',
      'module a\npub relation rel(a: Int)\n\n---\nmodule b\nuse a::{rel}\nderive d(x: Int) when rel(x), not a::rel(2)',
    );
    check(
      'module m\nderive d(x: Int) when r(x)\nrelation r(a|: Int)\nfact r(a: 1)',
      'b',
      'module m\nderive d(x: Int) when r(x)\nrelation r(b: Int)\nfact r(b: 1)',
    );
    check(
      'module m\nenum E { a|, b }\nfn f(e: E) -> E = match e { a => b, b => E::a }',
      'c',
      'module m\nenum E { c, b }\nfn f(e: E) -> E = match e { c => b, b => E::c }',
    );
    check(
      'module m\nrelation r(a: Int)\nderive d(x: Int) when r(x|)\nderive d(x: Int) when r(x)',
      'y',
      'module m\nrelation r(a: Int)\nderive d(y: Int) when r(y)\nderive d(x: Int) when r(x)',
    );
  });

  it('changes a variable in all alternatives', () => {
    const of = (name: string) =>
      `module m\nrelation r(a: Int, b: Int)\nquery q() -> [Int] { select ${name} where (r(1, ${name}) or r(${name}, 2), ${name} > 3), r(${name}, ${name}) order by ${name} }`;
    const places = [...of('x').matchAll(/\bx\b/g)].map(({ index }) => index + 1);
    for (const at of places) check(`${of('x').slice(0, at)}|${of('x').slice(at)}`, 'y', of('y'));
    const rule = 'module m\nrelation r(a: Int, b: Int)\nderive d(x|: Int, z: Int = x + 1) when (r(x, _) or r(_, x))';
    check(rule, 'y', rule.replaceAll(/x\|?/g, 'y'));
  });

  it('changes a module at every use', () => {
    check(
      '// file a.entail\nmodule a|\npub concept A { }\n// file b.entail\nmodule b\nuse a::{A}\ndefine D(x: a::A) when A(x)',
      'base::core',
      'module base::core\npub concept A { }\n\n---\nmodule b\nuse base::core::{A}\ndefine D(x: base::core::A) when A(x)',
    );
  });

  it('refuses an invalid name', () => {
    checkRefused('module m\nconcept A| { }', 'when', /reserved word/);
    checkRefused('module m\nconcept A| { }', '2b', /not a name/);
    checkRefused('module m\nconcept A| { }', '_', /not a name/);
  });

  it('refuses built-ins and undeclared names', () => {
    checkRefused('module m\nfn f(x: Int) -> Int = ab|s(x)', 'b', /part of the language/);
    checkRefused('module m\nfn f(x: Int where val|ue > 0) -> Int = x', 'b', /keyword of refinements/);
    checkRefused('module m\nfn| f(x: Int) -> Int = x', 'b', /Put the cursor on a name/);
  });

  it('refuses names that are taken or would be captured', () => {
    checkRefused('module m\nconcept A| { }\nconcept B { }', 'B', /new error/);
    checkRefused(
      'module m\nrelation r(a: Int, b: Int)\nderive d(x|: Int) when r(x, y), r(y, 1)',
      'y',
      /new error|something else/,
    );
    checkRefused(
      'module m\nfn f|(x: Int) -> Int = abs(x)\nfn g(x: Int) -> Int = abs(x) + f(x)',
      'abs',
      /new error|something else/,
    );
    checkRefused(
      'module m\nenum E { a }\nrelation r(e: E)\nderive d(e|: E) when r(e)',
      'a',
      /new error|something else/,
    );
  });

  it('refuses a name that would shadow a built-in', () => {
    checkRefused('module m\nfn f|(x: Int) -> Int = x\nfn g(x: Int) -> Int = abs(x) + f(x)', 'abs', /something else/);
  });

  it('refuses if errors hide the meaning of an occurrence, and ignores errors elsewhere', () => {
    checkRefused(
      'module m\nconcept A| { }\nfn f() -> Int = 1 +\nderive d(x: A) when A(x), + A(x)',
      'B',
      /line 4 .*not known/,
    );
    check('module m\nconcept A| { }\nfn f() -> Int = 1 +', 'B', 'module m\nconcept B { }\nfn f() -> Int = 1 +');
    check(
      'module m\nrelation r(a: Int)\npub derive d(x: Int) when r(x), r(_y|)',
      'y',
      'module m\nrelation r(a: Int)\npub derive d(x: Int) when r(x), r(y)',
    );
  });

  it('selects the name at the cursor', () => {
    const { analysis, file, offset } = withCursor('module m\nconcept Per|son { }');
    expect(renameAt(analysis, file, offset)).toMatchObject({
      ok: true,
      name: 'Person',
      span: { start: { offset: 17 }, end: { offset: 23 } },
    });
  });
});

describe.each(['lease', 'access', 'pointsto', 'supply', 'licences', 'transit'])('the sample %s', (name) => {
  it('is unchanged after symbols of every kind are renamed and renamed back', () => {
    const text = readFileSync(new URL(`../../../resources/modules/${name}.entail`, import.meta.url), 'utf8');
    const file = `${name}.entail`;
    const analysis = analyse([{ file, text }]);
    const { entities } = indexOf(analysis);
    const stride = Math.ceil(entities.length / 20);
    for (const { occurrences, name: before } of entities.filter((_, i) => i % stride === 0)) {
      const declaration = occurrences.find(({ isDeclaration }) => isDeclaration);
      if (declaration === undefined || !renameAt(analysis, file, declaration.span.start.offset).ok) continue;
      const there = rename(analysis, file, declaration.span.start.offset, 'fresh_1');
      expect(there).toMatchObject({ ok: true });
      if (!there.ok) continue;
      const moved = analyse(analysis.sources.map((source) => applyEdits(source, there.edits)));
      expect(moved.diagnostics.map(({ code }) => code)).toEqual(analysis.diagnostics.map(({ code }) => code));
      const place = indexOf(moved).entities.find((entity) => entity.name === 'fresh_1')?.occurrences[0]?.span;
      const back = rename(moved, file, place?.start.offset ?? 0, before);
      expect(back).toMatchObject({ ok: true });
      if (back.ok) expect(moved.sources.map((source) => applyEdits(source, back.edits))).toEqual(analysis.sources);
    }
  });
});
