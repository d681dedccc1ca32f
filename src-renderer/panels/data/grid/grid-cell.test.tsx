/** The content of a cell. */

import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { gridColumns } from '../rows/grid-columns.js';
import { GridCell } from './grid-cell.js';

const PERSON = { kind: 'class', path: 'm::Person' } as const;
const WAY = { kind: 'list', of: { kind: 'scalar', name: 'Int' } } as const;
const fields = [
  { name: 'way', path: 'm::Person.way', type: WAY },
  { name: 'team', path: 'm::Person.team', type: { kind: 'record', fields: [{ name: 'lead', type: PERSON }] } },
  { name: 'name', path: 'm::Person.name', type: { kind: 'scalar', name: 'Text' } },
  { name: 'friend', path: 'm::Person.friend', type: PERSON },
  { name: 'note', path: 'm::Person.note', type: { kind: 'scalar', name: 'Text' } },
];
const schema = { defines: [], concepts: [{ path: 'm::Person', fields }] } as unknown as ServedSchema;
const info = { kind: 'concept', path: 'm::Person', endpoints: [], doc: undefined, span: undefined } as const;
const columns = gridColumns(schema, info);

const rendered = (title: string, value: JsonValue, label = 'Ada', mark?: string): string => {
  const column = columns.find((each) => each.title === title);
  if (column === undefined) throw new Error(title);
  const row = { cells: [], origin: 'stored', labels: { '#i1': label }, why: '', individual: '#i2' } as const;
  const place = { id: 'cell-0-0', place: 0, isPlaced: false, isActive: false, isStaged: false, fate: undefined };
  const marks = new Map(mark === undefined ? [] : [['#i1', mark]]);
  return renderToStaticMarkup(
    <GridCell
      {...place}
      {...{ column, value, row, marks }}
      places={0}
      open={(id) => id}
      looked={(id) => <i>{id}</i>}
      navigated={undefined}
    />,
  );
};

it('shows the elements of a list, and that a stored list is empty', () => {
  expect(rendered('way', [3, 1])).toContain('>3, 1<');
  expect(rendered('way', [])).toContain('title="empty list"');
  expect(rendered('way', null)).toContain('title="none"');
});

it('labels individuals in records', () => {
  expect(rendered('team', { lead: '#i1' })).toContain('>{ lead: Ada }<');
  expect(rendered('team', [{ lead: '@m::bo' }])).toContain('>{ lead: bo }<');
});

it('isolates text of the other direction', () => {
  expect(rendered('note', 'evil\u202egnp.exe')).toContain('<bdi>evil\u202egnp.exe</bdi>');
  expect(rendered('friend', '#i1', 'شركة', 'A-1')).toContain('<bdi>شركة</bdi><span class="name-mark"> (A-1)</span>');
  expect(rendered('name', 'Ada שלום'), 'in the middle, too').toContain('<bdi>Ada שלום</bdi>');
  expect(rendered('note', 'Müller & Söhne, 日本'), 'other texts need no element').not.toContain('<bdi>');
});
