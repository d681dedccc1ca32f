/** Parts of the Data panel: URLs, columns, scrolling, counts. */

import { describe, expect, it } from 'vitest';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { ListCondition, ListFilter } from '../../../../src-runtime/api/schemas/schemas.js';
import { callsOfIndividual } from '../calls-of-individual.js';
import { gapAt, placeOfGap } from '../grid/column-drag.js';
import { widthsOfContent } from '../grid/column-widths.js';
import { groupedMentions, mentionsLocation } from '../mention-groups.js';
import { withFilter, withoutFilter } from './filter-groups.js';
import { filterWords, readFilter, typedFilter } from './filter-model.js';
import { gridColumns } from './grid-columns.js';
import {
  columnChoices,
  columnsInSight,
  layoutOf,
  moveColumn,
  NO_CHOICE,
  orderOf,
  scrollToColumn,
} from './grid-layout.js';
import { blocksOf, HEIGHT_MAX, scrollToRow, scrollWindow, slotsFrom } from './grid-scroll.js';
import { type ListState, listLocation, listRequest, nextSort, readListState } from './list-state.js';
import type { GridRow } from './use-rows.js';

type Enums = ServedSchema['enums'];

const TEXT = { kind: 'scalar', name: 'Text' } as const;
const PERSON = { kind: 'class', path: 'm::Person' } as const;
const span = { file: 'm', start: { line: 1, column: 1, offset: 0 }, end: { line: 1, column: 1, offset: 0 } };
const declared = { public: true, span };
const field = { unique: false, required: true };

const schema = {
  concepts: [
    {
      ...declared,
      path: 'm::Person',
      parent: null,
      fields: [
        {
          ...field,
          name: 'age',
          path: 'm::Person.age',
          type: { kind: 'optional', of: { kind: 'scalar', name: 'Int' } },
        },
        { ...field, name: 'name', path: 'm::Person.name', type: TEXT },
        {
          ...field,
          name: 'boss',
          path: 'm::Person.boss',
          type: { kind: 'optional', of: PERSON },
          navigation: { relation: 'm::above', endpoint: 'high' },
        },
      ],
    },
  ],
  defines: [{ ...declared, path: 'm::Adult', class: 'm::Person' }],
} as unknown as ServedSchema;

const info = { doc: undefined, span: undefined };
const likes = {
  ...info,
  path: 'm::likes',
  kind: 'stored',
  endpoints: [
    { name: 'who', type: PERSON },
    { name: 'what', type: TEXT },
  ],
} as const;

const ANY: ListCondition = {
  any: [
    ['who', '=', '#i1'],
    ['what', '=', null],
  ],
};

describe('the state of a list', () => {
  it('round-trips through the URL, and becomes the request', () => {
    const state: ListState = {
      path: 'm::likes',
      individual: '#i3',
      sort: '-who.name',
      filters: [['what', 'contains', 'a & b'], ANY],
      find: 'tea',
    };
    expect(readListState(new URLSearchParams(listLocation(state).split('?')[1]))).toEqual(state);
    expect(listRequest(state)).toEqual({
      sort: ['-who.name'],
      filter: [['what', 'contains', 'a & b'], ANY, ['*', 'contains', 'tea']],
    });
  });

  it('includes the open fact, unless an individual is open', () => {
    const state: ListState = { path: 'm::likes', individual: undefined, sort: undefined, filters: [], find: '' };
    const fact = ['#i1', 'tea & "milk"', 2];
    const read = (shown: ListState) => readListState(new URLSearchParams(listLocation(shown).split('?')[1]));
    expect(read({ ...state, fact })).toEqual({ ...state, fact });
    expect(read({ ...state, individual: '#i3', fact })).toEqual({ ...state, individual: '#i3' });
    expect(readListState(new URLSearchParams({ fact: '{"a":1}' })).fact).toBeUndefined();
  });

  it('ignores malformed filters', () => {
    const filters = (text: string) => readListState(new URLSearchParams({ filter: text })).filters;
    expect(filters('[[')).toEqual([]);
    expect(filters('{"a":1}')).toEqual([]);
    expect(filters('[{"any":[]},{"any":[["a"]]},{"any":[["a","=",1]],"all":[]},null,1]')).toEqual([]);
    expect(filters('[["a","~",1],["a","=",1],["a"]]')).toEqual([['a', '=', 1]]);
  });

  it('cycles the sort of a column through ascending, descending and unsorted', () => {
    expect([nextSort('a', undefined), nextSort('a', 'a'), nextSort('a', '-a'), nextSort('a', 'b')]).toEqual([
      'a',
      '-a',
      undefined,
      'a',
    ]);
  });

  it('adds a further sort column after the existing ones, up to 8', () => {
    const adds = (column: string, current: string | undefined) => nextSort(column, current, true);
    expect([adds('b', 'a'), adds('a', 'a,b'), adds('a', '-a,b'), adds('a', '-a')]).toEqual([
      'a,b',
      '-a,b',
      'b',
      undefined,
    ]);
    expect(nextSort('a', 'a,b')).toBe('a');
    const most = 'a,b,c,d,e,f,g,h';
    expect(adds('i', most)).toBe('a,b,c,d,e,f,g,i');
    expect(listRequest({ path: 'm', individual: undefined, sort: 'a,-b', filters: [], find: '' }).sort).toEqual([
      'a',
      '-b',
    ]);
  });
});

describe('the columns of a grid', () => {
  it('are the label, fields and id of a class; a navigation field is not sortable', () => {
    for (const path of ['m::Person', 'm::Adult']) {
      const columns = gridColumns(schema, { ...info, path, kind: 'concept', endpoints: [] });
      expect(columns.map(({ title, sort }) => [title, sort])).toEqual([
        ['name', 'name'],
        ['age', 'age'],
        ['boss', undefined],
        ['id', '$id'],
      ]);
    }
  });

  it('have unique titles, even if a field is named id or individual', () => {
    const int = { kind: 'scalar', name: 'Int' } as const;
    const fields = ['id', 'individual'].map((name) => ({ ...field, name, path: `m::Item.${name}`, type: int }));
    const items = { concepts: [{ ...declared, path: 'm::Item', parent: null, fields }], defines: [] };
    const shown = { ...info, path: 'm::Item', kind: 'concept', endpoints: [] } as const;
    const columns = gridColumns(items as unknown as ServedSchema, shown);
    expect(columns.map(({ id, title }) => [id, title])).toEqual([
      ['$label', 'Item'],
      ['id', 'id'],
      ['individual', 'individual'],
      ['$id', '$id'],
    ]);
  });

  it('are the endpoints of a relation; references are sorted by name', () => {
    expect(gridColumns(schema, likes).map(({ title, sort, filter }) => [title, sort, filter])).toEqual([
      ['who', 'who.name', 'who'],
      ['what', 'what', 'what'],
    ]);
  });

  it("use the server's names of the endpoints for a field", () => {
    const boss = {
      ...info,
      path: 'm::Person.boss',
      kind: 'field',
      endpoints: [
        { name: 'of', type: PERSON },
        { name: 'boss', type: PERSON },
      ],
    } as const;
    expect(gridColumns(schema, boss).map(({ title, sort, filter }) => [title, sort, filter])).toEqual([
      ['of', 'individual.name', 'individual'],
      ['boss', 'value.name', 'value'],
    ]);
  });

  it('read the typed value of a filter by their type', () => {
    const [who, what] = gridColumns(schema, likes);
    const [, age] = gridColumns(schema, { ...info, path: 'm::Person', kind: 'concept', endpoints: [] });
    if (!who || !what || !age) throw new Error('these columns exist');
    expect(readFilter(who, 'contains', 'Ad')).toEqual({ filter: ['who', 'contains', 'Ad'] });
    expect(readFilter(what, '=', 'tea')).toEqual({ filter: ['what', '=', 'tea'] });
    expect(readFilter(age, '>=', '18')).toEqual({ filter: ['age', '>=', 18] });
    expect(readFilter(age, '>=', 'x')).toEqual({ message: '"x" is not a whole number.' });
    expect(readFilter(age, 'none', '')).toEqual({ filter: ['age', '=', null] });
    const guest = { ...age, filter: 'guest', type: { kind: 'scalar', name: 'Bool' } as const };
    for (const [typed, value] of Object.entries({ yes: true, ' True ': true, no: false, false: false })) {
      expect(readFilter(guest, '=', typed)).toEqual({ filter: ['guest', '=', value] });
    }
    expect(readFilter(guest, '=', 'perhaps')).toEqual({ message: 'Expected true or false, got "perhaps".' });
    const enums = [{ path: 'm::Drink', members: [{ name: 'tea' }, { name: 'milk' }] }] as unknown as Enums;
    const drink = { ...age, filter: 'drink', type: { kind: 'enum', path: 'm::Drink' } as const };
    expect(readFilter(drink, '=', ' tea ', enums)).toEqual({ filter: ['drink', '=', 'tea'] });
    expect(readFilter(drink, '=', 'tee', enums)).toEqual({ message: '"tee" is no Drink; did you mean "tea"?' });
    expect(readFilter(drink, '<', '', enums)).toEqual({ message: 'Select a member.' });
    expect(readFilter(age, 'in', '18, 21,')).toEqual({ filter: ['age', 'in', [18, 21]] });
    expect(readFilter(age, 'notIn', '18, x')).toEqual({ message: '"x" is not a whole number.' });
    expect(readFilter(what, 'in', 'tea, "milk, hot"')).toEqual({ filter: ['what', 'in', ['tea', 'milk, hot']] });
    expect(readFilter(drink, 'in', '', enums)).toEqual({ message: 'Select a member.' });
    const words = (filter: ListFilter) => filterWords([who, what, age], filter);
    expect(words(['age', 'in', [18, 21]])).toBe('age is one of 18, 21');
    expect(words(['age', '>=', 18])).toBe('age at least 18');
    expect(words(['age', '!=', null])).toBe('age is not empty');
    expect(words(['gone', '=', true])).toBe('gone = true');
    expect(words(['who', '=', '@m::ada'])).toBe('who is ada');
    expect(filterWords([who], ['who', '=', '#i1'], (id) => (id === '#i1' ? 'Ada' : undefined))).toBe('who is Ada');
  });

  it('can be filtered by OR groups, and a group with one filter left becomes a plain filter', () => {
    const [one, two, three]: ListFilter[] = [
      ['a', '=', 1],
      ['b', '=', 2],
      ['c', '=', 3],
    ] as const;
    if (!one || !two || !three) throw new Error('the list has three filters');
    const added = withFilter([], undefined, one);
    expect(added).toEqual([one]);
    const grouped = withFilter([...added, three], { at: 0, among: 1 }, two);
    expect(grouped).toEqual([{ any: [one, two] }, three]);
    expect(withFilter(grouped, { at: 0, among: 0 }, three)).toEqual([{ any: [three, two] }, three]);
    expect(withFilter(grouped, { at: 1, among: 0 }, one)).toEqual([{ any: [one, two] }, one]);
    expect(withFilter(grouped, { at: 9, among: 1 }, one), 'the group was removed').toEqual([...grouped, one]);
    expect(withoutFilter(grouped, { at: 0, among: 0 })).toEqual([two, three]);
    expect(withoutFilter(grouped, { at: 1, among: 0 })).toEqual([{ any: [one, two] }]);
  });

  it('show a filter as text that reads back to the same filter', () => {
    const [, what] = gridColumns(schema, likes);
    if (!what) throw new Error('this column exists');
    const filters: ListFilter[] = [
      ['what', 'startsWith', 'te'],
      ['what', '=', null],
      ['what', '!=', null],
      ['what', 'notIn', ['tea', 'milk, hot', 'a "b"']],
    ];
    for (const filter of filters) {
      const { operator, text } = typedFilter(filter);
      expect(readFilter(what, operator, text)).toEqual({ filter });
    }
  });
});

describe('the layout of columns', () => {
  const columns = gridColumns(schema, { ...info, path: 'm::Person', kind: 'concept', endpoints: [] });
  // 28 for the origin, name 152, age 88, boss 120, id 96, 56 for the proof.
  const layout = layoutOf(columns, NO_CHOICE);

  it('shares the width among the visible columns, except those with a width set by the user', () => {
    expect([layout.edges, layout.minWidth]).toEqual([[28, 180, 268, 388, 484], 540]);
    const chosen = layoutOf(columns, { widths: { age: 200 }, hidden: ['boss', 'gone'] });
    expect(chosen).toEqual({
      shown: [0, 1, 3],
      edges: [28, 180, 380, 476],
      template: '28px minmax(152px, 152fr) 200px minmax(96px, 96fr) 56px',
      minWidth: 532,
      frozen: 1,
    });
  });

  it('fits columns to their titles and to the content of the first rows', () => {
    const people = ['Ada', 'Bartholomew'].map((name, at) => ({
      cells: [name, [36, 7.25][at] ?? null, at === 0 ? null : '#i1', `#i${at}`],
      labels: { '#i1': 'Ada the First' },
    })) as unknown as GridRow[];
    const content = widthsOfContent(columns, people, (text) => text.length * 10);
    expect(content).toEqual({ $label: 129, age: 69, boss: 149 });
    expect(widthsOfContent(columns, [], () => 9_999)['age'], 'the width is limited').toBe(320);
    expect(layoutOf(columns, { widths: { age: 200 }, hidden: [] }, content).template).toBe(
      '28px minmax(129px, 129fr) 200px minmax(149px, 149fr) minmax(96px, 96fr) 56px',
    );
  });

  it('gives the remaining space to the proof column if the user has set all other widths', () => {
    const all = layoutOf(columns, { widths: { $label: 50, age: 50, boss: 50, $id: 50 }, hidden: [] });
    expect(all.template).toBe('28px 50px 50px 50px 50px minmax(56px, 1fr)');
  });

  it('gives a column named constructor the width of its type', () => {
    const [label, age, ...others] = columns;
    if (!label || !age) throw new Error('these columns exist');
    const renamed = [label, { ...age, id: 'constructor' }, ...others];
    expect(layoutOf(renamed, NO_CHOICE).template).toBe(layout.template);
  });

  it('shows all columns if all are hidden', () => {
    expect(layoutOf(columns, { widths: {}, hidden: ['$label', 'age', 'boss', '$id'] })).toEqual(layout);
  });

  it('renders only visible columns and an overscan', () => {
    expect(columnsInSight(layout, { left: 0, width: 540 })).toEqual({ frozen: 0, first: 0, end: 4 });
    expect(columnsInSight(layout, { left: 0, width: 60 })).toEqual({ frozen: 0, first: 0, end: 2 });
    expect(columnsInSight(layout, { left: 440, width: 60 })).toEqual({ frozen: 0, first: 2, end: 4 });
  });

  it('freezes the first column or as many as the user chose, but leaves space for others', () => {
    const wide = { widths: {}, hidden: [] };
    expect(columnsInSight(layout, { left: 0, width: 324 })).toEqual({ frozen: 1, first: 1, end: 4 });
    expect(columnsInSight(layout, { left: 440, width: 324 })).toEqual({ frozen: 1, first: 2, end: 4 });
    expect(columnsInSight(layoutOf(columns, { ...wide, frozen: 0 }), { left: 440, width: 324 })).toMatchObject({
      frozen: 0,
    });
    const two = layoutOf(columns, { ...wide, frozen: 2 });
    expect([500, 440].map((width) => columnsInSight(two, { left: 0, width }).frozen)).toEqual([2, 1]);
    expect(layoutOf(columns, { ...wide, frozen: 9 }).frozen, 'the last column is never frozen').toBe(3);
  });

  it('scrolls no further than needed to show a column beside the proof', () => {
    expect(scrollToColumn(layout, 1, { left: 0, width: 324 })).toBeUndefined();
    expect(scrollToColumn(layout, 2, { left: 0, width: 324 })).toBe(120);
    expect(scrollToColumn(layout, 2, { left: 224, width: 324 }), 'behind the frozen column').toBe(88);
    expect(scrollToColumn(layout, 0, { left: 224, width: 324 }), 'frozen').toBeUndefined();
    const loose = layoutOf(columns, { ...NO_CHOICE, frozen: 0 });
    expect(scrollToColumn(loose, 1, { left: 224, width: 324 })).toBe(180);
    expect(scrollToColumn(loose, 0, { left: 224, width: 324 })).toBe(0);
    expect(scrollToColumn(layout, 4, { left: 0, width: 324 })).toBeUndefined();
  });
});

describe('the scroll window', () => {
  const list = (rows: number, rowHeight = 28) => ({ rows, rowHeight, viewport: 280 });

  it('has the visible rows and an overscan', () => {
    expect(scrollWindow(list(1_000_000), 0, 4)).toMatchObject({ height: 28_000_000, first: 0, end: 14, top: 0 });
    expect(scrollWindow(list(1_000_000), 500 * 28, 4)).toMatchObject({ first: 496, end: 514, top: 496 * 28 });
    expect(scrollWindow(list(1_000_000, 20), 500 * 20, 4)).toMatchObject({ first: 496, end: 518, top: 496 * 20 });
    expect(scrollWindow(list(3), 0, 4)).toMatchObject({ height: 84, first: 0, end: 3 });
    expect(scrollWindow(list(0), 0, 4)).toMatchObject({ height: 0, first: 0, end: 0 });
  });

  it('reuses the slots of rows that left it, and keeps those of all others', () => {
    const before = scrollWindow(list(1000), 500 * 28, 0);
    const after = scrollWindow(list(1000), 503 * 28, 0);
    expect([before.slots, before.first, before.end]).toEqual([11, 500, 510]);
    const slotOf = (row: number): number => row % before.slots;
    expect([...slotsFrom(before, 0)].sort()).toEqual([500, 501, 502, 503, 504, 505, 506, 507, 508, 509]);
    expect(slotsFrom(before, 0).map(slotOf)).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9, 10]);
    expect(slotsFrom(after, 0).map(slotOf)).toEqual([0, 1, 2, 3, 4, 5, 6, 8, 9, 10]);
    expect(slotsFrom(after, slotOf(503))).toEqual([503, 504, 505, 506, 507, 508, 509, 510, 511, 512]);
    expect(slotsFrom(scrollWindow(list(3), 0, 4), 0)).toEqual([0, 1, 2]);
    expect(slotsFrom(scrollWindow(list(0), 0, 4), 0)).toEqual([]);
  });

  it('reaches both ends of a list that exceeds the maximum height of browsers', () => {
    const rows = 20_000_000;
    const bottom = scrollWindow(list(rows), HEIGHT_MAX - 280, 4);
    expect([bottom.height, bottom.end]).toEqual([HEIGHT_MAX, rows]);
    expect(bottom.top + (rows - bottom.first) * 28).toBeCloseTo(HEIGHT_MAX, 3);
    expect(scrollWindow(list(rows), 0, 4).first).toBe(0);
  });

  it('scrolls no further than needed to show a row', () => {
    expect(scrollToRow(list(1000), 3, 0)).toBeUndefined();
    expect(scrollToRow(list(1000), 10, 0)).toBe(28);
    expect(scrollToRow(list(1000), 3, 280)).toBe(84);
    const rows = 20_000_000;
    const top = scrollToRow(list(rows), rows - 1, 0) ?? 0;
    expect(scrollWindow(list(rows), top, 0).end).toBe(rows);
  });

  it('requests the blocks of its rows', () => {
    expect(blocksOf(190, 210, 200)).toEqual([0, 1]);
    expect(blocksOf(400, 600, 200)).toEqual([2]);
    expect(blocksOf(0, 0, 200)).toEqual([]);
  });
});

it('groups mentions by relation, without own fields and classes', () => {
  const fact = (relation: string, ...tuple: string[]) => ({ factId: `${relation}${tuple.join()}`, relation, tuple });
  const index = new Map(
    (['concept', 'define', 'field', 'stored'] as const).map((kind) => [`m::${kind}`, { kind }] as const),
  );
  const facts = [
    fact('m::concept', '#i1'),
    fact('m::define', '#i1'),
    fact('m::field', '#i1', 'x'),
    fact('m::field', '#i2', '#i1'),
    fact('m::stored', '#i1', '#i2'),
  ];
  expect(groupedMentions(facts, '#i1', index).map(({ relation, facts: each }) => [relation, each.length])).toEqual([
    ['m::field', 1],
    ['m::stored', 1],
  ]);
});

it('links mentions to their list, filtered by the individual if it is always at the same endpoint', () => {
  const facts = [
    { factId: 'a', relation: 'm::likes', tuple: ['#i1', 'tea'] },
    { factId: 'b', relation: 'm::likes', tuple: ['#i1', 'cake'] },
  ];
  const index = new Map([['m::likes', likes]]);
  const state = readListState(new URLSearchParams(mentionsLocation('m::likes', facts, '#i1', index).split('?')[1]));
  expect(state).toMatchObject({ path: 'm::likes', individual: '#i1', filters: [['who', '=', '#i1']] });
  const both = [...facts, { factId: 'c', relation: 'm::likes', tuple: ['#i2', '#i1'] }];
  expect(mentionsLocation('m::likes', both, '#i1', index)).toBe('/data?path=m%3A%3Alikes');
});

it('lists the public calls that accept a class of the individual', () => {
  const callable = (path: string, type: object, isPublic = true) => ({
    ...declared,
    public: isPublic,
    path,
    parameters: [
      { name: 'a', type },
      { name: 'b', type: TEXT },
    ],
  });
  const calls = {
    mutations: [
      callable('m::hire', PERSON),
      callable('m::secret', PERSON, false),
      callable('m::sell', { kind: 'class', path: 'm::Thing' }),
    ],
    queries: [callable('m::chiefs', { kind: 'optional', of: PERSON })],
  } as unknown as ServedSchema;
  expect(callsOfIndividual(calls, ['m::Person', 'm::Adult'])).toEqual({
    mutations: [{ path: 'm::hire', parameter: 'a', words: 'hire as a' }],
    queries: [{ path: 'm::chiefs', parameter: 'a', words: 'chiefs as a' }],
  });
});

describe('the order of columns', () => {
  const columns = gridColumns(schema, { ...likes, path: 'm::Person', kind: 'concept' });
  const ids = columns.map(({ id }) => id);
  const shown = () => {
    const choice = columnChoices.get()['m::Person'] ?? NO_CHOICE;
    return layoutOf(columns, choice).shown.map((position) => ids[position]);
  };

  it('follows moves, and keeps hidden columns after their neighbour', () => {
    expect(ids).toEqual(['$label', 'age', 'boss', '$id']);
    columnChoices.set({ 'm::Person': { ...NO_CHOICE, hidden: ['age'] } });
    moveColumn('m::Person', columns, '$id', 0);
    expect(shown()).toEqual(['$id', '$label', 'boss']);
    moveColumn('m::Person', columns, '$label', 2);
    expect(shown()).toEqual(['$id', 'boss', '$label']);
    expect(orderOf(columns, columnChoices.get()['m::Person'] ?? NO_CHOICE)).toEqual(['$id', 'age', 'boss', '$label']);
  });

  it('puts a new column after its neighbour, and drops removed columns', () => {
    expect(orderOf(columns, { ...NO_CHOICE, order: ['$id', 'gone', 'age', '$label'] })).toEqual([
      '$id',
      'age',
      'boss',
      '$label',
    ]);
  });

  it('puts a dragged column into the nearest gap', () => {
    const edges = [
      { left: 0, right: 100 },
      { left: 100, right: 200 },
    ];
    expect([-5, 49, 51, 149, 151, 900].map((x) => gapAt(edges, x))).toEqual([0, 0, 1, 1, 2, 2]);
    expect([placeOfGap(0, 0), placeOfGap(0, 1), placeOfGap(0, 2), placeOfGap(2, 1)]).toEqual([0, 0, 1, 1]);
  });
});
