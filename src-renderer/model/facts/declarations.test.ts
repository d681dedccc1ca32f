/** Declarations from source text and from the served schema are equal. */

import { describe, expect, it } from 'vitest';
import { compileAnalysis, placeSources } from '../../../src-runtime/compiler/index.js';
import { type Analysis, analyse } from '../../../src-runtime/language/service/index.js';
import { servedSchema } from '../../../src-runtime/world/wire/served-schema.js';
import { declarationsOf } from '../../workspace/analysis-worker.js';
import { type Declarations, declarationsOfSchema } from './declarations.js';

const MODULE = `module m
/// How far it is.
enum Stage { open, closed }
pub concept Party { name: Text unique }
pub concept Person is Party { stage: Stage = open  boss: Person?  jobs: [Party] via worksFor }
/// Who pays whom.
pub relation worksFor(person: Person, company: Party [0..1])
pub relation paid(person: Person, amount: Decimal)
pub derive rich(p: Person) when paid(p, a), a > 1000
pub define Boss(p: Person) when p.boss == none
`;

function analysed(text: string): Analysis {
  return analyse(placeSources([{ file: 'm.entail', text }]));
}

describe('declarations', () => {
  it('are equal for a text and its served schema', () => {
    const analysis = analysed(MODULE);
    const { artifact } = compileAnalysis(analysis);
    if (artifact === undefined) throw new Error('The module must compile.');
    expect(withoutSpans(declarationsOf(analysis))).toEqual(withoutSpans(declarationsOfSchema(servedSchema(artifact))));
  });

  it('are available despite errors, with ? as an unknown type', () => {
    const { concepts, relations } = declarationsOf(
      analysed('module m concept A { x: Nothing y: Int } relation r(a: A'),
    );
    expect(concepts).toMatchObject([{ path: 'm::A', fields: [{ name: 'x', type: { path: '?' } }, { name: 'y' }] }]);
    expect(relations).toMatchObject([{ path: 'm::r', kind: 'stored' }]);
  });

  it('have the position of the name in the text', () => {
    const [concept] = declarationsOf(analysed(MODULE)).concepts;
    expect(concept?.span.start).toMatchObject({ line: 4, column: 13 });
  });
});

/** The schema locates whole declarations, and sorts by path. */
function withoutSpans(declarations: Declarations): unknown {
  const text = JSON.stringify(declarations, (key, value: unknown) => (key === 'span' ? undefined : value));
  const lists = Object.entries(JSON.parse(text) as Record<string, { readonly path: string }[]>);
  return Object.fromEntries(
    lists.map(([name, list]) => [name, list.toSorted((one, other) => one.path.localeCompare(other.path))]),
  );
}
