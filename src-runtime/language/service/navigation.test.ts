/** Hover, definition and references at the cursor `|`. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { analyse, definitionAt, hoverAt, referencesAt } from './index.js';
import { placeText, withCursor } from './testing/cursor.js';

const FRAME = `module office
/// What a lease goes through.
enum Status { draft, /// Binding.
  signed }
pub concept Party { name: Text }
pub concept Person is Party { boss: Person? via reports }
concept Lease { rent: Decimal where value > 0, status: Status = draft }
relation reports(junior: Person, senior: Person [0..1])
/// Who lives there.
pub relation tenantOf(lease: Lease, tenant: Person)
pub individual ada: Person { name: "Ada" }
context user: Text
fn twice(x: Decimal) -> Decimal = x * 2
`;

function hover(source: string): string | undefined {
  const { analysis, file, offset } = withCursor(FRAME + source);
  return hoverAt(analysis, file, offset)?.signature;
}

function checkHover(source: string, expected: string): void {
  expect(hover(source)).toBe(expected);
}

describe('hover', () => {
  it('shows the declaration of a name', () => {
    checkHover('derive d(l: Lease) when tenan|tOf(l, _)', 'pub relation tenantOf(lease: Lease, tenant: Person)');
    checkHover('derive d(l: Le|ase) when tenantOf(l, _)', 'concept Lease');
    checkHover('concept X is Per|son { }', 'pub concept Person is Party');
    checkHover('concept X { s: |Status }', 'enum Status { draft, signed }');
    checkHover('fact tenantOf(@x, @a|da)', 'pub individual ada: Person');
    checkHover('query q() -> Decimal { value twi|ce(2) }', 'fn twice(x: Decimal) -> Decimal');
  });

  it('shows the type of a variable at every use', () => {
    checkHover('derive d(l: Lease) when tenantOf(l, p), p|.name == "x"', 'p: Person');
    checkHover('derive d(l: Lease) when tenantOf(l, p|), p.name == "x"', 'p: Person');
    checkHover('query q() -> [Int] { select n where let |n = count(for l where Lease(l)) }', 'n: Int');
    checkHover('mutation m(l: Lease) { let x = l.rent set l.rent = x| }', 'x: Decimal');
    checkHover('check c(l: Lease) when Lease(l) severity warning message "rent {l|.rent}"', 'l: Lease');
  });

  it('shows fields, endpoints, members, parameters, context and built-ins', () => {
    checkHover('derive d(p: Person) when p.bo|ss == @ada', 'Person.boss: Person? via reports');
    checkHover('derive d(l: Lease) when tenantOf(ten|ant: @ada, lease: l)', 'tenant: Person');
    checkHover('derive d(p: Person, least n|: Int) when d(p, n)', 'least n: Int');
    checkHover('derive d(l: Lease) when l.status == sig|ned', 'Status::signed');
    checkHover('derive d(l: Lease) when l.status == Status::sig|ned', 'Status::signed');
    checkHover('query q() -> Decimal { value twice(|x: 2) }', 'x: Decimal');
    checkHover('query q() -> Text { value context.us|er }', 'context user: Text');
    checkHover('fn f(t: Text) -> Int = len|gth(t)', 'length(t: Text) -> Int\nlength(t: [T]) -> Int');
    checkHover('query q() -> Int { value cou|nt(for l where Lease(l)) }', 'count(for v where BODY)');
    checkHover('fn f(t: Te|xt) -> Int = 1', 'Text');
    checkHover('concept X { n: Int where val|ue > 0 }', 'value: Int');
  });

  it('shows documentation and where the symbol belongs', () => {
    const { analysis, file, offset } = withCursor(`${FRAME}derive d(l: Lease) when l.status == sign|ed`);
    expect(hoverAt(analysis, file, offset)).toMatchObject({ doc: 'Binding.', notes: ['Member of `office::Status`.'] });
  });

  it('shows nothing for keywords, texts and comments', () => {
    for (const source of ['der|ive d(l: Lease) when Lease(l)', 'fn f() -> Text = "Per|son"', '// Per|son']) {
      expect(hover(source)).toBeUndefined();
    }
  });

  it('works beside syntax errors', () => {
    checkHover(
      'derive d(l: Lease) when tenantOf(l, p), p.name == \nquery q(p: Per|son) -> Bool { value p.name == }',
      'pub concept Person is Party',
    );
  });
});

/** `expected` lists the lines of the definitions, counted from the first of `source`. */
function checkDefinition(source: string, expected: readonly string[]): void {
  const { analysis, file, offset } = withCursor(source);
  expect(definitionAt(analysis, file, offset).map((span) => placeText(span))).toEqual(expected);
}

describe('definition', () => {
  it('of a derived relation is each of its clauses', () => {
    checkDefinition(
      'module m\nconcept A { }\nderive d(a: A) when A(a)\nderive d(b: A) when A(b)\ndefine D(a: A) when d|(a)',
      ['m.entail:3:8', 'm.entail:4:8'],
    );
  });

  it('of a define is each of its clauses', () => {
    checkDefinition(
      'module m\nconcept A { }\nrelation r(a: A, b: A)\ndefine D(a: A) when r(a, _)\ndefine D(b: A) when r(_, b)\nderive d(a: A) when D|(a)',
      ['m.entail:4:8', 'm.entail:5:8'],
    );
  });

  it('of an endpoint by name is in the relation', () => {
    checkDefinition('module m\nrelation r(a: Int, b: Int)\nfact r(b|: 1, a: 2)', ['m.entail:2:20']);
  });

  it('of a variable is its first occurrence', () => {
    checkDefinition('module m\nrelation r(a: Int)\nderive d(x: Int) when r(x),\n r(x|)', ['m.entail:3:10']);
  });

  it('does not exist for built-in names', () => {
    checkDefinition('module m\nfn f(x: Int) -> Int = ab|s(x)', []);
  });

  it('crosses files', () => {
    checkDefinition(
      '// file a.entail\nmodule a\npub concept A { }\n// file b.entail\nmodule b\nuse a::{A}\ndefine D(x: A|) when A(x)',
      ['a.entail:2:13'],
    );
    checkDefinition(
      '// file a.entail\nmodule a\npub concept A { }\n// file b.entail\nmodule b\ndefine D(x: a|::A) when a::A(x)',
      ['a.entail:1:8'],
    );
  });
});

function checkReferences(source: string, expected: readonly string[]): void {
  const { analysis, file, offset } = withCursor(source);
  expect(referencesAt(analysis, file, offset).map(({ span }) => placeText(span))).toEqual(expected);
}

describe('references', () => {
  it('are found across files, including imports and tests', () => {
    checkReferences(
      '// file a.entail\nmodule a\npub relation r|(a: Int)\ntest "t" { insert r(1) expect r(1) }\n// file b.entail\nmodule b\nuse a::{r}\nderive d(x: Int) when r(x), not a::r(2)',
      ['a.entail:2:14', 'a.entail:3:19', 'a.entail:3:31', 'b.entail:2:9', 'b.entail:3:23', 'b.entail:3:36'],
    );
  });

  it('of a check include the violations that tests expect', () => {
    checkReferences(
      'module m\nconcept A { }\ncheck c|(a: A) when A(a) severity warning message "m"\ntest "t" { insert A { } expect c(_) }',
      ['m.entail:3:7', 'm.entail:4:32'],
    );
  });

  it('of a field include inserts, individuals, sets and messages', () => {
    checkReferences(
      'module m\nconcept A { n|: Int }\nindividual i: A { n: 1 }\nmutation m(a: A) { set a.n = 2 insert A { n: a.n } require a.n > 1 message "{a.n}" }',
      [
        'm.entail:2:13',
        'm.entail:3:19',
        'm.entail:4:26',
        'm.entail:4:43',
        'm.entail:4:48',
        'm.entail:4:62',
        'm.entail:4:80',
      ],
    );
  });

  it('of a parameter include named arguments', () => {
    checkReferences('module m\nfn f(x|: Int) -> Int = x + x\nfn g() -> Int = f(x: 1)', [
      'm.entail:2:6',
      'm.entail:2:23',
      'm.entail:2:27',
      'm.entail:3:19',
    ]);
  });

  it('distinguish variables of the same name', () => {
    checkReferences('module m\nrelation r(a: Int)\nderive d(x|: Int) when r(x)\nderive d(x: Int) when r(x)', [
      'm.entail:3:10',
      'm.entail:3:25',
    ]);
  });
});

describe.each(['lease', 'access', 'pointsto', 'supply', 'licences', 'transit'])('the sample %s', (name) => {
  it('works at every word, and includes it in the references', () => {
    const text = readFileSync(new URL(`../../../resources/modules/${name}.entail`, import.meta.url), 'utf8');
    const file = `${name}.entail`;
    const analysis = analyse([{ file, text }]);
    for (const { index } of text.matchAll(/[A-Za-z_]\w*/g)) {
      const references = referencesAt(analysis, file, index);
      const found = hoverAt(analysis, file, index);
      expect(found === null).toBe(references.length === 0);
      if (found === null) continue;
      expect(references.map(({ span }) => span)).toContainEqual(found.span);
      for (const span of definitionAt(analysis, file, index)) {
        expect(referencesAt(analysis, span.file, span.start.offset)).toEqual(references);
      }
    }
  });
});
