/** Labels of individuals: the text field that names them, or concept and number. */

import { afterEach, expect, it } from 'vitest';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { Entity, JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { compile } from '../../../src-runtime/compiler/index.js';
import { servedSchema } from '../../../src-runtime/world/wire/served-schema.js';
import {
  entityLabel,
  inBrief,
  labelOfFields,
  learnNamingFields,
  markOf,
  piecesByIds,
  piecesOf,
  plainText,
  SHOWN_LETTERS_MAX,
  saysConcept,
  shownText,
} from './labels.js';

function schemaOf(text: string): ServedSchema {
  const { artifact } = compile([{ file: 'm.entail', text }]);
  if (artifact === undefined) throw new Error('the module has errors');
  return servedSchema(artifact);
}

function labelOf(concept: string, fields: Record<string, JsonValue>, id = '#i7'): string {
  return entityLabel({ $id: id, $meta: { type: `m::${concept}`, classes: [] }, ...fields } as Entity);
}

afterEach(() => learnNamingFields({ concepts: [] }));

it('uses the conventional naming field, else the first text field, else concept and number', () => {
  learnNamingFields(
    schemaOf(`module m
pub concept Note { written: Date text: Text code: Text? }
pub concept Payment { amount: Decimal on: Date }`),
  );
  const note = { written: '2026-01-31', text: 'Fix the lift' };
  expect(labelOf('Note', { ...note, code: 'N1' })).toBe('N1');
  expect(labelOf('Note', { ...note, code: null })).toBe('Fix the lift');
  expect(labelOf('Note', { ...note, code: null, text: ' ' })).toBe('Note 7');
  expect(labelOf('Payment', { amount: '900', on: '2026-01-31' })).toBe('Payment 7');
  expect(labelOf('Payment', { amount: '900', on: '2026-01-31' }, '@m::first')).toBe('first');
});

it('uses only conventional naming fields until the schema is loaded', () => {
  expect(labelOf('Note', { text: 'Fix the lift', name: 'Ada' })).toBe('Ada');
  expect(labelOf('Note', { text: 'Fix the lift' })).toBe('Note 7');
});

it('finds only whole ids in a text', () => {
  expect(piecesOf('a is #i12, needed == b, which is #i1', ['#i1', '#i12', 'a'])).toEqual([
    'a is ',
    '#i12',
    ', needed == b, which is ',
    '#i1',
    '',
  ]);
  expect(piecesOf('t is #i1', ['see #i1'])).toEqual(['t is #i1']);
});

it('reports whether the label contains the concept', () => {
  expect(saysConcept('Payment 7', 'm::Payment', '#i7')).toBe(true);
  expect(saysConcept('Ada', 'm::Person', '#i7')).toBe(false);
});

it('distinguishes equal labels by the first unique value, else by the id', () => {
  learnNamingFields(
    schemaOf(`module m
pub concept Person { name: Text badge: Text? unique born: Date? }
pub concept Card { holder: Person unique number: Int? unique }`),
  );
  const markFor = (concept: string, $id: string, fields: Record<string, JsonValue>): string =>
    markOf({ $id, $meta: { type: `m::${concept}`, classes: [] }, ...fields } as Entity);
  expect(markFor('Person', '#i7', { name: 'Ada', badge: 'A-1', born: '1985-12-10' })).toBe('A-1');
  expect(markFor('Person', '#i7', { name: 'Ada', badge: null })).toBe('#i7');
  expect(markFor('Person', '@m::ada', { name: 'Ada', badge: null })).toBe('@ada');
  expect(markFor('Card', '#i8', { holder: '#i7', number: 12 })).toBe('12');
});

it('finds ids in a server message, but not in longer words', () => {
  expect(piecesByIds('takes a Lease, and #i1 (of "#i12") is none.')).toEqual([
    'takes a Lease, and ',
    '#i1',
    ' (of "',
    '#i12',
    '") is none.',
  ]);
  expect(piecesByIds('##i1, a#i1, #i1b, #i')).toEqual(['##i1, a#i1, #i1b, #i']);
  expect(piecesByIds('@m::ada is like @office::m::bo.')).toEqual(['', '@m::ada', ' is like ', '@office::m::bo', '.']);
  expect(piecesByIds('ask @ada, or ada@m::bo')).toEqual(['ask @ada, or ada@m::bo']);
});

it('shortens a label in the middle, without splitting a character', () => {
  expect(inBrief('Ada Lindqvist', 13)).toBe('Ada Lindqvist');
  expect(inBrief('com.example.pipeline.Stage12.process', 20)).toBe('com.exampl…2.process');
  expect(inBrief('com.example.pipeline.Stage13.process', 20)).toBe('com.exampl…3.process');
  expect(inBrief('😀😁😂😃😄😅😆', 7)).toBe('😀😁😂😃😄😅😆');
  expect(inBrief('😀😁😂😃😄😅😆', 5)).toBe('😀😁…😅😆');
});

it('shortens very long text in every kind of label', () => {
  const long = `${'ab 😀'.repeat(300_000)}end`;
  const note = { $id: '#i1', $meta: { type: 'notes::Note', classes: ['notes::Note'] }, name: long };
  for (const shown of [shownText(long), shownText([long]), entityLabel(note), labelOfFields({ name: long }) ?? '']) {
    expect(shown.length).toBeLessThan(2 * SHOWN_LETTERS_MAX);
    expect(shown).toMatch(/ab 😀.*…/);
  }
  expect(shownText(long)).toMatch(/end$/);
  expect(shownText('Ada')).toBe('Ada');
});

it('counts East Asian characters as two when shortening', () => {
  expect(inBrief('敦煌莫高窟藏经洞', 16)).toBe('敦煌莫高窟藏经洞');
  expect(inBrief('敦煌莫高窟藏经洞', 15)).toBe('敦煌莫…藏经洞');
  expect(inBrief('東京 Tower 2020', 9)).toBe('東京…2020');
});

it('puts empty and blank text in quotes', () => {
  expect(['Ada', '', '  ', '\n', 7, null].map(plainText)).toEqual(['Ada', '""', '"  "', '"\\n"', '7', 'none']);
});
