import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EnumDeclaration, Json, Type } from '../../artifact/types.js';
import { dateFromDays, dateTimeText, daysOfDate, isDate } from '../../base/dates.js';
import { Numeral } from '../../base/numeral.js';
import { SPAN } from '../testing/ir.js';
import { Interner, NONE } from './codec.js';
import { compareValues } from './compare.js';
import { BOOL, DATE, DATE_TIME, DECIMAL, INT, TEXT } from './value.js';
import { constantValue, fromWire, toWire, type WireEnvironment } from './wire.js';

const STATUS: Type = { kind: 'enum', path: 'm::Status' };
const PARTY: Type = { kind: 'class', path: 'm::Party' };
const status: EnumDeclaration = {
  path: 'm::Status',
  public: true,
  span: SPAN,
  members: [{ name: 'signed' }, { name: 'draft' }],
};
const schema = {
  enums: new Map([[status.path, status]]),
  individuals: new Map([
    ['m::b', true],
    ['m::a', true],
  ]),
};

const environment: WireEnvironment = {
  program: schema,
  resolveIndividual: (reference) =>
    reference === 'ghost' ? { received: 'the unknown individual "ghost"' } : { id: reference },
};

/** The wire form of a value after a round trip, or the message of its rejection. */
function roundTrip(type: Type, json: unknown): Json {
  const read = fromWire(type, json, environment);
  return read.ok ? toWire(type, read.value) : `${read.path}: ${read.expected}, not ${read.received}`;
}

const list = (of: Type): Type => ({ kind: 'list', of });
const optional = (of: Type): Type => ({ kind: 'optional', of });
const record: Type = {
  kind: 'record',
  fields: [
    { name: 'a', type: INT },
    { name: 'b', type: optional(TEXT) },
  ],
};

describe('wire forms', () => {
  it.each<[Type, unknown, Json]>([
    [BOOL, true, true],
    [INT, -0, 0],
    [INT, 2 ** 53 - 1, 2 ** 53 - 1],
    [DECIMAL, '12.50', '12.5'],
    [DECIMAL, 1e21, '1000000000000000000000'],
    [DECIMAL, '-0.00', '0'],
    [DECIMAL, new Numeral('12345678901234567890.5'), '12345678901234567890.5'],
    [DECIMAL, `-0.0${'9'.repeat(34)}000`, `-0.0${'9'.repeat(34)}`],
    [DECIMAL, `1${'0'.repeat(40)}`, `1${'0'.repeat(40)}`],
    [DATE, '2024-02-29', '2024-02-29'],
    [DATE_TIME, '2026-01-31T11:30:00+01:30', '2026-01-31T10:00:00.000Z'],
    [DATE_TIME, '1969-12-31T23:59:59.5Z', '1969-12-31T23:59:59.500Z'],
    [DATE_TIME, '2026-01-31T10:00:00.123000000Z', '2026-01-31T10:00:00.123Z'],
    [STATUS, 'draft', 'draft'],
    [PARTY, { $id: '#i3', name: 'Ada' }, '#i3'],
    [optional(INT), undefined, null],
    [list(optional(INT)), [1, null], [1, null]],
    [record, { a: 1 }, { a: 1, b: null }],
  ])('reads %j from %j and writes %j', (type, json, expected) => {
    expect(roundTrip(type, json)).toEqual(expected);
  });

  it.each<[Type, unknown, string]>([
    [BOOL, 1, ': true or false, not 1'],
    [INT, 1.5, ': a whole number within ±(2⁵³−1), not 1.5'],
    [INT, 2 ** 53, ': a whole number within ±(2⁵³−1), not 9007199254740992'],
    [INT, '1', ': a whole number within ±(2⁵³−1), not "1"'],
    [DECIMAL, 'twelve', ': a decimal number such as "12.5", not "twelve"'],
    [DECIMAL, '1e7000', ': a decimal number of less than 1e6145, not "1e7000"'],
    [DECIMAL, '1e-7000', ': a decimal number of at least 1e-6176, or zero, not "1e-7000"'],
    [
      DECIMAL,
      new Numeral('1.0000000000000000000000000000000004'),
      ': a decimal number of 34 significant digits at most, not 1.0000000000000000000000000000000004',
    ],
    [
      DATE_TIME,
      '2026-01-31T10:00:00.123456Z',
      ': an instant without digits below a millisecond, such as "2026-01-31T10:00:00.123Z", not "2026-01-31T10:00:00.123456Z"',
    ],
    [INT, new Numeral('9007199254740993'), ': a whole number within ±(2⁵³−1), not 9007199254740993'],
    [INT, new Numeral('1.0000000000000000001'), ': a whole number within ±(2⁵³−1), not 1.0000000000000000001'],
    [record, new Numeral('1e400'), ': an object, not 1e400'],
    [TEXT, '\ud800', ': a Unicode string, not "\\ud800"'],
    [DATE, '2023-02-29', ': a date such as "2026-01-31", not "2023-02-29"'],
    [DATE_TIME, '2026-01-31', ': an instant such as "2026-01-31T10:00:00Z", not "2026-01-31"'],
    [STATUS, 'ended', ': one of signed, draft, not "ended"'],
    [list(PARTY), ['#i1', 'ghost'], '[1]: a Party, not the unknown individual "ghost"'],
    [record, { a: 1, c: 2 }, '.c: one of the keys a, b, not "c"'],
    [record, { b: 'x' }, '.a: a whole number within ±(2⁵³−1), not nothing'],
  ])('rejects for %j the invalid %j', (type, json, expected) => {
    expect(roundTrip(type, json)).toBe(expected);
  });
});

describe('codes', () => {
  const wires = fc.oneof(
    fc.tuple(fc.constant(BOOL), fc.boolean()),
    fc.tuple(fc.constant(INT), fc.maxSafeInteger()),
    fc.tuple(fc.constant(TEXT), fc.string({ unit: 'grapheme' })),
    fc.tuple(fc.constant(DATE), fc.integer({ min: -719_162, max: 2_932_896 }).map(dateFromDays)),
    fc.tuple(
      fc.constant(DATE_TIME),
      fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }).map(dateTimeText),
    ),
    fc.tuple(
      fc.constant(DECIMAL),
      fc.tuple(fc.maxSafeInteger(), fc.nat({ max: 9 })).map(([digits, places]) => `${digits}e-${places}`),
    ),
    fc.tuple(fc.constant(STATUS), fc.constantFrom('signed', 'draft')),
    fc.tuple(fc.constant(PARTY), fc.constantFrom('@m::a', '@m::b', '#i0', '#i77')),
  );

  it('decode to the same value, and are equal only for equal values', () => {
    const interner = new Interner(schema);
    fc.assert(
      fc.property(wires, wires, ([type, json], [otherType, otherJson]) => {
        const value = constantValue(type, json);
        const code = interner.encode(type, value);
        expect(code).toBe(code | 0);
        expect(compareValues(schema, type, interner.decode(type, code), value)).toBe(0);
        if (type !== otherType) return;
        const other = constantValue(otherType, otherJson);
        const isSame = compareValues(schema, type, value, other) === 0;
        expect(interner.encode(type, other) === code).toBe(isSame);
      }),
    );
  });

  it('are the same for Decimals that differ in trailing zeros', () => {
    const interner = new Interner(schema);
    const code = (text: string): number => interner.encode(DECIMAL, constantValue(DECIMAL, text));
    expect(code('12.50')).toBe(code('12.5'));
    expect(code('-0')).toBe(code('0'));
  });

  it('stay the same in a passing interner when the scope encodes the values later', () => {
    const lists = fc.tuple(fc.constant(list(TEXT)), fc.array(fc.string()));
    const some = fc.array(fc.oneof(wires, lists));
    fc.assert(
      fc.property(some, some, (before, later) => {
        const scope = new Interner(schema);
        const codesIn = (interner: Interner, values: typeof before): number[] =>
          values.map(([type, json]) => interner.encode(type, constantValue(type, json)));
        const known = codesIn(scope, before);
        const passing = scope.passing();
        expect(codesIn(passing, before)).toEqual(known);
        const codes = codesIn(passing, later);
        const wiresOf = codes.map((code, at) =>
          toWire(later[at]?.[0] ?? BOOL, passing.decode(later[at]?.[0] ?? BOOL, code)),
        );
        expect(wiresOf).toEqual(later.map(([type, json]) => toWire(type, constantValue(type, json))));
        codesIn(scope, later);
        expect(codesIn(passing, later)).toEqual(codes);
      }),
    );
  });

  it('are known only for encoded values, and a lookup creates none', () => {
    fc.assert(
      fc.property(fc.array(wires), fc.array(wires), (met, lookedUp) => {
        const interner = new Interner(schema);
        const codeOf = ([type, json]: (typeof met)[number]): number => interner.encode(type, constantValue(type, json));
        const knownOf = ([type, json]: (typeof met)[number]): number => interner.known(type, constantValue(type, json));
        const codes = met.map(codeOf);
        const known = lookedUp.map(knownOf);
        expect(met.map(knownOf)).toEqual(codes);
        expect(lookedUp.map(knownOf)).toEqual(known);
        const isKnown = known.map((code) => code !== NONE);
        expect(lookedUp.filter((_, at) => isKnown[at]).map(codeOf)).toEqual(known.filter((code) => code !== NONE));
      }),
    );
  });

  it('distinguish a missing value from every value', () => {
    expect(new Interner(schema).encode(optional(INT), null)).toBe(NONE);
    expect(new Interner(schema).decode(INT, NONE)).toBeNull();
  });
});

describe('the total order', () => {
  const order = (type: Type, values: readonly Json[]): Json[] =>
    [...values].sort((left, right) =>
      compareValues(schema, type, constantValue(type, left), constantValue(type, right)),
    );

  it('sorts Text by code point, enums by declaration, declared individuals first, missing values last', () => {
    expect(order(TEXT, ['\u{1f600}', '\ufffd', 'b', 'a', 'B'])).toEqual(['B', 'a', 'b', '\ufffd', '\u{1f600}']);
    expect(order(STATUS, ['draft', 'signed'])).toEqual(['signed', 'draft']);
    expect(order(PARTY, ['#i10', '#i9', '@m::b', '@m::a'])).toEqual(['@m::a', '@m::b', '#i9', '#i10']);
    expect(order(optional(BOOL), [null, true, false])).toEqual([false, true, null]);
    expect(order(DECIMAL, ['10', '9.5', '-1'])).toEqual(['-1', '9.5', '10']);
  });
});

describe('day numbers', () => {
  it('convert to every date of four hundred years and back', () => {
    for (let days = daysOfDate('1900-01-01'); days < daysOfDate('2300-01-01'); days += 1) {
      if (!isDate(dateFromDays(days)) || daysOfDate(dateFromDays(days)) !== days) throw new Error(dateFromDays(days));
    }
    expect([dateFromDays(0), dateFromDays(-719_162), dateFromDays(2_932_896)]).toEqual([
      '1970-01-01',
      '0001-01-01',
      '9999-12-31',
    ]);
  });
});
