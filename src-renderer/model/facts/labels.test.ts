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

it('takes the field that names by convention, else the first text, else kind and number', () => {
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

it('goes by convention alone until the schema is there', () => {
  expect(labelOf('Note', { text: 'Fix the lift', name: 'Ada' })).toBe('Ada');
  expect(labelOf('Note', { text: 'Fix the lift' })).toBe('Note 7');
});

it('finds individuals in a text by their whole ids', () => {
  expect(piecesOf('a is #i12, needed == b, which is #i1', ['#i1', '#i12', 'a'])).toEqual([
    'a is ',
    '#i12',
    ', needed == b, which is ',
    '#i1',
    '',
  ]);
  expect(piecesOf('t is #i1', ['see #i1'])).toEqual(['t is #i1']);
});

it('says its kind in its name only where no text names it', () => {
  expect(saysConcept('Payment 7', 'm::Payment', '#i7')).toBe(true);
  expect(saysConcept('Ada', 'm::Person', '#i7')).toBe(false);
});

it('is told from another of its name by the first unique value that it has, else by its id', () => {
  learnNamingFields(
    schemaOf(`module m
pub concept Person { name: Text badge: Text? unique born: Date? }
pub concept Card { holder: Person unique number: Int? unique }`),
  );
  const of = (concept: string, $id: string, fields: Record<string, JsonValue>): string =>
    markOf({ $id, $meta: { type: `m::${concept}`, classes: [] }, ...fields } as Entity);
  expect(of('Person', '#i7', { name: 'Ada', badge: 'A-1', born: '1985-12-10' })).toBe('A-1');
  expect(of('Person', '#i7', { name: 'Ada', badge: null })).toBe('#i7');
  expect(of('Person', '@m::ada', { name: 'Ada', badge: null })).toBe('@ada');
  expect(of('Card', '#i8', { holder: '#i7', number: 12 })).toBe('12');
});

it('finds the ids in what the server says, and nothing that only begins or ends like one', () => {
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

it('in brief keep their beginnings and their ends, and no half of a letter', () => {
  expect(inBrief('Ada Lindqvist', 13)).toBe('Ada Lindqvist');
  expect(inBrief('com.example.pipeline.Stage12.process', 20)).toBe('com.exampl…2.process');
  expect(inBrief('com.example.pipeline.Stage13.process', 20)).toBe('com.exampl…3.process');
  expect(inBrief('😀😁😂😃😄😅😆', 7)).toBe('😀😁😂😃😄😅😆');
  expect(inBrief('😀😁😂😃😄😅😆', 5)).toBe('😀😁…😅😆');
});

it('of a megabyte are shown in brief, wherever they are from', () => {
  const long = `${'ab 😀'.repeat(300_000)}end`;
  const note = { $id: '#i1', $meta: { type: 'notes::Note', classes: ['notes::Note'] }, name: long };
  for (const shown of [shownText(long), shownText([long]), entityLabel(note), labelOfFields({ name: long }) ?? '']) {
    expect(shown.length).toBeLessThan(2 * SHOWN_LETTERS_MAX);
    expect(shown).toMatch(/ab 😀.*…/);
  }
  expect(shownText(long)).toMatch(/end$/);
  expect(shownText('Ada')).toBe('Ada');
});

it('in brief take the room of as many letters, where theirs are twice as wide', () => {
  expect(inBrief('敦煌莫高窟藏经洞', 16)).toBe('敦煌莫高窟藏经洞');
  expect(inBrief('敦煌莫高窟藏经洞', 15)).toBe('敦煌莫…藏经洞');
  expect(inBrief('東京 Tower 2020', 9)).toBe('東京…2020');
});

it('texts in which there is nothing to see stand in quotes', () => {
  expect(['Ada', '', '  ', '\n', 7, null].map(plainText)).toEqual(['Ada', '""', '"  "', '"\\n"', '7', 'none']);
});
