import { expect, it } from 'vitest';
import { readRows, rowOf } from './environment-draft.js';

it('accepts any variable name, and rejects duplicates', () => {
  const rows = [rowOf('__proto__', 'one'), rowOf('constructor', 'two'), rowOf('__proto__', 'three')];
  const { variables, errors } = readRows(rows);
  expect(Object.entries(variables)).toEqual([
    ['__proto__', 'one'],
    ['constructor', 'two'],
  ]);
  expect(errors).toEqual({ [rows[2]?.id ?? '']: '__proto__ appears twice.' });
});
