/** Order of the fork tree, and validation of fork names. */

import { describe, expect, it } from 'vitest';
import type { ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import {
  closedForks,
  type ForkNode,
  forkBeforePromotion,
  forkTree,
  freeName,
  nameProblem,
  newestOpenFork,
  nextName,
  openChildren,
  promotionsSince,
  updateTarget,
} from './fork-tree.js';

let clock = 0;
const fork = (id: string, parent: string | null = 'main', more: Partial<ForkInfo> = {}): ForkInfo => {
  clock += 1;
  return { id, parent, baseSeq: 0, status: 'open', createdAt: String(clock).padStart(6, '0'), events: 0, ...more };
};
const main = fork('main', null);
const ALL = { withClosed: true } as const;

const shape = (nodes: readonly ForkNode[]): string =>
  nodes.map(({ id, children }) => (children.length === 0 ? id : `${id}(${shape(children)})`)).join(' ');

describe('the tree of forks', () => {
  it('has each fork below its parent, newest first', () => {
    const forks = [main, fork('b'), fork('a'), fork('inner', 'b')];
    expect(shape(forkTree(forks, ALL))).toBe('main(a b(inner))');
  });

  it('lists active forks first, then snapshots of the parent, then closed forks', () => {
    const closedAt = 'later';
    const forks = [
      main,
      fork('empty', 'main', { createdAt: 'last' }),
      fork('work', 'main', { events: 1 }),
      fork('before-a', 'main', { createdAt: '1' }),
      fork('a', 'main', { status: 'promoted', closedAt: '2' }),
      fork('gone', 'main', { status: 'aborted', closedAt }),
      fork('alive', 'gone', { events: 1 }),
    ];
    expect(shape(forkTree(forks, ALL))).toBe('main(empty gone(alive) work before-a a)');
  });

  it('finds names case-insensitively', () => {
    const forks = [main, fork('gone', 'main', { status: 'aborted' }), fork('Sale', 'main'), fork('sale-2', 'gone')];
    expect(shape(forkTree(forks, { withClosed: true, text: ' SALE' }))).toBe('main(Sale gone(sale-2))');
    expect(forkTree(forks, { withClosed: true, text: 'nothing' })).toEqual([]);
  });

  it('has a separate list of closed forks without open descendants, last closed first', () => {
    const forks = [
      main,
      fork('kept', 'main', { status: 'promoted', closedAt: '1' }),
      fork('inner', 'kept'),
      fork('sale', 'main', { status: 'promoted', closedAt: '2' }),
      fork('gone', 'main', { status: 'aborted', closedAt: '3' }),
    ];
    const open = forkTree(forks, { withClosed: false });
    expect(closedForks(forks, open).map(({ id }) => id)).toEqual(['gone', 'sale']);
    expect(closedForks(forks, open, 'SALE').map(({ id }) => id)).toEqual(['sale']);
  });

  it('starts with the newest open fork, and with a snapshot only if no other fork is open', () => {
    const forks = [
      main,
      fork('first', 'main', { createdAt: '1', events: 1 }),
      fork('second', 'main', { createdAt: '2', events: 1 }),
      fork('sale', 'main', { status: 'promoted', closedAt: '4' }),
      fork('before-sale', 'main', { createdAt: '3' }),
    ];
    expect(newestOpenFork(forks)?.id).toBe('second');
    expect(newestOpenFork([main, ...forks.slice(3)])?.id).toBe('before-sale');
    expect(newestOpenFork([main])).toBeUndefined();
  });

  it('hides closed forks, except ancestors of open ones', () => {
    const closed = { status: 'promoted' } as const;
    const forks = [main, fork('gone', 'main', closed), fork('kept', 'main', closed), fork('inner', 'kept')];
    expect(shape(forkTree(forks, { withClosed: false }))).toBe('main(kept(inner))');
    expect(shape(forkTree(forks, ALL))).toBe('main(kept(inner) gone)');
  });

  it('does not put a fork below a newer one that reuses the name of its parent', () => {
    const orphan = fork('orphan', 'again');
    const forks = [main, orphan, fork('again')];
    expect(shape(forkTree(forks, ALL))).toBe('main(again) orphan');
  });

  it('lists the open children of a fork', () => {
    const forks = [main, fork('a'), fork('b', 'a'), fork('c', 'a', { status: 'aborted' })];
    expect(openChildren(forks, 'a').map(({ id }) => id)).toEqual(['b']);
    expect(openChildren([main, fork('b', 'a'), fork('a')], 'a')).toEqual([]);
  });

  it('finds the fork to rebase onto', () => {
    const made = fork('a', 'main', { status: 'promoted' });
    const inner = fork('b', 'a');
    const behind = fork('c', 'main', { behind: 2 });
    const targetOf = (each: ForkInfo, ...others: ForkInfo[]) => updateTarget(each, [main, each, ...others])?.id;
    expect([targetOf(behind), targetOf(fork('c', 'main')), targetOf(main)]).toEqual(['main', undefined, undefined]);
    expect([targetOf(inner, made), targetOf(fork('d', 'b'), { ...inner, status: 'aborted' }, made)]).toEqual([
      'main',
      'main',
    ]);
    expect(targetOf({ ...inner, status: 'aborted' }, made)).toBeUndefined();
    expect(targetOf(inner, fork('a')), 'a newer fork reuses the name of its parent').toBeUndefined();
  });

  it('lists the promotions since a snapshot was taken', () => {
    const promoted = (id: string, closedAt: string, more: Partial<ForkInfo> = {}) =>
      fork(id, 'main', { status: 'promoted', events: 2, closedAt, ...more });
    const kept = fork('kept', 'main', { createdAt: '5' });
    const forks = [
      main,
      promoted('before', '4'),
      promoted('first', '5'),
      promoted('second', '6'),
      promoted('empty', '7', { events: 0 }),
      promoted('inner', '7', { parent: 'other' }),
      fork('open', 'main', { closedAt: '7' }),
      kept,
    ];
    expect(promotionsSince(forks, kept).map(({ id }) => id)).toEqual(['second', 'first']);
    expect(promotionsSince(forks, { ...kept, events: 1 })).toEqual([]);
    expect(promotionsSince(forks, { ...kept, status: 'aborted' })).toEqual([]);
  });

  it('finds the snapshot taken before a promotion', () => {
    const promoted = fork('sale', 'main', { status: 'promoted', closedAt: '5' });
    const at = (id: string, createdAt: string, more: Partial<ForkInfo> = {}) =>
      fork(id, 'main', { createdAt, ...more });
    const forks = [
      main,
      promoted,
      at('older', '2'),
      at('last', '4'),
      at('worked-on', '4', { events: 1 }),
      at('after', '6'),
    ];
    expect(forkBeforePromotion(forks, promoted)?.id).toBe('last');
    expect(forkBeforePromotion(forks, { ...promoted, closedAt: '1' })).toBeUndefined();
    const between = fork('between', 'main', { status: 'promoted', closedAt: '45' });
    expect(forkBeforePromotion([...forks, between], promoted)).toBeUndefined();
    expect(forkBeforePromotion(forks, { ...promoted, status: 'aborted' })).toBeUndefined();
  });
});

describe('the name of a fork', () => {
  const forks = [main, fork('what if'), fork('old', 'main', { status: 'aborted' })];
  it.each([
    ['what if', /already exists \(open\)/],
    ['main', /already/],
    ['', /Enter a name/],
    ['-x', /must start/],
    ['a/b', /not \//],
    ['a ', /end/],
    ['x'.repeat(65), /64 characters/],
  ])('is rejected if it is %j', (name, message) => {
    expect(nameProblem(name, forks)).toMatch(message);
  });

  it.each(['old', 'Wäre wenn', 'v1.2_b-3', 'x'.repeat(64)])('is accepted if it is %j', (name) => {
    expect(nameProblem(name, forks)).toBeUndefined();
  });

  it('gets a number if it is taken, within the length limit', () => {
    expect(freeName('before-x', forks)).toBe('before-x');
    expect(freeName('old', forks)).toBe('old-2');
    const long = 'x'.repeat(80);
    const first = freeName(long, forks);
    expect(first).toHaveLength(64);
    const second = freeName(long, [...forks, fork(first)]);
    expect(second).toHaveLength(64);
    expect(second.endsWith('-2')).toBe(true);
  });
});

it('suggests the name of a fork with the next number for its continuation', () => {
  const forks = [fork('what-if', 'main'), fork('what-if-2', 'main')];
  expect(nextName('what-if', forks)).toBe('what-if-3');
  expect(nextName('what-if-2', forks)).toBe('what-if-3');
  expect(nextName('unit-12', [fork('unit-12', 'main')])).toBe('unit-13');
});
