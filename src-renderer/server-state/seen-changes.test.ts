/** Lists are fetched once for each change. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { changesOf, noteSeen } from './seen-changes.js';

const PAUSE_MS = 200;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function following(tenant: string) {
  const show = vi.fn();
  const changes = changesOf(tenant, show, PAUSE_MS);
  changes.restarted();
  vi.advanceTimersByTime(PAUSE_MS);
  expect(show).toHaveBeenCalledTimes(1);
  show.mockClear();
  return { changes, show };
}

it.each(['before', 'after'])('shows nothing for a write of its own whose event comes %s the response', (order) => {
  const { changes, show } = following(`own ${order}`);
  if (order === 'before') changes.happened(7);
  noteSeen(`own ${order}`, 7);
  if (order === 'after') changes.happened(7);
  vi.advanceTimersByTime(2 * PAUSE_MS);
  expect(show).not.toHaveBeenCalled();
});

it('shows once what others write, also beside a write of its own', () => {
  const { changes, show } = following('others');
  changes.happened(7);
  noteSeen('others', 7);
  changes.happened(8);
  changes.happened(9);
  vi.advanceTimersByTime(2 * PAUSE_MS);
  expect(show).toHaveBeenCalledTimes(1);
});

it('shows what has the number of a write of another tenant', () => {
  const { changes, show } = following('acme');
  noteSeen('globex', 100);
  changes.happened(3);
  vi.advanceTimersByTime(PAUSE_MS);
  expect(show).toHaveBeenCalledTimes(1);
});

it('shows what another history has under a number that was seen', () => {
  const { changes, show } = following('again');
  noteSeen('again', 100);
  changes.restarted();
  vi.advanceTimersByTime(PAUSE_MS);
  changes.happened(1);
  vi.advanceTimersByTime(PAUSE_MS);
  expect(show).toHaveBeenCalledTimes(2);
});
