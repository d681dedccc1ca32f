/** The pages in which violations are loaded. */

import { expect, it } from 'vitest';
import { nextPage } from './checks.js';

const page = (rows: number, nextCursor?: string) => ({ result: Array.from({ length: rows }), nextCursor });

it('loads ten thousand violations in nine pages', () => {
  const pages = [page(200, 'c')];
  for (let next = nextPage(pages); next !== undefined; next = nextPage(pages)) {
    const loaded = pages.reduce((sum, { result }) => sum + result.length, 0);
    pages.push(page(next.limit, loaded + next.limit < 10_000 ? 'c' : undefined));
  }
  expect(pages.map(({ result }) => result.length)).toEqual([200, 200, 400, 800, 1600, 2000, 2000, 2000, 2000]);
});

it('requests at least the first page size, even after a short page', () => {
  expect(nextPage([page(3, 'c')])).toEqual({ page: 'c', limit: 200 });
  expect(nextPage([page(3)])).toBeUndefined();
});
