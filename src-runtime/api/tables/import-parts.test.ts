/** Parts of a file: their sizes, the memory that they share, and the rows that are left out. */

import { describe, expect, it } from 'vitest';
import type { FileRow, Table } from './import-file.js';
import { createPartSizer, halves, type ImportPart, partsOf, rejectedRows } from './import-parts.js';

/** Rows of one number each. Every tenth is no number. */
function numbers(count: number): Table {
  const rowAt = (at: number): FileRow => ({ line: at + 2, cells: [at % 10 === 3 ? 'x' : String(at)] });
  async function* rows() {
    for (let at = 0; at < count; at += 100) yield Array.from({ length: 100 }, (_, more) => rowAt(at + more));
  }
  const sample = { format: 'csv', columns: ['n'], records: [], problems: [] } as const;
  return { encoding: 'utf-8', isCompressed: false, sample, rows: rows() };
}

const write = (row: FileRow) => {
  const cell = 'cells' in row ? (row.cells[0] ?? '') : '';
  return cell === 'x' ? [{ field: 'n', message: 'not a number' }] : `[${cell}]`;
};

const SIZE = { characters: 2_000, rowsMax: Number.POSITIVE_INFINITY };

const parts = (count: number, keepsRows = true) =>
  partsOf(numbers(count), write, { skipped: 0, keepsRows, sizeOf: () => SIZE });

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('parts of a file', () => {
  it('share two sets of buffers, however many parts there are', async () => {
    const buffers = new Set<unknown>();
    let count = 0;
    for await (const { lines, kept, unreadable } of parts(20_000)) {
      // The first parts let the buffers grow.
      if (++count > 4) for (const { buffer } of [lines, kept, unreadable]) buffers.add(buffer);
    }
    expect(count).toBeGreaterThan(50);
    expect(buffers.size).toBe(6);
  });

  it('keep no rows unless they are asked to', async () => {
    for await (const { kept } of parts(1_000, false)) expect(kept).toHaveLength(0);
  });

  it('have the rows that cannot be read and those that the server rejects, in the order of the file', async () => {
    const { value } = await parts(1_000).next();
    const rejected = rejectedRows(value as ImportPart, [
      { row: 5, field: 'n', message: 'too large' },
      { row: 2, field: '', message: 'too small' },
    ]);
    expect(rejected.slice(0, 3)).toEqual([
      { place: 4, row: { line: 4, cells: ['2'] }, problems: [{ field: '', message: 'too small' }] },
      { place: 5, row: { line: 5, cells: ['x'] }, problems: [{ field: 'n', message: 'not a number' }] },
      { place: 8, row: { line: 8, cells: ['6'] }, problems: [{ field: 'n', message: 'too large' }] },
    ]);
  });

  it('can be cut in halves, each with its rows and positions', async () => {
    const { value } = await parts(1_000).next();
    const whole = value as ImportPart;
    const [first, second] = halves(whole) as [ImportPart, ImportPart];
    expect([first.from, first.to, second.from, second.to]).toEqual([0, second.from, first.to, whole.to]);
    for (const kind of ['lines', 'kept', 'unreadable'] as const) {
      expect(textOf(first[kind]) + textOf(second[kind])).toBe(textOf(whole[kind]));
    }
    for (const half of [first, second]) {
      expect(rejectedRows(half, []).length + half.places.length).toBe(half.to - half.from);
      const [{ row } = { row: undefined }] = rejectedRows({ ...half, unreadable: new Uint8Array() }, [
        { row: 1, field: '', message: '' },
      ]);
      expect(row).toEqual({ line: half.places[1], cells: [String((half.places[1] ?? 0) - 2)] });
    }
  });
});

describe('the size of parts', () => {
  it('begins small, grows while the server is quick, and shrinks when it is slow', () => {
    const sizer = createPartSizer();
    const size = () => sizer.size().characters;
    const first = size();
    // At 1 kB a second, such a part arrives within the two minutes that a server waits.
    expect(first).toBeLessThan(100_000);
    for (let part = 0; part < 10; part++) sizer.adapt(20);
    const largest = size();
    expect(largest).toBe(8 * first);
    sizer.adapt(1_000);
    expect(size()).toBe(largest);
    sizer.adapt(10_000);
    sizer.shrink();
    expect(size()).toBe(largest / 4);
  });
});
