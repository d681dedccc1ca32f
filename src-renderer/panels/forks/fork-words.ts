/** Status of forks and their differences in words. */

import type { ForkConflict, ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import { FORK_STATUS_WORDS, type NameOfFork } from '../../model/facts/fork-names.js';
import { timeText } from '../../model/text/time-text.js';

/** Short status: number of changes, or how the fork was closed. */
export function stateText({ status, events, undoneAt }: ForkInfo): string {
  if (status === 'open') return eventsText(events);
  return undoneAt === undefined ? FORK_STATUS_WORDS[status] : `${FORK_STATUS_WORDS[status]}, reverted`;
}

/** How and when a fork was closed, without a period. */
export function closedText({ status, parent, closedAt, undoneAt }: ForkInfo, nameOf: NameOfFork): string {
  const when = closedAt === undefined ? '' : ` at ${timeText(closedAt)}`;
  if (status === 'aborted') return `Discarded${when}`;
  const undone = undoneAt === undefined ? '' : `, reverted ${timeText(undoneAt)}`;
  return `Promoted to ${parent === null ? 'its parent' : nameOf(parent)}${when}${undone}`;
}

/** A promotion can be reverted once; later promotions of the same facts are intended. */
export function isUndoable({ status, undoneAt }: ForkInfo): boolean {
  return status === 'promoted' && undoneAt === undefined;
}

/** Starting point of a fork of an earlier state. */
export function pastText(asOf: number): string {
  return asOf === 0 ? 'as of the first transaction' : `as of transaction ${asOf.toLocaleString('en')}`;
}

export function eventsText(events: number): string {
  return events === 1 ? '1 change' : `${events.toLocaleString('en')} changes`;
}

/** Number of changes that the parent is ahead; undefined if none. */
export function parentAheadText({ parent, behind }: ForkInfo, nameOf: NameOfFork): string | undefined {
  return behind === undefined ? undefined : `${eventsText(behind)} behind ${nameOf(parent ?? '')}`;
}

/** Which side's values were kept in conflicts. */
export function conflictsText(conflicts: readonly ForkConflict[], parent: string): string {
  const ofParent = conflicts.filter(({ kept }) => kept === 'parent').length;
  const ofFork = conflicts.length - ofParent;
  const parts = [
    ...(ofFork > 0 ? [`${ofFork.toLocaleString('en')} with the value of the fork`] : []),
    ...(ofParent > 0 ? [`${ofParent.toLocaleString('en')} with the value of ${parent}`] : []),
  ];
  const all =
    conflicts.length === 1 ? '1 conflict resolved' : `${conflicts.length.toLocaleString('en')} conflicts resolved`;
  return `${all}: ${parts.join(', ')}.`;
}
