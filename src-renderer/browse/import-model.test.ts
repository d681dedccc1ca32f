/** Files become rows of arguments, and what does not fit is told by row and field. */

import { describe, expect, it } from 'vitest';
import { parseFile } from '../../src-runtime/api/import-file.js';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { WireType } from '../../src-runtime/api/schemas.js';
import {
  fittedMapping,
  foundWriting,
  guessMapping,
  type Parameter,
  readRows,
  rowsWithout,
  serverProblems,
} from './import-model.js';

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

describe('columns feed parameters', () => {
  const parameters = [parameter('firstName', scalar('Text')), parameter('age', scalar('Int'), false)];

  it('of the same name, however it is written', () => {
    expect(guessMapping(parameters, ['First Name', 'AGE'])).toEqual({ firstName: 'First Name', age: 'AGE' });
    for (const column of ['first_name', 'first-name', 'FIRST NAME', 'FirstName', ' first.name ']) {
      expect(guessMapping(parameters, [column])).toEqual({ firstName: column, age: null });
    }
    expect(guessMapping(parameters, ['firstNames', 'ages'])).toEqual({ firstName: null, age: null });
  });

  it('one column each: that of exactly the name, and no column for two', () => {
    expect(guessMapping(parameters, ['First Name', 'firstName', 'Age'])).toEqual({
      firstName: 'firstName',
      age: 'Age',
    });
    const alike = [...parameters, parameter('first_name', scalar('Text'))];
    expect(guessMapping(alike, ['First Name'])).toEqual({ firstName: 'First Name', age: null, first_name: null });
    expect(guessMapping(alike, ['first_name', 'FirstName'])).toMatchObject({
      firstName: 'FirstName',
      first_name: 'first_name',
    });
    expect(fittedMapping(alike, ['a', 'first name'], { firstName: 'first name' })).toMatchObject({
      firstName: 'first name',
      first_name: null,
    });
  });

  it('as they were told to before, where the file still has them', () => {
    const kept = { firstName: 'b', age: null };
    expect(fittedMapping(parameters, ['b', 'age'], kept)).toEqual({ firstName: 'b', age: null });
    expect(fittedMapping(parameters, ['x'], { firstName: 'gone' })).toEqual({ firstName: null, age: null });
    expect(fittedMapping(parameters, ['firstName', 'age'], { firstName: 'gone' })).toEqual({
      firstName: 'firstName',
      age: 'age',
    });
  });
});

describe('a row', () => {
  const read = (text: string, ...parameters: Parameter[]) => {
    const file = parsed(text);
    return readRows(file, parameters, guessMapping(parameters, file.columns));
  };

  it('is read by the types of the parameters', () => {
    const { rows, problems } = read(
      'name,age,rent,ok,born,tags\nAda,36,12.50,Yes,1985-12-10,a; b\n',
      parameter('name', scalar('Text')),
      parameter('age', scalar('Int')),
      parameter('rent', scalar('Decimal')),
      parameter('ok', scalar('Bool')),
      parameter('born', scalar('Date')),
      parameter('tags', { kind: 'list', of: scalar('Text') }),
    );
    expect(
      read('rents\n"[0.12345678901234567890]"\n', parameter('rents', { kind: 'list', of: scalar('Decimal') })).rows,
    ).toEqual([{ rents: ['0.12345678901234567890'] }]);
    expect(problems).toEqual([]);
    expect(rows).toEqual([{ name: 'Ada', age: 36, rent: '12.50', ok: true, born: '1985-12-10', tags: ['a', 'b'] }]);
  });

  it('leaves out what is empty and may be, and tells what may not', () => {
    const optional: WireType = { kind: 'optional', of: scalar('Text') };
    const { rows, problems } = read(
      'name,mail,age,more\n,,,x\n',
      parameter('name', scalar('Text')),
      parameter('mail', optional, false),
      parameter('age', scalar('Int')),
      parameter('rent', scalar('Int')),
    );
    expect(rows).toEqual([{ name: '', age: '' }]);
    expect(problems).toEqual([{ row: 0, field: 'age', message: 'A whole number is needed.' }]);
  });

  it('is told of by number and field, and keeps what was there', () => {
    const { rows, problems } = read(
      'age,ok\n1,1\nx,maybe\n',
      parameter('age', scalar('Int')),
      parameter('ok', scalar('Bool')),
    );
    expect(rows[1]).toEqual({ age: 'x', ok: 'maybe' });
    expect(problems).toEqual([
      { row: 1, field: 'age', message: '"x" is not a whole number.' },
      { row: 1, field: 'ok', message: '"maybe" is neither true nor false.' },
    ]);
  });

  it('of JSON is sent as it is', () => {
    const file = parsed('[{"lines":[{"a":1}],"n":3,"m":null}]');
    const parameters = [
      parameter('lines', { kind: 'list', of: { kind: 'record', fields: [] } }),
      parameter('n', scalar('Int')),
      parameter('m', { kind: 'optional', of: scalar('Int') }, false),
    ];
    expect(readRows(file, parameters, guessMapping(parameters, file.columns))).toEqual({
      missing: [],
      rows: [{ lines: [{ a: 1 }], n: 3 }],
      problems: [],
    });
  });
});

it('numbers and dates are read as the file writes them', () => {
  const file = parsed('n;d\n1.234,50;31.01.2026\n9,90;2/1/2026\n1;31/31/2026\n');
  const parameters = [parameter('n', scalar('Decimal')), parameter('d', scalar('Date'))];
  const mapping = guessMapping(parameters, file.columns);
  const writing = foundWriting(file, parameters, mapping);
  expect(writing).toEqual({ numbers: 'comma', dates: 'iso' });
  expect(readRows(file, parameters, mapping, { writing }).problems.map(({ message }) => message)).toEqual([
    '"2/1/2026" may mean two days; choose above how dates are written.',
    '"31/31/2026" may mean two days; choose above how dates are written.',
  ]);
  const { rows, problems } = readRows(file, parameters, mapping, { writing: { ...writing, dates: 'dayFirst' } });
  expect(rows.slice(0, 2)).toEqual([
    { n: '1234.50', d: '2026-01-31' },
    { n: '9.90', d: '2026-01-02' },
  ]);
  expect(problems).toEqual([{ row: 2, field: 'd', message: '"31/31/2026" is no date of the calendar.' }]);
});

it('what is no member of an enum and no day or instant of the calendar is told before it is sent', () => {
  const file = parsed(
    'grade,other,day,at\nsenor,x;low,2026-02-30,2026-01-31T25:00\nsenior,low,2026-02-28,2026-01-31T10:00\n',
  );
  const grade: WireType = { kind: 'enum', path: 'm::Grade' };
  const parameters = [
    parameter('grade', grade),
    parameter('other', { kind: 'list', of: { kind: 'enum', path: 'm::Level' } }),
    parameter('day', scalar('Date')),
    parameter('at', scalar('DateTime')),
  ];
  const enums = [
    { path: 'm::Grade', members: [{ name: 'senior' }, { name: 'junior' }] },
    { path: 'm::Level', members: [{ name: 'low' }, { name: 'high' }] },
  ] as unknown as ServedSchema['enums'];
  const { problems } = readRows(file, parameters, guessMapping(parameters, file.columns), { enums });
  expect(problems.map(({ row, field, message }) => `${row} ${field} ${message}`)).toEqual([
    '0 grade "senor" is no Grade; did you mean "senior"?',
    '0 other "x" is no Level; there are low, high.',
    '0 day "2026-02-30" is no date of the calendar.',
    '0 at An instant is needed, like 2026-01-31T10:00:00Z.',
  ]);
});

it('rows that are left out are neither sent nor told of', () => {
  const file = parsed('n\n1\nx\n3\n');
  const parameters = [parameter('n', scalar('Int'))];
  const read = readRows(file, parameters, guessMapping(parameters, file.columns));
  expect(rowsWithout(read, new Set([1]))).toMatchObject({ numbers: [0, 2], rows: [{ n: 1 }, { n: 3 }], problems: [] });
});

it('what the server refuses is told in the same form', () => {
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
