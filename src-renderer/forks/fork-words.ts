/** What has become of a fork, in words. */

import type { ForkInfo } from '../../src-runtime/api/fork-schemas.js';
import { timeText } from '../data/time-text.js';

/** Beside its name: what it has of its own while it is open. */
export function stateText({ status, events, undoneAt }: ForkInfo): string {
  if (status === 'open') return eventsText(events);
  return undoneAt === undefined ? status : `${status}, undone`;
}

/** Of a closed one: how and when, without a full stop. */
export function closedText({ status, parent, closedAt, undoneAt }: ForkInfo): string {
  const when = closedAt === undefined ? '' : ` ${timeText(closedAt)}`;
  if (status === 'aborted') return `Aborted${when}, nothing of it was kept`;
  const undone = undoneAt === undefined ? '' : `, and undone ${timeText(undoneAt)}`;
  return `Promoted to ${parent ?? 'its parent'}${when}${undone}`;
}

/** Once is enough: what came to the parent since was written by somebody who wanted it there. */
export function isUndoable({ status, undoneAt }: ForkInfo): boolean {
  return status === 'promoted' && undoneAt === undefined;
}

/** Where a fork begins that was made of an earlier state. */
export function pastText(asOf: number): string {
  return asOf === 0 ? 'as of its beginning' : `as of transaction ${asOf.toLocaleString('en')}`;
}

export function eventsText(events: number): string {
  return events === 1 ? '1 event' : `${events.toLocaleString('en')} events`;
}
