/** Undo and redo of this page's writes, by reverting their transactions. Edits in the Data panel are undone one by one. */

import type { QueryClient } from '@tanstack/react-query';
import { type PagePlace, tenantOf } from '../model/calls/place.js';
import { ApiFailure } from '../model/facts/failure.js';
import { revertLocation } from '../model/facts/locations.js';
import { api } from './api.js';
import { lastWrite, type OwnWrite, type ReportedWrite, refreshMerged, type UserAction } from './live.js';

export interface UndoOutcome {
  /** False if nothing of the write was left. */
  readonly isDone: boolean;
  /** Where the user decides about a revert that would overwrite later changes, or that is refused. */
  readonly decision?: string | undefined;
}

/** Also redoes, because the revert of a write can be reverted. Reports the given action. */
export async function undoWrite(
  client: QueryClient,
  write: ReportedWrite,
  reported: UserAction = { kind: 'undo', of: write },
): Promise<UndoOutcome> {
  const { action, fork, context } = write;
  const promoted = action.kind === 'promote' ? action.fork : undefined;
  const revert = (txn: number, dryRun: boolean) =>
    promoted === undefined
      ? api.undoTransaction(txn, { fork, context: { ...context }, dryRun })
      : api.undoPromotion(promoted, { context: { ...context }, dryRun });
  const reverts: OwnWrite[] = [];
  let decision: string | undefined;
  for (const txn of [...write.txns].reverse()) {
    if (await isUnclear(() => revert(txn, true))) {
      decision = revertLocation(fork, txn, promoted);
      break;
    }
    const { txn: by, events } = await revert(txn, false);
    reverts.push({ txn: by, events, context });
  }
  await refreshMerged(client, reverts, { action: reported, fork });
  return { isDone: reverts.some(({ txn }) => txn !== null), decision };
}

async function isUnclear(dryRun: () => Promise<{ readonly conflicts: readonly unknown[] }>): Promise<boolean> {
  try {
    return (await dryRun()).conflicts.length > 0;
  } catch (error) {
    if (error instanceof ApiFailure) return true;
    throw error;
  }
}

/** Erased individuals cannot come back, and a rebase has its own fork. */
export function isUndoable({ action, events }: ReportedWrite): boolean {
  return action.kind !== 'rebase' && !events.some(({ kind }) => kind === 'forgetIndividual');
}

/** Whether the write, if it is an undo, restores what an earlier undo took back. */
export function isRedo({ action }: ReportedWrite): boolean {
  return action.kind === 'undo' && action.of.action.kind === 'undo' && !isRedo(action.of);
}

/** The write that was undone or redone. */
export function originalOf(write: ReportedWrite): ReportedWrite {
  return write.action.kind === 'undo' ? originalOf(write.action.of) : write;
}

interface EditHistory {
  readonly undoable: readonly ReportedWrite[];
  readonly redoable: readonly ReportedWrite[];
}

let edits: EditHistory = { undoable: [], redoable: [] };
const EDITS_MAX = 100;

lastWrite.subscribe(() => {
  const write = lastWrite.get();
  if (write !== undefined) edits = withWrite(edits, write);
});

/** A new edit clears the redo stack. */
export function withWrite({ undoable, redoable }: EditHistory, write: ReportedWrite): EditHistory {
  if (originalOf(write).action.kind !== 'edit' || !isUndoable(write)) return { undoable, redoable };
  if (write.action.kind !== 'undo') return { undoable: [...undoable, write].slice(-EDITS_MAX), redoable: [] };
  const { of } = write.action;
  const without = (writes: readonly ReportedWrite[]) => writes.filter((each) => each !== of);
  return isRedo(write)
    ? { undoable: [...without(undoable), write], redoable: without(redoable) }
    : { undoable: without(undoable), redoable: [...without(redoable), write] };
}

/** The edit at this place that Ctrl+Z undoes or, with `again`, the undo that Ctrl+Shift+Z takes back. */
export function editToUndo({ fork, context }: PagePlace, again: boolean): ReportedWrite | undefined {
  return (again ? edits.redoable : edits.undoable).findLast(
    (write) => write.fork === fork && tenantOf(write.context) === tenantOf(context),
  );
}
