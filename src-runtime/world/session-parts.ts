/** What a session and its operations work with. */

import type { JsonValue, Limits } from '../api/schemas.js';
import type { RequestContext } from './context.js';
import type { Cursors } from './cursor.js';
import type { ForkSite } from './forks.js';
import type { PageRequest } from './pages.js';
import type { Paging } from './runtime.js';
import type { Writes } from './writes.js';

export interface SessionParts extends ForkSite {
  readonly context: RequestContext;
  readonly writes: Writes;
  readonly cursors: Cursors;
  readonly limits: Limits;
}

/** A page of what `request` names, in this scope and fork. */
export function pageRequest(parts: SessionParts, paging: Paging, request: JsonValue[]): PageRequest {
  return {
    paging,
    cursors: parts.cursors,
    // A fork that is created again under the same id is another one.
    request: [...request, parts.scope.scopeId, parts.fork.id, parts.fork.txn],
    rowsMax: parts.limits.rows,
  };
}
