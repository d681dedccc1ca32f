/** Arguments and results as text. */

import { expect, it } from 'vitest';
import { argumentText, referencesIn, resultText } from './argument-text.js';

const ada = { $id: '#i1', $meta: { type: 'm::Person', classes: ['m::Person'] }, name: 'Ada' };
const names: Readonly<Record<string, string>> = { '#i1': 'Ada', '@m::bo': 'Bo' };
const nameOf = (id: string) => names[id] ?? id;

it('shows individuals by name, also in lists and records', () => {
  expect(argumentText({ who: ada, rent: 640, since: null }, nameOf)).toBe('who Ada, rent 640, since none');
  expect(argumentText({ all: [ada, '@m::bo'] }, nameOf)).toBe('all Ada, Bo');
  expect(
    argumentText(
      {
        rows: [
          { who: '#i1', n: 2 },
          { who: '#i7', n: 3 },
        ],
      },
      nameOf,
    ),
  ).toBe('rows (who Ada, n 2), (who #i7, n 3)');
  expect(argumentText({ who: ada }, (id, sent) => `${id} ${String(sent?.['name'])}`)).toBe('who #i1 Ada');
});

it('finds the ids of all individuals in the arguments', () => {
  expect(referencesIn({ a: ada, b: [{ c: '@m::bo', d: 'text' }] })).toEqual(['#i1', '@m::bo']);
});

it('uses the names in the result, and shows empty values', () => {
  expect(resultText(ada)).toBe('Ada');
  expect(resultText({ who: ada, count: 2, of: '@m::bo' })).toBe('who Ada, count 2, of bo');
  expect(resultText('short')).toBe('"short"');
  expect(argumentText({ tags: [], note: '' }, nameOf)).toBe('tags [], note ""');
});

it('describes a reference to an earlier step', () => {
  expect(argumentText({ tenant: { $step: 0 } }, nameOf)).toBe('tenant result of step 0');
});
