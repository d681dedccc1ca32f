/** Forks hang below what they were made from, and names are free and well-formed before the server is asked. */

import { describe, expect, it } from 'vitest';
import type { ForkInfo } from '../../src-runtime/api/fork-schemas.js';
import { type ForkNode, forkTree, freeName, nameProblem, openChildren, promotionsSince } from './fork-tree.js';

let clock = 0;
const fork = (id: string, parent: string | null = 'main', more: Partial<ForkInfo> = {}): ForkInfo => {
  clock += 1;
  return { id, parent, baseSeq: 0, status: 'open', createdAt: String(clock).padStart(6, '0'), events: 0, ...more };
};
const main = fork('main', null);

const shape = (nodes: readonly ForkNode[]): string =>
  nodes.map(({ id, children }) => (children.length === 0 ? id : `${id}(${shape(children)})`)).join(' ');

describe('the tree of forks', () => {
  it('has each below its parent, in the order of creation', () => {
    const forks = [main, fork('b'), fork('a'), fork('inner', 'b')];
    expect(shape(forkTree(forks, true))).toBe('main(b(inner) a)');
  });

  it('hides closed forks but for those that lead to an open one', () => {
    const closed = { status: 'promoted' } as const;
    const forks = [main, fork('gone', 'main', closed), fork('kept', 'main', closed), fork('inner', 'kept')];
    expect(shape(forkTree(forks, false))).toBe('main(kept(inner))');
    expect(shape(forkTree(forks, true))).toBe('main(gone kept(inner))');
  });

  it('does not hang a fork below a younger one that took the name of its parent', () => {
    const orphan = fork('orphan', 'again');
    const forks = [main, orphan, fork('again')];
    expect(shape(forkTree(forks, true))).toBe('main(again) orphan');
  });

  it('knows whose promotion depends on a fork', () => {
    const forks = [main, fork('a'), fork('b', 'a'), fork('c', 'a', { status: 'aborted' })];
    expect(openChildren(forks, 'a').map(({ id }) => id)).toEqual(['b']);
  });

  it('knows what was promoted since a fork was made that keeps its parent as it was', () => {
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
});

describe('the name of a fork', () => {
  const forks = [main, fork('what if'), fork('old', 'main', { status: 'aborted' })];
  it.each([
    ['what if', /already \(open\)/],
    ['main', /already/],
    ['', /Give/],
    ['-x', /begins/],
    ['a/b', /no \//],
    ['a ', /end/],
    ['x'.repeat(65), /64 characters/],
  ])('%j is refused', (name, message) => {
    expect(nameProblem(name, forks)).toMatch(message);
  });

  it.each(['old', 'Wäre wenn', 'v1.2_b-3', 'x'.repeat(64)])('%j is taken', (name) => {
    expect(nameProblem(name, forks)).toBeUndefined();
  });

  it('is made free by a number, and never longer than a name may be', () => {
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
