/** Lines of a streamed import: fast forms equal the reader of cells. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WireType } from '../schemas/schemas.js';
import { type CellTerms, readCell } from './cell-values.js';
import { type FileRow, parseFile } from './import-file.js';
import type { Parameter } from './import-rows.js';
import { createRowLines } from './row-lines.js';

const TYPES: readonly WireType[] = [
  ...(['Text', 'Int', 'Decimal', 'Bool', 'Date', 'DateTime'] as const).map(
    (name) => ({ kind: 'scalar', name }) as const,
  ),
  { kind: 'enum', path: 'm::Unit' },
  { kind: 'class', path: 'm::Room' },
];
const ENUMS = [{ path: 'm::Unit', members: [{ name: 'piece' }, { name: 'litre' }] }] as unknown as CellTerms['enums'];
const remedies = { numbers: 'choose', dates: 'choose' };

function linesFor(parameters: readonly Parameter[], text: string) {
  const parsing = parseFile(text);
  if (!parsing.ok) throw new Error(parsing.message);
  const mapping = Object.fromEntries(parameters.map(({ name }) => [name, name]));
  return createRowLines(parsing.file, parameters, mapping, { notation: {}, enums: ENUMS, remedies });
}

describe('a line', () => {
  it('has the value that the reader of cells gives each cell', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 18 });
    const cell = fc.oneof(
      fc
        .tuple(fc.constantFrom('', '-', '+'), digits, fc.constantFrom('', '.', ',', 'e'), digits)
        .map((all) => all.join('')),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
      fc.stringMatching(/^\d{4}-[01]\d-[0-3]\d(T[012]\d:[0-6]\d:[0-6]\d(\.\d{0,4})?Z?)?$/),
      fc.constantFrom('true', 'no', 'piece', 'litre', 'gram', '#i1', '0000-01-01', '-0', '007'),
      fc.string({ unit: 'binary' }),
    );
    const notation = fc.constantFrom<CellTerms['notation']['numbers']>('plain', 'point', 'comma');
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), cell, notation, (type, text, numbers) => {
        const terms: CellTerms = { notation: { numbers, dates: 'iso' }, enums: ENUMS, remedies };
        const parameter = { name: 'a', type, required: true };
        const sample = { format: 'csv', columns: ['a'], records: [], problems: [] } as const;
        const lines = createRowLines(sample, [parameter], { a: 'a' }, { ...terms, notation: terms.notation });
        const line = lines.write({ line: 1, cells: [text] });
        const reading = readCell(parameter, text, terms);
        if (reading?.message === undefined) expect(line).toBe(JSON.stringify([reading?.value]));
        else expect(line).toEqual([{ field: 'a', message: reading.message }]);
      }),
    );
  });

  it('has null for an argument that is left out', () => {
    const text: WireType = { kind: 'scalar', name: 'Text' };
    const lines = linesFor([{ name: 'a', type: text, required: false }], 'b,a\n1,\n');
    expect(lines.write({ line: 2, cells: ['1', null] })).toBe('[null]');
  });

  it('names each cell that cannot be read, and a row of too few cells', () => {
    const int: WireType = { kind: 'scalar', name: 'Int' };
    const both = ['a', 'b'].map((name) => ({ name, type: int, required: true }));
    const lines = linesFor(both, 'a,b\n1,2\n');
    const problems = (row: FileRow) => lines.write(row);
    expect(problems({ line: 2, cells: ['x', 'y'] })).toEqual([
      { field: 'a', message: '"x" is not a whole number.' },
      { field: 'b', message: '"y" is not a whole number.' },
    ]);
    expect(problems({ line: 3, cells: ['1'] })).toEqual([{ field: '', message: 'Expected 2 cells, got 1.' }]);
  });
});
