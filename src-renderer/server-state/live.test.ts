/** A write of this page requests each list once, and lists of other relations not at all. */

import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, it } from 'vitest';
import type { ForkInfo } from '../../src-runtime/api/schemas/fork-schemas.js';
import type { WireEvent } from '../../src-runtime/api/schemas/schemas.js';
import { forgetShown } from './changes.js';
import { noteFork, noteWritten, refreshMerged, refreshWritten } from './live.js';

const FORK: ForkInfo = { id: 'f', parent: 'main', baseSeq: 0, status: 'open', createdAt: '', events: 0 };

/** The requests of a page that shows a stored relation, a derived one and the list of forks. */
function shownPage() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const requests: string[] = [];
  const show = (name: string, queryKey: readonly string[], storedRelation?: string) => {
    const queryFn = async () => {
      requests.push(name);
      return [FORK];
    };
    const meta = storedRelation === undefined ? {} : { storedRelation };
    new QueryObserver(client, { queryKey, queryFn, meta, initialData: [] }).subscribe(() => undefined);
  };
  show('m::stored', ['facts', 'list', 'm::stored'], 'm::stored');
  show('m::derived', ['facts', 'list', 'm::derived']);
  show('forks', ['forks']);
  return { client, requests };
}

const event = (relation: string): WireEvent => ({ seq: 1, txn: 7, at: '', kind: 'insertFact', relation, tuple: [] });
const DONE = { action: { kind: 'revert', txn: 6 }, fork: 'main' } as const;
const write = (txn: number | null, events?: readonly WireEvent[]) => ({ txn, events, context: {} });

beforeEach(forgetShown);

it('requests each changed list once after a write', async () => {
  const { client, requests } = shownPage();
  await refreshWritten(client, [write(7, [event('m::stored')])]);
  await refreshWritten(client, [write(7, [event('m::stored')])]);
  expect(requests).toEqual(['m::stored', 'm::derived', 'forks']);
});

it('does not request the list of another stored relation', async () => {
  const { client, requests } = shownPage();
  await refreshWritten(client, [write(7, [event('m::other')])]);
  expect(requests).toEqual(['m::derived', 'forks']);
});

it('does not request the past after a write', async () => {
  const { client, requests } = shownPage();
  const queryFn = () => requests.push('past');
  const queryKey = ['facts', 'list', { fork: 'main', asOf: 3 }];
  new QueryObserver(client, { queryKey, queryFn, initialData: 0 }).subscribe(() => undefined);
  await refreshWritten(client, [write(7, [event('m::stored')])]);
  expect(requests).toEqual(['m::stored', 'm::derived', 'forks']);
});

it('requests everything once after an import in parts, whose responses list no events', async () => {
  const { client, requests } = shownPage();
  await refreshWritten(client, [write(7), write(8)]);
  expect(requests).toEqual(['m::stored', 'm::derived', 'forks']);
});

it('requests nothing after a write that saved nothing', async () => {
  const { client, requests } = shownPage();
  await refreshWritten(client, [write(null)]);
  expect(requests).toEqual([]);
});

it('requests the forks after a fork operation, even if its events were shown before', async () => {
  const { client, requests } = shownPage();
  noteWritten([write(7)]);
  await refreshMerged(client, [write(7)], DONE);
  await refreshMerged(client, [write(null)], DONE);
  expect(requests).toEqual(['forks', 'forks']);
});

it('updates the label of a fork from its record without a request', async () => {
  const { client, requests } = shownPage();
  client.setQueryData(['forks'], [FORK]);
  noteFork(client, { ...FORK, label: 'Sale' });
  expect(client.getQueryData(['forks'])).toEqual([{ ...FORK, label: 'Sale' }]);
  expect(requests).toEqual([]);
});
