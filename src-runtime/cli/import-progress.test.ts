/** The progress of an import on a terminal. */

import { expect, it } from 'vitest';
import { createProgress } from './import-progress.js';

it('shows rows, rate and time left, from the first second on and a few times a second', () => {
  let ms = 0;
  const lines: string[] = [];
  const progress = createProgress(
    (text) => lines.push(text.replace('\r\x1b[K', '')),
    () => ms,
  );
  for (const [at, rows, share] of [
    [900, 50_000, 0.01],
    [2_000, 100_000, 0.02],
    [2_100, 150_000, 0.03],
    [50_000, 2_500_000, undefined],
  ] as const) {
    ms = at;
    progress.show(rows, share);
  }
  progress.clear();
  progress.clear();
  expect(lines).toEqual(['100,000 rows, 50,000 rows/s, 2 %, 1:38 left', '2,500,000 rows, 50,000 rows/s', '']);
});
