/** The front end on random texts. `npm run fuzz` runs the same tests with many more texts and new seeds. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runs } from '../base/testing/property-runs.js';
import { examine, minimised } from './testing/examine.js';
import { materialFrom, randomText } from './testing/random-texts.js';

const folder = new URL('../../resources/modules/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.entail'));
const material = materialFrom(files.sort().map((file) => readFileSync(new URL(file, folder), 'utf8')));

const INPUTS = runs(1500);

it('returns diagnostics or an artifact for any text, and formatting preserves the meaning', () => {
  for (let seed = 1; seed <= INPUTS; seed++) {
    const text = randomText(material, seed);
    try {
      examine(text);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
}, 120_000);

it('shows a failing text in its smallest form', () => {
  const text = 'module m\nfn f() -> Int = 1 + bad * 2\nfn g() -> Int = 3';
  expect(minimised(text, (each) => each.includes('bad'))).toBe('bad');
});
