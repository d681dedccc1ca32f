/** Merging updates neither duplicates nor loses requests, and drops what the server dropped. */

import { describe, expect, it } from 'vitest';
import { requestRow as row } from '../testing/request-rows.js';
import { type Feed, withNews, withStreamed } from './feed-news.js';

const log = (lastSeq: number) => ({ id: 'one', lastSeq, requestsMax: 3 });
const EMPTY: Feed = { log: undefined, rows: [] };
const seqs = ({ rows }: Feed) => rows.map(({ seq }) => seq);

describe('the request feed', () => {
  it('has new requests first, without duplicates, up to the limit of the server', () => {
    const first = withNews(EMPTY, log(2), [row(2), row(1)]);
    const next = withNews(first, log(4), [row(4), row(3), row(2)]);
    expect([seqs(next), next.log?.lastSeq]).toEqual([[4, 3, 2], 4]);
  });

  it('keeps the last received number if more requests ended meanwhile', () => {
    expect(withNews(EMPTY, log(5), [row(3)]).log?.lastSeq).toBe(3);
  });

  it('keeps its identity if nothing is new', () => {
    const first = withNews(EMPTY, log(1), [row(1)]);
    expect(withNews(first, log(1), [])).toBe(first);
    expect(withStreamed(first, [])).toBe(first);
  });

  it('keeps only the last of repeated requests of the workbench', () => {
    const health = { client: 'workbench', path: '/v1/health' };
    const first = withNews(EMPTY, log(2), [row(2, health), row(1)]);
    expect(seqs(withNews(first, log(3), [row(3, health)]))).toEqual([3, 1]);
  });

  it('adds streamed requests, and still requests the missing ones before them', () => {
    const streamed = withStreamed(withNews(EMPTY, log(1), [row(1)]), [row(3), row(4)]);
    expect([seqs(streamed), streamed.log?.lastSeq]).toEqual([[4, 3, 1], 1]);
    const whole = withNews(streamed, log(4), [row(4), row(3), row(2)]);
    expect([seqs(whole), whole.log?.lastSeq]).toEqual([[4, 3, 2], 4]);
    expect(withStreamed(EMPTY, [row(1)])).toBe(EMPTY);
  });
});
