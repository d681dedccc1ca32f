/** Charts and graphs of results. */

import { describe, expect, it } from 'vitest';
import { type Chart, type ChartChoice, chartOf, ticksOf } from './chart-data.js';
import { graphOf } from './graph-data.js';
import { resultTable } from './result-table.js';

const noLabel = () => undefined;
const chart = (rows: Parameters<typeof resultTable>[0], choice?: ChartChoice) => {
  const found = chartOf(resultTable(rows), noLabel, choice);
  if (typeof found === 'string') throw new Error(found);
  return found;
};
const drawn = ({ kind, points }: Chart) => [kind, ...points.map(({ label, value }) => `${label} ${value}`)];

describe('a chart', () => {
  it('has bars for a label and a number, in the order of the rows', () => {
    const rows = [
      { room: 'Cedar', floor: 1, seats: 4 },
      { room: 'Atlas', floor: 2, seats: -8 },
    ];
    expect(drawn(chart(rows))).toEqual(['bars', 'Cedar 4', 'Atlas -8']);
    expect(drawn(chart(rows, { value: 'floor' }))).toEqual(['bars', 'Cedar 1', 'Atlas 2']);
    expect(drawn(chart(rows, { label: 'floor' }))).toEqual(['line', '1 4', '2 -8']);
  });

  it('has a line for a date and a number, in the order of time', () => {
    const rows = [
      { on: '2026-03-02', cost: '12.5' },
      { on: '2026-01-31', cost: '-4' },
      { on: '2026-02-01', cost: null },
    ];
    const found = chart(rows);
    expect(drawn(found)).toEqual(['line', '2026-01-31 -4', '2026-03-02 12.5']);
    expect(found.without).toBe(1);
  });

  it('labels an individual by name, and a missing value as none', () => {
    const rows = [
      { room: '#i1', seats: 4 },
      { room: null, seats: 2 },
    ];
    const found = chartOf(resultTable(rows), (id) => (id === '#i1' ? 'Atlas' : undefined));
    expect(typeof found === 'string' ? found : drawn(found)).toEqual(['bars', 'Atlas 4', 'none 2']);
  });

  it('limits the drawn rows and the length of labels, and counts all rows', () => {
    const found = chart(Array.from({ length: 250 }, (_, at) => ({ name: `n${at}`, at })));
    expect([found.points.length, found.total]).toEqual([100, 250]);
    const long = chart([{ text: 'long '.repeat(200_000), size: 1 }]);
    expect(long.points[0]?.label.length).toBeLessThanOrEqual(200);
  });

  it('gives the reason if the rows cannot be drawn', () => {
    expect(chartOf(resultTable([]), noLabel)).toBe('A chart needs rows.');
    expect(chartOf(resultTable(['a', 'b']), noLabel)).toBe('A chart needs a column of numbers.');
    expect(chartOf(resultTable([1, 2]), noLabel)).toBe('A chart needs two columns: a label and a number.');
  });
});

it('encloses all values and zero in round axis numbers', () => {
  expect(ticksOf([3, 17])).toEqual([0, 5, 10, 15, 20]);
  expect(ticksOf([-0.3, 0.1])).toEqual([-0.3, -0.2, -0.1, 0, 0.1]);
  expect(ticksOf([0])).toEqual([0, 0.25]);
  expect(ticksOf([1_000_000])).toEqual([0, 250_000, 500_000, 750_000, 1_000_000]);
});

describe('a graph', () => {
  const room = (id: string, name: string, more = {}) => ({
    $id: id,
    $meta: { type: 'm::Room', classes: ['m::Room'] },
    name,
    ...more,
  });
  const graph = (rows: Parameters<typeof graphOf>[0]) => {
    const found = graphOf(rows);
    if (typeof found === 'string') return found;
    return found.edges.map(({ from, to, label }) => `${from} ${label} ${to}`.replace('  ', ' '));
  };

  it('connects the individuals of a row', () => {
    const rows = [
      { a: '#i1', b: room('#i2', 'Borneo') },
      { a: '#i1', b: '#i2' },
      { a: '#i2', b: '#i3' },
    ];
    expect(graph(rows)).toEqual(['#i1 #i2', '#i2 #i3']);
    expect(graphOf(rows)).toMatchObject({ nodes: [{ id: '#i1' }, { id: '#i2', label: 'Borneo' }, { id: '#i3' }] });
  });

  it('connects an individual to those in its fields, and labels the edge', () => {
    const rows = [room('#i1', 'Atlas', { near: ['#i2', '#i3'], head: '@m::ada' }), room('#i4', 'Delphi')];
    expect(graph(rows)).toEqual(['#i1 near #i2', '#i1 near #i3', '#i1 head @m::ada']);
    expect(graphOf(rows)).toMatchObject({ nodes: { length: 5 }, leftOut: 0 });
  });

  it('limits the drawn pairs, and counts the others', () => {
    const found = graphOf(Array.from({ length: 400 }, (_, at) => ({ a: `#i${at}`, b: `#i${at + 1}` })));
    expect(found).toMatchObject({ nodes: { length: 300 }, leftOut: 101 });
  });

  it('gives the reason if the rows cannot be drawn', () => {
    expect(graph([{ a: '#i1', n: 4 }])).toBe('A graph needs two individuals in a row, such as { a: a, b: b }.');
    expect(graph([])).toContain('A graph needs two individuals');
  });
});
