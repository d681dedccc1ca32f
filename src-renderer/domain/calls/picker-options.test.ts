/** Options of the picker are distinct, and each form of an id finds its option. */

import { expect, it } from 'vitest';
import type { Entity } from '../../../src-runtime/api/schemas/schemas.js';
import { matchOf, offeredUntyped, pickerOptions, unclear } from './picker-options.js';

const person = ($id: string, name: string): Entity => ({
  $id,
  $meta: { type: 'lease::Person', classes: ['lease::Person'] },
  name,
});

it('names individuals by label, with the shortest unique id', () => {
  const { texts } = pickerOptions([
    person('@lease::ada', 'Ada'),
    person('@city::ada', 'Ada'),
    person('@lease::bo', 'Bo'),
    person('#i1', 'Bo'),
  ]);
  expect(texts).toEqual(['Ada  @lease::ada', 'Ada  @city::ada', 'Bo  @bo', 'Bo  #i1']);
});

it('finds an individual by its full id, and by a short id if that is unique', () => {
  const { textOf, byText } = pickerOptions([
    person('@lease::ada', 'Ada'),
    person('@city::ada', 'Ada'),
    person('@lease::bo', 'Bo'),
  ]);
  expect([textOf.get('@lease::bo'), textOf.get('@bo'), textOf.get('@ada')]).toEqual(['Bo  @bo', 'Bo  @bo', undefined]);
  expect(byText.get('Bo  @bo')?.id).toBe('@lease::bo');
});

it('shows an id once if it is also the label', () => {
  expect(pickerOptions([person('#i7', '#i7')]).texts).toEqual(['#i7']);
});

it('prefers an exact match to the first partial match', () => {
  const options = pickerOptions([
    person('#i1', 'Ada'),
    person('#i2', 'Ada Bo'),
    person('#i3', 'Cy'),
    person('#i4', 'Cy'),
  ]);
  expect([options.idOf.get('Ada'), options.idOf.get('Cy')]).toEqual(['#i1', undefined]);
  const matches = ['bo ', 'a', 'ada', 'ada b', 'Cy', '#i4', 'Cy  #i4'].map((typed) => matchOf(options, typed));
  expect(matches).toEqual(['#i2', '#i1', '#i1', '#i2', '#i3', '#i4', '#i4']);
  expect(matchOf(pickerOptions([person('#i1', 'Ada Bo'), person('#i2', 'ADA')]), 'ada')).toBe('#i2');
});

it('resolves neither text without a match nor part of an id', () => {
  const options = pickerOptions([person('#i12', 'Ada')]);
  for (const typed of ['di', ' ', '#i1', '{{tenant}}']) expect(matchOf(options, typed)).toBeUndefined();
});

it('explains why a text matches no individual, or several', () => {
  const options = pickerOptions([
    person('@lease::ada', 'Ada'),
    person('#i2', 'Ada Bo'),
    person('#i3', 'Cy'),
    person('#i4', 'Cy'),
  ]);
  const problemOf = (typed: string): string | undefined => unclear(options, typed, 'Person');
  expect(problemOf('Dan')).toBe('No Person named "Dan".');
  expect(problemOf(' bo')).toBe('"bo" matches 1 name. Select it in the list.');
  expect(problemOf('Cy')).toBe('"Cy" matches 2 names. Select one in the list.');
  for (const typed of ['', 'Ada', 'ada', '@lease::ada', '#i9', 'Cy  #i4', '{{tenant}}'])
    expect(problemOf(typed)).toBeUndefined();
});

it('offers the first options without a search, and always the selected one', () => {
  const texts = ['Ada', 'Bo', 'Cyd'];
  expect(offeredUntyped(texts, 'Bo', 3)).toEqual(texts);
  expect(offeredUntyped(texts, 'half a na', 3)).toEqual(texts);
  expect(offeredUntyped(texts, 'Cyd', 2)).toEqual(['Cyd', 'Ada']);
});
