import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SAMPLES } from './samples.js';

it('describes each sample in one sentence', () => {
  const files = readdirSync(join(import.meta.dirname, '../../resources/modules'));
  expect(SAMPLES.map(({ name }) => `${name}.entail`).sort()).toEqual(files.sort());
  for (const { about } of SAMPLES) expect(about).toMatch(/^[A-Z].*\.$/);
});
