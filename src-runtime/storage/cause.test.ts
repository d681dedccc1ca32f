/** Causes that older formats stored as sentences. */

import { expect, it } from 'vitest';
import { type Cause, causeOfSentence } from './cause.js';

const CAUSES: readonly (readonly [string, Cause])[] = [
  ['lease::sign', { kind: 'mutation', path: 'lease::sign' }],
  ['adhoc', { kind: 'adhoc' }],
  ['batch', { kind: 'batch' }],
  ['promote what-if', { kind: 'promote', fork: 'what-if' }],
  ['undo what-if', { kind: 'undoPromotion', fork: 'what-if' }],
  ['undo #7', { kind: 'undo', txn: 7 }],
  ['undo 7', { kind: 'undoPromotion', fork: '7' }],
  ['pick #12 of main', { kind: 'pick', txn: 12, fork: 'main' }],
  ['as of #0', { kind: 'asOf', txn: 0 }],
  ['changes of what-if', { kind: 'update', fork: 'what-if' }],
];

it.each(CAUSES)('reads "%s"', (sentence, cause) => {
  expect(causeOfSentence(sentence)).toEqual(cause);
});

it.each(['repro', 'undo', 'pick #x of main', 'as of #'])('keeps the unknown sentence "%s"', (text) => {
  expect(causeOfSentence(text)).toEqual({ kind: 'other', text });
});
