/** Changes grouped by individual, with one headline each. */

import { expect, it } from 'vitest';
import type { ForkDiffRow } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { compile } from '../../../../src-runtime/compiler/index.js';
import { servedSchema } from '../../../../src-runtime/world/wire/served-schema.js';
import { relationIndex } from '../../../model/facts/relation-index.js';
import { type ChangeGroup, changeGroups, wholeIndividuals } from './change-groups.js';
import { comparisonRows } from './comparison-rows.js';

const { artifact } = compile([
  {
    file: 'l.entail',
    text: `module l
pub concept Party { name: Text }
pub concept Person is Party { email: Text? }
pub concept Lease { code: Text, rent: Decimal }
pub relation tenantOf(l: Lease, p: Person)
pub relation holiday(day: Date)
pub derive liable(p: Person, l: Lease) when tenantOf(l, p)
`,
  },
]);
if (artifact === undefined) throw new Error('the module has errors');
const SCHEMA = servedSchema(artifact);
const INDEX = relationIndex(SCHEMA);
const infoOf = (path: string) => INDEX.get(path);

type Fact = readonly ['left' | 'right', relation: string, ...JsonValue[]];

function grouped(facts: readonly Fact[], whole?: ReadonlySet<string>): string[] {
  const rows = comparisonRows(
    facts.map(
      ([only, relation, ...tuple]): ForkDiffRow => ({
        ...{ only, kind: 'stored', relation: `l::${relation}`, tuple },
        factId: `${relation}${JSON.stringify(tuple)}`,
      }),
    ),
    infoOf,
  );
  return changeGroups(rows, SCHEMA, infoOf, whole ?? wholeIndividuals(rows, infoOf)).map(headline);
}

function headline({ change, isWhole, of, id, label, parts }: ChangeGroup): string {
  const lines = parts.map(({ name, before, after }) => `${name} ${[before.join(' '), after.join(' ')].join('→')}`);
  return `${change}${isWhole ? ' whole' : ''} ${of.replace('l::', '')} ${label ?? id ?? '-'}: ${lines.join(', ')}`;
}

it('groups a new individual with its fields and relations under its label and most specific concept', () => {
  const facts: Fact[] = [
    ['right', 'Lease', '#i1'],
    ['right', 'Lease.code', '#i1', 'DANA-1'],
    ['right', 'Lease.rent', '#i1', '700'],
    ['right', 'Party', '#i2'],
    ['right', 'Party.name', '#i2', 'Bo'],
    ['right', 'Person', '#i2'],
    ['right', 'tenantOf', '#i1', '#i3'],
  ];
  expect(grouped(facts)).toEqual(['added whole Lease DANA-1: rent →700, tenantOf →#i3', 'added whole Person Bo: ']);
});

it('groups changed fields, and lists new individuals before changed and deleted ones', () => {
  const facts: Fact[] = [
    ['left', 'Lease', '#i1'],
    ['left', 'Lease.code', '#i1', 'A'],
    ['left', 'Lease.rent', '#i2', '640'],
    ['right', 'Lease.rent', '#i2', '700'],
    ['right', 'Party', '#i3'],
  ];
  expect(grouped(facts)).toEqual([
    'added whole Party #i3: ',
    'changed Lease #i2: rent 640→700',
    'removed whole Lease A: ',
  ]);
});

it('puts a fact about several individuals with a new one, else with the first', () => {
  const facts: Fact[] = [['right', 'liable', '#i3', '#i1']];
  expect(grouped(facts, new Set(['#i1']))).toEqual(['added Lease #i1: liable →#i3']);
  expect(grouped(facts)).toEqual(['added Person #i3: liable →#i1']);
});

it('groups facts about no individual by relation', () => {
  expect(
    grouped([
      ['left', 'holiday', '2026-01-01'],
      ['right', 'holiday', '2026-01-02'],
    ]),
  ).toEqual(['changed holiday -: holiday 2026-01-01→, holiday →2026-01-02']);
});
