/** Column mapping, excluded rows, and errors of the server. */

import { expect, it } from 'vitest';
import type { WireType } from '../../../../src-runtime/api/schemas/schemas.js';
import { parseFile } from '../../../../src-runtime/api/tables/import-file.js';
import { guessMapping, type Parameter, readRows } from '../../../../src-runtime/api/tables/import-rows.js';
import { fittedMapping, rowsWithout, serverProblems } from './import-model.js';

const scalar = (name: 'Text' | 'Int' | 'Decimal' | 'Bool' | 'Date' | 'DateTime'): WireType => ({
  kind: 'scalar',
  name,
});
const parameter = (name: string, type: WireType, required = true): Parameter => ({ name, type, required });

function parsed(text: string) {
  const parsing = parseFile(text);
  if (!parsing.ok) throw new Error(parsing.message);
  return parsing.file;
}

it('keeps the previous mapping for columns that are still in the file', () => {
  const parameters = [parameter('firstName', scalar('Text')), parameter('age', scalar('Int'), false)];
  const kept = { firstName: 'b', age: null };
  expect(fittedMapping({ parameters, concepts: [] }, ['b', 'age'], kept)).toEqual({ firstName: 'b', age: null });
  expect(fittedMapping({ parameters, concepts: [] }, ['x'], { firstName: 'gone' })).toEqual({
    firstName: null,
    age: null,
  });
  expect(fittedMapping({ parameters, concepts: [] }, ['firstName', 'age'], { firstName: 'gone' })).toEqual({
    firstName: 'firstName',
    age: 'age',
  });
  const alike = [...parameters, parameter('first_name', scalar('Text'))];
  expect(
    fittedMapping({ parameters: alike, concepts: [] }, ['a', 'first name'], { firstName: 'first name' }),
  ).toMatchObject({
    firstName: 'first name',
    first_name: null,
  });
});

it('removes excluded rows and their errors', () => {
  const file = parsed('n\n1\nx\n3\n');
  const parameters = [parameter('n', scalar('Int'))];
  const read = readRows(file, parameters, guessMapping(parameters, file.columns));
  expect(rowsWithout(read, new Set([1]))).toMatchObject({ numbers: [0, 2], rows: [{ n: 1 }, { n: 3 }], problems: [] });
});

it('converts row errors of the server to the local format', () => {
  const details = {
    row: 1,
    failures: [
      { row: 1, code: 'X', message: 'too young', details: { diagnostics: [] } },
      { row: 4, code: 'Y', message: 'must be a number', details: { parameter: 'age' } },
      'broken',
    ],
  };
  expect(serverProblems(details, [0, 1, 2, 3, 7])).toEqual([
    { at: 1, row: 1, code: 'X', field: '', message: 'too young' },
    { at: 4, row: 7, code: 'Y', field: 'age', message: 'must be a number' },
  ]);
  expect(serverProblems({}, [])).toEqual([]);
});
