import { describe, expect, it } from 'vitest';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { compile } from '../../../src-runtime/compiler/index.js';
import { formatEdits } from '../../../src-runtime/language/format/index.js';
import { analyse, completionsAt, hoverAt } from '../../../src-runtime/language/service/index.js';
import { servedSchema } from '../../../src-runtime/world/wire/served-schema.js';
import { cellsOfRow } from '../../model/facts/row-facts.js';
import { adhocAnalysis } from '../../workspace/analysis-worker.js';
import type { ServiceResults } from '../../workspace/compiler-protocol.js';
import { bodyEdits, HEAD, shifted } from './query-language.js';
import { sourcesOfSchema } from './schema-source.js';

const { artifact } = compile([
  {
    file: 'm.entail',
    text: `module m
pub concept Person { name: Text, friends: [Person] via knows.b }
pub relation knows(a: Person, b: Person)
pub derive loved(p: Person) when knows(_, p)`,
  },
]);
if (artifact === undefined) throw new Error('the module has errors');
const schema: ServedSchema = servedSchema(artifact);
const declarations = sourcesOfSchema(schema).own;
const FILE = 'adhoc.entail';
const behind = (text: string) => analyse([{ file: FILE, text: declarations + text }]);

describe('an ad-hoc text', () => {
  it('has findings with lines and columns, and parameters with types', () => {
    const text = 'query q(n: Int, p: Person?) -> [Person] {\n  select x where lovd(x) }';
    const answer = shifted('adhoc', adhocAnalysis(behind(text), FILE, declarations.length), declarations);
    const { diagnostics, parameters } = answer as ServiceResults['adhoc'];
    expect(diagnostics[0]).toMatchObject({ span: { start: { line: 2, column: 18, offset: text.indexOf('lovd') } } });
    expect(parameters).toMatchObject([
      { name: 'n', type: { kind: 'scalar', name: 'Int' }, required: true },
      { name: 'p', type: { kind: 'optional', of: { kind: 'class', path: 'm::Person' } }, required: false },
    ]);
  });

  it('has the fixes that change only the text, at its own offsets', () => {
    const text = 'query q() -> [Person] { select x where lovd(x) }';
    const answer = shifted('adhoc', adhocAnalysis(behind(text), FILE, declarations.length), declarations);
    const { diagnostics, fixes } = answer as ServiceResults['adhoc'];
    const edit = { span: { start: { line: 1, offset: text.indexOf('lovd') } }, text: 'loved' };
    expect(fixes).toMatchObject([{ diagnostic: { span: diagnostics[0]?.span }, edits: [edit] }]);
  });

  it('gets no warning that it is unused', () => {
    const { diagnostics } = adhocAnalysis(behind('query q() -> Int { value 1 }'), FILE, declarations.length);
    expect(diagnostics).toEqual([]);
  });

  it('has completion and hover at its own offsets', () => {
    const text = 'derive d(p: Person) when loved(p), p.';
    const offers = completionsAt(behind(text), FILE, declarations.length + text.length);
    const complete = shifted('complete', offers, declarations) as ServiceResults['complete'];
    expect([complete.from, complete.to]).toEqual([text.length, text.length]);
    expect(complete.items.map(({ label }) => label)).toContain('name');
    const at = hoverAt(behind(text), FILE, declarations.length + text.indexOf('loved') + 1);
    const hover = shifted('hover', at, declarations) as ServiceResults['hover'];
    expect(hover?.span.start).toMatchObject({ line: 1, column: text.indexOf('loved') + 1 });
  });
});

it('formats a text as in a module, at its own offsets', () => {
  const formatted = (text: string): string =>
    bodyEdits(formatEdits(FILE, HEAD + text), text).reduceRight(
      (result, { span, text: put }) => result.slice(0, span.start.offset) + put + result.slice(span.end.offset),
      text,
    );
  expect(formatted('derive  d( p:Person )\n when loved(p),p.name=="x"')).toBe(
    'derive d(p: Person)\n  when loved(p), p.name == "x"',
  );
  expect(formatted('\n\n  query q()->Int{value 1}')).toBe('query q() -> Int { value 1 }');
  expect(formatted('query q( {')).toBe('query q( {');
});

describe('a row', () => {
  const ada = { $id: '#i1', $meta: { type: 'm::Person', classes: ['m::Person'] }, name: 'Ada', friends: ['#i2'] };

  it('that is an individual shows its concepts, its fields, and the tuples behind navigation', () => {
    expect(cellsOfRow(schema, ada).map(({ facts }) => facts)).toEqual([
      [{ relation: 'm::Person', tuple: ['#i1'] }],
      [{ relation: 'm::Person.name', tuple: ['#i1', 'Ada'] }],
      [{ relation: 'm::knows', tuple: ['#i1', '#i2'] }],
    ]);
  });

  it('that is a record shows the individuals in it', () => {
    expect(cellsOfRow(schema, { who: ada, total: '3' })).toMatchObject([
      { column: 'who', individual: '#i1', facts: [{ relation: 'm::Person', tuple: ['#i1'] }] },
      { column: 'total', individual: undefined, facts: [] },
    ]);
  });
});
