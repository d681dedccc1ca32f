/** Each change refreshes the lists once, whether its response or its event arrives first. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changedBy, collectChanges, createBurst, forgetShown, noteShown } from './changes.js';

const PAUSE_MS = 200;

beforeEach(() => {
  vi.useFakeTimers();
  forgetShown();
});
afterEach(() => {
  vi.useRealTimers();
});

const inserted = (txn: number, relation: string) => ({ kind: 'insertFact', txn, relation }) as const;
const created = (txn: number, id: string) => ({ kind: 'insertIndividual', txn, id }) as const;
const set = (txn: number, id: string) => ({ kind: 'setField', txn, id }) as const;

function following(tenant = '') {
  const show = vi.fn();
  return { show, changes: collectChanges(tenant, show, PAUSE_MS) };
}

describe('changedBy', () => {
  it('returns the relations of the changed facts', () => {
    expect(changedBy([inserted(1, 'm::a'), { kind: 'deleteFact', txn: 1, relation: 'm::b' }])).toEqual(
      new Set(['m::a', 'm::b']),
    );
  });

  it('returns no relation for a new individual with its fields', () => {
    expect(changedBy([created(1, '#i1'), set(1, '#i1')])).toEqual(new Set());
  });

  it('returns everything for an individual that lists may already name', () => {
    expect(changedBy([created(1, '#i1'), set(1, '#i0')])).toBe('everything');
    for (const kind of ['deleteIndividual', 'forgetIndividual', 'redacted'] as const) {
      expect(changedBy([{ kind, txn: 1, id: '#i0' }])).toBe('everything');
    }
  });
});

describe('collectChanges', () => {
  it('shows consecutive events together', () => {
    const { show, changes } = following();
    for (const txn of [1, 2, 3]) changes.happened(inserted(txn, `m::r${txn}`));
    vi.advanceTimersByTime(PAUSE_MS);
    expect(show.mock.calls).toEqual([[new Set(['m::r1', 'm::r2', 'm::r3'])]]);
  });

  it.each(['before', 'after'])('shows nothing for an own write whose event arrives %s the response', (order) => {
    const { show, changes } = following();
    if (order === 'before') changes.happened(inserted(7, 'm::a'));
    expect(noteShown('', 7, new Set(['m::a']))).toEqual(new Set(['m::a']));
    if (order === 'after') changes.happened(inserted(7, 'm::a'));
    vi.advanceTimersByTime(2 * PAUSE_MS);
    expect(show).not.toHaveBeenCalled();
  });

  it('leaves nothing for a response that arrives after its events were shown', () => {
    const { changes } = following();
    changes.happened(inserted(7, 'm::a'));
    vi.advanceTimersByTime(PAUSE_MS);
    expect(noteShown('', 7, new Set(['m::a']))).toBeUndefined();
    expect(noteShown('', 7, new Set(['m::b']))).toEqual(new Set(['m::b']));
  });

  it('shows the write of another client next to an own write', () => {
    const { show, changes } = following();
    changes.happened(inserted(6, 'm::theirs'));
    noteShown('', 7, 'everything');
    changes.happened(inserted(7, 'm::own'));
    vi.advanceTimersByTime(PAUSE_MS);
    expect(show.mock.calls).toEqual([[new Set(['m::theirs'])]]);
  });

  it('shows a later part of a transaction only if it changes another relation', () => {
    const { show, changes } = following();
    for (const relation of ['m::a', 'm::a', 'm::b']) {
      changes.happened(inserted(7, relation));
      vi.advanceTimersByTime(PAUSE_MS);
    }
    expect(show.mock.calls).toEqual([[new Set(['m::a'])], [new Set(['m::b'])]]);
  });

  it('shows a transaction that has the number of an own write to another tenant', () => {
    const { show, changes } = following('acme');
    noteShown('globex', 3, 'everything');
    changes.happened(inserted(3, 'm::a'));
    vi.advanceTimersByTime(PAUSE_MS);
    expect(show).toHaveBeenCalledTimes(1);
  });

  it('shows everything after a gap', () => {
    const { show, changes } = following();
    changes.restarted();
    vi.advanceTimersByTime(PAUSE_MS);
    expect(show.mock.calls).toEqual([['everything']]);
  });

  it('shows a transaction number again after forgetShown', () => {
    const { show, changes } = following();
    noteShown('', 1, 'everything');
    forgetShown();
    changes.happened(inserted(1, 'm::a'));
    vi.advanceTimersByTime(PAUSE_MS);
    expect(show).toHaveBeenCalledTimes(1);
  });
});

describe('a burst', () => {
  const reachedBy = (events: number, msBetween: number): boolean => {
    let now = 0;
    const burst = createBurst(() => now);
    return Array.from({ length: events }).some(() => {
      now += msBetween;
      return burst.isReached();
    });
  };

  it('is reached by the events of an import, and not by those that users cause', () => {
    expect(reachedBy(20_000, 0.05)).toBe(true);
    expect(reachedBy(3_000, 0)).toBe(false);
    expect(reachedBy(20_000, 1)).toBe(false);
  });
});
