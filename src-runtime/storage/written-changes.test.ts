/** Records of the journal: what is written is read, also from older formats. */

import { expect, it } from 'vitest';
import { runOfFacts } from './event-runs.js';
import { encodeFrame } from './journal-format.js';
import { closing, forkRecord, longTransaction, SCOPE, transaction } from './testing/histories.js';
import { inTimeSlices } from './time-slices.js';
import { readRecord, recordOf, written } from './written-changes.js';

const run = runOfFacts(50_000, 'likes', '[\n["#i1", "a\\nb"],\n["#i2", "ü"]]', 2);
const CHANGES = [
  { kind: 'createFork', scopeId: SCOPE, fork: forkRecord(1) },
  { kind: 'append', scopeId: SCOPE, transaction: longTransaction(2, 3_000, 1) },
  { kind: 'closeFork', scopeId: SCOPE, closing: closing(1, 'promoted'), promoted: transaction(3_000) },
  { kind: 'append', scopeId: SCOPE, transaction: { ...transaction(3_001), events: [run] } },
  { kind: 'append', scopeId: SCOPE, transaction: { ...transaction(3_002), events: [] } },
] as const;

it('reads the changes of a record, with the parts of their events as they were written', async () => {
  const { changes } = await inTimeSlices(written(CHANGES));
  const read = await inTimeSlices(readRecord(4, Buffer.from(recordOf(changes).join(''))));
  expect(read.map(({ parts }) => parts)).toEqual(changes.map(({ parts }) => parts));
  expect(read[1]?.parts.length).toBeGreaterThan(3);
  const { events: _, ...head } = CHANGES[1].transaction;
  expect(read[1]?.change).toEqual({ ...CHANGES[1], transaction: { ...head, events: [] } });
  expect(JSON.parse(read[3]?.parts[0]?.text ?? '')[0].rows[0]).toEqual(['#i1', 'a\nb']);
});

it('reads a record of format 3, which is one JSON text, and of format 2, with causes as sentences', async () => {
  const { changes } = await inTimeSlices(written(CHANGES.slice(0, 3)));
  const text = JSON.stringify(CHANGES.slice(0, 3));
  const read = await inTimeSlices(readRecord(3, Buffer.from(text)));
  expect(read).toEqual(changes);
  const old = text.replaceAll('{"kind":"mutation","path":"lease::sign"}', '"lease::sign"');
  expect(old).not.toBe(text);
  expect(await inTimeSlices(readRecord(2, Buffer.from(old)))).toEqual(changes);
});

it('encodes short transactions in one step, and a long one in several', async () => {
  const short = await inTimeSlices(written([CHANGES[0], CHANGES[2], CHANGES[4]]));
  expect(encodeFrame(1, recordOf(short.changes)).next().done).toBe(true);
  const long = await inTimeSlices(written([CHANGES[1]]));
  expect(encodeFrame(1, recordOf(long.changes)).next().done).toBe(false);
});

it('refuses a transaction that no database could hold', () => {
  expect(() => encodeFrame(1, ['x'.repeat(2_000_001)], 2_000_000).next()).toThrow(
    'A transaction of 3 MB is too large, at most 2 MB fit; split it',
  );
});
