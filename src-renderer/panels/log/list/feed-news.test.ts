/** Merging updates neither duplicates nor loses requests, and drops what the server dropped. */

import { describe, expect, it } from 'vitest';
import { requestRow as row } from '../testing/request-rows.js';
import { type Feed, withNews, withStreamed } from './feed-news.js';

const log = (lastSeq: number) => ({ id: 'one', lastSeq, requestsMax: 3 });
const EMPTY: Feed = { log: undefined, rows: [] };
const seqs = ({ rows }: Feed) => rows.map(({ seq }) => seq);

describe('the feed', () => {
  it('has the news first, each once, and no more than the server keeps', () => {
    const first = withNews(EMPTY, log(2), [row(2), row(1)]);
    const next = withNews(first, log(4), [row(4), row(3), row(2)]);
    expect([seqs(next), next.log?.lastSeq]).toEqual([[4, 3, 2], 4]);
  });

  it('asks again for what ended while it was asking', () => {
    expect(withNews(EMPTY, log(5), [row(3)]).log?.lastSeq).toBe(3);
  });

  it('stays the same where there is no news', () => {
    const first = withNews(EMPTY, log(1), [row(1)]);
    expect(withNews(first, log(1), [])).toBe(first);
    expect(withStreamed(first, [])).toBe(first);
  });

  it('has the last of what the workbench reads over and over', () => {
    const health = { client: 'workbench', path: '/v1/health' };
    const first = withNews(EMPTY, log(2), [row(2, health), row(1)]);
    expect(seqs(withNews(first, log(3), [row(3, health)]))).toEqual([3, 1]);
  });

  it('takes what is told as it ends, and still asks for what came before that', () => {
    const told = withStreamed(withNews(EMPTY, log(1), [row(1)]), [row(3), row(4)]);
    expect([seqs(told), told.log?.lastSeq]).toEqual([[4, 3, 1], 1]);
    const whole = withNews(told, log(4), [row(4), row(3), row(2)]);
    expect([seqs(whole), whole.log?.lastSeq]).toEqual([[4, 3, 2], 4]);
    expect(withStreamed(EMPTY, [row(1)])).toBe(EMPTY);
  });
});
