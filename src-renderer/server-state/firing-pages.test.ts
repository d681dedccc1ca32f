/** Firings are loaded a page at a time, each as long as all before it. */

import { expect, it } from 'vitest';
import { furtherPage } from './firing-pages.js';

const page = (rows: number, nextCursor?: string) => ({ result: Array.from({ length: rows }), nextCursor });

it('the end of ten thousand firings is eight pages away, none of them so long that one waits for it', () => {
  const pages = [page(200, 'c')];
  for (let further = furtherPage(pages); further !== undefined; further = furtherPage(pages)) {
    const loaded = pages.reduce((sum, { result }) => sum + result.length, 0);
    pages.push(page(further.limit, loaded + further.limit < 10_000 ? 'c' : undefined));
  }
  expect(pages.map(({ result }) => result.length)).toEqual([200, 200, 400, 800, 1600, 2000, 2000, 2000, 2000]);
});

it('is loaded at least as much as at first, however few came', () => {
  expect(furtherPage([page(3, 'c')])).toEqual({ page: 'c', limit: 200 });
  expect(furtherPage([page(3)])).toBeUndefined();
});
