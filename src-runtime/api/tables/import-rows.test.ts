/** Turning the records of a file into rows of arguments, on the page and the command line. */

import { describe, expect, it } from 'vitest';
import type { ServedSchema } from '../schemas/module-schemas.js';
import type { WireType } from '../schemas/schemas.js';
import { parseFile } from './import-file.js';
import { foundNotation, guessMapping, type Parameter, readRows } from './import-rows.js';

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

describe('columns are mapped to parameters', () => {
  const parameters = [parameter('firstName', scalar('Text')), parameter('age', scalar('Int'), false)];

  it('of the same name, ignoring case, separators and plural', () => {
    expect(guessMapping(parameters, ['First Name', 'AGE'])).toEqual({ firstName: 'First Name', age: 'AGE' });
    for (const column of ['first_name', 'first-name', 'FIRST NAME', 'FirstName', ' first.name ']) {
      expect(guessMapping(parameters, [column])).toEqual({ firstName: column, age: null });
    }
    expect(guessMapping(parameters, ['firstNames', 'ages'])).toEqual({ firstName: 'firstNames', age: 'ages' });
  });

  it('of similar names: with the name of the concept, for the key of a reference, with a wrong letter, or with words before', () => {
    const room: WireType = { kind: 'class', path: 'm::Room' };
    const booking = [parameter('room', room), parameter('name', scalar('Text')), parameter('capacity', scalar('Int'))];
    expect(guessMapping(booking, ['Booking Name', 'room_id', 'Capasity'], ['Booking'])).toEqual({
      room: 'room_id',
      name: 'Booking Name',
      capacity: 'Capasity',
    });
    expect(guessMapping(booking, ['Room Name', 'colour', 'on'], ['Booking'])).toEqual({
      room: 'Room Name',
      name: null,
      capacity: null,
    });
    expect(guessMapping(booking, ['Room Name', 'Name', 'Seats'], ['Room'])).toMatchObject({ name: 'Name' });
    expect(guessMapping([parameter('in', scalar('Int'))], ['on'])).toEqual({ in: null });
    expect(guessMapping([parameter('seats', scalar('Int'))], ['Number of Seats'])).toEqual({
      seats: 'Number of Seats',
    });
    for (const column of ['Seats Left', 'name;seats']) {
      expect(guessMapping([parameter('seats', scalar('Int'))], [column])).toEqual({ seats: null });
    }
  });

  it('one to one, exact names first', () => {
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

  it('leaves out optional empty cells, and reports required ones', () => {
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

  it('leaves out an empty cell, and keeps `""` and quoted blanks', () => {
    const text = scalar('Text');
    const parameters = [
      parameter('required', text),
      parameter('optional', { kind: 'optional', of: text }, false),
      parameter('withDefault', text, false),
      parameter('count', { kind: 'optional', of: scalar('Int') }, false),
    ];
    const header = 'required,optional,withDefault,count\n';
    expect(read(`${header},,,\n`, ...parameters)).toEqual({ missing: [], rows: [{ required: '' }], problems: [] });
    expect(read(`${header} ,  , ,\t\n`, ...parameters).rows).toEqual([{ required: '' }]);
    expect(read(`${header}"","","",""\n`, ...parameters).rows).toEqual([
      { required: '', optional: '', withDefault: '' },
    ]);
    expect(read(`${header}"  "," ","\n",\n`, ...parameters).rows).toEqual([
      { required: '  ', optional: ' ', withDefault: '\n' },
    ]);
    expect(read('optional\n""\n\n   \n"x"\n', ...parameters.slice(1)).rows).toEqual([
      { optional: '' },
      { optional: 'x' },
    ]);
  });

  it('reads parameters named like inherited members', () => {
    const { rows } = read(
      '__proto__,constructor\n1,2\n',
      ...['__proto__', 'constructor', 'toString'].map((name) => parameter(name, scalar('Int'), name !== 'toString')),
    );
    expect(rows.map((row) => Object.entries(row))).toEqual([
      [
        ['__proto__', 1],
        ['constructor', 2],
      ],
    ]);
  });

  it.each([
    ['Int', '+5', 5],
    ['Int', '007', 7],
    ['Int', '1E+03', 1000],
    ['Int', '1.0', 1],
    ['Int', '-0', 0],
    ['Int', '"1,5"', undefined],
    ['Int', '1.0000000000000000001', undefined],
    ['Decimal', '"1,5"', '1.5'],
    ['Decimal', '"1.234,50"', '1234.50'],
    ['Decimal', '"1,5E+03"', '1.5E+03'],
    ['Decimal', '+5', '5'],
    ['Decimal', '.5', '0.5'],
    ['Decimal', '",5"', '0.5'],
    ['Decimal', '007', '7'],
    ['Decimal', '1.0', '1.0'],
    ['Text', '007', '007'],
    ['Date', '31.12.2026', '2026-12-31'],
    ['Date', '31/12/2026', '2026-12-31'],
    ['DateTime', '31.12.2026 10:00', '2026-12-31T10:00:00Z'],
    ['DateTime', '2026-12-31 10:00:30', '2026-12-31T10:00:30Z'],
    ['Bool', 'YES', true],
    ['Bool', '0', false],
    ['Bool', '"  "', undefined],
  ] as const)('reads a cell of type %s: %s', (name, cell, value) => {
    const file = parsed(`p\n${cell}\n`);
    const parameters = [parameter('p', scalar(name))];
    const mapping = guessMapping(parameters, file.columns);
    const { rows, problems } = readRows(file, parameters, mapping);
    if (value === undefined) expect(problems).toHaveLength(1);
    else expect([problems, rows]).toEqual([[], [{ p: value }]]);
  });

  it('refuses an ambiguous number, or one in another notation', () => {
    const problemsOf = (...cells: string[]) => {
      const file = parsed(`p\n${cells.map((cell) => `"${cell}"\n`).join('')}`);
      const parameters = [parameter('p', scalar('Decimal'))];
      const mapping = guessMapping(parameters, file.columns);
      return readRows(file, parameters, mapping).problems.map(({ message }) => message);
    };
    expect(problemsOf('1,234')).toEqual(['"1,234" may mean 1234 or 1.234; choose above how numbers are written.']);
    expect(problemsOf('9,90', '9.90')).toEqual([
      '"9,90" is not written like other numbers; choose above how numbers are written.',
    ]);
    expect(problemsOf('9,90', '0.500')).toHaveLength(1);
  });

  it('reads a column in its own notation, or else in that of the other columns', () => {
    const read = (text: string) => {
      const file = parsed(text);
      const parameters = file.columns.map((name) => parameter(name, scalar('Decimal')));
      const mapping = guessMapping(parameters, file.columns);
      return { found: foundNotation(file, parameters, mapping).numbers, ...readRows(file, parameters, mapping) };
    };
    expect(read('a;b\n1,5;1.234\n')).toMatchObject({ found: 'comma', rows: [{ a: '1.5', b: '1234' }], problems: [] });
    expect(read('a;b;c\n1,5;1.0;1.234\n')).toMatchObject({
      found: undefined,
      rows: [{ a: '1.5', b: '1.0', c: '1.234' }],
      problems: [],
    });
  });

  it('reports a problem by row and field, and keeps the text', () => {
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

  it('is unchanged if it is JSON', () => {
    const file = parsed('[{"lines":[{"a":1}],"n":3,"m":null}]');
    const parameters = [
      parameter('lines', { kind: 'list', of: { kind: 'record', fields: [] } }),
      parameter('n', scalar('Int')),
      parameter('m', { kind: 'optional', of: scalar('Int') }, false),
    ];
    expect(readRows(file, parameters, guessMapping(parameters, file.columns))).toEqual({
      missing: [],
      rows: [{ lines: [{ a: 1 }], n: 3, m: null }],
      problems: [],
    });
  });
});

it('reads numbers and dates in the notation of the file', () => {
  const file = parsed('n;d\n1.234,50;31.01.2026\n9,90;2/1/2026\n1;31/31/2026\n');
  const parameters = [parameter('n', scalar('Decimal')), parameter('d', scalar('Date'))];
  const mapping = guessMapping(parameters, file.columns);
  expect(foundNotation(file, parameters, mapping)).toEqual({ numbers: 'comma', dates: 'iso' });
  expect(readRows(file, parameters, mapping).problems.map(({ message }) => message)).toEqual([
    '"2/1/2026" may mean two days; choose above how dates are written.',
    '"31/31/2026" may mean two days; choose above how dates are written.',
  ]);
  const { rows, problems } = readRows(file, parameters, mapping, { notation: { dates: 'dayFirst' } });
  expect(rows.slice(0, 2)).toEqual([
    { n: '1234.50', d: '2026-01-31' },
    { n: '9.90', d: '2026-01-02' },
  ]);
  expect(problems).toEqual([{ row: 2, field: 'd', message: '"31/31/2026" is no date of the calendar.' }]);
});

it('reports unknown members and invalid dates before anything is sent', () => {
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
