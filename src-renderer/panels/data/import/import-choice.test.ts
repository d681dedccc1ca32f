/** The initial mutation for an import into a list. */

import { describe, expect, it } from 'vitest';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { bestTaker, calling, choiceWords, inserting, writersOf } from './import-choice.js';

const TEXT = { kind: 'scalar', name: 'Text' } as const;
const declared = { public: true, span: undefined };
const parameters = (names: string) =>
  names.split(' ').flatMap((name) => (name === '' ? [] : [{ name, type: TEXT, required: true }]));
const field = (name: string) => ({ name, path: `m::Party.${name}`, type: TEXT, unique: false, required: true });
const mutation = (path: string, takes: string, inserts: string[], sets: string[] = []) => ({
  ...declared,
  path,
  parameters: parameters(takes),
  result: null,
  inserts,
  sets,
});

const schema = {
  concepts: [
    { ...declared, path: 'm::Party', parent: null, fields: [field('name'), field('email')] },
    { ...declared, path: 'm::Person', parent: 'm::Party', fields: [field('name'), field('email')] },
    { ...declared, path: 'm::Thing', parent: null, fields: [] },
  ],
  relations: [
    { ...declared, path: 'm::paid', kind: 'stored', endpoints: parameters('lease month amount') },
    { ...declared, path: 'm::owes', kind: 'derived', endpoints: parameters('lease amount') },
  ],
  defines: [],
  checks: [],
  mutations: [
    mutation('m::settle', 'lease note', ['m::paid']),
    mutation('m::pay', 'lease month amount', ['m::paid']),
    mutation('m::charge', 'lease month amount', []),
    mutation('m::hire', 'name email', ['m::Person']),
    mutation('m::mail', 'party email', [], ['m::Party.email']),
    { ...mutation('m::secret', 'lease month amount', ['m::paid']), public: false },
    mutation('m::make', '', ['m::Thing']),
  ],
} as unknown as ServedSchema;

const writers = (into: string, columns?: string[]) =>
  writersOf(schema, into, columns).map((writer) => writer.mutation.path);
const words = (into: string, chosen: string) => {
  const mutation = schema.mutations.find(({ path }) => path === chosen);
  const taker = mutation === undefined ? inserting(schema, into) : calling(mutation, into);
  return choiceWords(schema, into, writersOf(schema, into), taker);
};
const best = (into: string, columns: string[]) =>
  bestTaker(writersOf(schema, into, columns), inserting(schema, into), columns)?.target;

describe('the mutations for a list', () => {
  it('are public, and start with the one that takes most columns of the list', () => {
    expect(writers('m::paid')).toEqual(['m::pay', 'm::settle']);
  });

  it('are also ranked by the columns of the file', () => {
    expect(writers('m::paid', ['lease', 'note'])[0]).toBe('m::settle');
  });

  it('include those for subclasses, and for a field those that set it or insert its individual', () => {
    expect(writers('m::Party')).toEqual(['m::hire']);
    expect(writers('m::Party.email')).toEqual(['m::hire', 'm::mail']);
  });

  it('exclude those without parameters, and are empty for a derived relation', () => {
    expect(writers('m::owes')).toEqual([]);
    expect(writers('m::Thing')).toEqual([]);
  });
});

describe('the default target of an import', () => {
  it('is a mutation, or the list itself if no mutation writes it or its columns are missing', () => {
    expect(best('m::Party', [])).toEqual({ mutation: 'm::hire' });
    expect(best('m::Party', ['Party Name', 'Email'])).toEqual({ mutation: 'm::hire' });
    expect(best('m::paid', ['lease', 'month', 'amount'])).toEqual({ mutation: 'm::pay' });
    expect(best('m::Party', ['phone'])).toEqual({ mutation: 'm::hire' });
    expect(best('m::Thing', ['anything'])).toEqual({ into: 'm::Thing' });
    expect(best('m::owes', [])).toBeUndefined();
    const settle = writersOf(schema, 'm::paid').filter(({ mutation }) => mutation.path === 'm::settle');
    const columns = ['lease', 'month', 'amount'];
    expect(bestTaker(settle, inserting(schema, 'm::paid'), columns)?.target).toEqual({ into: 'm::paid' });
  });
});

describe('the text about the target', () => {
  it('says what a row becomes without a mutation', () => {
    expect(words('m::paid', 'none')).toBe(
      'Each row becomes a new fact of paid. Checks apply, the conditions of mutations do not.',
    );
    expect(words('m::Thing', 'none')).toBe('Each row becomes a new Thing. No public mutation writes to Thing.');
  });

  it('says what the mutation adds to, and what it takes', () => {
    expect(words('m::paid', 'm::pay')).toBe(
      'pay adds to paid and takes lease, month and amount. Best match of 2 mutations.',
    );
    expect(words('m::paid', 'm::settle')).toBe('settle adds to paid and takes lease.');
    expect(words('m::Party.email', 'm::mail')).toBe('mail sets Party.email and takes email.');
  });

  it('says that the mutation does not write the list, or that none does', () => {
    expect(words('m::paid', 'm::charge')).toBe('charge does not write to paid.');
    expect(words('m::Thing', 'm::charge')).toBe('No public mutation writes to Thing.');
    expect(words('m::owes', 'm::charge')).toBe('owes is derived by rules, so no mutation writes to it.');
  });
});

it('names the columns of the file that only inserting keeps', () => {
  const settle = schema.mutations.find(({ path }) => path === 'm::settle');
  if (settle === undefined) throw new Error('The schema has settle.');
  const wordsFor = (columns: string[]) =>
    choiceWords(
      schema,
      'm::paid',
      writersOf(schema, 'm::paid'),
      calling(settle, 'm::paid'),
      inserting(schema, 'm::paid'),
      columns,
    );
  expect(wordsFor(['lease', 'month'])).toContain('To keep month too, select "insert into paid".');
  expect(wordsFor(['lease', 'other'])).not.toContain('To keep');
});
