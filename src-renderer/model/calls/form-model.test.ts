/** Form input is converted to wire values of the signature, or to an error message by input. */

import { describe, expect, it } from 'vitest';
import type { WireType } from '../../../src-runtime/api/schemas/schemas.js';
import { emptyForm, type FormParameter, type FormValue, fittedForm, readForm, readValue } from './form-model.js';

const scalar = (name: 'Bool' | 'Int' | 'Decimal' | 'Text' | 'Date' | 'DateTime'): WireType => ({
  kind: 'scalar',
  name,
});
const person: WireType = { kind: 'class', path: 'lease::Person' };
const status: WireType = { kind: 'enum', path: 'lease::Status' };

function check(type: WireType, typed: FormValue, expected: unknown): void {
  const reading = readValue(type, typed, 'p');
  expect(reading.ok ? reading.value : wordsOf(reading.errors)).toEqual(expected);
}

function wordsOf(errors: Readonly<Record<string, string>>): string {
  return Object.entries(errors)
    .map(([path, message]) => `${path}: ${message}`)
    .join(' ');
}

it('leaves a new parameter empty in a stored form, even if it is named constructor', () => {
  const parameters: readonly FormParameter[] = [{ name: 'constructor', type: person, required: true }];
  expect(fittedForm(parameters, {})['constructor']).toBe('');
  expect(readForm(parameters, {}).errors).toEqual({ constructor: 'Select an individual, or type its id.' });
});

it.each(['__proto__', 'constructor', 'toString'])('reads a parameter named %s, or reports its error', (name) => {
  const record = { kind: 'record' as const, fields: [{ name, type: scalar('Int') }] };
  const parameters: readonly FormParameter[] = [{ name, type: record, required: true }];
  const typed = (text: string) => Object.fromEntries([[name, Object.fromEntries([[name, text]])]]);
  expect(JSON.stringify(readForm(parameters, typed('5')).args)).toBe(`{"${name}":{"${name}":5}}`);
  expect(Object.keys(readForm(parameters, typed('five')).errors)).toEqual([`${name}.${name}`]);
  const plain: readonly FormParameter[] = [{ name, type: scalar('Int'), required: true }];
  expect(Object.keys(readForm(plain, Object.fromEntries([[name, 'five']])).errors)).toEqual([name]);
});

describe('readValue', () => {
  it('converts Int to a number, and keeps all digits of Decimal', () => {
    check(scalar('Int'), ' -42 ', -42);
    check(scalar('Decimal'), '12345678901234567890.123456789', '12345678901234567890.123456789');
    check(scalar('Decimal'), ' +.5 ', '0.5');
  });

  it('reports an invalid number or instant', () => {
    check(scalar('Int'), '4.5', 'p: "4.5" is not a whole number.');
    check(scalar('Int'), '9007199254740993', 'p: "9007199254740993" is beyond the range of Int, ±(2⁵³−1).');
    check(scalar('Decimal'), '1'.repeat(35), 'p: Expected a decimal number of 34 significant digits at most.');
    check(
      scalar('DateTime'),
      '2026-01-31T10:00:00.0001Z',
      'p: Expected an instant without digits below a millisecond.',
    );
    check(scalar('Decimal'), '12,50', 'p: "12,50" is not a decimal number like 12.50.');
    check(scalar('Decimal'), '', 'p: A number is needed.');
  });

  it('keeps spaces in text, and accepts empty text', () => {
    check(scalar('Text'), '  Ada ', '  Ada ');
    check(scalar('Text'), '', '');
  });

  it('accepts only dates that exist', () => {
    check(scalar('Date'), '2024-02-29', '2024-02-29');
    check(scalar('Date'), '2026-02-29', 'p: Not a valid date. Use YYYY-MM-DD.');
    check(scalar('Date'), 'never', 'p: Not a valid date. Use YYYY-MM-DD.');
    check(scalar('Date'), '', 'p: A date is needed.');
  });

  it('reads a time without offset as UTC', () => {
    check(scalar('DateTime'), '2026-01-31T10:00', '2026-01-31T10:00:00Z');
    check(scalar('DateTime'), '2026-01-31T10:00:00+02:00', '2026-01-31T10:00:00+02:00');
  });

  it('requires an individual or an enum member', () => {
    check(person, '#i3', '#i3');
    check(person, '', 'p: Select an individual, or type its id.');
    check(status, 'signed', 'signed');
    check(status, '', 'p: Select a member.');
  });

  it('distinguishes none from empty text', () => {
    const optional: WireType = { kind: 'optional', of: scalar('Text') };
    check(optional, null, null);
    check(optional, '', '');
  });

  it('reads lists of records, and reports errors by input', () => {
    const lines: WireType = {
      kind: 'list',
      of: {
        kind: 'record',
        fields: [
          { name: 'who', type: person },
          { name: 'amount', type: scalar('Decimal') },
        ],
      },
    };
    check(lines, [{ who: '#i1', amount: '2.5' }], [{ who: '#i1', amount: '2.5' }]);
    check(lines, [{ who: '#i1', amount: 'x' }], 'p.0.amount: "x" is not a decimal number like 12.50.');
    const empty = { who: '', amount: '' };
    check(
      lines,
      [{ who: '#i1', amount: '2.5' }, empty],
      'p.1.who: Select an individual, or type its id. p.1.amount: A number is needed.',
    );
  });
});

describe('the form', () => {
  const parameters: FormParameter[] = [
    { name: 'tenant', type: person, required: true },
    { name: 'minRent', type: scalar('Decimal'), required: false, default: '0' },
    { name: 'note', type: { kind: 'optional', of: scalar('Text') }, required: false },
  ];

  it('starts with the defaults', () => {
    expect(emptyForm(parameters)).toEqual({ tenant: '', minRent: '0', note: null });
  });

  it('omits optional parameters without a value', () => {
    expect(readForm(parameters, { tenant: '#i1', minRent: '', note: null })).toEqual({
      args: { tenant: '#i1' },
      errors: {},
    });
  });

  it('reports each missing parameter', () => {
    expect(readForm(parameters, emptyForm(parameters)).errors).toEqual({
      tenant: 'Select an individual, or type its id.',
    });
  });

  it('keeps values that fit the new signature', () => {
    const kept = { tenant: '#i7', minRent: ['no', 'longer', 'a', 'list'], gone: 'x' };
    expect(fittedForm(parameters, kept)).toEqual({ tenant: '#i7', minRent: '0', note: null });
  });
});
