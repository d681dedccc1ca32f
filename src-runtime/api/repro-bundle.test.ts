/** The events before a request, and errors of invalid bundles. */

import { describe, expect, it } from 'vitest';
import { eventsBefore, isAsItLeft, readReproBundle } from './repro-bundle.js';
import type { WireEvent } from './schemas/schemas.js';

const event = (seq: number, at: string): WireEvent => ({ seq, txn: seq, at, kind: 'insertIndividual', id: `#i${seq}` });
const HISTORY = [
  event(1, '2026-01-01T10:00:00.000Z'),
  event(2, '2026-01-01T10:00:01.000Z'),
  event(4, '2026-01-01T10:00:01.000Z'),
];

function met(status: number, answer: object | undefined, at = '2026-01-01T10:00:01.000Z', cut = false): number[] {
  const text = JSON.stringify(answer);
  return eventsBefore(HISTORY, { at, status, answer: answer === undefined ? null : { text, cut } }).map(
    ({ seq }) => seq,
  );
}

describe('the events before a request', () => {
  it('end before the events of the request', () => {
    expect(met(200, { result: null, txn: 4, events: [event(4, '')] })).toEqual([1, 2]);
  });

  it('end before the first event of a batch', () => {
    expect(
      met(200, { result: [{ result: 1 }, { result: 2, events: [event(2, '')] }, { events: [event(4, '')] }] }),
    ).toEqual([1]);
  });

  it('end at its start if it wrote nothing', () => {
    expect(met(200, { result: [] })).toEqual([1, 2, 4]);
    expect(met(400, { error: {} }, '2026-01-01T10:00:00.500Z')).toEqual([1]);
    expect(met(200, undefined, '2026-01-01T10:00:00.500Z')).toEqual([1]);
  });

  it('end at its start if its response is truncated or has events of other requests', () => {
    expect(met(200, { events: [event(2, '')] }, undefined, true)).toEqual([1, 2, 4]);
    expect(met(200, { result: [event(2, ''), event(4, '')] })).toEqual([1, 2, 4]);
  });
});

describe('the facts since a request', () => {
  const isSame = (status: number, answer: object, at = '2026-01-01T10:00:01.000Z') =>
    isAsItLeft(HISTORY, { at, status, answer: { text: JSON.stringify(answer), cut: false } });

  it('are unchanged if only the request itself has written', () => {
    expect(isSame(400, { error: {} })).toBe(true);
    expect(isSame(200, { result: null, txn: 4, events: [event(4, '')] })).toBe(true);
  });

  it('are changed if another request has written since', () => {
    expect(isSame(400, { error: {} }, '2026-01-01T10:00:00.500Z')).toBe(false);
    expect(isSame(200, { result: null, txn: 2, events: [event(2, '')] })).toBe(false);
  });
});

describe('an invalid bundle', () => {
  it.each([
    ['{', /not JSON/],
    ['[]', /not a repro bundle/],
    ['{"format":"entail-artifact","formatVersion":1}', /not a repro bundle/],
    ['{"format":"entail-repro","formatVersion":9}', /version 9/],
    ['{"format":"entail-repro","formatVersion":1,"savedAt":1}', /savedAt/],
    ['{"format":"entail-repro","formatVersion":1,"savedAt":"yesterday"}', /savedAt/],
    ['\ufeff{"format":"entail-repro","formatVersion":9}', /version 9/],
  ])('is reported: %s', (text, problem) => {
    expect(readReproBundle(text)).toMatchObject({ problem: expect.stringMatching(problem) });
  });
});
