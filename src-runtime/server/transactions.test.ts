/** The history by transaction over HTTP: latest first, each with its cause, its changes and its effects. */

import { describe, expect, it } from 'vitest';
import type { Effects, ListedTransaction, WireEvent } from '../api/schemas/schemas.js';
import { expectCode } from './testing/expect-code.js';
import { addNote, noteServers } from './testing/notes.js';

const NOTES = `
module notes
pub concept Note { text: Text }
pub define Doubled(n: Note) when Note(n), Note(m), n != m, n.text == m.text
pub check doubled(n: Note) when Doubled(n) severity warning message "{n.text} is there twice"
pub mutation add(text: Text) -> Note { return insert Note { text: text } }
pub mutation addAll(texts: [Text]) { for t in texts { insert Note { text: t } } }
pub mutation change(n: Note, text: Text) { set n.text = text }
pub mutation remove(n: Note) { delete n }
`;

const { serve } = noteServers();

const serveNotes = () => serve({}, NOTES);

describe('the history by transaction', () => {
  it('has the cause and the principal of a transaction', async () => {
    const server = await serveNotes();
    await addNote(server, 'before');
    await server.call(
      'POST',
      '/v1/dispatch/mutation',
      { path: 'notes::addAll', args: { texts: ['a', 'b', 'c'] } },
      { 'x-principal-id': 'ada' },
    );
    const { body } = await server.call('GET', '/v1/transactions/2?limit=4');
    expect(body.transaction).toEqual({
      txn: 2,
      at: expect.any(String),
      fork: 'main',
      cause: { kind: 'mutation', path: 'notes::addAll' },
      principal: 'ada',
      events: 6,
    });
    const rest = await server.call('GET', `/v1/transactions/2?limit=4&page=${body.nextCursor}`);
    const events: WireEvent[] = (await server.call('GET', '/v1/events')).body.result;
    expect([...body.result, ...rest.body.result]).toEqual(events.filter(({ txn }) => txn === 2));
    expect(rest.body.nextCursor).toBeUndefined();
    for (const path of ['/v1/transactions/3', '/v1/transactions/3/effects']) {
      expectCode(await server.call('GET', path), 'SVC_RUNTIME_VALIDATION_FAILED', /has no transaction 3/);
    }
  });

  it('can be filtered by an individual, by a field, or by both, also after a deletion', async () => {
    const server = await serveNotes();
    const add = async (text: string) => (await addNote(server, text))[0]?.id ?? '';
    const [a, b] = [await add('a'), await add('b')];
    const mutate = (name: string, args: object) =>
      server.call('POST', '/v1/dispatch/mutation', { path: `notes::${name}`, args });
    await mutate('change', { n: a, text: 'a2' });
    await mutate('addAll', { texts: Array.from({ length: 1_500 }, (_, place) => `n${place}`) });
    await mutate('change', { n: '#i1400', text: 'late' });
    await mutate('remove', { n: a });
    const firstChanges = async (query: string): Promise<unknown[]> => {
      const { body } = await server.call('GET', `/v1/transactions?first=1&${query}`);
      return body.result.map(({ txn, first }: ListedTransaction) => [txn, first?.[0]?.kind, first?.[0]?.value]);
    };
    const id = (one: string) => `individual=${encodeURIComponent(one)}`;
    expect(await firstChanges(id(a))).toEqual([
      [6, 'deleteIndividual', undefined],
      [3, 'setField', 'a2'],
      [1, 'insertIndividual', undefined],
    ]);
    expect(await firstChanges(`${id(b)}&relation=notes::Note.text`)).toEqual([[2, 'insertIndividual', undefined]]);
    expect(await firstChanges(id('#i1400'))).toEqual([
      [5, 'setField', 'late'],
      [4, 'insertIndividual', undefined],
    ]);
    expect(await firstChanges('relation=notes::Note')).toHaveLength(4);
    for (const [query, why] of [
      ['individual=ghost', /"ghost", which does not exist/],
      ['relation=notes::Nope', /no relation "notes::Nope"/],
      ['relation=notes::Doubled', /derived and has no history/],
    ] as const) {
      expectCode(await server.call('GET', `/v1/transactions?${query}`), 'SVC_RUNTIME_VALIDATION_FAILED', why);
    }
  });

  it('lists what a fork sees, latest first, in pages that are stable while others write', async () => {
    const server = await serveNotes();
    for (const text of ['a', 'b']) await addNote(server, text);
    await server.call('POST', '/v1/forks', { id: 'aside' });
    await addNote(server, 'not on the fork');
    const onFork = { 'x-fork-id': 'aside' };
    for (const text of ['c', 'd']) await addNote(server, text, onFork);
    const values = (rows: ListedTransaction[]) => rows.map(({ fork, first }) => [fork, first?.at(-1)?.value]);
    const seen = [
      ['aside', 'd'],
      ['aside', 'c'],
      ['main', 'b'],
      ['main', 'a'],
    ];
    const whole = await server.call('GET', '/v1/transactions?first=2', undefined, onFork);
    expect(values(whole.body.result)).toEqual(seen);
    const paged: ListedTransaction[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const path = `/v1/transactions?first=2&limit=1${cursor && `&page=${cursor}`}`;
      const { body } = await server.call('GET', path, undefined, onFork);
      paged.push(...body.result);
      cursor = body.nextCursor;
      await addNote(server, 'meanwhile', onFork);
    }
    expect(values(paged)).toEqual(seen);
    const [last] = (await server.call('GET', '/v1/transactions?limit=1')).body.result;
    expect(last).toEqual({
      ...last,
      fork: 'main',
      cause: { kind: 'mutation', path: 'notes::add' },
      principal: null,
      events: 2,
    });
    expect(last.first).toBeUndefined();
    expectCode(await server.call('GET', '/v1/transactions?first=20'), 'SVC_RUNTIME_VALIDATION_FAILED', /first/);
  });

  it('can explain a fact before the transaction that ended it, with labels of deleted individuals', async () => {
    const server = await serveNotes();
    const [first, second] = [await addNote(server, 'same'), await addNote(server, 'same')].map(([born]) => born?.id);
    await server.mutation('notes::remove', { n: first });
    const request = { relation: 'notes::Doubled', tuple: [second] };
    const explain = async (more: object) => server.call('POST', '/v1/explain', { ...request, ...more });
    expect((await explain({})).body.result.holds).toBe(false);
    const { body } = await explain({ before: 3 });
    expect(body.result).toMatchObject({ holds: true, names: { [first as string]: 'same' } });
    expect(JSON.stringify(body.result.proof)).toContain('"txn":1,');
    expect((await explain({ before: 2 })).body.result.holds).toBe(false);
    expectCode(await explain({ before: 4 }), 'SVC_RUNTIME_VALIDATION_FAILED', /has no transaction 4/);
  });

  it('reports the effects of a transaction, unaffected by later ones', async () => {
    const server = await serveNotes();
    const [first, second] = [await addNote(server, 'same'), await addNote(server, 'same')].map(([born]) => born?.id);
    await server.mutation('notes::change', { n: second, text: 'other' });
    await server.mutation('notes::remove', { n: first });
    const effectsOf = async (txn: number): Promise<Effects> =>
      (await server.call('GET', `/v1/transactions/${txn}/effects`)).body.result;
    const summary = ({ facts, firings }: Effects) => [
      facts.map(({ change, kind, relation, tuple }) => `${change} ${kind} ${relation}(${tuple.join(', ')})`).sort(),
      firings.map(({ change, firing }) => `${change} ${firing.message}`),
    ];
    const doubled = (change: string) => [first, second].map((id) => `${change} derived notes::Doubled(${id})`);
    const twice = (change: string) => [`${change} same is there twice`, `${change} same is there twice`];
    expect(summary(await effectsOf(2))).toEqual([
      [...doubled('added'), `added stored notes::Note(${second})`, `added stored notes::Note.text(${second}, same)`],
      twice('added'),
    ]);
    expect(summary(await effectsOf(3))).toEqual([
      [
        `added stored notes::Note.text(${second}, other)`,
        ...doubled('removed'),
        `removed stored notes::Note.text(${second}, same)`,
      ],
      twice('removed'),
    ]);
    expect(summary(await effectsOf(4))).toEqual([
      [`removed stored notes::Note(${first})`, `removed stored notes::Note.text(${first}, same)`],
      [],
    ]);
  });
});
