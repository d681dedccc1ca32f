/** Detecting the notation of numbers and dates. */

import { describe, expect, it } from 'vitest';
import { ambiguousNumber, dateNotation, isAmbiguousDate, isoDate, numberNotation, plainNumber } from './notation.js';

describe('numbers', () => {
  it.each([
    [['1', '2.50', '-3'], 'plain'],
    [['9,90', '1.234,50'], 'comma'],
    [['9,90', '1.234', ''], 'comma'],
    [['1,234.50', '7'], 'point'],
    [['2.50', '1,234'], 'point'],
    // It may mean 1234 or 1.234.
    [['1,234'], 'plain'],
    // The cells are in two notations.
    [['9,90', '9.90'], 'plain'],
    // A cell that is not a number does not change the notation of the others.
    [['9,90', 'cheap'], 'comma'],
    // Thousands never begin with a zero.
    [['9,90', '0.500'], 'plain'],
    [['1,5E+03'], 'comma'],
    [['1.5E+03', '.5'], 'plain'],
  ] as const)('%j are written %s', (cells, writing) => expect(numberNotation(cells)).toBe(writing));

  it.each([
    ['1.234,50', 'comma', '1234.50'],
    ['-9,9', 'comma', '-9.9'],
    ['1.234', 'comma', '1234'],
    ['1 234,5', 'comma', '1234.5'],
    ['1.5', 'comma', '1.5'],
    ['1,234.50', 'point', '1234.50'],
    ['1,23', 'point', '1,23'],
    ['1,234', 'plain', '1,234'],
    ['1.234 567,5', 'comma', '1.234 567,5'],
    ['1.5e-3', 'point', '1.5e-3'],
    [',5', 'comma', '.5'],
  ] as const)('%s, written %s, is %s', (cell, writing, number) => expect(plainNumber(cell, writing)).toBe(number));
});

it.each([
  ['1,234', 'plain', ['1234', '1.234']],
  ['9,90', 'plain', ['9.90']],
  ['1.234', 'plain', undefined],
  ['1,234', 'comma', undefined],
  ['cheap', 'plain', undefined],
] as const)('%s, written %s, may be %j', (cell, notation, numbers) =>
  expect(ambiguousNumber(cell, notation)).toEqual(numbers),
);

describe('dates', () => {
  it.each([
    [['2026-01-31', ''], 'iso'],
    [['31/01/2026', '01/02/2026'], 'dayFirst'],
    [['01/31/2026', '01/02/2026'], 'monthFirst'],
    [['01/02/2026'], 'iso'],
    [['31/01/2026', '01/31/2026'], 'iso'],
    [['31.01.2026', '01/31/2026'], 'monthFirst'],
  ] as const)('%j are written %s', (cells, writing) => expect(dateNotation(cells)).toBe(writing));

  it.each([
    ['31.1.2026', 'iso', '2026-01-31'],
    ['31.01.2026', 'monthFirst', '2026-01-31'],
    ['1/2/2026', 'dayFirst', '2026-02-01'],
    ['1-2-2026', 'monthFirst', '2026-01-02'],
    ['2026-01-31', 'dayFirst', '2026-01-31'],
    ['1/2/26', 'dayFirst', '1/2/26'],
    ['31.1.2026 10:00', 'iso', '2026-01-31 10:00'],
  ] as const)('%s, written %s, is %s', (cell, writing, date) => expect(isoDate(cell, writing)).toBe(date));

  it('are known to be ambiguous', () => {
    expect(isAmbiguousDate('1/2/2026', 'iso')).toBe(true);
    expect(isAmbiguousDate('1/2/2026', 'dayFirst')).toBe(false);
    expect(isAmbiguousDate('1.2.2026', 'iso')).toBe(false);
  });
});
