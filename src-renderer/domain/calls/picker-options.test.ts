/** Options of the picker are distinct, and any form of an id finds its option. */

import { expect, it } from 'vitest';
import type { Entity } from '../../../src-runtime/api/schemas/schemas.js';
import { matchOf, offeredUntyped, pickerOptions, unclear } from './picker-options.js';

const person = ($id: string, name: string): Entity => ({
  $id,
  $meta: { type: 'lease::Person', classes: ['lease::Person'] },
  name,
});

it('names individuals by what they are called, with as little of the id as tells them apart', () => {
  const { texts } = pickerOptions([
    person('@lease::ada', 'Ada'),
    person('@city::ada', 'Ada'),
    person('@lease::bo', 'Bo'),
    person('#i1', 'Bo'),
  ]);
  expect(texts).toEqual(['Ada  @lease::ada', 'Ada  @city::ada', 'Bo  @bo', 'Bo  #i1']);
});

it('finds one by its whole id and by a short one that means no other', () => {
  const { textOf, byText } = pickerOptions([
    person('@lease::ada', 'Ada'),
    person('@city::ada', 'Ada'),
    person('@lease::bo', 'Bo'),
  ]);
  expect([textOf.get('@lease::bo'), textOf.get('@bo'), textOf.get('@ada')]).toEqual(['Bo  @bo', 'Bo  @bo', undefined]);
  expect(byText.get('Bo  @bo')?.id).toBe('@lease::bo');
});

it('says an id once where nothing else names it', () => {
  expect(pickerOptions([person('#i7', '#i7')]).texts).toEqual(['#i7']);
});

it('takes an exact match before the first that is found', () => {
  const options = pickerOptions([
    person('#i1', 'Ada'),
    person('#i2', 'Ada Bo'),
    person('#i3', 'Cy'),
    person('#i4', 'Cy'),
  ]);
  expect([options.idOf.get('Ada'), options.idOf.get('Cy')]).toEqual(['#i1', undefined]);
  const taken = ['bo ', 'a', 'ada', 'ada b', 'Cy', '#i4', 'Cy  #i4'].map((typed) => matchOf(options, typed));
  expect(taken).toEqual(['#i2', '#i1', '#i1', '#i2', '#i3', '#i4', '#i4']);
  expect(matchOf(pickerOptions([person('#i1', 'Ada Bo'), person('#i2', 'ADA')]), 'ada')).toBe('#i2');
});

it('takes nothing where nothing is found, or an id was typed that is only a part of another', () => {
  const options = pickerOptions([person('#i12', 'Ada')]);
  for (const typed of ['di', ' ', '#i1', '{{tenant}}']) expect(matchOf(options, typed)).toBeUndefined();
});

it('tells what means nobody, or might mean several', () => {
  const options = pickerOptions([
    person('@lease::ada', 'Ada'),
    person('#i2', 'Ada Bo'),
    person('#i3', 'Cy'),
    person('#i4', 'Cy'),
  ]);
  const told = (typed: string): string | undefined => unclear(options, typed, 'Person');
  expect(told('Dan')).toBe('No Person named "Dan".');
  expect(told(' bo')).toBe('"bo" matches 1 name. Select it in the list.');
  expect(told('Cy')).toBe('"Cy" matches 2 names. Select one in the list.');
  for (const typed of ['', 'Ada', 'ada', '@lease::ada', '#i9', 'Cy  #i4', '{{tenant}}'])
    expect(told(typed)).toBeUndefined();
});

it('offers all before anything is typed, and what is chosen among them, however many there are', () => {
  const texts = ['Ada', 'Bo', 'Cyd'];
  expect(offeredUntyped(texts, 'Bo', 3)).toEqual(texts);
  expect(offeredUntyped(texts, 'half a na', 3)).toEqual(texts);
  expect(offeredUntyped(texts, 'Cyd', 2)).toEqual(['Cyd', 'Ada']);
});
