/** Edits are undone newest first, and redone in reverse order. */

import { expect, it } from 'vitest';
import type { ReportedWrite, UserAction } from './live.js';
import { isRedo, isUndoable, originalOf, withWrite } from './undo-write.js';

const NOTHING = { undoable: [], redoable: [] };

let txn = 0;
function write(action: UserAction): ReportedWrite {
  txn += 1;
  return { action, fork: 'main', context: {}, txns: [txn], events: [] };
}

const undoOf = (of: ReportedWrite): ReportedWrite => write({ kind: 'undo', of });

it('undoes the newest edit first, then offers the previous edit and a redo', () => {
  const [first, second] = [write({ kind: 'edit' }), write({ kind: 'edit' })];
  const edited = withWrite(withWrite(NOTHING, first), second);
  expect(edited).toEqual({ undoable: [first, second], redoable: [] });
  const undo = undoOf(second);
  const undone = withWrite(edited, undo);
  expect(undone).toEqual({ undoable: [first], redoable: [undo] });
  const redo = undoOf(undo);
  expect([isRedo(undo), isRedo(redo), isRedo(undoOf(redo))]).toEqual([false, true, false]);
  expect(originalOf(redo)).toBe(second);
  expect(withWrite(undone, redo)).toEqual({ undoable: [first, redo], redoable: [] });
});

it('clears the redo stack after a new edit', () => {
  const first = write({ kind: 'edit' });
  const undone = withWrite(withWrite(NOTHING, first), undoOf(first));
  const next = write({ kind: 'edit' });
  expect(withWrite(undone, next)).toEqual({ undoable: [next], redoable: [] });
});

it('ignores imports and edits that erased individuals', () => {
  expect(withWrite(NOTHING, write({ kind: 'import', rows: 1, changes: 1 }))).toEqual(NOTHING);
  const event = { seq: 1, txn: 1, at: '', kind: 'forgetIndividual', id: '#i1' } as const;
  const erased = { ...write({ kind: 'edit' }), events: [event] };
  expect([isUndoable(erased), withWrite(NOTHING, erased)]).toEqual([false, NOTHING]);
});
